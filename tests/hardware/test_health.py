"""Supply and heat of the computer, as the kernel and the firmware of a Raspberry Pi tell them."""

import subprocess

import pytest

from hardware.health import THERMAL_FILE, THROTTLED_FILE, Health, RaspberryHealth


def machine(root, *, flags=None, heat=None):
    for file, text in ((THROTTLED_FILE, flags), (THERMAL_FILE, heat)):
        if text is not None:
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(text)
    return root


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("0\n", set()), ("1", {"under_voltage"}), ("2", {"throttled"}), ("4", {"throttled"}),
        ("8", {"too_hot"}), ("50005", {"under_voltage", "under_voltage_before", "throttled"}),
        ("10000", {"under_voltage_before"}), ("e0000", set()),
    ],
)  # fmt: skip
def test_each_flag_says_what_the_board_means_by_it(tmp_path, flags, expected):
    health = RaspberryHealth(machine(tmp_path, flags=flags, heat="45234\n")).read()
    assert health == Health(**dict.fromkeys(expected, True), temperature_c=45.234, known=True)


@pytest.mark.parametrize(("heat", "too_hot"), [("79900", False), ("80000", True)])
def test_heat_is_judged_without_flags(tmp_path, heat, too_hot):
    health = RaspberryHealth(machine(tmp_path, heat=heat), ask_firmware=lambda: None).read()
    assert (health.too_hot, health.known) == (too_hot, False)


def test_the_firmware_is_asked_where_the_kernel_does_not_say(tmp_path):
    health = RaspberryHealth(tmp_path, ask_firmware=lambda: "throttled=0x50005").read()
    assert health.under_voltage
    assert health.known
    asked = []
    source = RaspberryHealth(tmp_path, ask_firmware=lambda: asked.append(1))
    assert [source.read(), source.read()] == [Health(), Health()]
    assert len(asked) == 1


def test_the_firmware_is_asked_by_vcgencmd_and_not_waited_for(tmp_path, monkeypatch):
    program = tmp_path / "vcgencmd"
    program.write_text('#!/bin/sh\n[ "$1" = get_throttled ] && echo throttled=0x1\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert RaspberryHealth(tmp_path).read() == Health(under_voltage=True, known=True)
    program.unlink()
    assert RaspberryHealth(tmp_path).read() == Health()  # any other computer is taken for good

    def hang(command, *, timeout, **_more):
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(subprocess, "run", hang)
    assert RaspberryHealth(tmp_path).read() == Health()


@pytest.mark.parametrize("rubbish", ["", "no", "\xff\xfe", "-"])
def test_rubbish_is_not_known(tmp_path, rubbish):
    assert RaspberryHealth(machine(tmp_path, flags=rubbish, heat=rubbish)).read() == Health()
