"""The arguments of ``stadtblick teach``."""

import argparse

from firmware.errors import ExitCode, UsageError
from scoring.games import between_two_cities

HELP = "learn the look of an own copy from photos of its reference grid"
EPILOG = """\
examples:
  stadtblick teach faces.jpg --edition my-copy
  stadtblick teach day.jpg lamp.jpg --edition my-copy   more photos add examples
  stadtblick teach later.jpg --edition my-copy --add
  stadtblick scan table.jpg --edition my-copy

Lay one single tile of each face as 3 x 3, edge to edge and all upright:
  shop         factory        tavern-food
  tavern-bed   tavern-music   tavern-drink
  office       park           house
Take the other tiles away, and fill much of the photo with the grid.
"""


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "photos", metavar="PHOTO", nargs="+", help="JPEG or PNG of the reference grid"
    )
    parser.add_argument(
        "--edition", metavar="NAME", required=True, help="what to call it: letters, digits, - and _"
    )
    parser.add_argument(
        "--game",
        metavar="GAME",
        default=between_two_cities.NAME,
        help="whose faces these are (default: %(default)s)",
    )
    parser.add_argument(
        "--shop-at",
        choices=["top-left", "top-right", "bottom-right", "bottom-left"],
        help="where in the photo the shop lies; needed only for looks that are quite new",
    )
    present = parser.add_mutually_exclusive_group()
    present.add_argument("--add", action="store_true", help="add examples to an edition")
    present.add_argument("--replace", action="store_true", help="learn an edition anew")


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command.

    Raises:
        UsageError: the arguments do not make sense, or see ``firmware.commands.teach``.
    """
    if options.game != between_two_cities.NAME:
        raise UsageError(
            "teach-game",
            f"{options.game} cannot be taught: only {between_two_cities.NAME} can",
            "--game",
        )
    from firmware.commands import teach

    return teach.run(
        options.photos,
        options.edition,
        shop_at=options.shop_at,
        add=options.add,
        replace=options.replace,
    )
