"""Options that are left out on the command line come from the settings."""

import argparse

import pytest
from firmware.settings.options import fill_in

from firmware.settings import Settings, settings_path, store_settings

NONE = {"lang": None, "game": None, "variant": None, "level": None, "edition": None}
OWN = Settings(language="hu", variant="two-player", edition="my-copy")
CITIES = Settings(game="cities", level=3, edition="my-copy")


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("STADTBLICK_HOME", str(tmp_path))


def filled(command="scan", **given):
    options = argparse.Namespace(command=command, **{**NONE, **given})
    warnings = fill_in(options)
    values = vars(options)
    return tuple(values[name] for name in NONE), warnings


@pytest.mark.parametrize(
    ("settings", "given", "expected"),
    [
        (None, {}, ("en", "between-two-cities", "standard", 1, "standard")),
        (OWN, {}, ("hu", "between-two-cities", "two-player", 1, "my-copy")),
        (OWN, {"lang": "de", "game": "between-two-cities", "variant": "standard", "edition": "x"},
         ("de", "between-two-cities", "standard", 1, "x")),
        (CITIES, {}, ("en", "cities", "standard", 3, "my-copy")),
        (CITIES, {"game": "cities", "level": 2}, ("en", "cities", "standard", 2, "my-copy")),
        # What was chosen for another game does not count, and only one game has variants
        (CITIES, {"game": "between-two-cities"},
         ("en", "between-two-cities", "standard", 1, "standard")),
        (Settings(game="cities", level=2, variant="two-player"), {},
         ("en", "cities", "standard", 2, "standard")),
    ],
)  # fmt: skip
def test_what_is_given_counts_more_than_what_is_set(settings, given, expected):
    if settings is not None:
        store_settings(settings)
    assert filled(**given) == (expected, ())


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
