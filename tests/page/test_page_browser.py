"""The page in a real browser of the size of a phone, with its script, a keyboard and axe-core.

Needs Debian's chromium and chromium-driver, and the extra ``browser``; skipped without them.
"""

import re
import shutil
import time
from pathlib import Path

import pytest

from firmware.language import LANGUAGES
from firmware.page.listening import LOCAL
from tests.appliance.run_process import RunProcess
from tests.page.test_page_server import Serving, free_port

webdriver = pytest.importorskip(
    "selenium.webdriver", reason="no selenium: pip install -e '.[browser]'"
)
By = pytest.importorskip("selenium.webdriver.common.by").By
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
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
    screen = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    return browser


@pytest.fixture(scope="module")
def browser():
    browser = opened()
    yield browser
    browser.quit()


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


def text_of(browser):
    return browser.execute_script("return document.querySelector('main').innerText")


def until(holds):
    """Wait until something holds, which the page hears of by itself."""
    end_s = time.monotonic() + LONG_S
    while not holds():
        assert time.monotonic() < end_s
        time.sleep(0.05)


def test_a_tile_is_put_right_and_the_other_phone_follows(scanned, browser):
    other = opened()
    try:
        other.get(f"{scanned.url}/?lang=en")
        browser.get(f"{scanned.url}/?lang=en")
        before = text_of(other)
        browser.find_element(By.CSS_SELECTOR, "a.cell").click()
        browser.find_element(By.CSS_SELECTOR, "button[value='factory']").click()
        until(lambda: text_of(other) != before)
        assert text_of(browser) == text_of(other)
        assert other.find_elements(By.CSS_SELECTOR, ".cell.mine")
    finally:
        other.quit()


def test_a_game_is_sent_as_a_picture_and_a_past_one_put_right(scanned, browser):
    browser.get(f"{scanned.url}/?lang=en")
    browser.find_element(By.ID, "file").send_keys(str(PHOTO))
    until(lambda: browser.find_elements(By.CSS_SELECTOR, "a[href='/history/2/share.jpg']"))
    browser.get(f"{scanned.url}/history/2/share.jpg")
    assert browser.find_element(By.TAG_NAME, "img").get_property("naturalWidth") == 1080
    browser.get_log("browser")  # what the browser itself puts round a picture is no page of ours
    browser.get(f"{scanned.url}/history/1?lang=en")
    browser.find_element(By.CSS_SELECTOR, "a.cell[href$='/place/C%3A1%2C1']").click()
    browser.find_element(By.CSS_SELECTOR, "button[value='house']").click()
    until(lambda: "Corrected later" in text_of(browser))
    assert browser.current_url == f"{scanned.url}/history/1"
    browser.find_element(By.CSS_SELECTOR, "a[href='/history/1/better']").click()
    until(lambda: "as it lies" in text_of(browser))


def test_names_that_are_being_typed_are_not_taken_away(scanned, browser):
    browser.get(f"{scanned.url}/setup?lang=en")
    name = browser.find_element(By.ID, "name0")
    name.clear()
    name.send_keys("Ann")
    browser.execute_script("document.body.dataset.version = 'old'; source.onmessage({data: 'new'})")
    assert name.get_property("value") == "Ann"
    browser.find_element(By.XPATH, "//button[text()='Set the names']").click()
    until(lambda: "Ann" in text_of(browser))


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_is_wider_than_the_phone_and_axe_finds_nothing(scanned, browser, path, language):
    browser.get(f"{scanned.url}{path}?lang={language}")
    wide = "return document.documentElement.scrollWidth"
    assert browser.execute_script(wide) <= 360
    for scheme in ("light", "dark"):
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        axe = Axe(browser)
        axe.inject()
        found = axe.run()["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found] == []


def test_all_that_can_be_tapped_is_large_enough(scanned, browser):
    for path in PAGES:
        browser.get(f"{scanned.url}{path}?lang=en")
        until(lambda: browser.execute_script("return document.styleSheets.length"))
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


def test_phone_and_scanner_follow_each_other(browser, tmp_path):
    port = free_port()
    (tmp_path / "settings.toml").write_text(f"[page]\non = true\nport = {port}\n")
    with RunProcess(tmp_path, in_terminal=False) as run:
        run.until_shown("players?")
        run.type("S")
        run.until_shown("Menu")
        while "On the phone" not in run.until_shown("\n").partition("►")[2][:20]:
            run.type("n")
        run.type("o")
        pin = re.search(r"PIN (\d{6})", run.until_shown("PIN ") + run.until_shown("\n"))[1]
        run.type("o")
        browser.get(f"http://{LOCAL}:{port}/P/{pin}")
        browser.get(f"http://{LOCAL}:{port}/?lang=en")
        until(lambda: browser.find_elements(By.CSS_SELECTOR, "button.main:not([disabled])"))
        browser.find_element(By.CSS_SELECTOR, "button.main").click()
        run.until_shown("Winner")
        until(lambda: "wins with" in text_of(browser))
        before = text_of(browser)
        browser.get(f"http://{LOCAL}:{port}/place/E:1,1")  # of the winner
        browser.find_element(By.CSS_SELECTOR, "button[value='factory']").click()
        run.until_shown("Winner")
        until(lambda: text_of(browser) != before)
        run.type("q")
        assert run.ended() == 0
        until(lambda: browser.find_element(By.ID, "gone").is_displayed())
