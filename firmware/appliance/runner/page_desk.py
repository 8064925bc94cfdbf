"""Has the page for phones served while the settings want it, and tells it what there is to show."""

import logging
import os
import select
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from firmware.appliance.effects import SwitchHotspot
from firmware.appliance.events import Asked, Event, HotspotChanged, PageOpened, Wish
from firmware.appliance.faults import Fault
from firmware.appliance.runner.crew import Crew, InTurn, Outcome, told
from firmware.appliance.state import State
from firmware.base.errors import system_reason
from firmware.page.link import Link
from firmware.page.listening import EVERYWHERE, listen, programs_path
from firmware.settings.model import PageSettings
from hardware.hotspot import Hotspot
from vision.errors import Message

if TYPE_CHECKING:
    from firmware.page.server import Page

LOOK_EVERY_S: Final = 10.0
"""So often the address is looked up, which changes when the network comes."""
WISH_LIMIT_S: Final = 2.0
"""A phone waits no longer for its wish to be done."""

_WORK: Final = "page"

_log: Final = logging.getLogger(__name__)

Opens = Callable[[Link, int], "Page"]


def usual_page(link: Link, port: int) -> "Page":
    """The real page, which takes a second to load.

    Raises:
        ImportError: its parts are not installed.
        OSError: the port is taken.
    """
    from firmware.page.server import open_page

    return open_page(link, listen(EVERYWHERE, port))


def page_for_programs(link: Link, door: socket.socket) -> "Page":
    """The page at a file; see ``usual_page``."""
    from firmware.page.server import open_page

    return open_page(link, door)


class PageDesk:
    """Opens and closes the page; all methods belong to the loop's thread.

    At the file for programs it is open from when the first one comes until the end.

    Args:
        opens: serves the page.
        crew: does what may take long.
        report: takes the events.
        state: of the machine, now.
        takes_photos: whether photos are given to the page instead of being taken by a camera.
        door: where programs come; None: nowhere.
        hotspot: the scanner's own network.
    """

    def __init__(
        self,
        opens: Opens,
        crew: Crew,
        report: Callable[[Event], None],
        state: State,
        *,
        takes_photos: bool = False,
        door: socket.socket | None = None,
        hotspot: Hotspot,
    ) -> None:
        self._hotspot, self._switching = hotspot, InTurn(crew, "hotspot")
        self._opens, self._crew, self._report = opens, crew, report
        self._link = Link(state, self._ask, takes_photos=takes_photos)
        self._wanted = PageSettings()
        self._page: Page | None = None
        self._opened_for = PageSettings()
        self._said = PageOpened()
        self._due_s = 0.0
        self._done: list[threading.Event] = []
        self._awaited = door
        self._closes_door = None if door is None else door.close

    def use(self, wanted: PageSettings) -> None:
        """Serve it so from now on, or not at all."""
        self._wanted = wanted
        self._adjust()

    def switch_hotspot(self, effect: SwitchHotspot) -> None:
        """Make the scanner's own network, or end it, beside the loop."""

        def switched(outcome: Outcome) -> None:
            self._due_s = 0.0  # the page has another address now
            fault = None if outcome.error is None else told(outcome.error)
            self._report(HotspotChanged(outcome.value, fault))

        self._switching.begin(self._hotspot.on if effect.on else self._hotspot.off, switched)

    def hand_over(self, state: State) -> None:
        """Show this state."""
        self._link.hand_over(state)
        done, self._done = self._done, []
        for waiting in done:
            waiting.set()

    def turn(self, now_s: float) -> None:
        """Look from time to time whether the address is still the same, and for programs."""
        door = self._awaited
        if door is not None and select.select([door], [], [], 0)[0]:
            self._awaited = None
            serve = partial(page_for_programs, self._link, door)
            self._crew.begin("programs", serve, then=self._programs_come)
        page = self._page
        if page is None or now_s < self._due_s or self._crew.running(_WORK):
            return
        self._due_s = now_s + LOOK_EVERY_S
        self._crew.begin(_WORK, lambda: PageOpened(page.url, page.pin), then=self._found)

    def close(self) -> None:
        """Serve it no longer."""
        self.use(PageSettings())
        self._awaited = None
        if self._closes_door is not None:
            with suppress(OSError):
                programs_path().unlink()
            self._crew.begin("programs", self._closes_door)

    def _programs_come(self, outcome: Outcome) -> None:
        if outcome.error is None:
            self._closes_door = outcome.value.close
        else:
            _log.warning("%s", page_fault(outcome.error, 0).message)

    def _adjust(self) -> None:
        """Open or close the page, one thing at a time."""
        wanted = self._wanted
        if self._crew.running(_WORK):
            return
        if self._page is not None and wanted != self._opened_for:
            page, self._page = self._page, None
            self._say(PageOpened())
            self._crew.begin(_WORK, page.close, then=lambda _outcome: self._adjust())
        elif self._page is None and wanted.on and wanted != self._opened_for:
            self._opened_for = wanted
            self._crew.begin(_WORK, lambda: self._opens(self._link, wanted.port), then=self._opened)
        elif not wanted.on:
            self._opened_for = wanted
            self._say(PageOpened())

    def _opened(self, outcome: Outcome) -> None:
        if outcome.error is not None:
            self._say(PageOpened(fault=page_fault(outcome.error, self._opened_for.port)))
        else:
            self._page, self._due_s = outcome.value, 0.0
        self._adjust()

    def _found(self, outcome: Outcome) -> None:
        if outcome.error is None and self._page is not None:
            self._say(outcome.value)
        self._adjust()

    def _say(self, said: PageOpened) -> None:
        if said != self._said:
            self._said = said
            self._report(said)

    def _ask(self, wish: Wish) -> None:
        """Have a wish of a phone done, and wait for that; on the page's thread."""
        done = threading.Event()
        self._crew.call(lambda: self._take(wish, done))
        done.wait(WISH_LIMIT_S)

    def _take(self, wish: Wish, done: threading.Event) -> None:
        self._report(Asked(wish, self._crew.now_s()))
        self._done.append(done)


def why_no_socket(error: OSError) -> str:
    """Why there is no socket, without the address that Python adds."""
    return os.strerror(error.errno) if error.errno is not None else system_reason(error)


def page_fault(error: Exception, port: int) -> Fault:
    """Why the page is not served."""
    if isinstance(error, ImportError):
        said = Message("the parts for the page are not installed: pip install 'stadtblick[page]'")
        return Fault(code="page-parts-missing", message=said, where="page")
    if isinstance(error, OSError):
        said = Message(
            "port {port} cannot be used ({why}): set another one, [page] port",
            port=port,
            why=why_no_socket(error),
        )
        return Fault(code="page-port-taken", message=said, where="page")
    return told(error)
