"""Dice board: what sets the cards of the four players apart, in colour and without it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from vision.simulate.drawing import Board, Colour, Spot, arc, from_hex
from vision.simulate.drawn.dice_board_companies import Inks
from vision.simulate.drawn.dice_board_sights import Daylight
from vision.simulate.emblems import IVORY


@dataclass(frozen=True, slots=True)
class Look:
    """How a player's cards look.

    Attributes:
        inks: of the sign.
        rim: of the sign.
        ground: beside the sign and of the edge.
        pattern: on the ground and in the edge.
        edge: draws the edge of a whole sign or sight of 200 x 200 units in two colours.
        fill: draws the pattern on a card of 100 x 100 units.
        day: colours of the sight.
        sky: draws the sky of a whole sight with a sun, moon or cloud at the given place.
        mirrored: whether signs and sights stand the other way round.
    """

    inks: Inks
    rim: Colour
    ground: Colour
    pattern: Colour
    edge: Callable[[Board, Colour, Colour], None]
    fill: Callable[[Board, Colour], None]
    day: Daylight
    sky: Callable[[Board, Daylight, Spot], None]
    mirrored: bool


def _saw_edge(whole: Board, first: Colour, second: Colour) -> None:
    _band(whole, first)
    for tooth in range(20):
        near = tooth * 10.0
        whole.polygon([(near, 0), (near + 10, 0), (near + 5, 8)], second)
        whole.polygon([(near, 200), (near + 10, 200), (near + 5, 192)], second)
        whole.polygon([(0, near), (0, near + 10), (8, near + 5)], second)
        whole.polygon([(200, near), (200, near + 10), (192, near + 5)], second)


def _bead_edge(whole: Board, first: Colour, second: Colour) -> None:
    _band(whole, first)
    for bead in range(17):
        at = 4 + bead * 12.0
        for x, y in ((at, 4), (at, 196), (4, at), (196, at)):
            whole.disc(x, y, 3.2, second)


def _dash_edge(whole: Board, first: Colour, second: Colour) -> None:
    _band(whole, first)
    for dash in range(10):
        at = 4 + dash * 20.0
        for near, far in ((1.5, 6.0), (194.0, 198.5)):
            whole.box(at, near, at + 12, far, second)
            whole.box(near, at, far, at + 12, second)


def _check_edge(whole: Board, first: Colour, second: Colour) -> None:
    _band(whole, first)
    for check in range(50):
        at = check * 4.0
        low, high = (0.0, 4.0) if check % 2 else (4.0, 8.0)
        for near, far in ((low, high), (200 - high, 200 - low)):
            whole.box(at, near, at + 4, far, second)
            whole.box(near, at, far, at + 4, second)


def _band(whole: Board, colour: Colour) -> None:
    for near, far in ((0.0, 8.0), (192.0, 200.0)):
        whole.box(0, near, 200, far, colour)
        whole.box(near, 0, far, 200, colour)


def _slanted(board: Board, colour: Colour) -> None:
    for offset in range(-100, 100, 22):
        board.polygon(
            [(offset, 100), (offset + 11, 100), (offset + 111, 0), (offset + 100, 0)], colour
        )


def _dotted(board: Board, colour: Colour) -> None:
    for row in range(8):
        for column in range(8):
            board.disc(8 + column * 14 + 7 * (row % 2), 6 + row * 13, 3.2, colour)


def _striped(board: Board, colour: Colour) -> None:
    for y in range(6, 100, 22):
        board.box(0, y, 100, y + 9, colour)


def _checked(board: Board, colour: Colour) -> None:
    for row in range(6):
        for column in range(6):
            if (row + column) % 2:
                board.box(column * 17, row * 17, column * 17 + 17, row * 17 + 17, colour)


def _sun_rays(whole: Board, day: Daylight, sun: Spot) -> None:
    for ray in range(12):
        start = 30.0 * ray + sun[0]
        whole.polygon([sun, *arc(sun, 300, 300, start, start + 15, 2)], day.far)
    whole.disc(*sun, 20, day.glow)


def _stars(whole: Board, day: Daylight, moon: Spot) -> None:
    for star in range(34):
        x, y = (star * 73.7 + moon[0]) % 200, (star * 37.3 + moon[1]) % 130
        whole.disc(x, y, 1.6 + star % 3, day.lit)
    whole.disc(*moon, 19, day.glow)
    whole.disc(moon[0] + 9, moon[1] - 6, 16, day.sky)


def _clouds(whole: Board, day: Daylight, first: Spot) -> None:
    for step, size in enumerate((24, 16, 20, 14, 18)):
        x, y = (first[0] + 87 * step) % 200, (first[1] + 41 * step) % 110 + 8
        for shift, rise in ((-0.8, 0.15), (0.0, -0.2), (0.8, 0.15)):
            whole.oval(x + shift * size, y + rise * size, size * 0.8, size * 0.45, day.far)


def _halo(whole: Board, day: Daylight, sun: Spot) -> None:
    for radius in (132, 96, 60):
        whole.disc(*sun, radius, day.far)
        whole.disc(*sun, radius - 17, day.sky)
    whole.disc(*sun, 22, day.glow)


_GOLD = from_hex("#ffcb2e")

LOOKS: Mapping[str, Look] = {
    "red": Look(
        inks=Inks(IVORY, from_hex("#b3121d"), _GOLD),
        rim=from_hex("#7d0b14"),
        ground=from_hex("#fbe3dc"),
        pattern=from_hex("#e0515a"),
        edge=_saw_edge,
        fill=_slanted,
        day=Daylight(
            sky=from_hex("#f4766a"),
            far=from_hex("#f9a595"),
            lit=from_hex("#8f1420"),
            shaded=from_hex("#3d0a12"),
            ground=from_hex("#6b1019"),
            glow=_GOLD,
        ),
        sky=_sun_rays,
        mirrored=False,
    ),
    "blue": Look(
        inks=Inks(from_hex("#123c86"), from_hex("#f2f6ff"), from_hex("#3b8fe0")),
        rim=from_hex("#8fc0f2"),
        ground=from_hex("#1a4fa8"),
        pattern=from_hex("#9cc6f5"),
        edge=_bead_edge,
        fill=_dotted,
        day=Daylight(
            sky=from_hex("#0f2f74"),
            far=from_hex("#2f62b5"),
            lit=from_hex("#e3efff"),
            shaded=from_hex("#5f93d8"),
            ground=from_hex("#a9cdf5"),
            glow=from_hex("#fff3b0"),
        ),
        sky=_stars,
        mirrored=False,
    ),
    "green": Look(
        inks=Inks(from_hex("#f3ffe9"), from_hex("#14703a"), from_hex("#a6e05a")),
        rim=from_hex("#0a4423"),
        ground=from_hex("#d8f2cf"),
        pattern=from_hex("#3da35d"),
        edge=_dash_edge,
        fill=_striped,
        day=Daylight(
            sky=from_hex("#bfe8b4"),
            far=from_hex("#f1fbea"),
            lit=from_hex("#2d8a4c"),
            shaded=from_hex("#0b3d20"),
            ground=from_hex("#14592f"),
            glow=from_hex("#e8ff9c"),
        ),
        sky=_clouds,
        mirrored=True,
    ),
    "yellow": Look(
        inks=Inks(from_hex("#4d3716"), from_hex("#ffdb5c"), from_hex("#cc6420")),
        rim=from_hex("#fff3b8"),
        ground=from_hex("#bd8a24"),
        pattern=from_hex("#ffe38f"),
        edge=_check_edge,
        fill=_checked,
        day=Daylight(
            sky=from_hex("#d69c2c"),
            far=from_hex("#f6cf6a"),
            lit=from_hex("#fffbe8"),
            shaded=from_hex("#6e4a18"),
            ground=from_hex("#ffe67a"),
            glow=from_hex("#cc5a22"),
        ),
        sky=_halo,
        mirrored=True,
    ),
}
"""Of each player."""
