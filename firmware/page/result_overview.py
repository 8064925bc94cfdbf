"""Overview of a result: who has won, what is open, standings, cities and points by building.

``firmware.page.result_values`` has the rest of the page, and the pages of places, to which this
module adds pictures.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from firmware.appliance.result import Result
from firmware.base.language import _
from firmware.games.game import Game
from firmware.games.player_words import shown_name
from firmware.games.scan import Scan
from firmware.page import result_values
from firmware.scan.range_search import open_parts, outcome_with
from firmware.wording.ranges import Range, RangeQuality, UnboundedRange
from firmware.wording.winners import all_of, any_of, bounds_sentence
from scoring.faces import city_name
from vision.reading import Place, PlaceKind

SIGNS: Final = frozenset(
    {"factory", "house", "office", "park", "shop", "tavern"}
    | {"tavern-bed", "tavern-drink", "tavern-food", "tavern-music"}
)
"""Symbols of faces in ``static/icons.svg``."""
_SIGN_OF_PART: Final = {
    "shops": "shop",
    "factories": "factory",
    "taverns": "tavern",
    "offices": "office",
    "parks": "park",
    "houses": "house",
}
MAX_CONTENDERS: Final = 3
"""Names of those who can still win in the headline; more of them are counted."""
MAX_ANSWER_BUTTONS: Final = 4
"""Answers beside a question; all others are one tap further."""


@dataclass(frozen=True, slots=True)
class Sign:
    """Symbol of a face.

    Attributes:
        icon: Name of the symbol; empty without one.
        kind: First part of the name, which gives the colour.
    """

    icon: str = ""

    @property
    def kind(self) -> str:
        """Name of the colour."""
        return self.icon.partition("-")[0]


@dataclass(frozen=True, slots=True)
class Chip:
    """City of a player in the standings.

    Attributes:
        letter: Name of the city.
        index: Index of its grid.
        points: Points of the city.
        counts: True if the final score is that of this city.
    """

    letter: str
    index: int
    points: Range
    counts: bool


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player in the standings.

    Attributes:
        rank: 1 is best.
        name: Name of the player for people.
        reason: Tie-break in words; empty without a tie.
        city: Letter of the only city; empty in games where it does not matter.
        chips: Left and right city; empty in games without cities.
        points: Final score.
        won: True if the player wins, alone or together with others.
    """

    rank: Range
    name: str
    reason: str
    city: str
    chips: tuple[Chip, ...]
    points: Range
    won: bool


@dataclass(frozen=True, slots=True)
class AnswerButton:
    """Answer to a question, as a button with a picture.

    Attributes:
        value: Value in the form.
        short: Short word.
        full: Full words, for screen readers.
        sign: Symbol of the face.
        example: Address part of a place in this photo that shows the face; empty without one.
        effect: City and its points with this answer, such as ``B 47``; empty for further answers
            and where there are no such points.
        now: True if the sheet has this answer.
    """

    value: str
    short: str
    full: str
    sign: Sign
    example: str
    effect: str
    now: bool


@dataclass(frozen=True, slots=True)
class DecidingPlace:
    """Open place to ask about first, the first read one of ``Scan.open_places``.

    Attributes:
        id: Address part of the place.
        place: Place in words.
        answer_buttons: Likeliest answers.
        number: Number of open places, without those where a tile is surely missing.
        without_effect: Number of them that change no rank.
        is_seen: True if it is known where in the photo the place is.
    """

    id: str
    place: str
    answer_buttons: tuple[AnswerButton, ...]
    number: int
    without_effect: int
    is_seen: bool


@dataclass(frozen=True, slots=True)
class PartPointsRow:
    """Points of all cities for one building type.

    Attributes:
        name: Name of the building type.
        sign: Sign of the building type.
        points: Points of each city as read.
        shown: Range of the points of each city.
    """

    name: str
    sign: Sign
    points: tuple[int, ...]
    shown: tuple[Range, ...]

    @property
    def most(self) -> int:
        """Points of the best city, 0 if none has any."""
        return max(self.points, default=0)

    @property
    def is_open(self) -> bool:
        """True if any of the points may still change."""
        return any(each.is_open for each in self.shown)


def sheet_values_with_overview(result: Result) -> dict[str, Any]:
    """Return the values of the page of a result, with its overview."""
    return result_values.sheet_values(result) | _overview(result)


def _overview(result: Result) -> dict[str, Any]:
    scan = result.scan
    if scan is None or scan.sheet is None or scan.game is None:
        return {"question": _question(result, result.corrected_scan)}
    game = scan.game
    rows = _player_rows(scan, game)
    parts: dict[str, list[int]] = {}
    open_now = open_parts(scan)
    shown: dict[str, list[Range]] = {}
    for index, city in enumerate(game.city_points(scan.sheet)):
        for part, points in city.parts.items():
            parts.setdefault(part, []).append(points)
            shown.setdefault(part, []).append(_shown_part(scan, open_now, (index, part), points))
    return {
        "is_sure": not scan.doubt_count,
        "mark": "" if scan.ranges_cover_all else "?",
        "bounds_sentence": bounds_sentence(scan.shown_numbers),
        "winner": _winner(scan, game, rows),
        "question": _question(result, scan),
        "standings": rows,
        "has_chips": any(row.chips for row in rows),
        "city_owners": _owners(rows, len(scan.reading.grids)),
        "city_points": _city_ranges(scan, game),
        "part_points": [
            PartPointsRow(
                game.part_name(part),
                sign_of_part(part),
                tuple(points),
                tuple(shown[part]),
            )
            for part, points in parts.items()
        ],
    }


def _player_rows(scan: Scan, game: Game) -> list[PlayerRow]:
    """Return the players of a scored scan, best first."""
    cities, ranges = _city_ranges(scan, game), scan.ranges
    results = game.player_results(scan.sheet)
    has_one_each = scan.naming.lettered and not cities and len(results) == len(scan.reading.grids)
    rows = [
        PlayerRow(
            _certain(each.rank) if ranges is None else ranges.ranks[seat],
            shown_name(each.name),
            game.tie_break(scan.sheet, seat),
            city_name(seat) if has_one_each else "",
            _chips(scan, seat, cities),
            _shown(scan, () if ranges is None else ranges.players, seat, each.points),
            each.won,
        )
        for seat, each in enumerate(results)
    ]
    return [rows[seat] for seat in sorted(range(len(rows)), key=lambda seat: results[seat].rank)]


def _certain(value: int) -> Range:
    return Range(value, value)


def _chips(scan: Scan, seat: int, ranges: Sequence[Range]) -> tuple[Chip, ...]:
    """Return the left and right city of a player; of two that are equal the left one counts."""
    sheet = scan.sheet
    players = getattr(sheet, "players", ())
    cities = getattr(players[seat], "cities", ()) if players else ()
    if not ranges or not cities:
        return ()
    totals = [sheet.cities[city].total for city in cities]
    lower = totals.index(min(totals))
    both_count = sheet.players[seat].final == sum(totals)
    return tuple(
        Chip(city_name(city), city, ranges[city], both_count or index == lower)
        for index, city in enumerate(cities)
    )


def _city_ranges(scan: Scan, game: Game) -> tuple[Range, ...]:
    ranges = () if scan.ranges is None else scan.ranges.cities
    cities = game.city_points(scan.sheet)
    return tuple(_shown(scan, ranges, index, city.total) for index, city in enumerate(cities))


def _shown(scan: Scan, ranges: Sequence[Range], index: int, read: int) -> Range:
    """Return what points can become, which are ``read`` as read."""
    if index >= len(ranges):
        return _certain(read)
    found = ranges[index]
    if scan.ranges is None or scan.ranges.quality is not RangeQuality.UNBOUNDED:
        return found
    return _unbounded(scan, found, read) if found.is_open else found


def _shown_part(
    scan: Scan, open_now: Collection[tuple[int, str]], part: tuple[int, str], read: int
) -> Range:
    """Return what the points for a building type can become, which are ``read`` as read."""
    if part not in open_now:
        return _certain(read)
    known = None if scan.ranges is None else scan.ranges.parts.get(part)
    return known or _unbounded(scan, Range(0, max(read, 1)), read)


def _unbounded(scan: Scan, found: Range, read: int) -> UnboundedRange:
    # Where the ranges do not cover all, the template adds a ? to every number
    mark = "?" if scan.ranges_cover_all else ""
    return UnboundedRange(found.least, found.most, read, mark)


def _winner(scan: Scan, game: Game, rows: Sequence[PlayerRow]) -> dict[str, Any]:
    """Return who has won, or who can; ``points`` is None while that is open.

    ``contender_count`` is the number of those who can still win if they are too many to name,
    else 0.
    """
    ranges, won = scan.ranges, [row for row in rows if row.won]
    if ranges is not None and not ranges.winner_certain and len(ranges.winners) > 1:
        results = game.player_results(scan.sheet)
        names = [shown_name(results[player].name) for player in ranges.winners]
        count = len(names)
        return {
            "names": any_of(names),
            "contender_count": count if count > MAX_CONTENDERS else 0,
            "points": None,
            "sure": "",
            "won": won,
        }
    is_sure = ranges is not None and ranges.winner_certain
    return {
        "names": all_of([row.name for row in won]),
        "points": won[0].points if won else None,
        "is_shared": len(won) > 1,
        "sure": _("That is certain; only other ranks are still open.") if is_sure else "",
        "won": won,
    }


def _question(result: Result, scan: Scan) -> DecidingPlace | None:
    ranges = scan.ranges
    doubts = {doubt.place for doubt in scan.doubts.read_places}
    order = [place for place in scan.open_places if place in doubts]
    if not order:
        return None
    page = place_values_with_pictures(result, order[0])
    without_effect = 0 if ranges is None else sum(place in ranges.without_effect for place in order)
    return DecidingPlace(
        page["id"],
        page["place"],
        page["answer_buttons"][:MAX_ANSWER_BUTTONS],
        len(order),
        without_effect,
        is_seen=page["is_seen"],
    )


def place_values_with_pictures(result: Result, place: Place) -> dict[str, Any]:
    """Return the values of the page of a place, with its answers as pictures.

    ``answer_buttons`` are the likeliest answers, each with its effect; ``further`` all others.
    """
    page, scan = result_values.place_values(result, place), result.scan or result.corrected_scan
    examples = _examples(scan) if place.kind is PlaceKind.TILE else {}
    likely = [each for each in page["likely"] if each.value != result_values.LATER]
    return page | {
        "answer_buttons": tuple(
            _answer_button(each, examples, scan, place, with_effect=True) for each in likely
        ),
        "further": tuple(
            _answer_button(each, examples, scan, place, with_effect=False)
            for each in page["others"]
        ),
        "may_wait": len(likely) < len(page["likely"]),
    }


def _answer_button(
    answer: result_values.PlaceChoice,
    examples: dict[str, str],
    scan: Scan,
    place: Place,
    *,
    with_effect: bool,
) -> AnswerButton:
    face = None if answer.value == result_values.NOTHING else answer.value
    label = answer.content if face is None or scan.game is None else scan.game.label(face)
    effect = _city_points_with(scan, place, face) if with_effect else ""
    example = examples.get(answer.value, "")
    return AnswerButton(
        answer.value, label, answer.content, sign_of(face), example, effect, answer.now
    )


def _city_points_with(scan: Scan, place: Place, face: str | None) -> str:
    """Return what an answer makes of the city: ``B 47``; empty where cities have no points."""
    outcome = outcome_with(scan, place, face)
    if outcome is None or not outcome.cities:
        return ""
    return f"{city_name(place.grid)} {outcome.cities[place.grid]}"


def _examples(scan: Scan) -> dict[str, str]:
    """Return the surest place of each face in this photo, as an address part."""
    best: dict[str, tuple[float, Place]] = {}
    for index, grid in enumerate(scan.reading.grids):
        for row, names in enumerate(grid.faces):
            for column, face in enumerate(names):
                cell = (row, column)
                if face is None or cell in grid.unsure:
                    continue
                found = grid.confidence[row][column], Place(PlaceKind.TILE, index, cell)
                if face not in best or found[0] > best[face][0]:
                    best[face] = found
    return {face: result_values.place_id(place, scan) for face, (_sure, place) in best.items()}


def sign_of_part(part: str) -> Sign:
    """Return the symbol of a part of the score, such as a building type."""
    return Sign(_SIGN_OF_PART.get(part, ""))


def sign_of(face: str | None) -> Sign:
    """Return the symbol of a face."""
    return Sign(face) if face in SIGNS else Sign()


def _owners(rows: Sequence[PlayerRow], grids: int) -> list[list[str]]:
    """Return the names of those who built each city."""
    return [
        [
            row.name
            for row in rows
            if row.city == city_name(grid) or any(chip.index == grid for chip in row.chips)
        ]
        for grid in range(grids)
    ]
