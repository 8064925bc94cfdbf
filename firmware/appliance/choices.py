"""What there is to choose from on the device: games, editions, languages."""

from dataclasses import dataclass

from scoring.games import between_two_cities


@dataclass(frozen=True, slots=True)
class GameChoice:
    """A game that can be scanned.

    Attributes:
        name: its identifier, such as ``between-two-cities``.
        variants: identifiers of its variants, the usual one first.
        levels: the levels at which it can be played; one alone: it has none.
        seats: for how many players names can be given; 0: players are called by their colours.
        editions: names of the looks of a game known by pictures; the one known from the start
            first, if there is one.
    """

    name: str
    variants: tuple[str, ...]
    levels: tuple[int, ...]
    seats: int
    editions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choices:
    """What there is to choose from on the device.

    Attributes:
        games: at least one.
        editions: names of the looks that the tiles of Between Two Cities may have, which can be
            taught on the device; the one known from the start first.
        languages: identifiers, at least one.
    """

    games: tuple[GameChoice, ...]
    editions: tuple[str, ...]
    languages: tuple[str, ...]

    def editions_of(self, game: str) -> tuple[str, ...]:
        """The editions that a game can be read with; none if it cannot be scanned."""
        if game == between_two_cities.NAME:
            return self.editions
        return next((choice.editions for choice in self.games if choice.name == game), ())

    @property
    def all_editions(self) -> tuple[str, ...]:
        """Those of all games: a name is given once."""
        of_games = (name for choice in self.games for name in choice.editions)
        return tuple(dict.fromkeys((*self.editions, *of_games)))
