"""Fixtures of the page's tests."""

from importlib.util import find_spec

import pytest

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


@pytest.fixture(scope="module")
def browser():
    """Return a browser like a phone of 360 pixels."""
    from tests.page.test_page_browser import opened  # needs selenium

    browser = opened()
    yield browser
    browser.quit()
