"""What all texts for a terminal share."""

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Rows
from rich.text import Text

from firmware.doubts import Doubts, doubts_in_words
from firmware.language import _, _n
from firmware.places import cell_name
from scoring.faces import Place, city_name

CHECK_STYLE: Final = "bold yellow"
"""Of what a person has to look at."""


def place_words(place: Place) -> str:
    """A cell of a table as people call it: ``A, row 3, column 4``."""
    city, cell = place
    return cell_name(city_name(city), cell)


def by_rank(players: Sequence[Any]) -> list[int]:
    """The indices of the players of a sheet, the best one first."""
    return sorted(range(len(players)), key=lambda index: players[index].rank)


def wrapped(items: Iterable[str], width: int, *, title: str = "") -> str:
    """A title and items with commas between them, on lines that break between items alone."""
    no_break_space = "\N{NO-BREAK SPACE}"
    text = ", ".join(item.replace(" ", no_break_space) for item in items)
    lines = textwrap.fill(f"{title} {text}".strip(), width, break_long_words=False)
    return lines.replace(no_break_space, " ")


def columns_title(columns: range) -> str:
    """The columns of a part of a board; they count from 1."""
    return _("Columns {first} to {last}").format(first=columns[0] + 1, last=columns[-1] + 1)


def titled_rows(title: str | Text, **layout: Any) -> Rows:
    """A table under a bold title at its left, laid out as ``rich.table.Table`` is told."""
    return Rows(title=title, title_justify="left", title_style="bold", **layout)


def print_legend(console: Console, entries: Iterable[str]) -> None:
    """What the letters on a board mean, below it."""
    console.print()
    console.print(Text(wrapped(entries, console.width), style="dim"))


def print_tie_breaks(console: Console, told: Sequence[str]) -> None:
    """How players of the same points stand to each other, if there are any: a line for each."""
    if told:
        console.print(Text(_("Tie-breaks:")))
        for said in told:
            console.print(Padding(Text(said), (0, 0, 0, 2), expand=False))
        console.print()


def print_may_change(console: Console, doubts: Doubts | None) -> None:
    """By what the result may still change, if by anything."""
    if doubts is not None and doubts.count:
        said = _("May change: {doubts}").format(doubts=doubts_in_words(doubts))
        console.print(Text(said, style=CHECK_STYLE))


def winner_sentence(
    winners: Sequence[str], points: str, count: int, decided_by: str | None = None
) -> str:
    """One line naming the winner, or all who share the victory.

    Args:
        winners: their names, at least one.
        points: what they have, as it is to be shown, such as ``57?`` for what may change.
        count: the number in ``points``.
        decided_by: the sentence of the tie-break by which a single winner is ahead.
    """
    if len(winners) > 1:
        together = _("{names} and {last}").format(names=", ".join(winners[:-1]), last=winners[-1])
        return _n(
            "{winners} share the victory with {points} point",
            "{winners} share the victory with {points} points",
            count,
            winners=together,
            points=points,
        )
    if decided_by is None:
        return _n(
            "{winner} wins with {points} point",
            "{winner} wins with {points} points",
            count,
            winner=winners[0],
            points=points,
        )
    return _n(
        "{winner} wins with {points} point by tie-break, {tie_break}",
        "{winner} wins with {points} points by tie-break, {tie_break}",
        count,
        winner=winners[0],
        points=points,
        tie_break=decided_by,
    )
