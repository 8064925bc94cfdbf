"""``stadtblick editions``: what has been taught."""

import sys
from pathlib import Path

from rich.text import Text

from firmware.edition_archive import archive_of, import_archive
from firmware.edition_store import (
    SHEET_FILE,
    editions_folder,
    load_edition,
    remove_edition,
    taught_names,
)
from firmware.errors import ExitCode, UsageError, printable
from firmware.language import _, _n
from firmware.terminal import printing
from firmware.user_data import write_safely
from vision.editions.edition import Edition


def list_all() -> ExitCode:
    """Print a line for each edition; a damaged one needs a person."""
    code = ExitCode.DONE
    lines = []
    for name in taught_names():
        try:
            lines.append(_summary(load_edition(name)))
        except UsageError as error:
            lines.append(_("{name}: {problem}").format(name=name, problem=error.message))
            code = ExitCode.NEEDS_A_PERSON
    _print(*(lines or [_("No edition has been taught: see stadtblick teach --help.")]))
    return code


def show(name: str) -> ExitCode:
    """Print all about one edition.

    Raises:
        UsageError: ``unknown-edition``, ``edition-damaged`` or ``edition-format``.
    """
    edition = load_edition(name, "editions show")
    folder = editions_folder() / name
    _print(
        _summary(edition),
        _("Faces: {faces}").format(faces=", ".join(face.value for face in edition.faces)),
        _("Folder: {path}").format(path=folder),
        _("Contact sheet: {path}").format(path=folder / SHEET_FILE),
    )
    return ExitCode.DONE


def remove(name: str, *, sure: bool = False) -> ExitCode:
    """Delete an edition, after asking unless ``sure``.

    Raises:
        UsageError: ``unknown-edition``, or ``edition-not-removed`` where nobody can be asked.
        OutputError: ``edition-not-writable``.
    """
    if name in taught_names() and not sure:
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


def export(name: str, out: Path, *, replace: bool = False) -> ExitCode:
    """Write an edition to a ZIP file.

    Raises:
        UsageError: ``unknown-edition``, ``edition-damaged``, or ``archive-exists``.
        OutputError: ``file-not-writable``.
    """
    edition = load_edition(name, "editions export")
    if out.exists() and not (replace and out.is_file()):
        raise UsageError(
            "archive-exists",
            "there is something of this name already: name another file or add --replace",
            str(out),
        )
    write_safely(out, archive_of(edition))
    _print(_("Exported edition {name}: {path}").format(name=name, path=out))
    return ExitCode.DONE


def take_over(file: Path, *, replace: bool = False) -> ExitCode:
    """Import an edition from a ZIP file.

    Raises:
        UsageError: see ``import_archive``.
        OutputError: ``edition-not-writable``.
    """
    edition = import_archive(file, replace=replace)
    _print(_("Imported edition {name}.").format(name=edition.name))
    return ExitCode.DONE


def _summary(edition: Edition) -> str:
    return _n(
        "{name}: {game}, {faces} faces, {n} example of each",
        "{name}: {game}, {faces} faces, {n} examples of each",
        edition.example_count,
        name=edition.name,
        game=edition.game,
        faces=len(edition.faces),
    )


def _print(*lines: str) -> None:
    with printing() as console:
        for line in lines:
            console.print(Text(printable(line)), soft_wrap=True)
