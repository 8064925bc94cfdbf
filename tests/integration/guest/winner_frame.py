"""Write the winner's screen that the appliance has to show for a photo.

    python winner_frame.py PHOTO FOLDER

Runs on this machine, where the photo is read without emulation. FOLDER/winner.bin is the memory of
an SSD1306 with the screen, FOLDER/winner.png its picture.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

from firmware.appliance.display_views import display_views
from firmware.appliance.result import Result, default_options
from firmware.base.language import use_language
from firmware.scan.make_scan import make_scan, read_file
from firmware.screens.render import render
from firmware.settings import Settings
from vision.editions.edition import BETWEEN_TWO_CITIES
from vision.editions.folder import built_in_edition

PAGE_ROWS = 8


def memory_of(picture: Image.Image) -> bytes:
    """Return a picture as an SSD1306 keeps it: pages of eight rows, a byte for each column."""
    pages = np.asarray(picture).reshape(-1, PAGE_ROWS, picture.width)
    return np.packbits(pages, axis=1, bitorder="little").tobytes()


def main(photo: Path, folder: Path) -> None:
    """Read, score and draw, in English and with the default settings."""
    use_language("en")
    edition = built_in_edition(BETWEEN_TWO_CITIES)
    _, reading = read_file(photo, edition)
    options = default_options(reading, Settings())
    scan = make_scan(reading, edition.description, options=options)
    result = Result(1, reading, reading, edition.description, scan, options)
    picture = render(display_views(result)[0]).image
    picture.save(folder / "winner.png")
    (folder / "winner.bin").write_bytes(memory_of(picture))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
