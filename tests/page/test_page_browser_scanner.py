"""Page and scanner in a real browser: they follow each other, over a full disk and a restart."""

import re
from pathlib import Path

import pytest

from firmware.base.page_sockets import LOCAL
from tests.appliance.run_process import RunProcess
from tests.appliance.whole_appliance import MAX_ENTRIES
from tests.faults.small_disk import fill
from tests.faults.test_disk_full_or_read_only import unshare
from tests.page.phone_browser import (
    PHOTO,
    By,
    make_new_game,
    needs_browser,
    share_of,
    show_as_phone,
    tap,
    text_of,
    until,
)
from tests.page.test_page_server import Serving, free_port

pytestmark = needs_browser


def with_page(folder):
    """Settings of a scanner whose page is on; its port."""
    port = free_port()
    (folder / "settings.toml").write_text(f"[page]\non = true\nport = {port}\n")
    return port


def give_pin(browser, run, port):
    """Give the PIN of the display to the page, and look at the result."""
    run.until_shown("players?")
    run.type("S")
    run.until_shown("Menu")
    for _ in range(MAX_ENTRIES):
        if "Open on phone" in run.until_shown("\n").partition("►")[2][:20]:
            break
        run.type("n")
    run.type("o")
    pin = re.search(r"PIN (\d{6})", run.until_shown("PIN ") + run.until_shown("\n"))[1]
    run.type("o")
    browser.get(f"http://{LOCAL}:{port}/P/{pin}")
    browser.find_element(By.CSS_SELECTOR, "button.main").click()
    browser.get(f"http://{LOCAL}:{port}/?lang=en")


def scan(browser):
    """Press the button of the page."""
    tap(browser, ".dock button.go:not([disabled])")


def say(browser, url, face):
    """Put a place right."""
    browser.get(url)
    browser.find_element(By.CSS_SELECTOR, f"button[value='{face}']").click()


def test_phone_and_scanner_follow_each_other(browser, tmp_path):
    port = with_page(tmp_path)
    with RunProcess(tmp_path, in_terminal=False) as run:
        give_pin(browser, run, port)
        scan(browser)
        run.until_shown("Winner")
        until(lambda: "wins with" in text_of(browser))
        before = text_of(browser)
        say(browser, f"http://{LOCAL}:{port}/place/E:1,1", "factory")  # of the winner
        run.until_shown("Winner")
        until(lambda: text_of(browser) != before)
        run.type("q")
        assert run.ended() == 0
        until(lambda: browser.find_element(By.ID, "gone").is_displayed())


SMALL_DISK = """
mount -t tmpfs -o size=3m none "$0" && cp "$0/../settings.toml" "$0" && exec "$@"
"""


def test_phone_shows_unsaved_result_until_full_disk_has_room(browser, tmp_path):
    if not unshare():
        pytest.skip("no disk can be mounted here")
    port, disk = with_page(tmp_path), tmp_path / "disk"
    with (tmp_path / "settings.toml").open("a") as file:
        file.write("[storage]\nphotos_max = 0\n")  # photos would give way
    disk.mkdir()
    within = [*unshare(), "sh", "-c", SMALL_DISK, str(disk)]
    with RunProcess(tmp_path, in_terminal=False, within=within, STADTBLICK_HOME=str(disk)) as run:
        url = f"http://{LOCAL}:{port}"
        give_pin(browser, run, port)
        for seq in (1, 2):
            scan(browser)
            if seq > 1:
                make_new_game(browser)
            until(lambda seq=seq: browser.find_elements(*share_of(seq)))
        stored = text_of(browser, PLAYERS)
        ballast = Path(f"/proc/{run.process.pid}/root{disk}/ballast")
        fill(ballast)

        say(browser, f"{url}/place/E:1,1", "factory")  # of the winner
        until(lambda: "not saved yet" in text_of(browser))
        assert "the disk is full" in text_of(browser, "#status")
        run.until_shown("Not saved")
        shown = text_of(browser, PLAYERS)
        assert shown != stored
        browser.get(f"{url}/history/2")
        assert text_of(browser, PLAYERS) == stored, "as it was before"
        say(browser, f"{url}/history/1/place/A:1,1", "factory")
        until(lambda: "Not saved, the disk is full: delete what is" in text_of(browser))
        browser.get(f"{url}/history/1")
        assert "Corrected later" not in text_of(browser)
        browser.get(url)
        scan(browser)
        until(lambda: "The same game again" in text_of(browser))
        assert text_of(browser, PLAYERS) == shown, "the answer holds"
        until(lambda: "not saved yet" in text_of(browser))
        assert "the disk is full" in text_of(browser, "#status")

        ballast.unlink()
        say(browser, f"{url}/place/A:1,1", "factory")
        until(lambda: "not saved" not in text_of(browser))
        until(lambda: text_of(browser, "#status") == "")
        last = text_of(browser, PLAYERS)
        for seq, players in ((1, stored), (2, last)):
            browser.get(f"{url}/history/{seq}")
            assert text_of(browser, PLAYERS) == players
        run.type("q")
        assert run.ended() == 0


def asleep_at(browser, url):
    """Another tab, which hears of nothing."""
    browser.switch_to.new_window("tab")
    show_as_phone(browser)
    browser.get(url)
    browser.execute_script("source.close()")
    asleep, (awake, _asleep) = browser.current_window_handle, browser.window_handles
    browser.switch_to.window(awake)
    return asleep


def says_when_it_wakes(browser, asleep, selector):
    """Send a form of a tab that hears of nothing, close the tab, and return the answer."""
    awake = browser.current_window_handle
    browser.switch_to.window(asleep)
    tap(browser, selector)
    until(lambda: text_of(browser, "[data-message]"))
    said = text_of(browser, "[data-message]")
    browser.close()
    browser.switch_to.window(awake)
    return said


def token_of(browser):
    """Return the token that the forms of the page send."""
    return browser.execute_script("return document.body.dataset.formToken")


def is_gone(browser):
    return browser.find_element(By.ID, "gone").is_displayed()


def test_a_page_that_is_open_over_a_restart_follows_the_scanner_again(browser, tmp_path):
    port = with_page(tmp_path)
    with RunProcess(tmp_path, in_terminal=False) as run:
        give_pin(browser, run, port)
        scan(browser)
        until(lambda: browser.find_elements(*share_of(1)))
        asleep = asleep_at(browser, f"http://{LOCAL}:{port}/place/A:1,1")
        browser.execute_script("window.isBefore = true")
        run.process.kill()
        until(lambda: is_gone(browser))
    (tmp_path / "notify").unlink()
    with RunProcess(tmp_path, in_terminal=False) as run:
        until(lambda: not is_gone(browser))
        until(lambda: browser.find_elements(*share_of(1)))
        run.until_shown("players?")
        run.type("s")
        until(lambda: "The same game again" in text_of(browser))
        assert browser.execute_script("return window.isBefore"), "by itself"
        said = says_when_it_wakes(browser, asleep, "button[value='factory']")
        assert said == (
            "Meanwhile another game was scanned, or the scanner was restarted: load the page again."
        )
        scan(browser)
        make_new_game(browser)  # it still knows this phone
        run.type("q")
        assert run.ended() == 0


def test_open_page_gets_new_token_after_key_is_lost(browser, tmp_path):
    with Serving(tmp_path) as serving:
        url = f"http://{LOCAL}:{serving.port}"
        browser.get(f"{url}/?lang=en")
        asleep, token = asleep_at(browser, url), token_of(browser)
    (tmp_path / "page.key").unlink()
    until(lambda: is_gone(browser))
    with Serving(tmp_path, port=serving.port):
        until(lambda: not is_gone(browser))
        until(lambda: token_of(browser) != token)
        said = says_when_it_wakes(browser, asleep, "form[action='/sample'] button")
        assert said == "This form is too old: load the page again."
        browser.find_element(By.ID, "file").send_keys(str(PHOTO))
        until(lambda: "wins with" in text_of(browser))


def test_photo_sent_before_new_token_is_loaded_is_sent_again(browser, tmp_path):
    with Serving(tmp_path) as serving:
        browser.get(f"http://{LOCAL}:{serving.port}/?lang=en")
        browser.execute_script("document.body.dataset.formToken = 'of a lost key'")
        browser.find_element(By.ID, "file").send_keys(str(PHOTO))
        until(lambda: "wins with" in text_of(browser))


PLAYERS = "section[aria-labelledby=h-players] table"
