"""The pages of a result, in the order of leafing through."""

from dataclasses import replace
from itertools import chain

from firmware.appliance.result import Result
from firmware.scan import Scan
from firmware.screens import change_views, result_views
from firmware.screens.views import Alert, Hint, Hints, Page, ResultView, WinnerView


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
    return tuple(
        _page(view, Page(number, len(views)), scan.doubts.count, result, alerts, hints)
        for number, view in enumerate(views, start=1)
    )


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
