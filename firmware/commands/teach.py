"""``stadtblick teach``: learn an edition from photos of tiles, and of what lies where in them."""

import argparse
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from firmware.base.errors import ExitCode, UsageError, as_typed, shorten
from firmware.base.language import N_, _
from firmware.base.terminal import print_lines
from firmware.commands.options import check_not_alone
from firmware.commands.teach_groups import learn_from_groups
from firmware.commands.teach_layouts import cut_empty_board, learn_from_layouts
from firmware.commands.teach_terminal import report_lines
from firmware.scan.corrections import Correction, apply_corrections, parse_correction
from firmware.scan.make_scan import read_file
from firmware.teaching.session import (
    TeachingSession,
    learn_corrections,
    resume_session,
    start_described_session,
    start_session,
)
from firmware.teaching.user_editions import (
    CONTACT_SHEET_FILE,
    check_edition_name,
    edition_game,
    edition_stamp,
    load_edition,
    rename_edition,
    save_edition,
    stored_names,
)
from firmware.wording.places import Naming
from vision.editions.edition import BETWEEN_TWO_CITIES, Edition, EditionError
from vision.editions.folder import (
    DESCRIPTION_FILE,
    built_in_edition,
    built_in_games,
)
from vision.reading import Place, PlaceKind
from vision.teaching.learn_layout import LearnedLayout, list_untaught_faces
from vision.teaching.orientation import TopSide
from vision.teaching.reference_grid import PhotoCorner

EPILOG: Final = N_("""\
examples, Between Two Cities:
  stadtblick teach faces.jpg --edition my-copy
  stadtblick teach day.jpg lamp.jpg --edition my-copy   more photos add examples
  stadtblick teach later.jpg --edition my-copy --add
  stadtblick teach table.jpg --edition my-copy --groups   any finished game: name its tiles
  stadtblick teach table.jpg --edition my-copy --add --set B:3,4=park   a tile read wrong
  stadtblick scan table.jpg --edition my-copy

Lay one single tile of each kind as 3 x 3, edge to edge and all upright:
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

docs/editions.md says how to lay the tiles of each game, docs/own-games.md how to describe your own.
""")


_MAX_COORDINATE: Final = 1e6
"""Largest coordinate of a corner in pixels."""


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
        help=_("the game of these tiles (default: between-two-cities, or that of the description)"),
    )
    _add_arrangement_options(parser)
    _add_layout_options(parser)
    _add_table_options(parser)
    parser.add_argument("--board", metavar=_("PHOTO"), help=_("photo of the empty board"))
    parser.add_argument(
        "--board-corners",
        metavar="X,Y",
        type=_parse_point,
        nargs=4,
        help=_("its corners in that photo"),
    )
    present = parser.add_mutually_exclusive_group()
    present.add_argument("--add", action="store_true", help=_("add examples to an edition"))
    present.add_argument("--replace", action="store_true", help=_("teach an edition again"))


def _add_arrangement_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a photo that shows a reference arrangement of its game."""
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


def _add_layout_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a photo that comes with a text of what lies where."""
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
        help=_("a text for each photo: which kind lies where"),
    )
    parser.add_argument(
        "--corners",
        metavar="X,Y",
        type=_parse_point,
        nargs=4,
        action="append",
        default=[],
        help=_("corners of the layout in pixels, from its top left clockwise; once for each photo"),
    )


def _add_table_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a photo of a finished game, and those shared with layouts."""
    parser.add_argument(
        "--groups",
        metavar=_("N=NAME"),
        nargs="*",
        help=_(
            "learn from any finished game: its tiles are put into groups of one kind; give the "
            "kind of each group, as in 1=park 2=shop, or be asked for it"
        ),
    )
    parser.add_argument(
        "--up",
        metavar=_("SIDE"),
        choices=[side.name.lower() for side in TopSide],
        help=_(
            "top, left, bottom or right: where the tops of the tiles are in the photo of a layout "
            "or in the picture of the groups, if the look is quite new and its tiles all lie one "
            "way up (default: top)"
        ),
    )
    parser.add_argument(
        "--sure",
        action="store_true",
        help=_("learn the photo even if it does not seem to match the layout or names given"),
    )
    parser.add_argument(
        "--set",
        dest="corrections",
        metavar=_("CITY:ROW,COL=FACE"),
        action="append",
        default=[],
        help=_("learn only this tile of a game, like A:3,4=park; may be repeated"),
    )


def run(options: argparse.Namespace) -> ExitCode:
    """Learn an edition and store it; nothing is stored if anything is wrong."""
    _check_options(options)
    before = _description_stamp(options.edition)
    if options.corrections:
        edition = _learn_corrections(options)
        folder = _save(edition, options, before)
        print_lines(*report_lines(edition, [], [], folder / CONTACT_SHEET_FILE))
        return ExitCode.DONE
    session = _start(options)
    learned_layouts: list[LearnedLayout] = []
    if options.groups is not None:
        from_groups = learn_from_groups(session, options)
        if from_groups is None:
            return ExitCode.NEEDS_A_PERSON
        learned = from_groups
    else:
        learned_layouts = learn_from_layouts(session, options)
        learned = learned_layouts[-1].edition if learned_layouts else session.learned
    if options.board is not None:
        board = cut_empty_board(session.description, options)
        learned = replace(
            learned, board_picture=board, model=learned.model and learned.model.without_board()
        )
    edition = session.complete(learned)
    _refuse_without_board(edition, options.edition)
    built_in_parts = _list_built_in_parts(session, learned)
    folder = _save(edition, options, before)
    print_lines(
        *report_lines(edition, learned_layouts, built_in_parts, folder / CONTACT_SHEET_FILE)
    )
    needs_more = (
        built_in_parts
        or not any(edition.pictures.values())
        or not all(each.way_up_known for each in learned_layouts)
        or (options.groups is not None and list_untaught_faces(edition))
    )
    return ExitCode.NEEDS_A_PERSON if needs_more else ExitCode.DONE


def _save(edition: Edition, options: argparse.Namespace, before: object) -> Path:
    """Store the edition, unless one that was added to has been changed meanwhile."""
    if options.add and _description_stamp(options.edition) != before:
        raise UsageError(
            "edition-changed",
            "the edition {name} was changed meanwhile, so nothing is learned: teach it once more",
            "--add",
            name=options.edition,
        )
    return save_edition(edition, replace=options.add or options.replace)


def _description_stamp(name: str) -> object:
    """Return name, size and time of the description, which is written at each change."""
    return [each for each in edition_stamp(name) if each[0] == DESCRIPTION_FILE]


def _parse_point(text: str) -> tuple[float, float]:
    """Parse a point written ``x,y``."""
    parts = text.split(",")
    try:
        x, y = (float(part) for part in parts)
    except ValueError:
        x = y = math.nan
    if not (abs(x) < _MAX_COORDINATE and abs(y) < _MAX_COORDINATE):  # nan is not less, either
        message = _("{point} is no point, write it like 505,825 without blanks")
        raise argparse.ArgumentTypeError(message.format(point=shorten(text)))
    return x, y


def _check_options(options: argparse.Namespace) -> None:
    """Refuse an edition that would be overwritten, and options that do not go together."""
    check_edition_name(options.edition)
    if options.edition in stored_names() and not (options.add or options.replace):
        raise UsageError(
            "edition-exists",
            "there is an edition {name} already: choose another name, add examples with --add or "
            "teach it again with --replace",
            "--edition",
            name=options.edition,
        )
    _check_once_a_photo("--layout", options.layout, options)
    _check_once_a_photo("--corners", options.corners, options)
    _check_table_options(options)
    if options.layout and options.faces:
        raise UsageError("usage", "--layout and --faces say the same: leave one out", "--faces")
    if not options.photos and options.board is None:
        raise UsageError("usage", "no photo is given: name one, or --board", _("command line"))
    check_not_alone("--board-corners", options.board_corners, "--board", options.board)
    for option, given in (
        ("--faces", options.faces),
        ("--shop-at", options.shop_at),
        ("--sure", options.sure),
    ):
        check_not_alone(option, given, _("PHOTO"), options.photos)


def _check_once_a_photo(option: str, values: Sequence[object], options: argparse.Namespace) -> None:
    """Refuse an option that is given, but not once for each photo."""
    if values and len(values) != len(options.photos):
        raise UsageError(
            "usage",
            "{option}: {given}, photos: {photos}; give it once for each photo, in their order",
            option,
            option=option,
            given=len(values),
            photos=len(options.photos),
        )


def _check_table_options(options: argparse.Namespace) -> None:
    """Refuse ``--groups``, ``--up`` or ``--set`` beside options that it excludes."""
    has_one_photo = len(options.photos) == 1
    layout_options = options.layout or options.faces or options.corners or options.shop_at
    board_options = options.board or options.board_corners
    if options.groups is not None and (layout_options or board_options or not has_one_photo):
        raise UsageError(
            "usage",
            "--groups takes one photo of a game, and neither --layout, --faces, --corners, "
            "--shop-at nor --board",
            "--groups",
        )
    if options.up is not None and options.groups is None and not options.layout:
        raise UsageError(
            "usage",
            "--up says how the tiles of groups or layouts lie: give --groups or --layout, or leave "
            "it out",
            "--up",
        )
    other_options = (
        layout_options or board_options or options.groups is not None or options.description
    )
    if options.corrections and (other_options or options.sure or not has_one_photo):
        raise UsageError(
            "usage",
            "--set takes one photo of a game, and beside it only --edition, --game, --add and "
            "--replace",
            "--set",
        )


def _start(options: argparse.Namespace) -> TeachingSession:
    """Start to add to a stored edition, or to teach one of a known or a described game."""
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
        return resume_session(load_edition(name, game or BETWEEN_TWO_CITIES))
    if options.description is not None:
        return start_described_session(name, game, options.description)
    game = game or BETWEEN_TWO_CITIES
    if game not in built_in_games():
        raise UsageError(
            "teach-game",
            "{game} cannot be taught by its name: describe it with --description",
            "--game",
            game=shorten(game),
        )
    return start_session(name, game, add=False)


def _learn_corrections(options: argparse.Namespace) -> Edition:
    """Learn the tiles of ``--set``, adding to a stored edition or to a copy of the built-in one."""
    if options.add:
        edition = load_edition(options.edition, options.game)
    else:
        edition = rename_edition(
            built_in_edition(options.game or BETWEEN_TWO_CITIES), options.edition
        )
    description = edition.description
    if description.tile_cells != (1, 1):
        raise UsageError(
            "usage", "a tile of this game has several fields: use --faces or --layout", "--set"
        )
    corrections = [parse_correction(text, description) for text in options.corrections]
    if not all(each.place.kind is PlaceKind.TILE and each.content for each in corrections):
        raise UsageError("usage", "only tiles can be learned: leave out everything else", "--set")
    _check_agreement(corrections)
    photo, reading = read_file(options.photos[0], edition)
    if not reading.grids:
        raise UsageError(
            "teach-nothing-known",
            "nothing that the edition knows was found in the photo: teach a new look by its "
            "arrangement or with --groups, single tiles after that",
            photo.name,
        )
    apply_corrections(reading, description, corrections)  # refuses places that do not exist
    return learn_corrections(edition, photo, reading, corrections)


def _check_agreement(corrections: Sequence[Correction]) -> None:
    """Refuse two faces for one tile; a scan takes the last, but here both would be learned."""
    faces: dict[Place, str] = {}
    for each in corrections:
        if faces.setdefault(each.place, str(each.content)) != each.content:
            raise UsageError(
                "correction-contradictory",
                "{place} is named both {first} and {second}: leave one out",
                as_typed("--set", each.written),
                place=Naming(each.lettered).written_place(each.place),
                first=faces[each.place],
                second=str(each.content),
            )


def _refuse_without_board(edition: Edition, name: str) -> None:
    """Refuse an edition of a game with a printed board that does not know the board."""
    board = edition.description.board
    if (
        board is not None
        and edition.board_picture is None
        and not (edition.model and edition.model.rim)
    ):
        raise EditionError(
            "teach-missing-board", "no photo shows the empty board: add --board", name
        )


def _list_built_in_parts(session: TeachingSession, learned: Edition) -> list[str]:
    """List the faces whose pictures are still the built-in ones, and the board if its is."""
    faces = [name for name in list_untaught_faces(learned) if session.is_built_in_face(name)]
    if learned.board_picture is None and session.is_built_in_board():
        return [*faces, _("the board")]
    return faces
