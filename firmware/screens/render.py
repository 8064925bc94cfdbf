"""From a view to the picture that the display shows."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from firmware.language import Language
from firmware.screens import views
from firmware.screens.canvas import Canvas, Screen
from firmware.screens.draw_board import (
    draw_board_check,
    draw_companies,
    draw_parts,
    draw_read,
    draw_remark,
    draw_sides_winner,
    draw_streets,
)
from firmware.screens.draw_board_doubt import draw_unsure_spot
from firmware.screens.draw_device import (
    draw_confirm,
    draw_fault,
    draw_hold_still,
    draw_message,
    draw_notice,
    draw_ready,
    draw_stage,
    draw_starting,
    fault_words,
    page_count,
    rows_of,
)
from firmware.screens.draw_doubt import (
    draw_changes,
    draw_missing_list,
    draw_note,
    draw_owners,
    draw_owners_question,
    draw_unread_list,
    draw_unsure,
    draw_unsure_list,
)
from firmware.screens.draw_result import (
    draw_city,
    draw_legend,
    draw_map_page,
    draw_player,
    draw_winner,
)
from firmware.screens.draw_setup import (
    draw_calibrated,
    draw_menu,
    draw_name,
    draw_wizard,
    wizard_rows,
)
from firmware.screens.hints import Hint
from firmware.screens.texts import Texts, mark
from firmware.screens.view import View
from firmware.screens.words.hints import HINTS

Drawing = Callable[[Canvas, Any, Texts], None]

_DRAWINGS: Final[Mapping[type[View], tuple[str, Drawing]]] = MappingProxyType(
    {
        views.StartingView: ("starting", draw_starting),
        views.ReadyView: ("ready", draw_ready),
        views.HoldStillView: ("hold-still", draw_hold_still),
        views.StageView: ("stage-{view.stage.value}", draw_stage),
        views.ConfirmView: ("confirm-{view.question.value}", draw_confirm),
        views.NoticeView: ("notice-{view.notice.value}", draw_notice),
        views.FaultView: ("fault", draw_fault),
        views.MessageView: ("message", draw_message),
        views.MenuView: ("menu", draw_menu),
        views.NameView: ("name", draw_name),
        views.WizardView: ("wizard-{view.step.value}", draw_wizard),
        views.CalibratedView: ("calibrated", draw_calibrated),
        views.WinnerView: ("winner", draw_winner),
        views.UnreadListView: ("unread-{view.number}", draw_unread_list),
        views.NoteView: ("note-{view.number}", draw_note),
        views.OwnersView: ("owners", draw_owners),
        views.UnsureListView: ("unsure-{view.number}", draw_unsure_list),
        views.MissingListView: ("missing-{view.number}", draw_missing_list),
        views.PlayerView: ("player-{view.player.number}", draw_player),
        views.MapView: ("map", draw_map_page),
        views.LegendView: ("legend", draw_legend),
        views.CityView: ("city-{view.letter}", draw_city),
        views.UnsureView: ("tile-{view.number}", draw_unsure),
        views.OwnersQuestionView: ("owners-{view.option}", draw_owners_question),
        views.ChangesView: ("changes-{view.number}", draw_changes),
        views.SidesWinnerView: ("winner", draw_sides_winner),
        views.ReadView: ("read", draw_read),
        views.UnsureSpotView: ("tile-{view.number}", draw_unsure_spot),
        views.RemarkView: ("remark-{view.number}", draw_remark),
        views.BoardCheckView: ("check-{view.number}", draw_board_check),
        views.PartsView: ("player-{view.number}", draw_parts),
        views.StreetsView: ("streets-{view.number}", draw_streets),
        views.CompaniesView: ("companies-{view.number}", draw_companies),
    }
)
"""How each view is drawn, and what its screen is called."""


def render(view: View, language: Language | None = None) -> Screen:
    """Draw a view.

    Args:
        view: what to say.
        language: in which to say it; None: that of all texts, see ``firmware.language``.

    Returns:
        A picture of 128x64 in which every text is whole, but for names that are too long.
    """
    texts = Texts.of(language)
    name, draw = _DRAWINGS[type(view)]
    canvas = Canvas()
    draw(canvas, view, texts)
    _draw_hints(canvas, view, texts)
    return canvas.screen(name.format(view=view))


def paged(view: View, language: Language | None = None) -> tuple[View, ...]:
    """All pages of a view whose text may be longer than a screen; else the view alone.

    Args:
        view: its own page does not matter.
        language: in which it is drawn; None: that of all texts.
    """
    count = _page_count(view, Texts.of(language))
    if isinstance(view, views.FaultView | views.MessageView | views.WizardView):
        return tuple(replace(view, page=page) for page in range(count))
    return (view,)


def _page_count(view: View, texts: Texts) -> int:
    match view:
        case views.FaultView():
            rows = fault_words(view.code, view.detail, texts)[1]
        case views.MessageView():
            rows = rows_of(view.text)
        case views.WizardView():
            rows = wizard_rows(view, texts)[1]
        case _:
            return 1
    return page_count(len(rows))


def _draw_hints(canvas: Canvas, view: View, texts: Texts) -> None:
    hints = view.hints
    words = {hint: texts.say(HINTS[hint]) for hint in (hints.scan, hints.next, hints.ok)}
    if Hint.MORE in words and _page_count(view, texts) == 1:
        words[Hint.MORE] = ""
    if not isinstance(view, views.ResultView):
        canvas.hint_row(words[hints.scan], words[hints.next], (words[hints.ok],))
        return
    canvas.position(view.page.number, view.page.count)
    checks = hints.ok is Hint.CHECK
    ok = _check_hint(view.to_check, words[hints.ok]) if checks else (words[hints.ok],)
    canvas.hint_row(words[hints.scan], words[hints.next], ok)


def _check_hint(to_check: int, word: str) -> tuple[str, ...]:
    if not to_check:
        return ("",)
    return f"{word} {to_check}", mark(to_check, provisional=True)
