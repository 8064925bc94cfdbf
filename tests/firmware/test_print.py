"""The sheets to print have all pieces, true to size; PDFium reads them back."""

import ctypes
import os
import re
import zlib
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache, cached_property

import cv2
import numpy as np
import pypdfium2
import pytest
from pypdfium2 import raw

from firmware.base.errors import ExitCode
from firmware.base.language import LANGUAGES, use_language
from firmware.cli import main
from firmware.games.printed_sheets import printable_sheets, sheet_document
from firmware.games.registry import games
from firmware.printing.pdf_pages import Document, Paper
from firmware.printing.piece_sheets import draw_sheets
from firmware.printing.print_options import PrintOptions as Choices
from firmware.printing.svg import load_drawing
from scoring.faces import Face
from tests.firmware.commanded import command as run_command
from tests.refusals import refused
from tests.render_drawings import apart, longer_side_px, rendered
from vision.calibration import detect_sheet
from vision.calibration.sheet import BOARD_MM
from vision.editions.built_in import BUILT_IN_FOLDER, tile_picture
from vision.editions.folder import built_in_edition, built_in_games
from vision.photo.load import Photo

SIZES_MM = {Paper.A4: (210, 297), Paper.LETTER: (215.9, 279.4), Paper.A3: (297, 420)}
MM_PER_POINT = 25.4 / 72
MARGIN_MM = 8.0
PX_PER_MM = 2
ALIKE_PX = 24
MAX_ALL_OVER, MAX_SOMEWHERE = 4.0, 33.0
"""Levels between a drawing and its picture, whose edges are smoothed in another way: on average,
and in a square of a sixteenth of a tile, or of a hundredth of a board."""
SHEETS = printable_sheets()
GAMES = games()
NO_CHOICE = Choices()
FULL, BACKS = Choices(is_full=True), Choices(is_duplex=True)
EVERYTHING = [
    *((sheet, paper, NO_CHOICE) for sheet in SHEETS for paper in Paper),
    ("between-two-cities", Paper.A4, BACKS),
    ("between-two-cities", Paper.LETTER, FULL),
    ("dice-board", Paper.A4, BACKS),
]
TAVERNS = ("tavern-food", "tavern-bed", "tavern-music", "tavern-drink")


@dataclass(frozen=True)
class PrintedPage:
    """A page; all in millimetres from its top left corner."""

    page: pypdfium2.PdfPage

    @property
    def size(self):
        return np.array(self.page.get_size()) * MM_PER_POINT

    @property
    def text(self):
        return " ".join(self.page.get_textpage().get_text_range().split())

    @cached_property
    def drawings(self):
        """Return the origin of each drawing and the millimetres of its unit, (n, 3)."""
        matrices = [each.get_matrix() for each in self._objects(raw.FPDF_PAGEOBJ_FORM)]
        placed = np.array([(m.e, m.f, m.a) for m in matrices]).reshape(-1, 3) * MM_PER_POINT
        placed[:, 1] = self.size[1] - placed[:, 1]
        return placed

    @cached_property
    def lines(self):
        """The ends of all lines, (n, 2, 2)."""
        return np.array([path for path in self._paths if len(path) == 2]).reshape(-1, 2, 2)

    @cached_property
    def boxes(self):
        """Left, top, width and height of the parts of all filled shapes, (n, 4)."""
        parts = [path.reshape(-1, 5, 2) for path in self._paths if len(path) % 5 == 0]
        corners = np.concatenate([np.empty((0, 5, 2)), *parts])
        return np.hstack([corners.min(axis=1), np.ptp(corners, axis=1)])

    def picture(self, px_per_mm):
        """The page as it looks, BGR."""
        return self.page.render(scale=px_per_mm * MM_PER_POINT).to_numpy()

    @cached_property
    def _paths(self):
        """The points of each path; those of rectangles five by five."""
        return [self._points(path) for path in self._objects(raw.FPDF_PAGEOBJ_PATH)]

    def _objects(self, kind):
        return [each for each in self.page.get_objects(max_depth=1) if each.type == kind]

    def _points(self, path):
        points, x, y = [], ctypes.c_float(), ctypes.c_float()
        for number in range(raw.FPDFPath_CountSegments(path)):
            segment = raw.FPDFPath_GetPathSegment(path, number)
            raw.FPDFPathSegment_GetPoint(segment, x, y)
            points.append((x.value, y.value))
        return np.abs(np.array(points) * MM_PER_POINT - (0, self.size[1]))


@pytest.fixture(autouse=True, scope="module")
def _streams_are_compressed_once():
    """Keep compressed streams: the same drawings are in the files of every paper and choice."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zlib, "compress", cache(zlib.compress))
        yield


def printed_pages(pdf):
    """All pages in their order."""
    return [PrintedPage(page) for page in pypdfium2.PdfDocument(pdf)]


@cache
def sheet_pdf(name, paper=Paper.A4, choices=NO_CHOICE):
    return sheet_document(name, paper, choices).pdf()


@cache
def pages(sheet, paper=Paper.A4, choices=NO_CHOICE):
    return printed_pages(sheet_pdf(sheet, paper, choices))


@cache
def seen(page):
    return page.picture(PX_PER_MM)


def small(picture):
    return cv2.resize(picture, (ALIKE_PX, ALIKE_PX), interpolation=cv2.INTER_AREA)


@cache
def faces_of(game):
    if game == "between-two-cities":
        faces = {face.value: tile_picture(face, 96) for face in Face}
        return {
            name: small(each) for name, each in {**faces, "back": tile_picture("back", 96)}.items()
        }
    return {name: small(images[0]) for name, images in built_in_edition(game).pictures.items()}


def tile_mm(game):
    return 45 if game == "between-two-cities" else built_in_edition(game).description.tile_mm


def places(page, game):
    """Left, top, right and bottom of each tile, whose drawing is 100 units wide."""
    corners, edges = page.drawings[:, :2], page.drawings[:, 2:] * 100
    np.testing.assert_allclose(edges, tile_mm(game), atol=0.001)
    return np.hstack([corners, corners + edges])


def names(page, game):
    """The face that each printed tile looks most like."""
    faces, found = faces_of(game), []
    for left, top, right, bottom in np.rint(places(page, game) * PX_PER_MM).astype(int):
        tile = small(seen(page)[top:bottom, left:right])
        found.append(min(faces, key=lambda face: cv2.norm(faces[face], tile, cv2.NORM_L1)))
    return found


def counted(sheets, game):
    return Counter(name for page in sheets for name in names(page, game))


def mirrored(page, game):
    """The places of the tiles as they lie on the other side of the paper."""
    left, top, right, bottom = places(page, game).T
    return np.stack([page.size[0] - right, top, page.size[0] - left, bottom], axis=1)


def steps(places_mm, atol=0.01):
    """The distances between the different ones of some places."""
    ordered = np.sort(places_mm)
    distances = np.diff(ordered)
    return distances[distances > atol]


def upright(lines):
    return lines[np.isclose(lines[:, 0, 0], lines[:, 1, 0])]


def level(lines):
    return lines[np.isclose(lines[:, 0, 1], lines[:, 1, 1])]


def rulers_mm(page):
    """For each ruler, from the top, where its lines lie from its first one."""
    lines = page.boxes[np.isclose(page.boxes[:, 2], 0.15, atol=0.001) & (page.boxes[:, 3] > 1)]
    tops = lines[:, 1].round(1)
    rulers = [np.sort(lines[tops == top, 0]) for top in sorted(set(tops))]
    return [places_mm - places_mm[0] for places_mm in rulers]


def command(tmp_path, *arguments):
    """``stadtblick print``; gives the file that was written."""
    out = tmp_path / "new" / "sheet.pdf"
    assert run_command("print", *arguments, "--out", out) is ExitCode.DONE
    return out


class TestEveryPage:
    @pytest.mark.parametrize(("sheet", "paper", "choices"), EVERYTHING)
    def test_page_has_its_paper_margins_and_ruler(self, sheet, paper, choices):
        for page in pages(sheet, paper, choices):
            assert sorted(page.size) == pytest.approx(SIZES_MM[paper], abs=0.01)
            inside = np.zeros(seen(page).shape[:2], bool)
            rim = round(MARGIN_MM * PX_PER_MM) - 1
            inside[rim:-rim, rim:-rim] = True
            assert (seen(page)[~inside] == 255).all()
            if page.text:
                length = 150 if sheet == "calibration" else 80
                np.testing.assert_allclose(rulers_mm(page)[0], np.arange(length + 1), atol=0.001)

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("game", [name for name, game in GAMES.items() if game.print_help])
    def test_has_room_for_its_texts_in_every_language(self, game, language):
        use_language(language)
        for paper in Paper:
            sheets = GAMES[game].printed_sheets(paper.size_mm, NO_CHOICE)
            texts = [replace(sheet, draw=lambda page: None) for sheet in sheets]
            for page in printed_pages(draw_sheets("", texts).pdf()):
                below = page.picture(PX_PER_MM)[-round(MARGIN_MM * PX_PER_MM) + 1 :]
                assert (below == 255).all()

    @pytest.mark.parametrize("paper", Paper)
    @pytest.mark.parametrize(
        ("game", "part"),
        [
            ("between-two-cities", slice(None)),
            ("cities", slice(-1)),
            ("city-blocks", slice(-1, None)),
            ("dice-board", slice(1)),
        ],
    )
    def test_marks_every_edge_of_every_tile_and_crosses_none(self, game, part, paper):
        for page in pages(game, paper)[part]:
            low, high = page.lines.min(axis=1), page.lines.max(axis=1)
            for left, top, right, bottom in places(page, game):
                for x in (left, right):
                    assert np.abs(upright(page.lines)[:, 0, 0] - x).min() < 0.01
                for y in (top, bottom):
                    assert np.abs(level(page.lines)[:, 0, 1] - y).min() < 0.01
                inside = (high > (left + 0.1, top + 0.1)) & (low < (right - 0.1, bottom - 0.1))
                assert not inside.all(axis=1).any()


class TestFile:
    @pytest.mark.parametrize("sheet", SHEETS)
    def test_is_the_same_each_time_and_asks_readers_not_to_scale(self, sheet):
        pdf = sheet_pdf(sheet)
        assert sheet_document(sheet, Paper.A4).pdf() == pdf
        assert re.search(rb"/PrintScaling\s*/None", pdf)
        assert b"/UserUnit" not in pdf

    def test_has_each_drawing_once(self):
        pdf = sheet_pdf("between-two-cities")
        assert pdf.count(b"/Subtype /Form") == len(Face)
        assert b"/Subtype /Image" not in pdf

    @pytest.mark.parametrize("letters", ["őűŐŰ", "äöüÄÖÜß", "áéíóú", "„“×%"])
    def test_has_a_font_with_the_letters_of_all_languages(self, letters):
        document = Document("letters")
        document.new_page(Paper.A4.size_mm).write(letters, 20, 20, size=10)
        pdf = document.pdf()
        assert b"/FontFile2" in pdf
        (page,) = printed_pages(pdf)
        assert page.text == letters


class TestBetweenTwoCities:
    @pytest.mark.parametrize(
        ("choices", "copies", "count"), [(NO_CHOICE, 6, 3), (Choices(copies=2), 2, 1)]
    )
    def test_chosen_number_of_each_face_or_enough_for_three_cities(self, choices, copies, count):
        sheets = pages("between-two-cities", choices=choices)
        assert counted(sheets, "between-two-cities") == dict.fromkeys(Face, copies)
        assert len(sheets) == count

    def test_a_full_box_has_108_singles_and_48_halves(self):
        sheets = pages("between-two-cities", Paper.LETTER, FULL)
        singles, halves = (counted(part, "between-two-cities") for part in (sheets[:6], sheets[6:]))
        assert singles == {
            "shop": 16, "factory": 16, "office": 20, "park": 16, "house": 20,
            **dict.fromkeys(TAVERNS, 5),
        }  # fmt: skip
        assert halves == {face: 2 if face in TAVERNS else 8 for face in Face}

    def test_backs_lie_behind_their_fronts(self):
        sheets = pages("between-two-cities", choices=BACKS)
        for front, back in zip(sheets[::2], sheets[1::2], strict=True):
            assert "back" not in names(front, "between-two-cities")
            assert set(names(back, "between-two-cities")) == {"back"}
            behind = sorted(mirrored(back, "between-two-cities").round(2).tolist())
            fronts = sorted(places(front, "between-two-cities").round(2).tolist())
            np.testing.assert_allclose(behind, fronts, atol=0.011)


class TestCities:
    @pytest.mark.parametrize(("choices", "sets"), [(Choices(sets=1), 1), (NO_CHOICE, 2)])
    def test_each_set_has_each_tile_once(self, choices, sets):
        *tiles, _tourists = pages("cities", choices=choices)
        assert len(tiles) == 2 * sets
        for first, second in zip(tiles[::2], tiles[1::2], strict=True):
            assert counted([first, second], "cities") == dict.fromkeys(faces_of("cities"), 1)

    def test_seven_tourists_and_discs_of_each_colour(self):
        page = pages("cities")[-1]
        strips, discs = page.drawings[:28], page.drawings[28:]
        assert len(discs) == 28
        for number, token in enumerate(built_in_edition("cities").description.tokens):
            for x, y, _scale in strips[7 * number : 7 * number + 7]:
                foot = round((y + 1) * PX_PER_MM), round((x + 6.5) * PX_PER_MM)
                assert seen(page)[foot].tolist() == list(token.colour_bgr)
            for x, y, _scale in discs[7 * number : 7 * number + 7]:
                middle = round((y + 6.5) * PX_PER_MM), round((x + 6.5) * PX_PER_MM)
                assert seen(page)[middle].tolist() == list(token.colour_bgr)
        token = built_in_edition("cities").description.tokens[0]
        cuts = upright(page.lines)[:, 0, 0]
        np.testing.assert_allclose(steps(cuts), token.foot_mm, atol=0.01)
        folds = level(page.lines)
        on_first = folds[np.isclose(folds[:, 0, 0], cuts.min(), atol=0.01), 0, 1]
        tall = np.isclose(steps(on_first), token.height_mm, atol=0.01)
        assert tall.sum() == 4  # front and back in two rows


class TestCityBlocks:
    def test_all_buildings_and_value_tiles(self):
        found = counted(pages("city-blocks")[2:], "city-blocks")
        schools = ("blue-school", "red-school")
        assert found == {name: 1 + (name in schools) for name in faces_of("city-blocks")}
        assert found.total() == 40 + 15
        board, *tiles = pages("city-blocks", Paper.A3)
        assert len(tiles) == 1
        assert "part" not in board.text


BOARDS = [
    ("city-blocks", Paper.A4, 1, 2),
    ("city-blocks", Paper.LETTER, 2, 2),
    ("city-blocks", Paper.A3, 1, 1),
    ("dice-board", Paper.A4, 2, 2),
    ("dice-board", Paper.LETTER, 2, 2),
    ("dice-board", Paper.A3, 2, 1),  # sideways
]


def shown_part(page):
    """Left, top, right and bottom of what the corner marks of a part of a board enclose."""
    x, y = upright(page.lines)[:, 0, 0], level(page.lines)[:, 0, 1]
    return x.min(), y.min(), x.max(), y.max()


@pytest.mark.parametrize(("game", "paper", "across", "down"), BOARDS)
class TestBoardInParts:
    def parts(self, game, paper, count):
        before = 2 if game == "dice-board" else 0
        sheets = pages(game, paper)[before : before + count]
        assert all(len(page.drawings) == 1 for page in sheets)
        return sheets

    def test_the_parts_laid_onto_their_flaps_make_the_board(self, game, paper, across, down):
        edition = built_in_edition(game)
        size = np.array(edition.description.board.size_mm)
        shape = np.rint(size * PX_PER_MM).astype(int)
        laid, y = np.zeros((shape[1], shape[0], 3), np.uint8), 0.0
        sheets = self.parts(game, paper, across * down)
        for row in range(down):
            x = 0.0
            for page in sheets[row * across : (row + 1) * across]:
                left, top, right, bottom = shown_part(page)
                np.testing.assert_allclose(page.drawings[0], (left - x, top - y, 1), atol=0.01)
                part = seen(page)[round(top * PX_PER_MM) :, round(left * PX_PER_MM) :]
                part = part[
                    : round((bottom - top) * PX_PER_MM), : round((right - left) * PX_PER_MM)
                ]
                over = laid[round(y * PX_PER_MM) :, round(x * PX_PER_MM) :]
                over[: part.shape[0], : part.shape[1]] = part[: over.shape[0], : over.shape[1]]
                x += right - left - 10
            y += bottom - top - 10
        assert (x + 10, y + 10) == pytest.approx(tuple(size), abs=0.02)
        whole = cv2.resize(edition.board_picture, tuple(shape), interpolation=cv2.INTER_AREA)
        assert np.abs(cv2.blur(laid, (5, 5)).astype(float) - cv2.blur(whole, (5, 5))).mean() < 8

    def test_seams_run_along_streets_and_are_named_alike_on_both_sides(
        self, game, paper, across, down
    ):
        sheets, board = (
            self.parts(game, paper, across * down),
            built_in_edition(game).description.board,
        )
        letters = Counter()
        for page in sheets:
            _left, _top, right, bottom = shown_part(page)
            for axis, far, is_last in ((0, right, across == 1), (1, bottom, down == 1)):
                at = far - page.drawings[0, axis] - 10
                if not is_last and at < board.size_mm[axis] - 10.01:
                    streets = (at - board.first_cell_mm[axis]) / board.cell_mm[axis] - 0.5
                    assert streets == pytest.approx(round(streets), abs=0.01)
            letters.update(re.findall(r"\b[A-D]\b", page.text))
        seams = (across - 1) * down + (down - 1) * across
        # Of each seam two ends on each of two parts
        assert letters == dict.fromkeys("ABCD"[:seams], 4)


class TestDiceBoard:
    @pytest.mark.parametrize("paper", Paper)
    def test_each_card_has_its_sight_behind_its_sign(self, paper):
        front, back = pages("dice-board", paper)[:2]
        signs, sights = (names(page, "dice-board") for page in (front, back))
        assert len(set(signs)) == 80
        assert sights == [f"{sign}-sight" for sign in signs]
        behind = mirrored(back, "dice-board")
        np.testing.assert_allclose(behind, places(front, "dice-board"), atol=0.01)

    def test_backs_run_over_the_edges_of_their_cards_until_they_meet(self):
        back = pages("dice-board")[1]
        cards = places(back, "dice-board")
        (left, top), (right, bottom) = cards.min(axis=0)[:2] - 1.2, cards.max(axis=0)[2:] + 1.2
        rows, columns = (
            slice(round(near * PX_PER_MM), round(far * PX_PER_MM))
            for near, far in ((top, bottom), (left, right))
        )
        assert (seen(back)[rows, columns] < 255).any(axis=2).mean() > 0.99
        single, duplex = pages("dice-board"), pages("dice-board", choices=BACKS)
        assert len(single) == 2 + 4
        assert [len(page.drawings) for page in duplex] == [80, 80, *[1, 0] * 4]
        assert all((seen(page) == 255).all() for page in duplex[3::2])


@pytest.mark.parametrize("paper", Paper)
class TestCalibrationSheet:
    def test_squares_and_rulers_are_true_to_size(self, paper):
        (page,) = pages("calibration", paper)
        squares = np.isclose(page.boxes[:, 2:], 24, atol=0.001).all(axis=1)
        assert squares.sum() == 32  # the black ones of 7 x 9
        in_inches = rulers_mm(page)[1:]
        assert len(in_inches) == (1 if paper is Paper.LETTER else 0)
        for ruler in in_inches:
            np.testing.assert_allclose(ruler, np.arange(49) * 25.4 / 8, atol=0.001)

    def test_the_eye_finds_it_at_its_true_size(self, paper):
        (page,) = pages("calibration", paper)
        image = np.ascontiguousarray(page.picture(10))
        view = detect_sheet(Photo(image, "sheet", (image.shape[1], image.shape[0])))
        assert len(view.corners_px) == 48
        offset = (view.corners_px + 0.5) / 10 - view.corners_mm
        # Little more than half a pixel of this picture
        np.testing.assert_allclose(offset, np.broadcast_to(offset.mean(axis=0), (48, 2)), atol=0.06)
        assert offset[:, 0].mean() == pytest.approx((page.size[0] - BOARD_MM[0]) / 2, abs=0.06)


class TestCommand:
    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (("calibration", "--paper", "letter"), "The sheet is in"),
            (("between-two-cities", "--copies", "1"), "1 page is in"),
            (("city-blocks", "--paper", "a3"), "2 pages are in"),
        ],
    )
    def test_writes_or_replaces_the_file_and_says_how_to_print(
        self, tmp_path, capsys, arguments, expected
    ):
        for _time in range(2):
            out = command(tmp_path, *arguments)
            page = printed_pages(out.read_bytes())[0]
            paper = Paper(arguments[2]) if arguments[1] == "--paper" else Paper.A4
            assert sorted(page.size) == pytest.approx(SIZES_MM[paper], abs=0.01)
            text = " ".join(capsys.readouterr().out.split())
            assert all(words in text for words in (expected, "100%", "ruler"))
            out.write_text("old")

    @pytest.mark.parametrize(
        ("arguments", "code", "where", "expected"),
        [
            (("poster",), "unknown-sheet", "WHAT", "known are calibration"),
            (("city-block",), "unknown-sheet", "WHAT", "did you mean city-blocks"),
            *[
                ((sheet, *words), "usage", words[0], f"{words[0]} is for ")
                for sheet, *words in (
                    ("cities", "--copies", "3"),
                    ("city-blocks", "--full"),
                    ("dice-board", "--sets", "2"),
                    ("calibration", "--duplex"),
                )
            ],
            *[
                ((sheet, *words), "usage", words[0], f"{words[1]} is too few or too many")
                for sheet, *words in (
                    ("cities", "--sets", "0"),
                    ("cities", "--sets", "5"),
                    ("between-two-cities", "--copies", "-1"),
                    ("between-two-cities", "--copies", "1000000"),
                )
            ],
        ],
    )
    def test_senseless_options_are_refused(self, tmp_path, arguments, code, where, expected):
        with refused(code, expected) as caught:
            command(tmp_path, *arguments)
        assert caught.value.where == where
        assert list(tmp_path.iterdir()) == []

    def test_a_place_that_cannot_be_written(self, tmp_path, capsys):
        with refused("file-not-writable", "--out"):
            run_command("print", "calibration", "--out", tmp_path)
        assert list(tmp_path.iterdir()) == []
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        with refused("file-not-writable", "a device or pipe"):
            run_command("print", "calibration", "--out", pipe)
        assert pipe.is_fifo()
        assert main(["print", "--help"]) == 0
        text = capsys.readouterr().out
        assert all(f"stadtblick print {name} " in text for name in SHEETS)


# Here, as the drawings that sheets are made of need not be parsed again


@pytest.mark.parametrize("game", built_in_games())
def test_each_face_board_and_figure_has_a_drawing_of_its_true_size(game):
    description, folder = built_in_edition(game).description, BUILT_IN_FOLDER / game
    sizes = {face.name: (description.tile_mm,) * 2 for face in description.faces}
    if description.board is not None:
        sizes["board"] = description.board.size_mm
    for token in description.tokens:
        sizes[token.kind] = token.foot_mm, token.foot_mm + 2 * token.height_mm
        sizes[f"{token.kind}-disc"] = token.foot_mm, token.foot_mm
    assert {file.stem for file in folder.glob("*.svg")} - {"back"} == sizes.keys()
    for name, size_mm in sizes.items():
        assert load_drawing(folder / f"{name}.svg").size_mm == pytest.approx(size_mm), name


@pytest.mark.parametrize("game", built_in_games())
def test_each_picture_shows_what_its_drawing_shows(game):
    for picture in sorted((BUILT_IN_FOLDER / game).glob("*.png")):
        known = cv2.imread(str(picture))
        is_board = picture.stem == "board"
        # A board drawn as fine as its picture was takes seconds, and differs as little
        finer = 2 if is_board else 4
        drawn = rendered(picture.with_suffix(".svg"), max(known.shape[:2]), finer)
        assert drawn.shape == known.shape, picture
        assert max(known.shape) == longer_side_px(picture), picture
        all_over, somewhere = apart(drawn, known, 100 if is_board else 16)
        assert all_over < MAX_ALL_OVER, picture
        assert somewhere < MAX_SOMEWHERE, picture
