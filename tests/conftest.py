import pytest
from hypothesis import settings

from firmware.language import use_language
from tests.cleanup import AT_THE_END

# The same examples in each run, however slow the machine is.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def _english(monkeypatch):
    """Whoever runs the tests, in whatever language, and whatever the test before chose."""
    monkeypatch.setenv("LANGUAGE", "en")
    use_language(None)


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch, tmp_path_factory):
    """Whatever settings, editions and history the person has who runs the tests."""
    monkeypatch.setenv("STADTBLICK_HOME", str(tmp_path_factory.mktemp("stadtblick-home")))


@pytest.fixture(autouse=True)
def _nothing_stays_open():
    """Nothing is left for the garbage collector, which would fail whatever test runs then."""
    yield
    AT_THE_END.close()
