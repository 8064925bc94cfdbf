"""Fixtures of the page's tests."""

import re
from importlib.util import find_spec

import pytest

from firmware.base.page_sockets import LOCAL
from tests.computed_once import pixels_are_understood_once  # noqa: F401 - for all tests

if find_spec("starlette") is None:  # see test_parts.py
    collect_ignore_glob = ["test_page*.py"]
else:

    @pytest.fixture(scope="session", autouse=True)
    def _event_loop():
        """Answer the requests of all phones in one thread, not each in a new one."""
        from anyio.from_thread import start_blocking_portal

        from tests.page.phone import Phone

        with start_blocking_portal() as Phone.portal:
            yield

    @pytest.fixture(scope="session", autouse=True)
    def _slow_loop():
        """Wait longer for the loop, which does the work of tasks itself in these tests."""
        from firmware.appliance.runner import page_service

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(page_service, "COMMAND_LIMIT_S", 120.0)
            yield


@pytest.fixture(scope="session")
def _started_browser():
    from tests.page.phone_browser import opened  # needs selenium

    browser = opened()
    yield browser
    browser.quit()


@pytest.fixture(scope="module")
def browser(_started_browser):
    """Return a browser like a phone of 360 pixels, which knows nothing of earlier files."""
    from tests.page.phone_browser import show_in_colours

    _started_browser.get("about:blank")  # where nothing is told any more
    _started_browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
    show_in_colours(_started_browser, "")
    _started_browser.get_log("browser")
    return _started_browser


@pytest.fixture
def guest(browser, tmp_path):
    """The page of a computer for the whole network, in a browser that has given no PIN."""
    from tests.page.test_page_server import Serving  # needs the parts of the page

    browser.delete_all_cookies()
    with Serving(tmp_path, "--lan") as serving:
        serving.pin = re.search(r"\d{6}", serving.lines.next_line())[0]
        browser.get(f"http://{LOCAL}:{serving.port}/?lang=en")
        yield browser, serving
