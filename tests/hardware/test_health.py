"""Supply and heat of the computer, as the kernel and the firmware of a Raspberry Pi tell them."""

import pytest

from hardware.health import (
    THERMAL_FILE,
    THROTTLED_FILE,
    Health,
    RaspberryHealth,
    StandInHealth,
)


def machine(root, *, flags=None, heat=None):
    for file, text in ((THROTTLED_FILE, flags), (THERMAL_FILE, heat)):
        if text is not None:
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(text)
    return root


def nobody():
    return None


def test_a_good_one(tmp_path):
    health = RaspberryHealth(machine(tmp_path, flags="0\n", heat="45234\n")).read()
    assert health == Health(temperature_c=45.234, known=True)
    assert health.is_good


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("1", {"under_voltage"}),
        ("2", {"throttled"}),
        ("4", {"throttled"}),
        ("8", {"too_hot"}),
        ("50005", {"under_voltage", "under_voltage_before", "throttled"}),
        ("10000", {"under_voltage_before"}),
        ("e0000", set()),
    ],
)
def test_each_flag_says_what_the_board_means_by_it(tmp_path, flags, expected):
    health = RaspberryHealth(machine(tmp_path, flags=flags, heat="45000")).read()
    names = ("under_voltage", "under_voltage_before", "throttled", "too_hot")
    assert {name for name in names if getattr(health, name)} == expected
    assert health.is_good == (expected <= {"under_voltage_before"})


@pytest.mark.parametrize(("heat", "too_hot"), [("79900", False), ("80000", True)])
def test_heat_is_judged_without_flags_too(tmp_path, heat, too_hot):
    health = RaspberryHealth(machine(tmp_path, heat=heat), ask_firmware=nobody).read()
    assert health.too_hot is too_hot
    assert not health.known


def test_the_firmware_is_asked_where_the_kernel_does_not_say(tmp_path):
    source = RaspberryHealth(machine(tmp_path), ask_firmware=lambda: "throttled=0x50005")
    assert source.read().under_voltage
    assert source.read().known


def test_a_firmware_that_is_not_there_is_asked_once(tmp_path):
    asked = []

    def ask():
        asked.append(1)

    source = RaspberryHealth(tmp_path, ask_firmware=ask)
    assert [source.read(), source.read()] == [Health(), Health()]
    assert len(asked) == 1


def test_any_other_computer_is_taken_for_good(tmp_path):
    assert RaspberryHealth(tmp_path).read().is_good


@pytest.mark.parametrize("rubbish", ["", "no", "\xff\xfe", "-"])
def test_rubbish_is_not_known(tmp_path, rubbish):
    source = RaspberryHealth(machine(tmp_path, flags=rubbish, heat=rubbish))
    assert source.read() == Health()


def test_the_stand_in_says_what_it_is_told():
    source = StandInHealth()
    assert source.read().is_good
    source.health = Health(under_voltage=True, known=True)
    assert not source.read().is_good
