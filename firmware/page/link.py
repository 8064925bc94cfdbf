"""What the page and the appliance have in common: a state to be shown, and wishes.

The appliance hands over its state, which never changes; the page hands back wishes, which wait for
their turn among the presses of the buttons. Nothing else is shared between their threads.
"""

import threading
from collections.abc import Callable
from typing import Final

from firmware.appliance.events import Wish
from firmware.appliance.state import State

Listener = Callable[[], None]

_SHOWN: Final = (
    *("mode", "result", "settings", "choices", "camera", "health", "safe_mode", "page"),
    *("settings_fault", "edition_fault", "settings_unsaved"),
)
"""Of a state: what the page shows."""


class Link:
    """Between one appliance and its page.

    Args:
        state: of the appliance, now.
        ask: has a wish done; called from any thread.
        takes_photos: whether photos are given to the page instead of being taken by a camera.
    """

    def __init__(
        self, state: State, ask: Callable[[Wish], None], *, takes_photos: bool = False
    ) -> None:
        self.ask = ask
        self.takes_photos = takes_photos
        self._state, self._version = state, 0
        self._listeners: set[Listener] = set()
        self._lock = threading.Lock()

    @property
    def state(self) -> State:
        """The latest one."""
        return self._state

    @property
    def version(self) -> int:
        """Counts what was handed over."""
        return self._version

    def hand_over(self, state: State) -> None:
        """Show another state from now on; for the appliance alone, and cheap if nothing changed."""
        before = self._state
        self._state = state
        if all(getattr(before, name) is getattr(state, name) for name in _SHOWN):
            return
        self._version += 1
        with self._lock:
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener()

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Have something called whenever the state has changed; gives what ends that."""
        with self._lock:
            self._listeners.add(listener)

        def end() -> None:
            with self._lock:
                self._listeners.discard(listener)

        return end
