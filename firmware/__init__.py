"""Appliance and command line, composed of rules, eye and hardware."""

import os

# Before anything imports numpy: idle threads of its matrix products would slow those of OpenCV down
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
