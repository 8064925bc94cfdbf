"""Rendering of views into pictures of the display."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from firmware.screens import draw_device, draw_result, words
from firmware.screens.canvas import Canvas, Screen
from firmware.screens.device_views import (
    AimView,
    CalibratedView,
    HandsOffView,
    HotspotView,
    MenuView,
    NameView,
    NoticeView,
    PageView,
    PastGameView,
    ProblemView,
    ReadyView,
    StageView,
    StartingView,
    WizardView,
)
from firmware.screens.question_views import (
    ConfirmView,
    DoubtfulTileView,
    DoubtView,
    OwnersQuestionView,
    PickView,
    PlacesWithoutEffectView,
)
from firmware.screens.result_views import (
    MapView,
    NoteView,
    PlacesView,
    ResultView,
    ScoreView,
    SignsView,
    StandingsView,
    UnreadView,
    WinnerView,
)
from firmware.screens.view import Text, View
from firmware.screens.words import Hint

DrawFunction = Callable[[Canvas, Any], None]


def _statement(texts_of: Callable[[Any], tuple[Text, Text]]) -> DrawFunction:
    """Return a function that draws a title and one statement in large letters."""
    return lambda canvas, view: draw_device.draw_statement(canvas, *texts_of(view))


_DRAWINGS: Final[Mapping[type[View], tuple[str, DrawFunction]]] = {
    StartingView: ("starting", _statement(lambda _it: (words.TITLE, words.STARTING))),
    ReadyView: ("ready", draw_device.draw_ready),
    HandsOffView: (
        "hands-off",
        _statement(lambda it: (words.HANDS_OFF_TITLES[it.is_rescan], words.HANDS_OFF)),
    ),
    StageView: ("stage-{view.stage.code}", draw_device.draw_stage),
    ConfirmView: (
        "confirm-{view.question.code}",
        _statement(
            lambda it: (words.TITLE if it.question in words.OFFERS else words.QUESTION, it.question)
        ),
    ),
    PlacesWithoutEffectView: (
        "places-without-effect",
        _statement(lambda it: (words.REMAINING, words.PLACES_WITHOUT_EFFECT.fill(n=it.count))),
    ),
    DoubtfulTileView: ("unlike", draw_result.draw_doubtful_tile),
    NoticeView: ("notice-{view.notice.code}", _statement(lambda it: (words.TITLE, it.notice))),
    PastGameView: ("past-{view.number}", draw_device.draw_past_game),
    ProblemView: ("problem", draw_device.draw_problem),
    MenuView: ("menu", draw_device.draw_menu),
    NameView: ("name", draw_device.draw_name),
    WizardView: ("wizard-{view.step.code}", draw_device.draw_wizard),
    CalibratedView: ("calibrated", draw_device.draw_calibrated),
    PageView: ("page", draw_device.draw_page),
    HotspotView: ("hotspot", draw_device.draw_hotspot),
    AimView: ("aim", draw_device.draw_aim),
    WinnerView: ("winner", draw_result.draw_winner),
    ScoreView: ("{view.name}", draw_result.draw_score),
    StandingsView: ("{view.name}", draw_result.draw_standings),
    SignsView: ("{view.name}", draw_result.draw_signs),
    NoteView: ("{view.name}", draw_result.draw_note),
    UnreadView: ("{view.name}", draw_result.draw_unread),
    PlacesView: ("check-{view.number}", draw_result.draw_places),
    MapView: ("map", draw_result.draw_map_view),
    PickView: ("pick", draw_result.draw_pick),
    DoubtView: ("tile-{view.number}", draw_result.draw_doubt),
    OwnersQuestionView: ("owners-{view.option}", draw_result.draw_owners_question),
}
"""Name of the screen and drawing function of each type of view."""


def render(view: View) -> Screen:
    """Draw a view in the user's language, see ``firmware.base.language``.

    Args:
        view: View with its words.

    Returns:
        Picture of 128 x 64 in which only names that are too long are cut off.
    """
    name, draw = _DRAWINGS[type(view)]
    canvas = Canvas()
    draw(canvas, view)
    _draw_hints(canvas, view)
    return canvas.screen(name.format(view=view))


def split_view(view: View) -> tuple[View, ...]:
    """Return all parts of a view whose text may be longer than a screen; else the view alone.

    Args:
        view: View with any of its parts.
    """
    if isinstance(view, ProblemView | WizardView):
        return tuple(replace(view, part=part) for part in range(draw_device.part_count(view)))
    return (view,)


def _draw_hints(canvas: Canvas, view: View) -> None:
    hints = view.hints
    labels = {hint: str(hint) for hint in (hints.scan, hints.next, hints.ok)}
    if Hint.MORE in labels and draw_device.part_count(view) == 1:
        labels[Hint.MORE] = ""
    if not isinstance(view, ResultView):
        beside_code = isinstance(view, PageView | HotspotView)
        left = draw_device.QR_WIDTH if beside_code else 0
        canvas.hint_row(labels[hints.scan], labels[hints.next], (labels[hints.ok],), left)
        return
    canvas.position(view.view_number.number, view.view_number.count)
    checks = hints.ok is Hint.CHECK
    ok = _ok_hint(view.to_check, labels[hints.ok]) if checks else (labels[hints.ok],)
    canvas.hint_row(labels[hints.scan], labels[hints.next], ok)


def _ok_hint(to_check: int, word: str) -> tuple[str, ...]:
    if not to_check:
        return ("",)
    return f"{word} ({to_check})", words.mark_unsure(to_check, unsure=True)
