"""Teaching and calibrating in a real browser."""

import json

import cv2

from firmware.base.page_sockets import LOCAL
from tests.page.phone_browser import (
    PHOTO,
    By,
    Keys,
    check_page,
    is_whole,
    needs_browser,
    tap,
    until,
)
from tests.page.test_page_server import Serving, get
from tests.page.test_page_wizards import poses

pytestmark = needs_browser

SAMPLE_GROUPS = (
    *("park", "shop", "office", "house", "factory"),
    *("tavern-food", "tavern-music", "tavern-bed", "tavern-drink"),
)
"""Faces of the groups of the sample table, the largest first."""


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
    until(lambda: is_whole(browser))
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
        check_page(browser)
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
        press(browser, "button[value=printed]")
        check_page(browser)
        give(browser, PHOTO)
        until(lambda: browser.find_elements(By.CSS_SELECTOR, "main .alert"))
        check_page(browser)
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
