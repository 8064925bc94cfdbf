"""What the eye says about photos, cities and boards, in the user's language.

The eye speaks English, as its readings do as JSON. Its wordings stand here once more, as templates
by which they are known again.
"""

import re
from functools import cache
from typing import Final

from firmware.language import N_, _

_TEMPLATES: Final = (
    # On a photo as a whole
    N_("the tiles do not look like those of edition {name}"),
    N_("much of the photo is white, so that a city may have been missed: use less light"),
    N_("the photo is dark, so that a city may have been missed: use more light"),
    N_("the photo is blurred, so that a city may have been missed: focus the camera"),
    N_("city {letter} of an earlier photo is not there any more"),
    N_(
        "city {letter} of an earlier photo is not there any more: "
        "the cities after it have moved up by a letter"
    ),
    N_("the calibration is for photos of another size: it was not used"),
    N_(
        "the calibration does not fit, the camera was moved or turned: it was not used, "
        "calibrate again with stadtblick calibrate --plane-only"
    ),
    N_("the calibration was not used: {why}"),
    N_("the calibration cannot be read ({error}): check the permissions of the file"),
    N_(
        "the calibration has format version {version} and {last} is the last one known: "
        "update Stadtblick, or calibrate again"
    ),
    N_("the calibration is damaged, {error}: calibrate again"),
    N_("no city found: lay each city as 4 x 4 tiles and take the whole table from above"),
    N_("nothing of the game was found: lay it flat and whole in the picture"),
    N_("no board was found: show all of it, from above, with nothing over its edges"),
    N_("the cities do not show by the way they face to whom they belong"),
    N_(
        "the cities do not show by the way they face to whom they belong: A and D are taken to be "
        "the first player's, B and C the second's; say it with --owners, like --owners 0,1,1,0"
    ),
    # On a city
    N_("city {letter}: {note}"),
    N_("glare at {places}: move the lamp or shade the city"),
    N_("runs off the {edges} edge of the picture: move the city or the camera"),
    N_("its tiles are only {n} pixels wide: move the camera closer"),
    N_("it is too dark: use more light"),
    N_("it is blurred: focus the camera and hold it still"),
    N_("so much of this city is unclear that all of it must be checked"),
    N_("a whole row at the edge has no tile: all may lie a row further"),
    N_("its tiles are of another size than those of the table: all must be checked"),
    N_("no tile can be seen at {places}"),
    N_("the tile lies upside down at {places}"),
    N_("the tile lies on its side at {places}"),
    N_("something hides the tile or it is a foreign one at {places}"),
    N_("more tiles on the table show {name} than the game has: check {places}"),
    # On what could not be read
    N_("only {n} tiles can be read here"),
    N_("what lies here like a city cannot be read"),
    N_("what lies here like a grid of this edition cannot be read"),
    N_("it cannot be told for certain where this grid ends: part of it is hidden or missing"),
    N_("the table has a pattern like tiles here, in which a city would not be seen for certain"),
    N_("so much light that tiles cannot be seen here: move the lamp or shade the table"),
)
_VALUES: Final = {"letter": "[A-Z]+", "n": r"\d+", "places": r"\[\d+,\d+\](?:, \[\d+,\d+\])*"}
"""What stands for some of the names in braces; for all others, anything."""
_NAME: Final = re.compile(r"\\{(\w+)\\}")


def in_own_words(remark: str) -> str:
    """A remark of the eye in the user's language; in English if its wording is not known."""
    for template, pattern in _patterns().items():
        match = pattern.fullmatch(remark)
        if match:
            values = {name: _value(name, value) for name, value in match.groupdict().items()}
            return _(template).format(**values)
    return remark


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """The templates, each with what matches the wordings made of it."""
    return {template: re.compile(_pattern(template)) for template in _TEMPLATES}


def _pattern(template: str) -> str:
    return _NAME.sub(
        lambda name: f"(?P<{name[1]}>{_VALUES.get(name[1], '.+')})", re.escape(template)
    )


def _value(name: str, value: str) -> str:
    if name in ("note", "why"):
        return in_own_words(value)
    if name == "edges":
        return _(" and ").join(_(edge) for edge in value.split(" and "))
    return value
