"""``stadtblick scan``: a photo to a score sheet."""

from collections.abc import Sequence
from pathlib import Path

from firmware.corrections import Correction, apply_corrections
from firmware.errors import ExitCode, UsageError
from firmware.output import scan_json
from firmware.result_folder import prepare_folder, write_reading, write_results
from firmware.scan import Eye, check_edition, read_file, score_reading, table_of
from firmware.scan_text import print_scan
from firmware.terminal import printing, write_json
from scoring.games.between_two_cities.table import Variant


def run(
    photo: str,
    *,
    variant: Variant = Variant.STANDARD,
    edition: str | None = None,
    corrections: Sequence[Correction] = (),
    owners: tuple[int, ...] | None = None,
    players: tuple[str, ...] | None = None,
    out: Path | None = None,
    as_json: bool = False,
    reasons: bool = False,
    calibrated: bool = True,
    eye: Eye | None = None,
) -> ExitCode:
    """Read a photo, score it, print the sheet.

    Args:
        photo: path of the photo.
        variant: how the players share the cities.
        edition: whose look the tiles have; None: the usual one.
        corrections: what a person knows better than the eye.
        owners: two players only: who owns each city; None: as the cities show it.
        players: names in seat order.
        out: folder for the annotated photo, the screens and the JSON.
        as_json: print JSON instead of text.
        reasons: also print why each point is given.
        calibrated: whether to use the stored calibration.
        eye: what reads the photo; None: the real one.

    Raises:
        VisionError: the photo cannot be used.
        UsageError: what the photo shows cannot be scored; the folder has then what was read.
        OutputError: the folder cannot be written; the sheet has been printed nevertheless.
    """
    check_edition(edition)
    if out is not None:
        prepare_folder(out)
    loaded, reading = read_file(photo, eye, edition, calibrated=calibrated)
    reading = apply_corrections(reading, corrections)
    try:
        scan = score_reading(reading, variant=variant, owners=owners, players=players)
    except UsageError:
        if out is not None:
            write_reading(out, loaded, reading, table_of(reading, variant, owners))
        raise
    try:
        if as_json:
            write_json(scan_json(scan))
        else:
            with printing() as console:
                print_scan(console, scan, reasons=reasons)
    finally:  # even where nobody reads on
        if out is not None:
            write_results(out, loaded, scan)
    return ExitCode.NEEDS_A_PERSON if scan.needs_a_person else ExitCode.DONE
