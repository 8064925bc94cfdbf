"""The page in a real browser of the size of a phone, with its script, a keyboard and axe-core.

Needs Debian's chromium and chromium-driver, and the extra ``browser``; skipped without them.
"""

import json
import re
import shutil
import time
from contextlib import suppress
from pathlib import Path

import cv2
import pytest

from firmware.base.language import LANGUAGES
from firmware.base.listening import LOCAL
from firmware.history import wall_time
from tests.appliance.run_process import RunProcess
from tests.appliance.whole_appliance import MAX_ENTRIES
from tests.faults.small_disk import fill
from tests.faults.test_disk_full_or_read_only import unshare
from tests.page.test_page_server import Serving, free_port, get
from tests.page.test_page_wizards import poses

webdriver = pytest.importorskip(
    "selenium.webdriver", reason="no selenium: pip install -e '.[browser]'"
)
By = pytest.importorskip("selenium.webdriver.common.by").By
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys

SAMPLE_GROUPS = (
    *("park", "shop", "office", "house", "factory"),
    *("tavern-food", "tavern-music", "tavern-bed", "tavern-drink"),
)
"""Faces of the groups of the sample table, the largest first."""
StaleElementReferenceException = pytest.importorskip(
    "selenium.common.exceptions"
).StaleElementReferenceException
Axe = pytest.importorskip("axe_selenium_python", reason="no axe-selenium-python").Axe

DRIVER, BROWSER = shutil.which("chromedriver"), shutil.which("chromium")
pytestmark = pytest.mark.skipif(
    DRIVER is None or BROWSER is None, reason="no chromium: apt install chromium chromium-driver"
)
PHOTO = Path(__file__).parents[2] / "firmware" / "data" / "between-two-cities.jpg"
PAGES = (
    "/",
    "/reasons",
    "/better",
    "/place/A:3,4",
    "/setup",
    "/history",
    "/history/1",
    "/history/1/place/A:3,4",
    "/statistics",
    "/doctor",
    *("/calibrate", "/teach", "/editions", "/settings", "/support"),
    *("/club", "/club/screen"),
    "/pin",
)
LONG_S = 60.0


def opened():
    """A browser like a phone of 360 pixels."""
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    browser = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    show_as_phone(browser)
    return browser


def show_as_phone(browser):
    """Give the open tab the size of a phone."""
    screen = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    """A computer to which the sample photo was given once."""
    with Serving(tmp_path_factory.mktemp("home")) as serving:
        serving.url = f"http://{LOCAL}:{serving.port}"
        yield serving


@pytest.fixture(scope="module")
def scanned(serving, browser):
    browser.get(f"{serving.url}/?lang=en")
    browser.find_element(By.ID, "file").send_keys(str(PHOTO))
    until(lambda: "wins with" in text_of(browser))
    return serving


def text_of(browser, selector="main"):
    """Return the text in a part of the page; empty if the part is missing."""
    return browser.execute_script(
        "return document.querySelector(arguments[0])?.innerText ?? ''", selector
    )


def tap(browser, selector):
    """Wait until something is there, however often the page is renewed, and tap it."""

    def is_tapped():
        for element in browser.find_elements(By.CSS_SELECTOR, selector)[:1]:
            browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
            element.click()
            return True
        return False

    until(is_tapped)


def tap_tile(browser, selector):
    """Open the city of a tile, and tap the tile."""
    tile = browser.find_element(By.CSS_SELECTOR, selector)
    browser.execute_script("arguments[0].closest('details').open = true", tile)
    tap(browser, selector)


def until(holds):
    """Wait until something holds, which the page hears of by itself."""
    end_s = time.monotonic() + LONG_S
    while True:
        with suppress(StaleElementReferenceException):  # the page was just replaced
            if holds():
                return
        assert time.monotonic() < end_s
        time.sleep(0.05)


def test_a_tile_is_put_right_and_the_other_phone_follows(scanned, browser):
    other = opened()
    try:
        other.get(f"{scanned.url}/?lang=en")
        browser.get(f"{scanned.url}/?lang=en")
        before = text_of(other, "#sheet")
        tap_tile(browser, ".grid td a")
        browser.find_element(By.CSS_SELECTOR, "button[value='factory']").click()
        until(lambda: text_of(other, "#sheet") != before)
        assert text_of(browser, "#sheet") == text_of(other, "#sheet")
        assert other.find_elements(By.CSS_SELECTOR, ".grid .mine")
    finally:
        other.quit()


def test_game_is_shared_as_picture_and_past_game_corrected(scanned, browser):
    browser.get(f"{scanned.url}/?lang=en")
    browser.find_element(By.ID, "file").send_keys(str(PHOTO))
    make_new_game(browser)
    until(lambda: browser.find_elements(*share_of(2)))
    browser.get(f"{scanned.url}/history/2/share.jpg")
    assert browser.find_element(By.TAG_NAME, "img").get_property("naturalWidth") == 1080
    browser.get_log("browser")  # what the browser itself puts round a picture is no page of ours
    browser.get(f"{scanned.url}/history/1?lang=en")
    tap_tile(browser, ".grid td a[href$='/place/C:1,1']")
    browser.find_element(By.CSS_SELECTOR, "button[value='house']").click()
    until(lambda: "Corrected later" in text_of(browser))
    assert browser.current_url == f"{scanned.url}/history/1"
    tap(browser, "a[href='/history/1/better']")
    until(lambda: "as laid" in text_of(browser))


def test_open_page_takes_several_photos(browser, tmp_path):
    with Serving(tmp_path) as serving:
        browser.get(f"http://{LOCAL}:{serving.port}/?lang=en")
        for seq in (1, 2, 3):
            browser.find_element(By.ID, "file").send_keys(str(PHOTO))
            if seq > 1:
                make_new_game(browser)
            until(lambda seq=seq: browser.find_elements(*share_of(seq)))


def test_names_that_are_being_typed_are_not_taken_away(scanned, browser):
    browser.get(f"{scanned.url}/setup?lang=en")
    name = browser.find_element(By.ID, "name0")
    name.clear()
    name.send_keys("Ann")
    browser.execute_script("document.body.dataset.version = 'old'; source.onmessage({data: 'new'})")
    assert name.get_property("value") == "Ann"
    browser.find_element(By.XPATH, "//button[text()='For the last game']").click()
    until(lambda: "Ann" in text_of(browser))


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_is_wider_than_the_phone_and_axe_finds_nothing(scanned, browser, path, language):
    browser.get(f"{scanned.url}{path}?lang={language}")
    for scheme in ("light", "dark"):
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        check_page(browser)


@pytest.mark.parametrize("language", LANGUAGES)
def test_large_screen_of_a_club_fits_into_1280_by_720(scanned, browser, language):
    screen = {"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    try:
        browser.get(f"{scanned.url}/club/screen?lang={language}")
        until(lambda: is_whole(browser))
        assert browser.execute_script(
            "const { scrollWidth, scrollHeight } = document.documentElement;"
            "return [scrollWidth, scrollHeight]"
        ) == [1280, 720]
    finally:
        show_as_phone(browser)


def test_all_that_can_be_tapped_is_large_enough(scanned, browser):
    for path in PAGES:
        browser.get(f"{scanned.url}{path}?lang=en")
        until(lambda: is_whole(browser))
        small = browser.execute_script("""
            return [...document.querySelectorAll("a:not(.skip), button, input, select, summary")]
              .filter((each) => each.offsetParent && each.type !== "hidden")
              .map((each) => [each.getBoundingClientRect(), each.outerHTML.slice(0, 80)])
              .filter(([box]) => box.height < 24 || box.width < 24).map(([, html]) => html)""")
        assert small == [], path


def test_by_keyboard_alone_a_tile_is_put_right(scanned, browser):
    browser.get(f"{scanned.url}/place/B:2,2?lang=en")
    active = browser.switch_to.active_element
    for _ in range(60):
        active.send_keys(Keys.TAB)
        active = browser.switch_to.active_element
        if active.get_attribute("value") == "park":
            break
    active.send_keys(Keys.ENTER)
    until(lambda: browser.current_url.rstrip("/") == scanned.url)
    assert "wins" in text_of(browser)


def test_nothing_is_asked_of_any_other_computer(scanned, browser):
    for path in PAGES:
        browser.get(f"{scanned.url}{path}?lang=en")
        names = browser.execute_script(
            "return performance.getEntriesByType('resource').map((each) => each.name)"
        )
        assert all(name.startswith(scanned.url) for name in names)
    assert [entry for entry in browser.get_log("browser") if "Security" in entry["message"]] == []


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


@pytest.fixture
def guest(browser, tmp_path):
    """The page of a computer for the whole network, in a browser that has given no PIN."""
    browser.delete_all_cookies()
    with Serving(tmp_path, "--lan") as serving:
        serving.pin = re.search(r"\d{6}", serving.lines.next_line())[0]
        browser.get(f"http://{LOCAL}:{serving.port}/?lang=en")
        yield browser, serving


def enter_pin(browser, pin):
    until(lambda: browser.find_element(By.ID, "pin").is_displayed())
    browser.find_element(By.ID, "pin").send_keys(pin, Keys.ENTER)


def test_photo_chosen_before_the_pin_is_kept(guest):
    browser, serving = guest
    browser.find_element(By.ID, "file").send_keys(str(PHOTO))
    enter_pin(browser, serving.pin)
    until(lambda: "wins with" in text_of(browser))


def test_wrong_pin_keeps_the_photo(guest):
    browser, serving = guest
    browser.find_element(By.ID, "file").send_keys(str(PHOTO))
    enter_pin(browser, "x")
    until(lambda: "This is not the PIN." in text_of(browser, "#why"))
    browser.find_element(By.ID, "pin").clear()
    enter_pin(browser, serving.pin)
    until(lambda: "wins with" in text_of(browser))


@pytest.mark.skipif(wall_time().known, reason="this computer knows the time")
def test_phone_tells_the_time_once_the_pin_is_given(guest):
    browser, serving = guest
    sent = "return performance.getEntriesByName(location.origin + '/clock').length > 0"
    assert not browser.execute_script(sent)
    browser.find_element(By.ID, "file").send_keys(str(PHOTO))
    enter_pin(browser, serving.pin)
    until(lambda: browser.execute_script(sent))


def test_names_written_before_the_pin_are_kept(guest):
    browser, serving = guest
    browser.get(f"http://{LOCAL}:{serving.port}/setup")
    browser.find_element(By.NAME, "name0").send_keys("Ann", Keys.ENTER)
    enter_pin(browser, serving.pin)
    until(lambda: browser.current_url.endswith("/setup"))
    until(lambda: browser.find_element(By.NAME, "name0").get_attribute("value") == "Ann")


def test_page_of_a_computer_says_where_its_pin_stands(guest):
    browser, serving = guest
    browser.get(f"http://{LOCAL}:{serving.port}/pin")
    assert "window on the computer that serves this page" in text_of(browser)


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


def share_of(seq):
    """The link to the picture of a result, which is there once that is stored."""
    return By.CSS_SELECTOR, f"a[href='/history/{seq}/share.jpg']"


def make_new_game(browser):
    """Say that the table, which is recognised, is a new game."""
    new_game = "form[action='/same-table'] button[value=no]:not([disabled])"
    tap(browser, new_game)
    until(lambda: not browser.find_elements(By.CSS_SELECTOR, new_game))


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
    until(lambda: text_of(browser, "[data-said]"))
    said = text_of(browser, "[data-said]")
    browser.close()
    browser.switch_to.window(awake)
    return said


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
        assert said == "Meanwhile another game was scanned, or the scanner was restarted."
        scan(browser)
        make_new_game(browser)  # it still knows this phone
        run.type("q")
        assert run.ended() == 0


def test_open_page_gets_new_token_after_key_is_lost(browser, tmp_path):
    with Serving(tmp_path) as serving:
        url = f"http://{LOCAL}:{serving.port}"
        browser.get(f"{url}/?lang=en")
        asleep = asleep_at(browser, url)
    (tmp_path / "page.key").unlink()
    until(lambda: is_gone(browser))
    with Serving(tmp_path, port=serving.port):
        until(lambda: not is_gone(browser))
        said = says_when_it_wakes(browser, asleep, "form[action='/sample'] button")
        assert said == "This form is too old: load the page again."
        browser.find_element(By.ID, "file").send_keys(str(PHOTO))
        until(lambda: "wins with" in text_of(browser))


PLAYERS = "section[aria-labelledby=h-players] table"


def is_whole(browser):
    """Return whether the page and its style are loaded."""
    return browser.execute_script(
        "return document.readyState == 'complete'"
        " && getComputedStyle(document.body).marginTop == '0px'"
    )


def check_page(browser):
    """Check that the page is no wider than the phone and axe finds nothing."""
    until(lambda: is_whole(browser))
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
    axe = Axe(browser)
    axe.inject()
    found = axe.run()["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found] == []


def press(browser, selector):
    """Wait until something can be pressed, look at the page, press it, and wait for the next one.

    The page before hears of changes as long as the next one has not come.
    """
    until(lambda: browser.find_elements(By.CSS_SELECTOR, f"{selector}:not([disabled])"))
    check_page(browser)
    browser.execute_script("window.isBefore = true")
    browser.find_element(By.CSS_SELECTOR, selector).send_keys(Keys.ENTER)
    until(lambda: not browser.execute_script("return window.isBefore"))


def give(browser, path):
    """Give a photo to the step of a wizard, which uses it at once."""
    until(lambda: browser.find_elements(By.CSS_SELECTOR, ".drop #file:not([disabled])"))
    check_page(browser)
    browser.execute_script("window.isBefore = true")
    browser.find_element(By.ID, "file").send_keys(str(path))
    until(lambda: not browser.execute_script("return window.isBefore"))


def test_a_finished_table_teaches_an_edition_and_is_read_with_it(browser, tmp_path):
    with Serving(tmp_path) as serving:
        browser.get(f"http://{LOCAL}:{serving.port}/teach?lang=de")
        name = browser.find_element(By.ID, "name")
        name.clear()
        name.send_keys("mine")
        press(browser, "button[value=begin]")
        give(browser, PHOTO)
        until(lambda: browser.find_elements(By.NAME, "group0"))
        for number, face in enumerate(SAMPLE_GROUPS):
            tap(browser, f"input[name=group{number}][value={face}]")
        press(browser, "button[value=name]")
        until(lambda: browser.find_elements(By.CSS_SELECTOR, "img.faces"))
        check_page(browser)
        until(lambda: get(serving.port, "/api/v1/reading")[0].status == 200)
        assert json.loads(get(serving.port, "/api/v1/reading")[1])["edition"] == "mine"


def test_photos_of_the_sheet_calibrate_step_by_step(browser, tmp_path):
    with Serving(tmp_path / "home") as serving:
        browser.get(f"http://{LOCAL}:{serving.port}/calibrate?lang=hu")
        press(browser, "button[value=begin]")
        press(browser, "button[value=photo]")
        give(browser, PHOTO)
        until(lambda: browser.find_elements(By.CSS_SELECTOR, "main .alert"))
        for number, picture in enumerate(poses()):
            done = f"progress[value='{number + 1}']"
            until(lambda done=done: browser.find_elements(By.CSS_SELECTOR, done))
            path = tmp_path / f"{number}.png"
            cv2.imwrite(str(path), picture)
            give(browser, path)
        press(browser, "button[value=keep]")
        until((tmp_path / "home" / "calibration.json").exists)
        until(lambda: browser.find_elements(By.ID, "h-now"))
        check_page(browser)


@pytest.fixture(scope="module")
def named(scanned, browser):
    """The scanned game, whose players have names."""
    browser.get(f"{scanned.url}/history/1?lang=en")
    open_details = "document.querySelector('#when').closest('details').open = true"
    browser.execute_script(open_details)
    for number, name in enumerate(("Ann", "Ben")):
        field = browser.find_element(By.ID, f"name{number}")
        field.clear()
        field.send_keys(name)
    browser.find_element(By.ID, "when").submit()
    until(lambda: "Ann" in text_of(browser, ".rank"))
    return scanned


@pytest.mark.parametrize("path", ["/players/Ann", "/history", "/statistics"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_of_players_fit_and_axe_finds_nothing(named, browser, path, language):
    browser.get(f"{named.url}{path}?lang={language}")
    browser.execute_script("document.querySelectorAll('details').forEach((e) => { e.open = true })")
    for scheme in ("light", "dark"):
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        check_page(browser)


@pytest.mark.parametrize("path", ["/players/Ann", "/history", "/history/1", "/statistics"])
def test_page_without_its_pictures_is_small(named, browser, path):
    browser.get(f"{named.url}{path}?lang=hu")
    source = "document.documentElement.outerHTML"
    assert browser.execute_script(f"return new Blob([{source}]).size") < 60_000


def test_deleted_game_is_undone_with_one_tap(named, browser):
    browser.get(f"{named.url}/history/1?lang=en")
    button = browser.find_element(By.CSS_SELECTOR, "form[action$='/delete'] button")
    browser.execute_script("arguments[0].closest('details').open = true", button)
    button.click()
    until(lambda: "was deleted" in text_of(browser))
    tap(browser, "[role=status] button")
    until(lambda: browser.current_url.endswith("/history/1"))
    assert "Ann" in text_of(browser)
