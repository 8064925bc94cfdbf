import pytest


def test_packages_for_the_page_are_installed():
    pytest.importorskip("starlette", reason="the page is not tested: pip install -e '.[test]'")
