"""``stadtblick teach``: photos of the reference grid to an edition."""

from collections.abc import Sequence

from rich.text import Text

from firmware.edition_folder import SHEET_FILE, check_name, stored_names
from firmware.edition_store import load_edition, save_edition
from firmware.errors import ExitCode, UsageError
from firmware.language import _, _n
from firmware.terminal import printing
from vision.editions.edition import FACES
from vision.editions.reference import PhotoCorner
from vision.editions.teach import Lesson, learn
from vision.photo import load_photo


def run(
    photos: Sequence[str],
    name: str,
    *,
    shop_at: str | None = None,
    add: bool = False,
    replace: bool = False,
) -> ExitCode:
    """Learn an edition and store it; nothing is stored if anything is wrong.

    Args:
        photos: paths.
        name: of the edition.
        shop_at: in which corner of the photo the shop lies; None: as the eye reads it.
        add: add examples to the edition of this name.
        replace: learn the edition of this name anew.

    Raises:
        UsageError: the name cannot be used.
        VisionError: a photo cannot be used or learned from.
        OutputError: the edition cannot be written.
    """
    check_name(name)
    if name in stored_names() and not (add or replace):
        raise UsageError(
            "edition-exists",
            f"there is an edition {name} already: choose another name, "
            "add examples with --add or learn it anew with --replace",
            "--edition",
        )
    earlier = load_edition(name) if add else None
    corner = None if shop_at is None else PhotoCorner(shop_at)
    lesson = learn(name, [load_photo(p) for p in photos], shop_at=corner, earlier=earlier)
    folder = save_edition(lesson.edition, replace=add or replace)
    with printing() as console:
        for line in _told(lesson, str(folder / SHEET_FILE)):
            console.print(Text(line), soft_wrap=True)
    return ExitCode.DONE


def _told(lesson: Lesson, sheet: str) -> list[str]:
    edition = lesson.edition
    first, second = (FACES[n].value for n in lesson.closest)
    way = (
        _("The look is known, so the order of the tiles was checked.")
        if lesson.known_look
        else _("The look is new, so check on the contact sheet that each tile has its name.")
    )
    return [
        _n(
            "Learned edition {name}: {faces} faces, {n} example of each.",
            "Learned edition {name}: {faces} faces, {n} examples of each.",
            edition.example_count,
            name=edition.name,
            faces=len(edition.faces),
        ),
        _("The smallest tile is {pixels} pixels wide.").format(pixels=round(lesson.tile_px)),
        _("Most alike are {first} and {second}: {percent} %.").format(
            first=first, second=second, percent=round(100 * lesson.closest_likeness)
        ),
        way,
        _("Contact sheet: {path}").format(path=sheet),
        _("Use it with --edition {name}.").format(name=edition.name),
    ]
