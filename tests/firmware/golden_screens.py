"""The screens that are kept as pictures: which cases there are, and where their pictures lie.

Pictures of whole results lie in a folder each; those of single views in one for each language.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from firmware.base.language import LANGUAGES
from firmware.games.scan import Scan
from firmware.report.scan_views import scan_screens
from firmware.screens.canvas import Screen
from firmware.screens.render import render
from tests.firmware import samples, scan_samples, view_samples
from tests.firmware.screen_looks import speaking
from vision.reading import Note, NoteCode, Unread

FOLDER = Path(__file__).parents[1] / "golden" / "screens"


def _everything_wrong() -> Scan:
    unread = Unread(samples.square((1150, 640), 300, 20), Note(NoteCode.LIGHT_HIDES))
    return samples.seven_long_names(
        unsure={0: ((1, 1), (2, 3)), 3: tuple((row, c) for row in range(3) for c in range(4))},
        unread=(unread,),
    )


RESULTS: Final[dict[str, Callable[[], Scan]]] = {
    "example": samples.example,
    "example-unsure": lambda: samples.example(unsure={0: ((2, 3),)}),
    "example-open": lambda: samples.example(unsure={2: ((0, 0),), 5: ((1, 2),)}),
    "two-player": samples.two_player,
    "two-player-owners-unknown": lambda: samples.two_player(owners_known=False),
    "seven-long-names": _everything_wrong,
    "long-winner": samples.one_long_winner,
    "three-winners": samples.three_winners,
}
"""Results whose pages are all kept, in English."""
GAMES: Final = "games"
CASES: Final = (
    *RESULTS,
    *(f"{language}/{kind}" for language in LANGUAGES for kind in (*view_samples.CASES, GAMES)),
)
"""Every case, by its folder."""


def cases() -> dict[str, tuple[Screen, ...]]:
    """Every case by its folder."""
    return {case: screens_of(case) for case in CASES}


@cache
def screens_of(case: str) -> tuple[Screen, ...]:
    """The pages of a result, or each screen of a kind in one language."""
    language, _, kind = case.rpartition("/")
    if not language:
        return scan_screens(RESULTS[case]())
    with speaking(language):
        if kind != GAMES:
            views = view_samples.CASES[kind]
            return tuple(replace(render(view), name=name) for name, view in views.items())
        return tuple(
            replace(screen, name=f"{game}-{screen.name}")
            for game, scan in scan_samples.LONGEST.items()
            for screen in scan_screens(scan)
            if re.match(r"player-[12]|streets|companies|legend|city-[AG]", screen.name)
        )


def golden_file(case: str, screen: Screen) -> Path:
    """Return the path of a screen's golden picture."""
    return FOLDER / case / f"{screen.name}.png"
