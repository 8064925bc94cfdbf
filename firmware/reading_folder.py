"""What ``scan --out`` leaves behind where the rules refuse what was read."""

import json
from pathlib import Path

import cv2

from firmware.annotate import annotate
from firmware.errors import OutputError
from firmware.output import reading_json
from firmware.result_folder import ANNOTATED_FILE, READING_FILE, _at_decoded_size
from scoring.table import Table
from vision.photo import Photo
from vision.reading import Reading


def write_reading(folder: Path, photo: Photo, reading: Reading, table: Table) -> None:
    """Write the annotated photo and the reading, so that a person sees what to put right.

    Args:
        folder: as ``prepare_folder`` made it.
        photo: what was scanned.
        reading: after a person's corrections.
        table: what was refused.

    Raises:
        OutputError: ``out-not-writable``.
    """
    annotated = annotate(photo.image_bgr, _at_decoded_size(reading, photo))
    text = json.dumps(reading_json(reading, table), ensure_ascii=False, indent=2) + "\n"
    try:
        # A file name that is no UTF-8 becomes an escape, which JSON reads back as the same name
        (folder / READING_FILE).write_bytes(text.encode("utf-8", "backslashreplace"))
        (folder / ANNOTATED_FILE).write_bytes(cv2.imencode(".jpg", annotated)[1].tobytes())
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise OutputError(
            "out-not-writable",
            f"what was read cannot be written ({why}): name another folder",
            str(folder),
        ) from error
