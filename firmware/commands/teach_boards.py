"""``stadtblick teach`` for games known by pictures: photos, and what lies where in them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.text import Text

from firmware.board_editions import save_board_edition
from firmware.commands.teach_sources import Source, find_source, same_pictures
from firmware.edition_folder import SHEET_FILE, check_name, stored_names
from firmware.errors import ExitCode, UsageError, suggestion
from firmware.language import _, _n
from firmware.terminal import printing
from vision.arrays import Corners, Image, floats
from vision.editions.description import Description
from vision.editions.edition import Edition
from vision.editions.folder import folder_reader, named_shortly
from vision.boards.outline import find_outline
from vision.boards.teach import filled_up, learn_board, learn_layout, untaught
from vision.boards.teach_layout import MAX_LAYOUT_BYTES, Layout, parse_layout, reference_layouts
from vision.editions.edition import EditionError
from vision.photo import Photo, load_photo

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class BoardLesson:
    """What is to be learned.

    Attributes:
        name: of the edition.
        photos: paths of photos of tiles.
        game: whose built-in edition is described alike; None: as the description says.
        description: ``edition.toml`` or the folder that holds it; None: that of the game.
        layouts: a layout file for each photo.
        sheets: instead of files, which of the game's arrangements each photo shows.
        corners: for each photo the four corners of the layout; empty: they are found.
        board: path of a photo of the empty board.
        board_corners: the four corners of the board in it.
        add: add to the edition of this name.
        replace: learn the edition of this name anew.
    """

    name: str
    photos: tuple[str, ...] = ()
    game: str | None = None
    description: Path | None = None
    layouts: tuple[Path, ...] = ()
    sheets: tuple[str, ...] = ()
    corners: tuple[Points, ...] = ()
    board: str | None = None
    board_corners: Points | None = None
    add: bool = False
    replace: bool = False


def run(lesson: BoardLesson) -> ExitCode:
    """Learn an edition and store it; nothing is stored if anything is wrong.

    Raises:
        UsageError: the options do not make sense together.
        DescriptionError: the description cannot be used.
        VisionError: a photo cannot be used or learned from.
        OutputError: the edition cannot be written.
    """
    _check_options(lesson)
    source = find_source(lesson.name, lesson.game, lesson.description, add=lesson.add)
    learned = _with_faces(lesson, source)
    if lesson.board is not None:
        learned = replace(learned, board=_board(source.description, lesson))
    edition = filled_up(learned, source.others)
    _check_complete(edition, lesson)
    not_own = _not_own(learned, source)
    folder = save_board_edition(edition, replace=lesson.add or lesson.replace)
    with printing() as console:
        for line in _told(edition, not_own, str(folder / SHEET_FILE)):
            console.print(Text(line), soft_wrap=True)
    return ExitCode.NEEDS_A_PERSON if not_own else ExitCode.DONE


def _check_options(lesson: BoardLesson) -> None:
    check_name(lesson.name)
    if lesson.name in stored_names() and not (lesson.add or lesson.replace):
        raise UsageError(
            "edition-exists",
            f"there is an edition {lesson.name} already: choose another name, "
            "add examples with --add or learn it anew with --replace",
            "--edition",
        )
    for option, given in (("--layout", lesson.layouts), ("--corners", lesson.corners)):
        if given and len(given) != len(lesson.photos):
            raise UsageError(
                "usage",
                f"{option} is given for {len(given)} of {len(lesson.photos)} photos: "
                "give it once for each, in their order",
                option,
            )
    if lesson.layouts and lesson.sheets:
        raise UsageError("usage", "--layout and --faces say the same: leave one out", "--faces")
    if not lesson.photos and lesson.board is None:
        raise UsageError("usage", "no photo is given: name one, or --board", "command line")


def _with_faces(lesson: BoardLesson, source: Source) -> Edition:
    learned = source.learned
    layouts = _layouts(lesson, source.description)
    for number, (path, layout) in enumerate(zip(lesson.photos, layouts, strict=True)):
        photo = load_photo(path)
        given = lesson.corners[number] if lesson.corners else None
        corners = _found_corners(photo, layout) if given is None else floats(given)
        learned = learn_layout(source.description, photo, corners, layout, learned)
    return learned


def _layouts(lesson: BoardLesson, description: Description) -> list[Layout]:
    """What each photo shows."""
    if lesson.layouts:
        known = [face.name for face in description.faces]
        return [_layout_in(path, known) for path in lesson.layouts]
    sheets = reference_layouts(description)
    if lesson.photos and not sheets:
        raise UsageError(
            "teach-layout-needed",
            "nothing says what lies where: write it down for each photo in a file for --layout",
            "--layout",
        )
    names = lesson.sheets or tuple(sheets)
    for name in names:
        if name not in sheets:
            advice = suggestion(name, list(sheets))
            raise UsageError("usage", f"there is no arrangement {name}: {advice}", "--faces")
    if len(names) != len(lesson.photos) and lesson.photos:
        raise UsageError(
            "usage",
            f"the number of photos is {len(lesson.photos)}, that of arrangements {len(names)}: "
            f"say with --faces which each photo shows, of {', '.join(sheets)}",
            "--faces",
        )
    return [sheets[name] for name in names[: len(lesson.photos)]]


def _layout_in(path: Path, known: Sequence[str]) -> Layout:
    read = folder_reader(path.parent)
    return parse_layout(read(path.name, MAX_LAYOUT_BYTES), str(path), known)


def _found_corners(photo: Photo, layout: Layout) -> Corners:
    """Where the layout lies in the photo, found by the eye; in pixels of the full photo."""
    skipped = {
        (row, column)
        for row, names in enumerate(layout)
        for column, name in enumerate(names)
        if name is None
    }
    corners = find_outline(photo.image_bgr, len(layout), len(layout[0]), skipped)
    if corners is None:
        raise EditionError(
            "teach-no-outline",
            f"no grid of {len(layout)} x {len(layout[0])} tiles is found by itself: "
            "give its corners with --corners",
            photo.name,
        )
    return floats(photo.to_photo_px(corners))


def _board(description: Description, lesson: BoardLesson) -> Image:
    photo = load_photo(str(lesson.board))
    if lesson.board_corners is None:
        raise UsageError(
            "usage",
            "the corners of the board are not given: add --board-corners",
            "--board-corners",
        )
    return learn_board(description, photo, floats(lesson.board_corners))


def _check_complete(edition: Edition, lesson: BoardLesson) -> None:
    missing = untaught(edition)
    if missing:
        raise EditionError(
            "teach-missing-faces",
            f"no photo shows {named_shortly(missing)}: add a photo and layout that do, "
            "or take them out of the description",
            lesson.name,
        )
    if edition.description.board is not None and edition.board is None:
        raise EditionError(
            "teach-missing-board",
            "no photo shows the empty board: add --board",
            lesson.name,
        )


def _not_own(learned: Edition, source: Source) -> list[str]:
    """What still looks as in the built-in edition."""
    if source.standard is None:
        return []
    drawn, others = source.standard.pictures, source.others.pictures
    faces = [
        name
        for name in untaught(learned)
        if name in drawn and same_pictures(others[name], drawn[name])
    ]
    boards = [board for board in (source.others.board, source.standard.board) if board is not None]
    if learned.board is None and len(boards) == 2 and same_pictures(boards[:1], boards[1:]):
        return [*faces, _("the board")]
    return faces


def _told(edition: Edition, not_own: Sequence[str], sheet: str) -> list[str]:
    description = edition.description
    lines = [
        _n(
            "Learned edition {name}: {faces} faces, {n} picture.",
            "Learned edition {name}: {faces} faces, {n} pictures.",
            sum(map(len, edition.pictures.values())),
            name=description.name,
            faces=len(description.faces),
        )
    ]
    if not_own:
        lines.append(
            _("Not taught yet, still as built in: {faces}").format(faces=named_shortly(not_own))
        )
    return [
        *lines,
        _("Check on the contact sheet that each tile has its name."),
        _("Contact sheet: {path}").format(path=sheet),
        _("Use it with --edition {name}.").format(name=description.name),
    ]
