"""Learn from a finished table for ``stadtblick teach --groups``: find and name its groups."""

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from firmware.base.atomic_files import write_file
from firmware.base.errors import (
    OutputError,
    UsageError,
    shorten,
    suggest_name,
    system_reason,
    write_advice,
)
from firmware.base.language import _, _n
from firmware.base.terminal import print_lines
from firmware.commands.options import read_digits
from firmware.commands.teach_terminal import (
    ask_if_doubtful,
    ask_top_side,
    can_ask,
    parse_top_side,
)
from firmware.teaching.session import TeachingSession
from firmware.wording.problem_text import translate
from vision.editions.edition import Edition
from vision.editions.folder import encode_png
from vision.message import Message
from vision.photo.load import load_photo
from vision.teaching.learn_groups import draw_groups, find_groups, learn_groups
from vision.teaching.orientation import TopSide
from vision.teaching.tile_groups import TileGroups


def learn_from_groups(session: TeachingSession, options: argparse.Namespace) -> Edition | None:
    """Learn from a photo of any finished table, whose tiles are put into groups of one face.

    Without ``--groups 1=park …`` a picture of the groups is written, and a person asked for names.

    Returns:
        The edition; None if names are needed and nobody can be asked.
    """
    description, photo = session.description, load_photo(options.photos[0])
    sheet = Path(f"{options.edition}-groups.png")
    if not options.groups:
        _check_photo_stays(sheet, photo.name)
    groups = ask_if_doubtful(partial(find_groups, description, photo), confirmed=options.sure)
    count = len(groups.groups)
    known = [face.name for face in description.faces]
    names = _parse_names(options.groups, count, known)
    if not names:
        _write_sheet(sheet, encode_png(draw_groups(photo, groups)))
        print_lines(*_group_lines(groups, sheet))
        if not can_ask():
            example = " ".join(f"{n}={name}" for n, name in enumerate(known[:2], 1))
            message = _("Name the groups, those of one kind alike: --groups {example}")
            print_lines(message.format(example=example))
            return None
        names = _ask_names(count, known)
    if not names:
        raise UsageError("usage", "no group has a name: nothing is learned", "--groups")
    up = parse_top_side(options) or session.find_top_side(photo, groups, names)
    if up is None and not options.groups:
        up = ask_top_side()
    if up is None:
        print_lines(
            _(
                "This look is new, so the way up cannot be read: the tiles are learned as the "
                "picture of the groups shows them. If they do not stand upright there, teach them "
                "again with --up left, --up bottom or --up right, wherever their top is."
            )
        )
    learn = partial(learn_groups, session.learned, photo, groups, names, up or TopSide.TOP)
    return ask_if_doubtful(learn, confirmed=options.sure)


def _check_photo_stays(sheet: Path, photo: str) -> None:
    """Refuse a photo whose place the picture of the groups would take."""
    if sheet.exists() and sheet.samefile(photo):
        raise OutputError(
            "out-is-the-photo",
            "the picture of the groups would replace the photo: rename the photo",
            str(sheet),
        )


def _write_sheet(path: Path, content: bytes) -> None:
    try:
        write_file(path, content, 0o644)
    except OSError as error:
        raise OutputError(
            "output-not-writable",
            "the file cannot be written ({why}): {advice}",
            str(path),
            why=system_reason(error),
            advice=write_advice(error, Message("go to another folder")),
        ) from error


def _group_lines(groups: TileGroups, sheet: Path) -> Iterator[str]:
    """Report where the picture of the groups is, and which may hold tiles of several faces."""
    count = len(groups.groups)
    yield _n("{n} group of tiles: {path}", "{n} groups of tiles: {path}", count, path=sheet)
    if groups.mixed:
        numbers = ", ".join(str(number + 1) for number in groups.mixed)
        yield _("Tiles differ in a detail in groups: {numbers}").format(numbers=numbers)
    yield _(
        "Leave out a group that shows two kinds: kinds that differ only by one sign are told "
        "apart only if they are taught with --layout, which says what lies where."
    )


def _parse_names(texts: Sequence[str], count: int, known: Sequence[str]) -> dict[int, str]:
    """Parse the faces of groups; the key is the number of a group, from 0."""
    names: dict[int, str] = {}
    for number, name in (_parse_name(text, count, known) for text in texts):
        if names.setdefault(number, name) != name:
            raise UsageError(
                "usage",
                "group {number} is named both {first} and {second}: leave one out",
                "--groups",
                number=number + 1,
                first=names[number],
                second=name,
            )
    return names


def _parse_name(text: str, count: int, known: Sequence[str]) -> tuple[int, str]:
    """Parse the number, from 0, and the face of a group, written ``1=park``."""
    digits, separator, name = text.partition("=")
    number = read_digits(digits)
    if not separator or number is None or not 1 <= number <= count:
        raise UsageError(
            "usage",
            "{text} names no group: write it like 1=park, with a number from 1 to {most}",
            "--groups",
            text=shorten(text),
            most=count,
        )
    if name not in known:
        raise UsageError(
            "usage",
            "there is no kind {name}: {advice}",
            "--groups",
            name=shorten(name),
            advice=suggest_name(name, known),
        )
    return number - 1, name


def _ask_names(count: int, known: Sequence[str]) -> dict[int, str]:
    """Ask for the face of each group; an empty line leaves a group out."""
    message = _("Kinds: {names}. An empty line leaves a group out.")
    print_lines(message.format(names=", ".join(known)))
    names: dict[int, str] = {}
    for number in range(count):
        while True:
            try:
                name = input(f"{number + 1}: ").strip()
            except EOFError:
                return names
            if not name or name in known:
                break
            print_lines(translate(suggest_name(name, known)))
        if name:
            names[number] = name
    return names
