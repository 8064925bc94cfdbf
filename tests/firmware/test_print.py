"""The sheets to print are true to scale; the PDF is read back without the code that wrote it."""

import argparse
import re

import numpy as np
import pytest

from firmware.commands import print_arguments
from firmware.errors import ExitCode, OutputError, UsageError
from firmware.language import LANGUAGES, SOURCE_LANGUAGE, use_language
from firmware.printing import sheet_pdf
from firmware.printing.document import Document
from firmware.printing.page import Paper
from vision.calibration import detect_sheet
from vision.calibration.sheet import BOARD_MM
from vision.photo import Photo

MM_PER_POINT = 25.4 / 72
PX_PER_MM = 8
SIZES_MM = {Paper.A4: (210, 297), Paper.LETTER: (215.9, 279.4), Paper.A3: (297, 420)}
RECTANGLE = re.compile(rb"([\d.-]+) ([\d.-]+) ([\d.-]+) ([\d.-]+) re\b")
MOVES = re.compile(rb"^(?!1 0 0 1 0 0 cm)[\d. -]+ cm\b", re.MULTILINE)


def page_size_mm(pdf):
    left, bottom, right, top = map(float, re.search(rb"/MediaBox \[([^]]*)\]", pdf)[1].split())
    return (right - left) * MM_PER_POINT, (top - bottom) * MM_PER_POINT


def rectangles_mm(pdf):
    """Left, bottom, width and height of each filled rectangle, from the bottom left of the page."""
    found = [[float(number) for number in match] for match in RECTANGLE.findall(pdf)]
    return np.array(found) * MM_PER_POINT


def rulers_mm(pdf):
    """For each ruler, from the top, where its lines lie from its first one."""
    lines = rectangles_mm(pdf)
    upright = lines[np.isclose(lines[:, 2], 0.15) & (lines[:, 3] > 1)]
    tops = np.round(upright[:, 1] + upright[:, 3], 3)
    places = [np.sort(upright[tops == top, 0]) for top in sorted(set(tops), reverse=True)]
    return [each - each[0] for each in places]


def drawn(pdf):
    """The page as a picture, y down; no text."""
    width, height = page_size_mm(pdf)
    picture = np.full((round(height * PX_PER_MM), round(width * PX_PER_MM)), 255, np.uint8)
    for left, bottom, across, up in rectangles_mm(pdf):
        x = np.rint(np.array([left, left + across]) * PX_PER_MM).astype(int)
        y = np.rint((height - np.array([bottom + up, bottom])) * PX_PER_MM).astype(int)
        picture[y[0] : y[1], x[0] : x[1]] = 0
    return picture


def options(*arguments):
    parser = argparse.ArgumentParser()
    print_arguments.add_to(parser)
    return parser.parse_args(arguments)


@pytest.fixture(params=list(Paper))
def paper(request):
    return request.param


@pytest.fixture
def pdf(paper):
    return sheet_pdf("calibration", paper)


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    use_language(SOURCE_LANGUAGE)


class TestScale:
    def test_page(self, paper, pdf):
        expected = SIZES_MM[paper]
        assert page_size_mm(pdf) == pytest.approx(expected, abs=0.01)

    def test_nothing_else_scales_or_moves_the_drawing(self, pdf):
        assert MOVES.findall(pdf) == []
        assert b"/UserUnit" not in pdf

    def test_squares(self, pdf):
        sides = rectangles_mm(pdf)[:, 2:]
        squares = sides[np.isclose(sides, 24, atol=0.001).all(axis=1)]
        # Of 7 x 9 squares, 32 are black
        assert len(squares) == 32

    def test_readers_are_asked_not_to_scale(self, pdf):
        assert re.search(rb"/PrintScaling\s*/None", pdf)

    def test_ruler_in_mm(self, pdf):
        np.testing.assert_allclose(rulers_mm(pdf)[0], np.arange(151), atol=0.001)

    def test_ruler_in_inches_on_letter_alone(self, paper, pdf):
        further = rulers_mm(pdf)[1:]
        assert len(further) == (1 if paper is Paper.LETTER else 0)
        for ruler in further:
            np.testing.assert_allclose(ruler, np.arange(49) * 25.4 / 8, atol=0.001)

    def test_everything_is_on_the_printable_part(self, pdf):
        width, height = page_size_mm(pdf)
        left, bottom, across, up = rectangles_mm(pdf).T
        assert left.min() > 10
        assert bottom.min() > 10
        assert (left + across).max() < width - 10
        assert (bottom + up).max() < height - 10


def test_the_eye_finds_the_drawn_sheet_at_its_true_size(paper, pdf):
    picture = drawn(pdf)
    image = np.repeat(picture[..., np.newaxis], 3, axis=2)
    view = detect_sheet(Photo(image, "sheet", (image.shape[1], image.shape[0])))
    assert len(view.corners_px) == 48
    found_mm = (view.corners_px + 0.5) / PX_PER_MM
    offset = found_mm - view.corners_mm
    # Less than half a pixel of this drawing
    np.testing.assert_allclose(offset, np.broadcast_to(offset.mean(axis=0), (48, 2)), atol=0.06)
    assert offset[:, 0].mean() == pytest.approx((page_size_mm(pdf)[0] - BOARD_MM[0]) / 2, abs=0.06)


class TestFile:
    def test_the_same_each_time(self, paper, pdf):
        assert sheet_pdf("calibration", paper) == pdf

    def test_the_font_is_embedded(self, pdf):
        assert b"/FontFile2" in pdf
        assert b"DejaVuSans" in pdf

    @pytest.mark.parametrize("letters", ["őűŐŰ", "äöüÄÖÜß", "áéíóú", "„“×%"])
    def test_the_font_has_the_letters_of_all_languages(self, letters):
        document = Document("letters")
        document.new_page(Paper.A4.size_mm).write(letters, 20, 20, size=10)
        mapped = document.pdf().decode("latin-1")
        for letter in letters:
            assert f"<{ord(letter):04X}>" in mapped

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_language(self, language):
        use_language(language)
        assert sheet_pdf("calibration", Paper.A4).startswith(b"%PDF-")


class TestCommand:
    def test_writes_the_file_and_says_how_to_print(self, tmp_path, capsys):
        out = tmp_path / "new" / "sheet.pdf"
        code = print_arguments.run(options("calibration", "--out", str(out)))
        assert code is ExitCode.DONE
        assert out.read_bytes() == sheet_pdf("calibration", Paper.A4)
        said = " ".join(capsys.readouterr().out.split())
        assert "100 %" in said
        assert "ruler" in said

    def test_letter(self, tmp_path, capsys):
        out = tmp_path / "sheet.pdf"
        print_arguments.run(options("calibration", "--out", str(out), "--paper", "letter"))
        assert page_size_mm(out.read_bytes()) == pytest.approx((215.9, 279.4), abs=0.01)

    def test_an_unknown_sheet_is_refused_with_the_known_ones(self, tmp_path):
        out = tmp_path / "sheet.pdf"
        with pytest.raises(UsageError, match="known are calibration") as raised:
            print_arguments.run(options("poster", "--out", str(out)))
        assert raised.value.code == "unknown-sheet"
        assert not out.exists()

    def test_a_place_that_cannot_be_written(self, tmp_path):
        with pytest.raises(OutputError, match="--out") as raised:
            print_arguments.run(options("calibration", "--out", str(tmp_path)))
        assert raised.value.code == "file-not-writable"
        assert list(tmp_path.iterdir()) == []
