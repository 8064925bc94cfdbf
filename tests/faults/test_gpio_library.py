"""Fault: the chip of the header has another number, the folder is read-only, the library is absent.

The chip is found by its name, the library is told where it may write, and one that is missing is an
error and not replaced by another that only polls.
"""

import os
import sys
from pathlib import Path

import pytest

from firmware.appliance.runner.button_desk import ButtonDesk
from hardware import gpio
from hardware.buttons import open_buttons
from hardware.errors import ButtonsError
from tests.hardware.fake_lgpio import FakeLgpio

PI_4 = {0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}
PI_5_OLD_KERNEL = {0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1"}
PI_5_NEW_KERNEL = {0: "pinctrl-rp1", 10: "gpio-brcmstb@107d508500"}


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
        devices = tmp_path / "dev"
        devices.mkdir()
        lgpio.devices(devices)
        monkeypatch.setitem(sys.modules, "lgpio", lgpio)
        module = type(sys)("gpiozero.pins.lgpio")
        module.LGPIOFactory = FactoryOfLgpio
        monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", module)
        monkeypatch.setattr(gpio, "DEVICES", devices)
        return lgpio

    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    return make


@pytest.mark.parametrize(
    ("labels", "chip"), [(PI_4, 0), (PI_5_OLD_KERNEL, 4), (PI_5_NEW_KERNEL, 0)]
)
def test_the_chip_of_the_header_is_found_whatever_its_number(computer, labels, chip):
    computer(labels)
    assert gpio.lgpio_factory().chip == chip


def test_a_chip_that_was_named_is_used_as_named(computer):
    computer(PI_4)
    assert gpio.lgpio_factory(7).chip == 7


def test_the_library_writes_to_the_folder_of_the_service_and_not_where_it_was_started(
    computer, monkeypatch
):
    computer(PI_4)
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/stadtblick")
    assert gpio.lgpio_factory().may_write_to == "/run/stadtblick"


def test_without_a_service_it_writes_to_the_folder_for_passing_files(computer, monkeypatch):
    computer(PI_4)
    monkeypatch.setattr("tempfile.tempdir", "/somewhere/tmp")
    assert gpio.lgpio_factory().may_write_to == "/somewhere/tmp"


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
    with pytest.raises(ButtonsError) as caught:
        open_buttons()
    assert caught.value.code == "buttons-not-found"
    assert Path.cwd() == tmp_path
    monkeypatch.delitem(sys.modules, "lgpio")


@pytest.mark.parametrize(
    ("labels", "refused", "code"),
    [
        ({}, (), "buttons-not-found"),
        ({0: "INTC1056:00"}, (), "buttons-not-found"),
        (PI_4, (0, 1), "buttons-no-permission"),
    ],
)
def test_no_header_and_no_permission_are_told_apart(computer, labels, refused, code):
    computer(labels, refused)
    with pytest.raises(ButtonsError) as caught:
        open_buttons()
    assert caught.value.code == code


def test_no_other_library_takes_its_place(monkeypatch):
    """Neither the one named in the environment, nor the next one that gpiozero would try."""
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    with pytest.raises(
        ButtonsError, match="'lgpio' is missing: install python3-gpiozero"
    ) as caught:
        open_buttons()
    assert caught.value.code == "buttons-driver-missing"


def test_the_scanner_goes_on_without_buttons_says_so_once_and_tries_again(caplog):
    tries = []

    def missing():
        tries.append(1)
        raise ButtonsError("buttons-driver-missing", "lgpio is missing: install it", "GPIO")

    desk = ButtonDesk(missing)
    for second in range(100):
        assert desk.presses(float(second)) == []
    assert desk.problem is not None
    assert desk.problem.code == "buttons-driver-missing"
    assert len(caplog.records) == 1
    assert 5 <= len(tries) <= 10
