"""Real browser of the size of a phone, and what a person does and sees in it.

Needs Debian's chromium and chromium-driver, and the extra ``browser``; tests are skipped without.
"""

import shutil
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import pytest

from firmware.base.language import LANGUAGES

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
WIDTH_PX = 360
MIN_TARGET_PX = 24
FACTS = f"""
  document.documentElement.scrollWidth,
  [...document.querySelectorAll("a:not(.skip), button, input, select, summary")]
    .filter((each) => each.offsetParent && each.type !== "hidden")
    .map((each) => [each.getBoundingClientRect(), each.outerHTML.slice(0, 80)])
    .filter(([box]) => box.height < {MIN_TARGET_PX} || box.width < {MIN_TARGET_PX})
    .map(([, html]) => html),
  performance.getEntriesByType("resource").map((each) => each.name)
"""
"""Width, small targets and resources of a page, in JavaScript."""
SCHEMES = dict(zip(LANGUAGES, cycle(("light", "dark"))))
"""Colours in which a page is checked in each language: texts do not follow colours."""


def opened():
    """A browser like a phone of 360 pixels."""
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    browser = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    browser.set_script_timeout(LONG_S)
    show_as_phone(browser)
    return browser


def show_as_phone(browser):
    """Give the open tab the size of a phone."""
    screen = {"width": WIDTH_PX, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)


def show_in_colours(browser, scheme):
    """Show pages as a phone does that prefers light or dark ones; empty for its own choice."""
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)


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


def open_in_language(browser, address, language):
    """Open a page in a language, and in the colours in which it is checked."""
    show_in_colours(browser, SCHEMES[language])
    browser.get(f"{address}?lang={language}")


@dataclass(frozen=True)
class PageFacts:
    """Facts of a page that is open.

    Attributes:
        width_px: Width of all of it.
        violations: Rules of axe that it breaks, and up to three elements for each.
        small_targets: Beginnings of the elements to tap that are smaller than 24 pixels.
        resources: Addresses of all that it has loaded.
    """

    width_px: int
    violations: tuple[tuple[str, list[str]], ...]
    small_targets: tuple[str, ...]
    resources: tuple[str, ...]


def facts_of_page(browser):
    """Return the facts of the open page, once it is loaded."""
    until(lambda: is_whole(browser))
    width_px, small_targets, resources = browser.execute_script(f"return [{FACTS}]")
    axe = Axe(browser)
    axe.inject()
    violations = tuple(
        (one["id"], [node["html"] for node in one["nodes"]][:3]) for one in axe.run()["violations"]
    )
    return PageFacts(width_px, violations, tuple(small_targets), tuple(resources))


def check_page(browser):
    """Check that the page is no wider than the phone and axe finds nothing."""
    facts = facts_of_page(browser)
    assert facts.width_px <= WIDTH_PX
    assert facts.violations == ()


def check_in_language(browser, address, language):
    """Open a page in a language, and check it."""
    open_in_language(browser, address, language)
    check_page(browser)
