"""Rescan of a table: the new result takes over what is known of the table.

A person's answer stays until its tile visibly changes: the picture of the tile as it looked when
the person answered is compared with the tile in the new photo.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

import numpy as np

from firmware.appliance.heap_matching import match_pieces
from firmware.appliance.result import (
    AbsentCity,
    Result,
    default_options,
    player_count,
    seen_at,
    with_score,
)
from firmware.games.doubts import guesses_at, unsure_places, with_unsure
from firmware.games.registry import game_or_unscored
from firmware.games.scoring_options import ScoringOptions
from firmware.history.player_names import is_person_name
from firmware.scan.corrections import Correction, corrected
from firmware.settings import Settings, seat_names
from firmware.wording.notes import ScanNote
from vision.patches.comparison import (
    MAX_OTHER_TILE_COSINE,
    MIN_SAME_FACE_TILE_COSINE,
    MIN_SAME_TILE_COSINE,
    Patch,
    patch_similarity,
)
from vision.reading import GridReading, Note, PieceKey, Place, PlaceKind, Reading
from vision.rereading.matching import TableMatch, TableSameness, compare_tables, turn_place

MIN_ALIKE: Final = 0.5
"""Minimum share of equal cells in two scans of one table that still lies there."""


class AnswerFate(Enum):
    """Fate of an answer in a further photo."""

    KEPT = "kept"
    ASKED_AGAIN = "asked again"
    """The earlier answer becomes a guess that a person is asked to confirm."""
    DROPPED = "dropped"


def merge_with_last_result(
    fresh: Result, last: Result | None, settings: Settings, *, expects_same_table: bool
) -> Result:
    """Return the new result, with the earlier answers if it shows the same table.

    Args:
        fresh: Result of the new photo alone.
        last: Last result; None if there is none.
        settings: Settings in use.
        expects_same_table: Whether that table probably still lies there, see ``State``.
    """
    if last is None or last.game_id != fresh.game_id or fresh.trial or last.trial:
        return fresh
    match = _compare(last, fresh)
    if expects_same_table and _may_be_expected_table(last.eye_reading, fresh.eye_reading, match):
        if len(last.eye_reading.grids) == len(fresh.eye_reading.grids):
            match = _with_unmatched_cities(match, len(fresh.eye_reading.grids))
        return with_earlier_answers(fresh, last, settings, match)
    if match.sameness is TableSameness.SAME:
        return with_earlier_answers(fresh, last, settings, match)
    if match.sameness is TableSameness.PERHAPS and last.scan is not None:
        return replace(fresh, possible_earlier=_as_earlier(last))
    return fresh


def with_earlier_answers(
    fresh: Result,
    last: Result,
    settings: Settings,
    match: TableMatch | None = None,
    *,
    has_more_photos: bool = False,
) -> Result:
    """Return the result of a known table, with answers and options of the earlier result.

    Args:
        fresh: Result of the new photo; its own answers take precedence over earlier ones.
        last: Earlier result of the table.
        settings: Settings in use.
        match: Comparison of the earlier cities with the new ones; None if not compared yet.
        has_more_photos: Whether ``fresh`` is of the photos of ``last`` and further ones, so that
            the answers are about its own photos.
    """
    match = _compare(last, fresh) if match is None else match
    answered = {each.place for each in fresh.corrections}
    reading, kept, unconfirmed, patches = fresh.eye_reading, [], [], dict(fresh.patches)
    absent: dict[int, AbsentCity] = {}
    for answer in _known_answers(last, fresh, match):
        if answer.place is None:
            before = absent.setdefault(answer.number, AbsentCity(answer.city, (), {}))
            absent[answer.number] = _with_absent_answer(before, answer)
            continue
        if answer.place in answered:
            continue
        correction = replace(
            answer.correction,
            place=answer.place,
            written="",
            is_from_earlier=answer.correction.is_from_earlier or not has_more_photos,
        )
        fate = _fate(correction, answer, fresh)
        if fate is AnswerFate.DROPPED:
            reading = _with_note(reading, answer.place)
            continue
        if fate is AnswerFate.KEPT:
            kept.append(correction)
        else:
            unconfirmed.append(correction)
            reading = _with_guess(reading, fresh.eye_reading, correction, answer.place, fresh)
        if answer.patch is not None:
            patches[answer.place] = answer.patch
    with_same_count = _latest_with_city_count(last, fresh)
    earlier = last if last.scan is not None else last.earlier
    return with_score(
        replace(
            fresh,
            reading_to_correct=reading,
            options=_options_with(reading, fresh, last, with_same_count, settings, match),
            corrections=(*kept, *fresh.corrections),
            unconfirmed=tuple(unconfirmed),
            patches=patches,
            absent=tuple(absent.values()),
            has_own_names=with_same_count is not None and with_same_count.has_own_names,
            asked_to_learn=last.asked_to_learn,
            seq=None if earlier is None else earlier.seq,
            earlier=None if earlier is None else _as_earlier(earlier),
            possible_earlier=None,
        )
    )


def with_more_photos(fresh: Result, last: Result, settings: Settings) -> Result:
    """Return the result of a table of which further photos were added.

    Args:
        fresh: Result of all photos.
        last: Result of the photos before, whose answers are kept.
        settings: Settings in use.
    """
    known = with_earlier_answers(fresh, last, settings, has_more_photos=True)
    return replace(known, earlier=last.earlier, possible_earlier=None, seq=None)


def with_recalled_answers(result: Result, earlier: Result) -> Result:
    """Return a game out of the history that tells the answers of its earlier scan from its own.

    The history keeps both scans, but not which answers were taken over, which a person is still
    asked to confirm, and which are about a city that the later scan does not show.

    Args:
        result: Game as it was left.
        earlier: Result of the same table before it was scanned again.
    """
    own = {each.place: each for each in result.corrections}
    taken_over, unconfirmed, patches = set[Place](), [], dict(result.patches)
    absent: dict[int, AbsentCity] = {}
    for answer in _known_answers(earlier, result, _compare(earlier, result)):
        place = answer.place
        if place is None:
            before = absent.setdefault(answer.number, AbsentCity(answer.city, (), {}))
            absent[answer.number] = _with_absent_answer(before, answer)
        elif place in own:
            if own[place].answer == answer.correction.answer:
                taken_over.add(place)
        elif _is_open_guess(result.reading_to_correct, place, answer.correction.answer):
            unconfirmed.append(replace(answer.correction, place=place, is_from_earlier=True))
            if answer.patch is not None:
                patches[place] = answer.patch
    corrections = tuple(
        replace(each, is_from_earlier=True) if each.place in taken_over else each
        for each in result.corrections
    )
    return replace(
        result,
        corrections=corrections,
        unconfirmed=tuple(unconfirmed),
        patches=patches,
        absent=tuple(absent.values()),
    )


def as_new_game(result: Result, settings: Settings) -> Result:
    """Return the result of the photo alone, without what an earlier one contributed."""
    own = tuple(each for each in result.corrections if not each.is_from_earlier)
    places = {each.place for each in own}
    return with_score(
        replace(
            result,
            reading_to_correct=result.eye_reading,
            options=default_options(result.eye_reading, settings),
            corrections=own,
            unconfirmed=(),
            patches={place: patch for place, patch in result.patches.items() if place in places},
            absent=(),
            has_own_names=False,
            earlier=None,
            possible_earlier=None,
            seq=None,
            new_bests=(),
            asked_to_learn=False,
        )
    )


@dataclass(frozen=True, slots=True, eq=False)
class _KnownAnswer:
    """Answer of an earlier scan, moved to where its tile lies now.

    Attributes:
        number: Index of its city: those of the earlier result first, then the absent ones.
        city: Earlier reading of the city by the eye.
        correction: Answer, in which the city is grid 0.
        place: Place in the new photo; None if that does not show the city.
        patch: Picture of the tile when a person answered, in the turn of the new photo; None
            without one.
    """

    number: int
    city: GridReading
    correction: Correction
    place: Place | None
    patch: Patch | None


def _compare(last: Result, fresh: Result) -> TableMatch:
    """Compare the cities of an earlier result with new ones."""
    any_turn = fresh.description.is_turnable
    return compare_tables(last.eye_reading.grids, fresh.eye_reading.grids, any_turn=any_turn)


def _with_unmatched_cities(match: TableMatch, count: int) -> TableMatch:
    """Return the match of as many cities as before, in which those too different fill the gaps.

    Where nothing has moved, each of these is taken to lie where it lay.
    """
    matched = match.old_by_new
    new = [city for city in range(count) if city not in matched]
    old = [city for city in range(count) if city not in matched.values()]
    return replace(match, old_by_new={**matched, **dict(zip(new, old, strict=True))})


def _known_answers(last: Result, fresh: Result, match: TableMatch) -> Iterator[_KnownAnswer]:
    """Yield all that a person has said about a table, the oldest answer first.

    Args:
        last: Earlier result, with the cities that are absent in it.
        fresh: Result of the new photo.
        match: Comparison of the cities of both.
    """
    cities = (*last.eye_reading.grids, *(each.city for each in last.absent))
    seen = len(last.eye_reading.grids)
    returned = compare_tables(
        cities[seen:], fresh.eye_reading.grids, any_turn=fresh.description.is_turnable
    )
    now_by_old = {
        old: (new, match.turn_to_old.get(new, 0)) for new, old in match.old_by_new.items()
    }
    now_by_old |= {
        seen + old: (new, returned.turn_to_old.get(new, 0))
        for new, old in returned.old_by_new.items()
        if new not in match.old_by_new
    }
    answers = [(each.place.grid, each, last.patches.get(each.place)) for each in last.all_answers]
    answers += [
        (number, each, absent.patches.get(each.place))
        for number, absent in enumerate(last.absent, start=seen)
        for each in absent.answers
    ]
    pieces_now = {
        number: _pieces_of_heaps(
            cities[number], [each for n, each, _ in answers if n == number], fresh, new
        )
        for number, (new, _turn) in now_by_old.items()
    }
    for number, each, patch in answers:
        city, place, turned = cities[number], None, patch
        correction = replace(each, place=replace(each.place, grid=0))
        if number in now_by_old:
            new, turn_to_old = now_by_old[number]
            # What is known of the earlier city turns the other way
            place = replace(turn_place(correction.place, city.size, -turn_to_old), grid=new)
            if place.kind is PlaceKind.LOOSE:
                place = replace(place, at=pieces_now[number].get(place.piece, place.piece))
            turned = None if patch is None else np.rot90(patch, turn_to_old)
        yield _KnownAnswer(number, city, correction, place, turned)


def _pieces_of_heaps(
    city: GridReading, answers: Sequence[Correction], fresh: Result, new: int
) -> dict[PieceKey, PieceKey]:
    """Return the pieces of the heaps beside a new city by the earlier ones.

    Args:
        city: Earlier reading of the city by the eye.
        answers: Answers about it.
        fresh: Result of the new photo.
        new: Index of the city there.
    """
    board, grid = fresh.description.board, fresh.eye_reading.grids[new]
    answered = _answers_by_piece(answers)
    answered_now = _answers_by_piece(each for each in fresh.corrections if each.place.grid == new)
    moved: dict[PieceKey, PieceKey] = {}
    for heap in () if board is None else board.heaps:
        moved |= match_pieces(heap.name, city, answered, grid, answered_now)
    return moved


def _answers_by_piece(answers: Iterable[Correction]) -> dict[PieceKey, str | None]:
    loose = (each for each in answers if each.place.kind is PlaceKind.LOOSE)
    return {each.place.piece: each.answer for each in loose}


def _with_absent_answer(absent: AbsentCity, answer: _KnownAnswer) -> AbsentCity:
    patches, place = dict(absent.patches), answer.correction.place
    if answer.patch is not None:
        patches[place] = answer.patch
    return replace(absent, answers=(*absent.answers, answer.correction), patches=patches)


def _latest_with_city_count(last: Result, fresh: Result) -> Result | None:
    """Return the last result of a table with as many cities as now; None if there is none."""
    count = len(fresh.reading_to_correct.grids)
    found = (each for each in (last, last.earlier) if each is not None)
    return next((each for each in found if len(each.reading_to_correct.grids) == count), None)


def _options_with(
    reading: Reading,
    fresh: Result,
    last: Result,
    with_same_count: Result | None,
    settings: Settings,
    match: TableMatch,
) -> ScoringOptions:
    """Return the options of a known table: names, owners and order go with its cities.

    Args:
        reading: Reading to be scored.
        fresh: Result of the new photo.
        last: Earlier result of the table.
        with_same_count: Result by ``_latest_with_city_count``.
        settings: Settings, whose names count if they were changed since.
        match: Comparison of the cities of ``last`` with the new ones.
    """
    options = default_options(reading, settings)
    if with_same_count is None:
        return options
    same_count_match = match if with_same_count is last else _compare(with_same_count, fresh)
    count = len(reading.grids)
    old_by_new = _with_unmatched_cities(same_count_match, count).old_by_new
    old_of_each = [old_by_new[new] for new in range(count)]
    before = with_same_count.options
    if before.owners is not None:
        options = replace(options, owners=tuple(before.owners[old] for old in old_of_each))
    join = reading.join
    if before.order is not None and join is not None and not join.is_order_known:
        options = replace(options, order=tuple(map(old_of_each.index, before.order)))
    names = before.players
    is_changed = options.players is not None and options.players != names
    if not with_same_count.has_own_names and (names is None or is_changed):
        return options
    if player_count(fresh, options) != player_count(with_same_count, before):
        return options
    if names is not None and len(names) == count:
        seats_before = _seats(with_same_count, before)
        seats = [seats_before.index(old_of_each[grid]) for grid in _seats(fresh, options)]
        begins_at = seats.index(0)
        is_same_order = [*seats[begins_at:], *seats[:begins_at]] == sorted(seats)
        if not is_same_order and game_or_unscored(fresh.game_id).seats_matter(options):
            seats = sorted(seats)  # cities were exchanged, but nobody moves with them
        given = tuple(names[seat] if is_person_name(names[seat]) else "" for seat in seats)
        names = seat_names(given, count)
    return replace(options, players=names)


def _seats(result: Result, options: ScoringOptions) -> tuple[int, ...]:
    """Return the grid of each seat: on the left of the player, or the player's own."""
    join, count = result.reading_to_correct.join, len(result.reading_to_correct.grids)
    if not game_or_unscored(result.game_id).seats_matter(options):
        return tuple(range(count))
    return options.order or (tuple(range(count)) if join is None else join.order)


def _as_earlier(result: Result) -> Result:
    """Return a result without its photo and earlier results, to save memory."""
    return replace(result.without_photo, earlier=None, possible_earlier=None)


def _may_be_expected_table(before: Reading, after: Reading, match: TableMatch) -> bool:
    """Return whether the expected table may lie there: at least half of the cells are equal.

    If the numbers of cities differ, as when a city was covered, return whether ``compare_tables``,
    which gave ``match``, takes both for perhaps the same.
    """
    sizes = [{grid.size for grid in reading.grids} for reading in (before, after)]
    if sizes[0] != sizes[1] or not before.grids:
        return False
    if len(before.grids) != len(after.grids):
        return match.sameness is not TableSameness.OTHER
    cells = [
        (old, new)
        for grid, other in zip(before.grids, after.grids, strict=True)
        for row, other_row in zip(grid.faces, other.faces, strict=True)
        for old, new in zip(row, other_row, strict=True)
        if (old, new) != (None, None)
    ]
    return sum(old == new for old, new in cells) >= MIN_ALIKE * len(cells)


def _fate(correction: Correction, known: _KnownAnswer, fresh: Result) -> AnswerFate:
    """Return the fate of an answer, which ``correction`` gives about the place of its tile now."""
    place = correction.place
    seen_before = guesses_at(known.city, known.correction.place)[0]
    seen_now = seen_at(fresh.eye_reading, place)
    guessed, _settled = corrected(fresh.eye_reading, fresh.description, [correction])
    if seen_at(guessed, place) == seen_now:  # the eye now reads what the person said
        return AnswerFate.KEPT
    is_face_same = seen_before == seen_now
    before, after = known.patch, fresh.patch_at(place)
    if before is None or after is None:
        return AnswerFate.ASKED_AGAIN if is_face_same else AnswerFate.DROPPED
    similarity = patch_similarity(before, after)
    if similarity >= (MIN_SAME_FACE_TILE_COSINE if is_face_same else MIN_SAME_TILE_COSINE):
        return AnswerFate.KEPT
    is_sure = place not in unsure_places(place.grid, fresh.eye_reading.grids[place.grid])
    if not is_face_same and (is_sure or similarity < MAX_OTHER_TILE_COSINE):
        return AnswerFate.DROPPED
    return AnswerFate.ASKED_AGAIN


def _is_open_guess(reading: Reading, place: Place, answer: str | None) -> bool:
    is_unsure = place in unsure_places(place.grid, reading.grids[place.grid])
    return is_unsure and seen_at(reading, place) == answer


def _with_note(reading: Reading, place: Place) -> Reading:
    """Return the reading with a note that an answer no longer counts."""
    grids = list(reading.grids)
    dropped = Note(ScanNote.ANSWER_DROPPED, places=(replace(place, grid=0),))
    grid = grids[place.grid]
    grids[place.grid] = replace(grid, notes=(*grid.notes, dropped))
    return replace(reading, grids=tuple(grids))


def _with_guess(
    reading: Reading, as_seen: Reading, correction: Correction, place: Place, result: Result
) -> Reading:
    """Return the reading with an answer as unsure guess beside what the eye sees."""
    guessed, _settled = corrected(
        reading, result.description, [Correction(place, correction.answer)]
    )
    grids = list(guessed.grids)
    grid, grid_as_seen = grids[place.grid], as_seen.grids[place.grid]
    answer = guesses_at(grid, place)[0]
    others = tuple(guess for guess in guesses_at(grid_as_seen, place) if guess != answer)
    if place.kind is PlaceKind.TILE:
        row, column = place.cell
        line = list(grid.confidence[row])
        line[column] = grid_as_seen.confidence[row][column]
        confidence = (*grid.confidence[:row], tuple(line), *grid.confidence[row + 1 :])
        alternatives = {**grid.alternatives, place.cell: others}
        grid = replace(grid, confidence=confidence, alternatives=alternatives)
    elif place.kind is PlaceKind.LOOSE:
        pieces = tuple(
            replace(piece, confidence=0.0, alternatives=tuple(o for o in others if o is not None))
            if (piece.place, piece.number) == place.piece
            else piece
            for piece in grid.loose
        )
        grid = replace(grid, loose=pieces)
    grids[place.grid] = with_unsure(grid, [place])
    return replace(guessed, grids=tuple(grids))
