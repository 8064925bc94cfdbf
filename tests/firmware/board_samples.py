"""Games known by pictures as an eye may have read them: descriptions, readings, fake eyes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from firmware.games.dice_board.cards import QUARTERS
from scoring.faces import Cell
from scoring.games.cities.notation import parse_city
from scoring.games.city_blocks.notation import parse_board
from scoring.games.city_blocks.table import Building
from vision.editions.description import Description, FaceDescription, TileTurns
from vision.editions.edition import Edition
from vision.editions.folder import built_in_edition
from vision.reading import Figure, GridReading, LoosePiece, Note, Quad, Reading, Unread

SIZE_WH = (960, 720)


def face(name: str, *cells: Sequence[str]) -> FaceDescription:
    return FaceDescription(name, (f"{name}.png",), tuple(map(tuple, cells)) or ((name,),))


CITIES, CITY_BLOCKS = (built_in_edition(game).description for game in ("cities", "city-blocks"))
DICE_BOARD = replace(
    built_in_edition("dice-board").description,
    faces=tuple(
        face(f"{colour}-{company}-{quarter}{side}")
        for colour in ("red", "blue", "green", "yellow")
        for company in ("bakery", "theatre", "gasworks", "newspaper", "tramway")
        for quarter in QUARTERS
        for side in ("", "-sight")
    ),
)
READING_ONLY = Description(
    name="dominoes",
    game="reading-only",
    rows=2,
    columns=3,
    tile_mm=40.0,
    tile_turns=TileTurns.UPRIGHT,
    faces=(face("sun"), face("moon")),
)


def pictured(description: Description) -> Edition:
    return Edition(description, {})


def rectangle(left: float, top: float, width: float, height: float) -> Quad:
    right, bottom = left + width, top + height
    return (left, top), (right, top), (right, bottom), (left, bottom)


def grid_reading(
    description: Description,
    names: Sequence[Sequence[str | None]],
    corners_px: Quad | None = None,
    *,
    tiles: Sequence[Sequence[str | None]] | None = None,
    turns: Mapping[Cell, int] | None = None,
    confidence: Mapping[Cell, float] | None = None,
    **further: object,
) -> GridReading:
    """A grid that fills its corners evenly; tiles of several cells are numbered from 1."""
    rows, columns = description.tile_rows, description.tile_columns
    corners_px = corners_px or rectangle(160, 140, 600, 500)
    if tiles is None:
        tiles = names if description.tile_cells == (1, 1) else numbered_tiles()
    turns, confidence = turns or {}, confidence or {}

    def at(row: float, column: float) -> tuple[float, float]:
        """A place by its share of the grid."""
        x, y, (tl, tr, br, bl) = column / columns, row / rows, corners_px
        return tuple(
            (a * (1 - x) + b * x) * (1 - y) + (d * (1 - x) + c * x) * y
            for a, b, c, d in zip(tl, tr, br, bl, strict=True)
        )

    def by_tile(made: Callable[[int, int], Any]) -> tuple[tuple[Any, ...], ...]:
        return tuple(tuple(made(row, column) for column in range(columns)) for row in range(rows))

    return GridReading(
        corners_px=corners_px,
        faces=tuple(map(tuple, names)),
        confidence=tuple(
            tuple(confidence.get((row, column), 0.99) for column in range(description.columns))
            for row in range(description.rows)
        ),
        unsure=further.pop("unsure", ()),
        tiles=tuple(map(tuple, tiles)),
        turns=by_tile(lambda r, c: None if tiles[r][c] is None else turns.get((r, c), 0)),
        tile_quads_px=by_tile(
            lambda r, c: (at(r, c), at(r, c + 1), at(r + 1, c + 1), at(r + 1, c))
        ),
        **further,
    )


def numbered_tiles(first: int = 1) -> list[list[str | None]]:
    return [[f"tile-{4 * row + column + first}" for column in range(4)] for row in range(4)]


def reading(
    description: Description, *grids: GridReading, unread: Sequence[Note] = (), **further: object
) -> Reading:
    return Reading(
        photo_name="table.jpg",
        game=description.game,
        edition=description.name,
        size_wh=SIZE_WH,
        grids=grids,
        unread=tuple(Unread(rectangle(20, 20, 90, 90), why) for why in unread),
        timings_ms={"locate": 20.0, "recognise": 30.0},
        **further,
    )


def fields(text: str) -> list[list[str | None]]:
    """Rows of letters with slashes between them; ``.`` is no field."""
    return [[field and field.value for field in row] for row in parse_city(text).fields]


FULL_CITY = "SSCPPWWC/SSCPPWWC/CCSSWWPP/PPSSCCWW/WWPPSSCC/CCWWPPSS/SSCCWWPP/PPSSCCWW"


def city(
    text: str = FULL_CITY,
    tourists: Mapping[Cell, str] | None = None,
    position: int = 0,
    **further: object,
) -> GridReading:
    """A city with tourists by cell and colour; positions 0, 1, 2 are beside each other."""
    left, top, side = 40 + position % 3 * 300, 60 + position // 3 * 320, 260
    tokens = tuple(
        Figure(cell, f"tourist-{colour}", (left + (cell[1] + 0.5) * side / 8,
                                          top + (cell[0] + 0.5) * side / 8))
        for cell, colour in sorted((tourists or {}).items())
    )  # fmt: skip
    corners = rectangle(left, top, side, side)
    return grid_reading(CITIES, fields(text), corners, figures=tokens, **further)


def buildings(text: str) -> list[list[str | None]]:
    """Plots as ``bH1 rS4 -- / …``."""

    def name(plot: Building) -> str:
        return f"{plot.owner}-{plot.kind}" + (f"-{plot.value}" if plot.value else "")

    return [[plot and name(plot) for plot in row] for row in parse_board(text)]


EMPTY_ROW = " / -- -- -- -- -- --"
FULL_BOARD = (
    "bH1 bH2 bH3 bS2 bS3 rC / rH1 rH2 rH3 rS2 rS3 bC / bF3 bF4 bF5 rF3 rF4 rF5 / "
    "bS4 bS5 bS6 rS4 rS5 bE / rS6 rH4 rH5 bH4 bH5 rE"
)
"""The sums of the rows are 11:0, 0:11, 12:12, void factories apart."""


def piece(place: str, number: int, value: int, **further: object) -> LoosePiece:
    spots = {"row": (60, 150 + number * 100), "column": (180 + number * 100, 60),
             "blue": (60 + number * 45, 660), "red": (520 + number * 45, 660)}  # fmt: skip
    left, top = spots.get(place, (700, 20))
    quad = rectangle(left, top, 40, 40)
    confidence = further.pop("confidence", 0.98)
    return LoosePiece(place, number, f"value-{value}", quad, confidence, **further)


def blocks(text: str, *beside: LoosePiece, **further: object) -> GridReading:
    return grid_reading(CITY_BLOCKS, buildings(text), loose=beside, **further)


def slots(rows: Sequence[int], columns: Sequence[int]) -> list[LoosePiece]:
    """Value tiles beside the board; 0: none lies there."""
    lines = (("row", rows), ("column", columns))
    return [piece(line, n, value) for line, all_ in lines for n, value in enumerate(all_) if value]


def cards(*laid: tuple[int, int, str, int]) -> GridReading:
    """Cards by row, column, face and quarter turns."""
    names: list[list[str | None]] = [[None] * 12 for _ in range(12)]
    turns = {}
    for row, column, name, turn in laid:
        names[row][column] = name
        turns[row, column] = turn
    return grid_reading(DICE_BOARD, names, turns=turns)


def sign(row: int, column: int, owner: str, turn: int = 0, sight: str = "") -> list[tuple]:
    """The four cards of a company, all in their places, turned clockwise together."""
    block = ((0, 0), (0, 1), (1, 1), (1, 0))
    placed = []
    for number, quarter in enumerate(QUARTERS):
        down, along = block[(number + turn) % 4]
        placed.append((row + down, column + along, f"{owner}-{quarter}{sight}", turn))
    return placed


class FakeBoardEye:
    """Sees the same in every photo."""

    def __init__(self, seen: Reading) -> None:
        self.seen = seen

    def __call__(self, photo, edition) -> Reading:
        return replace(self.seen, photo_name=photo.name, size_wh=photo.size_wh)
