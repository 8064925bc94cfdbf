"""What the eye says is shown in the user's language, and stays as it is for programs."""

import re

import numpy as np
import pytest

from firmware.board_games.scan import NO_BOARD, NO_GRID
from firmware.eye_words import in_own_words
from firmware.language import SOURCE_LANGUAGE, use_language
from firmware.owners import OWNERS_ASSUMED, OWNERS_NOT_SHOWN
from firmware.scan import NO_CITY
from tests.firmware.fake_eye import EXAMPLE, FakeEye
from tests.firmware.scanning import scan, scanned_json
from vision.boards.grid_reading import UNPLACED, UNREADABLE
from vision.calibrated import CAMERA_MOVED, OTHER_SIZE, WRONG_SIZE, load_eye
from vision.city_reading import Doubt
from vision.exposure import LIGHT_HIDES, MUCH_LIGHT
from vision.photo import Photo
from vision.photo_edges import overrun_note
from vision.search import PATTERN
from vision.usable import doubts_of_photo, remedy

WHOLE = np.array([[0, 0], [200, 0], [200, 200], [0, 200]], np.float32)
SEEN_DOUBTS = (Doubt.NO_TILE, Doubt.UPSIDE_DOWN, Doubt.TURNED, Doubt.HIDDEN)
GONE = "city C of an earlier photo is not there any more"
TRANSLATED = ("de", "hu")


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    use_language(SOURCE_LANGUAGE)


def grey(level):
    return np.full((240, 320, 3), level, np.uint8)


REMARKS = [
    MUCH_LIGHT,
    OTHER_SIZE,
    CAMERA_MOVED,
    "the tiles do not look like those of edition attic-2",
    GONE,
    f"{GONE}: the cities after it have moved up by a letter",
    *doubts_of_photo(grey(30)),
    NO_CITY,
    NO_GRID,
    NO_BOARD,
    OWNERS_ASSUMED,
    OWNERS_NOT_SHOWN,
    WRONG_SIZE,
    "glare at [0,1], [2,3]: move the lamp or shade the city",
    overrun_note(["left"]),
    "so much of this city is unclear that all of it must be checked",
    "a whole row at the edge has no tile: all may lie a row further",
    remedy(grey(90), WHOLE, 11.0),
    remedy(grey(30), WHOLE, 50.0),
    remedy(grey(128), WHOLE, 50.0),
    *(f"{doubt} at [2,3]" for doubt in SEEN_DOUBTS),
    "more tiles on the table show shop than the game has: check [1,2]",
    "only 6 tiles can be read here",
    "what lies here like a city cannot be read",
    UNREADABLE,
    UNPLACED,
    PATTERN,
    LIGHT_HIDES,
]


@pytest.mark.parametrize("remark", REMARKS)
def test_each_remark_has_words_in_every_language_with_all_its_numbers_and_places(remark):
    assert in_own_words(remark) == remark
    for language in TRANSLATED:
        use_language(language)
        for said, given in ((in_own_words(remark), remark),
                            (in_own_words(f"city B: {remark}"), f"B: {remark}")):  # fmt: skip
            assert remark not in said
            marked = r"\d+|\[\d+,\d+\]|\b[A-Z]\b|--[\w-]+"
            assert sorted(re.findall(marked, said)) == sorted(re.findall(marked, given))


def test_a_city_that_runs_off_two_edges():
    use_language("de")
    assert "(links und oben)" in in_own_words(overrun_note(["left", "top"]))


@pytest.mark.parametrize(
    "content", [b"none", b'{"format": "stadtblick-calibration", "version": 99}', None]
)
def test_why_a_calibration_was_not_used(tmp_path, content):
    path = tmp_path / "calibration.json"
    path.mkdir() if content is None else path.write_bytes(content)
    photo = Photo(grey(90), "table.jpg", (320, 240))
    (note,) = load_eye(path, eye=FakeEye(*EXAMPLE))(photo).notes
    use_language("de")
    assert re.match(r"die Kalibrierung wurde nicht benutzt: die Kalibrierung ", in_own_words(note))


def test_a_remark_without_words_stays_english():
    use_language("de")
    assert in_own_words("a kite hangs over the table") == "a kite hangs over the table"


def test_the_terminal_shows_them_and_json_keeps_the_english_ones(photo, capsys):
    eye = FakeEye(
        *EXAMPLE[:5], notes=[MUCH_LIGHT], city_notes={1: [WRONG_SIZE]}, unread=[LIGHT_HIDES]
    )
    scan(photo, "--lang", "de", eye=eye)
    printed = " ".join(capsys.readouterr().out.split())
    assert "Hinweis: große Teile des Fotos sind weiß" in printed
    assert "Hinweis: Stadt B: ihre Plättchen haben eine andere Größe" in printed
    assert "im Foto oben links: hier ist so viel Licht" in printed
    _, sheet = scanned_json(capsys, photo, "--lang", "de", eye=eye)
    assert sheet["notes"] == [MUCH_LIGHT, f"city B: {WRONG_SIZE}"]
    assert sheet["unread"][0]["why"] == LIGHT_HIDES
