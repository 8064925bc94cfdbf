"""Small files that would grow to gigabytes are refused before they do."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.bombs import BOMBS
from tests.limits import PROCESS_LIMIT_S

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def codes(tmp_path_factory):
    """Codes of the errors with which readers of little memory and time end, by bomb."""
    folder = tmp_path_factory.mktemp("bombs")
    home = {"OPENBLAS_NUM_THREADS": "1", "STADTBLICK_HOME": str(folder / "home")}
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.bombs", str(folder)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=PROCESS_LIMIT_S,
        env={**os.environ, **home},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", BOMBS)
def test_bomb_takes_little_memory_and_time(codes, name):
    assert codes[name] == BOMBS[name][2]
