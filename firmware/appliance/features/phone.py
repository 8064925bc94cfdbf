"""The web page on a phone: its address on the display, and the Wi-Fi network of the scanner."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from firmware.appliance.base import Effect, Event, Mode, StepResult
from firmware.appliance.dialogs import ConfirmMode
from firmware.appliance.display_views import problem_view
from firmware.appliance.menu import Menu, MenuItem, MenuMode, menu_item, menu_mode
from firmware.appliance.state import PageAddress, State
from firmware.appliance.stored_settings import change_settings
from firmware.appliance.transitions import LogProblem, continue_with, enter, go_back, to_mode
from firmware.base.problem import Problem
from firmware.screens.device_views import HotspotView, PageView
from firmware.screens.view import Hints, View
from firmware.screens.words import Hint, MenuWord, Question
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

    def apply(self, state: State) -> StepResult:
        problem = self.address.problem
        return replace(state, page=self.address), () if problem is None else (LogProblem(problem),)


@dataclass(frozen=True, slots=True)
class HotspotChanged(Event):
    """The scanner's Wi-Fi network was started or stopped, or that failed.

    Attributes:
        network: Network; None if there is none.
        problem: Reason why it could not be switched; None if it could.
    """

    network: Network | None = None
    problem: Problem | None = None

    def apply(self, state: State) -> StepResult:
        """Store the network; show an error only on the screens of page and network."""
        mode = state.mode
        if self.problem is None:
            has_ended = isinstance(mode, HotspotMode) and self.network is None
            mode = PhoneMode() if has_ended else mode
            return replace(state, hotspot=self.network, mode=mode), ()
        if isinstance(mode, HotspotMode | PhoneMode):
            mode = state.standard_modes.failure(self.problem, can_retry=False)
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
            return problem_view(page.problem, 0, Hints(next=Hint.MENU, ok=Hint.OK))
        return PageView(url=page.url, pin=page.pin)

    def press(self, state: State, button: Button) -> StepResult:
        """OK leaves; NEXT opens the menu of page and network."""
        match button:
            case Button.OK:
                return go_back(state)
            case Button.NEXT:
                return enter(state, menu_mode(PhoneMenu(), self))
            case Button.SCAN:
                return state, ()


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

    def press(self, state: State, button: Button) -> StepResult:
        """OK shows the address of the page; NEXT opens the menu of page and network."""
        match button:
            case Button.OK:
                return enter(state, PhoneMode())
            case Button.NEXT:
                return enter(state, menu_mode(PhoneMenu(), self))
            case Button.SCAN:
                return state, ()


@dataclass(frozen=True, slots=True)
class PhoneMenu(Menu):
    """Menu of the page and the scanner's Wi-Fi network."""

    @property
    def title(self) -> MenuWord:
        return MenuWord.ON_PHONE

    def items(self, state: State, mode: MenuMode) -> Iterator[MenuItem]:
        if state.hotspot is None:
            yield menu_item(MenuWord.START_WIFI, to_mode(ConfirmHotspot(mode)))
        else:
            yield menu_item(MenuWord.SHOW_WIFI, to_mode(HotspotMode()))
            yield menu_item(MenuWord.STOP_WIFI, _stop_network)
        yield menu_item(MenuWord.STOP_PAGE, _stop_page)


@dataclass(frozen=True, slots=True)
class ConfirmHotspot(ConfirmMode):
    """Question whether to start the scanner's Wi-Fi network."""

    question: ClassVar[Question] = Question.HOTSPOT

    def confirm(self, state: State) -> StepResult:
        so_far = enter(state, HotspotMode())
        return continue_with(so_far, lambda state: (state, (SwitchHotspot(on=True),)))


def show_page_address(state: State) -> StepResult:
    """Serve the web page from now on, and show its address."""
    page = replace(state.settings.page, on=True)
    return continue_with(enter(state, PhoneMode()), lambda state: change_settings(state, page=page))


def _stop_network(state: State) -> StepResult:
    return replace(state, mode=PhoneMode()), (SwitchHotspot(on=False),)


def _stop_page(state: State) -> StepResult:
    page = replace(state.settings.page, on=False)
    return continue_with(change_settings(state, page=page), go_back)
