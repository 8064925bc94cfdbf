"""Registry of games: the built-in ones, and games added from outside."""

from types import SimpleNamespace

import pytest

from scoring.errors import ScoringError, UnknownGameError
from scoring.faces import city_name
from scoring.games import GAMES, cities, find_rules, registered
from scoring.legality import tile_breaches

OUR_GAMES = list(GAMES)
TOY = SimpleNamespace(NAME="a-toy")


def test_grid_without_places_lacks_no_tile():
    """The size alone is wrong."""
    assert [*tile_breaches((), "$.grid", lenient=False)] == []


def test_added_game_is_listed_until_removed():
    """Scoring it is shown by ``tests/firmware/test_toy_game.py``."""
    with registered(TOY):
        assert list(GAMES) == ["a-toy", *OUR_GAMES]
        assert len(GAMES) == len(OUR_GAMES) + 1
        assert find_rules("a-toy") is TOY
        with pytest.raises(ValueError, match="rules for a-toy already"), registered(TOY):
            pass
    assert list(GAMES) == OUR_GAMES
    for name in OUR_GAMES:
        game = find_rules(name)
        assert game is GAMES[name]
        assert (game.NAME, 1 in game.LEVELS, game.VARIANTS[0]) == (name, True, "standard")
    with pytest.raises(UnknownGameError):
        find_rules("a-toy")


def test_an_unknown_game_is_refused_and_the_registry_cannot_be_changed():
    with pytest.raises(UnknownGameError, match="between-two-cities") as refused:
        find_rules("chess" * 100)
    assert (refused.value.code, refused.value.where) == ("unknown-game", "$.game")
    assert len(refused.value.message) < 200
    assert isinstance(refused.value, ScoringError)
    assert isinstance(refused.value, LookupError)
    with pytest.raises(TypeError):
        GAMES["chess"] = cities


def test_every_city_has_letters_of_its_own():
    names = [city_name(index) for index in range(800)]
    assert names[:3] == ["A", "B", "C"]
    assert names[25:28] == ["Z", "AA", "AB"]
    assert names[701:703] == ["ZZ", "AAA"]
    assert len(set(names)) == len(names)
