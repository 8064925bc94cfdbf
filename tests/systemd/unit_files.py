"""Reads what is installed into the system, for the tests of it."""

from collections import defaultdict
from pathlib import Path

SYSTEMD = Path(__file__).parents[2] / "systemd"


def unit(name: str) -> dict[str, list[str]]:
    """All values of each key of a unit file, in their order."""
    values: dict[str, list[str]] = defaultdict(list)
    for line in (SYSTEMD / name).read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith(("#", "[")):
            continue
        key, _equals, value = line.partition("=")
        values[key].append(value)
    return values


def seconds(text: str) -> float:
    """A time as systemd writes it, with one unit: ``30min``, ``1s``, ``15``."""
    for ending, factor in (("min", 60), ("ms", 0.001), ("s", 1)):
        if text.endswith(ending):
            return float(text.removesuffix(ending)) * factor
    return float(text)


def rules(name: str) -> list[list[str]]:
    """The lines of a sysusers or tmpfiles file as their fields."""
    lines = (SYSTEMD / name).read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]
