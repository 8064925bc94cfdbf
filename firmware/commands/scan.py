"""``stadtblick scan``: score sheet of a photo."""

import argparse
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware.base.errors import ExitCode, UsageError
from firmware.base.language import N_, _
from firmware.commands.options import (
    add_output_options,
    add_reading_options,
    added_by_better,
    check_better,
    fill_in_defaults,
    load_chosen_edition,
)
from firmware.games.registry import game_or_unscored
from firmware.games.scan import Scan
from firmware.games.scoring_options import ScoringOptions
from vision.message import Message

if TYPE_CHECKING:
    from firmware.scan.corrections import Correction
    from vision.editions.description import Description
    from vision.editions.edition import Edition
    from vision.photo.load import Photo
    from vision.reading import Reading

EPILOG: Final = N_("""\
examples:
  stadtblick scan table.jpg
  stadtblick scan table.jpg --set A:3,4=park --set B:1,1=tavern-music
  stadtblick scan table.jpg --players Red,Green,Blue --reasons
  stadtblick scan table.jpg --variant two-player --owners 0,1,1,0
  stadtblick scan table.jpg --out result     annotated photo and screens, too
  stadtblick scan cities.jpg --game cities --level 2 --set A:3,4=park --set A:tourist:3,4=no
  stadtblick scan board.jpg --game city-blocks --set 3,4=blue-house-3 --set row:3=value-7
  stadtblick scan board.jpg --game dice-board --set 5,8=none
  stadtblick scan a.jpg b.jpg c.jpg          one table from several photos
  stadtblick scan a.jpg b.jpg c.jpg --order A,C,B,D

Cities are called A, B, C, … clockwise, beginning at 6 o'clock; rows and columns count from 1 at
the top left of a city or board as it is read upright. Without --game, an edition that is named
says which game it is.

Several photos make one table: a city that two of them show counts once. If they do not show the
order of the cities, it is asked. --order and --set mean the letters that are printed without
--order.
""")


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "photos",
        metavar=_("PHOTO"),
        nargs="+",
        help=_("JPEG, PNG or HEIC of the whole table, or several that show it part by part"),
    )
    add_reading_options(parser)
    parser.add_argument(
        "--set",
        dest="corrections",
        metavar=_("CITY:ROW,COL=FACE"),
        action="append",
        default=[],
        help=_(
            "correct a tile, like A:3,4=park; 'none': no tile there; may be repeated, and of one "
            "place the last counts; A:tourist:3,4=yes or =no: a figure; row:3=value-7, "
            "blue:1=none: a piece beside a board"
        ),
    )
    parser.add_argument(
        "--order",
        metavar="A,C,B",
        help=_("cities clockwise, where the photos do not show it; A=D: seen twice, one city"),
    )
    parser.add_argument(
        "--owners",
        metavar="P,P,P,P",
        help=_("two players: who owns cities A, B, C and D, 0 or 1 each, like 0,1,1,0"),
    )
    parser.add_argument(
        "--players",
        metavar=_("NAME,NAME,..."),
        help=_("names, clockwise by seat; in other games in the order of the cities or colours"),
    )
    parser.add_argument(
        "--out", metavar=_("DIR"), type=Path, help=_("write photo, screens and JSON there")
    )
    add_output_options(parser)


def run(options: argparse.Namespace) -> ExitCode:
    """Read photos, score their table, print the sheet; for a game without rules the reading.

    If a table cannot be scored, the folder of ``--out`` gets its reading. A folder that cannot be
    written is reported after the sheet is printed.
    """
    from firmware.scan.corrections import parse_correction

    scoring = fill_in_defaults(options)
    edition = load_chosen_edition(options)
    scoring = _scoring_options(options, scoring)
    check_better(options, game_or_unscored(options.game))
    corrections = [parse_correction(text, edition.description) for text in options.corrections]
    if options.out is not None:
        from firmware.base.output_folder import prepare_folder
        from firmware.report.result_folder import SCREENS_FOLDER

        prepare_folder(options.out, SCREENS_FOLDER)
    photo, reading = _read(options, edition)
    table = _ReadTable(photo, reading, edition.description, corrections, scoring)
    if options.order is not None:
        table = _put_in_order(table, options)
    scan = _score(table, options)
    try:
        _print(scan, options)
    finally:  # even if the reader has closed the pipe
        if options.out is not None:
            from firmware.report.result_folder import write_results

            write_results(options.out, photo, scan)
    return ExitCode.NEEDS_A_PERSON if scan.needs_a_person else ExitCode.DONE


@dataclass(frozen=True, slots=True)
class _ReadTable:
    """Table as read, with what the options say of it."""

    photo: "Photo"
    reading: "Reading"
    description: "Description"
    corrections: Sequence["Correction"]
    scoring: ScoringOptions


def _scoring_options(options: argparse.Namespace, scoring: ScoringOptions) -> ScoringOptions:
    """Add the names and owners that the options give."""
    if options.players is not None:
        names = unicodedata.normalize("NFC", options.players).split(",")
        scoring = replace(scoring, players=tuple(name.strip() for name in names))
    if options.owners is None:
        return scoring
    game = game_or_unscored(options.game)
    if not game.has_owners:
        raise UsageError(
            "usage",
            "{game} has no owners of cities: leave out --owners",
            "--owners",
            game=options.game,
        )
    return replace(scoring, owners=game.parse_owners(options.owners, scoring))


def _read(options: argparse.Namespace, edition: "Edition") -> "tuple[Photo, Reading]":
    """Read the photo, or join several; no calibration fits photos from several places."""
    from firmware.scan.make_scan import default_reader, read_file

    paths = options.photos
    if len(paths) == 1:
        return read_file(
            paths[0], edition, options.reader or default_reader(calibrated=options.calibrated)
        )

    from functools import partial

    from firmware.scan.read_photos import PhotoSource, read_photos
    from vision.joining.picture import MAX_PHOTOS
    from vision.photo.load import load_photo

    if len(paths) > MAX_PHOTOS:
        raise UsageError(
            "too-many-photos",
            "{given} photos, but one table may have {most}: leave out those that show nothing new",
            _("command line"),
            given=len(paths),
            most=MAX_PHOTOS,
        )
    sources = [PhotoSource(path, partial(load_photo, path)) for path in paths]
    return read_photos(sources, edition, options.reader or default_reader(calibrated=False))


def _put_in_order(table: _ReadTable, options: argparse.Namespace) -> _ReadTable:
    """Return the table with its cities in the order of ``--order``."""
    from firmware.scan.city_order import apply_order

    if table.reading.join is None and not game_or_unscored(options.game).seats_matter(
        table.scoring
    ):
        raise UsageError(
            "usage",
            "in {game} the order of the cities decides nothing: leave out --order",
            "--order",
            game=options.game,
        )
    ordered = apply_order(options.order, table.reading, table.corrections, table.description)
    return replace(
        table,
        reading=ordered.reading,
        corrections=ordered.corrections,
        scoring=replace(table.scoring, order=ordered.order),
    )


def _score(table: _ReadTable, options: argparse.Namespace) -> Scan:
    """Score a table; if that is refused, write its reading into the folder, if one is given."""
    from firmware.scan.corrections import check_pieces
    from firmware.scan.make_scan import make_scan

    reading, description, corrections = table.reading, table.description, table.corrections
    try:
        check_pieces(reading, description, corrections)
        return make_scan(reading, description, corrections=corrections, options=table.scoring)
    except UsageError as error:
        if options.out is not None:
            from firmware.report.result_folder import write_results

            write_results(options.out, table.photo, _unscored(table))
        reworded = _reworded(error, table)
        if not reading.grids and not options.names_game:
            reworded = UsageError(
                error.code,
                "{problem}; it was read as {game}: name another game with --game",
                error.where,
                problem=Message(reworded.template, **reworded.values),
                game=options.game,
            )
        if reworded is error:
            raise
        raise reworded from error


def _reworded(error: UsageError, table: _ReadTable) -> UsageError:
    """Return the error, with the options and commands that help."""
    from firmware.report.text import teaching_command

    if error.code != "tiles-differ":
        return error
    return UsageError(
        error.code,
        "tiles lie here that look different from those of edition {name}, {places}: choose "
        "their edition with --edition, or teach them with {command}",
        error.where,
        command=teaching_command(table.description, table.reading),
        **error.values,
    )


def _unscored(table: _ReadTable) -> Scan:
    """Return the scan without a sheet, leaving out corrections and options that are refused."""
    from firmware.scan.corrections import check_pieces
    from firmware.scan.make_scan import make_unscored_scan

    reading, description, scoring = table.reading, table.description, table.scoring
    with suppress(UsageError):
        check_pieces(reading, description, table.corrections)
        return make_unscored_scan(
            reading, description, corrections=table.corrections, options=scoring
        )
    with suppress(UsageError):
        return make_unscored_scan(
            reading, description, options=replace(scoring, players=None, owners=None)
        )
    return make_unscored_scan(reading, description)


def _print(scan: Scan, options: argparse.Namespace) -> None:
    """Print the sheet, as JSON or as text."""
    from firmware.base.terminal import standard_output, write_json
    from firmware.report.text import print_scan
    from firmware.scan.json_output import scan_json

    if options.json:
        write_json(scan_json(scan) | added_by_better(options, scan.game, scan.table))
        return
    with standard_output() as console:
        print_scan(console, scan, reasons=options.reasons)
        if options.better and scan.game is not None:
            scan.game.print_better(console, scan.table)
