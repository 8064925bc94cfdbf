"""Teaching with the camera: a photo of the reference grid becomes an edition."""

from collections.abc import Callable

from firmware.appliance.effects import StartTeaching
from firmware.appliance.events import (
    EditionsChanged,
    Event,
    GameChoice,
    StageReached,
    TeachingFailed,
    TeachingFinished,
)
from firmware.appliance.faults import Fault
from firmware.appliance.runner.camera_desk import CameraDesk, photo_of
from firmware.appliance.runner.crew import InTurn, Outcome, told
from firmware.editions import load_edition, save_edition, stored_names
from firmware.games import READING_ONLY_TITLE, games
from firmware.games import STANDARD as PLAIN
from firmware.screens.views import Stage
from hardware.camera import Frame
from vision.editions.description import READING_ONLY
from vision.editions.edition import STANDARD
from vision.editions.folder import own_games
from vision.photo import Photo


def game_choices() -> tuple[GameChoice, ...]:
    """What can be scanned; games without rules only if there is an edition of one."""
    found = [
        GameChoice(
            name=name,
            title=game.title,
            variants=game.variants,
            levels=tuple(game.rules.LEVELS),
            seats=game.seats,
            editions=(*((STANDARD,) if name in own_games() else ()), *stored_names(name)),
            teachable=game.taught_on_device,
        )
        for name, game in games().items()
    ]
    without_rules = tuple(stored_names(READING_ONLY))
    if without_rules:
        found.append(
            GameChoice(READING_ONLY, READING_ONLY_TITLE, (PLAIN,), (1,), editions=without_rules)
        )
    return tuple(choice for choice in found if choice.editions)


class Teacher:
    """Does ``StartTeaching``.

    Args:
        desk: gives the pictures.
        heavy: learns, one photo at a time.
        report: takes the events.
    """

    def __init__(self, desk: CameraDesk, heavy: InTurn, report: Callable[[Event], None]) -> None:
        self._desk = desk
        self._heavy = heavy
        self._report = report
        self._job: int | None = None
        self._photo: Photo | None = None

    def start(self, effect: StartTeaching) -> None:
        """Take a photo if need be, and learn from it; the answers are reported."""
        self._job = effect.job
        if effect.same_photo and self._photo is not None:
            self._learn(effect, self._photo)
        else:
            self._photo = None
            self._desk.capture(lambda picture: self._pictured(effect, picture))

    def cancel(self, job: int) -> None:
        """Nobody waits for this job any longer; what is being learned is not stored."""
        if job == self._job:
            self._job = None
            self._desk.cancel()

    def _pictured(self, effect: StartTeaching, picture: Frame | Fault) -> None:
        if isinstance(picture, Fault):
            self._report(TeachingFailed(effect.job, picture))
            return
        self._photo = photo_of(picture, "photo")
        self._learn(effect, self._photo)

    def _learn(self, effect: StartTeaching, photo: Photo) -> None:
        def learn_and_store() -> tuple[TeachingFinished, tuple[GameChoice, ...]] | None:
            from vision.editions.reference import PhotoCorner
            from vision.editions.teach import learn

            earlier = load_edition(effect.edition, effect.game) if effect.add else None
            corner = None if effect.corner is None else PhotoCorner(effect.corner.value)
            lesson = learn(effect.edition, [photo], shop_at=corner, earlier=earlier)
            if self._job != effect.job:
                return None
            save_edition(lesson.edition, replace=True)
            finished = TeachingFinished(
                job=effect.job,
                edition=effect.edition,
                examples=min(map(len, lesson.edition.pictures.values())),
                order_checked=lesson.known_look,
            )
            return finished, game_choices()

        def done(outcome: Outcome) -> None:
            if outcome.error is not None:
                self._report(TeachingFailed(effect.job, told(outcome.error)))
            elif outcome.value is not None:
                self._photo = None
                finished, games = outcome.value
                self._report(EditionsChanged(games))
                self._report(finished)

        self._report(StageReached(effect.job, Stage.TEACH))
        self._heavy.begin(learn_and_store, done)
