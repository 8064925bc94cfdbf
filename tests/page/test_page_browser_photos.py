"""Several photos of one game in a real browser; see ``phone_browser``."""

import cv2
import pytest

from firmware.base.language import LANGUAGES
from firmware.base.page_sockets import LOCAL
from tests.page.phone_browser import (
    PHOTO,
    By,
    check_in_language,
    enter_pin,
    needs_browser,
    tap,
    text_of,
    until,
)
from tests.page.test_page_server import Serving

ActionChains = pytest.importorskip("selenium.webdriver").ActionChains
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys

pytestmark = needs_browser

WITH_ALL = ((slice(None), slice(0, 1400)), (slice(None), slice(1000, None)))
"""Two parts of the sample photo that both show city C."""
APART = (
    (slice(None), slice(0, 960)),
    (slice(0, 640), slice(900, 1450)),
    (slice(None), slice(1420, None)),
)
"""Three parts without a city in common."""
ORDER = ".order li"


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """Paths of parts of the sample photo: two with a city in common, three without."""
    folder, whole = tmp_path_factory.mktemp("parts"), cv2.imread(str(PHOTO))
    paths = []
    for number, part in enumerate((*WITH_ALL, *APART)):
        paths.append(folder / f"{number}.jpg")
        cv2.imwrite(str(paths[-1]), whole[part])
    return paths[:2], paths[2:]


@pytest.fixture
def page(browser, tmp_path):
    with Serving(tmp_path) as serving:
        serving.url = f"http://{LOCAL}:{serving.port}"
        browser.get(f"{serving.url}/?lang=en")
        yield serving


def choose(browser, paths, selector="#file"):
    field = browser.find_element(By.CSS_SELECTOR, selector)
    field.send_keys("\n".join(map(str, paths)))


def order_of(browser):
    return [
        each.get_attribute("data-letter") for each in browser.find_elements(By.CSS_SELECTOR, ORDER)
    ]


def test_photos_with_a_common_city_give_a_winner(browser, page, parts):
    choose(browser, parts[0])
    until(lambda: "wins with 59 points" in text_of(browser))
    assert "City C is in 2 photos: it counts once." in text_of(browser)


def test_photo_is_added_to_the_game_on_the_page(browser, page, parts):
    choose(browser, parts[0][:1])
    until(lambda: browser.find_elements(By.CSS_SELECTOR, "input[data-adds]:not([disabled])"))
    choose(browser, parts[0][1:], "input[data-adds]")
    until(lambda: "wins with 59 points" in text_of(browser))


def test_cities_are_dragged_and_moved_by_arrows(browser, page, parts):
    choose(browser, parts[1])
    until(lambda: order_of(browser) == list("ABCDE"))
    grips = browser.find_elements(By.CSS_SELECTOR, f"{ORDER} .grip")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", grips[1])
    drag = ActionChains(browser).click_and_hold(grips[0])
    drag.move_to_element(grips[1]).move_to_element(grips[2]).release().perform()
    assert order_of(browser) == list("BCADE")
    browser.find_element(By.CSS_SELECTOR, "[data-letter=C] .up").send_keys(Keys.ENTER)
    assert order_of(browser) == list("CBADE")
    assert "City C is in place 1 of 5 now." in browser.execute_script(
        "return document.getElementById('moved').textContent"
    )
    tap(browser, "form[action='/order'] button")
    until(lambda: "wins with 59 points" in text_of(browser))


def test_arrows_keep_the_focus(browser, page, parts):
    choose(browser, parts[1])
    until(lambda: order_of(browser) == list("ABCDE"))
    browser.find_element(By.CSS_SELECTOR, "[data-letter=A] .down").send_keys(Keys.ENTER)
    active = browser.switch_to.active_element
    active.send_keys(Keys.ENTER)
    assert order_of(browser) == list("BCADE")


def test_page_of_the_order_fits_and_axe_finds_nothing(browser, page, parts):
    choose(browser, parts[1])
    until(lambda: order_of(browser))
    for language in LANGUAGES:
        check_in_language(browser, f"{page.url}/", language)


def test_unusable_photo_is_named_and_others_count(browser, page, parts, tmp_path):
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"no photo" * 99)
    choose(browser, (parts[0][0], bad, parts[0][1]))
    until(lambda: "wins with 59" in text_of(browser))
    assert "Photo 2: this photo was left out" in text_of(browser)


def test_too_many_photos_are_refused_before_one_is_sent(browser, page, parts):
    choose(browser, (*parts[0], *parts[1]) * 2)
    until(lambda: "8 photos at most" in text_of(browser, "#upload"))
    assert "Who has won?" in text_of(browser)


def test_photos_chosen_before_the_pin_are_kept(guest, parts):
    browser, serving = guest
    choose(browser, parts[0])
    enter_pin(browser, serving.pin)
    until(lambda: "wins with 59 points" in text_of(browser))
