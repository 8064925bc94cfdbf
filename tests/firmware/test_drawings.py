"""The drawings of the own editions: SVG files, what sheets show of them, and their pictures."""

import cv2
import pytest

from firmware.printing.svg import DrawingError, load_drawing
from tests import render_drawings
from tests.render_drawings import apart, rendered
from vision.editions.built_in import BUILT_IN_FOLDER
from vision.editions.folder import built_in_edition

PICTURES = sorted(BUILT_IN_FOLDER.glob("*/*.png"))


def written(folder, body, head='width="10mm" height="10mm" viewBox="0 0 40 40"'):
    file = folder / f"{len(list(folder.iterdir()))}.svg"
    file.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" {head}>{body}</svg>')
    return file


def test_each_drawing_but_the_figures_has_a_picture():
    drawings = {file for file in BUILT_IN_FOLDER.glob("*/*.svg") if "tourist" not in file.name}
    assert {picture.with_suffix(".svg") for picture in PICTURES} == drawings


@pytest.mark.parametrize(
    "token", built_in_edition("cities").description.tokens, ids=lambda t: t.kind
)
def test_figures_and_discs_have_the_colour_that_the_eye_looks_for(token):
    strip, disc = (
        rendered(BUILT_IN_FOLDER / "cities" / f"{token.kind}{what}.svg", 106)
        for what in ("", "-disc")
    )
    assert strip[53, 13].tolist() == disc[53, 53].tolist() == list(token.colour_bgr)


WAYS = [
    ('<circle cx="20" cy="18" r="9"/>', '<ellipse cx="20" cy="18" rx="9" ry="9"/>'),
    ('<circle cx="20" cy="18" r="9"/>', '<path d="M11 18a9 9 0 0 1 18 0A9 9 0 1 1 11 18"/>'),
    ('<rect x="4" y="6" width="20" height="9"/>', '<path d="M4,6H24V15h-20Z"/>'),
    (
        '<rect x="4" y="6" width="20" height="18" rx="5"/>',
        '<path d="M9 6h10a5 5 0 0 1 5 5v8a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5v-8a5 5 0 0 1 5-5z"/>',
    ),
    ('<path d="M4 4q16 0 16 16z"/>', '<path d="M4 4c10.6667 0 16 5.3333 16 16z"/>'),
    (
        '<ellipse cx="20" cy="20" rx="12" ry="5" transform="rotate(90 20 20)"/>',
        '<ellipse cx="20" cy="20" rx="5" ry="12"/>',
    ),
    (
        '<g transform="translate(10 4) scale(2)"><path d="M0 0h5v5h-5z"/></g>',
        '<path d="M0 0h5v5h-5z" transform="matrix(2 0 0 2 10 4)"/>',
    ),
    (
        '<g fill="#f00"><path d="M4 4h9v9h-9z"/></g>',
        '<path d="M4 4h9v9h-9z" style="fill:#ff0000; stroke:none"/>',
    ),
    (
        '<path d="M4 9h18" stroke="#00f" stroke-width="6"/>',
        '<path d="M4 6h18v6h-18z" fill="#0000ff"/>',
    ),
    (
        '<path d="M10 9h18" stroke="#00f" stroke-width="6" stroke-linecap="round"/>',
        '<rect x="7" y="6" width="24" height="6" rx="3" fill="#00f"/>',
    ),
    (
        '<path d="M4 4h20v20h-20zM9 9h10v10h-10z" fill-rule="evenodd"/>',
        '<path d="M4 4h20v20h-20z"/><path d="M9 9h10v10h-10z" fill="white"/>',
    ),
    (
        '<defs><clipPath id="left"><path d="M0 0h12v40h-12z"/></clipPath></defs>'
        '<g clip-path="url(#left)"><path d="M4 4h20v20h-20z"/></g><path d="M30 30h4v4h-4z"/>',
        '<path d="M4 4h8v20h-8z"/><path d="M30 30h4v4h-4z"/>',
    ),
    (
        '<g style="fill:#f00;stroke:none;stroke-opacity:1;stroke-dasharray:none;opacity:1" '
        'xmlns:x="http://program" x:label="house"><x:view/><path d="m 4,4 h 9 v 9 h -9 z"/></g>',
        '<path d="M4 4h9v9h-9z" fill="#f00"/>',
    ),
    ('<title>one</title><desc/><path d="M4 4h9v9h-9z"/>', '<path d="M4 4h9v9h-9z"/>'),
]


@pytest.mark.parametrize(("one", "other"), WAYS)
def test_ways_to_say_the_same_look_the_same(tmp_path, one, other):
    first, second = (rendered(written(tmp_path, body), 160) for body in (one, other))
    assert first.min() < 10, "nothing is drawn"
    assert apart(first, second, 40)[1] < 10


def test_drawing_is_cut_at_its_edge(tmp_path):
    file = written(tmp_path, '<path d="M-40-40h200v200h-200z" fill="#0f0"/>')
    assert (rendered(file, 40) == (0, 255, 0)).all()


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("<text>7</text>", "<text>"),
        ('<use href="#house"/>', "<use>"),
        ('<path d="M0 0h9v9z" opacity=".5"/>', "opacity"),
        ('<path d="M0 0h9v9z" style="filter:url(#blur)"/>', "filter"),
        ('<path d="M0 0h9v9z" fill="url(#sky)"/>', "colour"),
        ('<path d="M0 0h9v9z" fill="tomato"/>', "tomato"),
        ('<path d="M0 0h9v9z" transform="skewX(20)"/>', "skewX"),
        ('<path d="M0 0h9v9z" clip-path="url(#gone)"/>', "gone"),
        ('<rect width="50%" height="9"/>', "50%"),
    ],
)
def test_unknown_drawing_element_is_refused_by_name(tmp_path, body, what):
    file = written(tmp_path, body)
    with pytest.raises(DrawingError, match=what) as raised:
        load_drawing(file)
    assert str(file) in str(raised.value)


@pytest.mark.parametrize(
    ("body", "head", "what"),
    [
        ("<g>", None, "mismatched tag"),
        ("", 'viewBox="0 0 9 9"', "not understood"),
        ("", 'width="9" height="9" viewBox="0 0 9 9"', "not understood"),
    ],
)
def test_no_xml_and_no_size_in_millimetres_are_refused(tmp_path, body, head, what):
    with pytest.raises(DrawingError, match=what):
        load_drawing(written(tmp_path, body, head) if head else written(tmp_path, body))


def test_the_picture_of_a_changed_drawing_is_written_beside_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(render_drawings, "BUILT_IN_FOLDER", tmp_path)
    (tmp_path / "cities").mkdir()
    file = written(tmp_path / "cities", '<path d="M0 0h40v40h-40z" fill="#f00"/>')
    monkeypatch.setattr("sys.argv", ["render_drawings", "cities", file.stem, "tile-99"])
    with pytest.raises(SystemExit):
        render_drawings.main()
    assert "tile-99.svg" in capsys.readouterr().err
    picture = cv2.imread(str(file.with_suffix(".png")))
    assert picture.shape == (192, 192, 3)
    assert (picture == (0, 0, 255)).all()
