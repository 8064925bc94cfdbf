"""The screens that are kept as pictures: which cases there are, and where their pictures lie."""

from pathlib import Path

from firmware.screens import (
    Screen,
    error_screens,
    hold_still_screen,
    reading_screen,
    ready_screen,
    result_screens,
)
from tests.firmware import samples
from vision.reading import Unread

FOLDER = Path(__file__).parents[1] / "golden" / "screens"

DISPLAY_ERROR = (
    "no display answers at I2C bus 1, address 0x3C: check its wires, and that the bus is switched "
    "on (raspi-config, Interface Options)"
)


def cases() -> dict[str, tuple[Screen, ...]]:
    """Every case by the name of its folder."""
    unread = Unread(
        samples.square((1150, 640), 300, 20), "too blurred: hold the camera still, photograph again"
    )
    everything_wrong = samples.ring_reading(
        7,
        unsure={0: ((1, 1), (2, 3)), 3: tuple((row, c) for row in range(3) for c in range(4))},
        absent={0: ((3, 3),), 6: ((0, 0),)},
        unread=(unread,),
    )
    return {
        "example": result_screens(samples.example_sheet(), samples.ring_reading(6)),
        "two-player": result_screens(samples.two_player_sheet(), samples.ring_reading(4)),
        "seven-long-names": result_screens(samples.seven_long_names_sheet(), everything_wrong),
        "long-winner": result_screens(samples.one_long_winner_sheet(), samples.ring_reading(3)),
        "three-winners": result_screens(samples.three_winners_sheet()),
        "messages": (
            ready_screen(),
            hold_still_screen(),
            reading_screen(),
            *error_screens(DISPLAY_ERROR),
        ),
    }


def golden_file(case: str, screen: Screen) -> Path:
    """Where the picture of a screen lies."""
    return FOLDER / case / f"{screen.name}.png"
