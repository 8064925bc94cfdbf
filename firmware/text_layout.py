"""What all texts for a terminal share."""

import textwrap
from collections.abc import Iterable
from typing import Final

from scoring.faces import Place, city_name

CHECK_STYLE: Final = "bold yellow"
"""Of what a person has to look at."""


def place_name(place: Place) -> str:
    """A place as people and corrections name it: ``A 2,3``."""
    city, (row, column) = place
    return f"{city_name(city)} {row},{column}"


def wrapped(items: Iterable[str], width: int, *, title: str = "") -> str:
    """A title and items with commas between them, on lines that break between items alone."""
    no_break_space = "\N{NO-BREAK SPACE}"
    text = ", ".join(item.replace(" ", no_break_space) for item in items)
    lines = textwrap.fill(f"{title} {text}".strip(), width, break_long_words=False)
    return lines.replace(no_break_space, " ")
