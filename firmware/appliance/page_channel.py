"""Channel between the appliance and its page: a state to show, and commands.

The appliance publishes its state, an immutable value. The page returns commands, which are queued
with the presses of the buttons. Both also use the history. ``PageChannel.club`` holds the tables
of other scanners, which only the page uses; all of its servers, for phones and for the local
socket, share it.
"""

import socket
import threading
from collections.abc import Callable
from typing import Final, Literal, Protocol

from firmware.appliance.base import Command, Refusal
from firmware.appliance.state import State
from firmware.club.tables import ClubTables
from firmware.history import History

Listener = Callable[[], None]

CommandOutcome = Refusal | Literal["done", "late"]
"""``late``: the loop has not come to the command yet, and may still carry it out."""

_FIELDS_ON_PAGE: Final = (
    "mode",
    "result",
    "settings",
    "choices",
    "camera",
    "health",
    "safe_mode",
    "page",
    "settings_problem",
    "edition_problem",
    "settings_unsaved",
)
"""Fields of a state that the page shows."""


class PageChannel:
    """Channel between one appliance and its page.

    Args:
        state: State of the appliance.
        submit: Function that has a command carried out and waits for that; called from any thread.
        history: Past games.
        has_devices: False on a computer that serves the page alone, without camera, display and
            buttons: photos are uploaded. True even while the camera does not answer.

    Attributes:
        club: Tables of other scanners.
    """

    def __init__(
        self,
        state: State,
        submit: Callable[[Command], CommandOutcome],
        history: History,
        *,
        has_devices: bool = True,
    ) -> None:
        self.submit = submit
        self.history = history
        self.has_devices = has_devices
        self.club = ClubTables()
        self._state, self._change_count = state, 0
        self._listeners: set[Listener] = set()
        self._lock = threading.Lock()

    @property
    def state(self) -> State:
        """Latest state."""
        return self._state

    @property
    def change_count(self) -> int:
        """Number of visible changes so far."""
        return self._change_count

    def publish(self, state: State) -> None:
        """Show another state from now on; cheap if nothing visible changed.

        Belongs to the appliance's thread.
        """
        before = self._state
        self._state = state
        if all(getattr(before, name) is getattr(state, name) for name in _FIELDS_ON_PAGE):
            return
        self.notify_listeners()

    def notify_listeners(self) -> None:
        """Count a visible change and call all listeners; for any thread."""
        with self._lock:
            self._change_count += 1
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener()

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call a function after each visible change; return a function that ends that."""
        with self._lock:
            self._listeners.add(listener)

        def end() -> None:
            with self._lock:
                self._listeners.discard(listener)

        return end


class ServedPage(Protocol):
    """Page that is being served.

    Attributes:
        pin: PIN with which a phone may change something.
        url: Address by which others reach it.
    """

    @property
    def pin(self) -> str: ...

    @property
    def url(self) -> str: ...

    def close(self) -> None:
        """Stop serving the page; wait for some seconds at most."""


OpenPage = Callable[[PageChannel, socket.socket], ServedPage]
"""Function that starts to serve the page at a listening socket.

Raises ``ImportError`` if its packages are not installed.
"""
