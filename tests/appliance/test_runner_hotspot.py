"""The scanner's own Wi-Fi at the buttons: from the menu to the code, off again, and what fails."""

import pytest

from firmware.screens.device_views import HotspotView
from firmware.screens.render import render
from hardware.errors import HotspotError
from hardware.hotspot import StandInHotspot
from tests.appliance.whole_appliance import NEXT, OK, SCAN, WholeAppliance
from tests.page.test_page_display import decoded

START_WIFI = SHOW_WIFI = (NEXT, OK)
STOP_WIFI = (NEXT, NEXT, OK)
"""Presses at the address of the page, or at the Wi-Fi network."""


@pytest.fixture
def scanner():
    scanner = WholeAppliance(
        hotspot=StandInHotspot(),
        open_page=lambda _link, _listening: FakePage(),
        listen=lambda _port: None,
    )
    scanner.appliance.prepare()
    scanner.choose_by_words("Open on phone")
    return scanner


class FakePage:
    pin = "012345"
    url = "http://10.42.0.1:8080"

    def close(self):
        pass


def test_hotspot_is_confirmed_shown_and_stopped(scanner):
    hotspot = scanner.appliance.parts.hotspot
    scanner.press(*START_WIFI)
    assert "Scanner Wi-Fi instead" in scanner.words
    scanner.press(SCAN, SCAN)
    assert "PIN 012345" in scanner.words
    assert not hotspot.is_on
    scanner.launch.hold.add("hotspot")
    scanner.press(*START_WIFI, OK)
    assert "One moment" in scanner.words
    scanner.press(OK)  # nobody has to wait
    assert "PIN 012345" in scanner.words
    scanner.launch.release("hotspot")
    scanner.advance()
    scanner.press(*SHOW_WIFI)
    assert "Stadtblick" in scanner.words
    assert "rk3mxw7apq" in scanner.words
    assert hotspot.is_on
    scanner.press(*STOP_WIFI)
    assert "PIN 012345" in scanner.words
    assert not hotspot.is_on
    scanner.press(*START_WIFI)
    assert "Scanner Wi-Fi" in scanner.words


def test_failed_hotspot_says_why_and_leaves_nothing(scanner):
    scanner.appliance.parts.hotspot.error = HotspotError(
        "hotspot-no-wifi", "this computer has no Wi-Fi: plug in a stick that has", "Wi-Fi"
    )
    scanner.press(*START_WIFI, OK)
    assert "No Wi-Fi here" in scanner.words
    scanner.press(OK)
    scanner.choose_by_words("Open on phone")
    scanner.press(*START_WIFI)
    assert "Scanner Wi-Fi instead" in scanner.words


def test_hotspot_that_does_not_end_can_be_ended_later(scanner):
    hotspot = scanner.appliance.parts.hotspot
    scanner.press(*START_WIFI, OK)
    hotspot.error = HotspotError("hotspot-no-manager", "NetworkManager does not run here", "nmcli")
    scanner.press(*STOP_WIFI)
    assert "NetworkManager" in scanner.words
    assert hotspot.is_on
    hotspot.error = None
    scanner.press(OK)
    scanner.choose_by_words("Open on phone")
    scanner.press(*SHOW_WIFI)
    assert "rk3mxw7apq" in scanner.words
    scanner.press(*STOP_WIFI)
    assert not hotspot.is_on


def test_the_code_joins_it():
    assert (
        decoded(render(HotspotView(name="Stadtblick-4f2c", password="rk3mxw7apq")))
        == "WIFI:T:WPA;S:Stadtblick-4f2c;P:rk3mxw7apq;;"
    )
    assert decoded(render(HotspotView(name="a;b", password='c"d'))) == r"WIFI:T:WPA;S:a\;b;P:c\"d;;"
