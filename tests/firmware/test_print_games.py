"""The sheets of the games have all pieces, true to size; the PDF is read back on its own."""

import argparse
from collections import Counter
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from printed_pdf import printed_pages

from firmware.commands import print_arguments
from firmware.errors import ExitCode, UsageError
from firmware.language import LANGUAGES, SOURCE_LANGUAGE, use_language
from firmware.printing import GAMES, SHEETS, city_blocks_sheets, dice_board_sheets, sheet_pdf
from firmware.printing.choices import Choices
from firmware.printing.page import Paper
from firmware.printing.sheet import draw_sheets
from scoring.faces import Face
from vision.editions.folder import own_edition
from vision.simulate.drawn import cities, city_blocks, dice_board
from vision.simulate.faces import draw_back, draw_face

DPI = 40
MARGIN_MM = 8.0
ALIKE_PX = 24
NO_CHOICE = Choices()
FULL, BACKS = Choices(is_full=True), Choices(is_duplex=True)

_read = {}


@pytest.fixture(autouse=True, scope="module")
def _each_picture_is_drawn_once():
    with pytest.MonkeyPatch.context() as patch:
        for module, function in (
            (cities, "draw_tile"),
            (city_blocks_sheets, "draw_face"),
            (dice_board_sheets, "draw_face"),
        ):
            patch.setattr(module, function, cache(getattr(module, function)))
        yield


def pages(game, paper=Paper.A4, choices=NO_CHOICE):
    """The pages of a game; each is drawn once for all tests."""
    key = game, paper, choices
    if key not in _read:
        _read[key] = printed_pages(sheet_pdf(game, paper, choices, DPI))
    return _read[key]


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    use_language(SOURCE_LANGUAGE)


def small(picture):
    return cv2.resize(picture, (ALIKE_PX, ALIKE_PX), interpolation=cv2.INTER_AREA).astype(float)


def own_faces(game):
    edition = own_edition(game)
    return {name: small(edition.pictures[name][0]) for name in edition.pictures}


def tiles_of_between_two_cities():
    faces = {face.value: small(draw_face(face, 64)) for face in Face}
    return {**faces, "back": small(draw_back(64))}


def named(placed, faces):
    """The face that a printed picture looks most like."""
    seen = small(placed.picture)
    return min(faces, key=lambda face: np.abs(faces[face] - seen).mean())


def middle_of(placed):
    return placed.left + placed.width / 2, placed.top + placed.height / 2


def counted(sheets, faces):
    return Counter(named(placed, faces) for sheet in sheets for placed in sheet.pictures)


def options(*arguments):
    parser = argparse.ArgumentParser()
    print_arguments.add_to(parser)
    return parser.parse_args(arguments)


EVERYTHING = [
    *((game, paper, NO_CHOICE) for game in GAMES for paper in Paper),
    ("between-two-cities", Paper.A4, BACKS),
    ("between-two-cities", Paper.LETTER, FULL),
    ("dice-board", Paper.A4, BACKS),
]


class TestEveryPage:
    @pytest.mark.parametrize(("game", "paper", "choices"), EVERYTHING)
    def test_is_of_the_paper_asked_for(self, game, paper, choices):
        for page in pages(game, paper, choices):
            assert sorted([page.width, page.height]) == pytest.approx(paper.size_mm, abs=0.01)

    @pytest.mark.parametrize(("game", "paper", "choices"), EVERYTHING)
    def test_keeps_off_the_edges_of_the_paper(self, game, paper, choices):
        for page in pages(game, paper, choices):
            if not len(page.points):
                continue
            left, top = page.points.min(axis=0)
            right, bottom = page.points.max(axis=0)
            assert min(left, top) >= MARGIN_MM - 0.01
            assert right <= page.width - MARGIN_MM + 0.01
            assert bottom <= page.height - MARGIN_MM + 0.01

    @pytest.mark.parametrize(("game", "paper", "choices"), EVERYTHING)
    def test_has_a_ruler_of_80_mm(self, game, paper, choices):
        for page in pages(game, paper, choices):
            if not len(page.points):
                continue
            places = np.sort(page.points[:, 0])
            # Of each of its 81 lines both edges
            wanted = 9.5 + np.arange(81)
            for edge in (wanted - 0.075, wanted + 0.075):
                nearest = places[np.searchsorted(places, edge - 0.001)]
                np.testing.assert_allclose(nearest, edge, atol=0.001)

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("game", GAMES)
    def test_has_room_for_its_texts_in_every_language(self, game, language):
        use_language(language)
        for paper in Paper:
            sheets = GAMES[game].make(paper.size_mm, NO_CHOICE)
            without_pieces = [replace(sheet, draw=lambda page, pictures: None) for sheet in sheets]
            for page in printed_pages(draw_sheets("", without_pieces, DPI).pdf()):
                assert page.points[:, 1].max() <= page.height - MARGIN_MM

    @pytest.mark.parametrize(("game", "paper", "choices"), EVERYTHING)
    def test_has_no_picture_on_another(self, game, paper, choices):
        for page in pages(game, paper, choices):
            for number, first in enumerate(page.pictures):
                for second in page.pictures[number + 1 :]:
                    across = abs(first.left - second.left) - first.width
                    down = abs(first.top - second.top) - first.height
                    assert max(across, down) > -0.01


class TestBetweenTwoCities:
    def test_tiles_of_45_mm(self):
        for page in pages("between-two-cities"):
            for tile in page.pictures:
                assert (tile.width, tile.height) == pytest.approx((45, 45), abs=0.001)

    def test_six_of_each_face_are_enough_for_three_cities(self):
        found = counted(pages("between-two-cities"), tiles_of_between_two_cities())
        assert found == {face.value: 6 for face in Face}
        assert len(pages("between-two-cities")) == 3

    def test_as_many_as_are_chosen(self):
        sheets = pages("between-two-cities", choices=Choices(copies=2))
        found = counted(sheets, tiles_of_between_two_cities())
        assert found == {face.value: 2 for face in Face}
        assert len(sheets) == 1

    def test_a_full_box_has_108_singles_and_48_halves(self):
        sheets = pages("between-two-cities", Paper.LETTER, FULL)
        faces = tiles_of_between_two_cities()
        # 20 tiles a page
        singles, halves = counted(sheets[:6], faces), counted(sheets[6:], faces)
        taverns = ("tavern-food", "tavern-bed", "tavern-music", "tavern-drink")
        assert singles == {
            "shop": 16, "factory": 16, "office": 20, "park": 16, "house": 20,
            **dict.fromkeys(taverns, 5),
        }  # fmt: skip
        assert halves == {
            **dict.fromkeys(("shop", "factory", "office", "park", "house"), 8),
            **dict.fromkeys(taverns, 2),
        }

    def test_backs_lie_behind_their_fronts(self):
        sheets = pages("between-two-cities", choices=BACKS)
        faces = tiles_of_between_two_cities()
        assert "back" not in counted(sheets[::2], faces)
        assert set(counted(sheets[1::2], faces)) == {"back"}
        for front, back in zip(sheets[::2], sheets[1::2], strict=True):
            fronts = np.array([middle_of(tile) for tile in front.pictures])
            backs = np.array([middle_of(tile) for tile in back.pictures])
            mirrored = np.abs([front.width, 0] - fronts)
            away = np.abs(mirrored[:, np.newaxis] - backs).max(axis=2)
            assert away.min(axis=1).max() < 0.01
            assert len(fronts) == len(backs)

    def test_each_face_is_in_the_file_once(self):
        pdf = sheet_pdf("between-two-cities", Paper.A4, dpi=DPI)
        assert pdf.count(b"/Subtype /Image") == len(Face)


class TestCities:
    @pytest.mark.parametrize("sets", [1, 4])
    def test_each_set_has_each_tile_once(self, sets):
        sheets = pages("cities", choices=Choices(sets=sets))
        faces = own_faces("cities")
        assert len(sheets) == 2 * sets + 1
        for number in range(sets):
            assert counted(sheets[2 * number : 2 * number + 2], faces) == dict.fromkeys(faces, 1)

    def test_two_sets_unless_chosen_otherwise(self):
        assert len(pages("cities")) == 5

    def test_tiles_are_as_large_as_the_edition_says(self):
        edge = own_edition("cities").description.tile_mm
        for page in pages("cities")[:-1]:
            for tile in page.pictures:
                assert (tile.width, tile.height) == pytest.approx((edge, edge), abs=0.001)

    def test_seven_tourists_and_discs_of_each_colour(self):
        contents = pages("cities")[-1].contents
        for token in own_edition("cities").description.tokens:
            blue, green, red = (f"{part / 255:.6f}".strip("0") for part in token.colour_bgr)
            paint = f"{red or 0} {green or 0} {blue or 0} rg".encode()
            assert contents.count(paint) == 2 * 7

    def test_tourists_stand_on_feet_as_large_as_the_edition_says(self):
        page = pages("cities")[-1]
        token = own_edition("cities").description.tokens[0]
        upright = page.lines[np.isclose(page.lines[:, 0, 0], page.lines[:, 1, 0])]
        # Two rows of 14 strips: the mark above each line, the one below
        cuts = np.unique(np.round(upright[:, 0, 0], 3))
        np.testing.assert_allclose(np.diff(cuts), token.foot_mm, atol=0.002)
        folds = np.array([line[0, 1] for line in page.lines if abs(line[0, 0] - cuts[0]) < 0.01])
        rows = np.unique(np.round(folds, 3))
        steps = np.diff(rows)
        assert np.isclose(steps, token.height_mm, atol=0.01).sum() == 4


class TestCityBlocks:
    def test_all_buildings_and_value_tiles(self):
        faces = own_faces("city-blocks")
        found = counted(pages("city-blocks")[2:], faces)
        schools = ("blue-school", "red-school")
        assert found == {face: 2 if face in schools else 1 for face in faces}
        assert found.total() == 40 + 15

    def test_tiles_are_as_large_as_the_edition_says(self):
        edge = own_edition("city-blocks").description.tile_mm
        for page in pages("city-blocks")[2:]:
            for tile in page.pictures:
                assert (tile.width, tile.height) == pytest.approx((edge, edge), abs=0.001)

    def test_the_board_is_one_part_on_a3(self):
        size = own_edition("city-blocks").description.board.size_mm
        board, *tiles = pages("city-blocks", Paper.A3)
        (picture,) = board.pictures
        assert (picture.width, picture.height) == pytest.approx(size, abs=0.01)
        assert len(tiles) == 1


def parts_of_board(game, paper):
    """The pages with parts of the board, and how many parts lie side by side."""
    before = 2 if game == "dice-board" else 0
    sheets = [page for page in pages(game, paper)[before:] if len(page.pictures) == 1]
    size = own_edition(game).description.board.size_mm
    for across in range(1, len(sheets) + 1):
        covered = sum(sheet.pictures[0].width for sheet in sheets[:across])
        if covered >= size[0] - 1:
            return sheets, across
    raise AssertionError("the parts do not cover the board")


BOARDS = [
    ("city-blocks", Paper.A4, 2),
    ("city-blocks", Paper.LETTER, 4),
    ("dice-board", Paper.A4, 4),
    ("dice-board", Paper.LETTER, 4),
    ("dice-board", Paper.A3, 2),
]


def found_at_mm(part, whole, size_mm):
    """Where a part of a board lies on it, from the top left corner."""
    alike = cv2.matchTemplate(whole, part, cv2.TM_CCOEFF_NORMED)
    _, best, _, (x, y) = cv2.minMaxLoc(alike)
    assert best > 0.95
    return x * size_mm[0] / whole.shape[1], y * size_mm[1] / whole.shape[0]


@pytest.mark.parametrize(("game", "paper", "count"), BOARDS)
class TestBoardInParts:
    def test_as_few_parts_as_the_paper_allows(self, game, paper, count):
        assert len(parts_of_board(game, paper)[0]) == count

    def test_the_parts_make_the_board_at_its_true_size(self, game, paper, count):
        """Each is laid onto the flap of the one before, as far as the letters say."""
        sheets, across = parts_of_board(game, paper)
        size = own_edition(game).description.board.size_mm
        draw = {"city-blocks": city_blocks.draw_board, "dice-board": dice_board.draw_board}[game]
        whole = draw(round(max(size) * DPI / 25.4))
        ends = []
        for row in range(0, len(sheets), across):
            for column in range(across):
                part = sheets[row + column].pictures[0]
                above = [sheet.pictures[0].height - 10 for sheet in sheets[:row:across]]
                beside = [sheet.pictures[0].width - 10 for sheet in sheets[row : row + column]]
                x, y = sum(beside), sum(above)
                assert found_at_mm(part.picture, whole, size) == pytest.approx((x, y), abs=1)
                ends.append((x + part.width, y + part.height))
        assert max(ends) == pytest.approx(size, abs=1)

    def test_seams_run_along_streets(self, game, paper, count):
        sheets, across = parts_of_board(game, paper)
        board = own_edition(game).description.board
        for axis, row in ((0, sheets[:across]), (1, sheets[::across])):
            at = 0.0
            for sheet in row[:-1]:
                picture = sheet.pictures[0]
                at += (picture.width, picture.height)[axis] - 10
                streets = (at - board.first_cell_mm[axis]) / board.cell_mm[axis] - 0.5
                assert streets == pytest.approx(round(streets), abs=0.05)


class TestDiceBoard:
    @pytest.mark.parametrize("paper", Paper)
    def test_each_card_has_its_sight_behind_its_sign(self, paper):
        front, back = pages("dice-board", paper)[:2]
        faces = own_faces("dice-board")
        signs = [named(card, faces) for card in front.pictures]
        sights = [named_without_rim(card, faces) for card in back.pictures]
        behind = np.array([middle_of(card) for card in back.pictures])
        assert len(set(signs)) == 80
        for sign, card in zip(signs, front.pictures, strict=True):
            x, y = middle_of(card)
            away = np.hypot(*(behind - (front.width - x, y)).T)
            assert away.min() < 0.01
            assert sights[int(away.argmin())] == f"{sign}-sight"

    def test_cards_are_as_large_as_the_edition_says(self):
        edge = own_edition("dice-board").description.tile_mm
        front, back = pages("dice-board")[:2]
        for card in front.pictures:
            assert (card.width, card.height) == pytest.approx((edge, edge), abs=0.001)
        for card in back.pictures:
            assert (card.width, card.height) == pytest.approx((edge + 3, edge + 3), abs=0.001)

    def test_every_sheet_of_paper_has_two_sides_for_duplex(self):
        single, duplex = pages("dice-board"), pages("dice-board", choices=BACKS)
        assert len(single) == 2 + 4
        assert len(duplex) == 2 + 2 * 4
        assert [len(page.pictures) for page in duplex[2:]] == [1, 0] * 4
        assert all(not len(page.points) for page in duplex[3::2])


def named_without_rim(card, faces):
    """The face of a back that is printed 1.5 mm beyond each edge of its card."""
    rim = round(card.picture.shape[0] * 1.5 / card.width)
    seen = small(card.picture[rim:-rim, rim:-rim])
    return min(faces, key=lambda face: np.abs(faces[face] - seen).mean())


class TestCutMarks:
    @pytest.mark.parametrize("game", ["between-two-cities", "cities", "city-blocks", "dice-board"])
    def test_every_edge_of_every_piece_is_marked(self, game):
        page = pages(game)[0 if game != "city-blocks" else 2]
        upright = page.lines[np.isclose(page.lines[:, 0, 0], page.lines[:, 1, 0])][:, 0, 0]
        level = page.lines[np.isclose(page.lines[:, 0, 1], page.lines[:, 1, 1])][:, 0, 1]
        for piece in page.pictures:
            for x in (piece.left, piece.left + piece.width):
                assert np.abs(upright - x).min() < 0.01
            for y in (piece.top, piece.top + piece.height):
                assert np.abs(level - y).min() < 0.01

    def test_lines_lie_on_edges_alone(self):
        """None crosses a piece."""
        for game in ("between-two-cities", "cities", "dice-board"):
            page = pages(game)[0]
            for (x1, y1), (x2, y2) in page.lines:
                for piece in page.pictures:
                    across = max(x1, x2) > piece.left + 0.1 and (
                        min(x1, x2) < piece.left + piece.width - 0.1
                    )
                    down = max(y1, y2) > piece.top + 0.1 and (
                        min(y1, y2) < piece.top + piece.height - 0.1
                    )
                    assert not (across and down)


class TestCommand:
    def test_writes_the_file_and_says_how_many_pages(self, tmp_path, capsys):
        out = tmp_path / "tiles.pdf"
        given = options("between-two-cities", "--out", str(out), "--copies", "1")
        assert print_arguments.run(given) is ExitCode.DONE
        assert len(printed_pages(out.read_bytes())) == 1
        said = " ".join(capsys.readouterr().out.split())
        assert "1 page is in" in said
        assert "100 %" in said

    def test_a_file_that_is_there_is_replaced(self, tmp_path, capsys):
        out = tmp_path / "tiles.pdf"
        out.write_text("old")
        print_arguments.run(options("between-two-cities", "--out", str(out), "--copies", "1"))
        assert out.read_bytes().startswith(b"%PDF-")

    def test_an_unknown_game_gets_the_one_that_was_meant(self, tmp_path):
        out = tmp_path / "tiles.pdf"
        with pytest.raises(UsageError, match="did you mean city-blocks") as raised:
            print_arguments.run(options("city-block", "--out", str(out)))
        assert raised.value.code == "unknown-sheet"
        assert not out.exists()

    @pytest.mark.parametrize(
        ("arguments", "where"),
        [
            (("cities", "--copies", "3"), "--copies"),
            (("city-blocks", "--full"), "--full"),
            (("dice-board", "--sets", "2"), "--sets"),
            (("calibration", "--duplex"), "--duplex"),
            (("cities", "--sets", "0"), "--sets"),
            (("cities", "--sets", "5"), "--sets"),
            (("between-two-cities", "--copies", "-1"), "--copies"),
            (("between-two-cities", "--copies", "1000000"), "--copies"),
        ],
    )
    def test_choices_that_make_no_sense_are_refused(self, tmp_path, arguments, where):
        out = tmp_path / "sheets.pdf"
        with pytest.raises(UsageError) as raised:
            print_arguments.run(options(*arguments, "--out", str(out)))
        assert (raised.value.code, raised.value.where) == ("usage", where)
        assert not out.exists()

    def test_help_names_all_that_can_be_printed(self):
        parser = argparse.ArgumentParser()
        print_arguments.add_to(parser)
        for name in SHEETS:
            assert name in " ".join(parser.format_help().split())
            assert f"  {name} " in print_arguments.EPILOG

    def test_the_same_each_time(self):
        first, second = (sheet_pdf("between-two-cities", Paper.A4, dpi=15) for _ in range(2))
        assert first == second
