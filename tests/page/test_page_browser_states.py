"""States of the page in a real browser: first visit, failed photo, no scanner, undo."""

import cv2
import numpy as np
import pytest

from firmware.base.language import LANGUAGES
from firmware.base.page_sockets import LOCAL
from tests.page.phone_browser import (
    PHOTO,
    By,
    check_in_language,
    check_page,
    needs_browser,
    tap,
    tap_tile,
    text_of,
    until,
)
from tests.page.test_page_server import Serving, free_port

pytestmark = needs_browser


@pytest.fixture
def url(browser, tmp_path):
    """Address of a computer to which no photo was given, open in the browser."""
    with Serving(tmp_path) as serving:
        url = f"http://{LOCAL}:{serving.port}"
        browser.get(f"{url}/?lang=en")
        yield url


def give(browser, path):
    """Choose a photo, however often the page is renewed."""

    def is_given():
        browser.find_element(By.ID, "file").send_keys(str(path))
        return True

    until(is_given)


def check_in_all_languages(browser, url):
    """Check the first page in three languages."""
    for language in LANGUAGES:
        check_in_language(browser, f"{url}/", language)


@pytest.fixture
def blank(tmp_path):
    """Path of a photo that shows nothing."""
    path = tmp_path / "blank.jpg"
    cv2.imwrite(str(path), np.full((720, 960, 3), 120, np.uint8))
    return path


def test_first_visit_fits_and_axe_finds_nothing(browser, url):
    assert "Who has won?" in text_of(browser, "h1")
    check_in_all_languages(browser, url)


def test_failed_photo_takes_the_place_of_the_old_winner(browser, url, blank):
    give(browser, PHOTO)
    until(lambda: "wins with" in text_of(browser, "h1"))
    tap_tile(browser, ".grid td a[href$='/place/E:1,1']")
    tap(browser, "button[value=factory]")
    until(lambda: "Undo" in text_of(browser, ".dock"))
    give(browser, blank)
    until(lambda: "That did not work" in text_of(browser, "h1"))
    until(lambda: "Undo" not in text_of(browser, ".dock"))
    assert "Last result: " in text_of(browser)
    shown = "return document.querySelector('img.failed').naturalWidth"
    until(lambda: browser.execute_script(shown) == 960)
    check_in_all_languages(browser, url)


def test_page_goes_on_once_the_scanner_is_back(browser, tmp_path):
    port = free_port()
    with Serving(tmp_path, port=port):
        browser.get(f"http://{LOCAL}:{port}/?lang=en")
        until(lambda: browser.execute_script("return source.readyState") == 1)
    until(lambda: browser.find_element(By.ID, "gone").is_displayed())
    assert "This page is from" in text_of(browser, "#gone")
    assert browser.execute_script("return document.querySelector('.dock').inert")
    with Serving(tmp_path, port=port):
        until(lambda: not browser.find_element(By.ID, "gone").is_displayed())
        assert not browser.execute_script("return document.querySelector('.dock').inert")
        give(browser, PHOTO)
        until(lambda: "wins with" in text_of(browser, "h1"))


def test_answer_is_undone_with_one_tap(browser, url):
    give(browser, PHOTO)
    until(lambda: "wins with" in text_of(browser, "h1"))
    before = text_of(browser, ".rank")
    tap_tile(browser, ".grid td a[href$='/place/E:1,1']")
    tap(browser, "button[value=factory]")
    until(lambda: text_of(browser, ".rank") not in ("", before))
    check_page(browser)
    tap(browser, ".undo-bar button")
    until(lambda: text_of(browser, ".rank") == before)
    assert browser.find_elements(By.CSS_SELECTOR, ".undo-bar") == []


def test_open_page_stays_while_the_scanner_is_too_slow_to_answer(browser, tmp_path):
    with Serving(tmp_path) as serving:
        browser.get(f"http://{LOCAL}:{serving.port}/teach?lang=en")
        browser.execute_script("""
          window.isBefore = true;
          const fetchPage = window.fetch;
          let busy = 1;
          window.fetch = async (...request) => {
            if (busy-- > 0) return new Response("<body></body>", { status: 503 });
            const answer = await fetchPage(...request);
            window.isLoadedAgain = true;
            return answer;
          };
          refresh();
        """)
        until(lambda: browser.execute_script("return window.isLoadedAgain"))
        assert browser.execute_script("return window.isBefore"), "on the page that was open"
