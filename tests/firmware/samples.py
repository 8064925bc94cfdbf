"""Scans to draw; those of the table of the rulebook's example among them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import cos, pi, sin
from typing import Any

from firmware.games.between_two_cities import TwoPlayerNote
from firmware.games.findings import make_finding
from firmware.games.registry import games
from firmware.games.scan import Scan
from firmware.scan.range_search import compute_ranges
from scoring.faces import Cell, Face, Grid
from scoring.games.between_two_cities import score
from scoring.games.between_two_cities.notation import parse_city
from scoring.games.between_two_cities.table import City, Table, Variant
from tests.firmware.board_samples import grid_reading
from tests.scoring.btc_tables import EXAMPLE_CITIES
from vision.editions.folder import built_in_edition
from vision.reading import GridReading, Note, Quad, Reading, Unread

BTC = built_in_edition("between-two-cities").description
ALL_FACES: Grid = tuple(tuple(list(Face)[(4 * r + c) % 9] for c in range(4)) for r in range(4))

LONG_NAMES = (
    "The Lighthouse Keepers of the Northern Harbour",
    "Árvíztűrő tükörfúrógép Társaság",
    "Donaudampfschifffahrtsgesellschaftskapitän",
    "山田の城と町",
    "👨‍👩‍👧 🏙🏙🏙🏙🏙🏙🏙🏙🏙🏙🏙🏙🏙🏙",
    "  \t\n ",
    "Ψηφίδα & Городской совет №7",
)


def scored(
    *cities: str,
    variant: Variant = Variant.STANDARD,
    names: Sequence[str] = (),
    owners_known: bool = True,
    **doubts: Any,
) -> Scan:
    """Cities in their text form laid in a ring, and what the rules say about them.

    Args:
        cities: Cities clockwise; ``.`` is a place without a tile.
        variant: Variant, by which the players share them.
        names: Names of the first players; unlike those of a table they may be any text.
        owners_known: False if the owners of the cities are assumed.
        **doubts: of ``ring_reading``.
    """
    grids = [parse_city(text).grid for text in cities]
    reading = ring_reading(len(grids), grids=grids, **doubts)
    table = Table(tuple(map(City, grids)), variant)
    sheet = score(table, lenient=True)
    findings = (
        () if owners_known else (make_finding(TwoPlayerNote.OWNERS_ASSUMED, counts_by_itself=True),)
    )
    game, description = games().get(reading.game), built_in_edition(reading.game).description
    scan = Scan(reading, description, game, table, sheet, findings)
    named = [replace(player, name=name) for player, name in zip(sheet.players, names, strict=False)]
    scan = replace(scan, ranges=compute_ranges(scan))
    return with_sheet(scan, players=(*named, *sheet.players[len(named) :]))


def with_sheet(scan: Scan, **changes: Any) -> Scan:
    """A scan whose sheet says something else."""
    return replace(scan, sheet=replace(scan.sheet, **changes))


def example(**doubts: Any) -> Scan:
    """The rulebook's table of six; cities A, C and F have no or few factories."""
    return scored(*EXAMPLE_CITIES.values(), names=("P1", "P2", "Ben", "Emily"), **doubts)


def two_player(**doubts: Any) -> Scan:
    """Two players, 118 to 119."""
    cities = list(EXAMPLE_CITIES.values())[:4]
    return scored(*cities, variant=Variant.TWO_PLAYER, names=("Ben", "Emily"), **doubts)


def seven_long_names(**doubts: Any) -> Scan:
    """Seven players who share everything, and names that fit nowhere; each city lacks a tile."""
    return scored(*["SSSF/EBMD/OOOF/PPP."] * 7, names=LONG_NAMES, **doubts)


def one_long_winner() -> Scan:
    """Three players with the same points: the first wins by shops, the third has no high city."""
    cities = ("SSSF/EBMD/OOPP/HHHH", "PPHH/SSPP/FFFF/FHBB", "SSPP/SSPP/EBMD/HHHH")
    return scored(*cities, names=LONG_NAMES[:3])


def three_winners() -> Scan:
    """Three players with cities all alike."""
    return scored(*["SSSF/EBMD/OOOF/PPPF"] * 3, names=("Ben", "Emily", "P3"))


def square(middle: tuple[float, float], side: float, turn_degrees: float) -> Quad:
    """Corners of a square as read upright; the turn is clockwise as seen on the photo."""
    angle = turn_degrees * pi / 180

    def corner(x: float, y: float) -> tuple[float, float]:
        return (
            middle[0] + x * cos(angle) - y * sin(angle),
            middle[1] + x * sin(angle) + y * cos(angle),
        )

    half = side / 2
    return corner(-half, -half), corner(half, -half), corner(half, half), corner(-half, half)


def city_reading(
    corners_px: Quad,
    unsure: tuple[Cell, ...] = (),
    absent: tuple[Cell, ...] = (),
    grid: Grid = ALL_FACES,
) -> GridReading:
    """A city with its tiles evenly laid inside the corners."""
    tiles = [
        [None if (r, c) in absent else face for c, face in enumerate(row)]
        for r, row in enumerate(grid)
    ]
    doubts = {"unsure": unsure, "alternatives": dict.fromkeys(unsure, (Face.SHOP,))}
    confidence = dict.fromkeys(unsure, 0.5)
    return grid_reading(BTC, tiles, corners_px, confidence=confidence, **doubts)


def ring_reading(
    count: int,
    *,
    grids: Sequence[Grid] | None = None,
    unsure: Mapping[int, tuple[Cell, ...]] | None = None,
    absent: Mapping[int, tuple[Cell, ...]] | None = None,
    unread: tuple[Unread, ...] = (),
    notes: tuple[Note, ...] = (),
    city_notes: Mapping[int, tuple[Note, ...]] | None = None,
    size_wh: tuple[int, int] = (2304, 1296),
) -> Reading:
    """Cities round the middle of the photo, clockwise from 6 o'clock, each facing outwards."""
    unsure, absent, city_notes = unsure or {}, absent or {}, city_notes or {}
    grids = grids or [ALL_FACES] * count
    width, height = size_wh
    side = height * (0.26 if count > 4 else 0.34)

    def place(index: int) -> Quad:
        angle = 2 * pi * (index + 0.5) / count
        middle = (width * (0.5 - 0.34 * sin(angle)), height * (0.5 + 0.33 * cos(angle)))
        return square(middle, side, angle * 180 / pi)

    return Reading(
        "table.jpg",
        "between-two-cities",
        "printed",
        size_wh,
        tuple(
            replace(
                city_reading(
                    place(index), unsure.get(index, ()), absent.get(index, ()), grids[index]
                ),
                notes=city_notes.get(index, ()),
            )
            for index in range(count)
        ),
        unread,
        notes,
    )
