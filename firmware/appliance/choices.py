"""Values that can be chosen on the device: games with their editions, languages, names."""

import itertools
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class GameChoice:
    """Game that can be scanned.

    Attributes:
        name: Identifier, such as ``cities``.
        title: Title for people, as in the catalogue.
        variants: Identifiers of its variants, the default one first.
        levels: Levels at which it can be played; a single one means that there are none.
        named_seats: Number of players who can be named; 0 if players are called by their colours.
        editions: Names of its editions, the built-in one first if there is one.
        taught_on_device: Whether its tiles can be taught on the device.
    """

    name: str
    title: str
    variants: tuple[str, ...]
    levels: tuple[int, ...]
    named_seats: int = 0
    editions: tuple[str, ...] = ()
    taught_on_device: bool = False


@dataclass(frozen=True, slots=True)
class Choices:
    """Everything that can be chosen on the device.

    Attributes:
        games: Games, at least one.
        languages: Identifiers of the languages, at least one.
        names: Names of past players, the most frequent first.
    """

    games: tuple[GameChoice, ...]
    languages: tuple[str, ...]
    names: tuple[str, ...] = ()

    def game(self, name: str) -> GameChoice | None:
        """Return a game by its identifier; None if it cannot be scanned."""
        return next((game for game in self.games if game.name == name), None)

    def with_name(self, name: str, *, replaced: str = "") -> "Choices":
        """Return the choices with a further name of a player, or a changed one.

        Args:
            name: Name.
            replaced: Name of the same player so far; empty for a further player.
        """
        names = [name if each == replaced else each for each in self.names]
        return replace(self, names=tuple(dict.fromkeys([*names, name])))

    @property
    def next_edition_name(self) -> str:
        """Free name for a new edition, such as ``table-1``."""
        known = {name.lower() for name in self.all_editions}
        return next(free for n in itertools.count(1) if (free := f"table-{n}") not in known)

    @property
    def all_editions(self) -> tuple[str, ...]:
        """Names of the editions of all games, each once: the built-in ones share ``standard``."""
        return tuple(dict.fromkeys(name for game in self.games for name in game.editions))
