"""The arguments of ``stadtblick editions``."""

import argparse
from pathlib import Path

from firmware.errors import ExitCode

HELP = "list, show, remove, export and import editions"
EPILOG = """\
examples:
  stadtblick editions
  stadtblick editions show my-copy
  stadtblick editions export my-copy --out my-copy.zip
  stadtblick editions import my-copy.zip
  stadtblick editions import my-game            a folder with edition.toml and pictures
  stadtblick editions export standard --game cities --out cities.zip
  stadtblick editions remove my-copy --yes
"""


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    show = actions.add_parser("show", help="all about one edition")
    show.add_argument("name", metavar="NAME")
    _add_game(show)
    remove = actions.add_parser("remove", help="delete an edition")
    remove.add_argument("name", metavar="NAME")
    remove.add_argument("--yes", action="store_true", help="do not ask")
    export = actions.add_parser("export", help="write an edition to a ZIP file")
    export.add_argument("name", metavar="NAME")
    _add_game(export)
    export.add_argument("--out", metavar="FILE.zip", type=Path, required=True)
    export.add_argument("--replace", action="store_true", help="write over a file")
    imported = actions.add_parser("import", help="take over an edition from a ZIP file or a folder")
    imported.add_argument("file", metavar="FILE.zip|FOLDER", type=Path)
    imported.add_argument("--replace", action="store_true", help="in place of one of this name")


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--game", metavar="GAME", help="whose built-in edition, if NAME is standard"
    )


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command; see ``firmware.commands.editions`` for its errors."""
    from firmware.commands import editions

    match options.action:
        case "show":
            return editions.show(options.name, options.game)
        case "remove":
            return editions.remove(options.name, sure=options.yes)
        case "export":
            return editions.export(options.name, options.out, options.game, replace=options.replace)
        case "import":
            return editions.take_over(options.file, replace=options.replace)
    return editions.list_all()
