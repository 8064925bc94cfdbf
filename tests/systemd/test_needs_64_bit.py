"""The build hook that refuses 32-bit systems; hatchling, which only pip fetches, is a stand-in."""

import runpy
import sys
from pathlib import Path
from types import ModuleType

import pytest

HOOK = Path(__file__).parents[2] / "systemd" / "installer" / "needs_64_bit.py"
INTERFACE = "hatchling.builders.hooks.plugin.interface"


class StandInInterface:
    def __class_getitem__(cls, _item):
        return cls


@pytest.fixture
def initialize(monkeypatch):
    interface = ModuleType(INTERFACE)
    interface.BuildHookInterface = StandInInterface
    names = INTERFACE.split(".")
    for end in range(1, len(names)):
        name = ".".join(names[:end])
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, INTERFACE, interface)
    hook = runpy.run_path(str(HOOK))["RefuseOn32Bit"]()
    return lambda: hook.initialize("standard", {})


def test_install_on_32_bits_is_refused(initialize, monkeypatch):
    monkeypatch.setattr(sys, "maxsize", 2**31 - 1)
    with pytest.raises(SystemExit, match="use a 64-bit system"):
        initialize()


def test_install_on_64_bits_goes_on(initialize):
    assert initialize() is None
