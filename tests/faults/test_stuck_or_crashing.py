"""Fault: the process is alive but stuck, or it crashes again and again.

A sign of life is sent only after a full turn of the loop. After three starts that did not complete
the appliance starts with the defaults, and says so.
"""

import pytest

from firmware.appliance.runner import launch, loop, screen_outputs
from firmware.base.failed_starts import SAFE_MODE_AFTER, count_start
from firmware.base.user_data import user_folder
from firmware.commands import run
from firmware.screens.render import render
from firmware.settings import Settings, store_settings
from hardware.buttons import StandInButtons
from hardware.display import StandInDisplay
from hardware.errors import ButtonsError, DisplayError
from tests.appliance.whole_appliance import OK, SCAN, WholeAppliance, be_the_appliance


def test_unfinished_pass_is_no_sign_of_life(monkeypatch):
    whole = WholeAppliance()
    before = whole.watcher.pings
    whole.clock.time_s += 60.0

    def stop_here(_now_s):
        raise KeyError("as if it never came back")

    monkeypatch.setattr(whole.keeper, "run_due", stop_here)
    with pytest.raises(KeyError):
        whole.appliance.run_due()
    assert whole.watcher.pings == before


@pytest.mark.parametrize(
    ("held", "screen", "ceases_after_s"), [("reading", "problem", 700), ("storing", "winner", 600)]
)
def test_endless_work_is_given_up_and_signs_of_life_cease(held, screen, ceases_after_s):
    whole = WholeAppliance()

    def pings_in(seconds):
        before = whole.watcher.pings
        whole.advance(seconds)
        return whole.watcher.pings - before

    whole.advance(1)
    whole.launch.hold.add(held)
    whole.press(SCAN)
    assert pings_in(300 if held == "reading" else 10) > 0
    assert screen in whole.names[-1]
    whole.press(OK)
    assert pings_in(10) > 0
    whole.advance(ceases_after_s)
    assert pings_in(60) == 0


@pytest.fixture
def start(monkeypatch):
    """Start ``stadtblick run`` with stand-ins; gives the appliance after its first turns."""
    seen = []

    def turn_a_little(appliance, wake_up, **_more):
        for _ in range(5):
            appliance.run_due()
        loop.close_all(appliance, wake_up)
        seen.append(appliance)
        if crashes:
            raise SystemError("a crash")
        return True

    crashes = []
    display = StandInDisplay()
    monkeypatch.setattr(launch, "run_until_stopped", turn_a_little)
    monkeypatch.setattr(launch, "open_buttons", lambda _settings: StandInButtons())
    monkeypatch.setattr(run, "open_display", lambda _settings: display)

    def begin(*, crash=False):
        crashes[:] = [1] * crash
        if crash:
            with pytest.raises(SystemError):
                be_the_appliance(emulate=False, camera="none")
        else:
            assert be_the_appliance(emulate=False, camera="none") == 0
        return seen[-1].state

    return begin


def test_three_crashes_start_safe_mode_with_settings_untouched(start):
    store_settings(Settings(language="hu", variant="two-player"))
    before = (user_folder() / "settings.toml").read_bytes()
    for _ in range(SAFE_MODE_AFTER):
        state = start(crash=True)
        assert not state.safe_mode
        assert state.settings.variant == "two-player"
    state = start()
    assert state.safe_mode
    assert state.settings.variant == "standard"
    assert (user_folder() / "settings.toml").read_bytes() == before


def test_an_end_in_order_is_no_crash(start):
    for _ in range(SAFE_MODE_AFTER + 2):
        assert not start().safe_mode
    assert count_start(user_folder()) == 0


@pytest.fixture
def no_buttons(monkeypatch):
    def missing(_settings):
        raise ButtonsError("buttons-not-found", "there is no GPIO here: use a Pi", "GPIO")

    monkeypatch.setattr(launch, "open_buttons", missing)


@pytest.mark.usefixtures("no_buttons")
def test_with_neither_buttons_nor_display_it_ends_and_says_why(monkeypatch, capsys):
    def no_display(_settings):
        raise DisplayError("display-not-found", "no display answers: check its wires", "I2C")

    monkeypatch.setattr(run, "open_display", no_display)
    assert be_the_appliance(emulate=False) == 3
    printed = capsys.readouterr().err
    for text in ("there is no GPIO here", "no display answers", "--emulate"):
        assert text in printed


def test_without_buttons_the_display_says_so(monkeypatch, start, request):
    shown = []
    monkeypatch.setattr(screen_outputs, "render", lambda view: shown.append(view) or render(view))
    request.getfixturevalue("no_buttons")
    start()
    assert shown[-1].code == "buttons-not-found"
