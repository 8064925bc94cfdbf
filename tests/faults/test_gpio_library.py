"""Fault: the chip of the header has another number, the folder is read-only, the library is absent.

The chip is found by its name, the library is told where it may write, and one that is missing is an
error and not replaced by another that only polls.
"""

import os
import sys
from pathlib import Path

import pytest

from firmware.appliance.runner.button_service import ButtonService
from hardware import gpio
from hardware.buttons import open_buttons
from hardware.errors import ButtonsError
from tests.hardware.fake_lgpio import FakeLgpio
from tests.refusals import refused

PI_4 = {0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}


class FactoryOfLgpio:
    """Stands for gpiozero's ``LGPIOFactory``, which needs the real lgpio."""

    def __init__(self, chip):
        self.chip = chip
        self.may_write_to = os.environ.get("LG_WD")


@pytest.fixture
def computer(monkeypatch, tmp_path):
    """Makes a computer with these GPIO chips and lgpio installed."""

    def make(labels, refused=()):
        lgpio = FakeLgpio(labels, refused)
        (tmp_path / "dev").mkdir()
        monkeypatch.setattr(gpio, "DEVICES", lgpio.devices(tmp_path / "dev"))
        monkeypatch.setitem(sys.modules, "lgpio", lgpio)
        module = type(sys)("gpiozero.pins.lgpio")
        module.LGPIOFactory = FactoryOfLgpio
        monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", module)
        return lgpio

    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    return make


@pytest.mark.parametrize(
    ("labels", "chip"),
    [
        ({0: "pinctrl-bcm2835", 1: "raspberrypi-exp-gpio"}, 0),
        (PI_4, 0),
        # A Raspberry Pi 5 with an old kernel, and with a new one
        ({0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1", 10: "gpio-brcmstb@107d517c00"}, 4),
        ({0: "pinctrl-rp1", 10: "gpio-brcmstb@107d508500"}, 0),
        ({2: "ft232h", 11: "pinctrl-rp1"}, 11),
    ],
)
def test_the_chip_of_the_header_is_found_whatever_its_number(computer, labels, chip):
    lgpio = computer(labels)
    assert gpio.lgpio_factory().chip == chip
    assert lgpio.open_handles == set()


@pytest.mark.parametrize(
    ("labels", "refused_chips", "code"),
    [
        ({}, (), "buttons-not-found"),
        ({0: "INTC1056:00", 1: "pinctrl-imx8"}, (), "buttons-not-found"),
        (PI_4, (0, 1), "buttons-no-permission"),
        ({0: "pinctrl-rp1", 1: "other"}, (0,), "buttons-no-permission"),
    ],
)
def test_no_header_and_no_permission_are_told_apart(computer, labels, refused_chips, code):
    computer(labels, refused_chips)
    with refused(code):
        open_buttons()


def test_gpio_library_writes_to_service_folder_only(computer, monkeypatch):
    """Without a service, to that for passing files."""
    computer(PI_4)
    monkeypatch.setattr("tempfile.tempdir", "/somewhere/tmp")
    assert gpio.lgpio_factory().may_write_to == "/somewhere/tmp"
    monkeypatch.delenv("LG_WD")
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/stadtblick:/run/other")
    assert gpio.lgpio_factory().may_write_to == "/run/stadtblick"


def test_relative_paths_mean_the_same_afterwards(computer, monkeypatch, tmp_path):
    """lgpio leads the whole process to the folder that it writes to."""
    computer({})
    (tmp_path / "lgpio.py").write_text(
        "import os\nos.chdir(os.environ['LG_WD'])\nerror = ValueError\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "lgpio")
    monkeypatch.setenv("LG_WD", "/")
    monkeypatch.chdir(tmp_path)
    with refused("buttons-not-found"):
        open_buttons()
    assert Path.cwd() == tmp_path
    monkeypatch.delitem(sys.modules, "lgpio")


def test_no_other_library_takes_its_place(monkeypatch):
    """Neither the one named in the environment, nor the next one that gpiozero would try."""
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    with refused("buttons-driver-missing", "'lgpio' is missing: sudo apt install python3-gpiozero"):
        open_buttons()


def test_the_scanner_goes_on_without_buttons_says_so_once_and_tries_again(caplog):
    tries = []

    def missing():
        tries.append(1)
        raise ButtonsError("buttons-driver-missing", "lgpio is missing: install it", "GPIO")

    desk = ButtonService(missing)
    for second in range(100):
        assert desk.poll(float(second)) == []
    assert desk.problem.code == "buttons-driver-missing"
    assert len(caplog.records) == 1
    assert 5 <= len(tries) <= 10
