"""A writer is killed at any step: the old or the new is there, and nothing is left behind."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from firmware.base import atomic_files
from tests.faults.killed_writer import VERSIONS
from tests.limits import PROCESS_LIMIT_S

ROOT = Path(__file__).parents[2]
EDITIONS = {
    version: {name.replace("/", "-"): text for name, text in files.items()}
    for version, files in VERSIONS.items()
}


@pytest.fixture(scope="module")
def kills(tmp_path_factory):
    """Contents found after each kill, in order, by what is written; the last writer lived."""

    @cache
    def run(what):
        folder = tmp_path_factory.mktemp(what)
        done = subprocess.run(
            [sys.executable, "-m", "tests.faults.killed_writer", what, str(folder)],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
            timeout=PROCESS_LIMIT_S,
        )
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


def test_writer_waits_for_the_other_one_no_longer_than_a_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(atomic_files, "LOCK_WAIT_S", -1.0)
    with atomic_files.sole_writer(tmp_path), pytest.raises(BlockingIOError):
        atomic_files.write_file(tmp_path / "file", b"new", 0o644)


@pytest.mark.parametrize("what", ["folder", "folder-plain"])
class TestFolder:
    def test_old_or_new_one_is_there_whole(self, kills, what):
        found = [kill["found"] for kill in kills(what)]
        assert len(found) > 5
        assert all(each in (EDITIONS["old"], EDITIONS["new"]) for each in found)

    def test_next_write_leaves_two_versions_alone(self, kills, what):
        for kill in kills(what):
            assert {name for name in kill["left"] if name != "mine"} >= {".before-mine", "shared"}
            assert not any(name.startswith((".unfinished", ".aside")) for name in kill["left"])


class TestFiles:
    def test_old_or_new_ones_are_there_all_of_them(self, kills):
        found = [kill["found"] for kill in kills("files")]
        assert len(found) > 30
        assert all(each in (VERSIONS["old"], VERSIONS["new"]) for each in found)

    def test_without_links_old_and_new_ones_never_mix(self, kills):
        for kill in kills("files-plain"):
            found = kill["found"].items()
            assert found <= VERSIONS["old"].items() or found <= VERSIONS["new"].items()

    @pytest.mark.parametrize("what", ["files", "files-plain"])
    def test_next_write_leaves_its_own_files_alone(self, kills, what):
        for kill in kills(what):
            assert kill["next"] == VERSIONS["next"]
            assert set(kill["left"]) <= {"screens", *VERSIONS["next"]}
