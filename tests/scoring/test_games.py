import pytest
from btc_tables import example_table

from scoring.errors import ScoringError, UnknownGameError
from scoring.faces import city_name
from scoring.games import GAMES, between_two_cities, find_game


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_found_under_its_own_name(name):
    assert name == find_game(name).NAME


def test_the_rules_of_a_game_can_be_used_by_its_name():
    game = find_game("between-two-cities")
    assert game.status(example_table()) == ()
    assert game.score(example_table()) == between_two_cities.score(example_table())
    assert game.score(example_table()).game == "between-two-cities"


def test_an_unknown_game_is_refused_with_the_known_ones():
    with pytest.raises(UnknownGameError, match="between-two-cities") as refused:
        find_game("chess")
    assert (refused.value.code, refused.value.where) == ("unknown-game", "$.game")
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
