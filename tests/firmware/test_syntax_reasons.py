"""Reasons why a text is no JSON or TOML, in words of our own in each language."""

import json

import pytest

from firmware.base.checked_input import parse_json, parse_toml_text
from firmware.base.errors import UsageError
from firmware.base.language import _
from firmware.wording.problem_text import problem_line
from tests.firmware.screen_looks import speaking

JSON_TEXTS = (
    "", "{", '{"a"', '{"a":', '{"a":1', "[1,", "[1", "{a:1}", '{"a":1,}', "[1,]", "1 2", '"abc',
    '"a\nb"', r'"\q"', r'"\u12"', "\ufeff\ufeff1",
)  # fmt: skip
TOML_TEXTS = (
    "a", "a=", "=1", "a=1 2", "[a", "[[a]", "a={", "a=[", "a=[1,2", "a={b=1", "a={b=1,b=2}",
    r'a="\q"', r'a="\uD800"', r'a="\u12"', 'a="abc', "a='''x", "a=1\na=2", "[a]\n[a]", "a=1\n[a]",
    "a={b=1}\na.c=2", "a={b=1}\n[a.c]", 'a="\x01"', "#\x01", "a=1979-02-31", "a=01", "[a] x", "[]",
)  # fmt: skip


def error_of(text, parse):
    with pytest.raises(UsageError) as caught:
        parse(text)
    return caught.value


def json_error(text):
    return error_of(text, lambda text: parse_json("no-json", text.encode()))


def toml_error(text):
    return error_of(text, lambda text: parse_toml_text("no-toml", text))


@pytest.mark.parametrize("language", ["de", "hu"])
def test_reason_is_translated(language):
    for error in [*map(json_error, JSON_TEXTS), *map(toml_error, TOML_TEXTS)]:
        reason = error.values["reason"]
        with speaking(language):
            assert _(reason) != reason
            assert _(reason) in problem_line(error)


def test_place_is_named_by_line_and_column():
    assert toml_error("[a]\n[a]").where == "line 2, column 3"


def test_reason_that_nobody_knows_is_not_passed_on(monkeypatch):
    def fail(*_args, **_options):
        raise json.JSONDecodeError("Brand new words", "x", 0)

    monkeypatch.setattr(json, "loads", fail)
    assert "Brand" not in str(json_error("1"))
