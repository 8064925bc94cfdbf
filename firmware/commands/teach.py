"""``stadtblick teach``: photos of tiles, and what lies where in them, to an edition."""

import argparse
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from firmware.base.atomic_files import write_file
from firmware.base.errors import (
    ExitCode,
    OutputError,
    UsageError,
    shorten,
    suggest_name,
    system_reason,
    translate,
)
from firmware.base.language import N_, _, _n
from firmware.base.terminal import confirm, print_lines
from firmware.games import game_called
from firmware.scan.corrections import Correction, corrected, parse_correction
from firmware.scan.scan import read_file
from firmware.teaching.lessons import (
    Source,
    are_same,
    groups_up,
    is_board_of,
    source_of,
    stored_source,
)
from firmware.teaching.user_editions import (
    SHEET_FILE,
    check_game,
    check_name,
    edition_game,
    load_edition,
    named,
    save_edition,
    stored_names,
    taught_by,
)
from vision.arrays import Image, floats
from vision.editions.description import Description
from vision.editions.description_toml import MAX_DESCRIPTION_BYTES, parse_description
from vision.editions.edition import GAME, Edition, EditionError
from vision.editions.folder import (
    DESCRIPTION_FILE,
    built_in_edition,
    built_in_games,
    encode_png,
    list_names,
    load_pictures,
    make_file_reader,
)
from vision.errors import Message
from vision.photo.load import load_photo
from vision.reading import Place, PlaceKind
from vision.teaching.clusters import Clusters
from vision.teaching.groups import groups_in, groups_sheet, learn_groups
from vision.teaching.layout import MAX_LAYOUT_BYTES, Layout, parse_layout
from vision.teaching.learn import Lesson, filled_up, learn_board, learn_layout, untaught
from vision.teaching.reference_grid import PhotoCorner
from vision.teaching.way_up import Side

T = TypeVar("T")

EPILOG: Final = N_("""\
examples, Between Two Cities:
  stadtblick teach faces.jpg --edition my-copy
  stadtblick teach day.jpg lamp.jpg --edition my-copy   more photos add examples
  stadtblick teach later.jpg --edition my-copy --add
  stadtblick teach table.jpg --edition my-copy --groups   any finished table: name its tiles
  stadtblick teach table.jpg --edition my-copy --add --set B:3,4=park   a tile read wrong
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
""")


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "photos", metavar=_("PHOTO"), nargs="*", help=_("JPEG, PNG or HEIC of the tiles")
    )
    parser.add_argument(
        "--edition",
        metavar=_("NAME"),
        required=True,
        help=_("what to call it: letters, digits, - and _"),
    )
    parser.add_argument(
        "--game",
        metavar=_("GAME"),
        help=_("whose faces these are (default: between-two-cities, or as described)"),
    )
    parser.add_argument(
        "--shop-at",
        metavar=_("CORNER"),
        choices=[corner.value for corner in PhotoCorner],
        help=_(
            "Between Two Cities: top-left, top-right, bottom-right or bottom-left: where in the "
            "photo the shop lies; needed only for looks that are quite new"
        ),
    )
    parser.add_argument(
        "--faces",
        metavar=_("ARRANGEMENT"),
        nargs="+",
        default=[],
        help=_("which of the game's arrangements each photo shows"),
    )
    parser.add_argument(
        "--description",
        metavar=_("PATH"),
        type=Path,
        help=_("edition.toml of an own game, or its folder"),
    )
    parser.add_argument(
        "--layout",
        metavar=_("FILE"),
        type=Path,
        nargs="+",
        default=[],
        help=_("a text for each photo: which face lies where"),
    )
    parser.add_argument(
        "--corners",
        metavar="X,Y",
        type=_point,
        nargs=4,
        action="append",
        default=[],
        help=_("corners of the layout in pixels, from its top left clockwise; once for each photo"),
    )
    parser.add_argument(
        "--groups",
        metavar=_("N=NAME"),
        nargs="*",
        help=_(
            "learn from any finished table: its tiles are put into groups of one face; give the "
            "face of each group, as in 1=park 2=shop, or be asked for it"
        ),
    )
    parser.add_argument(
        "--up",
        metavar=_("SIDE"),
        choices=[side.name.lower() for side in Side],
        help=_(
            "top, left, bottom or right: where the tops of the tiles are in the photo of a layout "
            "or in the picture of the groups, if the look is quite new and its tiles all lie one "
            "way up (default: top)"
        ),
    )
    parser.add_argument(
        "--sure",
        action="store_true",
        help=_("learn a photo that does not seem to show what was said"),
    )
    parser.add_argument(
        "--set",
        dest="corrections",
        metavar=_("CITY:ROW,COL=FACE"),
        action="append",
        default=[],
        help=_("learn this tile of a table alone, like A:3,4=park; may be repeated"),
    )
    parser.add_argument("--board", metavar=_("PHOTO"), help=_("photo of the empty board"))
    parser.add_argument(
        "--board-corners", metavar="X,Y", type=_point, nargs=4, help=_("its corners in that photo")
    )
    present = parser.add_mutually_exclusive_group()
    present.add_argument("--add", action="store_true", help=_("add examples to an edition"))
    present.add_argument("--replace", action="store_true", help=_("learn an edition anew"))


def _point(text: str) -> tuple[float, float]:
    """A point written ``x,y``."""
    parts = text.split(",")
    try:
        x, y = (float(part) for part in parts)
    except ValueError:
        x = y = math.nan
    if not (math.isfinite(x) and math.isfinite(y)):
        said = _("{point} is no point, write it like 505,825 without blanks")
        raise argparse.ArgumentTypeError(said.format(point=shorten(text)))
    return x, y


def run(options: argparse.Namespace) -> ExitCode:
    """Learn an edition and store it; nothing is stored if anything is wrong."""
    _check_options(options)
    if options.corrections:
        edition = _learned_by_corrections(options)
        folder = save_edition(edition, replace=options.add or options.replace)
        print_lines(*_lines(edition, [], [], str(folder / SHEET_FILE)))
        return ExitCode.DONE
    source = _source(options)
    lessons: list[Lesson] = []
    if options.groups is not None:
        found = _learned_by_groups(source, options)
        if found is None:
            return ExitCode.NEEDS_A_PERSON
        learned = found
    else:
        lessons = _lessons(options, source)
        learned = lessons[-1].edition if lessons else source.learned
    if options.board is not None:
        model = learned.model and learned.model.without_board()
        learned = replace(learned, board=_board(source.description, options), model=model)
    edition = filled_up(learned, source.others)
    _check_complete(edition, options.edition)
    not_own = _not_own(learned, source)
    folder = save_edition(edition, replace=options.add or options.replace)
    print_lines(*_lines(edition, lessons, not_own, str(folder / SHEET_FILE)))
    is_open = (
        not_own
        or not _knows_faces(edition)
        or not all(lesson.way_up_known for lesson in lessons)
        or (options.groups is not None and untaught(edition))
    )
    return ExitCode.NEEDS_A_PERSON if is_open else ExitCode.DONE


def _knows_faces(edition: Edition) -> bool:
    return any(edition.pictures.values())


def _check_options(options: argparse.Namespace) -> None:
    check_name(options.edition)
    if options.edition in stored_names() and not (options.add or options.replace):
        raise UsageError(
            "edition-exists",
            "there is an edition {name} already: choose another name, add examples with --add or "
            "learn it anew with --replace",
            "--edition",
            name=options.edition,
        )
    count = len(options.photos)
    for option, given in (("--layout", options.layout), ("--corners", options.corners)):
        if given and len(given) != count:
            raise UsageError(
                "usage",
                "{option} is given for {given} of {photos} photos: give it once for each, in "
                "their order",
                option,
                option=option,
                given=len(given),
                photos=count,
            )
    laid = options.layout or options.faces or options.corners or options.shop_at
    if options.groups is not None and (count != 1 or laid):
        raise UsageError(
            "usage",
            "--groups takes one photo of a table, and neither --layout, --faces, --corners nor "
            "--shop-at",
            "--groups",
        )
    if options.up is not None and options.groups is None and not options.layout:
        raise UsageError(
            "usage",
            "--up says how the tiles of groups or layouts lie: give --groups or --layout, or leave "
            "it out",
            "--up",
        )
    beside = laid or options.groups is not None or options.description or options.board
    if options.corrections and (count != 1 or beside):
        raise UsageError(
            "usage",
            "--set takes one photo of a table, and beside it --edition, --game, --add and "
            "--replace alone",
            "--set",
        )
    if options.layout and options.faces:
        raise UsageError("usage", "--layout and --faces say the same: leave one out", "--faces")
    if not options.photos and options.board is None:
        raise UsageError("usage", "no photo is given: name one, or --board", _("command line"))


def _source(options: argparse.Namespace) -> Source:
    """What the lesson begins with."""
    name, game = options.edition, options.game
    if options.add:
        if options.description is not None:
            raise UsageError(
                "usage",
                "--add keeps the description of the edition: leave out --description",
                "--description",
            )
        if name in stored_names() and game is None:
            game = edition_game(name)
        return stored_source(load_edition(name, game or GAME))
    if options.description is not None:
        return _of_description(name, game, options.description)
    game = game or GAME
    if game not in built_in_games():
        raise UsageError(
            "teach-game",
            "{game} cannot be taught by its name: describe it with --description",
            "--game",
            game=shorten(game),
        )
    return source_of(name, game, add=False)


def _of_description(name: str, game: str | None, path: Path) -> Source:
    """A description of the user's, and such pictures as lie beside it."""
    file = path / DESCRIPTION_FILE if path.is_dir() else path
    read = make_file_reader(file.parent)
    description = parse_description(read(file.name, MAX_DESCRIPTION_BYTES), str(file))
    check_game(description, str(file))
    if game is not None and game != description.game:
        raise UsageError(
            "usage",
            "the description is of {its_game}, not of {game}: leave out --game",
            "--game",
            its_game=description.game,
            game=game,
        )
    description = replace(description, name=name)
    board = description.board
    if board is not None and not (board.image and (file.parent / board.image).is_file()):
        board = None
    pictured = tuple(face for face in description.faces if face.images)
    beside = load_pictures(
        replace(description, faces=pictured, board=board), read, str(file.parent)
    )
    standard = built_in_edition(description.game) if description.game in built_in_games() else None
    return Source(description, Edition(description, {}), beside, standard)


def _lessons(options: argparse.Namespace, source: Source) -> list[Lesson]:
    """What each photo adds to those before."""
    description, shop_at = source.description, options.shop_at
    game = game_called(description.game)
    is_reference = game.taught_on_device and not options.layout
    if shop_at is not None and not is_reference:
        raise UsageError(
            "usage",
            "--shop-at is for the reference grid of {game} alone: leave it out",
            "--shop-at",
            game=GAME,
        )
    lessons: list[Lesson] = []
    layouts = _layouts(options, description)
    up = _side(options)
    for number, (path, layout) in enumerate(zip(options.photos, layouts, strict=True)):
        learn = partial(
            learn_layout,
            description,
            load_photo(path),
            floats(options.corners[number]) if options.corners else None,
            layout,
            lessons[-1].edition if lessons else source.learned,
            is_reference=is_reference,
            shop_at=None if shop_at is None else PhotoCorner(shop_at),
        )
        lesson = _learned_if_sure(partial(learn, up=up), sure=options.sure)
        if not lesson.way_up_known and _somebody_is_there():
            side = _asked_side()
            # A person has said by now that all else is right
            lesson = learn(up=side, sure=True)
        lessons.append(lesson)
    return lessons


def _learned_if_sure(learn: Callable[..., T], *, sure: bool) -> T:
    """Learn from a photo; where it does not seem to show what was said, ask whether it does.

    Args:
        learn: Takes ``sure``, whether a person has said that it does.
        sure: Whether the options say so.

    Raises:
        UsageError: ``teach-doubtful``, if nobody says that it does.
    """
    try:
        return learn(sure=sure)
    except EditionError as error:
        if error.code != "teach-doubtful":
            raise
        refusal = UsageError(
            error.code,
            "the photo does not seem to fit, {doubts}: correct what was said, or learn it all the "
            "same with --sure",
            error.where,
            **error.values,
        )
    question = _("Is all of this right? Then type yes to learn it.")
    doubts = refusal.values["doubts"]
    said = translate(doubts) if isinstance(doubts, Message) else str(doubts)
    if not confirm(f"{refusal.where}: {said}\n{question}", refusal):
        raise refusal
    return learn(sure=True)


def _somebody_is_there() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _side(options: argparse.Namespace) -> Side | None:
    return None if options.up is None else Side[options.up.upper()]


def _facts(lessons: Sequence[Lesson]) -> Iterator[str]:
    """How well the photos show the tiles, and which of these may be hard to tell apart."""
    if not lessons:
        return
    smallest = min(lesson.tile_px for lesson in lessons)
    yield _("The smallest tile is {pixels} pixels wide.").format(pixels=round(smallest))
    alike = [lesson.most_alike for lesson in lessons if lesson.most_alike]
    if alike:
        first, second, share = max(alike, key=lambda each: each[2])
        yield _("Most alike are {first} and {second}: {percent} %.").format(
            first=first, second=second, percent=round(100 * share)
        )


def _learned_by_corrections(options: argparse.Namespace) -> Edition:
    """An edition, or a copy of the built-in one, that knows some tiles of a table, too."""
    if options.add:
        edition = load_edition(options.edition, options.game)
    else:
        edition = named(built_in_edition(options.game or GAME), options.edition)
    description = edition.description
    if description.tile_cells != (1, 1):
        raise UsageError(
            "usage", "a tile of this game has several fields: use --faces or --layout", "--set"
        )
    corrections = [parse_correction(text, description) for text in options.corrections]
    if not all(each.place.kind is PlaceKind.TILE and each.said for each in corrections):
        raise UsageError("usage", "only tiles can be learned: leave out all else", "--set")
    _check_agreement(corrections)
    photo, reading = read_file(options.photos[0], edition)
    if not reading.grids:
        raise UsageError(
            "teach-nothing-known",
            "nothing that the edition knows was found in the photo: teach a new look by its "
            "arrangement or with --groups, single tiles after that",
            photo.name,
        )
    corrected(reading, description, corrections)  # refuses places that there are not
    return taught_by(edition, photo, reading, corrections)


def _check_agreement(corrections: Sequence[Correction]) -> None:
    """Refuse two faces for one tile: both would be learned, whereas of a scan the last counts."""
    said: dict[Place, str] = {}
    for each in corrections:
        if said.setdefault(each.place, str(each.said)) != each.said:
            raise UsageError(
                "correction-contradictory",
                "{place} is said to be {first} and {second}: leave one out",
                f"--set {each}",
                place=str(each).partition("=")[0].strip().upper(),
                first=said[each.place],
                second=str(each.said),
            )


def _learned_by_groups(source: Source, options: argparse.Namespace) -> Edition | None:
    """Learn from any finished table, its tiles in groups that are named, such as ``1=park``.

    Without names a person is asked, who sees the groups in a picture; None: nobody is there.
    """
    description, photo, named = source.description, load_photo(options.photos[0]), options.groups
    groups = _learned_if_sure(partial(groups_in, description, photo), sure=options.sure)
    count = len(groups.groups)
    known = [face.name for face in description.faces]
    names = _group_names(named, count, known)
    if not names:
        sheet = Path(f"{options.edition}-groups.png")
        try:
            write_file(sheet, encode_png(groups_sheet(photo, groups)), 0o644)
        except OSError as error:
            raise OutputError(
                "output-not-writable",
                "the file cannot be written ({why}): make room, or check the permissions",
                str(sheet),
                why=system_reason(error),
            ) from error
        print_lines(*_about_groups(groups, sheet))
        if not _somebody_is_there():
            example = " ".join(f"{n}={name}" for n, name in enumerate(known[:2], 1))
            said = _("Name them, those of one face alike: --groups {example}")
            print_lines(said.format(example=example))
            return None
        names = _asked(count, known)
    if not names:
        raise UsageError("usage", "no group has a name: nothing is learned", "--groups")
    up = _side(options) or groups_up(source, photo, groups, names)
    if up is None and not named:
        up = _asked_side()
    if up is None:
        print_lines(
            _(
                "This look is new, so the way up cannot be read: the tiles are learned as the "
                "picture of the groups shows them. If they do not stand upright there, learn them "
                "anew with --up left, --up bottom or --up right, wherever their top is."
            )
        )
    learn = partial(learn_groups, description, photo, groups, names, source.learned, up or Side.TOP)
    return _learned_if_sure(learn, sure=options.sure)


def _about_groups(groups: Clusters, sheet: Path) -> Iterator[str]:
    """Say where the groups are to be seen, and which may hold tiles of several faces."""
    count = len(groups.groups)
    yield _n("{n} group of tiles: {path}", "{n} groups of tiles: {path}", count, path=sheet)
    if groups.mixed:
        numbers = ", ".join(str(number + 1) for number in groups.mixed)
        yield _("Tiles differ in a detail in groups: {numbers}").format(numbers=numbers)
    yield _(
        "Leave out a group that shows two faces: those that differ by one sign alone are told "
        "apart only if they are taught with --layout, which says what lies where."
    )


def _group_names(texts: Sequence[str], count: int, known: Sequence[str]) -> dict[int, str]:
    """The faces of groups by their numbers from 0."""
    names: dict[int, str] = {}
    for number, name in (_group_name(text, count, known) for text in texts):
        if names.setdefault(number, name) != name:
            raise UsageError(
                "usage",
                "group {number} is said to be {first} and {second}: leave one out",
                "--groups",
                number=number + 1,
                first=names[number],
                second=name,
            )
    return names


def _group_name(text: str, count: int, known: Sequence[str]) -> tuple[int, str]:
    """The number from 0 and the face of a group, written ``1=park``."""
    number, found, name = text.partition("=")
    if not found or not number.isdecimal() or not 1 <= int(number[:6]) <= count:
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
            "there is no face {name}: {advice}",
            "--groups",
            name=shorten(name),
            advice=suggest_name(name, known),
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
            print_lines(suggest_name(name, known))
        if name:
            names[number] = name
    return names


def _asked_side() -> Side:
    """Where the tops of the tiles are, as a person types it; an empty line: where they belong."""
    sides = {side.name.lower(): side for side in Side}
    while True:
        try:
            said = input(
                _("Where are the tops of these tiles? {sides} [top]: ").format(
                    sides=", ".join(sides)
                )
            ).strip()
        except EOFError:
            return Side.TOP
        if not said or said in sides:
            return sides[said or "top"]
        print_lines(suggest_name(said, list(sides)))


def _layouts(options: argparse.Namespace, description: Description) -> list[Layout]:
    """What each photo shows."""
    if options.layout:
        known = [face.name for face in description.faces]
        return [
            parse_layout(
                make_file_reader(path.parent)(path.name, MAX_LAYOUT_BYTES), str(path), known
            )
            for path in options.layout
        ]
    if not options.photos:
        return []
    arrangements = game_called(description.game).arrangements(description)
    if not arrangements:
        raise UsageError(
            "teach-layout-needed",
            "nothing says what lies where: write it down for each photo in a file for --layout",
            "--layout",
        )
    names = options.faces or list(arrangements)
    if len(names) == 1:  # further photos show the same once more
        names = names * len(options.photos)
    for name in names:
        if name not in arrangements:
            raise UsageError(
                "usage",
                "there is no arrangement {name}: {advice}",
                "--faces",
                name=name,
                advice=suggest_name(name, list(arrangements)),
            )
    if len(names) != len(options.photos):
        raise UsageError(
            "usage",
            "the number of photos is {photos}, that of arrangements {arrangements}: say with "
            "--faces which each photo shows, of {known}",
            "--faces",
            photos=len(options.photos),
            arrangements=len(names),
            known=", ".join(arrangements),
        )
    return [arrangements[name] for name in names]


def _board(description: Description, options: argparse.Namespace) -> Image:
    photo = load_photo(str(options.board))
    if options.board_corners is None:
        raise UsageError(
            "usage",
            "the corners of the board are not given: add --board-corners",
            "--board-corners",
        )
    return learn_board(description, photo, floats(options.board_corners))


def _check_complete(edition: Edition, name: str) -> None:
    missing = [] if edition.model is not None else untaught(edition)
    if missing:
        raise EditionError(
            "teach-missing-faces",
            "no photo shows {faces}: add a photo and layout that do, or take them out of the "
            "description",
            name,
            faces=list_names(missing),
        )
    board = edition.description.board
    if board is not None and edition.board is None and not (edition.model and edition.model.rim):
        raise EditionError(
            "teach-missing-board", "no photo shows the empty board: add --board", name
        )


def _not_own(learned: Edition, source: Source) -> list[str]:
    """What still looks as in the built-in edition."""
    if source.standard is None:
        return []
    drawn, others = source.standard.pictures, source.others.pictures
    faces = [
        name for name in untaught(learned) if name in drawn and are_same(others[name], drawn[name])
    ]
    is_drawn = learned.board is None and is_board_of(source.others, source.standard)
    return [*faces, _("the board")] if is_drawn else faces


def _lines(
    edition: Edition, lessons: Sequence[Lesson], not_own: Sequence[str], sheet: str
) -> list[str]:
    if not _knows_faces(edition):
        said = _(
            "The board of edition {name} is learned. It knows no tile yet: teach photos of "
            "tiles with --add, each with a --layout that says what lies where."
        )
        return [said.format(name=edition.name)]
    lines = [
        _n(
            "Learned edition {name}: {faces} faces, {n} picture.",
            "Learned edition {name}: {faces} faces, {n} pictures.",
            sum(map(len, edition.pictures.values())),
            name=edition.name,
            faces=sum(1 for of_face in edition.pictures.values() if of_face),
        ),
        *_facts(lessons),
    ]
    if missing := untaught(edition):
        said = _("No photo shows {faces}: tiles like these will be asked about.")
        lines.append(said.format(faces=list_names(missing)))
    if not_own:
        said = _("Not taught yet, still as built in: {faces}")
        lines.append(said.format(faces=list_names(not_own)))
    if not all(lesson.way_up_known for lesson in lessons):
        lines.append(
            _(
                "The look is new, so the way up cannot be read: the tops of the tiles were taken "
                "to lie at the top of the photo. If they do not, learn it anew with --replace and "
                "--up left, --up bottom or --up right."
            )
        )
    return [
        *lines,
        _("The look is known, so the order of the tiles was checked.")
        if lessons and all(lesson.all_known for lesson in lessons)
        else _("Check on the contact sheet that each tile has its name."),
        _("Contact sheet: {path}").format(path=sheet),
        _("Use it with --edition {name}.").format(name=edition.name),
    ]
