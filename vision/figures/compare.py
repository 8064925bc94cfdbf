"""Hold a reading of Between Two Cities against the truth of its photo."""

from collections.abc import Iterator

from vision.figures.truth import CityTruth, PhotoTruth
from vision.figures.verdict import (
    Fate,
    GridVerdict,
    PhotoVerdict,
    Verdict,
    corner_error,
    refusal,
    size_of,
    verdict_on,
)
from vision.reading import GridReading, Reading


def refused(truth: PhotoTruth, code: str) -> PhotoVerdict:
    """The verdict on a photo that the eye refused with this error code."""
    return refusal(truth.path, truth.condition, truth.cities, code)


def compare(truth: PhotoTruth, reading: Reading) -> PhotoVerdict:
    """Hold a reading against the truth of the photo it was read from."""
    read = reading.grids, reading.unread
    return verdict_on(truth.path, truth.condition, truth.cities, read, _found)


def _found(index: int, city: CityTruth, read: GridReading, name: str) -> GridVerdict:
    return GridVerdict(
        index,
        Fate.FOUND,
        size_of(city),
        city.is_washed_out,
        name=name,
        corner_error=corner_error(read.corners_px, city),
        cells=tuple(_cells(city, read)),
    )


def _cells(city: CityTruth, read: GridReading) -> Iterator[Verdict]:
    same_size = len(read.grid) == len(city.grid) and len(read.grid[0]) == len(city.grid[0])
    for row, faces in enumerate(city.grid):
        for column, face in enumerate(faces):
            at, seen = (row, column), city.visibility((row, column))
            if same_size:
                got, certain = read.grid[row][column], read.confidence[row][column]
                yield Verdict(at, face, got, certain, at in read.unsure, seen)
            else:  # nothing of it is where it should be
                yield Verdict(at, face, None, 0.0, flagged=False, sight=seen)
