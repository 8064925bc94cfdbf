"""The pages of a result, or of why there is none, in the order of leafing through."""

from dataclasses import replace
from itertools import chain

from firmware.appliance.result import Result
from firmware.language import LANGUAGES, SOURCE_LANGUAGE, Language
from firmware.scan import Scan
from firmware.screens import (
    change_views,
    doubtful_notes,
    note_views,
    paged,
    result_views,
    unread_views,
)
from firmware.screens.views import Alert, FaultView, Hint, Hints, Page, ResultView, View, WinnerView
from vision.reading import Reading


def result_pages(result: Result, alerts: tuple[Alert, ...] = ()) -> tuple[ResultView, ...]:
    """What has changed since the scan before, the winner, players, map and cities.

    Empty if the table cannot be scored.
    """
    scan = result.scan
    if scan is None:
        return ()
    changes = () if result.before is None else _changes(result.before, scan)
    views = tuple(
        chain(changes, result_views(scan.sheet, scan.reading, owners_known=scan.owners_known))
    )
    checks = result.questions > 0 and not result.looked
    hints = Hints(Hint.AGAIN, Hint.NEXT, Hint.CHECK if checks else Hint.BACK)
    to_check = scan.doubts.count + doubtful_notes(scan.reading)
    return tuple(
        _page(view, Page(number, len(views)), to_check, result, alerts, hints)
        for number, view in enumerate(views, start=1)
    )


def remark_pages(reading: Reading) -> tuple[ResultView, ...]:
    """What the eye could not read in a photo, and what it found odd about it."""
    return (*unread_views(reading.unread), *note_views(reading))


def fault_pages(
    fault: FaultView, remarks: tuple[ResultView, ...], language: str, *, to_check: int = 0
) -> tuple[View, ...]:
    """Why there is no result, then what the eye says of the photo.

    Args:
        fault: the first page.
        remarks: see ``remark_pages``.
        language: that of the display.
        to_check: how many things a person can look at.
    """
    usual: Language = SOURCE_LANGUAGE
    faults = paged(fault, next((code for code in LANGUAGES if code == language), usual))
    more = Hint.MORE if len(faults) > 1 else Hint.NOTHING
    hints = replace(fault.hints, next=Hint.NEXT if remarks else more)
    pages = (
        replace(view, page=Page(number, len(remarks)), to_check=to_check, hints=hints)
        for number, view in enumerate(remarks, start=1)
    )
    return (*(replace(view, hints=hints) for view in faults), *pages)


def _changes(before: Scan, after: Scan) -> tuple[ResultView, ...]:
    return change_views((before.sheet, before.reading), (after.sheet, after.reading))


def _page(
    view: ResultView,
    page: Page,
    to_check: int,
    result: Result,
    alerts: tuple[Alert, ...],
    hints: Hints,
) -> ResultView:
    unsaved = result.save_fault is not None
    view = replace(view, page=page, to_check=to_check, unsaved=unsaved, hints=hints)
    return replace(view, alerts=alerts) if isinstance(view, WinnerView) else view
