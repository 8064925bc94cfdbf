"""The web page on a phone: its address on the display, and the Wi-Fi network of the scanner."""

from dataclasses import dataclass, replace
from typing import ClassVar

from firmware.appliance.base import Effect, Event, Mode, Turn
from firmware.appliance.dialogs import ConfirmMode
from firmware.appliance.problem_view import problem_view
from firmware.appliance.state import PageAddress, State
from firmware.appliance.stored_settings import change_settings
from firmware.appliance.transitions import LogProblem, enter, go_back, then
from firmware.base.problem import Problem
from firmware.screens.device_views import HotspotView, PageView
from firmware.screens.view import Hints, View
from firmware.screens.words import Hint, Question
from hardware.buttons import Button
from hardware.hotspot import Network


@dataclass(frozen=True, slots=True)
class SwitchHotspot(Effect):
    """Start or stop the Wi-Fi network of the scanner. Answered by ``HotspotChanged``.

    Attributes:
        on: Whether to start it.
    """

    on: bool


@dataclass(frozen=True, slots=True)
class PageChanged(Event):
    """The web page has another address, or is no longer served.

    Attributes:
        address: Address of the page.
    """

    address: PageAddress

    def apply(self, state: State) -> Turn:
        problem = self.address.problem
        return replace(state, page=self.address), () if problem is None else (LogProblem(problem),)


@dataclass(frozen=True, slots=True)
class HotspotChanged(Event):
    """The scanner's Wi-Fi network was started or stopped, or that failed.

    Attributes:
        network: Network; None if there is none.
        problem: Why it could not be switched; None if it could.
    """

    network: Network | None = None
    problem: Problem | None = None

    def apply(self, state: State) -> Turn:
        """Store the network; show an error only on the screens of page and network."""
        mode = state.mode
        if self.problem is None:
            has_ended = isinstance(mode, HotspotMode) and self.network is None
            mode = PhoneMode() if has_ended else mode
            return replace(state, hotspot=self.network, mode=mode), ()
        if isinstance(mode, HotspotMode | PhoneMode):
            mode = state.standard_modes.failure(self.problem, can_rescan=False)
        return replace(state, mode=mode), (LogProblem(self.problem),)


@dataclass(frozen=True, slots=True)
class PhoneMode(Mode):
    """Address of the web page."""

    @property
    def can_be_interrupted(self) -> bool:
        return True

    def view(self, state: State) -> View:
        page = state.page
        if page.problem is not None:
            return problem_view(page.problem, 0, Hints(Hint.WIFI, Hint.OFF, Hint.OK))
        return PageView(url=page.url, pin=page.pin)

    def press(self, state: State, button: Button) -> Turn:
        """OK leaves; NEXT stops serving the page; SCAN leads to the network of the scanner."""
        match button:
            case Button.OK:
                return go_back(state)
            case Button.NEXT:
                page = replace(state.settings.page, on=False)
                return then(change_settings(state, page=page), go_back)
            case Button.SCAN:
                has_network = state.hotspot is not None
                return enter(state, HotspotMode() if has_network else ConfirmHotspot(self))


@dataclass(frozen=True, slots=True)
class HotspotMode(Mode):
    """Name and password of the scanner's Wi-Fi network, once it has started."""

    @property
    def can_be_interrupted(self) -> bool:
        return True

    def view(self, state: State) -> View:
        network = state.hotspot
        if network is None:
            return HotspotView()
        return HotspotView(name=network.name, password=network.password)

    def press(self, state: State, button: Button) -> Turn:
        """OK shows the address of the page; NEXT stops the network."""
        match button:
            case Button.OK:
                return enter(state, PhoneMode())
            case Button.NEXT:
                return replace(state, mode=PhoneMode()), (SwitchHotspot(on=False),)
            case Button.SCAN:
                return state, ()


@dataclass(frozen=True, slots=True)
class ConfirmHotspot(ConfirmMode):
    """Question whether to start the scanner's Wi-Fi network."""

    question: ClassVar[Question] = Question.HOTSPOT

    def confirm(self, state: State) -> Turn:
        turn = enter(state, HotspotMode())
        return then(turn, lambda state: (state, (SwitchHotspot(on=True),)))


def show_page_address(state: State) -> Turn:
    """Serve the web page from now on, and show its address."""
    page = replace(state.settings.page, on=True)
    return then(enter(state, PhoneMode()), lambda state: change_settings(state, page=page))
