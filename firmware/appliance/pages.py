"""The pages of a result, or of why there is none, in the order of leafing through."""

from dataclasses import replace
from itertools import chain

from firmware.appliance.any_result import AnyResult
from firmware.appliance.board_result import BoardResult
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
from firmware.screens.board_result import board_remark_views, board_result_views
from firmware.screens.views import (
    Alert,
    FaultView,
    Hint,
    Hints,
    Page,
    ResultView,
    SidesWinnerView,
    View,
    WinnerView,
)


def result_pages(result: AnyResult, alerts: tuple[Alert, ...] = ()) -> tuple[ResultView, ...]:
    """What has changed since the scan before, the winner, players, map and cities.

    Empty if the table cannot be scored.
    """
    if isinstance(result, BoardResult):
        views, to_check = _board_views(result)
    else:
        views, to_check = _city_views(result)
    checks = result.questions > 0 and not result.looked
    hints = Hints(Hint.AGAIN, Hint.NEXT, Hint.CHECK if checks else Hint.BACK)
    if len(views) == 1 and not checks:
        hints = replace(hints, next=Hint.NOTHING)
    return tuple(
        _page(view, Page(number, len(views)), to_check, result, alerts, hints)
        for number, view in enumerate(views, start=1)
    )


def _city_views(result: Result) -> tuple[tuple[ResultView, ...], int]:
    """The pages, and how many things there are to check."""
    scan = result.scan
    if scan is None:
        return (), 0
    changes = () if result.before is None else _changes(result.before, scan)
    views = result_views(scan.sheet, scan.reading, owners_known=scan.owners_known)
    return tuple(chain(changes, views)), scan.doubts.count + doubtful_notes(scan.reading)


def _board_views(result: BoardResult) -> tuple[tuple[ResultView, ...], int]:
    """The same for a game known by pictures; what is left open after a look is listed."""
    scan = result.scan
    if scan is None:
        return (), 0
    return board_result_views(scan, check_list=result.looked), scan.doubts.count


def remarks_of(result: AnyResult) -> tuple[ResultView, ...]:
    """What the eye could not read in a photo, and what is odd about it."""
    if isinstance(result, BoardResult):
        return board_remark_views(result.checked)
    return (*unread_views(result.reading.unread), *note_views(result.reading))


def fault_pages(
    fault: FaultView, remarks: tuple[ResultView, ...], language: str, *, to_check: int = 0
) -> tuple[View, ...]:
    """Why there is no result, then what the eye says of the photo.

    Args:
        fault: the first page.
        remarks: see ``remarks_of``.
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
    result: AnyResult,
    alerts: tuple[Alert, ...],
    hints: Hints,
) -> ResultView:
    unsaved = result.save_fault is not None
    view = replace(view, page=page, to_check=to_check, unsaved=unsaved, hints=hints)
    if isinstance(view, WinnerView | SidesWinnerView):
        return replace(view, alerts=alerts)
    return view
