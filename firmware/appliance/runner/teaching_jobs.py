"""Jobs that learn the look of tiles: from a layout, from groups, from corrections."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from firmware.appliance.base import Event
from firmware.appliance.features.game_choice import EditionsChanged
from firmware.appliance.features.grouping import FindGroups, GroupsFound, LearnGroups
from firmware.appliance.features.learning_corrections import (
    LearnCorrections,
    TeachingUndone,
    TilesLearned,
    UndoTeaching,
)
from firmware.appliance.features.teaching import LayoutLearned, LearnLayout
from firmware.appliance.runner.available_editions import game_choices
from firmware.appliance.runner.job_runner import JobRunner
from firmware.report.place_pictures import decoded_quad_bitmap
from firmware.screens.words import Stage
from firmware.teaching.user_editions import (
    load_edition,
    remove_edition,
    rename_edition,
    save_edition,
    undo_edition,
)
from vision.editions.edition import Edition
from vision.photo.load import Photo

if TYPE_CHECKING:
    from firmware.teaching.session import TeachingSession
    from vision.teaching.tile_groups import TileGroups

    Grouped = tuple[TeachingSession, Photo, TileGroups]

EditionAndEvent = tuple[Edition, Event]
"""Edition that has learned, and the event that reports it."""


class TeachingJobs:
    """Learning of editions. The edition of a job that was cancelled is not stored.

    Args:
        jobs: Runner of the jobs.
        last_photo: Function that returns the photo of the last result.
    """

    def __init__(self, jobs: JobRunner, last_photo: Callable[[], Photo | None]) -> None:
        self._jobs = jobs
        self._last_photo = last_photo
        self._photo_to_repeat: Photo | None = None
        """Photo of the last attempt, used again once a person has answered; None after success."""
        self._grouped: Grouped | None = None

    def learn_layout(self, effect: LearnLayout) -> None:
        """Learn an edition from a photo, taken if none is given."""
        given = self._photo_to_repeat if effect.same_photo else None
        self._jobs.begin_with_photo(
            effect.job_id, given or effect.photo, partial(self._learn_layout, effect), "photo"
        )

    def _learn_layout(self, effect: LearnLayout, get_photo: Callable[[], Photo]) -> None:
        def learn() -> EditionAndEvent:
            photo = self._photo_to_repeat = get_photo()
            return _teach_layout(effect, photo)

        self._jobs.report_stage(effect.job_id, Stage.TEACH)
        self._store_learned(effect.job_id, learn)

    def find_groups(self, effect: FindGroups) -> None:
        """Group the tiles of a photo of a table."""
        given = self._photo_to_repeat if effect.confirmed else None
        self._jobs.begin_with_photo(
            effect.job_id, given or effect.photo, partial(self._find_groups, effect), "photo"
        )

    def _find_groups(self, effect: FindGroups, get_photo: Callable[[], Photo]) -> None:
        self._jobs.report_stage(effect.job_id, Stage.TEACH)
        self._jobs.run_in_queue(
            effect.job_id, lambda: self._groups_in(effect, get_photo()), self._keep_groups
        )

    def _groups_in(self, effect: FindGroups, photo: Photo) -> "tuple[Grouped, GroupsFound]":
        """Group the tiles of a photo, in the reading queue."""
        from firmware.teaching.session import start_session
        from vision.teaching.learn_groups import draw_group_strips, find_groups

        session = start_session(effect.edition, effect.game, add=effect.add)
        self._photo_to_repeat = photo
        groups = find_groups(session.description, photo, confirmed=effect.confirmed)
        quads = (groups.quads_px[group[0]] for group in groups.groups)
        centres = groups.quads_px.mean(axis=1).tolist()
        event = GroupsFound(
            effect.job_id,
            tuple(decoded_quad_bitmap(photo.image_bgr, quad) for quad in quads),
            tuple(face.name for face in session.description.faces),
            tile_centres_px=tuple((x, y) for x, y in centres),
            pictured=tuple(group[0] for group in groups.groups),
            strips=tuple(draw_group_strips(photo, groups)),
            mixed=groups.mixed,
        )
        return (session, photo, groups), event

    def _keep_groups(self, found: "tuple[Grouped, GroupsFound]") -> None:
        self._photo_to_repeat = None
        self._grouped, event = found
        self._jobs.report(event)

    def learn_groups(self, effect: LearnGroups) -> None:
        """Learn the names that a person gave to the last groups."""
        assert self._grouped is not None  # noqa: S101 - they were found before
        self._jobs.begin(effect.job_id)
        self._store_learned(effect.job_id, partial(_teach_groups, effect, *self._grouped))

    def learn_corrections(self, effect: LearnCorrections) -> None:
        """Learn the tiles that a person corrected in the photo of the last result."""
        photo = self._last_photo()
        assert photo is not None  # noqa: S101 - it was read before
        self._jobs.begin(effect.job_id)
        self._store_learned(effect.job_id, partial(_teach_corrections, effect, photo))

    def undo_teaching(self, effect: UndoTeaching) -> None:
        """Undo the last teaching of an edition."""
        self._jobs.begin(effect.job_id)
        self._jobs.run_in_queue(effect.job_id, lambda: _undo(effect), self._jobs.report_all)

    def _store_learned(self, job_id: int, learn: Callable[[], EditionAndEvent]) -> None:
        """Learn an edition, and store it unless the job was cancelled meanwhile."""

        def learn_and_store() -> tuple[Event, ...]:
            edition, finished = learn()
            if not self._jobs.is_current(job_id):
                return ()
            save_edition(edition, replace=True)
            return EditionsChanged(game_choices()), finished

        def report(events: tuple[Event, ...]) -> None:
            self._photo_to_repeat = None
            self._jobs.report_all(events)

        self._jobs.run_in_queue(job_id, learn_and_store, report)


def _teach_layout(effect: LearnLayout, photo: Photo) -> EditionAndEvent:
    from firmware.teaching.session import start_session
    from vision.teaching.reference_grid import PhotoCorner

    session = start_session(effect.edition, effect.game, add=effect.add)
    corner = None if effect.corner is None else PhotoCorner(effect.corner.code)
    learned = session.learn_arrangement(
        photo, effect.arrangement, corner, confirmed=effect.confirmed
    )
    return learned.edition, LayoutLearned(effect.job_id, order_checked=learned.all_checked)


def _teach_groups(
    effect: LearnGroups, session: "TeachingSession", photo: Photo, groups: "TileGroups"
) -> EditionAndEvent:
    names = {number: name for number, name in enumerate(effect.names) if name is not None}
    edition = session.learn_groups(photo, groups, names, confirmed=effect.confirmed)
    return edition, TilesLearned(effect.job_id)


def _teach_corrections(effect: LearnCorrections, photo: Photo) -> EditionAndEvent:
    from firmware.teaching.session import learn_corrections

    reading = effect.result.eye_reading
    known = load_edition(reading.edition, effect.result.game_id, reading.edition)
    own = rename_edition(known, effect.edition)
    edition = learn_corrections(own, photo, reading, effect.corrections)
    return edition, TilesLearned(effect.job_id)


def _undo(effect: UndoTeaching) -> tuple[Event, ...]:
    if effect.is_only_teaching:
        remove_edition(effect.edition)
    else:
        undo_edition(effect.edition)
    return EditionsChanged(game_choices()), TeachingUndone(effect.job_id)
