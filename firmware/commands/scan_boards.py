"""``stadtblick scan`` for games known by pictures."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from firmware.board_games.corrections import BoardCorrection, parse_board_correction
from firmware.board_games.eye import BoardEye, load_pictured_edition
from firmware.board_games.options import ScoringOptions
from firmware.board_games.output import board_scan_json
from firmware.board_games.result_folder import write_board_results
from firmware.board_games.scan import (
    BoardScan,
    check_boards,
    read_board_file,
    score_boards,
)
from firmware.board_games.text import print_board_scan
from firmware.errors import ExitCode, UsageError
from firmware.result_folder import prepare_folder
from firmware.terminal import printing, write_json
from vision.editions.description import Description
from vision.reading import Reading


def run(
    photo: str,
    *,
    game: str,
    level: int = 1,
    edition: str | None = None,
    corrections: Sequence[str] = (),
    players: tuple[str, ...] | None = None,
    out: Path | None = None,
    as_json: bool = False,
    reasons: bool = False,
    eye: BoardEye | None = None,
) -> ExitCode:
    """Read a photo, score it, print the sheet; without rules print the reading.

    Args:
        photo: path of the photo.
        game: identifier of the game, or ``reading-only``.
        level: of games that have levels.
        edition: what tiles and board look like; None: the standard one.
        corrections: what a person knows better than the eye, as it was written.
        players: names; None: players are called by their colours.
        out: folder for the annotated photo, the screens and the JSON.
        as_json: print JSON instead of text.
        reasons: also print why each point is given.
        eye: what reads the photo; None: the real one.

    Raises:
        VisionError: the photo or the edition cannot be used.
        UsageError: what the photo shows cannot be scored; the folder has then what was read.
        OutputError: the folder cannot be written; the sheet has been printed nevertheless.
    """
    pictured = load_pictured_edition(edition, game)
    description = pictured.description
    said = tuple(parse_board_correction(text, description) for text in corrections)
    if out is not None:
        prepare_folder(out)
    loaded, reading = read_board_file(photo, pictured, eye)
    options = ScoringOptions(level, players)
    try:
        scan = score_boards(reading, description, corrections=said, options=options)
    except UsageError:
        if out is not None:
            write_board_results(out, loaded, _what_was_read(reading, description, said, level))
        raise
    try:
        if as_json:
            write_json(board_scan_json(scan))
        else:
            with printing() as console:
                print_board_scan(console, scan, reasons=reasons)
    finally:  # even where nobody reads on
        if out is not None:
            write_board_results(out, loaded, scan)
    return ExitCode.NEEDS_A_PERSON if scan.needs_a_person else ExitCode.DONE


def _what_was_read(
    reading: Reading,
    description: Description,
    corrections: Sequence[BoardCorrection],
    level: int,
) -> BoardScan:
    """What a person looks at to put right what was refused; wrong corrections are left out."""
    with suppress(UsageError):
        options = ScoringOptions(level)
        return check_boards(reading, description, corrections=corrections, options=options)
    return check_boards(reading, description)
