from dataclasses import replace

import cv2
import numpy as np
import pytest

from firmware import annotate as module
from firmware.annotate import annotate
from firmware.drawing import drawable
from scoring.faces import Face
from tests.firmware.samples import city_reading, ring_reading, scored, square, two_player
from vision.reading import Reading, Unread

SIZE_WH = (1600, 900)
GROUNDS = {
    "black": (0, 0, 0),
    "white": (255, 255, 255),
    "like-a-sure-outline": module.SURE,
    "like-an-unsure-outline": module.UNSURE,
}


def table(ground=(90, 90, 90), size_wh=SIZE_WH):
    return np.full((size_wh[1], size_wh[0], 3), ground, np.uint8)


def one_city(middle=(800, 450), side=360, turn=0, **cells) -> Reading:
    city = city_reading(square(middle, side, turn), **cells)
    return Reading("table.jpg", "between-two-cities", "printed", SIZE_WH, (city,))


def changed(before, after):
    return np.any(before != after, axis=2)


def inside(quads, size_wh=SIZE_WH, margin_px=0):
    mask = np.zeros((size_wh[1], size_wh[0]), np.uint8)
    for quad in quads:
        cv2.fillPoly(mask, [np.array(quad).round().astype(np.int32)], 1)
    kernel = np.ones((2 * margin_px + 1, 2 * margin_px + 1), np.uint8)
    return cv2.dilate(mask, kernel).astype(bool)


def edge_colours(picture, quad, edge=0):
    """Colours along an edge of a quad, from a fifth of it to four fifths."""
    start, end = np.array(quad[edge]), np.array(quad[edge + 1])
    points = [
        (start + (end - start) * share).round().astype(int) for share in np.arange(0.2, 0.8, 0.01)
    ]
    return np.array([picture[y, x] for x, y in points])


def is_colour(colours, colour):
    return np.abs(colours.astype(int) - np.array(colour)).max(axis=-1) < 40


def badge_area(reading, before, after):
    quads = [city.corners_px for city in reading.cities]
    return changed(before, after) & ~inside(quads, reading.size_wh, margin_px=8)


class TestThePhoto:
    def test_is_not_changed_itself(self):
        photo = table()
        annotate(photo, one_city(), [62])
        assert np.array_equal(photo, table())

    def test_stays_as_it_is_where_nothing_was_read(self):
        photo = table()
        empty = replace(one_city(), cities=())
        assert np.array_equal(annotate(photo, empty, []), photo)

    def test_keeps_size_and_what_lies_far_from_the_cities(self):
        photo = table()
        picture = annotate(photo, one_city(), [62])
        assert picture.shape == photo.shape
        assert picture.dtype == np.uint8
        assert not changed(photo, picture)[:, :300].any()

    def test_of_another_size_than_the_reading_is_refused(self):
        with pytest.raises(ValueError, match="reading is of a colour photo of 1600x900 pixels"):
            annotate(table(size_wh=(900, 1600)), one_city(), [62])

    def test_without_colours_is_refused(self):
        with pytest.raises(ValueError, match=r"shape \(900, 1600\)"):
            annotate(np.zeros((900, 1600), np.uint8), one_city(), [62])

    def test_needs_one_total_for_each_city(self):
        with pytest.raises(ValueError, match="2 totals for 1 cities"):
            annotate(table(), one_city(), [62, 57])


class TestTiles:
    @pytest.mark.parametrize("turn", [0, 30, 137])
    def test_every_sure_tile_has_a_solid_outline(self, turn):
        reading = one_city(turn=turn)
        picture = annotate(table(), reading)
        for quad in (quad for row in reading.cities[0].tile_quads_px for quad in row):
            for edge in range(3):
                assert is_colour(edge_colours(picture, quad, edge), module.SURE).mean() > 0.9

    def test_an_unsure_tile_differs_in_colour_and_in_shape(self):
        reading = one_city(unsure=((1, 2),))
        picture = annotate(table(), reading)
        quads = reading.cities[0].tile_quads_px
        dashes = is_colour(edge_colours(picture, quads[1][2]), module.UNSURE)
        assert 0.3 < dashes.mean() < 0.9
        assert np.count_nonzero(np.diff(dashes.astype(int))) >= 4
        assert not is_colour(edge_colours(picture, quads[1][1]), module.UNSURE).any()

    def test_an_unsure_label_is_dark_on_bright_and_a_sure_one_bright_on_dark(self):
        reading = one_city(unsure=((1, 2),))
        grey = cv2.cvtColor(annotate(table(), reading), cv2.COLOR_BGR2GRAY)

        def ground(cell):
            x, y = np.mean(module.tile_quad(reading.cities[0], cell), axis=0).round().astype(int)
            return np.median(grey[y - 6 : y + 6, x - 20 : x + 20])

        assert ground((1, 2)) > 150
        assert ground((1, 1)) < 80

    @pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
    def test_outlines_are_seen_on_any_table(self, ground):
        reading = one_city(unsure=((1, 2),))
        picture = annotate(table(ground), reading)
        for cell in ((0, 0), (1, 2)):
            quad = np.array(module.tile_quad(reading.cities[0], cell)).round().astype(int)
            x = round(quad[:, 0].mean())
            across = picture[quad[0, 1] - 8 : quad[0, 1] + 8, x - 20 : x + 20].astype(int)
            contrast = np.abs(across - np.array(ground)).max(axis=(0, 2))
            assert contrast.max() > 60

    def test_each_face_has_a_label_of_its_own(self):
        reading = one_city()
        quad = module.tile_quad(reading.cities[0], (0, 0))
        left, top, right, bottom = (round(edge) + 6 for edge in (*quad[0], *quad[2]))
        labels = set()
        for face in Face:
            city = reading.cities[0]
            grid = ((face, *city.grid[0][1:]), *city.grid[1:])
            picture = annotate(table(), replace(reading, cities=(replace(city, grid=grid),)))
            labels.add(picture[top : bottom - 12, left : right - 12].tobytes())
        assert len(labels) == len(Face)

    @pytest.mark.parametrize("turn", range(0, 91, 15))
    @pytest.mark.parametrize("side", [120, 360, 700])
    def test_labels_stay_inside_of_their_city(self, side, turn):
        reading = one_city(side=side, turn=turn)
        picture = annotate(table(), reading)
        spilled = changed(table(), picture) & ~inside([reading.cities[0].corners_px], margin_px=6)
        count, _, stats, _ = cv2.connectedComponentsWithStats(spilled.astype(np.uint8))
        assert count - 1 == 1, "something other than the badge lies outside"
        assert stats[1][cv2.CC_STAT_WIDTH] > stats[1][cv2.CC_STAT_HEIGHT] * 0.5

    def test_labels_grow_with_the_tiles(self):
        def dark_pixels(side):
            picture = annotate(table((255, 255, 255)), one_city(side=side))
            quad = module.tile_quad(one_city(side=side).cities[0], (1, 1))
            (left, top), (right, bottom) = (np.round(quad[at]).astype(int) for at in (0, 2))
            margin = (right - left) // 8
            part = picture[top + margin : bottom - margin, left + margin : right - margin]
            return np.count_nonzero(part.max(axis=2) < 128)

        assert 2.5 < dark_pixels(600) / dark_pixels(300) < 6

    def test_a_missing_tile_is_crossed_out(self):
        reading = one_city(absent=((2, 1),))
        picture = annotate(table(), reading)
        quad = np.array(module.tile_quad(reading.cities[0], (2, 1)))
        for corner in quad:
            x, y = (corner * 0.75 + quad.mean(axis=0) * 0.25).round().astype(int)
            assert is_colour(picture[y - 2 : y + 3, x - 2 : x + 3], module.MISSING).any()
        dashes = is_colour(edge_colours(picture, quad), module.MISSING)
        assert 0.3 < dashes.mean() < 0.9

    def test_a_tile_whose_place_is_not_known_is_drawn_at_its_share_of_the_city(self):
        reading = one_city(absent=((2, 1),), turn=20)
        city = reading.cities[0]
        unplaced = replace(city, tile_quads_px=((None,) * 4,) * 4)
        for cell in ((0, 0), (2, 1), (3, 3)):
            known, shared = module.tile_quad(city, cell), module.tile_quad(unplaced, cell)
            assert np.allclose(known, shared, atol=8)
        picture = annotate(table(), replace(reading, cities=(unplaced,)))
        assert is_colour(picture, module.MISSING).any()


class TestBadges:
    def test_one_for_each_city_and_none_hides_a_tile(self):
        reading = ring_reading(7, size_wh=(2304, 1296))
        photo = table(size_wh=reading.size_wh)
        area = badge_area(reading, photo, annotate(photo, reading, range(50, 57)))
        count, _, stats, _ = cv2.connectedComponentsWithStats(area.astype(np.uint8))
        large = stats[1:][stats[1:, cv2.CC_STAT_AREA] > 500]
        assert count - 1 == len(large) == 7
        for _, _, width, height, filled in large:
            assert filled > 0.95 * width * height, "a part of the badge lies on tiles"

    @pytest.mark.parametrize("middle", [(190, 190), (1410, 190), (1410, 710), (190, 710)])
    def test_is_whole_for_a_city_in_a_corner_of_the_photo(self, middle):
        reading = one_city(middle=middle, side=360)
        area = badge_area(reading, table(), annotate(table(), reading, [62]))
        rows, columns = np.nonzero(area)
        assert 0 < rows.min() < rows.max() < SIZE_WH[1] - 1
        assert 0 < columns.min() < columns.max() < SIZE_WH[0] - 1
        assert area.sum() > 0.9 * np.ptp(rows) * np.ptp(columns)

    def test_is_drawn_even_if_the_city_fills_the_photo(self):
        reading = one_city(side=880)
        with_total, without = annotate(table(), reading, [62]), annotate(table(), reading)
        assert changed(with_total, without).any()

    def test_shows_the_total(self):
        pictures = {annotate(table(), one_city(), [total]).tobytes() for total in (62, 57, 7)}
        assert len(pictures) == 3

    @pytest.mark.parametrize("cells", [{"unsure": ((1, 2),)}, {"absent": ((1, 2),)}])
    def test_of_a_total_that_may_change_is_longer_by_a_question_mark(self, cells):
        def width(reading):
            columns = np.nonzero(badge_area(reading, table(), annotate(table(), reading, [62])))[1]
            return np.ptp(columns)

        assert width(one_city(**cells)) > width(one_city()) + 10

    def test_a_doubt_marks_every_city_with_factories(self):
        """Their ranks are of the whole table."""
        cities = ("SSPP/SSPP/EBMD/HHHH", "PPHH/SSPP/FFFF/FHBB", "SSPP/SSPP/EBMD/HHHH")
        sure, doubtful = scored(*cities)[1], scored(*cities, unsure={0: ((0, 0),)})[1]
        photo = table(size_wh=sure.size_wh)

        def badge_widths(reading):
            area = badge_area(reading, photo, annotate(photo, reading, [52, 52, 52]))
            _, _, stats, middles = cv2.connectedComponentsWithStats(area.astype(np.uint8))
            return [
                stats[1 + np.hypot(*(middles[1:] - city.centre_px).T).argmin(), cv2.CC_STAT_WIDTH]
                for city in reading.cities
            ]

        longer = np.array(badge_widths(doubtful)) - badge_widths(sure) > 10
        assert longer.tolist() == [True, True, False]


class TestNotice:
    def test_unknown_owners_are_told_beside_the_cities(self):
        reading = two_player()[1]
        photo = table(size_wh=reading.size_wh)
        known = annotate(photo, reading, [56, 57, 62, 62])
        unknown = annotate(photo, reading, [56, 57, 62, 62], owners_known=False)
        notice = changed(known, unknown)
        assert np.ptp(np.nonzero(notice)[1]) > 0.25 * reading.size_wh[0], "large enough to read"
        assert is_colour(unknown[notice], module.UNSURE).mean() > 0.5
        assert not (
            notice & inside([city.corners_px for city in reading.cities], reading.size_wh)
        ).any()


class TestUnread:
    def test_is_hatched_and_outlined_in_dashes(self):
        quad = square((800, 450), 400, 15)
        reading = replace(one_city(), cities=(), unread=(Unread(quad, "too blurred"),))
        picture = annotate(table(), reading)
        dashes = is_colour(edge_colours(picture, quad), module.UNREAD)
        assert 0.3 < dashes.mean() < 0.9
        hatched = is_colour(picture, module.UNREAD) & inside([quad])
        assert 0.05 < hatched.sum() / inside([quad]).sum() < 0.6
        assert not changed(table(), picture)[~inside([quad], margin_px=8)].any()

    def test_says_why(self):
        def picture(why):
            region = Unread(square((800, 450), 400, 0), why)
            return annotate(table(), replace(one_city(), cities=(), unread=(region,)))

        assert changed(picture("too blurred"), picture("too dark")).any()

    def test_may_lie_partly_outside_of_the_photo(self):
        region = Unread(square((0, 0), 400, 30), "cut off by the edge of the photo")
        picture = annotate(table(), replace(one_city(), cities=(), unread=(region,)))
        assert is_colour(picture, module.UNREAD).any()


@pytest.mark.parametrize(
    ("text", "ascii_text"),
    [("park", "park"), ("Büro", "Buro"), ("gyár ő", "gyar o"), ("weiß", "weiss"), ("山", "?")],
)
def test_text_on_photos_is_spelled_in_letters_that_opencv_has(text, ascii_text):
    assert drawable(text) == ascii_text
