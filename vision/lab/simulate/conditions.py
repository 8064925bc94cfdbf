"""The conditions of simulated photos; plain data, quick to import."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from vision.message import Message

Range = tuple[float, float] | tuple[int, int]
"""Minimum and maximum value; both ends of whole numbers are included."""

ORDINARY: Final[Mapping[str, Range]] = {
    "share": (0.86, 0.97),
    "tilt": (0.02, 0.14),
    "barrel": (0.0, 0.05),
    "carelessness": (0.5, 1.2),
    "covered": (0, 0),
    "props": (2, 8),
    "strays": (0, 6),
    "turned": (0, 0),
    "decoys": (0, 0),
    "jpeg_quality": (82, 95),
}
"""Ordinary table, photographed with care in good light: ranges of the fields of
``vision.lab.simulate.simulated_table.Surroundings``, and of the quality of the file."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Kind of photo.

    Attributes:
        about: Description for users.
        ranges: Ranges that differ from ``ORDINARY``.
        materials: Names of table tops to choose from; empty for any.
        light: Name of one of ``vision.lab.simulate.light.EFFECTS``; None for no effect.
        has_grids: Whether there is anything to read.
        most_missing: Largest number of missing tiles of a grid, at least one; 0 if all are there.
        cut_off: Whether a part of the game runs off the edge of the photo.
    """

    about: Message
    ranges: Mapping[str, Range] = field(default_factory=dict)
    materials: tuple[str, ...] = ()
    light: str | None = None
    has_grids: bool = True
    most_missing: int = 0
    cut_off: bool = False


_PATTERNED: Final = (
    "gingham", "chequerboard", "stripes", "polka-dots", "flowers", "cutting-mat", "play-mat",
    "wrapping", "ceramic", "rattan",
)  # fmt: skip
_FARTHER: Final = (0.73, 0.83)
"""Share of the photo that the game fills where a slanting or wide view needs more room."""

CONDITIONS: Final[Mapping[str, Condition]] = {
    "normal": Condition(Message("tidy cities on any table in good light")),
    "sloppy": Condition(Message("cities laid by careless hands"), {"carelessness": (2.0, 3.5)}),
    "handheld": Condition(
        Message("the camera tilted by 15 to 32 degrees"), {"tilt": (0.26, 0.55), "share": _FARTHER}
    ),
    "wide": Condition(
        Message("a wide lens that bends straight lines"),
        {"barrel": (0.12, 0.28), "share": _FARTHER},
    ),
    "patterned": Condition(
        Message("table tops with patterns that resemble tiles"), materials=_PATTERNED
    ),
    "cluttered": Condition(
        Message("many other things and left-over tiles on the table"),
        {"props": (25, 44), "strays": (8, 19)},
    ),
    "dim": Condition(Message("an evening lamp: dark, warm and noisy"), light="dim"),
    "glare": Condition(Message("lamps and windows mirrored in the print"), light="lamp-glare"),
    "blown": Condition(Message("so much light that parts are white"), light="blown-out"),
    "shadow": Condition(Message("people and things that stand in the light"), light="deep-shadows"),
    "cast": Condition(Message("a strong warm or cool cast"), light="colour-cast"),
    "blur": Condition(Message("out of focus, or the camera moved"), light="unsharp"),
    "noise": Condition(Message("a sensor at its limit"), light="grain"),
    "jpeg": Condition(Message("compressed to the utmost"), {"jpeg_quality": (8, 20)}),
    "missing": Condition(Message("one to five tiles of each city not there"), most_missing=5),
    "edge": Condition(Message("a city or two run off the edge of the picture"), cut_off=True),
    "covered": Condition(
        Message("a token, a finger or the like on some tiles"), {"covered": (4, 12)}
    ),
    "turned": Condition(
        Message("some tiles upside down or turned by a quarter"), {"turned": (3, 6)}
    ),
    "no-city": Condition(
        Message("left-over and face-down tiles, nothing to read"),
        {"props": (8, 29), "strays": (0, 11), "decoys": (0, 4)},
        has_grids=False,
    ),
}
"""Every kind of photo by name."""
