"""Count how often the eye is right: ``python -m vision.training.fit_confidence``.

Needs no PyTorch. To be run again when the networks, or the rules by which cells are flagged, have
changed. Cells are counted as ``stadtblick bench`` counts them: all cells of the cities found.
With ``--boards`` the same for the games known by pictures.
"""

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vision import confidence, eye
from vision.boards import confidence as board_confidence
from vision.boards import eye as board_eye
from vision.confidence import Kind, RightShare, fitted
from vision.editions.edition import GAME, Edition
from vision.editions.folder import own_edition, own_games
from vision.errors import VisionError
from vision.figures.compare import compare
from vision.figures.truth import PhotoTruth, Sight, load_truth, parse_truth
from vision.figures.verdict import PhotoVerdict, Verdict
from vision.photo import Photo, decode_photo, load_photo
from vision.simulate.conditions import CONDITIONS
from vision.simulate.photos import photographer

WEIGHTS: Final = Path("vision/weights")


@dataclass(frozen=True, slots=True)
class Counted:
    """One cell: what its raw confidence means, how high it is, and whether it was right."""

    kind: Kind
    raw: float
    right: bool


def simulated(edition: Edition, first_seed: int, each: int) -> Iterator[tuple[Photo, PhotoTruth]]:
    """So many photos of every condition, with their truth."""
    take_photo = photographer(edition)
    for seed in range(first_seed, first_seed + each):
        for condition in CONDITIONS:
            name = f"{condition}-{seed}"
            shot = take_photo(condition, seed, name=name)
            truth = parse_truth(shot.truth, Path(f"{name}.json"), edition.description.game)
            yield decode_photo(shot.jpeg, f"{name}.jpg"), truth


def simulated_boards(first_seed: int, each: int) -> Iterator[tuple[Photo, Edition, PhotoTruth]]:
    """So many photos of every game known by pictures, with their edition and truth."""
    for game in own_games():
        if game != GAME:
            edition = own_edition(game)
            for photo, truth in simulated(edition, first_seed, each):
                yield photo, edition, truth


def from_folder(folder: Path) -> Iterator[tuple[Photo, PhotoTruth]]:
    """The ground-truthed tables of a folder."""
    for path in sorted(folder.glob("*.json")):
        truth = load_truth(path, GAME)
        if truth.is_table:
            yield load_photo(truth.path), truth


def counted(photos: Iterable[tuple[Photo, PhotoTruth]]) -> Iterator[Counted]:
    """Every cell of the cities that are found."""
    for photo, truth in photos:
        try:
            verdict = compare(truth, eye.read_uncalibrated(photo))
        except VisionError:  # refused as a whole
            continue
        yield from _cells(verdict, _kind)


def counted_boards(
    photos: Iterable[tuple[Photo, Edition, PhotoTruth]],
) -> Iterator[Counted]:
    """Every cell of the grids that are found, of games known by pictures, and pieces in doubt."""
    for photo, edition, truth in photos:
        try:
            verdict = compare(truth, board_eye.read_uncalibrated(photo, edition))
        except VisionError:  # refused as a whole
            continue
        yield from _cells(verdict, _board_kind)
        yield from _doubtful_pieces(verdict)


def _cells(verdict: PhotoVerdict, kind_of: Callable[[Verdict], Kind]) -> Iterator[Counted]:
    for grid in verdict.grids:
        for cell in grid.cells:
            yield Counted(kind_of(cell), cell.confidence, cell.right)


def _doubtful_pieces(verdict: PhotoVerdict) -> Iterator[Counted]:
    """Those beside the cells of boards."""
    for grid in verdict.grids:
        for piece in grid.beside:
            if piece.flagged and piece.read is not None:
                yield Counted(Kind.PIECE, piece.confidence, piece.right)


def _kind(cell: Verdict) -> Kind:
    if cell.read is None:
        return Kind.EMPTY
    return Kind.UNSURE if cell.flagged else Kind.SURE


def _board_kind(cell: Verdict) -> Kind:
    if not cell.flagged:
        return Kind.SURE
    if cell.sight is Sight.OUTSIDE:
        return Kind.OUTSIDE
    return Kind.EMPTY if cell.read is None else Kind.UNSURE


def curves(cells: Sequence[Counted], kinds: Sequence[Kind]) -> dict[Kind, RightShare]:
    """The curve of each of these kinds.

    Raises:
        ValueError: there are no cells of some kind.
    """
    by_kind = {kind: [cell for cell in cells if cell.kind is kind] for kind in kinds}
    lacking = [kind.value for kind, some in by_kind.items() if not some]
    if lacking:
        raise ValueError(f"the photos have no {' and no '.join(lacking)} cells")
    return {
        kind: fitted([cell.raw for cell in some], [cell.right for cell in some])
        for kind, some in by_kind.items()
    }


@dataclass(frozen=True, slots=True)
class Fit:
    """What is counted, and where its curves are kept.

    Attributes:
        cells: of so many simulated photos of each condition, from a first seed on.
        kinds: of cells that have curves.
        file: in ``WEIGHTS``.
        first_seed: unless another is given; photos of such seeds measure nothing else.
        each: photos of each condition, unless told otherwise.
    """

    cells: Callable[[int, int], Iterator[Counted]]
    kinds: tuple[Kind, ...]
    file: str
    first_seed: int
    each: int


BETWEEN_TWO_CITIES: Final = Fit(
    lambda first_seed, each: counted(simulated(own_edition(GAME), first_seed, each)),
    (Kind.SURE, Kind.UNSURE, Kind.EMPTY),
    confidence.NETWORKS_FILE,
    first_seed=200_000,
    each=24,
)
"""About 27,000 cells."""
BOARDS: Final = Fit(
    lambda first_seed, each: counted_boards(simulated_boards(first_seed, each)),
    tuple(Kind),
    board_confidence.FILE,
    first_seed=170_000,
    each=6,
)
"""The games known by pictures: about 18,000 cells."""


def main() -> None:
    """Count, fit, and write the curves."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="default: the file in vision/weights")
    parser.add_argument("--seed", type=int, help="of the first photos")
    parser.add_argument("--each", type=int, help="photos of each condition, and of each game")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--photos", type=Path, help="count in this folder instead of simulating")
    what.add_argument("--boards", action="store_true", help="the games known by pictures")
    given = parser.parse_args()
    fit = BOARDS if given.boards else BETWEEN_TWO_CITIES
    first_seed = fit.first_seed if given.seed is None else given.seed
    each = fit.each if given.each is None else given.each
    cells = (
        fit.cells(first_seed, each) if given.photos is None else counted(from_folder(given.photos))
    )
    try:
        shares = curves(list(cells), fit.kinds)
    except ValueError as error:
        parser.error(f"{error}: give more photos")
    text = {kind.value: {"raw": curve.raw, "share": curve.share} for kind, curve in shares.items()}
    out = WEIGHTS / fit.file if given.out is None else given.out
    out.write_text(json.dumps(text, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
