"""Draw the sample photo of the demo again: ``python -m vision.simulate.sample PHOTO.jpg``.

Five cities as a family might have built them, in the drawn edition, on a wooden table.
"""

import json
import sys
from pathlib import Path

import cv2

from scoring.games.between_two_cities.notation import parse_city
from vision.simulate.table import SimulatedTable, Surroundings, simulate_table

SEED = 23
CITIES = (
    "SSSS/HPPO/HPEO/HFMO",
    "PPHE/PHHB/OSOM/SSSD",
    "FFOE/FHOP/FPPP/FPSS",
    "HHEB/HHMD/PPOS/PFOS",
    "OOEO/OMBO/DSPP/SSPH",
)
JPEG_QUALITY = 88


def sample_table() -> SimulatedTable:
    """The table of the demo with its truth."""
    around = Surroundings(material="wood-light", strays=3, props=7, strength=0.25)
    return simulate_table(SEED, [parse_city(city).grid for city in CITIES], surroundings=around)


def main() -> None:
    """Write the photo, and its truth beside it."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m vision.simulate.sample PHOTO.jpg")
    path = Path(sys.argv[1])
    table = sample_table()
    cv2.imwrite(str(path), table.image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    path.with_suffix(".json").write_text(json.dumps({"photo": path.name, **table.truth}, indent=1))


if __name__ == "__main__":
    main()
