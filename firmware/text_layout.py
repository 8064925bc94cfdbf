"""What all texts for a terminal share."""

import textwrap
from collections.abc import Iterable
from typing import Final

from rich.console import Console
from rich.text import Text

from firmware.doubts import Doubts, doubts_in_words
from firmware.language import _
from firmware.places import cell_words
from scoring.faces import Place, city_name

CHECK_STYLE: Final = "bold yellow"
"""Of what a person has to look at."""


def place_words(place: Place) -> str:
    """A cell of a table as people and corrections name it: ``A 3,4``."""
    city, cell = place
    return f"{city_name(city)} {cell_words(cell)}"


def wrapped(items: Iterable[str], width: int, *, title: str = "") -> str:
    """A title and items with commas between them, on lines that break between items alone."""
    no_break_space = "\N{NO-BREAK SPACE}"
    text = ", ".join(item.replace(" ", no_break_space) for item in items)
    lines = textwrap.fill(f"{title} {text}".strip(), width, break_long_words=False)
    return lines.replace(no_break_space, " ")


def columns_title(columns: range) -> str:
    """The columns of a part of a board; they count from 1."""
    return _("Columns {first} to {last}").format(first=columns[0] + 1, last=columns[-1] + 1)


def print_may_change(console: Console, doubts: Doubts | None) -> None:
    """By what the result may still change, if by anything."""
    if doubts is not None and doubts.count:
        said = _("May change: {doubts}").format(doubts=doubts_in_words(doubts))
        console.print(Text(said, style=CHECK_STYLE))
