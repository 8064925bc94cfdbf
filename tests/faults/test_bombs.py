"""Small files that would grow to gigabytes are refused before they do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.bombs import BOMBS, lay
from tests.limits import PROCESS_LIMIT_S

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", BOMBS)
def test_bomb_takes_little_memory_and_time(tmp_path, name):
    reader, _content, code = BOMBS[name]
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.bombs", reader, str(lay(name, tmp_path))],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=PROCESS_LIMIT_S,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "STADTBLICK_HOME": str(tmp_path / "home")},
    )
    assert (done.returncode, done.stdout) == (0, code), done.stderr
