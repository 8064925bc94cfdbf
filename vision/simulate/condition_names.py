"""The conditions of simulated photos for the help of the command line, quick to import."""

from collections.abc import Mapping
from typing import Final

CONDITION_NAMES: Final[Mapping[str, str]] = {
    "normal": "tidy cities on any table in good light",
    "sloppy": "cities laid by careless hands",
    "handheld": "the camera tilted by 15 to 32 degrees",
    "wide": "a wide lens that bends straight lines",
    "patterned": "table tops with patterns that resemble tiles",
    "cluttered": "many other things and left-over tiles on the table",
    "dim": "an evening lamp: dark, warm and noisy",
    "glare": "lamps and windows mirrored in the print",
    "blown": "so much light that parts are white",
    "shadow": "people and things that stand in the light",
    "cast": "a strong warm or cool cast",
    "blur": "out of focus, or the camera moved",
    "noise": "a sensor at its limit",
    "jpeg": "compressed to the utmost",
    "missing": "one to five tiles of each city not there",
    "edge": "a city or two run off the edge of the picture",
    "covered": "a token, a finger or the like on some tiles",
    "turned": "some tiles upside down or turned by a quarter",
    "no-city": "left-over and face-down tiles, nothing to read",
}
"""What each condition of ``vision.simulate.conditions`` means."""
