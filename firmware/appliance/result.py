"""Result of a scan: the reading, the corrections and the score; how answers change it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from firmware.appliance.problems import NO_TILES
from firmware.base.errors import UsageError
from firmware.base.problem import Problem
from firmware.games.doubts import guesses_at
from firmware.games.registry import games
from firmware.games.scan import Scan
from firmware.games.scoring_options import ScoringOptions
from firmware.history.stats import BestResult
from firmware.scan.corrections import NO_TILE, Correction, apply_corrections, names_at
from firmware.scan.make_scan import make_scan, make_unscored_scan
from firmware.scan.read_photos import PhotoSeries
from firmware.screens.question_views import FaceGroup, SpecialAnswer
from firmware.screens.view import CropAt, View, no_crop
from firmware.settings import Settings, seat_names
from vision.editions.description import Description
from vision.patches.comparison import Patch
from vision.photo.load import Photo
from vision.reading import GridReading, Place, PlaceKind, Point, Reading

Answer = str | FaceGroup | SpecialAnswer
"""Answer of a person about a place: a face or kind of figure by its identifier, a group of faces
that is asked about further, or ``SpecialAnswer``."""

PatchAt = Callable[[Place], Patch | None]
"""Function that returns the picture of the tile at a place; None if its position is unknown."""


def no_patch(_place: Place) -> Patch | None:
    """Return no picture."""
    return None


def past_result_id(seq: int) -> int:
    """Return ``Result.result_id`` of a past game: its number in the history, negative."""
    return -seq


def past_seq(result_id: int) -> int | None:
    """Return the number in the history of a past game; None for a result of this run."""
    return -result_id if result_id < 0 else None


@dataclass(frozen=True, slots=True, eq=False)
class AbsentCity:
    """City that the last scan did not show, with what a person has said about it.

    Attributes:
        city: Reading of the city by the eye when it was last seen.
        corrections: Corrections of its places, in which the city is grid 0.
        patches: Pictures of their tiles by place.
    """

    city: GridReading
    corrections: tuple[Correction, ...]
    patches: Mapping[Place, Patch]


@dataclass(frozen=True, slots=True)
class CityInPhoto:
    """City as one of several photos shows it, found again by its centre.

    Attributes:
        photo: Name of the photo.
        centre_px: Centre of the city in pixels of that photo.
    """

    photo: str
    centre_px: Point


@dataclass(frozen=True, slots=True)
class CityAnswer:
    """Answer of a person whether two cities of several photos are one.

    Attributes:
        sightings: Either city as one photo shows it.
        is_same: Whether they are one.
    """

    sightings: tuple[CityInPhoto, CityInPhoto]
    is_same: bool


@dataclass(frozen=True, eq=False)
class Result:
    """Scanned table with its corrections and score.

    Attributes:
        result_id: Identifier of the result in this run, above 0; for a past game
            ``past_result_id``.
        eye_reading: Reading as the eye made it of the photo.
        reading_to_correct: Reading that ``corrections`` apply to: ``eye_reading``, with answers of
            an earlier scan as unsure guesses where a tile may have changed.
        description: Description of the edition.
        scan_or_problem: Scan, with a score if the game has rules; or the problem that prevents a
            score.
        options: Options of scoring, with owners and names that a person gave.
        crop_at: Function that returns pictures of places and of unread regions.
        photo_reference: Reference to the photo that ``StorageService.keep_photo`` stores, or for a
            past game the name of its file; None without one.
        photo: Photo itself; None if it is not in memory.
        corrections: Corrections by a person, oldest first.
        patch_at: Function that returns pictures of tiles to compare later.
        unconfirmed: Answers of earlier scans that a person is asked to confirm, as a tile may have
            changed; those about places in ``corrections`` no longer count.
        patches: Pictures of the tiles that ``corrections`` and ``unconfirmed`` are about, as they
            looked when a person answered.
        absent: Cities with answers that no scan has shown since.
        city_answers: Answers about cities of several photos, for further photos.
        has_own_names: Whether the players of this game were named for it alone; names in the
            settings then do not change it.
        names_for_other_counts: Names that were given for this game alone while it had another
            number of players, by that number; they count again once it has.
        taken_over: Fields of ``options`` that were taken over from an earlier scan of the table,
            and not given again since: ``owners``, ``order``, and ``players`` if that scan had names
            of its own.
        earlier: Result of the same table before, without its photo, in whose place this one is
            stored; None if the table is new.
        possible_earlier: Result of an earlier game that may be of the same table, without its
            photo; a person is asked whether to update that game. None without one.
        save_id: Number of the attempt to store it that is going on; None without one.
        save_problem: Problem that kept it from being stored; None without one.
        seq: Number in the history; None until it is stored.
        new_bests: Bests of all games so far that it has set.
        asked_to_learn: True once it was asked whether corrected tiles are to be learned.
        trial: True if nothing of it is stored.
        series: Photos of the table, to which further ones can be added; None if none can.
        scanned_as: ``result_id`` that it was scanned or loaded with; it stays when a person
            assigns the scan to another game.
        cached_views: Views of ``display_views`` made so far, by language and alerts.
    """

    result_id: int
    eye_reading: Reading
    reading_to_correct: Reading
    description: Description
    scan_or_problem: Scan | Problem
    options: ScoringOptions
    crop_at: CropAt = no_crop
    photo_reference: str | None = None
    photo: Photo | None = None
    corrections: tuple[Correction, ...] = ()
    unconfirmed: tuple[Correction, ...] = ()
    patch_at: PatchAt = no_patch
    patches: Mapping[Place, Patch] = field(default_factory=dict)
    absent: tuple[AbsentCity, ...] = ()
    city_answers: tuple[CityAnswer, ...] = ()
    has_own_names: bool = False
    names_for_other_counts: Mapping[int, tuple[str, ...] | None] = field(default_factory=dict)
    taken_over: tuple[str, ...] = ()
    earlier: "Result | None" = None
    possible_earlier: "Result | None" = None
    save_id: int | None = None
    save_problem: Problem | None = None
    seq: int | None = None
    new_bests: tuple[BestResult, ...] = ()
    asked_to_learn: bool = False
    trial: bool = False
    series: PhotoSeries | None = None
    scanned_as: int = 0
    cached_views: dict[object, tuple[View, ...]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if not self.scanned_as:
            object.__setattr__(self, "scanned_as", self.result_id)

    @property
    def is_past(self) -> bool:
        """True for a past game, loaded from the history."""
        return past_seq(self.result_id) is not None

    @property
    def game_id(self) -> str:
        """Identifier of its game."""
        return self.eye_reading.game

    @property
    def scan(self) -> Scan | None:
        """Scan, with a score if the game has rules; None if the table cannot be scored."""
        return self.scan_or_problem if isinstance(self.scan_or_problem, Scan) else None

    @property
    def earlier_scan(self) -> Scan | None:
        """Scored scan of ``earlier``; None if the table is new or was not scored then."""
        return None if self.earlier is None else self.earlier.scan

    @property
    def without_photo(self) -> "Result":
        """Result without the photo and the pictures cut from it."""
        return replace(self, photo=None, crop_at=no_crop, patch_at=no_patch, series=None)

    @cached_property
    def corrected_scan(self) -> Scan:
        """Scan with all corrections and all that the rules doubt; scored if it can be.

        Whatever shows the table reads this one. Its ``reading`` is the last of three:
        ``eye_reading`` as seen, ``reading_to_correct`` with earlier answers as guesses, then this
        one with the corrections.
        """
        if isinstance(self.scan_or_problem, Scan):
            return self.scan_or_problem
        return make_unscored_scan(
            self.reading_to_correct, self.description, corrections=self.corrections
        )

    @property
    def open_places(self) -> tuple[Place, ...]:
        """``Scan.open_places`` of ``corrected_scan``."""
        return self.corrected_scan.open_places

    @property
    def places_without_effect(self) -> frozenset[Place]:
        """Places among ``open_places`` that change no rank, whatever lies there."""
        return self.corrected_scan.places_without_effect

    @property
    def given_answers(self) -> object:
        """All that a person has said, in a form that can be compared."""
        join = self.reading_to_correct.join
        same = None if join is None else join.perhaps_same
        options = self.options
        return self.corrections, options.owners, options.order, self.taken_over, same

    @property
    def all_corrections(self) -> tuple[Correction, ...]:
        """``corrections``, then ``to_confirm``."""
        return (*self.corrections, *self.to_confirm)

    @property
    def to_confirm(self) -> tuple[Correction, ...]:
        """Answers of earlier scans that a person still has to confirm.

        Those of ``unconfirmed`` without places that were answered again.
        """
        places = {each.place for each in self.corrections}
        return tuple(each for each in self.unconfirmed if each.place not in places)

    @property
    def misread_tiles(self) -> tuple[Correction, ...]:
        """Corrections of tiles that were read as others; none for a past game."""
        if self.is_past:
            return ()
        tiles = (each for each in self.corrections if each.place.kind is PlaceKind.TILE)
        seen = ((each, seen_at(self.eye_reading, each.place)) for each in tiles)
        return tuple(
            each for each, face in seen if None not in (face, each.content) and face != each.content
        )

    def contradicts_eye(self, correction: Correction) -> bool:
        """Return whether a correction of a tile contradicts what the eye saw.

        The eye was sure of another face, or the corrected one is not among its guesses.
        """
        place = correction.place
        grid = self.eye_reading.grids[place.grid]
        return place.cell not in grid.unsure or correction.content not in guesses_at(grid, place)

    @property
    def owner_choices(self) -> tuple[tuple[int, ...], ...]:
        """Ways to share the grids that a person can choose from; empty if there is no choice."""
        scan = self.scan
        return () if scan is None or scan.game is None else scan.game.owner_choices(scan)

    @property
    def question_count(self) -> int:
        """Number of questions that a person can answer: open places, and who owns which city.

        ``Scan.doubt_count`` counts doubts: open places, and what nobody can answer, such as notes
        on the photo and cities that were not read.
        """
        return len(self.open_places) + bool(self.owner_choices)


def with_score(result: Result) -> Result:
    """Return a result scored again with its corrections and options."""
    scored = score_or_problem(
        result.reading_to_correct, result.description, result.options, result.corrections
    )
    return replace(result, scan_or_problem=scored)


def with_given_options(result: Result, **given: Any) -> Result:
    """Return a result with options that a person gave for it; not yet scored again.

    Args:
        result: Result before.
        **given: Fields of ``ScoringOptions``.
    """
    return replace(
        result,
        options=replace(result.options, **given),
        taken_over=tuple(name for name in result.taken_over if name not in given),
    )


def with_settings(result: Result, settings: Settings, *, takes_names: bool) -> Result:
    """Score a result and its earlier result with other settings.

    Args:
        result: Result before.
        settings: Settings to score with.
        takes_names: Whether the players get the names of the settings; if not, these are used only
            where the number of players changes, unless as many were named for this game.
    """
    before, earlier = result.options, result.earlier
    if earlier is not None:
        earlier = with_settings(earlier, settings, takes_names=takes_names)
    options = replace(
        default_options(result.reading_to_correct, settings, before.owners), order=before.order
    )
    count, count_before = player_count(result, options), player_count(result, before)
    names_for_other_counts = {} if takes_names else dict(result.names_for_other_counts)
    if result.has_own_names and not takes_names:
        names_for_other_counts[count_before] = before.players
    has_own_names = count in names_for_other_counts
    if has_own_names:
        options = replace(options, players=names_for_other_counts.pop(count))
    elif count == count_before and not takes_names:
        options = replace(options, players=before.players)
    return with_score(
        replace(
            result,
            earlier=earlier,
            options=options,
            has_own_names=has_own_names,
            names_for_other_counts=names_for_other_counts,
            taken_over=tuple(
                name for name in result.taken_over if name != "players" or not takes_names
            ),
        )
    )


def player_count(result: Result, options: ScoringOptions) -> int:
    """Return the number of players of a result; 0 for a game without rules."""
    game, grids = games().get(result.game_id), len(result.reading_to_correct.grids)
    return 0 if game is None else game.player_count(grids, options)


def with_players(
    result: Result, change: Callable[[tuple[str, ...]], tuple[str, ...] | None]
) -> Result:
    """Return a result with changed names of players, scored again if any differs.

    A result for another number of players than the new names are for keeps its own.

    Args:
        result: Result, of which the one before of the same table changes as well.
        change: Function that returns the new names, in seat order; None for those of seats or
            pieces.
    """
    earlier, names = result.earlier, result.options.players or ()
    changed = change(names)
    if earlier is not None:
        earlier = with_players(earlier, change)
    names_for_other_counts = {
        count: _with_changed_names(each, change)
        for count, each in result.names_for_other_counts.items()
    }
    result = replace(result, names_for_other_counts=names_for_other_counts)
    is_for_others = bool(changed) and len(changed or ()) != player_count(result, result.options)
    if is_for_others or changed == result.options.players or (not names and not changed):
        return replace(result, earlier=earlier)
    options = replace(result.options, players=changed)
    return with_score(replace(result, earlier=earlier, options=options))


def _with_changed_names(
    names: tuple[str, ...] | None,
    change: Callable[[tuple[str, ...]], tuple[str, ...] | None],
) -> tuple[str, ...] | None:
    """Return changed names; as they were if the change is for another number of players."""
    changed = change(names or ())
    return changed if changed and names and len(changed) == len(names) else names


def score_or_problem(
    reading: Reading,
    description: Description,
    options: ScoringOptions,
    corrections: tuple[Correction, ...] = (),
) -> Scan | Problem:
    """Return the score of a reading, or the problem that prevents one."""
    if description.game not in games() and not reading.grids:
        return NO_TILES
    try:
        return make_scan(reading, description, corrections=corrections, options=options)
    except UsageError as error:
        return Problem.of(error)


def default_options(
    reading: Reading, settings: Settings, owners: tuple[int, ...] | None = None
) -> ScoringOptions:
    """Return the options to score a reading.

    Variant and level are those of the settings, if the reading is of the game that is set.
    """
    options = ScoringOptions()
    if settings.game == reading.game:
        options = ScoringOptions(level=settings.level, variant=settings.variant)
    count = len(reading.grids)
    game = games().get(reading.game)
    if game is not None and game.named_seats:
        players = game.player_count(count, options)
        options = replace(options, players=seat_names(settings.players, players))
    return replace(options, owners=owners if owners and len(owners) == count else None)


def with_answer(result: Result, place: Place, answer: str | SpecialAnswer) -> Result:
    """Return a result with the answer for a place; not yet scored again.

    ``SpecialAnswer.LATER`` takes back an earlier answer for the place.
    """
    kept = tuple(each for each in result.corrections if each.place != place)
    patches = {each: patch for each, patch in result.patches.items() if each != place}
    if answer is SpecialAnswer.LATER:
        return replace(result, corrections=kept, patches=patches)
    content = None if isinstance(answer, SpecialAnswer) else answer
    patch = result.patch_at(place)
    if patch is not None:
        patches[place] = patch
    correction = Correction(place, content, read_as=seen_at(result.eye_reading, place) or NO_TILE)
    return replace(result, corrections=(*kept, correction), patches=patches)


def answers_to_offer(
    result: Result, place: Place, face_group: str | None = None
) -> tuple[Answer, ...]:
    """Return the answers to offer for a place, the likeliest first.

    First comes the correction by a person, then the face as read and the other guesses of the eye,
    and for an unsure place the answer *later*. The rest follows, many faces by their groups; the
    empty place comes last. Guesses of the eye that a cell of a city is empty are left out: a city
    is full at the end, so the tile is covered.

    Args:
        result: Result with the place.
        place: Place that is asked about.
        face_group: Group whose faces alone are offered; None for all answers.
    """
    game = games().get(result.game_id)
    faces = names_at(place, result.description)
    groups = {face: face if game is None else game.group_of(face) for face in faces}
    guesses = [
        *guesses_at(result.reading_to_correct.grids[place.grid], place),
        *_most_frequent_figure(result.reading_to_correct, place),
    ]
    if place.kind is PlaceKind.TILE and result.description.board is None:
        guesses = [guess for guess in guesses if guess is not None]
    is_corrected = any(each.place == place for each in result.corrections)
    if is_corrected:
        reading, _settled = apply_corrections(
            result.reading_to_correct, result.description, result.corrections
        )
        guesses = [*guesses_at(reading.grids[place.grid], place)[:1], *guesses]
    likely: list[Answer] = [SpecialAnswer.NO_TILE if guess is None else guess for guess in guesses]
    if face_group is not None:
        ranked = (*(guess for guess in guesses if guess is not None), *faces)
        return tuple(dict.fromkeys(face for face in ranked if groups.get(face) == face_group))
    names = list(groups.values())
    grouped = [FaceGroup(name) if names.count(name) > 1 else name for name in names]
    later = [SpecialAnswer.LATER] if is_corrected or place in result.open_places else []
    return tuple(dict.fromkeys([*likely, *later, *grouped, SpecialAnswer.NO_TILE]))


def _most_frequent_figure(reading: Reading, place: Place) -> list[str]:
    """Return the most frequent kind of figure of the grid, as the guess for an unseen figure."""
    if place.kind is not PlaceKind.FIGURE:
        return []
    kinds = [figure.kind for figure in reading.grids[place.grid].figures]
    return sorted(set(kinds), key=lambda kind: (-kinds.count(kind), kind))[:1]


def seen_at(reading: Reading, place: Place) -> str | None:
    """Return the face or kind of figure at a place; None if there is nothing."""
    return guesses_at(reading.grids[place.grid], place)[0]


def turn_at(result: Result, place: Place, answer: Answer) -> int | None:
    """Return the quarter turns of the tile; None for another answer than the face that was read."""
    grid = result.reading_to_correct.grids[place.grid]
    if place.kind is not PlaceKind.TILE or answer != grid.face(place.cell):
        return None
    height, width = result.description.tile_cells
    row, column = place.cell
    return grid.turns[row // height][column // width]
