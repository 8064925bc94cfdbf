"""Tables of City Blocks: buildings on the plots, value tiles beside the streets or collected."""

from dataclasses import replace
from typing import Final

from vision.editions.description import Description
from vision.lab.simulate.content import Content, GridContent, Slot, in_random_turns, shuffle
from vision.lab.simulate.drawing import Rng

_TWICE: Final = "-school"
"""Ending of the buildings of which each player has two."""


def deal(rng: Rng, description: Description, most_missing: int) -> Content:
    """Deal a board that is finished, or in play with some of the plots filled.

    Args:
        rng: Source of all choices.
        description: Description of an edition of the game.
        most_missing: Most buildings that a finished board lacks; 0 for a board at any stage.
    """
    supply = [face.name for face in description.grid_faces]
    supply += [name for name in supply if name.endswith(_TWICE)]
    plots = description.rows * description.columns
    if most_missing:
        count = plots - int(rng.integers(1, most_missing + 1))
    else:
        count = plots if rng.random() < 0.6 else int(rng.integers(0, plots))
    deck = shuffle(rng, supply)
    built: list[str | None] = [*deck[:count], *[None] * (plots - min(count, len(deck)))]
    board = in_random_turns(rng, description, shuffle(rng, built))
    slots, heaps = _values(rng, description, board)
    return Content((replace(board, slots=slots, heaps=heaps),), tuple(deck[count:]))


def _values(
    rng: Rng, description: Description, board: GridContent
) -> tuple[dict[Slot, str], dict[str, tuple[str, ...]]]:
    """Deal value tiles into their slots and, of full streets mostly, in the heaps."""
    printed = description.board
    slots_of, heaps_of = (printed.slots, printed.heaps) if printed is not None else ((), ())
    collected = rng.random() < 0.75  # else they are left where they lie to the end
    heaps: dict[str, list[str]] = {heap.name: [] for heap in heaps_of}
    slots: dict[Slot, str] = {}
    values = shuffle(rng, sorted(description.loose_faces))
    for slot in slots_of:
        for number in range(slot.count):
            if not values:
                break
            value = values.pop()
            if not (collected and _is_full(board, slot.name, number)):
                slots[slot.name, number] = value
            elif heaps and rng.random() < 0.9:  # else a tie: it leaves the game
                heaps[shuffle(rng, list(heaps))[0]].append(value)
    return slots, {name: tuple(inside) for name, inside in heaps.items()}


def _is_full(board: GridContent, slots: str, number: int) -> bool:
    if slots == "row":
        return number >= len(board.tiles) or None not in board.tiles[number]
    return None not in [row[number] for row in board.tiles if number < len(row)]
