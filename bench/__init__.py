"""Benchmarks of the checkout; no part of what is installed."""

import os

# As in ``firmware``, also for benchmarks that do without it; before anything imports numpy
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
