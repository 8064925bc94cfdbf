"""Everything that a sheet says is said in each language, and the right one is chosen."""

import gettext
import json
import re
from collections import Counter

import numpy as np
import pytest

from firmware.base.language import D_, DN_, SOURCE_LANGUAGE, Phrase, _, _n, use_language
from firmware.cli import main
from firmware.wording.problem_text import problem_line
from tests.firmware.catalogues import TRANSLATED, catalogue, marked_texts, po_file, translations
from vision.editions.description_toml import parse_description
from vision.errors import VisionError
from vision.photo.load import Photo
from vision.teaching.layout import parse_layout
from vision.teaching.locate_layout import locate_layout

PLACEHOLDER = re.compile(r"\{\w+\}|%\(\w+\)[rs]|%s")


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    use_language(SOURCE_LANGUAGE)


def refuse_corners():
    photo = Photo(np.zeros((400, 400, 3), np.uint8), "photo.jpg", (400, 400))
    corners_px = np.array([(10, 10), (390, 10), (390, 40), (10, 40)], np.float32)
    locate_layout(photo, corners_px, 2 * (3 * ("park",),), model=None)


def placeholders(text):
    return Counter(PLACEHOLDER.findall(text))


@pytest.mark.parametrize("language", TRANSLATED)
class TestCatalogue:
    """``python -m tests.update_catalogues`` says what is missing."""

    @pytest.mark.parametrize("is_display", [True, False], ids=["display", "elsewhere"])
    def test_translates_every_text_and_no_other(self, language, is_display):
        marked, known = (
            {text for text in texts if (text.context is not None) == is_display}
            for texts in (marked_texts(), translations(language))
        )
        assert known == marked, "run python -m tests.update_catalogues"

    def test_leaves_nothing_empty_or_doubtful(self, language):
        empty = [text for text, shown in translations(language).items() if not all(shown)]
        assert not empty, "translate, then run python -m tests.update_catalogues"
        assert not [message.id for message in catalogue(language) if message.id and message.fuzzy]

    def test_has_every_placeholder_as_often_as_the_text(self, language):
        wrong = [
            wording
            for text, shown in translations(language).items()
            for wording in shown
            if placeholders(wording) != placeholders(text.many or text.one)
        ]
        assert wrong == []

    def test_is_compiled(self, language):
        with po_file(language).with_suffix(".mo").open("rb") as file:
            compiled = gettext.GNUTranslations(file)
        for (context, one, many), wordings in translations(language).items():
            if many is None:
                found = compiled.pgettext(context, one) if context else compiled.gettext(one)
                assert (found,) == wordings
            elif context:
                assert tuple(compiled.npgettext(context, one, many, n) for n in (1, 2)) == wordings
            else:
                assert tuple(compiled.ngettext(one, many, n) for n in (1, 2)) == wordings


def test_no_two_texts_have_the_same_singular():
    """A catalogue finds a text with a plural by its singular alone."""
    singulars = Counter((text.context, text.one) for text in marked_texts())
    assert [text for text, times in singulars.items() if times > 1] == []


class TestPhrase:
    def test_is_said_in_the_language_that_is_spoken_when_it_is_shown(self):
        title = D_("City {letter}").fill(letter="B")
        counted = DN_("{n} city not read", "{n} cities not read")
        wordings = []
        for language in (SOURCE_LANGUAGE, *TRANSLATED):
            use_language(language)
            wordings.append((str(title), str(counted.fill(n=1)), str(counted.fill(n=2))))
        assert wordings == [
            ("City B", "1 city not read", "2 cities not read"),
            ("Stadt B", "1 Stadt unlesbar", "2 Städte unlesbar"),
            ("Város: B", "Nem olvasható: 1", "Nem olvasható: 2"),
        ]

    def test_phrase_within_a_phrase_is_translated(self):
        use_language("de")
        tie = D_("Tie: {by} {numbers}").fill(by=D_("shops"), numbers="3:2")
        assert str(tie) == "Gleich: Läden 3:2"
        texts = (D_("Teach tiles"), D_("Teach tiles", "display: menu"))
        assert [str(text) for text in texts] == ["Anlernen", "Plättchen anlernen"]
        use_language("hu")
        assert str(Phrase("shops")) == "üzletek"
        assert str(Phrase("{n} city", "{n} cities").fill(n=2)) == _n("{n} city", "{n} cities", 2)
        assert str(D_("{rank}. {name}").fill(rank=1, name="{x}")) == "1. {x}"


@pytest.mark.parametrize(
    ("cause", "text"),
    [
        (refuse_corners, "einer Anordnung von 2 x 3 (Reihen x Spalten)"),
        (lambda: parse_layout("park nonsense", "f.txt", ["park"]), "f.txt, Zeile 1"),
        (lambda: parse_description("a = " + 500 * "[", "f.toml"), "f.toml, Zeile 1"),
    ],
)
def test_error_is_translated_with_its_values(cause, text):
    with pytest.raises(VisionError) as caught:
        cause()
    use_language("de")
    assert text in problem_line(caught.value)


@pytest.mark.parametrize(
    ("variables", "word"),
    [
        ({"LANG": "de_AT.UTF-8"}, "Läden"), ({"LANG": "hu_HU.UTF-8"}, "üzletek"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "hu_HU.UTF-8"}, "üzletek"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "shops"),
        ({"LANG": "hu_HU.UTF-8", "LANGUAGE": "fr:de:en"}, "Läden"),
        ({"LANG": "hu_HU.UTF-8", "LANGUAGE": "fr:en:de"}, "shops"),
        ({"LANG": "fr_FR.UTF-8"}, "shops"), ({"LANG": "C"}, "shops"),
        ({"LANG": "../../etc"}, "shops"), ({}, "shops"),
    ],
)  # fmt: skip
def test_the_language_of_the_system(monkeypatch, variables, word):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    use_language(None)
    assert _("shops") == word


def test_an_unknown_language_is_refused(capsys):
    assert main(["score", "--json", "--lang", "xx"]) == 2
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "usage"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["teach", "a.jpg", "--edition", "x", "--corners", "1,2"], "4 Argumente erwartet"),
        (["score", "--json=1"], "ohne einen Wert wie '1'"),
        (["history", "player", "Ann"], "(Spieler)"),
        (["print", "nothing", "--out", "x.pdf"], "(WAS)"),
    ],
)
def test_refused_argument_is_reported_in_the_language(arguments, words, capsys):
    assert main([*arguments, "--lang", "de"]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("command", ["read", "score"])
def test_reasons_of_the_system_are_translated(command, capsys):
    assert main([command, "x" * 300, "--lang", "de"]) == 2
    assert "der Dateiname ist zu lang" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("size", "reason"),
    [("1x1", "480 bis 4608 Pixel"), ("2000x500", "das 2fache der anderen")],
)
def test_reason_of_refused_size_is_translated(size, reason, capsys, tmp_path):
    assert main(["simulate", "--out", str(tmp_path / "new"), "--size", size, "--lang", "de"]) == 2
    assert reason in capsys.readouterr().err
