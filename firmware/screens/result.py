"""The pages of a score sheet: winner, what to check, players, the map of the table, cities."""

from functools import partial

from firmware.doubts import Doubts, doubts_of
from firmware.screens import texts, typeset
from firmware.screens.canvas import (
    BODY_ROWS,
    BODY_TOP,
    FOOTER_TOP,
    ROW_HEIGHT,
    WIDTH,
    Canvas,
    Draft,
    Screen,
    body_row,
)
from firmware.screens.check import check_drafts
from firmware.screens.table_map import draw_map
from scoring.games.between_two_cities.sheet import Category, CityScore, PlayerScore, Sheet
from scoring.games.between_two_cities.table import Variant
from vision.reading import Reading

POINTS_SIZES = (32, 28, 24, 20)
"""Heights of the letters of a player's final points."""

POINTS_WIDTH = 3 * typeset.cell_width(POINTS_SIZES[0])
"""Final points with more than three letters are set smaller, so that a name has room."""

MARK = "►"
MARK_WIDTH = 8
"""Column of the mark of a city that counts."""

NAME_SIZES = (24, 20, 18, 16, 14, 12)
CITY_COLUMNS = ((0, 61), (67, WIDTH))
"""Left and right of the two columns of categories."""

CITY_DIVIDER = 63


def result_screens(
    sheet: Sheet, reading: Reading, *, owners_known: bool = True
) -> tuple[Screen, ...]:
    """All pages of a result, in the order of leafing through.

    Args:
        sheet: the score of what was read.
        reading: what the photo showed.
        owners_known: whether it is certain whose each city is.

    Returns:
        ``winner``, then ``unread-1`` …, ``owners``, ``unsure-1`` … and ``missing-1`` … if there
        is such a doubt, ``player-1`` … in seat order, ``map``, and ``city-A`` ….
    """
    doubts = doubts_of(reading, missing=sheet.missing, owners_known=owners_known)
    provisional = doubts.count > 0
    names = [_name_of(sheet, index) for index in range(len(sheet.players))]
    seats = range(1, len(names) + 1)
    drafts = (
        Draft("winner", partial(_draw_winners, sheet=sheet, provisional=provisional)),
        *check_drafts(doubts, sheet.players, names),
        *(Draft(f"player-{seat}", partial(_draw_player, sheet, doubts, seat)) for seat in seats),
        Draft("map", partial(draw_map, reading=reading), has_hint_row=False),
        *(
            Draft(
                f"city-{city.name}",
                partial(_draw_city, city=city, provisional=_may_change(sheet, doubts, index)),
            )
            for index, city in enumerate(sheet.cities)
        ),
    )
    return tuple(
        _page(draft, number, len(drafts), doubts.count)
        for number, draft in enumerate(drafts, start=1)
    )


def _page(draft: Draft, number: int, count: int, to_check: int) -> Screen:
    canvas = Canvas()
    draft.draw(canvas)
    page = texts.page(number, count)
    if draft.has_hint_row:
        canvas.footer(page, texts.to_check(to_check) if to_check else (), texts.NEXT)
    else:
        canvas.side_hints(
            texts.MAP, page, texts.to_check(to_check)[-1] if to_check else "", texts.NEXT
        )
    return canvas.screen(draft.name)


def _may_change(sheet: Sheet, doubts: Doubts, city: int) -> bool:
    has_factories = sheet.cities[city].points.factories > 0
    return doubts.may_change_total(city, has_factories=has_factories)


def _draw_winners(canvas: Canvas, *, sheet: Sheet, provisional: bool) -> None:
    names = [_name_of(sheet, index) for index in sheet.winners]
    canvas.header((texts.winner(len(names), provisional=provisional),))
    final = texts.mark(sheet.players[sheet.winners[0]].final, provisional=provisional)
    right = _draw_points(canvas, final, FOOTER_TOP - 1)
    lines = _winner_lines(names, right // typeset.SMALLEST_WIDTH)
    height = (FOOTER_TOP - 1 - BODY_TOP) // len(lines)
    sizes = tuple(size for size in NAME_SIZES if size <= height)
    size = min(typeset.fit((line,), right, height, sizes).size for line in lines)
    for row, line in enumerate(lines):
        top = BODY_TOP + row * height
        canvas.text((0, top, right, top + height), line, sizes=(size,))


def _winner_lines(names: list[str], letters: int) -> list[str]:
    """At most three lines: one name broken into words, or one line a winner."""
    if len(names) == 1:
        lines = list(typeset.wrap(names[0], letters))
        if len(lines) > BODY_ROWS:
            rest = " ".join(lines[BODY_ROWS - 1 :])
            lines[BODY_ROWS - 1 :] = [rest]
        return lines
    if len(names) > BODY_ROWS:
        shown = BODY_ROWS - 1
        return [*names[:shown], texts.more(len(names) - shown)]
    return names


def _draw_player(sheet: Sheet, doubts: Doubts, seat: int, canvas: Canvas) -> None:
    player = sheet.players[seat - 1]
    provisional = doubts.count > 0
    name = _name_of(sheet, seat - 1)
    canvas.header((texts.ranked(player.rank, name, provisional=provisional),))
    final = texts.mark(player.final, provisional=provisional)
    edge = _draw_points(canvas, final, BODY_TOP + 2 * ROW_HEIGHT)
    counting = _counting_cities(sheet, player)
    for row, (index, side) in enumerate(zip(player.cities, (texts.LEFT, texts.RIGHT), strict=True)):
        city = sheet.cities[index]
        left, top, right, bottom = body_row(row, 0, min(edge, MARK_WIDTH + 78))
        counts = index in counting
        if counts:
            canvas.bar((left, top, right, bottom))
            canvas.text((left + 1, top, left + MARK_WIDTH, bottom), MARK, dark=True)
        number = texts.mark(city.total, provisional=_may_change(sheet, doubts, index))
        number_left = right - 1 - typeset.SMALLEST_WIDTH * len(number)
        label = (left + MARK_WIDTH + 1, top, number_left - 2, bottom)
        canvas.text(label, f"{city.name} {side}", city.name, dark=counts)
        canvas.text((number_left, top, right - 1, bottom), number, align="right", dark=counts)
    canvas.text(body_row(BODY_ROWS - 1), *_reason_of_final(sheet, player, counting))


def _counting_cities(sheet: Sheet, player: PlayerScore) -> tuple[int, ...]:
    if sheet.variant is Variant.TWO_PLAYER:
        return player.cities
    lowest = min(sheet.cities[index].total for index in player.cities)
    return tuple(index for index in player.cities if sheet.cities[index].total == lowest)


def _reason_of_final(
    sheet: Sheet, player: PlayerScore, counting: tuple[int, ...]
) -> tuple[str, ...]:
    if player.tie_break is not None:
        return texts.tie_break(player.tie_break)
    if sheet.variant is Variant.TWO_PLAYER:
        return texts.SUM_COUNTS
    if len(counting) > 1:
        return texts.BOTH_EQUAL
    return texts.lower_counts(sheet.cities[counting[0]].name)


def _draw_city(canvas: Canvas, *, city: CityScore, provisional: bool) -> None:
    canvas.header((texts.city(city.name),), texts.points(city.total, provisional=provisional))
    canvas.dots_down(CITY_DIVIDER, BODY_TOP, FOOTER_TOP - 1)
    for place, category in enumerate(Category):
        column, row = divmod(place, BODY_ROWS)
        left, top, right, bottom = body_row(row, *CITY_COLUMNS[column])
        number = str(city.points[category])
        number_left = right - typeset.SMALLEST_WIDTH * len(number)
        canvas.text((left, top, number_left - 1, bottom), texts.CATEGORIES[category])
        canvas.text((number_left, top, right, bottom), number, align="right")


def _draw_points(canvas: Canvas, points: str, bottom: int) -> int:
    """Write final points at the right; return where what stands beside them has to end."""
    set_points = typeset.fit((points,), POINTS_WIDTH, bottom - BODY_TOP, POINTS_SIZES)
    left = WIDTH - set_points.width
    canvas.text((left, BODY_TOP, WIDTH, bottom), points, align="right", sizes=(set_points.size,))
    return left - 4


def _name_of(sheet: Sheet, index: int) -> str:
    return typeset.printable(sheet.players[index].name) or texts.seat(index + 1)
