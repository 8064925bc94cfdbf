"""Compare the speed of reading a table again with that of the first time.

Each table is simulated three times: as it is, once more in other light, and with one tile
exchanged. The later photos are read in full and again from the memory of the first, in turns.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from scoring.faces import Face
from vision.editions.edition import BETWEEN_TWO_CITIES
from vision.editions.folder import built_in_edition
from vision.eye.read import read_tiles
from vision.lab.simulate.content import Content
from vision.lab.simulate.games.between_two_cities import deal_cities
from vision.lab.simulate.light import sensor_noise
from vision.lab.simulate.simulated_table import Surroundings, simulate_table
from vision.photo.load import Photo, decode_photo
from vision.rereading import TableMemory, read_again

FACES = tuple(Face)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10, help="default: %(default)s")
    parser.add_argument("--repeats", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the first (default: %(default)s)")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    rows = [
        _measure_table(seed, options.repeats)
        for seed in range(options.seed, options.seed + options.tables)
    ]
    print(f"{options.tables} tables of 3 to 7 cities, 2304x1296, one thread, ms of CPU time:")
    for number, name in enumerate(("decode", "in full", "again", "again, a tile exchanged")):
        print(f"  {name:24} {_spread([row[number] for row in rows])}")
    for number, name in ((2, "unchanged"), (3, "a tile exchanged")):
        reading = [row[1] / row[number] for row in rows]
        whole = [(row[0] + row[1]) / (row[0] + row[number]) for row in rows]
        print(f"times faster, {name}: {_spread(reading)}; with decoding {_spread(whole)}")


def _measure_table(seed: int, repeats: int) -> tuple[float, float, float, float]:
    """Return median times, in ms, of decoding, a full reading, and two readings from memory."""
    first, again, exchanged = _simulate_photos(seed)
    data = cv2.imencode(".jpg", again.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
    _, memory = read_again(first, None, built_in_edition(BETWEEN_TWO_CITIES))
    jobs: Sequence[Callable[[], object]] = (
        lambda: decode_photo(data, again.name),
        lambda: read_tiles(again, built_in_edition(BETWEEN_TWO_CITIES)),
        lambda: _read_again(again, memory),
        lambda: _read_again(exchanged, memory),
    )
    times: list[list[float]] = [[] for _ in jobs]
    for _ in range(repeats):
        for job, taken in zip(jobs, times, strict=True):
            start = time.process_time()
            job()
            taken.append((time.process_time() - start) * 1000)
    decode, full, unchanged, tile = (statistics.median(taken) for taken in times)
    return decode, full, unchanged, tile


def _read_again(photo: Photo, memory: TableMemory) -> None:
    reading, _ = read_again(photo, memory, built_in_edition(BETWEEN_TWO_CITIES))
    if "locate" in reading.timings_ms:
        print(f"{photo.name}: read in full")


def _simulate_photos(seed: int) -> tuple[Photo, Photo, Photo]:
    rng = np.random.default_rng(seed)
    cities = tuple(deal_cities(rng, 3 + seed % 5))
    rows = [list(row) for row in cities[0].tiles]
    rows[1][1] = FACES[(FACES.index(Face(rows[1][1])) + 1) % len(FACES)]
    table = Content(cities, things=("score-board",), is_round=True)
    other = replace(table, grids=(replace(cities[0], tiles=tuple(map(tuple, rows))), *cities[1:]))
    surroundings = Surroundings(strength=0.2)
    noisy = replace(surroundings, effects=(lambda rng, image: sensor_noise(rng, image, 0.01),))
    tables = [
        simulate_table(
            seed, built_in_edition(BETWEEN_TWO_CITIES), table, surroundings=surroundings
        ),
        simulate_table(seed, built_in_edition(BETWEEN_TWO_CITIES), table, surroundings=noisy),
        simulate_table(seed, built_in_edition(BETWEEN_TWO_CITIES), other, surroundings=noisy),
    ]
    first, again, exchanged = (
        Photo(table.image, f"table {seed}, photo {number}", (2304, 1296))
        for number, table in enumerate(tables)
    )
    return first, again, exchanged


def _spread(values: Sequence[float]) -> str:
    return f"{statistics.median(values):6.1f} ({min(values):.1f} to {max(values):.1f})"


if __name__ == "__main__":
    main()
