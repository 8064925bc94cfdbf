"""The arguments of ``stadtblick teach``."""

import argparse
import math
from pathlib import Path

from firmware.errors import ExitCode, UsageError, shortened
from scoring.games import GAMES, between_two_cities

HELP = "learn the look of an own copy, or of another game, from photos of its tiles"
EPILOG = """\
examples, Between Two Cities:
  stadtblick teach faces.jpg --edition my-copy
  stadtblick teach day.jpg lamp.jpg --edition my-copy   more photos add examples
  stadtblick teach later.jpg --edition my-copy --add
  stadtblick scan table.jpg --edition my-copy

Lay one single tile of each face as 3 x 3, edge to edge and all upright:
  shop         factory        tavern-food
  tavern-bed   tavern-music   tavern-drink
  office       park           house
Take the other tiles away, and fill much of the photo with the grid.

examples, other games:
  stadtblick teach tiles.jpg --edition my-copy --game cities
  stadtblick teach blue.jpg --edition my-copy --game city-blocks --faces blue
  stadtblick teach --edition my-copy --add --board board.jpg \\
      --board-corners 80,95 1930,110 1915,1420 70,1400
  stadtblick teach table.jpg --edition my-game --description my-game.toml \\
      --layout layout.txt --corners 505,825 2095,985 1950,2650 70,2335

docs/editions.md says how to lay the tiles of each game, and leads through describing an own one.
"""


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("photos", metavar="PHOTO", nargs="*", help="JPEG or PNG of the tiles")
    parser.add_argument(
        "--edition", metavar="NAME", required=True, help="what to call it: letters, digits, - and _"
    )
    parser.add_argument(
        "--game",
        metavar="GAME",
        help=f"whose faces these are (default: {between_two_cities.NAME}, or as described)",
    )
    parser.add_argument(
        "--shop-at",
        choices=["top-left", "top-right", "bottom-right", "bottom-left"],
        help="where in the photo the shop lies; needed only for looks that are quite new",
    )
    _add_board_options(parser)
    present = parser.add_mutually_exclusive_group()
    present.add_argument("--add", action="store_true", help="add examples to an edition")
    present.add_argument("--replace", action="store_true", help="learn an edition anew")


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command.

    Raises:
        UsageError: the arguments do not make sense, or see ``firmware.commands.teach`` and
            ``firmware.commands.teach_boards``.
    """
    game = options.game or _game_of(options)
    if game != between_two_cities.NAME:
        return _run_boards(options, game)
    given = [option for option, value in _board_values(options).items() if value]
    if given:
        raise UsageError(
            "usage", f"{given[0]} is not for {game}: leave it out, or add --game", given[0]
        )
    if not options.photos:
        raise UsageError("usage", "no photo is given: name one", "command line")
    from firmware.commands import teach

    return teach.run(
        options.photos,
        options.edition,
        shop_at=options.shop_at,
        add=options.add,
        replace=options.replace,
    )


def _add_board_options(parser: argparse.ArgumentParser) -> None:
    others = parser.add_argument_group("other games")
    others.add_argument(
        "--faces",
        metavar="ARRANGEMENT",
        nargs="+",
        default=[],
        help="which of the game's arrangements each photo shows",
    )
    others.add_argument(
        "--description",
        metavar="PATH",
        type=Path,
        help="edition.toml of an own game, or its folder",
    )
    others.add_argument(
        "--layout",
        metavar="FILE",
        type=Path,
        nargs="+",
        default=[],
        help="a text for each photo: which face lies where",
    )
    others.add_argument(
        "--corners",
        metavar="X,Y",
        type=_point,
        nargs=4,
        action="append",
        default=[],
        help="corners of the layout in pixels, from its top left clockwise; once for each photo",
    )
    others.add_argument("--board", metavar="PHOTO", help="photo of the empty board")
    others.add_argument(
        "--board-corners", metavar="X,Y", type=_point, nargs=4, help="its corners in that photo"
    )


def _point(text: str) -> tuple[float, float]:
    """A point written ``x,y``."""
    parts = text.split(",")
    try:
        x, y = (float(part) for part in parts)
    except ValueError:
        x = y = math.nan
    if not (math.isfinite(x) and math.isfinite(y)):
        raise argparse.ArgumentTypeError(
            f"{shortened(text)} is no point, write it like 505,825 without blanks"
        )
    return x, y


def _board_values(options: argparse.Namespace) -> dict[str, object]:
    return {
        "--faces": options.faces,
        "--description": options.description,
        "--layout": options.layout,
        "--corners": options.corners,
        "--board": options.board,
        "--board-corners": options.board_corners,
    }


def _game_of(options: argparse.Namespace) -> str | None:
    """The game if it is not named: that of the edition to add to, or as described (None)."""
    if options.description is not None:
        return None
    if options.add:
        from firmware.board_editions import edition_game
        from firmware.edition_folder import stored_names

        if options.edition in stored_names():
            return edition_game(options.edition)
    return between_two_cities.NAME


def _run_boards(options: argparse.Namespace, game: str | None) -> ExitCode:
    from firmware.commands import teach_boards

    if options.shop_at is not None:
        raise UsageError(
            "usage", f"--shop-at is for {between_two_cities.NAME} alone: leave it out", "--shop-at"
        )
    if game is not None and game not in GAMES and not (options.add or options.description):
        raise UsageError(
            "teach-game",
            f"{shortened(game)} cannot be taught by its name: describe it with --description",
            "--game",
        )
    return teach_boards.run(
        teach_boards.BoardLesson(
            options.edition,
            tuple(options.photos),
            game,
            options.description,
            tuple(options.layout),
            tuple(options.faces),
            tuple(tuple(corners) for corners in options.corners),
            options.board,
            None if options.board_corners is None else tuple(options.board_corners),
            options.add,
            options.replace,
        )
    )
