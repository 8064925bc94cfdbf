"""The appliance and its command line: composes rules, eye and hardware."""

import os

# Before anything imports numpy: threads of its matrix products would wait for work in the way of
# OpenCV's, which have much more of it
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
