from itertools import count

import pytest
from hypothesis import settings

from firmware.base.language import use_language
from tests.cleanup import AT_THE_END

# The same examples in each run, however slow the machine is.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def _english(monkeypatch):
    """Whoever runs the tests, in whatever language, and whatever the test before chose."""
    monkeypatch.setenv("LANGUAGE", "en")
    use_language(None)


@pytest.fixture(scope="session")
def _folders(tmp_path_factory):
    """New folders; pytest's own look through all that there are before they make another one."""
    home = tmp_path_factory.mktemp("homes")
    return (home / str(number) for number in count())


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch, _folders):
    """Whatever settings, editions and history the person has who runs the tests."""
    folder = next(_folders)
    folder.mkdir()
    monkeypatch.setenv("STADTBLICK_HOME", str(folder))


@pytest.fixture(autouse=True)
def _nothing_stays_open():
    """Nothing is left for the garbage collector, which would fail whatever test runs then."""
    yield
    AT_THE_END.close()
