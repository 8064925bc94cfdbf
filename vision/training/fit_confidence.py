"""Count how often the eye is right: ``python -m vision.training.fit_confidence``.

Needs no PyTorch. To be run again when the networks, or the rules by which cells are flagged, have
changed. Cells are counted as ``stadtblick bench`` counts them: all cells of the cities found.
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from vision.confidence import Kind, RightShare, fitted
from vision.errors import VisionError
from vision.eye import read_uncalibrated
from vision.figures.compare import compare
from vision.figures.truth import PhotoTruth, load_truth, parse_truth
from vision.figures.verdict import Verdict
from vision.photo import Photo, decode_photo, load_photo
from vision.simulate.conditions import CONDITIONS, take_photo

FIRST_SEED = 200_000
PHOTOS_EACH = 24
"""Of every condition: about 27,000 cells."""


@dataclass(frozen=True, slots=True)
class Counted:
    """One cell: what its raw confidence means, how high it is, and whether it was right."""

    kind: Kind
    raw: float
    right: bool


def simulated(first_seed: int, each: int) -> Iterator[tuple[Photo, PhotoTruth]]:
    """So many photos of every condition, with their truth."""
    for seed in range(first_seed, first_seed + each):
        for condition in CONDITIONS:
            name = f"{condition}-{seed}"
            shot = take_photo(condition, seed, name=name)
            truth = parse_truth(shot.truth, Path(f"{name}.json"))
            yield decode_photo(shot.jpeg, f"{name}.jpg"), truth


def from_folder(folder: Path) -> Iterator[tuple[Photo, PhotoTruth]]:
    """The ground-truthed tables of a folder."""
    for path in sorted(folder.glob("*.json")):
        truth = load_truth(path)
        if truth.is_table:
            yield load_photo(truth.path), truth


def counted(photos: Iterable[tuple[Photo, PhotoTruth]]) -> Iterator[Counted]:
    """Every cell of the cities that are found."""
    for photo, truth in photos:
        try:
            verdict = compare(truth, read_uncalibrated(photo))
        except VisionError:  # refused as a whole
            continue
        for city in verdict.grids:
            for cell in city.cells:
                yield Counted(_kind(cell), cell.confidence, cell.right)


def _kind(cell: Verdict) -> Kind:
    if cell.read is None:
        return Kind.EMPTY
    return Kind.UNSURE if cell.flagged else Kind.SURE


def curves(cells: Sequence[Counted]) -> dict[Kind, RightShare]:
    """The curve of each kind.

    Raises:
        ValueError: there are no cells of some kind.
    """
    by_kind = {kind: [cell for cell in cells if cell.kind is kind] for kind in Kind}
    lacking = [kind.value for kind, some in by_kind.items() if not some]
    if lacking:
        raise ValueError(f"the photos have no {' and no '.join(lacking)} cells")
    return {
        kind: fitted([cell.raw for cell in some], [cell.right for cell in some])
        for kind, some in by_kind.items()
    }


def main() -> None:
    """Count, fit, and write the curves."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("vision/weights/confidence.json"))
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="of the first photos")
    parser.add_argument("--each", type=int, default=PHOTOS_EACH, help="photos of each condition")
    parser.add_argument("--photos", type=Path, help="count in this folder instead of simulating")
    given = parser.parse_args()
    photos = (
        simulated(given.seed, given.each) if given.photos is None else from_folder(given.photos)
    )
    try:
        shares = curves(list(counted(photos)))
    except ValueError as error:
        parser.error(f"{error}: give more photos")
    text = {kind.value: {"raw": curve.raw, "share": curve.share} for kind, curve in shares.items()}
    given.out.write_text(json.dumps(text, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
