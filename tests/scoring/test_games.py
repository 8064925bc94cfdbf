"""How games are found, and how one joins them from outside."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from scoring.errors import N_, Breach, BreachKind, ScoringError, TableError, UnknownGameError
from scoring.faces import city_name
from scoring.games import GAMES, Game, between_two_cities, find_game, register, unregister

OUR_GAMES = ["between-two-cities", "cities", "city-blocks", "dice-board"]


class ToyBreach(BreachKind):
    CELL_COUNT = N_("stones and gaps: {given} instead of 9; give all of them")


@dataclass(frozen=True)
class ToySheet:
    game: str
    points: int
    winners: tuple[int, ...] = (0,)
    missing: tuple[()] = ()


class Toy:
    """3x3 cells, each with a stone (True) or without; a stone is worth 1, in the centre 5."""

    NAME = "a-toy"
    LEVELS = (1,)
    VARIANTS = ("standard",)

    def status(self, table: tuple[bool, ...], *, lenient: bool = False) -> tuple[Breach, ...]:
        too_few = len(table) < 9 and not lenient
        wrong = too_few or len(table) > 9
        return (ToyBreach.CELL_COUNT.at("$.cells", given=len(table)),) if wrong else ()

    def score(self, table: tuple[bool, ...], *, lenient: bool = False) -> ToySheet:
        if breaches := self.status(table, lenient=lenient):
            raise TableError(breaches)
        return ToySheet(self.NAME, sum(table) + 4 * any(table[4:5]))


@contextmanager
def registered(game: Game) -> Iterator[None]:
    register(game)
    try:
        yield
    finally:
        unregister(game.NAME)


def test_our_games_are_found_in_the_order_of_their_names():
    assert list(GAMES) == OUR_GAMES
    assert len(GAMES) == 4
    for name in OUR_GAMES:
        game = find_game(name)
        assert game is GAMES[name]
        assert name == game.NAME
        assert 1 in game.LEVELS
        assert game.VARIANTS[0] == "standard"


def test_a_game_from_outside_is_one_of_the_games_until_it_is_taken_away():
    with registered(Toy()):
        assert list(GAMES) == ["a-toy", *OUR_GAMES]
        assert len(GAMES) == 5
        toy = find_game("a-toy")
        assert toy.score((True, False, False) * 3).points == 3
        assert toy.score((True,) * 9).points == 13
        assert toy.score((True,) * 3, lenient=True).points == 3
        with pytest.raises(TableError, match="stones and gaps: 3 instead of 9"):
            toy.score((True,) * 3)
    assert list(GAMES) == OUR_GAMES
    with pytest.raises(UnknownGameError):
        find_game("a-toy")


def test_a_name_that_is_taken_is_refused():
    with registered(Toy()), pytest.raises(ValueError, match="rules for a-toy already"):
        register(Toy())
    taken = Toy()
    taken.NAME = "cities"
    with pytest.raises(ValueError, match="rules for cities already"):
        register(taken)
    assert find_game("cities").NAME == "cities"
    assert find_game("cities") is not taken


@pytest.mark.parametrize("name", ["a-toy", "cities"])
def test_only_what_was_registered_can_be_taken_away(name):
    with pytest.raises(KeyError):
        unregister(name)
    assert list(GAMES) == OUR_GAMES


def test_an_unknown_game_is_refused_with_the_known_ones():
    with pytest.raises(UnknownGameError, match="between-two-cities") as refused:
        find_game("chess" * 100)
    assert (refused.value.code, refused.value.where) == ("unknown-game", "$.game")
    assert len(refused.value.message) < 200
    assert isinstance(refused.value, ScoringError)
    assert isinstance(refused.value, LookupError)


def test_the_registry_cannot_be_changed():
    with pytest.raises(TypeError):
        GAMES["chess"] = between_two_cities


def test_every_city_has_letters_of_its_own():
    names = [city_name(index) for index in range(800)]
    assert names[:3] == ["A", "B", "C"]
    assert names[25:28] == ["Z", "AA", "AB"]
    assert names[701:703] == ["ZZ", "AAA"]
    assert len(set(names)) == len(names)
