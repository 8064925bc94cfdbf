"""What goes to the disk: results, photos, settings."""

import logging
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import cv2

from firmware.appliance.effects import Save, StoreSettings
from firmware.appliance.events import (
    Event,
    JobFailed,
    NamesKnown,
    Saved,
    SettingsNotStored,
    SettingsStored,
)
from firmware.appliance.runner.crew import InTurn, Outcome, nothing, told
from firmware.games.colours import is_colour_name
from firmware.history import History, HistoryError, NotSavedError, ScanRecord, record_of
from firmware.settings import store_settings
from vision.photo import Photo

JPEG_QUALITY: Final = 90
MOST_NAMES: Final = 30
"""So many are offered at most."""
_SEAT: Final = re.compile(r"P[0-9]+")
"""What players without a name are called."""

_log: Final = logging.getLogger(__name__)


class Recorder:
    """Does ``Save`` and ``StoreSettings``, in the order in which they come.

    Args:
        disk: writes, one thing at a time.
        open_history: opens the history; called once, beside the loop.
        report: takes the events.
        language: that of this run alone, which is not to be stored; None: there is none.
        stored_language: that of the settings on the disk.
    """

    def __init__(
        self,
        disk: InTurn,
        open_history: Callable[[], History],
        report: Callable[[Event], None],
        *,
        language: str | None = None,
        stored_language: str = "",
    ) -> None:
        self._disk = disk
        self._open_history = open_history
        self._report = report
        self._language = language
        self._stored_language = stored_language
        self._history: History | None = None
        self._opening = threading.Lock()
        self._seqs: dict[int, int] = {}
        self._photos: dict[str, str | None] = {}

    def prepare(self) -> None:
        """Open the history, so that the first result need not wait for it, and look for names."""

        def found(outcome: Outcome) -> None:
            if outcome.error is None and outcome.value:
                self._report(NamesKnown(outcome.value))

        self._disk.begin(lambda: _names_given(self._opened()), found)

    def close(self) -> None:
        """Close the history, after all that is still to be stored."""
        self._disk.begin(self._close, nothing)

    def lasts_s(self) -> float:
        """How long what is being written has lasted; 0: nothing is being written."""
        return self._disk.lasts_s()

    def save(self, effect: Save) -> None:
        """Store a result, in the place of an earlier one of the same scan."""
        self._disk.begin(
            lambda: self._save(effect),
            lambda outcome: self._report(
                Saved(effect.job)
                if outcome.error is None
                else JobFailed(effect.job, told(outcome.error))
            ),
        )

    def store_settings(self, effect: StoreSettings) -> None:
        """Store the settings, but not what is only said for this run."""
        if effect.only_now:
            return
        settings = effect.settings
        if settings.language == self._language:
            settings = replace(settings, language=self._stored_language)
        self._disk.begin(
            lambda: store_settings(settings),
            lambda outcome: self._report(
                SettingsStored()
                if outcome.error is None
                else SettingsNotStored(told(outcome.error))
            ),
        )

    def keep_photo(self, photo: Photo) -> str:
        """Keep a photo, without letting anybody wait for the disk.

        Returns:
            What ``Save`` names it by. One that cannot be kept is only logged.
        """
        reference = f"photo {len(self._photos) + 1} of this run"
        self._photos[reference] = None
        self._disk.begin(lambda: self._keep(reference, photo), nothing)
        return reference

    def _keep(self, reference: str, photo: Photo) -> None:
        try:
            encoded, jpeg = cv2.imencode(
                ".jpg", photo.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
            )
            if encoded:
                self._photos[reference] = self._opened().keep_photo(jpeg.tobytes())
        except (NotSavedError, cv2.error, MemoryError) as error:
            _log.warning("the photo was not kept: %s", error)

    def _save(self, effect: Save) -> None:
        history, result = self._opened(), effect.result
        record = replace(
            record_of(result.checked, result.corrections, read=result.seen),
            photo=None if result.photo is None else self._photos.get(result.photo),
            health=tuple(ailment.code for ailment in effect.health),
            rescan_of=None if result.earlier is None else self._seqs.get(result.earlier),
        )
        seq = self._seqs.get(result.table)
        if seq is None or not _replaced(history, seq, record):
            self._seqs[result.table] = history.add(record)

    def _close(self) -> None:
        with self._opening:
            history, self._history = self._history, None
        if history is not None:
            history.close()

    def _opened(self) -> History:
        with self._opening:
            if self._history is None:
                self._history = self._open_history()
                for warning in self._history.warnings:
                    _log.warning("%s: %s", warning.code, warning.line)
            return self._history


def _names_given(history: History) -> tuple[str, ...]:
    """The names that people gave to players, not those that seats or pieces give."""
    names = history.player_names()
    given = (name for name in names if not _SEAT.fullmatch(name) and not is_colour_name(name))
    return tuple(given)[:MOST_NAMES]


def _replaced(history: History, seq: int, record: ScanRecord) -> bool:
    """Store a scan in the place of an earlier one; False: somebody has deleted that meanwhile."""
    try:
        history.replace(seq, record)
    except HistoryError as error:
        if error.code != "unknown-scan":
            raise
        return False
    return True
