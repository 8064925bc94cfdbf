"""When exposure, white balance and focus have been found, and how they are held.

Names of controls and metadata are libcamera's. A camera advertises which controls it has; no
other is ever set, since that is an error and not all cameras have autofocus or exposure control.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from typing import Any, Final

FEWEST_FRAMES: Final = 8
"""The algorithms begin to move only some frames after the start."""

MOST_FRAMES: Final = 60
STEADY_FRAMES: Final = 5
"""So many frames in a row alike: settled."""

SAME: Final = 0.02
"""Largest relative change from frame to frame of a value that has settled."""

LONGEST_FRAME_US: Final = 250_000
"""An exposure in a dim room needs up to a quarter of a second; longer, and everything blurs."""

_FAST_US, _SLOW_US = 33_333, 200_000
"""Shortest time from frame to frame: while they are found, and then, when each frame that nobody
asked for only costs power."""

_AF_MANUAL, _AF_CONTINUOUS = 0, 2

_WATCHED: Final = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")

_FINDING: Final[Mapping[str, object]] = {
    "AeEnable": True,
    "AwbEnable": True,
    "AfMode": _AF_CONTINUOUS,
    "FrameDurationLimits": (_FAST_US, LONGEST_FRAME_US),
}

_HELD: Final[Mapping[str, tuple[tuple[str, object], tuple[str, ...]]]] = {
    "exposure": (("AeEnable", False), ("ExposureTime", "AnalogueGain")),
    "white balance": (("AwbEnable", False), ("ColourGains",)),
    "focus": (("AfMode", _AF_MANUAL), ("LensPosition",)),
}
"""For each algorithm: the control that switches it off, and the values set in its place."""


@dataclass(frozen=True, slots=True)
class Settling:
    """How far the algorithms are; ``after`` each frame there is a new one.

    Attributes:
        frames: seen so far.
        steady: the last so many frames were alike.
        last: the watched values of the last frame.
    """

    frames: int = 0
    steady: int = 0
    last: tuple[float, ...] | None = None

    @property
    def done(self) -> bool:
        """Whether they have settled, or been given enough time."""
        if self.frames >= MOST_FRAMES:
            return True
        return self.frames >= FEWEST_FRAMES and self.steady >= STEADY_FRAMES

    def after(self, metadata: Mapping[str, Any]) -> "Settling":
        """The next frame's metadata taken in."""
        values = _watched_values(metadata)
        alike = self.last is not None and _alike(self.last, values)
        return replace(
            self,
            frames=self.frames + 1,
            steady=self.steady + 1 if alike else 0,
            last=values,
        )


def controls_that_find(known: Set[str]) -> dict[str, object]:
    """The controls that let exposure, white balance and focus be found.

    Args:
        known: names of the controls that the camera advertises.
    """
    return {name: value for name, value in _FINDING.items() if name in known}


def controls_that_hold(known: Set[str], metadata: Mapping[str, Any]) -> dict[str, object]:
    """The controls that hold what was found.

    An algorithm is switched off only if its values can be set in its place: a camera left without
    both would take black pictures.

    Args:
        known: names of the controls that the camera advertises.
        metadata: of the last frame.
    """
    held: dict[str, object] = {}
    for (switch, off), values in _HELD.values():
        if switch in known and all(name in known and name in metadata for name in values):
            held[switch] = off
            held.update({name: metadata[name] for name in values})
    if "FrameDurationLimits" in known:
        held["FrameDurationLimits"] = (_SLOW_US, LONGEST_FRAME_US)
    return held


def _watched_values(metadata: Mapping[str, Any]) -> tuple[float, ...]:
    values: list[float] = []
    for name in _WATCHED:
        value = metadata.get(name)
        if isinstance(value, tuple | list):
            values += [float(part) for part in value]
        elif value is not None:
            values.append(float(value))
    return tuple(values)


def _alike(before: tuple[float, ...], now: tuple[float, ...]) -> bool:
    if len(before) != len(now):
        return False
    return all(abs(a - b) <= SAME * max(abs(a), abs(b)) for a, b in zip(before, now, strict=True))
