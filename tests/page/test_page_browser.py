"""The page in a real browser of the size of a phone, with its script, a keyboard and axe-core.

Needs Debian's chromium and chromium-driver, and the extra ``browser``; skipped without them.
"""

from functools import cache

import pytest

from firmware.base.language import LANGUAGES
from firmware.base.page_sockets import LOCAL
from tests.page.phone_browser import (
    PHOTO,
    WIDTH_PX,
    By,
    Keys,
    check_page,
    facts_of_page,
    is_whole,
    make_new_game,
    needs_browser,
    open_in_language,
    opened,
    share_of,
    show_as_phone,
    tap,
    tap_tile,
    text_of,
    until,
)
from tests.page.test_page_server import Serving

pytestmark = needs_browser

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
        assert other.find_elements(By.CSS_SELECTOR, ".grid .corrected")
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
    browser.execute_script(
        "document.body.dataset.pageVersion = 'old'; source.onmessage({data: 'new'})"
    )
    assert name.get_property("value") == "Ann"
    browser.find_element(By.XPATH, "//button[text()='For the last game']").click()
    until(lambda: "Ann" in text_of(browser))


@pytest.fixture(scope="module")
def facts_of(scanned, browser):
    """Return the facts of a page of the scanned game in a language."""

    @cache
    def facts_of_path(path, language):
        open_in_language(browser, f"{scanned.url}{path}", language)
        return facts_of_page(browser)

    return facts_of_path


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_is_wider_than_the_phone_and_axe_finds_nothing(facts_of, path, language):
    facts = facts_of(path, language)
    assert facts.width_px <= WIDTH_PX
    assert facts.violations == ()


def test_everything_to_tap_is_large_enough(facts_of):
    for path in PAGES:
        assert facts_of(path, "en").small_targets == (), path


def test_nothing_is_asked_of_any_other_computer(facts_of, scanned, browser):
    for path in PAGES:
        resources = facts_of(path, "en").resources
        assert resources
        assert all(address.startswith(scanned.url) for address in resources)
    assert [entry for entry in browser.get_log("browser") if "Security" in entry["message"]] == []


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
    open_in_language(browser, f"{named.url}{path}", language)
    browser.execute_script("document.querySelectorAll('details').forEach((e) => { e.open = true })")
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
