"""What ``scan --out`` leaves behind for games known by pictures."""

from pathlib import Path

from firmware.board_games.annotate import annotate_boards
from firmware.board_games.output import board_reading_json, board_scan_json
from firmware.board_games.places_px import at_decoded_size
from firmware.board_games.scan import BoardScan
from firmware.result_folder import check_photo_stays, write_files
from firmware.screens.board_result import board_result_screens
from vision.photo import Photo


def write_board_results(folder: Path, photo: Photo, scan: BoardScan) -> None:
    """Write everything about one scan; each file appears whole or not at all.

    Sheet and screens are left out where nothing was scored. Files of an earlier scan in the same
    folder are replaced or removed; nothing else in it is touched.

    Args:
        folder: as ``firmware.result_folder.prepare_folder`` made it.
        photo: what was scanned.
        scan: what came of it.

    Raises:
        OutputError: ``out-not-writable`` or ``out-is-the-photo``.
    """
    check_photo_stays(folder, photo)
    annotated = annotate_boards(photo.image_bgr, at_decoded_size(scan, photo))
    is_scored = scan.sheet is not None
    write_files(
        folder,
        board_reading_json(scan),
        annotated,
        sheet=board_scan_json(scan) if is_scored else None,
        screens=board_result_screens(scan) if is_scored else (),
    )
