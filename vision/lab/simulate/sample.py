"""Draw a sample photo for the demo: ``python -m vision.lab.simulate.sample PHOTO.jpg``.

Five cities as a family might have built them, in the drawn edition, on a wooden table.
"""

import json
import sys
from pathlib import Path

from scoring.games.between_two_cities.notation import parse_city
from vision.editions.edition import BETWEEN_TWO_CITIES
from vision.editions.folder import built_in_edition
from vision.lab.simulate.games.between_two_cities import laid_out
from vision.lab.simulate.light import encode_jpeg
from vision.lab.simulate.simulated_table import Surroundings, simulate_table

SEED = 23
CITIES = (
    "SSSS/HPPO/HPEO/HFMO",
    "PPHE/PHHB/OSOM/SSSD",
    "FFOE/FHOP/FPPP/FPSS",
    "HHEB/HHMD/PPOS/PFOS",
    "OOEO/OMBO/DSPP/SSPH",
)
JPEG_QUALITY = 88


def main() -> None:
    """Write the photo, and its truth beside it."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m vision.lab.simulate.sample PHOTO.jpg")
    path = Path(sys.argv[1])
    content = laid_out([parse_city(city).grid for city in CITIES])
    surroundings = Surroundings("wood-light", strays=3, props=7, strength=0.25)
    table = simulate_table(
        SEED, built_in_edition(BETWEEN_TWO_CITIES), content, surroundings=surroundings
    )
    path.write_bytes(encode_jpeg(table.image, JPEG_QUALITY))
    path.with_suffix(".json").write_text(json.dumps({"photo": path.name, **table.truth}, indent=1))


if __name__ == "__main__":
    main()
