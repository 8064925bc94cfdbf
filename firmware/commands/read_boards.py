"""``stadtblick read`` for games known by pictures."""

from collections.abc import Callable, Sequence

from firmware.board_games.eye import BoardEye, load_pictured_edition
from firmware.board_games.options import ScoringOptions
from firmware.board_games.output import board_reading_json
from firmware.board_games.scan import check_boards, read_board_file
from firmware.board_games.text import print_board_reading
from firmware.errors import ExitCode, FirmwareError, Refusal, error_object
from firmware.terminal import printing, write_json
from scoring.errors import ScoringError
from vision.errors import VisionError


def run(
    photos: Sequence[str],
    *,
    report: Callable[[Refusal], None],
    game: str,
    level: int = 1,
    edition: str | None = None,
    as_json: bool = False,
    as_jsonl: bool = False,
    eye: BoardEye | None = None,
) -> ExitCode:
    """Read photos and print what they show; one that is refused does not stop the others.

    Args:
        photos: paths.
        report: shows the error of a refused photo.
        game: identifier of the game, or ``reading-only``.
        level: of games that have levels, for the table in the JSON.
        edition: what tiles and board look like; None: the standard one.
        as_json: print the reading of the only photo as JSON.
        as_jsonl: print a line of JSON a photo; a refused one gives an ``{"error"}`` line with
            the key ``photo`` beside it.
        eye: what reads the photos; None: the real one.

    Raises:
        UsageError: the edition cannot be used.
        DescriptionError: what is wrong with its files.
    """
    pictured = load_pictured_edition(edition, game)
    worst = ExitCode.DONE
    for photo in photos:
        try:
            reading = read_board_file(photo, pictured, eye)[1]
            options = ScoringOptions(level=level)
            scan = check_boards(reading, pictured.description, options=options)
        except (VisionError, ScoringError, FirmwareError) as error:
            worst = ExitCode.REFUSED
            if as_jsonl:
                write_json({**error_object(error), "photo": photo}, indent=None)
            else:
                report(error)
            continue
        if scan.needs_a_person:
            worst = max(worst, ExitCode.NEEDS_A_PERSON)
        if as_json or as_jsonl:
            write_json(board_reading_json(scan), indent=None if as_jsonl else 2)
        else:
            with printing() as console:
                print_board_reading(console, scan)
    return worst
