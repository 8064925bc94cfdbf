"""What is other than at the scan before."""

from dataclasses import replace

from firmware.games.between_two_cities.pages import seats_of
from firmware.scan import Scan
from firmware.screens import typeset
from firmware.screens.canvas import BODY_ROWS, ROW_LETTERS
from firmware.screens.doubt_views import (
    Change,
    ChangesView,
    CityCountChange,
    FinalChange,
    TileChange,
    TotalChange,
    WinnerChange,
)
from firmware.screens.result_views import Page
from scoring.games.between_two_cities.sheet import Sheet
from vision.reading import Reading


def change_views(before: Scan, after: Scan) -> tuple[ChangesView, ...]:
    """What the pages say that tell what has changed; one that says so if nothing has.

    Args:
        before: the scan before.
        after: the last one.
    """
    pages: list[list[Change]] = [[]]
    free = BODY_ROWS
    for change in changes_between(before, after):
        rows = _rows(change)
        if rows > free:
            pages.append([])
            free = BODY_ROWS
        pages[-1].append(change)
        free -= rows
    return tuple(
        replace(ChangesView(changes=tuple(page)), page=Page(number, len(pages)), number=number)
        for number, page in enumerate(pages, start=1)
    )


def changes_between(before: Scan, after: Scan) -> tuple[Change, ...]:
    """What has changed: winners, players, cities and tiles, what weighs most first.

    Players are compared by their seat and cities by their letter. Where the number of cities has
    changed, single cities and tiles are left out, because each may have another letter.
    """
    old: Sheet = before.sheet
    new: Sheet = after.sheet
    changes: list[Change] = []
    old_winners, new_winners = (
        tuple(seats_of(sheet)[index] for index in sheet.winners) for sheet in (old, new)
    )
    if old_winners != new_winners:
        changes.append(WinnerChange(old_winners, new_winners))
    if len(old.cities) != len(new.cities):
        changes.append(CityCountChange(len(old.cities), len(new.cities)))
        return tuple(changes)
    changes += [
        FinalChange(seat, was.final, now.final)
        for seat, was, now in zip(seats_of(new), old.players, new.players, strict=True)
        if was.final != now.final
    ]
    changes += [
        TotalChange(now.name, was.total, now.total)
        for was, now in zip(old.cities, new.cities, strict=True)
        if was.total != now.total
    ]
    return (*changes, *_tile_changes(before.reading, after.reading))


def _tile_changes(before: Reading, after: Reading) -> list[TileChange]:
    def tiles(reading: Reading) -> dict[tuple[int, tuple[int, int]], str | None]:
        return {
            (index, (row, column)): face
            for index, city in enumerate(reading.grids)
            for row, faces in enumerate(city.grid)
            for column, face in enumerate(faces)
        }

    was, now = tiles(before), tiles(after)
    places = sorted({*was, *now})
    return [
        TileChange(place, was.get(place), now.get(place))
        for place in places
        if was.get(place) != now.get(place)
    ]


def _rows(change: Change) -> int:
    """How many rows of a screen a change takes."""
    match change:
        case WinnerChange(after=winners):
            return 2 if len(winners) == 1 else BODY_ROWS
        case FinalChange():
            name = typeset.printable(change.player.name)
            numbers = f"{change.before}>{change.after}"
            return 1 if len(name) + 1 + len(numbers) <= ROW_LETTERS else 2
        case _:
            return 1
