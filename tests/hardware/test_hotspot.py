"""The scanner's own Wi-Fi: what NetworkManager is asked, and what its answers mean."""

import subprocess

import pytest

from hardware.errors import HotspotError
from hardware.hotspot import ManagedHotspot, Network, nmcli

THERE = (0, "wifi:connected\nethernet:unavailable\nloopback:unmanaged\n")


class Manager:
    """Answers in turn, and keeps what it is asked."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    def __call__(self, arguments, limit_s):
        assert 0 < limit_s < 60
        self.asked.append(" ".join(arguments))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def key_file(tmp_path):
    path = tmp_path / "hotspot"
    path.write_text("Stadtblick-4f2c\nrk3mxw7apq\n")
    return path


def test_hotspot_is_opened_and_closed_by_its_profile(key_file):
    manager = Manager(THERE, (0, "ok"), (0, ""), (10, "Error: not an active connection."))
    hotspot = ManagedHotspot(manager, key_file)
    assert hotspot.switch_on() == Network("Stadtblick-4f2c", "rk3mxw7apq")
    hotspot.switch_off()
    hotspot.switch_off()
    assert manager.asked[1:3] == [
        "--wait 30 connection up id stadtblick",
        "--wait 30 connection down id stadtblick",
    ]


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ([FileNotFoundError()], "hotspot-no-manager"),
        ([(8, "Error: NetworkManager is not running.")], "hotspot-no-manager"),
        ([(10, "Error: not there.")], "hotspot-failed"),
        ([(0, "ethernet:connected\n")], "hotspot-no-wifi"),
        ([(0, "wifi:unavailable\n")], "hotspot-wifi-off"),
        ([THERE, (4, "Error: Connection activation failed.\n")], "hotspot-failed"),
        ([THERE, (10, "Error: unknown connection 'stadtblick'.")], "hotspot-not-set-up"),
        ([THERE, (3, "Error: Timeout expired (30 seconds)")], "hotspot-failed"),
        ([THERE, subprocess.TimeoutExpired("nmcli", 45)], "hotspot-failed"),
    ],
)
def test_hotspot_that_cannot_be_opened_gives_the_reason(key_file, answers, code):
    with pytest.raises(HotspotError) as caught:
        ManagedHotspot(Manager(*answers), key_file).switch_on()
    assert caught.value.code == code
    assert ": " in caught.value.message


@pytest.mark.parametrize("text", [None, b"", b"only a name", b"\xff\n\xff\n"])
def test_without_name_and_password_it_is_not_set_up(key_file, text):
    key_file.unlink() if text is None else key_file.write_bytes(text)
    with pytest.raises(HotspotError, match="not set up"):
        ManagedHotspot(Manager(THERE), key_file).switch_on()


def test_the_real_command_is_called_with_words_and_not_for_ever(tmp_path, monkeypatch):
    program = tmp_path / "nmcli"
    program.write_text('#!/bin/sh\n[ "$1" = wait ] && exec sleep 9\necho "$#:$LC_ALL:$2"; exit 4\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert nmcli(("a", "b c; d"), 5.0) == (4, "2:C.UTF-8:b c; d\n")
    with pytest.raises(subprocess.TimeoutExpired):
        nmcli(("wait",), 0.2)
