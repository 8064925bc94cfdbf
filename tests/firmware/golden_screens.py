"""The screens that are kept as pictures: which cases there are, and where their pictures lie.

Pictures of whole results lie in a folder each; those of single views in one for each language.
"""

import re
from dataclasses import replace
from pathlib import Path

from firmware.base.language import LANGUAGES
from firmware.report.result_screens import result_screens
from firmware.screens.canvas import Screen
from firmware.screens.render import render
from tests.firmware import samples, scan_samples, view_samples
from tests.firmware.screen_looks import speaking
from vision.reading import Note, NoteCode, Unread

FOLDER = Path(__file__).parents[1] / "golden" / "screens"


def cases() -> dict[str, tuple[Screen, ...]]:
    """Every case by its folder."""
    return {**results(), **views()}


def views() -> dict[str, tuple[Screen, ...]]:
    """Each kind of screen in each language."""
    found = {}
    for language in LANGUAGES:
        with speaking(language):
            for case, samples_of_case in view_samples.CASES.items():
                found[f"{language}/{case}"] = tuple(
                    replace(render(view), name=name) for name, view in samples_of_case.items()
                )
            found[f"{language}/games"] = tuple(
                replace(screen, name=f"{game}-{screen.name}")
                for game, scan in scan_samples.LONGEST.items()
                for screen in result_screens(scan)
                if re.match(r"player-[12]|streets|companies|legend|city-[AG]", screen.name)
            )
    return found


def results() -> dict[str, tuple[Screen, ...]]:
    """All pages of some results, in English."""
    unread = Unread(samples.square((1150, 640), 300, 20), Note(NoteCode.LIGHT_HIDES))
    everything_wrong = samples.seven_long_names(
        unsure={0: ((1, 1), (2, 3)), 3: tuple((row, c) for row in range(3) for c in range(4))},
        unread=(unread,),
    )
    return {
        "example": result_screens(samples.example()),
        "example-unsure": result_screens(samples.example(unsure={0: ((2, 3),)})),
        "example-open": result_screens(samples.example(unsure={2: ((0, 0),), 5: ((1, 2),)})),
        "two-player": result_screens(samples.two_player()),
        "two-player-owners-unknown": result_screens(samples.two_player(owners_known=False)),
        "seven-long-names": result_screens(everything_wrong),
        "long-winner": result_screens(samples.one_long_winner()),
        "three-winners": result_screens(samples.three_winners()),
    }


def golden_file(case: str, screen: Screen) -> Path:
    """Return the path of a screen's golden picture."""
    return FOLDER / case / f"{screen.name}.png"
