"""Real browser of the size of a phone, and what a person does and sees in it.

Needs Debian's chromium and chromium-driver, and the extra ``browser``; tests are skipped without.
"""

import shutil
import time
from contextlib import suppress
from pathlib import Path

import pytest

webdriver = pytest.importorskip(
    "selenium.webdriver", reason="no selenium: pip install -e '.[browser]'"
)
By = pytest.importorskip("selenium.webdriver.common.by").By
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
StaleElementReferenceException = pytest.importorskip(
    "selenium.common.exceptions"
).StaleElementReferenceException
Axe = pytest.importorskip("axe_selenium_python", reason="no axe-selenium-python").Axe

DRIVER, BROWSER = shutil.which("chromedriver"), shutil.which("chromium")
needs_browser = pytest.mark.skipif(
    DRIVER is None or BROWSER is None, reason="no chromium: apt install chromium chromium-driver"
)
PHOTO = Path(__file__).parents[2] / "firmware" / "data" / "between-two-cities.jpg"
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


def enter_pin(browser, pin):
    until(lambda: browser.find_element(By.ID, "pin").is_displayed())
    browser.find_element(By.ID, "pin").send_keys(pin, Keys.ENTER)


def share_of(seq):
    """The link to the picture of a result, which is there once that is stored."""
    return By.CSS_SELECTOR, f"a[href='/history/{seq}/share.jpg']"


def make_new_game(browser):
    """Say that the table, which is recognised, is a new game."""
    new_game = "form[action='/same-table'] button[value=no]:not([disabled])"
    tap(browser, new_game)
    until(lambda: not browser.find_elements(By.CSS_SELECTOR, new_game))


def is_whole(browser):
    """Return whether the page and its style are loaded."""
    return browser.execute_script(
        "return document.readyState == 'complete'"
        " && getComputedStyle(document.body).marginTop == '0px'"
    )


def check_page(browser):
    """Check that the page is no wider than the phone and axe finds nothing."""
    until(lambda: is_whole(browser))
    width = browser.execute_script("return document.documentElement.scrollWidth")
    assert width <= 360, width
    axe = Axe(browser)
    axe.inject()
    found = axe.run()["violations"]
    said = [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found]
    assert said == [], said
