"""Makes luma's devices without the hook that each leaves behind for the end of the process.

A display that is plugged out and in is made anew each time. The hooks of all the old devices would
pile up, and at the end each would write to a bus that another device uses by then.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace


@contextmanager
def no_exit_hook() -> Iterator[None]:
    """Inside, new devices of luma leave no hook: whoever makes one has to close it."""
    from luma.core import device as module

    real = module.atexit
    module.atexit = SimpleNamespace(register=_forget)
    try:
        yield
    finally:
        module.atexit = real


def _forget(hook: Callable[[], None]) -> Callable[[], None]:
    return hook
