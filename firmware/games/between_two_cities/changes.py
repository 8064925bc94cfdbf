"""What is other than at the scan before."""

from collections.abc import Iterator

from firmware.games.between_two_cities import words
from firmware.games.between_two_cities.pages import seats_of
from firmware.language import Phrase
from firmware.places import Naming
from firmware.scan import Scan
from firmware.screens import typeset
from firmware.screens.canvas import BODY_ROWS, ROW_LETTERS
from firmware.screens.views import Page, Row, ScoreView, Seat, Text
from firmware.screens.words import CHANGES, CITY, MORE_WINNERS, NO_CHANGE
from scoring.games.between_two_cities.sheet import Sheet
from vision.reading import Place, PlaceKind, Reading

ARROW = "►"
_NO_TILE = "–"


def change_views(before: Scan, after: Scan) -> tuple[ScoreView, ...]:
    """What the pages say that tell what has changed; one that says so if nothing has.

    Args:
        before: the scan before.
        after: the last one.
    """
    pages: list[tuple[Row, ...]] = [()]
    for rows in changes_between(before, after):
        if len(pages[-1]) + len(rows) > BODY_ROWS:
            pages.append(())
        pages[-1] += rows
    return tuple(
        ScoreView(
            name=f"changes-{number}",
            title=(CHANGES,),
            rows=rows,
            statement="" if rows else NO_CHANGE,
            page=Page(number, len(pages)),
        )
        for number, rows in enumerate(pages, start=1)
    )


def changes_between(before: Scan, after: Scan) -> Iterator[tuple[Row, ...]]:
    """The rows of each change: winners, players, cities and tiles, what weighs most first.

    Players are compared by their seat and cities by their letter. Where the number of cities has
    changed, single cities and tiles are left out, because each may have another letter.
    """
    old: Sheet = before.sheet
    new: Sheet = after.sheet
    seats = seats_of(new)
    winners = tuple(seats[index] for index in new.winners)
    if tuple(seats_of(old)[index] for index in old.winners) != winners:
        yield _new_winners(winners)
    if len(old.cities) != len(new.cities):
        yield (_change((words.CITY_COUNT,), len(old.cities), len(new.cities)),)
        return
    for seat, old_player, new_player in zip(seats, old.players, new.players, strict=True):
        if old_player.final != new_player.final:
            yield _new_points(seat, old_player.final, new_player.final)
    for old_city, new_city in zip(old.cities, new.cities, strict=True):
        if old_city.total != new_city.total:
            title = CITY.of(letter=new_city.name)
            yield (_change((title,), old_city.total, new_city.total),)
    was, now = _tiles(before.reading), _tiles(after.reading)
    for place in now:
        if was.get(place) != now[place]:
            label = Naming(lettered=True).place(place)
            yield (_change((label,), _face(was.get(place)), _face(now[place])),)


def _change(label: tuple[Text, ...], before: object, after: object) -> Row:
    return Row(label, Phrase("{before}" + ARROW + "{after}").of(before=before, after=after))


def _new_winners(winners: tuple[Seat, ...]) -> tuple[Row, ...]:
    count = len(winners)
    title = words.NEW_WINNER if count == 1 else words.NEW_WINNERS.of(n=count)
    together = ", ".join(map(str, winners))
    if len(together) <= ROW_LETTERS:
        return Row((title,)), Row((together,))
    if count == 1:
        return Row((title,)), Row((winners[0],))
    return Row((title,)), Row((winners[0],)), Row((MORE_WINNERS.of(n=count - 1),))


def _new_points(seat: Seat, before: int, after: int) -> tuple[Row, ...]:
    row = _change((seat,), before, after)
    if len(typeset.printable(str(seat))) + 1 + len(str(row.value)) <= ROW_LETTERS:
        return (row,)
    return Row((seat,)), Row(("",), row.value)


def _tiles(reading: Reading) -> dict[Place, str | None]:
    return {
        Place(PlaceKind.TILE, index, (row, column)): face
        for index, city in enumerate(reading.grids)
        for row, faces in enumerate(city.grid)
        for column, face in enumerate(faces)
    }


def _face(face: str | None) -> Phrase | str:
    if face is None:
        return _NO_TILE
    return words.FACE_WORDS.get(face, face)
