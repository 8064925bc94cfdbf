import pytest


def test_what_the_page_needs_is_installed():
    pytest.importorskip("starlette", reason="the page is not tested: pip install -e '.[test]'")
