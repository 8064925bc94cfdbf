"""Gives every program on this path the virtual camera where it asks for ``picamera2.Picamera2``.

The program itself is the installed one, unchanged: it runs with this folder in ``PYTHONPATH``.
"""

import importlib.abc
import importlib.util
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType


class _AfterPicamera2(importlib.abc.MetaPathFinder):
    """Lets the first import of picamera2 go its way, then puts the subclass in."""

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
        """Find picamera2 where it is; leave the rest to others."""
        if name != "picamera2":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_replace(module: ModuleType) -> None:
            execute(module)
            from virtual_camera import VirtualPicamera2

            module.Picamera2 = VirtualPicamera2

        spec.loader.exec_module = execute_and_replace
        return spec


sys.meta_path.insert(0, _AfterPicamera2())
