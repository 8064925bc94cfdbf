"""Render drawings again as the pictures that the eye knows, after a drawing was changed.

``python -m tests.render_drawings GAME FACE...``, such as ``cities tile-7`` or ``dice-board board``.
"""

import argparse
import sys
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import pypdfium2

from firmware.printing.pdf_pages import Document
from firmware.printing.svg import load_drawing
from scoring.games import GAMES
from vision.arrays import Image
from vision.editions.built_in import BUILT_IN_FOLDER

TILE_PX: Final = {"between-two-cities": 320, "dice-board": 96}
"""Edge of a tile's picture in games whose tiles are larger or smaller than most."""
USUAL_TILE_PX: Final = 192
"""The same in all other games."""
BOARD_PX: Final = 1600
"""Longer side of a board's picture."""
_FINER: Final = 4


def rendered(file: Path, longer_px: int, finer: int = _FINER) -> Image:
    """A drawing as a sheet shows it, without bleed.

    Args:
        file: SVG file.
        longer_px: Longer side of the picture.
        finer: Factor by which it is drawn larger, then reduced; a larger one smooths its edges.

    Returns:
        A BGR picture (h, w, 3).

    Raises:
        DrawingError: it cannot be printed as it is.
    """
    placed = load_drawing(file)
    document = Document("")
    document.new_page(placed.size_mm).place(placed, 0.0, 0.0)
    with pypdfium2.PdfDocument(document.pdf()) as pdf:
        (page,) = pdf
        width, height = page.get_size()
        scale = longer_px / max(width, height)
        fine = page.render(scale=scale * finer).to_numpy()
    size_wh = round(width * scale), round(height * scale)
    return np.asarray(cv2.resize(fine, size_wh, interpolation=cv2.INTER_AREA), np.uint8)


def longer_side_px(file: Path) -> int:
    """Return the longer side of the picture of a drawing."""
    is_board = file.stem == "board"
    return BOARD_PX if is_board else TILE_PX.get(file.parent.name, USUAL_TILE_PX)


def apart(first: Image, second: Image, parts: int) -> tuple[float, float]:
    """Return the difference of two pictures: on average, and in the worst square.

    Args:
        first: A BGR picture (h, w, 3).
        second: Another one of the same size.
        parts: Number of squares along the longer side.
    """
    differences = np.abs(first.astype(np.float32) - second)
    side = round(max(first.shape[:2]) / parts)
    worst = cv2.blur(differences.max(axis=2), (side, side)).max()
    return float(differences.mean()), float(worst)


def main() -> None:
    """Write the picture of each named drawing beside it."""
    parser = argparse.ArgumentParser(description="render drawings as pictures for the eye")
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("faces", metavar="FACE", nargs="+", help="face of a tile, or board")
    arguments = parser.parse_args()
    for face in arguments.faces:
        file = BUILT_IN_FOLDER / arguments.game / f"{face}.svg"
        if not file.is_file():
            parser.error(f"there is no drawing {file}")
        picture = rendered(file, longer_side_px(file))
        _, data = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])
        picture_file = file.with_suffix(".png")
        picture_file.write_bytes(data.tobytes())
        sys.stdout.write(f"{picture_file}\n")


if __name__ == "__main__":
    main()
