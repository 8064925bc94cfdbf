"""Views of a result, or of the problem that prevents one, as the display shows them in turn."""

from dataclasses import replace

from firmware.appliance.result import Result
from firmware.base.language import current_language
from firmware.base.problem import Problem
from firmware.report.scan_views import remark_views, scan_views
from firmware.screens.device_views import ProblemView
from firmware.screens.render import split_view
from firmware.screens.result_views import (
    PlacesView,
    ResultView,
    ScoreView,
    StandingsView,
    ViewNumber,
    WinnerView,
)
from firmware.screens.view import Hints, View
from firmware.screens.words import CHANGED, Alert, Hint
from firmware.wording.problem_text import translate


def display_views(result: Result, alerts: tuple[Alert, ...] = ()) -> tuple[View, ...]:
    """Return the views of a result: winner, standings, changes since the last scan, and all others.

    If the table cannot be scored, the views of the problem and of the eye's remarks on the photo.
    OK on the first view starts the review of unsure places, if there are any.
    """
    key = current_language(), alerts
    if key not in result.cached_views:
        result.cached_views[key] = _views_of(result, alerts)
    return result.cached_views[key]


def _views_of(result: Result, alerts: tuple[Alert, ...]) -> tuple[View, ...]:
    scan = result.scan
    if scan is None:
        assert isinstance(result.scan_or_problem, Problem)  # noqa: S101 - there is no other
        leads_to = Hint.CHECK if result.question_count else Hint.BACK
        return problem_and_remark_views(
            ProblemView(
                code=result.scan_or_problem.code,
                detail=translate(result.scan_or_problem.message),
                hints=Hints(Hint.RETRY, Hint.MORE, leads_to),
            ),
            remark_views(result.corrected_scan, result.crop_at),
            to_check=result.question_count,
        )
    before, game = result.earlier_scan, scan.game
    changes = () if before is None or game is None else game.change_views(before, scan)
    first, *others = scan_views(scan, result.crop_at)
    count = sum(isinstance(view, StandingsView) for view in others)  # the changes come after them
    first_change_number = 1 + count + 1  # after the winner and the standings
    winner = _with_news(first, changes, first_change_number)
    views = (winner, *others[:count], *changes, *others[count:])
    hints = Hints(Hint.AGAIN, Hint.NEXT if len(views) > 1 else Hint.NOTHING, Hint.BACK)
    check = replace(hints, ok=Hint.CHECK) if result.question_count else hints
    numbered = [
        replace(
            view,
            view_number=ViewNumber(number, len(views)),
            to_check=first.to_check,
            unsaved=result.save_problem is not None,
            hints=check if number == 1 or _lists_unsure(view) else hints,
        )
        for number, view in enumerate(views, start=1)
    ]
    if isinstance(numbered[0], WinnerView):
        numbered[0] = replace(numbered[0], alerts=alerts)
    return tuple(numbered)


def _lists_unsure(view: ResultView) -> bool:
    return isinstance(view, PlacesView) and view.unsure


def _with_news(first: ResultView, changes: tuple[ResultView, ...], number: int) -> ResultView:
    """Return the view of the winner with the news of a rescan.

    Args:
        first: View of the winner.
        changes: Views of what has changed; empty at the first scan.
        number: Number of the first of them.
    """
    if not (changes and isinstance(first, WinnerView)):
        return first
    statement = changes[0].statement if isinstance(changes[0], ScoreView) else ""
    return replace(first, news=statement or CHANGED.fill(n=number))


def index_of_same_view(result: Result, before: View | None) -> int:
    """Return the index of the view that shows the same as one of an earlier result, 0 without one.

    Args:
        result: Result of the same table.
        before: View of the earlier result; None if none was shown.
    """
    subjects = map(_subject, display_views(result))
    return next((index for index, subject in enumerate(subjects) if subject == _subject(before)), 0)


def _subject(view: View | None) -> tuple[object, ...]:
    return type(view), getattr(view, "name", ""), getattr(view, "number", 0)


def problem_and_remark_views(
    problem: ProblemView, remarks: tuple[ResultView, ...], *, to_check: int = 0
) -> tuple[View, ...]:
    """Return the views of a problem, then those with what was seen in the photo.

    Args:
        problem: Problem, whose views come first.
        remarks: Views of ``remark_views``.
        to_check: ``ResultView.to_check`` of the views in ``remarks``.
    """
    problems = split_view(problem)
    more = Hint.MORE if len(problems) > 1 else Hint.NOTHING
    hints = replace(problem.hints, next=Hint.NEXT if remarks else more)
    further = replace(hints, ok=Hint.BACK)
    numbered = (
        replace(
            view, view_number=ViewNumber(number, len(remarks)), to_check=to_check, hints=further
        )
        for number, view in enumerate(remarks, start=1)
    )
    first, *others = problems
    return (
        replace(first, hints=hints),
        *(replace(view, hints=further) for view in others),
        *numbered,
    )


def problem_view(
    problem: Problem, part: int, hints: Hints, *, retrying: bool = False
) -> ProblemView:
    """Return the view of a problem.

    Args:
        problem: Cause of the failure.
        part: Index of the shown part of the text.
        hints: Hints of the buttons.
        retrying: Whether the appliance tries again by itself.
    """
    return ProblemView(
        code=problem.code,
        detail=translate(problem.message),
        retrying=retrying,
        part=part,
        hints=hints,
    )
