"""The PIN in a real browser: what was chosen or written before it is kept."""

import pytest

from firmware.base.page_sockets import LOCAL
from firmware.history import wall_time
from tests.page.phone_browser import PHOTO, By, Keys, enter_pin, needs_browser, text_of, until

pytestmark = needs_browser


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
