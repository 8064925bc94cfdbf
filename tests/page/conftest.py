from importlib.util import find_spec

if find_spec("starlette") is None:  # see test_parts.py
    collect_ignore_glob = ["test_page*.py"]
