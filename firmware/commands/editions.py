"""``stadtblick editions``: list, show, undo, remove, export and import editions."""

import argparse
from pathlib import Path
from typing import Final

from firmware.base.errors import ExitCode, UsageError
from firmware.base.language import N_, _, _n, format_number
from firmware.base.terminal import confirm, print_lines
from firmware.base.user_data import check_overwrite, write_named_file
from firmware.settings.file import setting_location
from firmware.teaching.edition_archive import encode_archive, load_archive
from firmware.teaching.user_editions import (
    CONTACT_SHEET_FILE,
    editions_folder,
    load_edition,
    load_edition_folder,
    remove_edition,
    save_edition,
    stored_names,
    undo_edition,
)
from firmware.wording.problem_text import translate
from vision.editions.description import Description
from vision.editions.edition import STANDARD_EDITION, DescriptionError, Edition
from vision.editions.folder import built_in_edition, built_in_games

EPILOG: Final = N_("""\
examples:
  stadtblick editions
  stadtblick editions show my-copy
  stadtblick editions export my-copy --out my-copy.zip
  stadtblick editions import my-copy.zip
  stadtblick editions import my-game            a folder with edition.toml and pictures
  stadtblick editions export standard --game cities --out cities.zip
  stadtblick editions undo my-copy              as it was before it was taught last
  stadtblick editions remove my-copy --yes
""")


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    actions = parser.add_subparsers(dest="action", metavar=_("ACTION"))
    actions.add_parser("list", help=_("all editions, which is also done without ACTION"))
    show_parser = actions.add_parser("show", help=_("all about one edition"))
    show_parser.set_defaults(run=show)
    undo_parser = actions.add_parser("undo", help=_("take back the last change of an edition"))
    undo_parser.set_defaults(run=undo)
    remove_parser = actions.add_parser("remove", help=_("delete an edition"))
    remove_parser.set_defaults(run=remove)
    export_parser = actions.add_parser("export", help=_("write an edition to a ZIP file"))
    export_parser.set_defaults(run=export)
    for each in (show_parser, undo_parser, remove_parser, export_parser):
        each.add_argument("name", metavar=_("NAME"), help=_("name of the edition"))
    for each in (show_parser, export_parser):
        each.add_argument(
            "--game", metavar=_("GAME"), help=_("whose built-in edition, if NAME is standard")
        )
    remove_parser.add_argument("--yes", action="store_true", help=_("do not ask"))
    export_parser.add_argument(
        "--out", metavar=_("FILE.zip"), type=Path, required=True, help=_("ZIP file to write")
    )
    export_parser.add_argument("--replace", action="store_true", help=_("write over a file"))
    import_parser = actions.add_parser(
        "import", help=_("take over an edition from a ZIP file or a folder")
    )
    import_parser.set_defaults(run=import_edition)
    import_parser.add_argument(
        "file", metavar=_("FILE.zip|FOLDER"), type=Path, help=_("ZIP file or folder of the edition")
    )
    import_parser.add_argument(
        "--replace", action="store_true", help=_("replace the edition of this name")
    )


def run(_options: argparse.Namespace) -> ExitCode:
    """Print a line for each edition; a damaged one needs a person."""
    code = ExitCode.DONE
    lines = [
        _("{edition}, built in").format(edition=_summary(edition))
        for edition in map(built_in_edition, built_in_games())
    ]
    stored = stored_names()
    for name in stored:
        try:
            lines.append(_summary(load_edition(name, None, "editions")))
        except (UsageError, DescriptionError) as error:
            lines.append(_("{name}: {problem}").format(name=name, problem=translate(error)))
            code = ExitCode.NEEDS_A_PERSON
    if not stored:
        lines.append(_("No edition has been taught: see stadtblick teach --help."))
    print_lines(*lines)
    return code


def show(options: argparse.Namespace) -> ExitCode:
    """Print all about one edition."""
    edition = load_edition(options.name, options.game, "editions show")
    lines = [_summary(edition), *_description_lines(edition.description)]
    if options.name != STANDARD_EDITION:
        folder = editions_folder() / options.name
        lines.append(_("Folder: {path}").format(path=folder))
        if (folder / CONTACT_SHEET_FILE).is_file():
            lines.append(_("Tile overview: {path}").format(path=folder / CONTACT_SHEET_FILE))
    print_lines(*lines)
    return ExitCode.DONE


def undo(options: argparse.Namespace) -> ExitCode:
    """Take back the last change of an edition; done again, it makes the change again.

    Raises:
        UsageError: ``unknown-edition``, or ``edition-not-changed``.
        OutputError: ``edition-not-writable``.
    """
    undo_edition(options.name)
    edition = load_edition(options.name, None, "editions undo")
    print_lines(_("As before: {edition}").format(edition=_summary(edition)))
    return ExitCode.DONE


def remove(options: argparse.Namespace) -> ExitCode:
    """Delete an edition, after asking unless ``--yes`` is given."""
    name = options.name
    question = _("Remove edition {name}? Type yes:").format(name=name)
    nobody = UsageError(
        "edition-not-removed", "nobody can be asked here: add --yes to remove it", name
    )
    if name in stored_names() and not options.yes and not confirm(question, nobody):
        print_lines(_("Nothing was removed."))
        return ExitCode.NEEDS_A_PERSON
    remove_edition(name)
    print_lines(_("Removed edition {name}.").format(name=name))
    if options.settings.edition == name:
        template = _("The settings name it ({where}): the built-in edition is used in its place.")
        print_lines(template.format(where=setting_location("edition")))
    return ExitCode.DONE


def export(options: argparse.Namespace) -> ExitCode:
    """Write an edition to a ZIP file."""
    name, out = options.name, options.out
    edition = load_edition(name, options.game, "editions export")
    check_overwrite("archive-exists", out, replace=options.replace)
    write_named_file(out, encode_archive(edition))
    print_lines(_("Exported edition {name}: {path}").format(name=name, path=out))
    return ExitCode.DONE


def import_edition(options: argparse.Namespace) -> ExitCode:
    """Import an edition from a ZIP file, or from a folder that a user has written."""
    edition = (load_edition_folder if options.file.is_dir() else load_archive)(options.file)
    save_edition(edition, replace=options.replace)
    print_lines(_("Imported edition {name}.").format(name=edition.name))
    return ExitCode.DONE


def _summary(edition: Edition) -> str:
    return _n(
        "{name}: {game}, {kinds}, {n} picture",
        "{name}: {game}, {kinds}, {n} pictures",
        sum(map(len, edition.pictures.values())),
        name=edition.description.name,
        game=edition.description.game,
        kinds=_n("{n} kind", "{n} kinds", len(edition.description.faces)),
    )


def _description_lines(description: Description) -> list[str]:
    (high, wide), size = description.tile_cells, format_number(description.tile_mm)
    tiles = _("Tiles: {size} mm, over {rows} x {columns} cells")
    lines = [
        _("Rows: {rows}, columns: {columns}").format(
            rows=description.rows, columns=description.columns
        ),
        tiles.format(size=size, rows=high, columns=wide),
        _("Kinds: {faces}").format(faces=", ".join(face.name for face in description.faces)),
    ]
    board = description.board
    if board is None:
        lines.append(_("Board: none, the tiles lie free"))
    else:
        width, height = map(format_number, board.size_mm)
        lines.append(_("Board: {width} x {height} mm").format(width=width, height=height))
        beside = [slot.name for slot in board.slots] + [heap.name for heap in board.heaps]
        if beside:
            lines.append(_("Beside the cells: {places}").format(places=", ".join(beside)))
    if description.tokens:
        kinds = ", ".join(token.kind for token in description.tokens)
        lines.append(_("Tokens: {tokens}").format(tokens=kinds))
    return lines
