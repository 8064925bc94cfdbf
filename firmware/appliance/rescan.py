"""Rescan of a table: the new result takes over what is known of the table.

A person's answer stays until its tile visibly changes: the picture of the tile as it looked when
the person answered is compared with the tile in the new photo.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

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
from firmware.scan.corrections import NO_TILE, Correction, apply_corrections
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
from vision.rereading.matching import (
    TableMatch,
    TableSameness,
    compare_tables,
)

MIN_EQUAL_SHARE: Final = 0.5
"""Minimum share of equal cells in two scans of one table that still lies there."""


class CorrectionFate(Enum):
    """Fate of a correction in a further photo."""

    KEPT = "kept"
    ASKED_AGAIN = "asked again"
    """The earlier content becomes a guess that a person is asked to confirm."""
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
    is_expected = expects_same_table and _may_be_expected_table(
        last.eye_reading, fresh.eye_reading, match
    )
    if is_expected and len(last.eye_reading.grids) == len(fresh.eye_reading.grids):
        match = _with_unmatched_cities(match, len(fresh.eye_reading.grids))
    if is_expected or match.sameness is TableSameness.SAME:
        known = with_earlier_answers(fresh, last, settings, match)
        return replace(known, possible_earlier=last.possible_earlier)
    if match.sameness is TableSameness.PERHAPS and last.scan is not None:
        return replace(fresh, possible_earlier=_as_earlier(last))
    return fresh


def with_earlier_answers(
    fresh: Result,
    earlier: Result,
    settings: Settings,
    match: TableMatch | None = None,
    *,
    has_more_photos: bool = False,
) -> Result:
    """Return the result of a known table, with answers and options of the earlier result.

    Args:
        fresh: Result of the new photo; its own answers take precedence over earlier ones, as do
            those of an earlier scan that it has taken over already.
        earlier: Earlier result of the table.
        settings: Settings in use.
        match: Comparison of the earlier cities with the new ones; None if not compared yet.
        has_more_photos: Whether ``fresh`` is of the photos of ``earlier`` and further ones, so that
            the answers are about its own photos.
    """
    match = _compare(earlier, fresh) if match is None else match
    answered = _with_earlier_corrections(fresh, earlier, match, has_more_photos=has_more_photos)
    same_count_result = _latest_with_city_count(earlier, fresh)
    stored = earlier if earlier.scan is not None else earlier.earlier
    options = _options_of_known_table(
        answered.reading_to_correct, fresh, earlier, same_count_result, settings, match
    )
    has_own_names = same_count_result is not None and same_count_result.has_own_names
    final_options = _with_given_options_of(options, fresh)
    if stored is earlier and len(earlier.eye_reading.grids) == len(fresh.eye_reading.grids):
        stored = _with_letters_of(
            fresh, earlier, match, replace(options, players=final_options.players)
        )
    options_given_before = _given_option_names(options, has_own_names=has_own_names)
    options_given_now = _given_option_names(fresh.options, has_own_names=fresh.has_own_names)
    return with_score(
        replace(
            answered,
            options=final_options,
            taken_over=tuple(
                sorted(
                    (options_given_before - options_given_now)
                    | (options_given_now & {*fresh.taken_over})
                )
            ),
            has_own_names=fresh.has_own_names or has_own_names,
            names_for_other_counts={
                **earlier.names_for_other_counts,
                **fresh.names_for_other_counts,
            },
            asked_to_learn=earlier.asked_to_learn,
            seq=None if stored is None else stored.seq,
            earlier=None if stored is None else _as_earlier(stored),
            possible_earlier=None,
        )
    )


def _with_earlier_corrections(
    fresh: Result, earlier: Result, match: TableMatch, *, has_more_photos: bool
) -> Result:
    """Return a result with the earlier corrections, not scored yet; see ``with_earlier_answers``.

    Some are asked about again, dropped with a note, or kept for a city that is absent.
    """
    answered = {each.place for each in fresh.all_corrections}
    reading, patches = fresh.reading_to_correct, dict(fresh.patches)
    kept, unconfirmed = [], list(fresh.to_confirm)
    absent: dict[int, AbsentCity] = {}
    for known in _earlier_corrections(earlier, fresh, match):
        if known.place is None:
            absent_city = absent.setdefault(known.city_index, AbsentCity(known.city, (), {}))
            absent[known.city_index] = _with_absent_correction(absent_city, known)
            continue
        if known.place in answered:
            continue
        correction = replace(
            known.correction,
            place=known.place,
            written="",
            is_from_earlier=known.correction.is_from_earlier or not has_more_photos,
        )
        fate = _decide_fate(correction, known, fresh)
        if fate is CorrectionFate.DROPPED:
            reading = _with_note(reading, known.place)
            continue
        if fate is CorrectionFate.KEPT:
            kept.append(correction)
        else:
            unconfirmed.append(correction)
            reading = _with_guess(reading, correction, fresh)
        if known.patch is not None:
            patches[known.place] = known.patch
    return replace(
        fresh,
        reading_to_correct=reading,
        corrections=(*kept, *fresh.corrections),
        unconfirmed=tuple(unconfirmed),
        patches=patches,
        absent=(*absent.values(), *fresh.absent),
    )


def with_more_photos(fresh: Result, earlier: Result, settings: Settings) -> Result:
    """Return the result of a table of which further photos were added.

    Args:
        fresh: Result of all photos.
        earlier: Result of the photos before, whose answers are kept.
        settings: Settings in use.
    """
    known = with_earlier_answers(fresh, earlier, settings, has_more_photos=True)
    return replace(
        known,
        earlier=earlier.earlier,
        possible_earlier=earlier.possible_earlier,
        taken_over=earlier.taken_over,
        seq=None,
    )


def as_new_game(result: Result, settings: Settings) -> Result:
    """Return the result of the photo alone, without what an earlier one contributed.

    Owners, order and names that a person gave since stay.
    """
    own = tuple(each for each in result.corrections if not each.is_from_earlier)
    places = {each.place for each in own}
    not_given: dict[str, Any] = dict.fromkeys(result.taken_over)
    given = replace(
        result,
        options=replace(result.options, **not_given),
        has_own_names=result.has_own_names and "players" not in result.taken_over,
    )
    options = default_options(result.eye_reading, settings)
    return with_score(
        replace(
            result,
            reading_to_correct=result.eye_reading,
            options=_with_given_options_of(options, given),
            taken_over=(),
            names_for_other_counts={}
            if "players" in result.taken_over
            else result.names_for_other_counts,
            corrections=own,
            unconfirmed=(),
            patches={place: patch for place, patch in result.patches.items() if place in places},
            absent=(),
            has_own_names=given.has_own_names,
            earlier=None,
            possible_earlier=None,
            seq=None,
            new_bests=(),
            asked_to_learn=False,
        )
    )


@dataclass(frozen=True, slots=True, eq=False)
class _EarlierCorrection:
    """Correction of an earlier scan, moved to where its tile lies now.

    Attributes:
        city_index: Index of its city: those of the earlier result first, then the absent ones.
        city: Earlier reading of the city by the eye.
        correction: Correction, in which the city is grid 0.
        place: Place in the new photo; None if that does not show the city.
        patch: Picture of the tile when a person answered, in the turn of the new photo; None
            without one.
    """

    city_index: int
    city: GridReading
    correction: Correction
    place: Place | None
    patch: Patch | None


def _compare(earlier: Result, fresh: Result) -> TableMatch:
    """Compare the cities of an earlier result with new ones."""
    any_grid_turn = fresh.description.any_grid_turn
    return compare_tables(
        earlier.eye_reading.grids, fresh.eye_reading.grids, any_grid_turn=any_grid_turn
    )


def _with_unmatched_cities(match: TableMatch, count: int) -> TableMatch:
    """Return a match that pairs all cities, where as many lie there as before.

    Cities that match none are paired in their order: where nothing has moved, each is where it lay.
    """
    matched = match.earlier_by_new
    new = [city for city in range(count) if city not in matched]
    earlier = [city for city in range(count) if city not in matched.values()]
    return replace(match, earlier_by_new={**matched, **dict(zip(new, earlier, strict=True))})


def _earlier_corrections(
    earlier: Result, fresh: Result, match: TableMatch
) -> Iterator[_EarlierCorrection]:
    """Yield all that a person has said about a table, the oldest correction first.

    Args:
        earlier: Earlier result, with the cities that are absent in it.
        fresh: Result of the new photo.
        match: Comparison of the cities of both.
    """
    cities = (*earlier.eye_reading.grids, *(each.city for each in earlier.absent))
    seen_count = len(earlier.eye_reading.grids)
    returned = compare_tables(
        cities[seen_count:], fresh.eye_reading.grids, any_grid_turn=fresh.description.any_grid_turn
    )
    new_by_earlier = {
        earlier_index: (new, match.turn_to_earlier.get(new, 0))
        for new, earlier_index in match.earlier_by_new.items()
    }
    new_by_earlier |= {
        seen_count + absent_index: (new, returned.turn_to_earlier.get(new, 0))
        for new, absent_index in returned.earlier_by_new.items()
        if new not in match.earlier_by_new
    }
    corrections = [
        (each.place.grid, each, earlier.patches.get(each.place)) for each in earlier.all_corrections
    ]
    corrections += [
        (city_index, each, absent.patches.get(each.place))
        for city_index, absent in enumerate(earlier.absent, start=seen_count)
        for each in absent.corrections
    ]
    new_pieces = {
        city_index: _pieces_of_heaps(
            cities[city_index],
            [each for index, each, _ in corrections if index == city_index],
            fresh,
            new,
        )
        for city_index, (new, _turn) in new_by_earlier.items()
    }
    for city_index, each, patch in corrections:
        city, place, turned = cities[city_index], None, patch
        correction = replace(each, place=replace(each.place, grid=0))
        if city_index in new_by_earlier:
            new, turn_to_earlier = new_by_earlier[city_index]
            # What is known of the earlier city turns the other way
            place = replace(correction.place.turned(city.size, -turn_to_earlier), grid=new)
            if place.kind is PlaceKind.LOOSE:
                place = replace(place, at=new_pieces[city_index].get(place.piece, place.piece))
            turned = None if patch is None else np.rot90(patch, turn_to_earlier)
        yield _EarlierCorrection(city_index, city, correction, place, turned)


def _pieces_of_heaps(
    city: GridReading, corrections: Sequence[Correction], fresh: Result, new: int
) -> dict[PieceKey, PieceKey]:
    """Return the pieces of the heaps beside a new city by the earlier ones.

    Args:
        city: Earlier reading of the city by the eye.
        corrections: Corrections about it.
        fresh: Result of the new photo.
        new: Index of the city there.
    """
    board, grid = fresh.description.board, fresh.eye_reading.grids[new]
    earlier_contents = _contents_by_piece(corrections)
    new_contents = _contents_by_piece(each for each in fresh.corrections if each.place.grid == new)
    removed = {
        each.place.piece: each.read_as
        for each in corrections
        if each.place.kind is PlaceKind.LOOSE and each.content is None and each.read_as
    }
    moved: dict[PieceKey, PieceKey] = {}
    for heap in () if board is None else board.heaps:
        moved |= match_pieces(heap.name, city, earlier_contents, grid, new_contents, removed)
    return moved


def _contents_by_piece(corrections: Iterable[Correction]) -> dict[PieceKey, str | None]:
    loose = (each for each in corrections if each.place.kind is PlaceKind.LOOSE)
    return {each.place.piece: each.content for each in loose}


def _with_absent_correction(absent: AbsentCity, known: _EarlierCorrection) -> AbsentCity:
    patches, place = dict(absent.patches), known.correction.place
    if known.patch is not None:
        patches[place] = known.patch
    return replace(absent, corrections=(*absent.corrections, known.correction), patches=patches)


def _latest_with_city_count(earlier: Result, fresh: Result) -> Result | None:
    """Return the latest result of a table with as many cities as now; None if there is none."""
    count, found = len(fresh.reading_to_correct.grids), earlier
    while len(found.reading_to_correct.grids) != count:
        if found.earlier is None:
            return None
        found = found.earlier
    return found


def _options_of_known_table(
    reading: Reading,
    fresh: Result,
    earlier: Result,
    same_count_result: Result | None,
    settings: Settings,
    match: TableMatch,
) -> ScoringOptions:
    """Return the options of a known table: names, owners and order go with its cities.

    Args:
        reading: Reading to be scored.
        fresh: Result of the new photo.
        earlier: Earlier result of the table.
        same_count_result: Result by ``_latest_with_city_count``.
        settings: Settings, whose names count if they were changed since.
        match: Comparison of the cities of ``earlier`` with the new ones.
    """
    options = default_options(reading, settings)
    if same_count_result is None:
        return options
    same_count_match = match if same_count_result is earlier else _compare(same_count_result, fresh)
    count = len(reading.grids)
    earlier_by_new = _with_unmatched_cities(same_count_match, count).earlier_by_new
    earlier_of_each = [earlier_by_new[new] for new in range(count)]
    earlier_options = same_count_result.options
    if earlier_options.owners is not None:
        options = replace(
            options, owners=tuple(earlier_options.owners[number] for number in earlier_of_each)
        )
    join = reading.join
    if earlier_options.order is not None and join is not None and not join.is_order_known:
        options = replace(options, order=tuple(map(earlier_of_each.index, earlier_options.order)))
    names = earlier_options.players
    is_changed = options.players is not None and options.players != names
    if not same_count_result.has_own_names and (names is None or is_changed):
        return options
    players = player_count(fresh, options)
    if players != player_count(same_count_result, earlier_options):
        return options
    if names is not None and len(names) != players:
        return options
    if names is not None and len(names) == count:
        earlier_seats = _seats(same_count_result, earlier_options)
        seats = [earlier_seats.index(earlier_of_each[grid]) for grid in _seats(fresh, options)]
        if not _is_cyclic_shift(seats) and game_or_unscored(fresh.game_id).seats_matter(options):
            seats = sorted(seats)  # cities were exchanged, but nobody moves with them
        given = tuple(names[seat] if is_person_name(names[seat]) else "" for seat in seats)
        names = seat_names(given, count)
    return replace(options, players=names)


def _with_given_options_of(options: ScoringOptions, given: Result) -> ScoringOptions:
    """Return options with the owners, the order and the own names of a result, if it has any."""
    names = given.options.players if given.has_own_names else None
    if names is None or len(names) != player_count(given, options):
        names = options.players
    return replace(
        options,
        players=names,
        owners=given.options.owners or options.owners,
        order=given.options.order or options.order,
    )


def _given_option_names(options: ScoringOptions, *, has_own_names: bool) -> set[str]:
    """Return the names of the options that a person gave for a game."""
    given = {name for name in ("owners", "order") if getattr(options, name) is not None}
    return given | {"players"} if has_own_names else given


def _seats(result: Result, options: ScoringOptions) -> tuple[int, ...]:
    """Return the grid of each seat: on the left of the player, or the player's own."""
    join, count = result.reading_to_correct.join, len(result.reading_to_correct.grids)
    if not game_or_unscored(result.game_id).seats_matter(options):
        return tuple(range(count))
    return options.order or (tuple(range(count)) if join is None else join.order)


def _as_earlier(result: Result) -> Result:
    """Return a result without its photo and, to save memory, with one earlier result at most.

    That is the latest with another number of cities: its names count once all are seen again.
    """
    count, other = len(result.reading_to_correct.grids), result.earlier
    while other is not None and len(other.reading_to_correct.grids) == count:
        other = other.earlier
    other = None if other is None else replace(other.without_photo, earlier=None)
    return replace(result.without_photo, earlier=other, possible_earlier=None)


def _is_cyclic_shift(numbers: Sequence[int]) -> bool:
    """Return whether numbers are those from 0 in order, begun at any of them, such as 2, 0, 1."""
    begins_at = numbers.index(0) if numbers else 0
    return [*numbers[begins_at:], *numbers[:begins_at]] == sorted(numbers)


def _with_letters_of(
    fresh: Result, earlier: Result, match: TableMatch, options: ScoringOptions
) -> Result:
    """Return an earlier result whose cities have the letters and turns of the new ones.

    So both can be compared city by city. It is returned as it is if nothing differs, if cities were
    exchanged, which changes the points of players, and if it is of several photos.

    Args:
        fresh: Result of the new photo, with as many cities.
        earlier: Earlier result.
        match: Comparison of the cities of both.
        options: Options to score it with, for the new letters.
    """
    count = len(fresh.eye_reading.grids)
    complete = _with_unmatched_cities(match, count)
    earlier_of_each = [complete.earlier_by_new[new] for new in range(count)]
    turns = [complete.turn_to_earlier.get(new, 0) for new in range(count)]
    is_same = earlier_of_each == list(range(count)) and not any(turns)
    if is_same or not _is_cyclic_shift(earlier_of_each) or earlier.eye_reading.join is not None:
        return earlier

    def lettered(reading: Reading) -> Reading:
        grids = (
            reading.grids[number].turned(-turn)
            for number, turn in zip(earlier_of_each, turns, strict=True)
        )
        return replace(reading, grids=tuple(grids))

    return with_score(
        replace(
            earlier,
            eye_reading=lettered(earlier.eye_reading),
            reading_to_correct=lettered(earlier.corrected_scan.reading),
            options=options,
            corrections=(),
            unconfirmed=(),
            patches={},
            absent=(),
        )
    )


def _may_be_expected_table(earlier: Reading, new: Reading, match: TableMatch) -> bool:
    """Return whether the expected table may lie there: at least half of the cells are equal.

    If the numbers of cities differ, as when a city was covered, return whether ``compare_tables``,
    which gave ``match``, takes both for perhaps the same.
    """
    sizes = [{grid.size for grid in reading.grids} for reading in (earlier, new)]
    if sizes[0] != sizes[1] or not earlier.grids:
        return False
    if len(earlier.grids) != len(new.grids):
        return match.sameness is not TableSameness.OTHER
    cells = [
        (face, other_face)
        for grid, other in zip(earlier.grids, new.grids, strict=True)
        for row, other_row in zip(grid.faces, other.faces, strict=True)
        for face, other_face in zip(row, other_row, strict=True)
        if (face, other_face) != (None, None)
    ]
    return sum(face == other_face for face, other_face in cells) >= MIN_EQUAL_SHARE * len(cells)


def _decide_fate(
    correction: Correction, known: _EarlierCorrection, fresh: Result
) -> CorrectionFate:
    """Decide the fate of an earlier correction.

    It is kept if the eye now reads what the person said. Else the pictures of its tile then and now
    are compared, more strictly if the eye reads another face than it did then.

    Args:
        correction: Correction, moved to the place where its tile lies now.
        known: Correction as it was, with the picture of its tile.
        fresh: Result of the new photo.
    """
    place = correction.place
    seen_now = seen_at(fresh.eye_reading, place)
    guessed, _settled = apply_corrections(fresh.eye_reading, fresh.description, [correction])
    if seen_at(guessed, place) == seen_now:  # the eye now reads what the person said
        return CorrectionFate.KEPT
    seen_earlier = correction.read_as or guesses_at(known.city, known.correction.place)[0]
    is_face_same = (seen_earlier or NO_TILE) == (seen_now or NO_TILE)
    earlier_patch, new_patch = known.patch, fresh.patch_at(place)
    if earlier_patch is None or new_patch is None:
        return CorrectionFate.ASKED_AGAIN if is_face_same else CorrectionFate.DROPPED
    similarity = patch_similarity(earlier_patch, new_patch)
    if similarity >= (MIN_SAME_FACE_TILE_COSINE if is_face_same else MIN_SAME_TILE_COSINE):
        return CorrectionFate.KEPT
    is_sure = place not in unsure_places(place.grid, fresh.eye_reading.grids[place.grid])
    if not is_face_same and (is_sure or similarity < MAX_OTHER_TILE_COSINE):
        return CorrectionFate.DROPPED
    return CorrectionFate.ASKED_AGAIN


def _with_note(reading: Reading, place: Place) -> Reading:
    """Return the reading with a note that a correction no longer counts."""
    grids = list(reading.grids)
    dropped = Note(ScanNote.ANSWER_DROPPED, places=(replace(place, grid=0),))
    grid = grids[place.grid]
    grids[place.grid] = replace(grid, notes=(*grid.notes, dropped))
    return replace(reading, grids=tuple(grids))


def _with_guess(reading: Reading, correction: Correction, fresh: Result) -> Reading:
    """Return the reading with a correction as unsure guess beside what the eye sees.

    Args:
        reading: Reading of the new photo, with the guesses so far.
        correction: Correction, moved to the place where its tile lies now.
        fresh: Result of the new photo.
    """
    place = correction.place
    guessed, _settled = apply_corrections(
        reading, fresh.description, [Correction(place, correction.content)]
    )
    grids = list(guessed.grids)
    grid, grid_as_seen = grids[place.grid], fresh.eye_reading.grids[place.grid]
    content = guesses_at(grid, place)[0]
    others = tuple(guess for guess in guesses_at(grid_as_seen, place) if guess != content)
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
            if piece.key == place.piece
            else piece
            for piece in grid.loose
        )
        grid = replace(grid, loose=pieces)
    grids[place.grid] = with_unsure(grid, [place])
    return replace(guessed, grids=tuple(grids))
