"""Write a drawn edition into a folder."""

from pathlib import Path

import cv2

from vision.arrays import Image
from vision.editions.description_text import description_toml
from vision.editions.edition import Edition
from vision.editions.folder import DESCRIPTION_FILE


def write_edition(folder: Path, edition: Edition) -> None:
    """Write ``edition.toml`` and the pictures that it names, as small as PNG makes them.

    Args:
        folder: for the files; made if missing.
        edition: with one picture of each face.
    """
    folder.mkdir(parents=True, exist_ok=True)
    description = edition.description
    (folder / DESCRIPTION_FILE).write_text(description_toml(description), encoding="utf-8")
    for face in description.faces:
        for name, picture in zip(face.images, edition.pictures[face.name], strict=True):
            _write_png(folder / name, picture)
    if description.board is not None and edition.board is not None:
        _write_png(folder / description.board.image, edition.board)


def _write_png(path: Path, picture: Image) -> None:
    _, data = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    path.write_bytes(data.tobytes())
