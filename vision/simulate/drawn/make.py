"""Draw the own editions again: ``python -m vision.simulate.drawn.make [GAME...]``.

Without a game, all of them.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from vision.simulate.drawn import cities, city_blocks, dice_board

OWN_EDITIONS = Path(__file__).resolve().parents[2] / "editions" / "own"

EDITIONS: Mapping[str, Callable[[Path], None]] = {
    "cities": cities.write,
    "city-blocks": city_blocks.write,
    "dice-board": dice_board.write,
}
"""For each game what writes its pictures and description into a folder."""


def main(games: list[str]) -> None:
    """Write the editions of the games into the folders from which they are shipped."""
    unknown = [game for game in games if game not in EDITIONS]
    if unknown:
        raise SystemExit(f"no drawn edition of {unknown[0]!r}; there are: {', '.join(EDITIONS)}")
    for game in games or EDITIONS:
        EDITIONS[game](OWN_EDITIONS / game)


if __name__ == "__main__":
    main(sys.argv[1:])
