import gc
import os
from collections import Counter
from contextlib import suppress
from ctypes import CDLL
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from firmware.base.language import use_language
from tests.cleanup import AT_THE_END

if int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) > 1:
    # Before OpenCV and numpy are imported: several threads of each worker would wait for the same
    # processors
    os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Else the memory of each picture goes back to the system, which clears it for the next one
with suppress(AttributeError, OSError):  # another C library
    for option in (-1, -3):  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
        CDLL(None).mallopt(option, 1 << 28)

# Else each process that a test starts compiles all modules again
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The same examples in each run, however slow the machine is; few of them, to keep the run short
settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("repeatable")


SLOWEST_FILES = (
    "test_eye.py",
    "test_teach_command.py",
    "test_every_state.py",
    "test_print.py",
    "test_simulate.py",
    "test_rereading.py",
    "test_whole_tables.py",
    "test_page_wizards.py",
    "test_mqtt.py",
    "test_taught_tiles.py",
    "test_calibrated.py",
    "test_page_server.py",
    "test_teach.py",
    "test_page_photos.py",
    "test_bench_command.py",
)
"""Files of ten seconds and more to begin with, the slowest first, so that at the end no worker is
long alone."""

ALLOCATIONS_PER_COLLECTION = 20_000
"""New objects after which the garbage collector runs; with Python's 700 it takes a fifteenth of the
time of tests that make many small objects."""


def pytest_configure(config):
    """Refuse two test files of one name, as pytest imports only one of them."""
    if hasattr(config, "workerinput"):
        return
    names = Counter(path.name for path in Path(__file__).parent.rglob("test_*.py"))
    if repeated := [name for name, count in names.items() if count > 1]:
        raise pytest.UsageError(f"two files in tests/ have the same name, rename one: {repeated}")


def pytest_collection(session):
    """Have each worker import its share of the files first, so that none is compiled twice."""
    if not session.config.pluginmanager.hasplugin("dsession"):  # that one only waits for workers
        gc.disable()  # nearly all that is made now stays
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    number, workers = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
    for path in sorted(Path(__file__).parent.rglob("test_*.py"))[number::workers]:
        # A fault is told when all files are collected
        with suppress(Exception, pytest.skip.Exception):
            _ = pytest.Module.from_parent(session, path=path).obj


def pytest_collection_modifyitems(items):
    places = {name: place for place, name in enumerate(SLOWEST_FILES)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))


def pytest_collection_finish():
    """Spare the garbage collector all that was imported and collected, which stays to the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS_PER_COLLECTION)
    gc.enable()


@pytest.fixture(scope="session")
def _new_folder(tmp_path_factory):
    """Make a folder, or take the last one again if it is still as it was made.

    pytest's own look through all that there are before they make another one.
    """
    home = tmp_path_factory.mktemp("homes")
    new = (home / str(number) for number in count())
    last = next(new)
    last.mkdir()
    mode = last.stat().st_mode

    def new_folder():
        nonlocal last
        if not last.is_dir() or last.stat().st_mode != mode or any(last.iterdir()):
            last = next(new)
            last.mkdir()
        return last

    return new_folder


@pytest.fixture(autouse=True, scope="module")
def _caches_end_with_their_file(request):
    """Forget what the functions of a test file have cached, and return the memory to the system."""
    yield
    for each in vars(request.module).values():
        if getattr(each, "__module__", "") == request.module.__name__:
            getattr(each, "cache_clear", lambda: None)()
    with suppress(AttributeError, OSError):  # another C library
        CDLL(None).malloc_trim(0)


@pytest.fixture(autouse=True)
def _fresh(monkeypatch, _new_folder):
    """Begin each test in English with an empty folder; close at its end whatever it has opened.

    The folder is for settings, editions and history. What stayed open would be left for the garbage
    collector, which would fail whatever test runs then.
    """
    monkeypatch.setenv("LANGUAGE", "en")
    use_language(None)
    monkeypatch.setenv("STADTBLICK_HOME", str(_new_folder()))
    yield
    AT_THE_END.close()
