"""How the pages of a result are drawn."""

from firmware.screens import pictograms, typeset
from firmware.screens.canvas import (
    BODY_BOTTOM,
    BODY_ROWS,
    BODY_TOP,
    FOOTER_TOP,
    ROW_HEIGHT,
    WIDTH,
    Canvas,
    body_row,
)
from firmware.screens.device_views import Alert
from firmware.screens.draw_device import alert_row
from firmware.screens.result_views import (
    CityView,
    LegendView,
    MapView,
    PlayerView,
    ResultView,
    WinnerView,
)
from firmware.screens.table_map import draw_map
from firmware.screens.texts import Texts, mark
from firmware.screens.words import result
from scoring.games.between_two_cities.sheet import Category

POINTS_SIZES = (32, 28, 24, 20)
"""Heights of the letters of final points and of the total of a city."""

POINTS_WIDTH = 3 * typeset.cell_width(POINTS_SIZES[0])
"""Points with more than three letters are set smaller, so that there is room beside them."""

MARK = "►"
MARK_WIDTH = 8
"""Column of the mark of a city that counts."""

PLAYER_CITIES_RIGHT = MARK_WIDTH + 78
NAME_SIZES = (24, 20, 18, 16, 14, 12)
CITY_COLUMNS = ((1, 33), (40, 72))
"""Left and right of the two columns of building types."""

LEGEND_COLUMNS = (0, 78)
MAP_RIGHT = 88


def result_header(
    canvas: Canvas, texts: Texts, title: str | tuple[str, ...], view: ResultView
) -> None:
    """The title of a page, and beside it which page it is, or that the result is not saved.

    Args:
        canvas: to draw on.
        texts: the language.
        title: or wordings of it, best first.
        view: the page.
    """
    titles = (title,) if isinstance(title, str) else title
    canvas.header(titles, texts.each(result.UNSAVED) if view.unsaved else page_of(view))


def page_of(view: ResultView) -> tuple[str, ...]:
    """Which page of how many; empty for a single page."""
    return (f"{view.page.number}/{view.page.count}",) if view.page.count > 1 else ()


def draw_winner(canvas: Canvas, view: WinnerView, texts: Texts) -> None:
    """Who has won: names as large as they can be, and the points."""
    provisional = view.to_check > 0
    title = texts.winner(len(view.winners), provisional=provisional)
    points = mark(view.points, provisional=provisional)
    not_saved = (Alert.NOT_SAVED,) if view.unsaved else ()
    alerts = tuple(dict.fromkeys((*not_saved, *view.alerts)))
    bottom = BODY_BOTTOM - (ROW_HEIGHT if alerts else 0)
    if alerts:
        canvas.text(body_row(BODY_ROWS - 1), *alert_row(alerts, texts))
    names = [texts.name(seat) for seat in view.winners]
    rows = (bottom - BODY_TOP) // ROW_HEIGHT
    if len(names) == 1:
        canvas.header((title,), page_of(view))
        right = draw_points(canvas, points, bottom)
        lines = _broken(names[0], right // typeset.SMALLEST_WIDTH, rows)
    else:
        lines = names if len(names) <= rows else _with_more(names, rows, texts)
        right = _room_beside_points(points, bottom)
        if max(map(len, lines)) * typeset.SMALLEST_WIDTH > right:
            # The names need the whole width
            right = WIDTH
            canvas.header((title,), (points,))
        else:
            canvas.header((title,), page_of(view))
            draw_points(canvas, points, bottom)
    height = (bottom - BODY_TOP) // len(lines)
    sizes = tuple(size for size in NAME_SIZES if size <= height)
    size = min(typeset.fit((line,), right, height, sizes).size for line in lines)
    for row, line in enumerate(lines):
        top = BODY_TOP + row * height
        canvas.text((0, top, right, top + height), line, sizes=(size,))


def _broken(name: str, letters: int, rows: int) -> list[str]:
    lines = list(typeset.wrap(name, letters))
    return [*lines[: rows - 1], " ".join(lines[rows - 1 :])] if len(lines) > rows else lines


def _with_more(names: list[str], rows: int, texts: Texts) -> list[str]:
    shown = rows - 1
    return [*names[:shown], texts.say(result.MORE_WINNERS, n=len(names) - shown)]


def draw_player(canvas: Canvas, view: PlayerView, texts: Texts) -> None:
    """Rank, final points, both cities, and why the points are what they are."""
    provisional = view.to_check > 0
    title = texts.ranked(view.rank, texts.name(view.player), provisional=provisional)
    result_header(canvas, texts, title, view)
    final = mark(view.final, provisional=provisional)
    edge = draw_points(canvas, final, BODY_TOP + 2 * ROW_HEIGHT)
    for row, (city, side) in enumerate(zip(view.cities, (result.LEFT, result.RIGHT), strict=True)):
        left, top, right, bottom = body_row(row, 0, min(edge, PLAYER_CITIES_RIGHT))
        if city.counts:
            canvas.bar((left, top, right, bottom))
            canvas.text((left + 1, top, left + MARK_WIDTH, bottom), MARK, dark=True)
        number = mark(city.total, provisional=city.may_change)
        number_left = right - 1 - typeset.SMALLEST_WIDTH * len(number)
        label = (left + MARK_WIDTH + 1, top, number_left - 2, bottom)
        wordings = (texts.say(side, letter=city.letter), city.letter)
        canvas.text(label, *wordings, dark=city.counts)
        canvas.text((number_left, top, right - 1, bottom), number, align="right", dark=city.counts)
    canvas.text(body_row(BODY_ROWS - 1), *_reason_of_final(view, texts))


def _reason_of_final(view: PlayerView, texts: Texts) -> tuple[str, ...]:
    if view.tie_break is not None:
        return texts.tie_break(view.tie_break)
    if view.are_added:
        return (texts.say(result.ARE_ADDED),)
    counting = [city.letter for city in view.cities if city.counts]
    if len(counting) > 1:
        return (texts.say(result.BOTH_EQUAL),)
    return (texts.say(result.LOWER_COUNTS, letter=counting[0]),)


def draw_map_page(canvas: Canvas, view: MapView, texts: Texts) -> None:
    """Where each city lies; the whole height above the hint row is the table."""
    draw_map(canvas, view.table, (0, 0, MAP_RIGHT, FOOTER_TOP - 2))
    title = (MAP_RIGHT, 0, WIDTH, ROW_HEIGHT)
    page = (MAP_RIGHT, BODY_BOTTOM - ROW_HEIGHT, WIDTH, BODY_BOTTOM)
    canvas.text(title, texts.say(result.MAP), align="right")
    canvas.text(page, *(page_of(view) or ("",)), align="right")


def draw_legend(canvas: Canvas, view: LegendView, texts: Texts) -> None:
    """The signs of the building types, in the places that they have on the page of a city."""
    result_header(canvas, texts, texts.say(result.LEGEND), view)
    for place, category in enumerate(Category):
        column, row = divmod(place, BODY_ROWS)
        left, top, right, bottom = body_row(row, LEGEND_COLUMNS[column])
        canvas.image.paste(pictograms.category_sign(category), (left, top))
        label = (left + pictograms.SIDE + 3, top, right, bottom)
        canvas.text(label, texts.say(result.CATEGORIES[category]))


def draw_city(canvas: Canvas, view: CityView, texts: Texts) -> None:
    """Points of a city by building type, and the total."""
    result_header(canvas, texts, texts.say(result.CITY, letter=view.letter), view)
    draw_points(canvas, mark(view.points.total, provisional=view.may_change), BODY_BOTTOM)
    for place, category in enumerate(Category):
        column, row = divmod(place, BODY_ROWS)
        left, top, right, bottom = body_row(row, *CITY_COLUMNS[column])
        canvas.image.paste(pictograms.category_sign(category), (left, top))
        box = (left + pictograms.SIDE + 2, top, right, bottom)
        canvas.text(box, str(view.points[category]), align="right")


def draw_points(canvas: Canvas, points: str | tuple[str, ...], bottom: int) -> int:
    """Write points at the right; return where what stands beside them has to end.

    Args:
        canvas: to draw on.
        points: as they are shown, or wordings of it, best first.
        bottom: of the box that they fill.
    """
    set_points = _set_points(points, bottom)
    left = WIDTH - set_points.width
    box = (left, BODY_TOP, WIDTH, bottom)
    canvas.text(box, set_points.shown, align="right", sizes=(set_points.size,))
    return left - 4


def _room_beside_points(points: str, bottom: int) -> int:
    return WIDTH - _set_points(points, bottom).width - 4


def _set_points(points: str | tuple[str, ...], bottom: int) -> typeset.SetText:
    choices = (points,) if isinstance(points, str) else points
    return typeset.fit(choices, POINTS_WIDTH, bottom - BODY_TOP, POINTS_SIZES)
