"""What a person said at the scan before, as guesses for the same places of a new scan."""

from dataclasses import replace

from firmware.board_games.corrections import BoardCorrection, apply_board_corrections
from firmware.board_games.doubts import piece_at
from firmware.board_games.spots import Spot, What
from firmware.errors import UsageError
from scoring.faces import city_name
from vision.editions.description import Description
from vision.reading import GridReading, Reading


def with_earlier_board_answers(
    seen: Reading,
    before: Reading,
    corrections: tuple[BoardCorrection, ...],
    description: Description,
) -> Reading:
    """A new reading of a table, in which a person's answers stand as guesses.

    A piece is taken for the same where the eye sees the same again. It may be another one after
    all, so a person has to look once more, even where the eye is sure of what was put right.

    Args:
        seen: what the eye makes of the new photo.
        before: what it made of the one before, which showed as many grids.
        corrections: what a person said about that.
        description: of the game.
    """
    read = seen
    for correction in corrections:
        spot = spot_of(correction)
        if seen_at(seen, spot) != seen_at(before, spot):
            continue
        try:
            guessed, _settled = apply_board_corrections(read, description, [correction])
        except UsageError:  # the last piece of a heap is gone, so there is no such place
            continue
        if seen_at(guessed, spot) != seen_at(seen, spot):
            read = _asked_again(guessed, seen, spot)
    return read


def spot_of(correction: BoardCorrection) -> Spot:
    """The place that a correction is about."""
    index = ord(correction.grid) - ord(city_name(0)) if correction.grid else 0
    return Spot(correction.what, index, correction.at)


def seen_at(reading: Reading, spot: Spot) -> str | None:
    """The face or kind of figure at a place; None: nothing."""
    grid = reading.grids[spot.grid]
    if spot.what is What.TILE:
        row, column = spot.cell
        return grid.grid[row][column]
    if spot.what is What.TOKEN:
        return next((token.kind for token in grid.tokens if token.at == spot.cell), None)
    piece = piece_at(grid, spot)
    return None if piece is None else piece.face


def _asked_again(guessed: Reading, seen: Reading, spot: Spot) -> Reading:
    """The guess at a place marked as unsure; what the eye sees is offered besides."""
    grids = list(guessed.grids)
    grid, others = grids[spot.grid], seen.grids[spot.grid]
    if spot.what is What.TILE:
        grids[spot.grid] = _unsure_tile(grid, others, spot)
    elif spot.what is What.TOKEN:
        cells = sorted({*grid.unsure_figures, spot.cell})
        grids[spot.grid] = replace(grid, unsure_figures=tuple(cells))
    else:
        grids[spot.grid] = _unsure_piece(grid, others, spot)
    return replace(guessed, grids=tuple(grids))


def _unsure_tile(grid: GridReading, seen: GridReading, spot: Spot) -> GridReading:
    row, column = spot.cell
    guesses = (seen.grid[row][column], *seen.alternatives.get(spot.cell, ()))
    others = tuple(face for face in guesses if face != grid.grid[row][column])
    return replace(
        grid,
        confidence=tuple(
            tuple(
                seen.confidence[r][c] if (r, c) == spot.cell else value
                for c, value in enumerate(line)
            )
            for r, line in enumerate(grid.confidence)
        ),
        unsure=tuple(sorted({*grid.unsure, spot.cell})),
        alternatives={**grid.alternatives, spot.cell: others},
    )


def _unsure_piece(grid: GridReading, seen: GridReading, spot: Spot) -> GridReading:
    piece, other = piece_at(grid, spot), piece_at(seen, spot)
    if piece is None:  # a person saw that nothing lies there
        return replace(grid, unsure_slots=tuple(sorted({*grid.unsure_slots, spot.piece})))
    guesses = () if other is None else (other.face, *other.alternatives)
    others = tuple(face for face in guesses if face != piece.face)
    doubted = replace(piece, confidence=0.0, unsure=True, alternatives=others)
    pieces = (doubted if each is piece else each for each in grid.beside)
    return replace(grid, beside=tuple(pieces))
