"""``stadtblick editions``: what has been taught, and what is built in."""

import argparse
import sys
from pathlib import Path
from typing import Final

from rich.text import Text

from firmware.editions import (
    SHEET_FILE,
    archive_of,
    editions_folder,
    import_archive,
    load_edition,
    load_folder,
    remove_edition,
    save_edition,
    standard_editions,
    stored_names,
)
from firmware.errors import ExitCode, UsageError, printable, translated
from firmware.language import N_, _, _n
from firmware.terminal import printing
from firmware.user_data import write_safely
from vision.editions.description import Description
from vision.editions.edition import STANDARD, DescriptionError, Edition

EPILOG: Final = N_("""\
examples:
  stadtblick editions
  stadtblick editions show my-copy
  stadtblick editions export my-copy --out my-copy.zip
  stadtblick editions import my-copy.zip
  stadtblick editions import my-game            a folder with edition.toml and pictures
  stadtblick editions export standard --game cities --out cities.zip
  stadtblick editions remove my-copy --yes
""")


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    actions = parser.add_subparsers(dest="action", metavar=_("ACTION"))
    show = actions.add_parser("show", help=_("all about one edition"))
    show.add_argument("name", metavar=_("NAME"))
    _add_game(show)
    remove = actions.add_parser("remove", help=_("delete an edition"))
    remove.add_argument("name", metavar=_("NAME"))
    remove.add_argument("--yes", action="store_true", help=_("do not ask"))
    export = actions.add_parser("export", help=_("write an edition to a ZIP file"))
    export.add_argument("name", metavar=_("NAME"))
    _add_game(export)
    export.add_argument("--out", metavar="FILE.zip", type=Path, required=True)
    export.add_argument("--replace", action="store_true", help=_("write over a file"))
    imported = actions.add_parser(
        "import", help=_("take over an edition from a ZIP file or a folder")
    )
    imported.add_argument("file", metavar="FILE.zip|FOLDER", type=Path)
    imported.add_argument("--replace", action="store_true", help=_("in place of one of this name"))


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--game", metavar=_("GAME"), help=_("whose built-in edition, if NAME is standard")
    )


def run(options: argparse.Namespace) -> ExitCode:
    """Run the action; see the functions below for its errors."""
    match options.action:
        case "show":
            return show(options.name, options.game)
        case "remove":
            return remove(options.name, sure=options.yes)
        case "export":
            return export(options.name, options.out, options.game, replace=options.replace)
        case "import":
            return take_over(options.file, replace=options.replace)
    return list_all()


def list_all() -> ExitCode:
    """Print a line for each edition; a damaged one needs a person."""
    code = ExitCode.DONE
    lines = [
        _("{edition}, built in").format(edition=_summary(edition))
        for edition in standard_editions()
    ]
    stored = stored_names()
    for name in stored:
        try:
            lines.append(_summary(load_edition(name, None, "editions")))
        except (UsageError, DescriptionError) as error:
            lines.append(_("{name}: {problem}").format(name=name, problem=translated(error)))
            code = ExitCode.NEEDS_A_PERSON
    if not stored:
        lines.append(_("No edition has been taught: see stadtblick teach --help."))
    _print(*lines)
    return code


def show(name: str, game: str | None = None) -> ExitCode:
    """Print all about one edition.

    Args:
        name: of the edition.
        game: whose built-in edition is meant, if it is called ``standard``.

    Raises:
        UsageError: ``unknown-edition``, ``edition-damaged`` or
            ``edition-which-game``.
        DescriptionError: what is wrong with the files of one of format 2.
    """
    edition = load_edition(name, game, "editions show")
    lines = [_summary(edition), *_described(edition.description)]
    if name != STANDARD:
        folder = editions_folder() / name
        lines.append(_("Folder: {path}").format(path=folder))
        if (folder / SHEET_FILE).is_file():
            lines.append(_("Contact sheet: {path}").format(path=folder / SHEET_FILE))
    _print(*lines)
    return ExitCode.DONE


def remove(name: str, *, sure: bool = False) -> ExitCode:
    """Delete an edition, after asking unless ``sure``.

    Raises:
        UsageError: ``unknown-edition``, or ``edition-not-removed`` where nobody can be asked.
        OutputError: ``edition-not-writable``.
    """
    if name in stored_names() and not sure:
        if sys.stdin is None or not sys.stdin.isatty():
            raise UsageError(
                "edition-not-removed", "nobody can be asked here: add --yes to remove it", name
            )
        _print(_("Remove edition {name}? Type yes:").format(name=name))
        if sys.stdin.readline().strip().lower() not in {"yes", _("yes")}:
            _print(_("Nothing was removed."))
            return ExitCode.NEEDS_A_PERSON
    remove_edition(name)
    _print(_("Removed edition {name}.").format(name=name))
    return ExitCode.DONE


def export(name: str, out: Path, game: str | None = None, *, replace: bool = False) -> ExitCode:
    """Write an edition to a ZIP file.

    Args:
        name: of the edition.
        out: the file.
        game: whose built-in edition is meant, if it is called ``standard``.
        replace: whether the file may exist.

    Raises:
        UsageError: ``unknown-edition``, ``edition-damaged``, ``edition-which-game``, or
            ``archive-exists``.
        DescriptionError: what is wrong with the files of one of format 2.
        OutputError: ``file-not-writable``.
    """
    edition = load_edition(name, game, "editions export")
    if out.exists() and not (replace and out.is_file()):
        raise UsageError(
            "archive-exists",
            "there is something of this name already: name another file or add --replace",
            str(out),
        )
    write_safely(out, archive_of(edition))
    _print(_("Exported edition {name}: {path}").format(name=name, path=out))
    return ExitCode.DONE


def take_over(path: Path, *, replace: bool = False) -> ExitCode:
    """Import an edition from a ZIP file, or from a folder that a user has written.

    Raises:
        UsageError: see ``import_archive``.
        DescriptionError: what is wrong with the files of one of format 2.
        OutputError: ``edition-not-writable``.
    """
    if path.is_dir():
        edition = load_folder(path)
        save_edition(edition, replace=replace)
    else:
        edition = import_archive(path, replace=replace)
    _print(_("Imported edition {name}.").format(name=edition.name))
    return ExitCode.DONE


def _summary(edition: Edition) -> str:
    return _n(
        "{name}: {game}, {faces} faces, {n} picture",
        "{name}: {game}, {faces} faces, {n} pictures",
        sum(map(len, edition.pictures.values())),
        name=edition.description.name,
        game=edition.description.game,
        faces=len(edition.description.faces),
    )


def _described(description: Description) -> list[str]:
    high, wide = description.tile_cells
    tiles = _("Tiles: {size} mm, over {rows} x {columns} cells").format(
        size=f"{description.tile_mm:g}", rows=high, columns=wide
    )
    lines = [
        _("Grid: {rows} rows, {columns} columns").format(
            rows=description.rows, columns=description.columns
        ),
        tiles,
        _("Faces: {faces}").format(faces=", ".join(face.name for face in description.faces)),
    ]
    board = description.board
    if board is None:
        lines.append(_("Board: none, the tiles lie free"))
    else:
        width, height = board.size_mm
        lines.append(
            _("Board: {width} x {height} mm").format(width=f"{width:g}", height=f"{height:g}")
        )
        beside = [place.name for place in board.slots] + [place.name for place in board.heaps]
        if beside:
            lines.append(_("Beside the cells: {places}").format(places=", ".join(beside)))
    if description.tokens:
        kinds = ", ".join(token.kind for token in description.tokens)
        lines.append(_("Tokens: {tokens}").format(tokens=kinds))
    return lines


def _print(*lines: str) -> None:
    with printing() as console:
        for line in lines:
            console.print(Text(printable(line)), soft_wrap=True)
