"""The pages of a result, or of why there is none, in the order of leafing through."""

from dataclasses import fields, replace

from firmware.appliance.result import Result
from firmware.screens import paged, result_views
from firmware.screens.views import Alert, FaultView, Hint, Hints, Page, ResultView, View


def result_pages(result: Result, alerts: tuple[Alert, ...] = ()) -> tuple[ResultView, ...]:
    """What has changed since the scan before, the winner, players, map and grids.

    Empty if the table cannot be scored.
    """
    scan = result.scan
    if scan is None:
        return ()
    found = result_views(scan, check_list=result.looked)
    views = (*_changes(result), *found)
    checks = result.questions > 0 and not result.looked
    hints = Hints(Hint.AGAIN, Hint.NEXT, Hint.CHECK if checks else Hint.BACK)
    if len(views) == 1 and not checks:
        hints = replace(hints, next=Hint.NOTHING)
    pages = [
        replace(
            view,
            page=Page(number, len(views)),
            to_check=found[0].to_check,
            unsaved=result.save_fault is not None,
            hints=hints,
        )
        for number, view in enumerate(views, start=1)
    ]
    winner = winner_page(result)
    if any(field.name == "alerts" for field in fields(pages[winner])):
        pages[winner] = replace(pages[winner], alerts=alerts)  # type: ignore[call-arg]
    return tuple(pages)


def winner_page(result: Result) -> int:
    """Index of the page that says who has won, behind what has changed since the scan before."""
    return len(_changes(result))


def _changes(result: Result) -> tuple[ResultView, ...]:
    scan = result.scan
    if result.before is None or scan is None or scan.game is None:
        return ()
    return scan.game.changes(result.before, scan)


def fault_pages(
    fault: FaultView, remarks: tuple[ResultView, ...], *, to_check: int = 0
) -> tuple[View, ...]:
    """Why there is no result, then what the eye says of the photo.

    Args:
        fault: the first page.
        remarks: see ``remark_views``.
        to_check: how many things a person can look at.
    """
    faults = paged(fault)
    more = Hint.MORE if len(faults) > 1 else Hint.NOTHING
    hints = replace(fault.hints, next=Hint.NEXT if remarks else more)
    pages = (
        replace(view, page=Page(number, len(remarks)), to_check=to_check, hints=hints)
        for number, view in enumerate(remarks, start=1)
    )
    return (*(replace(view, hints=hints) for view in faults), *pages)
