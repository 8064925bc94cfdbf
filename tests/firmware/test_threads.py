"""Matrix products run in one thread, which has to be said before numpy is imported."""

import os
import subprocess
import sys

import pytest

from tests.limits import PROCESS_LIMIT_S

ASKED = (
    "import os, sys, {package}; "
    'print("numpy" in sys.modules, os.environ.get("OPENBLAS_NUM_THREADS"))'
)


@pytest.mark.parametrize("package", ["firmware", "bench"])
@pytest.mark.parametrize(("given", "then"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
def test_products_of_matrices_run_in_one_thread_unless_told_otherwise(package, given, then):
    others = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", ASKED.format(package=package)],
        capture_output=True,
        text=True,
        check=True,
        timeout=PROCESS_LIMIT_S,
        env=others | given,
    )
    assert done.stdout.split() == ["False", then]
