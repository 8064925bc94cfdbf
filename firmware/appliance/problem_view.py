"""Screen of a problem."""

from firmware.base.problem import Problem
from firmware.screens.device_views import ProblemView
from firmware.screens.view import Hints
from firmware.wording.problems import translate


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
