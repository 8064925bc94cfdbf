"""Options that are left out on the command line come from the settings."""

import argparse

import pytest

from firmware.commands.options import fill_in
from firmware.settings import Settings, store_settings

NONE = {"game": None, "variant": None, "level": None, "edition": None}
OWN = Settings(language="hu", variant="two-player", edition="my-copy")
CITIES = Settings(game="cities", level=3, edition="my-copy")


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("STADTBLICK_HOME", str(tmp_path))


def filled(**given):
    options = argparse.Namespace(**{**NONE, **given})
    fill_in(options)
    return tuple(vars(options)[name] for name in NONE)


@pytest.mark.parametrize(
    ("settings", "given", "expected"),
    [
        (None, {}, ("between-two-cities", "standard", 1, "standard")),
        (OWN, {}, ("between-two-cities", "two-player", 1, "my-copy")),
        (OWN, {"game": "between-two-cities", "variant": "standard", "edition": "x"},
         ("between-two-cities", "standard", 1, "x")),
        (CITIES, {}, ("cities", "standard", 3, "my-copy")),
        (CITIES, {"game": "cities", "level": 2}, ("cities", "standard", 2, "my-copy")),
        # What was chosen for another game does not count, and only one game has variants
        (CITIES, {"game": "between-two-cities"},
         ("between-two-cities", "standard", 1, "standard")),
        (Settings(game="cities", level=2, variant="two-player"), {},
         ("cities", "standard", 2, "standard")),
    ],
)  # fmt: skip
def test_what_is_given_counts_more_than_what_is_set(settings, given, expected):
    if settings is not None:
        store_settings(settings)
    assert filled(**given) == expected
