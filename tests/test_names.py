"""Names of tests say subject and expectation in few words."""

import re
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).parent
MAX_WORDS = 12
"""Words of a name after ``test``; a longer one mostly holds two expectations."""
TEST = re.compile(r"^\s*def (test_\w+)", re.MULTILINE)
CLASS = re.compile(r"^\s*class (\w+)[(:\[]", re.MULTILINE)


def too_long(path: Path) -> list[str]:
    """Return the tests of a file whose names have more words than ``MAX_WORDS``."""
    return [name for name in TEST.findall(path.read_text("utf-8")) if name.count("_") > MAX_WORDS]


def test_names_of_tests_have_at_most_a_dozen_words():
    long = {path.name: too_long(path) for path in sorted(TESTS.rglob("test_*.py"))}
    assert {name: tests for name, tests in long.items() if tests} == {}


RIDDLES = frozenset(
    {"it", "its", "they", "their", "this", "these", "that", "those", "him", "there", "such"}
    | {"what", "whatever", "who", "whoever", "whose", "which", "where", "when", "why", "how"}
    | {"so", "or", "and", "but", "then", "nor", "both"}
)
"""First words of names that go on another sentence: a failing run prints the name alone."""


def test_names_of_tests_begin_with_their_subject():
    riddles = {
        f"{path.name}: {name}"
        for path in TESTS.rglob("test_*.py")
        for name in TEST.findall(path.read_text("utf-8"))
        if name.split("_")[1] in RIDDLES
    }
    assert riddles == set(), "begin with the subject: test_rescan_keeps_confirmed_tile"


ROOT = TESTS.parent
PACKAGES = ("scoring", "vision", "hardware", "firmware")
GAME_FOLDERS = ("scoring/games/", "firmware/games/")
"""Folders of games, which name equal things alike: each has a table, a sheet, a city."""


def test_no_two_classes_share_a_name():
    owners = defaultdict(set)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            owner = next((f"{folder}*" for folder in GAME_FOLDERS if name.startswith(folder)), name)
            for class_name in CLASS.findall(path.read_text("utf-8")):
                owners[class_name].add(owner)
    assert {name: files for name, files in owners.items() if len(files) > 1} == {}
