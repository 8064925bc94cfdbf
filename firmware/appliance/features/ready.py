"""Ready: nothing is going on, or the camera does not work."""

from dataclasses import dataclass, replace
from typing import ClassVar

from firmware.appliance.base import Mode, StepResult
from firmware.appliance.display_views import problem_view
from firmware.appliance.features.alerts import active_alerts
from firmware.appliance.features.game_choice import game_title
from firmware.appliance.features.players import PLAYER_STEPS, has_player_questions
from firmware.appliance.features.scanning import start_scan
from firmware.appliance.result import Result
from firmware.appliance.state import State
from firmware.appliance.transitions import ask_setup_steps, enter, go_home, show_result
from firmware.screens.device_views import ReadyView
from firmware.screens.view import Hints, View
from firmware.screens.words import Hint
from hardware.buttons import Button
from vision.editions.edition import STANDARD_EDITION


@dataclass(frozen=True, slots=True)
class ReadyMode(Mode):
    """Idle screen; shows the camera's problem if it does not work.

    Attributes:
        part: Part of the problem's text.
    """

    forgets_menu: ClassVar[bool] = True

    part: int = 0

    @property
    def can_be_interrupted(self) -> bool:
        return True

    def view(self, state: State) -> View:
        if state.camera.problem is not None:
            hints = Hints(Hint.RETRY, Hint.MORE, Hint.MENU)
            return problem_view(state.camera.problem, self.part, hints, retrying=True)
        settings, game = state.settings, state.game_choice
        asks = _asks_about_players(state)
        last = Hint.POINTS if state.result is not None else Hint.NOTHING
        return ReadyView(
            game=game_title(state, settings.game),
            variant=settings.variant if len(game.variants) > 1 else None,
            level=settings.level if len(game.levels) > 1 else None,
            edition=None if settings.edition == STANDARD_EDITION else settings.edition,
            to_check=0 if state.result is None else state.result.corrected_scan.doubt_count,
            alerts=active_alerts(state),
            asks=asks,
            names=tuple(filter(None, settings.players)) if asks and game.named_seats else (),
            hints=Hints(Hint.SCAN, Hint.CHANGE if asks else last, Hint.YES if asks else Hint.MENU),
        )

    def press(self, state: State, button: Button) -> StepResult:
        """SCAN scans a table, NEXT shows the last result or more of the problem, OK the menu.

        While it asks who plays, OK confirms the players of last time, NEXT asks for others.
        """
        if button is Button.SCAN:
            return start_scan(state)
        if state.camera.problem is None and _asks_about_players(state):
            if button is Button.OK:
                return go_home(replace(state, must_ask_players=False))
            return ask_setup_steps(state, PLAYER_STEPS)
        if button is Button.OK:
            return state.standard_modes.open_menu(state)
        if state.camera.problem is not None:
            return enter(state, ReadyMode(self.part + 1))
        return show_result(state)

    def show_changed_result(self, state: State, before: Result) -> StepResult:
        return show_result(state)


def _asks_about_players(state: State) -> bool:
    return state.must_ask_players and has_player_questions(state)
