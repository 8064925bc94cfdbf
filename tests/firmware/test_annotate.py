"""The photo with what was read drawn on it, of every game."""

import unicodedata
from dataclasses import replace
from string import ascii_letters
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from firmware.base.picture_text import text_mask, text_width_px
from firmware.games.registry import games
from firmware.games.scan import Scan
from firmware.report import annotate as module
from firmware.report.annotate import annotate, at_decoded_size
from firmware.report.photo_marks import LabelStyle, label, size_to_fit
from firmware.scan.make_scan import make_scan, make_unscored_scan
from firmware.scan.outlines import cell_outline, grid_outline, slot_outline
from scoring.faces import Face
from tests.firmware.board_samples import (
    CITIES,
    CITY_BLOCKS,
    DICE_BOARD,
    EMPTY_ROW,
    blocks,
    cards,
    city,
    piece,
    reading,
    sign,
)
from tests.firmware.board_samples import SIZE_WH as BOARD_SIZE_WH
from tests.firmware.samples import city_reading, example, scored, square, two_player
from tests.firmware.screen_looks import speaking
from vision.editions.folder import built_in_edition
from vision.photo.load import Photo
from vision.reading import Note, NoteCode, Reading, Unread

SIZE_WH = (1600, 900)
BTC = built_in_edition("between-two-cities").description
BACKGROUNDS = {
    "black": (0, 0, 0),
    "white": (255, 255, 255),
    "like-a-sure-outline": module.SURE,
    "like-an-unsure-outline": module.UNSURE,
}
NOT_READ = Note(NoteCode.CITY_UNREADABLE)


def table(background=(90, 90, 90), size_wh=SIZE_WH):
    return np.full((size_wh[1], size_wh[0], 3), background, np.uint8)


def one_city(middle=(800, 450), side=360, turn=0, total=None, unread=(), **cells) -> Scan:
    grid = city_reading(square(middle, side, turn), **cells)
    seen = Reading("table.jpg", BTC.game, "printed", SIZE_WH, (grid,), unread)
    sheet = None
    if total is not None:
        sheet = SimpleNamespace(cities=[SimpleNamespace(total=total)], missing=())
    return Scan(seen, BTC, games()[BTC.game], sheet=sheet)


def nothing(*unread) -> Scan:
    return Scan(
        Reading("table.jpg", BTC.game, "printed", SIZE_WH, (), unread), BTC, games()[BTC.game]
    )


def quad_of(scan, cell):
    return cell_outline(scan.reading.grids[0], scan.description, cell)


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


def badge_area(scan, before, after):
    quads = [grid.corners_px for grid in scan.reading.grids]
    return changed(before, after) & ~inside(quads, scan.reading.size_wh, margin_px=8)


class TestThePhoto:
    def test_is_copied_and_changed_only_near_what_was_read(self):
        photo = table()
        picture = annotate(photo, one_city(total=62))
        assert np.array_equal(photo, table())
        assert (picture.shape, picture.dtype) == (photo.shape, np.uint8)
        assert not changed(photo, picture)[:, :300].any()
        assert np.array_equal(annotate(photo, nothing()), photo)
        pictures = set()
        for language in ("en", "de", "hu"):
            with speaking(language):
                pictures.add(annotate(table(), one_city(unread=())).tobytes())
        assert len(pictures) == 3

    @pytest.mark.parametrize("shape", [(1600, 900, 3), (900, 1600)])
    def test_of_another_size_or_without_colours_is_refused(self, shape):
        with pytest.raises(ValueError, match="is of a colour photo of 1600x900 pixels"):
            annotate(np.zeros(shape, np.uint8), one_city())

    def test_reduced_photo_is_annotated_in_its_own_pixels(self):
        scan = example(unread=(Unread(square((1150, 640), 300, 20), NOT_READ),))
        full = scan.reading
        half = Photo(table(size_wh=(1152, 648)), "table.jpg", full.size_wh, 2)
        smaller = replace(scan, reading=at_decoded_size(full, half))
        x, y = full.grids[0].corners_px[2]
        assert smaller.reading.grids[0].corners_px[2] == pytest.approx((x / 2, y / 2), abs=0.5)
        assert annotate(half.image_bgr, smaller).shape == (648, 1152, 3)


class TestTiles:
    @pytest.mark.parametrize("turn", [0, 30, 137])
    def test_every_sure_tile_has_a_solid_outline(self, turn):
        scan = one_city(turn=turn)
        picture = annotate(table(), scan)
        for quad in (quad for row in scan.reading.grids[0].tile_quads_px for quad in row):
            for edge in range(3):
                assert is_colour(edge_colours(picture, quad, edge), module.SURE).mean() > 0.9

    def test_an_unsure_tile_differs_in_colour_and_in_shape(self):
        scan = one_city(unsure=((1, 2),))
        picture = annotate(table(), scan)
        dashes = is_colour(edge_colours(picture, quad_of(scan, (1, 2))), module.UNSURE)
        assert 0.3 < dashes.mean() < 0.9
        assert np.count_nonzero(np.diff(dashes.astype(int))) >= 4
        sure = edge_colours(picture, quad_of(scan, (1, 1)))
        assert not is_colour(sure, module.UNSURE).any()
        # Its label is dark on bright, that of a sure one bright on dark
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        middles = (np.mean(quad_of(scan, at), axis=0).astype(int) for at in ((1, 2), (1, 1)))
        unsure, sure = (np.median(grey[y - 6 : y + 6, x - 20 : x + 20]) for x, y in middles)
        assert unsure > 150 > 80 > sure

    @pytest.mark.parametrize("background", BACKGROUNDS.values(), ids=BACKGROUNDS)
    def test_outlines_are_seen_on_any_table(self, background):
        scan = one_city(unsure=((1, 2),))
        picture = annotate(table(background), scan)
        for cell in ((0, 0), (1, 2)):
            quad = np.array(quad_of(scan, cell)).round().astype(int)
            x = round(quad[:, 0].mean())
            across = picture[quad[0, 1] - 8 : quad[0, 1] + 8, x - 20 : x + 20].astype(int)
            assert np.abs(across - np.array(background)).max(axis=(0, 2)).max() > 60

    def test_each_face_has_a_label_of_its_own(self):
        scan = one_city()
        quad, grid = quad_of(scan, (0, 0)), scan.reading.grids[0]
        left, top, right, bottom = (round(edge) + 6 for edge in (*quad[0], *quad[2]))
        labels = set()
        for face in Face:
            other = replace(grid, faces=((face, *grid.faces[0][1:]), *grid.faces[1:]))
            seen = replace(scan.reading, grids=(other,))
            picture = annotate(table(), replace(scan, reading=seen))
            labels.add(picture[top : bottom - 12, left : right - 12].tobytes())
        assert len(labels) == len(Face)

    @pytest.mark.parametrize("turn", range(0, 91, 30))
    @pytest.mark.parametrize("side", [120, 360, 700])
    def test_labels_stay_inside_of_their_city(self, side, turn):
        scan = one_city(side=side, turn=turn)
        picture = annotate(table(), scan)
        city_px = scan.reading.grids[0].corners_px
        spilled = changed(table(), picture) & ~inside([city_px], margin_px=6)
        count, _, _stats, _ = cv2.connectedComponentsWithStats(spilled.astype(np.uint8))
        assert count - 1 == 1, "something other than the badge lies outside"

    def test_a_missing_tile_is_crossed_out(self):
        scan = one_city(absent=((2, 1),))
        picture = annotate(table(), scan)
        quad = np.array(quad_of(scan, (2, 1)))
        for corner in quad:
            x, y = (corner * 0.75 + quad.mean(axis=0) * 0.25).round().astype(int)
            assert is_colour(picture[y - 2 : y + 3, x - 2 : x + 3], module.MISSING).any()
        assert 0.3 < is_colour(edge_colours(picture, quad), module.MISSING).mean() < 0.9

    def test_tile_of_unknown_place_is_drawn_at_its_share(self):
        scan = one_city(absent=((2, 1),), turn=20)
        grid = replace(scan.reading.grids[0], tile_quads_px=((None,) * 4,) * 4)
        unplaced = replace(scan, reading=replace(scan.reading, grids=(grid,)))
        for cell in ((0, 0), (2, 1), (3, 3)):
            assert np.allclose(quad_of(scan, cell), quad_of(unplaced, cell), atol=8)
        assert is_colour(annotate(table(), unplaced), module.MISSING).any()


class TestBadges:
    def test_one_for_each_city_and_none_hides_a_tile(self):
        scan = scored(*["SSSF/EBMD/OOOF/PPPF"] * 7)
        photo = table(size_wh=scan.reading.size_wh)
        area = badge_area(scan, photo, annotate(photo, scan))
        count, _, stats, _ = cv2.connectedComponentsWithStats(area.astype(np.uint8))
        large = stats[1:][stats[1:, cv2.CC_STAT_AREA] > 500]
        assert count - 1 == len(large) == 7
        for _, _, width, height, filled in large:
            assert filled > 0.95 * width * height, "a part of the badge lies on tiles"
        totals = (62, 57, 7, None)
        pictures = {annotate(table(), one_city(side=880, total=n)).tobytes() for n in totals}
        assert len(pictures) == len(totals)

    @pytest.mark.parametrize("middle", [(190, 190), (1410, 190), (1410, 710), (190, 710)])
    def test_is_whole_for_a_city_in_a_corner_of_the_photo(self, middle):
        scan = one_city(middle=middle, total=62)
        area = badge_area(scan, table(), annotate(table(), scan))
        rows, columns = np.nonzero(area)
        assert 0 < rows.min() < rows.max() < SIZE_WH[1] - 1
        assert 0 < columns.min() < columns.max() < SIZE_WH[0] - 1
        assert area.sum() > 0.9 * np.ptp(rows) * np.ptp(columns)

    @pytest.mark.parametrize("cells", [{"unsure": ((1, 2),)}, {"absent": ((1, 2),)}])
    def test_of_a_total_that_may_change_is_longer_by_a_question_mark(self, cells):
        def width(scan):
            return np.ptp(np.nonzero(badge_area(scan, table(), annotate(table(), scan)))[1])

        doubtful = one_city(total=62, **cells)
        doubtful.sheet.missing = tuple((0, cell) for cell in cells.get("absent", ()))
        assert width(doubtful) > width(one_city(total=62)) + 10


def test_unknown_owners_are_told_beside_the_cities():
    scan = two_player()
    photo = table(size_wh=scan.reading.size_wh)
    unknown = annotate(photo, two_player(owners_known=False))
    notice = changed(annotate(photo, scan), unknown)
    assert np.ptp(np.nonzero(notice)[1]) > 0.25 * scan.reading.size_wh[0], "large enough to read"
    assert is_colour(unknown[notice], module.UNSURE).mean() > 0.5
    quads = [grid.corners_px for grid in scan.reading.grids]
    assert not (notice & inside(quads, scan.reading.size_wh)).any()


@pytest.mark.parametrize(
    ("description", "grid"),
    [
        (CITIES, city(tourists={(0, 0): "red"})),
        (CITY_BLOCKS, blocks("-- -- -- -- -- --" + EMPTY_ROW * 4)),
        (DICE_BOARD, cards(*sign(4, 4, "red-bakery"))),
    ],
    ids=["cities", "city-blocks", "dice-board"],
)
def test_colours_that_players_are_called_by_are_told_in_every_language(description, grid):
    scan = make_scan(reading(description, grid), description)
    for language, word in (("en", "Red "), ("de", "Rot "), ("hu", "Piros ")):
        with speaking(language):
            assert word in scan.game.badges(scan)[0]


class TestUnread:
    def test_is_hatched_outlined_in_dashes_and_says_why(self):
        quad = square((800, 450), 400, 15)
        picture = annotate(table(), nothing(Unread(quad, NOT_READ)))
        dashes = is_colour(edge_colours(picture, quad), module.UNREAD)
        assert 0.3 < dashes.mean() < 0.9
        hatched = is_colour(picture, module.UNREAD) & inside([quad])
        assert 0.05 < hatched.sum() / inside([quad]).sum() < 0.6
        assert not changed(table(), picture)[~inside([quad], margin_px=8)].any()
        picture = annotate(table(), nothing(Unread(square((0, 0), 400, 30), NOT_READ)))
        assert is_colour(picture, module.UNREAD).any()
        reasons = (NOT_READ, Note(NoteCode.LIGHT_HIDES), Note(NoteCode.NO_TILE))
        regions = (Unread(square((800, 450), 400, 0), why) for why in reasons)
        pictures = {annotate(table(), nothing(region)).tobytes() for region in regions}
        assert len(pictures) == len(reasons)


class TestFieldsAndFigures:
    GREY = table((110, 110, 110), BOARD_SIZE_WH)

    def drawn(self, grid, description=CITIES):
        return annotate(self.GREY, make_unscored_scan(reading(description, grid), description))

    def part(self, picture, quad):
        (left, top), _, (right, bottom), _ = ((round(x), round(y)) for x, y in quad)
        return picture[top:bottom, left:right]

    def share_changed(self, picture, quad):
        return (self.part(picture, quad) != 110).any(axis=2).mean()

    def test_every_field_has_a_label(self):
        grid = city()
        picture = self.drawn(grid)
        for cell in np.ndindex(8, 8):
            assert self.share_changed(picture, cell_outline(grid, CITIES, cell)) > 0.1
        grid = city("." * 8 + "/" + "/".join(["SSCCPPWW"] * 7))
        assert self.share_changed(self.drawn(grid), cell_outline(grid, CITIES, (0, 0))) > 0.1
        board = blocks("bH1 -- -- -- -- --" + EMPTY_ROW * 4, piece("row", 1, 3))
        picture = self.drawn(board, CITY_BLOCKS)
        assert self.share_changed(picture, cell_outline(board, CITY_BLOCKS, (2, 3))) == 0
        assert self.share_changed(picture, cell_outline(board, CITY_BLOCKS, (0, 0))) > 0.05

    @pytest.mark.parametrize("doubt", [{"unsure": ((2, 3),)}, {"unsure_figures": ((2, 3),)}])
    def test_unsure_field_or_figure_looks_different(self, doubt):
        sure, unsure = city(), city(**doubt)
        pictures = [self.drawn(grid) for grid in (sure, unsure)]
        one, other = (self.part(each, cell_outline(sure, CITIES, (2, 3))) for each in pictures)
        assert (one != other).mean() > 0.1
        one, other = (self.part(each, cell_outline(sure, CITIES, (6, 6))) for each in pictures)
        assert (one == other).all()

    def test_a_figure_has_a_ring_of_its_colour(self):
        grid = city(tourists={(0, 0): "red", (2, 2): "blue"})
        picture = self.drawn(grid).astype(int)
        red, blue = (self.part(picture, cell_outline(grid, CITIES, at)) for at in ((0, 0), (2, 2)))
        assert (red[..., 2] - red[..., 0] > 100).mean() > 0.05
        assert (blue[..., 0] - blue[..., 2] > 100).mean() > 0.05
        seen = reading(CITIES, city(tourists={(0, 0): "red"}))
        with_score = annotate(self.GREY, make_scan(seen, CITIES))
        assert changed(with_score, self.drawn(seen.grids[0])).mean() > 0.005

    def test_pieces_beside_a_board_and_slots_that_are_not_sure_are_marked(self):
        lying = piece("row", 1, 3)
        board = blocks("bH1 -- -- -- -- --" + EMPTY_ROW * 4, lying, unsure_slots=(("column", 2),))
        picture = self.drawn(board, CITY_BLOCKS)
        assert self.share_changed(picture, lying.corners_px) > 0.2
        slot = slot_outline(board, CITY_BLOCKS, "column", 2)
        assert self.share_changed(picture, slot) > 0.1
        x, y = (sum(axis) / 4 for axis in zip(*slot, strict=True))
        assert x == pytest.approx(410, abs=0.5)
        assert y < board.corners_px[0][1], "above the third column"
        board = blocks("-- -- -- -- -- --" + EMPTY_ROW * 4)
        (left, top), _, (right, bottom), _ = grid_outline(board, CITY_BLOCKS)
        (width, height), px_per_mm = CITY_BLOCKS.board.size_mm, 100 / CITY_BLOCKS.board.cell_mm[0]
        assert right - left == pytest.approx(width * px_per_mm, abs=0.5)
        assert bottom - top == pytest.approx(height * px_per_mm, abs=0.5)


STYLE = LabelStyle(ink=(255, 255, 255), background=(20, 20, 20))


def word(text, size=24):
    """A word as it is drawn on a photo."""
    picture = table(size_wh=(600, 80))
    label(picture, (300, 40), text, size, STYLE)
    return picture.tobytes()


class TestLetters:
    LACKING = "山"
    GERMAN_AND_HUNGARIAN = "äöüßáéíóöőúüűÄÖÜẞÁÉÍÓÖŐÚÜŰ"
    PLAIN = str.maketrans("äöüßáéíóőúűÄÖÜẞÁÉÍÓŐÚŰ", "aousaeioouuAOUSAEIOOUU")

    @pytest.mark.parametrize("text", ["Büro", "Getränk", "ágy", "üres", "üzlet", "ősz", "fű"])
    def test_a_word_keeps_its_accents(self, text):
        assert word(text) != word(text.translate(self.PLAIN))
        assert word(text) == word(unicodedata.normalize("NFD", text))

    @pytest.mark.parametrize("size", [8, 24, 120])
    def test_every_letter_is_drawn_and_is_no_other(self, size):
        letters = dict.fromkeys(ascii_letters + self.GERMAN_AND_HUNGARIAN + "ΑΩαωϊЖЯжя")
        drawn = {each: text_mask(each, size)[0].tobytes() for each in letters}
        assert text_mask(self.LACKING, size)[0].tobytes() not in drawn.values(), "none is missing"
        # Greek shares its capital alpha with Latin
        assert len({*drawn.values()}) == len(letters) - 1
        assert all(map(any, drawn.values()))

    def test_missing_glyph_is_visible(self):
        assert word(self.LACKING) == word("城") != word(" ")
        assert word("a\nb") != word("ab")

    @pytest.mark.parametrize("text", ["ÁŰŐÄ", "Égy", "fgjpqy"])
    def test_a_letter_does_not_leave_its_ground(self, text):
        picture = table(size_wh=(600, 80))
        left, top, right, bottom = label(picture, (300, 40), text, 40, STYLE)
        edge = (*picture[[top, bottom - 1], left:right], *picture[top:bottom, [left, right - 1]])
        assert all((line == 20).all() for line in edge)
        picture[top:bottom, left:right] = 90
        assert np.array_equal(picture, table(size_wh=(600, 80)))

    @pytest.mark.parametrize("at", [(-5, 40), (600, 40), (300, -300), (300, 85)])
    def test_label_outside_of_the_picture_is_left_out(self, at):
        picture = table(size_wh=(600, 80))
        label(picture, at, "Büro", 40, STYLE)
        assert picture.shape == (80, 600, 3)

    @pytest.mark.parametrize(("width", "height"), [(90, 40), (31, 40), (300, 11), (3, 3)])
    def test_the_largest_letters_are_those_that_fit(self, width, height):
        size = size_to_fit(["Büro", "Getränk"], width, height)
        longest = text_width_px("Getränk", size)
        assert size == 1 or (longest <= width and size <= height)
        assert size + 1 > height or text_width_px("Getränk", size + 1) > width
        assert size_to_fit([""], 100, 20) == 20
