"""Options that are left out on the command line come from the settings."""

import argparse

import pytest

from firmware.settings import Settings, settings_path, store_settings
from firmware.settings.options import fill_in

NONE = {"lang": None, "game": None, "variant": None, "level": None, "edition": None}


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("STADTBLICK_HOME", str(tmp_path))


def filled(command="scan", **given):
    options = argparse.Namespace(command=command, **{**NONE, **given})
    warnings = fill_in(options)
    values = vars(options)
    return tuple(values[name] for name in NONE), warnings


def test_without_settings_there_are_the_defaults():
    assert filled() == (("en", "between-two-cities", "standard", 1, "standard"), ())


def test_what_is_set_counts():
    store_settings(Settings(language="hu", variant="two-player", edition="my-copy"))
    assert filled()[0] == ("hu", "between-two-cities", "two-player", 1, "my-copy")


def test_what_is_given_counts_more():
    store_settings(Settings(language="hu", variant="two-player", edition="my-copy"))
    given = {"lang": "de", "game": "between-two-cities", "variant": "standard", "edition": "x"}
    assert filled(**given)[0] == ("de", "between-two-cities", "standard", 1, "x")


def test_what_was_chosen_for_another_game_does_not_count():
    store_settings(Settings(game="cities", level=3, edition="my-copy"))
    assert filled()[0] == ("en", "cities", "standard", 3, "my-copy")
    chosen = filled(game="between-two-cities")[0]
    assert chosen == ("en", "between-two-cities", "standard", 1, "standard")
    assert filled(game="cities", level=2)[0] == ("en", "cities", "standard", 2, "my-copy")


@pytest.mark.parametrize("command", ["score", "demo", "teach", None])
def test_other_commands_get_the_language_alone(command):
    store_settings(Settings(language="de", edition="my-copy"))
    assert filled(command)[0] == ("de", None, None, None, None)


def test_without_a_command_there_is_a_language_nevertheless():
    store_settings(Settings(language="de"))
    options = argparse.Namespace(command=None)
    assert fill_in(options) == ()
    assert options.lang == "de"


def test_what_cannot_be_used_is_told_and_the_file_is_left_alone():
    settings_path().write_text("level = ")
    values, (warning,) = filled()
    assert values == ("en", "between-two-cities", "standard", 1, "standard")
    assert warning.code == "settings-not-toml"
    assert settings_path().read_text() == "level = "


def test_a_game_without_variants_has_none():
    store_settings(Settings(game="cities", level=2, variant="two-player"))
    assert filled()[0] == ("en", "cities", "standard", 2, "standard")
