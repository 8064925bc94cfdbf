"""Views of the display for Between Two Cities."""

from collections.abc import Iterator
from typing import Final

from firmware.base.language import Phrase
from firmware.games.between_two_cities import words
from firmware.games.between_two_cities.open_points import part_points
from firmware.games.between_two_cities.signs import BUILDING_TYPE_SIGNS
from firmware.games.scan import Scan
from firmware.games.ties import TIE_SHARED, tie_break_texts
from firmware.screens import typeset
from firmware.screens.canvas import BODY_ROWS, ROW_LETTERS
from firmware.screens.result_views import (
    ResultView,
    Row,
    ScoreView,
    SignsView,
    Standing,
    ViewNumber,
    WinnerView,
    ranked_title,
)
from firmware.screens.view import PlayerLabel, Text
from firmware.screens.words import (
    CHANGES,
    CHANGES_SO_FAR,
    CITY,
    MORE_WINNERS,
    NO_CHANGE,
    NO_CHANGE_SO_FAR,
)
from firmware.wording.places import Naming
from scoring.faces import city_name
from scoring.games.between_two_cities.score_sheet import BuildingType, PlayerScore, ScoreSheet
from scoring.games.between_two_cities.table import Variant
from vision.reading import Place, PlaceKind, Reading

ARROW: Final = "►"
_NO_TILE: Final = "–"


def player_labels(sheet: ScoreSheet) -> tuple[PlayerLabel, ...]:
    """Return the labels of the players of a sheet, in seat order."""
    return tuple(
        PlayerLabel(number, player.name, tuple(map(city_name, sorted(player.cities))))
        for number, player in enumerate(sheet.players, start=1)
    )


def winner_view(scan: Scan) -> WinnerView:
    """Return the view of the winner."""
    sheet: ScoreSheet = scan.sheet
    labels, best = player_labels(sheet), sheet.winners[0]
    return WinnerView(
        winners=tuple(labels[index] for index in sheet.winners),
        points=(scan.shown_numbers.final(best, sheet.players[best].final),),
        tie=tie_break_texts(scan, best, words.TIE_BREAKER_WORDS),
    )


def owners_view(scan: Scan) -> ScoreView | None:
    """Return the view of the assumed owners of the cities; None if nothing was scored."""
    sheet: ScoreSheet | None = scan.sheet
    if sheet is None:
        return None
    rows = []
    for player, label in zip(sheet.players, player_labels(sheet), strict=True):
        letters = " ".join(city_name(city) for city in sorted(player.cities))
        names = (PlayerLabel(label.number, label.name), PlayerLabel(label.number))
        rows.append(Row(tuple(words.OWNER.fill(letters=letters, name=name) for name in names)))
    guessed = Row((words.OWNERS_GUESSED,))
    return ScoreView(name="owners", title=(words.OWNERS,), rows=(*rows, guessed))


def player_standings(scan: Scan) -> tuple[Standing, ...]:
    """Return rank and views of each player: both cities, and why the points count."""
    sheet: ScoreSheet = scan.sheet
    views = (
        ScoreView(
            name=f"player-{label.number}",
            title=ranked_title(scan.shown_numbers.rank(index, player.rank), label),
            points=(scan.shown_numbers.final(index, player.final),),
            points_rows=2,
            rows=(*_cities_of(scan, player), Row(_reason(scan, index))),
        )
        for index, (player, label) in enumerate(
            zip(sheet.players, player_labels(sheet), strict=True)
        )
    )
    return tuple(
        Standing(player.rank, scan.shown_numbers.rank(index, player.rank), label, (view,))
        for index, (player, label, view) in enumerate(
            zip(sheet.players, player_labels(sheet), views, strict=True)
        )
    )


def _cities_of(scan: Scan, player: PlayerScore) -> tuple[Row, ...]:
    rows, counting = [], _counting(scan, player)
    for index, side in zip(player.cities, (words.LEFT, words.RIGHT), strict=True):
        city = scan.sheet.cities[index]
        value = scan.shown_city_points(index, city.total)
        label = (side.fill(letter=city.name), city.name)
        rows.append(Row(label, value, counts=index in counting))
    return tuple(rows)


def _counting(scan: Scan, player: PlayerScore) -> tuple[int, ...]:
    """Return the indices of the cities that make the points of a player; none while it is open."""
    sheet: ScoreSheet = scan.sheet
    if sheet.variant is Variant.TWO_PLAYER:
        return player.cities
    if scan.ranges is not None:
        one, other = (scan.ranges.cities[index] for index in player.cities)
        is_lower_known = one.most < other.least or other.most < one.least
        if not is_lower_known and (one.is_open or other.is_open):
            return ()
    lowest = min(sheet.cities[index].total for index in player.cities)
    return tuple(index for index in player.cities if sheet.cities[index].total == lowest)


def _reason(scan: Scan, seat: int) -> tuple[Text, ...]:
    sheet: ScoreSheet = scan.sheet
    player = sheet.players[seat]
    if player.tie_break is not None:
        return tie_break_texts(scan, seat, words.TIE_BREAKER_WORDS) or (TIE_SHARED,)
    if sheet.variant is Variant.TWO_PLAYER:
        return (words.ARE_ADDED,)
    counting = _counting(scan, player)
    if not counting:
        return (words.LOWER_WILL_COUNT,)
    if len(counting) > 1:
        return (words.BOTH_EQUAL,)
    return (words.LOWER_COUNTS.fill(letter=sheet.cities[counting[0]].name),)


def city_views(scan: Scan) -> tuple[ResultView, ...]:
    """Return the views of points: the signs of the building types, then each city by type."""
    sheet: ScoreSheet = scan.sheet
    return (
        SignsView(
            name="legend",
            title=words.LEGEND,
            entries=tuple(
                (sign, words.BUILDING_TYPE_WORDS[building_type])
                for building_type, sign in BUILDING_TYPE_SIGNS.items()
            ),
        ),
        *(
            SignsView(
                name=f"city-{city.name}",
                title=CITY.fill(letter=city.name),
                entries=tuple(
                    (
                        BUILDING_TYPE_SIGNS[each],
                        part_points(
                            scan.shown_numbers,
                            scan.doubts,
                            index,
                            scan.table.cities[index].grid,
                            each,
                            city.points[each],
                        ),
                    )
                    for each in BuildingType
                ),
                points=scan.shown_city_points(index, city.points.total),
            )
            for index, city in enumerate(sheet.cities)
        ),
    )


def change_views(before: Scan, after: Scan) -> tuple[ScoreView, ...]:
    """Return the views on the changes by a rescan; a single notice if nothing changed."""
    parts: list[tuple[Row, ...]] = [()]
    title, nothing = (
        (CHANGES_SO_FAR, NO_CHANGE_SO_FAR) if after.doubt_count else (CHANGES, NO_CHANGE)
    )
    for rows in changes_between(before, after):
        if len(parts[-1]) + len(rows) > BODY_ROWS:
            parts.append(())
        parts[-1] += rows
    return tuple(
        ScoreView(
            name=f"changes-{number}",
            title=(title,),
            rows=rows,
            statement="" if rows else nothing,
            view_number=ViewNumber(number, len(parts)),
        )
        for number, rows in enumerate(parts, start=1)
    )


def changes_between(before: Scan, after: Scan) -> Iterator[tuple[Row, ...]]:
    """Return the rows of each change: winners, players, cities and tiles, the weightiest first.

    Players are compared by their seat and cities by their letter. Where the number of cities has
    changed, single cities and tiles are left out, because each may have another letter.
    """
    old: ScoreSheet = before.sheet
    new: ScoreSheet = after.sheet
    labels = player_labels(new)
    winners = tuple(labels[index] for index in new.winners)
    if tuple(player_labels(old)[index] for index in old.winners) != winners:
        yield _new_winners(winners)
    if len(old.cities) != len(new.cities):
        yield (_change((words.CITY_COUNT,), len(old.cities), len(new.cities)),)
        return
    for label, old_player, new_player in zip(labels, old.players, new.players, strict=True):
        if old_player.final != new_player.final:
            yield _new_points(label, old_player.final, new_player.final)
    for old_city, new_city in zip(old.cities, new.cities, strict=True):
        if old_city.total != new_city.total:
            title = CITY.fill(letter=new_city.name)
            yield (_change((title,), old_city.total, new_city.total),)
    was, now = _tiles(before.reading), _tiles(after.reading)
    for place in now:
        if was.get(place) != now[place]:
            place_label = Naming(lettered=True).place(place)
            change = _change(("",), _face(was.get(place)), _face(now[place]))
            yield Row((place_label,)), change


def _change(label: tuple[Text, ...], before: object, after: object) -> Row:
    return Row(label, Phrase("{before}" + ARROW + "{after}").fill(before=before, after=after))


def _new_winners(winners: tuple[PlayerLabel, ...]) -> tuple[Row, ...]:
    count = len(winners)
    title = words.NEW_WINNER if count == 1 else words.NEW_WINNERS.fill(n=count)
    together = ", ".join(map(str, winners))
    if len(together) <= ROW_LETTERS:
        return Row((title,)), Row((together,))
    if count == 1:
        return Row((title,)), Row((winners[0],))
    return Row((title,)), Row((winners[0],)), Row((MORE_WINNERS.fill(n=count - 1),))


def _new_points(label: PlayerLabel, before: int, after: int) -> tuple[Row, ...]:
    row = _change((label,), before, after)
    if len(typeset.in_font(str(label))) + 1 + len(str(row.value)) <= ROW_LETTERS:
        return (row,)
    return Row((label,)), Row(("",), row.value)


def _tiles(reading: Reading) -> dict[Place, str | None]:
    return {
        Place(PlaceKind.TILE, index, (row, column)): face
        for index, city in enumerate(reading.grids)
        for row, faces in enumerate(city.faces)
        for column, face in enumerate(faces)
    }


def _face(face: str | None) -> Phrase | str:
    if face is None:
        return _NO_TILE
    return words.FACE_WORDS.get(face, face)
