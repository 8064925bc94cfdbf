"""The pages of the display for Between Two Cities."""

from firmware.games.between_two_cities import words
from firmware.games.between_two_cities.signs import CATEGORY_SIGNS
from firmware.scan import Scan
from firmware.screens.draw_result import mark
from firmware.screens.result import ranked, to_check
from firmware.screens.views import ResultView, Row, ScoreView, Seat, SignsView, Text, WinnerView
from firmware.screens.words import CITY
from scoring.faces import city_name
from scoring.games.between_two_cities.sheet import Category, PlayerScore, Sheet, TieBreaker
from scoring.games.between_two_cities.table import Variant


def seats_of(sheet: Sheet) -> tuple[Seat, ...]:
    """The players in seat order."""
    return tuple(Seat(number, player.name) for number, player in enumerate(sheet.players, start=1))


def winner(scan: Scan) -> WinnerView:
    """Who has won."""
    sheet: Sheet = scan.sheet
    seats = seats_of(sheet)
    return WinnerView(
        winners=tuple(seats[index] for index in sheet.winners),
        points=(str(sheet.players[sheet.winners[0]].final),),
    )


def owners(scan: Scan) -> ScoreView | None:
    """Whose each city is taken to be; None: nothing was scored."""
    sheet: Sheet | None = scan.sheet
    if sheet is None:
        return None
    rows = []
    for player, seat in zip(sheet.players, seats_of(sheet), strict=True):
        letters = " ".join(city_name(city) for city in sorted(player.cities))
        names = (seat, Seat(seat.number))
        rows.append(Row(tuple(words.OWNER.of(letters=letters, name=name) for name in names)))
    guessed = Row((words.OWNERS_GUESSED,))
    return ScoreView(name="owners", title=(words.OWNERS,), rows=(*rows, guessed))


def players(scan: Scan) -> tuple[ScoreView, ...]:
    """What each player has achieved, in seat order: both cities, and why the points are so."""
    sheet: Sheet = scan.sheet
    return tuple(
        ScoreView(
            name=f"player-{seat.number}",
            title=(ranked(scan, player.rank, seat),),
            points=(mark(player.final, provisional=to_check(scan) > 0),),
            points_rows=2,
            rows=(*_cities_of(scan, player), Row(_reason(sheet, player))),
        )
        for player, seat in zip(sheet.players, seats_of(sheet), strict=True)
    )


def _cities_of(scan: Scan, player: PlayerScore) -> tuple[Row, ...]:
    rows = []
    for index, side in zip(player.cities, (words.LEFT, words.RIGHT), strict=True):
        city = scan.sheet.cities[index]
        value = mark(city.total, provisional=_may_change(scan, index))
        label = (side.of(letter=city.name), city.name)
        rows.append(Row(label, value, counts=index in _counting(scan.sheet, player)))
    return tuple(rows)


def _counting(sheet: Sheet, player: PlayerScore) -> tuple[int, ...]:
    """The cities that make the points of a player."""
    if sheet.variant is Variant.TWO_PLAYER:
        return player.cities
    lowest = min(sheet.cities[index].total for index in player.cities)
    return tuple(index for index in player.cities if sheet.cities[index].total == lowest)


def _reason(sheet: Sheet, player: PlayerScore) -> tuple[Text, ...]:
    tie = player.tie_break
    if tie is not None:
        if tie.by is TieBreaker.SHARED:
            return (words.TIE_SHARED,)
        by, numbers = words.TIE_BREAKER_WORDS[tie.by], f"{tie.own}:{tie.other}"
        return tuple(wording.of(by=by, numbers=numbers) for wording in words.TIE)
    if sheet.variant is Variant.TWO_PLAYER:
        return (words.ARE_ADDED,)
    counting = _counting(sheet, player)
    if len(counting) > 1:
        return (words.BOTH_EQUAL,)
    return (words.LOWER_COUNTS.of(letter=sheet.cities[counting[0]].name),)


def cities(scan: Scan) -> tuple[ResultView, ...]:
    """The signs of the building types, then the points of each city by type."""
    sheet: Sheet = scan.sheet
    return (
        SignsView(
            name="legend",
            title=words.LEGEND,
            entries=tuple(
                (sign, words.CATEGORY_WORDS[category]) for category, sign in CATEGORY_SIGNS.items()
            ),
        ),
        *(
            SignsView(
                name=f"city-{city.name}",
                title=CITY.of(letter=city.name),
                entries=tuple((CATEGORY_SIGNS[each], str(city.points[each])) for each in Category),
                points=mark(city.points.total, provisional=_may_change(scan, index)),
            )
            for index, city in enumerate(sheet.cities)
        ),
    )


def _may_change(scan: Scan, city: int) -> bool:
    return scan.game is not None and scan.game.may_change(scan, city)
