"""Rescan of a table: the new result takes over what is known of the table.

A person's answer stays until its tile visibly changes: the picture of the tile as it looked when
the person answered is compared with the tile in the new photo.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from typing import Final

from firmware.appliance.result import Result, default_options, seen_at, with_score
from firmware.base.errors import UsageError
from firmware.scan.corrections import Correction, corrected
from firmware.settings import Settings
from firmware.wording.doubts import guesses_at, unsure_places, with_unsure
from firmware.wording.notes import ScanNote
from vision.patches.comparison import (
    MAX_OTHER_TILE,
    MIN_SAME_TILE,
    MIN_SAME_TILE_IF_SAME_FACE,
    patch_similarity,
)
from vision.reading import Note, Place, PlaceKind, Reading
from vision.rereading.matching import Sameness, compare_tables

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
    match = compare_tables(last.eye_reading.grids, fresh.eye_reading.grids)
    if expects_same_table and _may_be_expected_table(last.eye_reading, fresh.eye_reading):
        count = len(fresh.eye_reading.grids)
        is_count_kept = len(last.eye_reading.grids) == count
        # As many cities as before, but too different to be matched: each lies where it lay
        is_paired = match.sameness is Sameness.SAME or not is_count_kept
        pairs = match.pairs if is_paired else {n: n for n in range(count)}
        return with_earlier_answers(fresh, last, settings, pairs)
    if match.sameness is Sameness.SAME:
        return with_earlier_answers(fresh, last, settings, match.pairs)
    if match.sameness is Sameness.PERHAPS and last.scan is not None:
        return replace(fresh, possible_earlier=_as_earlier(last))
    return fresh


def with_earlier_answers(
    fresh: Result, last: Result, settings: Settings, pairs: Mapping[int, int] | None = None
) -> Result:
    """Return the result of a known table, with answers and options of the earlier result.

    Args:
        fresh: Result of the new photo; its own answers take precedence over earlier ones.
        last: Earlier result of the table.
        settings: Settings in use.
        pairs: Numbers of the new grids with those of the earlier ones; None if not compared yet.
    """
    if pairs is None:
        pairs = compare_tables(last.eye_reading.grids, fresh.eye_reading.grids).pairs
    new_number = {old: new for new, old in pairs.items()}
    answered = {each.place for each in fresh.corrections}
    reading, kept, patches = fresh.eye_reading, [], dict(fresh.patches)
    for correction in last.corrections:
        old = correction.place
        if old.grid not in new_number:
            continue
        place = replace(old, grid=new_number[old.grid])
        if place in answered:
            continue
        fate = _fate(correction, place, last, fresh)
        if fate is AnswerFate.KEPT:
            kept.append(Correction(place, correction.answer))
            if old in last.patches:
                patches[place] = last.patches[old]
        elif fate is AnswerFate.ASKED_AGAIN:
            reading = _with_guess(reading, fresh.eye_reading, correction, place, fresh)
        else:
            reading = _with_note(reading, place)
    same_count = len(last.uncorrected_reading.grids) == len(fresh.uncorrected_reading.grids)
    options = default_options(reading, settings, last.options.owners if same_count else None)
    if options.players is None and same_count:
        options = replace(options, players=last.options.players)
    earlier = last if last.scan is not None else last.earlier
    return with_score(
        replace(
            fresh,
            uncorrected_reading=reading,
            options=options,
            corrections=(*kept, *fresh.corrections),
            patches=patches,
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
    known = with_earlier_answers(fresh, last, settings)
    return replace(known, earlier=last.earlier, possible_earlier=None, seq=None)


def as_new_game(result: Result, settings: Settings) -> Result:
    """Return the result of the photo alone, without what an earlier one contributed."""
    earlier = result.earlier
    taken_over = (
        set() if earlier is None else {(each.place, each.answer) for each in earlier.corrections}
    )
    own = tuple(each for each in result.corrections if (each.place, each.answer) not in taken_over)
    places = {each.place for each in own}
    return with_score(
        replace(
            result,
            uncorrected_reading=result.eye_reading,
            options=default_options(result.eye_reading, settings),
            corrections=own,
            patches={place: patch for place, patch in result.patches.items() if place in places},
            earlier=None,
            possible_earlier=None,
            seq=None,
            new_bests=(),
            asked_to_learn=False,
        )
    )


def _as_earlier(result: Result) -> Result:
    """Return a result without its photo and earlier results, to save memory."""
    return replace(result.without_photo, earlier=None, possible_earlier=None)


def _may_be_expected_table(before: Reading, after: Reading) -> bool:
    """Return whether half of the cells are equal.

    If a city was covered and the counts differ, return whether any city matches.
    """
    sizes = [{grid.size for grid in reading.grids} for reading in (before, after)]
    if sizes[0] != sizes[1] or not before.grids:
        return False
    if len(before.grids) != len(after.grids):
        return compare_tables(before.grids, after.grids).sameness is not Sameness.OTHER
    cells = [
        (old, new)
        for grid, other in zip(before.grids, after.grids, strict=True)
        for row, other_row in zip(grid.faces, other.faces, strict=True)
        for old, new in zip(row, other_row, strict=True)
        if (old, new) != (None, None)
    ]
    return sum(old == new for old, new in cells) >= MIN_ALIKE * len(cells)


def _fate(correction: Correction, place: Place, last: Result, fresh: Result) -> AnswerFate:
    """Return the fate of an answer about ``correction.place``, whose tile is now at ``place``."""
    seen_before = seen_at(last.eye_reading, correction.place)
    seen_now = seen_at(fresh.eye_reading, place)
    try:
        guessed, _settled = corrected(
            fresh.eye_reading, fresh.description, [Correction(place, correction.answer)]
        )
    except UsageError:  # the last piece of a heap is gone, so there is no such place
        return AnswerFate.DROPPED
    if seen_at(guessed, place) == seen_now:  # the eye now reads what the person said
        return AnswerFate.KEPT
    is_face_same = seen_before == seen_now
    before, after = last.patches.get(correction.place), fresh.patch_at(place)
    if before is None or after is None:
        return AnswerFate.ASKED_AGAIN if is_face_same else AnswerFate.DROPPED
    similarity = patch_similarity(before, after)
    if similarity >= (MIN_SAME_TILE_IF_SAME_FACE if is_face_same else MIN_SAME_TILE):
        return AnswerFate.KEPT
    is_sure = place not in unsure_places(place.grid, fresh.eye_reading.grids[place.grid])
    if not is_face_same and (is_sure or similarity < MAX_OTHER_TILE):
        return AnswerFate.DROPPED
    return AnswerFate.ASKED_AGAIN


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
