"""No page names a command: on a phone nobody can type one."""

import re
from dataclasses import replace

import pytest

from firmware.base.language import LANGUAGES, _, in_language
from firmware.page.context import as_sentence
from firmware.page.phone_words import PHONE_WORDINGS
from firmware.teaching.user_editions import editions_folder
from tests.appliance.fake_tables import FakeTables
from tests.appliance.whole_appliance import SCAN, kept_scans
from tests.firmware.catalogues import marked_texts
from tests.firmware.fake_eye import EXAMPLE, NOT_READ, FakeEye
from tests.page.phone import Scanner
from vision.editions.built_in import BUILT_IN_FOLDER
from vision.editions.folder import DESCRIPTION_FILE

COMMAND = re.compile(
    r"\bsudo\b|\bstadtblick [a-z]|(?<![\w-])--[a-z]|journalctl|pip install|install\.sh|_TRACEBACK"
)
PLACEHOLDER = re.compile(r"\{\w+\}")


def test_text_that_is_replaced_is_said_by_a_command():
    assert PHONE_WORDINGS.keys() <= {marked.one for marked in marked_texts()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_phone_names_no_command(language):
    with in_language(language, PHONE_WORDINGS):
        assert not [_(text) for text in PHONE_WORDINGS if COMMAND.search(_(text))]


def test_phone_text_needs_no_other_values():
    for text, wording in PHONE_WORDINGS.items():
        assert set(PLACEHOLDER.findall(wording)) <= set(PLACEHOLDER.findall(text))


def test_elsewhere_the_command_is_named():
    with in_language("en"):
        assert "stadtblick calibrate" in _("There is none yet: see stadtblick calibrate --help.")


def test_fault_is_said_in_the_language_of_the_phone():
    eye = FakeTables()
    eye.between_two_cities = FakeEye(EXAMPLE[0])
    scanner = Scanner(eye=eye)
    scanner.press(SCAN)
    text = scanner.phone().see("/?lang=de")
    scanner.close()
    problem = "Gefunden: 1 Stadt; die Variante standard braucht 3 bis 7: liegt eine"
    assert problem in text


@pytest.mark.parametrize(
    ("eye", "expected"),
    [
        (FakeEye(), "Keine Stadt gefunden: jede Stadt als 4 x 4 Plättchen legen"),
        (FakeEye(unread=[NOT_READ]), "das wie eine aussieht und nicht lesbar ist: oben links;"),
    ],
    ids=["no-city", "unreadable-city"],
)
def test_nothing_found_is_said_in_the_language_of_the_phone(eye, expected):
    tables = FakeTables()
    tables.between_two_cities = eye
    scanner = Scanner(eye=tables)
    scanner.press(SCAN)
    phone = scanner.phone()
    phone.see("/?lang=de")
    scanner.close()
    assert expected in phone.html


@pytest.mark.parametrize("path", ["/doctor", "/support", "/calibrate", "/teach", "/editions"])
def test_page_names_no_command(path):
    scanner = Scanner()
    text = scanner.phone().see(path)
    scanner.close()
    assert not COMMAND.search(text)


def test_past_game_that_is_not_known_names_no_command():
    scanner = Scanner(eye=FakeTables())
    scanner.press(SCAN)
    (scan,) = kept_scans()
    seq = scanner.channel.history.add(replace(scan.record, game="chess"))
    text = scanner.phone().see(f"/history/{seq}")
    scanner.close()
    assert "The game chess is not known here" in text
    assert not COMMAND.search(text)


def test_edition_without_pictures_names_no_command():
    folder = editions_folder() / "mine"
    folder.mkdir(parents=True)
    described = (BUILT_IN_FOLDER / "between-two-cities" / DESCRIPTION_FILE).read_text()
    without_pictures = re.sub("^images = .*$", "", described, flags=re.MULTILINE)
    (folder / DESCRIPTION_FILE).write_text(without_pictures)
    scanner = Scanner()
    text = scanner.phone().see("/doctor")
    scanner.close()
    assert "there is no picture of shop" in text
    assert not COMMAND.search(text)


@pytest.mark.parametrize("path", ["/history/99", "/players/Nobody"])
def test_unknown_game_or_player_names_no_command(path):
    scanner = Scanner()
    text = scanner.phone().see(path, status=404)
    scanner.close()
    assert not COMMAND.search(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("die Kamera antwortet nicht", "Die Kamera antwortet nicht."),
        ("őrizz meg kevesebb fotót (beállítások)", "Őrizz meg kevesebb fotót (beállítások)."),
        ("Not saved.", "Not saved."),
        ("is a city outside the picture?", "Is a city outside the picture?"),
        ("", ""),
    ],
)
def test_faults_and_notes_are_sentences(text, expected):
    assert as_sentence(text) == expected
