"""Score sheets and readings to draw; the table of the rulebook's example among them."""

from math import cos, pi, sin

from scoring.faces import Cell, Face
from scoring.sheet import (
    CityScore,
    PlayerScore,
    Points,
    Sheet,
    TieBreak,
    TieBreaker,
)
from scoring.table import Variant
from vision.reading import CityReading, Quad, Reading, Unread

EXAMPLE_POINTS = (
    (16, 0, 1, 17, 10, 12),
    (2, 20, 1, 0, 22, 12),
    (2, 9, 17, 1, 8, 25),
    (16, 4, 17, 25, 0, 0),
    (5, 20, 2, 0, 16, 9),
    (10, 2, 17, 5, 8, 20),
)
"""Points by category of the six cities that the rulebook prints."""

LONG_NAMES = (
    "The Lighthouse Keepers of the Northern Harbour",
    "Árvíztűrő tükörfúrógép Társaság",
    "Donaudampfschifffahrtsgesellschaftskapitän",
    "山田の城と町",
    "👨‍👩‍👧 🏙🏙🏙🏙🏙🏙🏙🏙🏙🏙🏙🏙🏙🏙",
    "  \t\n ",
    "Ψηφίδα & Городской совет №7",
)


def cities(*points: tuple[int, int, int, int, int, int]) -> tuple[CityScore, ...]:
    return tuple(
        CityScore(chr(ord("A") + index), Points(*each), ()) for index, each in enumerate(points)
    )


def example_sheet() -> Sheet:
    """The rulebook's table of six, with the tie-breaks that its numbers give."""
    higher = TieBreaker.HIGHER_CITY
    return Sheet(
        "between-two-cities",
        Variant.STANDARD,
        cities(*EXAMPLE_POINTS),
        (
            PlayerScore("P1", (0, 5), 56, 3, TieBreak(higher, (1,), 62, 57)),
            PlayerScore("P2", (1, 0), 56, 4, TieBreak(higher, (0,), 57, 62)),
            PlayerScore("Ben", (2, 1), 57, 2, None),
            PlayerScore("Emily", (3, 2), 62, 1, None),
            PlayerScore("P5", (4, 3), 52, 5, TieBreak(TieBreaker.FACTORY_COUNT, (5,), 12, 11)),
            PlayerScore("P6", (5, 4), 52, 6, TieBreak(TieBreaker.FACTORY_COUNT, (4,), 11, 12)),
        ),
        (3,),
    )


def two_player_sheet() -> Sheet:
    return Sheet(
        "between-two-cities",
        Variant.TWO_PLAYER,
        cities(*EXAMPLE_POINTS[:4]),
        (
            PlayerScore("Ben", (0, 3), 118, 2, None),
            PlayerScore("Emily", (2, 1), 119, 1, None),
        ),
        (1,),
    )


def seven_long_names_sheet() -> Sheet:
    """Seven players who share everything, names that fit nowhere, three digits everywhere."""
    shared = TieBreak(TieBreaker.SHARED, tuple(range(7)))
    return Sheet(
        "between-two-cities",
        Variant.STANDARD,
        cities(*[(25, 64, 17, 22, 15, 25)] * 7),
        tuple(
            PlayerScore(name, (seat, (seat - 1) % 7), 168, 1, shared)
            for seat, name in enumerate(LONG_NAMES)
        ),
        tuple(range(7)),
        missing=((0, (3, 3)), (6, (0, 0))),
    )


def one_long_winner_sheet() -> Sheet:
    tie = TieBreak(TieBreaker.HIGHER_CITY, (1,), 168, 167)
    return Sheet(
        "between-two-cities",
        Variant.STANDARD,
        cities((25, 64, 17, 22, 15, 25), (25, 64, 17, 22, 15, 24), (25, 64, 17, 22, 14, 25)),
        (
            PlayerScore(LONG_NAMES[0], (0, 2), 167, 1, tie),
            PlayerScore(LONG_NAMES[1], (1, 0), 167, 2, TieBreak(tie.by, (0,), 167, 168)),
            PlayerScore(LONG_NAMES[2], (2, 1), 167, 2, TieBreak(tie.by, (0,), 167, 168)),
        ),
        (0,),
    )


def three_winners_sheet() -> Sheet:
    shared = TieBreak(TieBreaker.SHARED, (1, 2))
    return Sheet(
        "between-two-cities",
        Variant.STANDARD,
        cities(*[EXAMPLE_POINTS[2]] * 3),
        tuple(
            PlayerScore(name, (seat, (seat - 1) % 3), 62, 1, shared)
            for seat, name in enumerate(("Ben", "Emily", "P3"))
        ),
        (0, 1, 2),
    )


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
    corners_px: Quad, unsure: tuple[Cell, ...] = (), absent: tuple[Cell, ...] = ()
) -> CityReading:
    """A city with all nine faces and its tiles evenly laid inside the corners."""
    faces = list(Face)
    grid = tuple(
        tuple(None if (r, c) in absent else faces[(4 * r + c) % 9] for c in range(4))
        for r in range(4)
    )

    def inside(x: float, y: float) -> tuple[float, float]:
        tl, tr, br, bl = corners_px
        top = tuple(a + (b - a) * x for a, b in zip(tl, tr, strict=True))
        bottom = tuple(a + (b - a) * x for a, b in zip(bl, br, strict=True))
        return tuple(a + (b - a) * y for a, b in zip(top, bottom, strict=True))

    def tile(r: int, c: int) -> Quad:
        near, far = 0.01, 0.24
        return tuple(
            inside(c / 4 + x, r / 4 + y)
            for x, y in ((near, near), (far, near), (far, far), (near, far))
        )

    return CityReading(
        corners_px,
        grid,
        tuple(tuple(0.5 if (r, c) in unsure else 0.99 for c in range(4)) for r in range(4)),
        unsure,
        tuple(tuple(tile(r, c) for c in range(4)) for r in range(4)),
        dict.fromkeys(unsure, (Face.SHOP,)),
    )


def ring_reading(
    count: int,
    *,
    unsure: dict[int, tuple[Cell, ...]] | None = None,
    absent: dict[int, tuple[Cell, ...]] | None = None,
    unread: tuple[Unread, ...] = (),
    size_wh: tuple[int, int] = (2304, 1296),
) -> Reading:
    """Cities round the middle of the photo, clockwise from 6 o'clock, each facing outwards."""
    unsure, absent = unsure or {}, absent or {}
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
            city_reading(place(index), unsure.get(index, ()), absent.get(index, ()))
            for index in range(count)
        ),
        unread,
    )
