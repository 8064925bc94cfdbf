"""Start and stop the page for phones as the settings change, and pass commands of phones on."""

import logging
import select
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from firmware.appliance.base import Command, Event, Refusal, RefuseCommand
from firmware.appliance.features.phone import HotspotChanged, PageChanged, SwitchHotspot
from firmware.appliance.inputs import CommandReceived
from firmware.appliance.page_channel import CommandOutcome, OpenPage, PageChannel, ServedPage
from firmware.appliance.runner.tasks import SerialQueue, TaskResult, TaskRunner, problem_from
from firmware.appliance.state import PageAddress, State
from firmware.base.errors import system_reason
from firmware.base.page_sockets import EVERYWHERE, listen, programs_path
from firmware.base.problem import Problem
from firmware.history import History
from firmware.settings.defaults import PageSettings
from hardware.hotspot import Hotspot
from vision.message import Message

ADDRESS_EVERY_S: Final = 10.0
"""Interval in seconds at which the address is looked up; it changes when the network comes."""
COMMAND_LIMIT_S: Final = 10.0
"""Longest time in seconds that a phone waits until the loop has handled its command. The loop may
have to score a table first; the end of a job that the command starts is not waited for."""

_WORK: Final = "page"

_log: Final = logging.getLogger(__name__)

Listen = Callable[[int], socket.socket]
"""Function that opens a socket listening at a port; raises ``OSError`` if the port is taken."""


def listen_everywhere(port: int) -> socket.socket:
    """Open a socket that all computers of the network reach.

    Raises:
        OSError: The port is taken.
    """
    return listen(EVERYWHERE, port)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageParts:
    """Parts with which the page is served: the function that opens it, and its sockets.

    Attributes:
        open_page: Function that serves the page.
        listen: Function that opens the socket for phones.
        local_socket: Unix socket for programs on this computer, such as the MQTT bridge; None if
            there is none.
        has_devices: As in ``PageChannel``.
    """

    open_page: OpenPage
    listen: Listen
    local_socket: socket.socket | None = None
    has_devices: bool = True


@dataclass(slots=True, eq=False)
class _SentCommand:
    """Command of a phone that waits for its outcome."""

    command: Command
    refusal: Refusal | None = None
    handled: threading.Event = field(default_factory=threading.Event)


class PageService:
    """Starts and stops the page as the settings change; all methods belong to the loop's thread.

    Local clients, programs of this computer, reach the page at a Unix socket. There it is served
    from the first connection on until the end, even if the settings switch it off.

    Args:
        state: State of the machine, now.
        history: Past games.
        tasks: Runner of slow tasks.
        report: Receiver of events.
        parts: Page to serve.
        hotspot: Wi-Fi network of the scanner.
    """

    def __init__(
        self,
        state: State,
        history: History,
        tasks: TaskRunner,
        report: Callable[[Event], None],
        parts: PageParts,
        hotspot: Hotspot,
    ) -> None:
        self._hotspot, self._switching = hotspot, SerialQueue(tasks, "hotspot")
        self._parts, self._tasks, self._report = parts, tasks, report
        self._channel = PageChannel(state, self._submit, history, has_devices=parts.has_devices)
        self._wanted = PageSettings()
        self._page: ServedPage | None = None
        self._opened_for = PageSettings()
        self._reported = PageAddress()
        self._due_s = 0.0
        self._sent: list[_SentCommand] = []
        self._local_socket = parts.local_socket
        self._close_local_socket = None if parts.local_socket is None else parts.local_socket.close
        self._has_ended = False

    def use_settings(self, wanted: PageSettings) -> None:
        """Serve the page by these settings from now on, or not at all."""
        self._wanted = wanted
        self._adjust()

    def switch_hotspot(self, effect: SwitchHotspot) -> None:
        """Start or stop the Wi-Fi network of the scanner, in a task."""

        def report(result: TaskResult) -> None:
            self._due_s = 0.0  # the page has another address now
            problem = None if result.error is None else problem_from(result.error)
            self._report(HotspotChanged(result.value, problem))

        self._switching.add(
            self._hotspot.switch_on if effect.on else self._hotspot.switch_off, report
        )

    def publish(self, state: State) -> None:
        """Show a state, and answer the phones whose commands led to it."""
        self._channel.publish(state)
        self._answer_all()

    def refuse(self, effect: RefuseCommand) -> None:
        """Keep for the answer why a command was not carried out."""
        for sent in self._sent:
            if sent.command is effect.command:
                sent.refusal = effect.reason

    def _answer_all(self) -> None:
        sent_before, self._sent = self._sent, []
        for sent in sent_before:
            sent.handled.set()

    def run_due(self, now_s: float) -> None:
        """Look up the address from time to time; serve local clients once one connects."""
        local_socket = self._local_socket
        if local_socket is not None and select.select([local_socket], [], [], 0)[0]:
            self._local_socket = None
            serve = partial(self._parts.open_page, self._channel, local_socket)
            self._tasks.start("local clients", serve, on_result=self._local_socket_served)
        page = self._page
        if page is None or now_s < self._due_s or self._tasks.is_running(_WORK):
            return
        self._due_s = now_s + ADDRESS_EVERY_S
        self._tasks.start(
            _WORK, lambda: PageAddress(page.url, page.pin), on_result=self._on_address_found
        )

    def close(self) -> None:
        """Stop serving the page, to phones and local clients."""
        self.use_settings(PageSettings())
        self._local_socket, self._has_ended = None, True
        for sent in self._sent:
            sent.refusal = "outdated"
        self._answer_all()
        if self._close_local_socket is not None:
            with suppress(OSError):
                programs_path().unlink()
            self._tasks.start("local clients", self._close_local_socket)

    def _local_socket_served(self, result: TaskResult) -> None:
        if result.error is None and self._has_ended:
            self._tasks.start("local clients", result.value.close)
        elif result.error is None:
            self._close_local_socket = result.value.close
        else:
            _log.warning("%s", page_problem(result.error, 0).message)

    def _adjust(self) -> None:
        """Open or close the page, one thing at a time."""
        wanted = self._wanted
        if self._tasks.is_running(_WORK):
            return
        if self._page is not None and wanted != self._opened_for:
            page, self._page = self._page, None
            self._report_address(PageAddress())
            self._tasks.start(_WORK, page.close, on_result=lambda _result: self._adjust())
        elif self._page is None and wanted.on and wanted != self._opened_for:
            self._opened_for = wanted
            self._tasks.start(_WORK, lambda: self._serve(wanted.port), on_result=self._on_opened)
        elif not wanted.on:
            self._opened_for = wanted
            self._report_address(PageAddress())

    def _serve(self, port: int) -> ServedPage:
        listening = self._parts.listen(port)
        try:
            return self._parts.open_page(self._channel, listening)
        except BaseException:
            listening.close()
            raise

    def _on_opened(self, result: TaskResult) -> None:
        if result.error is not None:
            self._report_address(
                PageAddress(problem=page_problem(result.error, self._opened_for.port))
            )
        else:
            self._page, self._due_s = result.value, 0.0
        self._adjust()

    def _on_address_found(self, result: TaskResult) -> None:
        if result.error is None and self._page is not None:
            self._report_address(result.value)
        self._adjust()

    def _report_address(self, address: PageAddress) -> None:
        if address != self._reported:
            self._reported = address
            self._report(PageChanged(address))

    def _submit(self, command: Command) -> CommandOutcome:
        """Hand a command of a phone to the loop and wait for that pass; on a worker thread."""
        sent = _SentCommand(command)
        self._tasks.call(lambda: self._queue_command(sent))
        if not sent.handled.wait(COMMAND_LIMIT_S):
            return "late"
        return sent.refusal or "done"

    def _queue_command(self, sent: _SentCommand) -> None:
        if self._has_ended:
            sent.refusal = "outdated"
            sent.handled.set()
            return
        self._report(CommandReceived(sent.command, self._tasks.now_s()))
        self._sent.append(sent)


def page_problem(error: Exception, port: int) -> Problem:
    """Return the problem that prevents serving the page."""
    if isinstance(error, ImportError):
        message = Message(
            "the parts for the page are not installed: pip install 'stadtblick[page]'"
        )
        return Problem(code="page-parts-missing", message=message, where="page")
    if isinstance(error, OSError):
        message = Message(
            "port {port} cannot be used ({why}): set another one, [page] port",
            port=port,
            why=system_reason(error),
        )
        return Problem(code="page-port-taken", message=message, where="page")
    return problem_from(error)
