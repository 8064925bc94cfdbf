"""Charts of the statistics of past games: SVG files that any browser shows."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from reportlab.graphics import renderSVG
from reportlab.graphics.charts.barcharts import BarChart, HorizontalBarChart, VerticalBarChart
from reportlab.graphics.shapes import Drawing, String
from reportlab.lib.colors import HexColor

from firmware.base.errors import printable
from firmware.base.language import _
from firmware.base.output_folder import prepare_folder, write_files
from firmware.games.player_words import shown_name
from firmware.games.registry import game_or_unscored
from firmware.history.stats import GameStats
from firmware.history.text import title_with_level

_WIDTH: Final = 640
_NAMES_WIDTH: Final = 160
_MARGIN: Final = 24
_TITLE_HEIGHT: Final = 44
_GAP: Final = 4
"""Space between a bar and its number."""
_MAX_NUMBERED: Final = 24
"""Number of columns up to which each has room for its number."""
_BAR_HEIGHT: Final = 26
_COLUMNS_HEIGHT: Final = 240
_LETTER_HEIGHT: Final = 11
_MAX_LABEL_CHARS: Final = 24
"""Longest name beside a bar; longer ones are cut off."""
_BAR: Final = HexColor("#3b6ea5")


def write_charts(stats: Sequence[GameStats], folder: Path) -> tuple[Path, ...]:
    """Write up to three charts for each game, all at once, replacing those of an earlier run.

    Returns:
        Paths of the files.

    Raises:
        OutputError: The folder or a file cannot be written.
    """
    prepare_folder(folder)
    charts = [chart for each in stats for chart in _charts(each)]
    write_files(
        folder,
        {name: renderSVG.drawToString(drawing).encode("utf-8") for name, drawing in charts},
    )
    return tuple(folder / name for name, _drawing in charts)


def _charts(stats: GameStats) -> Iterator[tuple[str, Drawing]]:
    """Yield the charts of a game: wins, points of the winners, points by building type."""
    title = title_with_level(stats.game, stats.variant, stats.level)
    stem = f"{stats.game}-{stats.variant}-{stats.level}"
    if stats.players:
        bars = [(shown_name(one.name), one.wins) for one in stats.players]
        yield f"{stem}-wins.svg", _draw_bars(_("{game}: wins").format(game=title), bars)
    heading = _("{game}: points of the winner, game by game").format(game=title)
    yield f"{stem}-points.svg", _draw_columns(heading, stats.winning)
    if stats.parts:
        parts = [
            (game_or_unscored(stats.game).part_name(one.part), round(one.average, 1))
            for one in stats.parts
        ]
        heading = _("{game}: points on average").format(game=title)
        yield f"{stem}-parts.svg", _draw_bars(heading, parts)


def _draw_bars(title: str, bars: Sequence[tuple[str, float]]) -> Drawing:
    """Draw a horizontal bar for each name, the first one at the top."""
    chart = HorizontalBarChart()
    upwards = list(reversed(bars))
    chart.data = [[value for _name, value in upwards]]
    names = [printable(name) for name, _value in upwards]
    chart.categoryAxis.categoryNames = [
        name if len(name) <= _MAX_LABEL_CHARS else f"{name[: _MAX_LABEL_CHARS - 1]}…"
        for name in names
    ]
    chart.height = _BAR_HEIGHT * len(bars)
    chart.x = _NAMES_WIDTH
    chart.valueAxis.visible = False
    chart.barLabels.boxAnchor, chart.barLabels.dx = "w", _GAP
    return _draw(title, chart)


def _draw_columns(title: str, values: Sequence[int]) -> Drawing:
    """Draw a column for each value, from the left."""
    chart = VerticalBarChart()
    chart.data = [list(values)]
    chart.categoryAxis.visibleTicks = False
    chart.height = _COLUMNS_HEIGHT
    chart.x = 2 * _MARGIN
    chart.barLabels.boxAnchor, chart.barLabels.visible = "s", len(values) <= _MAX_NUMBERED
    return _draw(title, chart)


def _draw(title: str, chart: BarChart) -> Drawing:
    chart.y = _MARGIN
    chart.width = _WIDTH - chart.x - 2 * _MARGIN
    chart.valueAxis.valueMin = 0
    chart.valueAxis.labels.fontSize = chart.categoryAxis.labels.fontSize = _LETTER_HEIGHT
    chart.bars[0].fillColor, chart.bars[0].strokeColor = _BAR, None
    chart.barLabelFormat = "%g"
    chart.barLabels.fontSize = _LETTER_HEIGHT
    drawing = Drawing(_WIDTH, chart.y + chart.height + _TITLE_HEIGHT)
    drawing.add(chart)
    top = chart.y + chart.height + _TITLE_HEIGHT - 20
    drawing.add(String(_MARGIN / 2, top, title, fontSize=_LETTER_HEIGHT + 3))
    return drawing
