"""Charts with axes as values for the template ``charts.html``, which draws them as inline SVG.

Coordinates are SVG units, x to the right, y down; a chart is ``WIDTH`` wide and scales with the
page. Each has a title, a description in words, and its numbers as a table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, floor
from typing import Final

WIDTH: Final = 328
_LEFT: Final = 34
"""Room for the numbers of an upright axis."""
_RIGHT: Final = 8
_NAMES: Final = 104
"""Room for the names beside horizontal bars."""
_MAX_LABEL_CHARS: Final = 14
"""Longest name beside a bar; longer ones are cut off, the table has them whole."""
_TOP: Final = 20
_PLOT: Final = 120
"""Height of a plot with an upright axis."""
_ROW: Final = 28
"""Height of a row of horizontal bars."""
_BAR: Final = 20
_MAX_STEPS: Final = 4
_STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class ChartText:
    """Text in a chart.

    Attributes:
        x: Position of its anchor.
        y: Position of its base line.
        text: Words or a number.
        anchor: ``start``, ``middle`` or ``end``.
        look: Class of the style sheet; empty for an axis.
    """

    x: float
    y: float
    text: str
    anchor: str = "start"
    look: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """Filled rectangle; ``look`` is its class of the style sheet."""

    x: float
    y: float
    width: float
    height: float
    look: str = "own"


@dataclass(frozen=True, slots=True)
class Dot:
    """Point of a course; ``look`` is its class of the style sheet."""

    x: float
    y: float
    look: str


@dataclass(frozen=True, slots=True)
class Line:
    """Line through points, as the attribute ``points`` has them; ``look`` is its class."""

    points: str
    look: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Chart that is ready to be drawn.

    Attributes:
        name: Identifier, unique on its page.
        title: Title of the chart.
        description: The numbers in a sentence.
        height: Height of the drawing.
        header: Heads of the columns of its table.
        rows: Rows of its table.
        lines: Axes, courses and marks.
        bars: Filled rectangles.
        dots: Points.
        texts: Texts.
        keys: Class and meaning of each mark, below the chart.
    """

    name: str
    title: str
    description: str
    height: float
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: list[Line] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    dots: list[Dot] = field(default_factory=list)
    texts: list[ChartText] = field(default_factory=list)
    keys: tuple[tuple[str, str], ...] = ()

    @property
    def width(self) -> int:
        """Width of the drawing."""
        return WIDTH


@dataclass(frozen=True, slots=True)
class ChartWords:
    """Identifier, title, table head and meanings of the marks of a chart: see ``Chart``."""

    name: str
    title: str
    header: tuple[str, ...]
    keys: tuple[tuple[str, str], ...] = ()


def ticks_between(least: float, most: float) -> tuple[int, ...]:
    """Return round numbers for an axis that holds these values, the outer ones included."""
    span = max(most - least, 1)
    step = next((step for step in _STEPS if span / step <= _MAX_STEPS), _STEPS[-1])
    first, last = floor(least / step), max(ceil(most / step), floor(least / step) + 1)
    return tuple(step * number for number in range(first, last + 1))


def course_chart(
    words: ChartWords, games: Sequence[tuple[str, int, bool]], cells: Sequence[tuple[str, ...]]
) -> Chart:
    """Return the points of games one after the other.

    Args:
        words: Texts of the chart.
        games: Date, points and whether the game was won.
        cells: Rows of the table.
    """
    points = [each for _date, each, _won in games]
    ticks = ticks_between(min(points), max(points))
    chart = _upright(words, cells, ticks)
    at = _Scale(ticks[0], ticks[-1])
    step = (WIDTH - _LEFT - _RIGHT - 16) / max(len(games) - 1, 1)
    dots = [
        Dot(_LEFT + 8 + number * step, at(each), "win" if won else "dot")
        for number, (_date, each, won) in enumerate(games)
    ]
    chart.lines.append(Line(" ".join(f"{dot.x:.1f},{dot.y:.1f}" for dot in dots), "ln"))
    chart.dots.extend(dots)
    for dot, (_date, each, won) in zip(dots, games, strict=True):
        if won or dot is dots[-1]:
            chart.texts.append(ChartText(dot.x, dot.y - 10, str(each), "middle", "ink"))
    base = _TOP + _PLOT + 18
    chart.texts.append(ChartText(_LEFT, base, games[0][0]))
    if len(games) > 1:
        chart.texts.append(ChartText(WIDTH - 2, base, games[-1][0], "end"))
    return chart


def column_chart(
    words: ChartWords, columns: Sequence[tuple[str, int, int]], cells: Sequence[tuple[str, ...]]
) -> Chart:
    """Return a column for each label, of which a part is filled; both count from 0.

    Args:
        words: Texts of the chart.
        columns: Label, whole value and filled part.
        cells: Rows of the table.
    """
    ticks = ticks_between(0, max(whole for _label, whole, _part in columns))
    chart = _upright(words, cells, ticks)
    at, zero = _Scale(ticks[0], ticks[-1]), _TOP + _PLOT
    step = (WIDTH - _LEFT - _RIGHT) / len(columns)
    width = min(step * 0.7, 40)
    for number, (_label, whole, part) in enumerate(columns):
        x = _LEFT + (number + 0.5) * step - width / 2
        if whole > part:
            chart.bars.append(Bar(x, at(whole), width, zero - at(whole), "lose"))
        if part:
            chart.bars.append(Bar(x, at(part), width, zero - at(part)))
    for number in sorted({0, len(columns) - 1}):
        place = _LEFT if number == 0 else WIDTH - 2
        anchor = "start" if number == 0 else "end"
        chart.texts.append(ChartText(place, zero + 18, columns[number][0], anchor))
    return chart


def balance_chart(
    words: ChartWords, rows: Sequence[tuple[str, int, int]], cells: Sequence[tuple[str, ...]]
) -> Chart:
    """Return two bars for each name, to the right and to the left of 0.

    Args:
        words: Texts of the chart.
        rows: Name, value to the left and value to the right.
        cells: Rows of the table.
    """
    most = max(max(left, right) for _name, left, right in rows)
    ticks = ticks_between(0, most)
    chart = _lying(words, cells, len(rows))
    middle = _NAMES + (WIDTH - _NAMES - _RIGHT) / 2
    unit = (WIDTH - _RIGHT - 8 - middle) / ticks[-1]
    for tick in sorted({*ticks, *(-tick for tick in ticks)}):
        _mark_upright(chart, middle + tick * unit, str(abs(tick)))
    for number, (name, left, right) in enumerate(rows):
        y = 8 + number * _ROW
        chart.texts.append(_name(name, y))
        for value, sign, look in ((left, -1, "lose"), (right, 1, "own")):
            if value:
                x = middle if sign > 0 else middle - value * unit
                chart.bars.append(Bar(x, y, value * unit, _BAR, look))
    chart.lines.append(Line(f"{middle:.1f},4 {middle:.1f},{chart.height - 22:.1f}", "av"))
    return chart


def mark_chart(
    words: ChartWords,
    rows: Sequence[tuple[str, str, float, float]],
    cells: Sequence[tuple[str, ...]],
) -> Chart:
    """Return a bar from 0 for each name, with a mark to compare it with.

    Args:
        words: Texts of the chart.
        rows: Name, class of the bar, value of the bar and of the mark.
        cells: Rows of the table.
    """
    ticks = ticks_between(0, max(max(value, mark) for _name, _look, value, mark in rows))
    chart = _lying(words, cells, len(rows))
    unit = (WIDTH - _NAMES - _RIGHT - 8) / ticks[-1]
    for tick in ticks:
        _mark_upright(chart, _NAMES + tick * unit, str(tick))
    for number, (name, look, value, mark) in enumerate(rows):
        y = 8 + number * _ROW
        chart.texts.append(_name(name, y))
        chart.bars.append(Bar(_NAMES, y, max(value, 0) * unit, _BAR, f"own {look}".strip()))
        x = _NAMES + mark * unit
        chart.lines.append(Line(f"{x:.1f},{y - 3:.1f} {x:.1f},{y + _BAR + 3:.1f}", "av"))
    return chart


def _described(words: ChartWords, cells: Sequence[tuple[str, ...]], height: float) -> Chart:
    description = "; ".join(
        f"{row[0]}: "
        + ", ".join(f"{head} {cell}" for head, cell in zip(words.header[1:], row[1:], strict=True))
        for row in cells
    )
    return Chart(
        words.name, words.title, description, height, words.header, tuple(cells), keys=words.keys
    )


def _upright(words: ChartWords, cells: Sequence[tuple[str, ...]], ticks: tuple[int, ...]) -> Chart:
    chart = _described(words, cells, _TOP + _PLOT + 26)
    at = _Scale(ticks[0], ticks[-1])
    for tick in ticks:
        chart.lines.append(Line(f"{_LEFT},{at(tick):.1f} {WIDTH - 2},{at(tick):.1f}", "ax"))
        chart.texts.append(ChartText(_LEFT - 6, at(tick) + 4, str(tick), "end"))
    return chart


def _lying(words: ChartWords, cells: Sequence[tuple[str, ...]], rows: int) -> Chart:
    return _described(words, cells, 8 + rows * _ROW + 26)


@dataclass(frozen=True, slots=True)
class _Scale:
    """Positions on an upright axis from its lowest to its highest value."""

    least: int
    most: int

    def __call__(self, value: float) -> float:
        return _TOP + _PLOT * (self.most - value) / (self.most - self.least)


def _mark_upright(chart: Chart, x: float, text: str) -> None:
    chart.lines.append(Line(f"{x:.1f},4 {x:.1f},{chart.height - 22:.1f}", "ax"))
    chart.texts.append(ChartText(x, chart.height - 6, text, "middle"))


def _name(name: str, y: float) -> ChartText:
    short = name if len(name) <= _MAX_LABEL_CHARS else f"{name[: _MAX_LABEL_CHARS - 1]}…"
    return ChartText(0, y + 14, short, "start", "ink")
