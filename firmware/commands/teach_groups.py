"""``stadtblick teach --groups``: any finished table, its tiles in groups that a person names."""

import sys
from collections.abc import Sequence
from pathlib import Path

from firmware.errors import OutputError, UsageError, reason, shortened, suggestion
from firmware.language import _
from firmware.terminal import print_lines
from vision.editions.description import Description
from vision.editions.edition import Edition
from vision.editions.folder import png
from vision.editions.groups import groups_in, groups_sheet, learn_groups
from vision.photo import load_photo


def learned_by_groups(
    description: Description, name: str, path: str, named: Sequence[str], earlier: Edition
) -> Edition | None:
    """Learn from any finished table.

    Args:
        description: of the game.
        name: of the edition.
        path: of the photo.
        named: faces of groups, such as ``1=park``; without any, a person is asked.
        earlier: what was learned before.

    Returns:
        The edition; None: nobody is there to name the groups. They are shown in a picture.

    Raises:
        UsageError: a name or number is wrong.
        VisionError: the photo cannot be used or learned from.
        OutputError: the picture cannot be written.
    """
    photo = load_photo(path)
    groups = groups_in(description, photo)
    count = len(groups.groups)
    known = [face.name for face in description.faces]
    names = dict(_group_name(text, count, known) for text in named)
    if not names:
        sheet = Path(f"{name}-groups.png")
        try:
            sheet.write_bytes(png(groups_sheet(photo, groups)))
        except OSError as error:
            raise OutputError(
                "output-not-writable",
                "the file cannot be written ({why}): make room, or check the permissions",
                str(sheet),
                why=reason(error),
            ) from error
        print_lines(_("{n} groups of tiles: {path}").format(n=count, path=sheet))
        if not sys.stdin.isatty():
            example = " ".join(f"{n}={name}" for n, name in enumerate(known[:2], 1))
            said = _("Name them, those of one face alike: --groups {example}")
            print_lines(said.format(example=example))
            return None
        names = _asked(count, known)
    if not names:
        raise UsageError("usage", "no group has a name: nothing is learned", "--groups")
    return learn_groups(description, photo, groups, names, earlier)


def _group_name(text: str, count: int, known: Sequence[str]) -> tuple[int, str]:
    """The number from 0 and the face of a group, written ``1=park``."""
    number, found, name = text.partition("=")
    if not found or not number.isdecimal() or not 1 <= int(number[:6]) <= count:
        raise UsageError(
            "usage",
            "{text} names no group: write it like 1=park, with a number from 1 to {most}",
            "--groups",
            text=shortened(text),
            most=count,
        )
    if name not in known:
        raise UsageError(
            "usage",
            "there is no face {name}: {advice}",
            "--groups",
            name=shortened(name),
            advice=suggestion(name, known),
        )
    return int(number) - 1, name


def _asked(count: int, known: Sequence[str]) -> dict[int, str]:
    """The faces of groups, as a person types them; an empty line leaves a group out."""
    said = _("Faces: {names}. An empty line leaves a group out.")
    print_lines(said.format(names=", ".join(known)))
    names: dict[int, str] = {}
    for number in range(count):
        while True:
            try:
                name = input(f"{number + 1}: ").strip()
            except EOFError:
                return names
            if not name or name in known:
                break
            print_lines(suggestion(name, known))
        if name:
            names[number] = name
    return names
