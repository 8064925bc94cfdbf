"""Everything that a sheet says is said in each language, and the right one is chosen."""

import gettext
import json
import re
from collections import Counter

import pytest
from catalogues import marked_texts, po_file, translations

from firmware.cli import main
from firmware.language import LANGUAGES, SOURCE_LANGUAGE, _, _n, use_language

TRANSLATED = [language for language in LANGUAGES if language != SOURCE_LANGUAGE]
PLACEHOLDER = re.compile(r"\{\w+\}")


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    use_language(SOURCE_LANGUAGE)


@pytest.mark.parametrize("language", TRANSLATED)
class TestCatalogue:
    def test_translates_every_text_and_no_other(self, language):
        assert set(translations(language)) == marked_texts()

    def test_leaves_nothing_empty(self, language):
        empty = [text for text, said in translations(language).items() if not all(said)]
        assert not empty

    def test_keeps_the_placeholders(self, language):
        for text, said in translations(language).items():
            plural = text if isinstance(text, str) else text[-1]
            for wording in said:
                assert set(PLACEHOLDER.findall(wording)) == set(PLACEHOLDER.findall(plural)), text

    def test_is_compiled(self, language):
        with po_file(language).with_suffix(".mo").open("rb") as file:
            compiled = gettext.GNUTranslations(file)
        for text, said in translations(language).items():
            if isinstance(text, str):
                assert compiled.gettext(text) == said[0]
            else:
                assert tuple(compiled.ngettext(*text, count) for count in (1, 2)) == said


def test_no_two_texts_have_the_same_singular():
    """A catalogue finds a text with a plural by its singular alone."""
    singulars = Counter(text if isinstance(text, str) else text[0] for text in marked_texts())
    assert [text for text, times in singulars.items() if times > 1] == []


@pytest.mark.parametrize(
    ("language", "word"), [("en", "shops"), ("de", "Läden"), ("hu", "üzletek")]
)
def test_a_language_by_name(language, word):
    use_language(language)
    assert _("shops") == word


@pytest.mark.parametrize(
    ("variables", "word"),
    [
        ({"LANG": "de_AT.UTF-8"}, "Läden"),
        ({"LANG": "hu_HU.UTF-8"}, "üzletek"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "hu_HU.UTF-8"}, "üzletek"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "shops"),
        ({"LANG": "hu_HU.UTF-8", "LANGUAGE": "fr:de:en"}, "Läden"),
        ({"LANG": "hu_HU.UTF-8", "LANGUAGE": "fr:en:de"}, "shops"),
        ({"LANG": "fr_FR.UTF-8"}, "shops"),
        ({"LANG": "C"}, "shops"),
        ({"LANG": "../../etc"}, "shops"),
        ({}, "shops"),
    ],
)
def test_the_language_of_the_system(monkeypatch, variables, word):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    use_language(None)
    assert _("shops") == word


def test_a_count_takes_its_wording():
    use_language("de")
    assert [_n("{n} city", "{n} cities", count) for count in (1, 2)] == ["1 Stadt", "2 Städte"]


def test_an_unknown_language_is_refused(capsys):
    assert main(["score", "--json", "--lang", "xx"]) == 2
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "usage"
