"""The conditions of simulated photos; plain data, quick to import."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from vision.errors import Message

Range = tuple[float, float]
"""From, to; any value between comes up as often as any other."""
Count = tuple[int, int]
"""From, to, both included."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A kind of photo; left as it is, a table that a careful family photographs in good light.

    Attributes:
        about: what it is.
        materials: names of table tops, one of which comes up; none: any.
        share: of the photo's width or height that is filled by what belongs to the game.
        tilt: of the camera away from straight down, radians.
        barrel: distortion of the lens.
        carelessness: 1 for tiles laid by ordinary hands, 4 for children's.
        light: name of one of ``vision.simulate.light.EFFECTS``; None: none.
        strength: of light, blur and noise, see ``vision.simulate.light.photographed``.
        props: other things on the table.
        strays: left-over tiles, face up.
        decoys: grids of tiles that lie face down.
        has_grids: whether there is anything to read.
        most_missing: tiles of one grid that are not there, 1 to so many; 0: all are there.
        cut_off: whether some of it runs off the edge of the photo.
        covered: tiles that something lies on.
        turned: tiles that lie the wrong way, or askew where they may lie any way.
        jpeg_quality: of the file.
    """

    about: Message
    materials: tuple[str, ...] = ()
    share: Range = (0.86, 0.97)
    tilt: Range = (0.02, 0.14)
    barrel: Range = (0.0, 0.05)
    carelessness: Range = (0.5, 1.2)
    light: str | None = None
    strength: float = 0.25
    props: Count = (2, 8)
    strays: Count = (0, 6)
    decoys: Count = (0, 0)
    has_grids: bool = True
    most_missing: int = 0
    cut_off: bool = False
    covered: Count = (0, 0)
    turned: Count = (0, 0)
    jpeg_quality: Count = (82, 95)


def _lit(about: Message, light: str) -> Condition:
    return Condition(about, light=light, strength=0.2)


_PATTERNED: Final = (
    "gingham", "chequerboard", "stripes", "polka-dots", "flowers", "cutting-mat", "play-mat",
    "wrapping", "ceramic", "rattan",
)  # fmt: skip

CONDITIONS: Final[Mapping[str, Condition]] = {
    "normal": Condition(Message("tidy cities on any table in good light")),
    "sloppy": Condition(Message("cities laid by careless hands"), carelessness=(2.0, 3.5)),
    "handheld": Condition(
        Message("the camera tilted by 15 to 32 degrees"), tilt=(0.26, 0.55), share=(0.73, 0.83)
    ),
    "wide": Condition(
        Message("a wide lens that bends straight lines"), barrel=(0.12, 0.28), share=(0.73, 0.83)
    ),
    "patterned": Condition(
        Message("table tops with patterns that resemble tiles"), materials=_PATTERNED
    ),
    "cluttered": Condition(
        Message("many other things and left-over tiles on the table"),
        props=(25, 44),
        strays=(8, 19),
    ),
    "dim": _lit(Message("an evening lamp: dark, warm and noisy"), "dim"),
    "glare": _lit(Message("lamps and windows mirrored in the print"), "mirrored-lamps"),
    "blown": _lit(Message("so much light that parts are white"), "blown-out"),
    "shadow": _lit(Message("people and things that stand in the light"), "deep-shadows"),
    "cast": _lit(Message("a strong warm or cool cast"), "colour-cast"),
    "blur": _lit(Message("out of focus, or the camera moved"), "unsharp"),
    "noise": _lit(Message("a sensor at its limit"), "grain"),
    "jpeg": Condition(Message("compressed to the utmost"), jpeg_quality=(8, 20)),
    "missing": Condition(Message("one to five tiles of each city not there"), most_missing=5),
    "edge": Condition(Message("a city or two run off the edge of the picture"), cut_off=True),
    "covered": Condition(Message("a token, a finger or the like on some tiles"), covered=(4, 12)),
    "turned": Condition(Message("some tiles upside down or turned by a quarter"), turned=(3, 6)),
    "no-city": Condition(
        Message("left-over and face-down tiles, nothing to read"),
        props=(8, 29),
        strays=(0, 11),
        decoys=(0, 4),
        has_grids=False,
    ),
}
"""Every kind of photo by name."""
