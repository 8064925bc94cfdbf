"""Ranges of points and ranks over all that may lie at the open places of a scan together.

The order in which these places are asked about is made here as well (``_Influence``).

An assignment gives each open place one of its possible contents. Each city is scored once for each
assignment of its own open places. Assignments that contribute the same to the table count once, and
each combination of contributions is ranked. So the ranges are exact, shared ranks and points that
depend on other cities included, up to the limits below; beyond them they are bounds.

``compute_ranges`` takes one of two ways:
- ``_ranges_by_cities``, for games of separate cities: exact if the combinations of contributions
  can be ranked, else ``_bounds_of_scored_cities`` from the bounds of each city, or
  ``_bounds_of_rules`` if even one city has too many assignments.
- ``_ranges_by_sheets``, for games of one board: exact if all assignments can be scored, else
  ``_bounds_of_board`` where the game can bound its points, ``_bounds_of_rules`` elsewhere.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product
from math import prod
from typing import Any, Final, TypeVar

from firmware.games.doubts import DoubtfulPlace
from firmware.games.game import Game
from firmware.games.scan import Scan
from firmware.scan.corrections import Correction, apply_corrections, names_at
from firmware.wording.ranges import Range, RangeQuality, Ranges
from scoring.errors import TableError
from scoring.outcome import Contribution, FinalBounds, Outcome
from vision.reading import NoteCode, Place, PlaceKind, Reading

MAX_CITY_ASSIGNMENTS: Final = 1024
"""Most assignments of one city that are scored: five open tiles with four possibilities each. One
takes about 0.1 ms on a laptop and 1 ms on a Raspberry Pi Zero 2 W."""
MAX_RANKINGS: Final = 2048
"""Most combinations of scored cities that are ranked; each takes about 0.05 ms on a laptop."""
MAX_TABLE_ASSIGNMENTS: Final = 256
"""Most assignments for which a table is scored as a whole; each takes about 0.3 ms on a
laptop."""

MAX_BOARD_ASSIGNMENTS: Final = 8192
"""Most assignments of a board that its game scores quickly, see ``Game.open_board``."""

MAX_PART_ASSIGNMENTS: Final = 64
"""Most assignments that are scored to find which points of building types may change.
``_ranges_of_parts`` scores those of the whole table. If there are more, ``open_parts`` scores the
table for each city alone, and gives up if one would take more than this number divided by the
number of open places; so it scores no more in all."""

_UNSEEN: Final = frozenset(
    (NoteCode.NO_TILE, NoteCode.HIDDEN, NoteCode.GLARE, NoteCode.OVER_THE_EDGE)
)
"""Notes on tiles of which too little is seen: any other face is as likely as the guesses."""

T = TypeVar("T")

Content = str | None
"""A face or kind of figure; None: nothing."""
Contents = Mapping[Place, tuple[Content, ...]]
"""Possible contents of each open place."""
Assignment = tuple[Content, ...]
"""A content for each open place, one of the possible ones, in the order of the places."""
Contributions = tuple[Contribution, ...]


@dataclass(frozen=True, slots=True, order=True)
class _Influence:
    """Influence of one place on the result; the greater decides more.

    An exchange replaces the content of this place alone.

    Attributes:
        winners: Share of exchanges that change who wins.
        ranks: Share of exchanges that change a rank.
        points: Largest change of a final score.
    """

    winners: float
    ranks: float
    points: int


@dataclass(frozen=True, slots=True)
class _OpenCity:
    """City with its contribution for each assignment of its open places.

    Attributes:
        places: Open places.
        contributions: Contribution by assignment of these places.
    """

    places: tuple[Place, ...]
    contributions: Mapping[Assignment, Contribution]

    @property
    def distinct(self) -> Contributions:
        """Contributions without repetition."""
        return tuple(dict.fromkeys(self.contributions.values()))


def compute_ranges(scan: Scan) -> Ranges | None:
    """Return what the open places of a scored scan can change; None if nothing is doubtful."""
    game, doubts = scan.game, scan.doubts
    if game is None or scan.sheet is None or not scan.doubt_count:
        return None
    contents = {doubt.place: _contents_at(scan, doubt) for doubt in doubts.places}
    if not game.has_separate_cities:
        return _ranges_by_sheets(game, scan, contents)
    return _ranges_by_cities(game, scan, contents)


def open_parts(scan: Scan) -> frozenset[tuple[int, str]]:
    """Return which points of a building type in a city may change: index of the city, type.

    Each city is tried with all that may lie at its own open places. If the total of a city may
    change but no trial changed a part, all its parts may. So may all parts of every such city if
    there are too many assignments to try.
    """
    game, ranges = scan.game, scan.ranges
    if game is None or ranges is None:
        return frozenset()
    if ranges.parts:
        return frozenset(part for part, points in ranges.parts.items() if points.is_open)
    as_read = _parts_of(game, scan.sheet)
    open_cities = {index for index, total in enumerate(ranges.cities) if total.is_open}
    contents = {doubt.place: _contents_at(scan, doubt) for doubt in scan.doubts.places}
    found: set[tuple[int, str]] = set()
    for grid in {place.grid for place in contents}:
        own = {place: each for place, each in contents.items() if place.grid == grid}
        if prod(map(len, own.values())) * len(contents) > MAX_PART_ASSIGNMENTS:
            found.clear()
            break
        for assignment in product(*own.values()):
            with suppress(TableError):
                changed = _parts_of(game, _sheet_with(scan, game, tuple(own), assignment))
                found |= {
                    part for part, points in as_read.items() if changed.get(part, 0) != points
                }
    known = {city for city, _part in found}
    return frozenset(found) | {part for part in as_read if part[0] in open_cities - known}


def _parts_of(game: Game, sheet: Any) -> dict[tuple[int, str], int]:
    return {
        (index, part): points
        for index, city in enumerate(game.city_points(sheet))
        for part, points in city.parts.items()
    }


def outcome_with(scan: Scan, place: Place, content: Content) -> Outcome | None:
    """Return points and ranks with another content of one place, all else as read.

    None if the scan has no score, or if the rules forbid such a table.
    """
    if scan.game is None or scan.sheet is None:
        return None
    try:
        sheet = _sheet_with(scan, scan.game, (place,), (content,))
    except TableError:
        return None
    return scan.game.outcome_of_sheet(sheet, _sheet_with(scan, scan.game))


def _contents_at(scan: Scan, doubt: DoubtfulPlace) -> tuple[Content, ...]:
    """Return the possible contents of a place: the guesses of the eye, or else all.

    All are possible where the eye has no guesses, where a tile is missing or too little of it is
    seen, and for tiles of boards.
    """
    if doubt.alternatives and not doubt.is_missing and _is_seen(scan, doubt):
        return tuple(dict.fromkeys((doubt.read, *doubt.alternatives)))
    names: tuple[Content, ...] = names_at(doubt.place, scan.description)
    may_be_empty = doubt.place.kind is not PlaceKind.TILE or doubt.read is None
    if may_be_empty or scan.description.board is not None:
        names = (None, *names)
    return tuple(dict.fromkeys((doubt.read, *names)))


def _is_seen(scan: Scan, doubt: DoubtfulPlace) -> bool:
    """Return whether the guesses at a place are about a tile that the eye has seen."""
    place = doubt.place
    is_tile = place.kind is PlaceKind.TILE
    if is_tile and (doubt.read is None or scan.description.board is not None):
        # A city is full at the end, and on boards no note marks covered plots
        return False
    notes = (note for note in scan.reading.grids[place.grid].notes if note.code in _UNSEEN)
    return not any(
        not note.places or (place.kind, place.at) in ((each.kind, each.at) for each in note.places)
        for note in notes
    )


def _table_with(
    scan: Scan, game: Game, places: Sequence[Place] = (), assignment: Sequence[Content] = ()
) -> Any:
    """Return the table of a scan with other contents of some places.

    Names of players are left out, as they may fit only the players that were read.
    """
    options = replace(scan.options, players=None)
    reading = _reading_with(scan, places, assignment)
    return game.table_from_reading(reading, scan.description, options)


def _reading_with(scan: Scan, places: Sequence[Place], assignment: Sequence[Content]) -> Reading:
    corrections = [
        Correction(place, content) for place, content in zip(places, assignment, strict=True)
    ]
    return apply_corrections(scan.reading, scan.description, corrections)[0]


def _sheet_with(
    scan: Scan, game: Game, places: Sequence[Place] = (), assignment: Sequence[Content] = ()
) -> Any:
    """Return the sheet of a table by ``_table_with``; gaps are scored as they lie.

    Raises:
        TableError: The rules forbid such a table.
    """
    return game.rules.score(_table_with(scan, game, places, assignment), lenient=True)


def _exceeds_supply(
    scan: Scan, game: Game, places: Sequence[Place], assignment: Sequence[Content]
) -> bool:
    """Return whether an assignment exceeds the supply of a kind, although the reading does not."""
    known = {each.note.code for each in scan.findings}
    codes = game.supply_notes - known
    if not codes:
        return False
    reading = _reading_with(scan, places, assignment)
    findings = game.list_findings(reading, scan.description, scan.options)
    return any(each.note.code in codes for each in findings)


def _left_in_supply(game: Game, scan: Scan, contents: Contents) -> Contents:
    """Return the contents without kinds whose whole supply lies at sure places."""
    places = tuple(contents)
    if len(places) < 2:
        return contents

    def is_left(place: Place, content: Content) -> bool:
        assignment = tuple(content if other == place else None for other in places)
        return not _exceeds_supply(scan, game, places, assignment)

    return {
        place: tuple(content for content in own if is_left(place, content))
        for place, own in contents.items()
    }


def _ranges_by_sheets(game: Game, scan: Scan, contents: Contents) -> Ranges:
    """Score the whole table for each assignment: for games of one board."""
    sheet = _sheet_with(scan, game)
    as_read = game.outcome_of_sheet(sheet, sheet)
    board = game.open_board(
        scan, _reading_with(scan, tuple(contents), (None,) * len(contents)), contents
    )
    if board is not None:
        if prod(map(len, board.contents.values())) > MAX_BOARD_ASSIGNMENTS:
            return _bounds_of_board(scan, board.bounds(), tuple(contents))
        return _ranges_of_assignments(scan, board.contents, board.score_assignment, as_read)
    contents = _left_in_supply(game, scan, contents)
    places = tuple(contents)
    if prod(map(len, contents.values())) > MAX_TABLE_ASSIGNMENTS:
        return _bounds_of_rules(game, scan, as_read, places)

    def score_assignment(assignment: Assignment) -> Outcome | None:
        if _exceeds_supply(scan, game, places, assignment):
            return None
        with suppress(TableError):
            return game.outcome_of_sheet(_sheet_with(scan, game, places, assignment), sheet)
        return None

    return _ranges_of_assignments(scan, contents, score_assignment, as_read)


def _ranges_of_assignments(
    scan: Scan,
    contents: Contents,
    score_assignment: Callable[[Assignment], Outcome | None],
    as_read: Outcome,
) -> Ranges:
    """Return the ranges over all possible assignments; of the table as read if there are none."""
    places = tuple(contents)
    tried = ((each, score_assignment(each)) for each in product(*contents.values()))
    outcomes = {assignment: found for assignment, found in tried if found is not None}
    influences = {
        place: _influence(_exchanges(outcomes, index).items()) for index, place in enumerate(places)
    }
    without_effect = _without_own_effect(influences)
    rank_sets = _group_results(
        places, {assignment: each.ranks for assignment, each in outcomes.items()}, without_effect
    )
    without_effect = _unless_joint_effect(without_effect, rank_sets)
    return _summary(scan, tuple(outcomes.values()) or (as_read,), influences, without_effect)


def _ranges_by_cities(game: Game, scan: Scan, contents: Contents) -> Ranges:
    """Score each city alone, then rank all combinations of what the cities contribute."""
    grids = range(len(scan.reading.grids))
    places = [tuple(place for place in contents if place.grid == grid) for grid in grids]
    as_read = game.outcome_of_sheet(scan.sheet, scan.sheet)
    if any(prod(len(contents[place]) for place in own) > MAX_CITY_ASSIGNMENTS for own in places):
        return _bounds_of_rules(game, scan, as_read, tuple(contents))
    cities = [_open_city(game, scan, grid, places[grid], contents) for grid in grids]
    distinct = [city.distinct for city in cities]
    if prod(map(len, distinct)) > MAX_RANKINGS:
        return _bounds_of_scored_cities(game, scan, distinct, tuple(contents))

    @cache
    def rank(contributions: Contributions) -> Outcome | None:
        return game.rank_contributions(scan.table, contributions)

    def exchanges(place: Place) -> Iterable[tuple[tuple[Outcome, Outcome], int]]:
        city = cities[place.grid]
        before, after = distinct[: place.grid], distinct[place.grid + 1 :]
        for one, other in _exchanges(city.contributions, city.places.index(place)):
            for first in product(*before):
                for last in product(*after):
                    with_one = rank((*first, one, *last))
                    with_other = rank((*first, other, *last))
                    if with_one is not None and with_other is not None:
                        yield (with_one, with_other), 1

    def possible_ranks(groups: Sequence[frozenset[Contribution]]) -> set[tuple[int, ...]]:
        """Return the ranks with one contribution from each city's group."""
        every = map(rank, product(*groups))
        return {each.ranks for each in every if each is not None}

    outcomes = [each for each in map(rank, product(*distinct)) if each is not None]
    influences = {place: _influence(exchanges(place)) for place in contents}
    without_effect = _without_own_effect(influences)
    groups = [_group_results(city.places, city.contributions, without_effect) for city in cities]
    rank_sets = map(possible_ranks, product(*groups))
    without_effect = _unless_joint_effect(without_effect, rank_sets)
    found = _summary(scan, outcomes or [as_read], influences, without_effect)
    return replace(found, parts=_ranges_of_parts(game, scan, contents))


def _ranges_of_parts(game: Game, scan: Scan, contents: Contents) -> Mapping[tuple[int, str], Range]:
    """Score the table for each assignment, if there are few; return the points of each part."""
    as_read = _parts_of(game, scan.sheet)
    if not as_read or prod(map(len, contents.values())) > MAX_PART_ASSIGNMENTS:
        return {}
    all_parts = []
    for assignment in product(*contents.values()):
        with suppress(TableError):
            all_parts.append(_parts_of(game, _sheet_with(scan, game, tuple(contents), assignment)))
    points = {part: [each.get(part, 0) for each in all_parts or [as_read]] for part in as_read}
    return {part: Range(min(each), max(each)) for part, each in points.items()}


def _open_city(
    game: Game, scan: Scan, grid: int, places: tuple[Place, ...], contents: Contents
) -> _OpenCity:
    contributions: dict[Assignment, Contribution] = {}
    for assignment in product(*(contents[place] for place in places)):
        contribution = game.contribution(_table_with(scan, game, places, assignment), grid)
        if contribution is not None:
            contributions[assignment] = contribution
    return _OpenCity(places, contributions)


def _exchanges(results: Mapping[Assignment, T], index: int) -> Counter[tuple[T, T]]:
    """Count the pairs of results between which one place alone makes the difference."""
    alike: dict[Assignment, Counter[T]] = {}
    for assignment, result in results.items():
        alike.setdefault(assignment[:index] + assignment[index + 1 :], Counter())[result] += 1
    pairs: Counter[tuple[T, T]] = Counter()
    for group in alike.values():
        for (one, times), (other, other_times) in combinations(group.items(), 2):
            pairs[one, other] += times * other_times
        for result, times in group.items():
            if times > 1:
                pairs[result, result] += times * (times - 1) // 2
    return pairs


def _influence(exchanges: Iterable[tuple[tuple[Outcome, Outcome], int]]) -> _Influence:
    """Return the influence of a place from pairs of outcomes, each with its weight."""
    count = winners = ranks = points = 0
    for (one, other), times in exchanges:
        count += times
        winners += times * (one.winners != other.winners)
        ranks += times * (one.ranks != other.ranks)
        changes = (abs(a - b) for a, b in zip(one.finals, other.finals, strict=True))
        points = max(points, *changes)
    return _Influence(winners / max(count, 1), ranks / max(count, 1), points)


def _without_own_effect(influences: Mapping[Place, _Influence]) -> frozenset[Place]:
    """Return the places that change no rank by themselves."""
    return frozenset(place for place, each in influences.items() if not each.ranks)


def _unless_joint_effect(
    places: frozenset[Place], rank_sets: Iterable[Collection[tuple[int, ...]]]
) -> frozenset[Place]:
    """Return ``places`` if no combination of their contents changes a rank, else no place.

    Two tiles may change one together where the game has too few of a kind to change one alone.

    Args:
        places: Places that change no rank by themselves.
        rank_sets: For each assignment of all other open places, the ranks of the players that are
            still possible; more than one if ``places`` decide among them.
    """
    have_effect = bool(places) and any(len(possible) > 1 for possible in rank_sets)
    return frozenset() if have_effect else places


def _group_results(
    places: Sequence[Place],
    results: Mapping[Assignment, T],
    without_effect: frozenset[Place],
) -> set[frozenset[T]]:
    """Return the results that remain possible, for each assignment of all other places.

    Args:
        places: Open places.
        results: Result of each assignment of these.
        without_effect: Places that may show anything; the others are known.
    """
    groups: dict[Assignment, set[T]] = {}
    for assignment, result in results.items():
        known = tuple(
            content
            for place, content in zip(places, assignment, strict=True)
            if place not in without_effect
        )
        groups.setdefault(known, set()).add(result)
    return {frozenset(group) for group in groups.values()}


def _summary(
    scan: Scan,
    outcomes: Sequence[Outcome],
    influences: Mapping[Place, _Influence],
    without_effect: frozenset[Place],
) -> Ranges:
    winners = {player for outcome in outcomes for player in outcome.winners}
    return Ranges(
        cities=_column_ranges(outcome.cities for outcome in outcomes),
        players=_column_ranges(outcome.finals for outcome in outcomes),
        ranks=_column_ranges(outcome.ranks for outcome in outcomes),
        winners=tuple(sorted(winners)),
        winner_certain=scan.ranges_cover_all
        and len({(outcome.winners, outcome.others_win) for outcome in outcomes}) == 1,
        by_influence=tuple(sorted(influences, key=influences.__getitem__, reverse=True)),
        without_effect=without_effect,
    )


def _column_ranges(rows: Iterable[Sequence[int]]) -> tuple[Range, ...]:
    """Return the range of each column."""
    return tuple(Range(min(values), max(values)) for values in zip(*rows, strict=True))


def _bounds_of_scored_cities(
    game: Game, scan: Scan, distinct: Sequence[Contributions], places: tuple[Place, ...]
) -> Ranges:
    """Bound each city alone, where there are too many combinations of cities to rank."""
    cities = tuple(
        Range(min(each.bounds[0] for each in city), max(each.bounds[1] for each in city))
        for city in distinct
    )
    return _bounds_from_cities(game, scan, cities, places)


def _bounds_of_rules(game: Game, scan: Scan, as_read: Outcome, places: tuple[Place, ...]) -> Ranges:
    """Bound points by what any city or player can have, as there are too many assignments."""
    all_points = Range(0, game.most_points)
    if not game.has_separate_cities:
        found = _bounds_from_finals(scan, (), (all_points,) * len(as_read.finals), places)
        # Pieces of further players may lie there
        return replace(found, winner_certain=False, quality=RangeQuality.UNBOUNDED)
    open_grids = {place.grid for place in places}
    alone = [game.contribution(scan.table, grid) for grid in range(len(scan.reading.grids))]
    cities = tuple(
        all_points if grid in open_grids or each is None else Range(*each.bounds)
        for grid, each in enumerate(alone)
    )
    return replace(_bounds_from_cities(game, scan, cities, places), quality=RangeQuality.UNBOUNDED)


def _bounds_of_board(scan: Scan, bounds: FinalBounds, places: tuple[Place, ...]) -> Ranges:
    """Rank the players of a board by bounds of their points; others may turn out to play."""
    players = tuple(Range(*each) for each in bounds.players)
    found = _bounds_from_finals(scan, (), players, places)
    best = max(each.least for each in players)
    ranks = tuple(
        Range(rank.least, rank.most + sum(other >= own.least for other in bounds.others))
        for own, rank in zip(players, found.ranks, strict=True)
    )
    is_certain = found.winner_certain and all(other < best for other in bounds.others)
    return replace(found, ranks=ranks, winner_certain=is_certain)


def _bounds_from_cities(
    game: Game, scan: Scan, cities: tuple[Range, ...], places: tuple[Place, ...]
) -> Ranges:
    least = game.final_scores(scan.table, [city.least for city in cities])
    most = game.final_scores(scan.table, [city.most for city in cities])
    return _bounds_from_finals(scan, cities, tuple(map(Range, least, most)), places)


def _bounds_from_finals(
    scan: Scan, cities: tuple[Range, ...], players: tuple[Range, ...], places: tuple[Place, ...]
) -> Ranges:
    """Rank players by bounds of their final scores; what breaks ties is taken as open."""
    ranks = tuple(
        Range(
            1 + sum(other.least > own.most for other in players),
            sum(other.most >= own.least for other in players),
        )
        for own in players
    )
    winners = tuple(player for player, rank in enumerate(ranks) if rank.least == 1)
    return Ranges(
        cities=cities,
        players=players,
        ranks=ranks,
        winners=winners,
        winner_certain=scan.ranges_cover_all and len(winners) == 1,
        by_influence=places,
        quality=RangeQuality.BOUNDS,
    )
