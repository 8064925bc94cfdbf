"""Compare what two machines read in the same photos.

    python compare_readings.py EXPECTED.jsonl ACTUAL.jsonl

Both files are the output of ``stadtblick read --jsonl``. Coordinates and confidences may differ by
the tolerances below; all else but the timings must be equal.
"""

import json
import sys
from pathlib import Path

TOLERANCES = {"px": 0.02, "confidence": 0.005}
"""Largest allowed difference, by the end of the key in JSON."""
ROUNDING = 1e-9
"""Coordinates are printed with two decimals, whose differences are not exact in binary."""


def say(line):
    """Print a line."""
    sys.stdout.write(f"{line}\n")


def flatten(value, path=""):
    """Yield (path, value) for all values inside a value of JSON, without the timings."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key != "timings_ms":
                yield from flatten(inner, f"{path}.{key}")
    elif isinstance(value, list):
        yield f"{path} length", len(value)
        for number, inner in enumerate(value):
            yield from flatten(inner, f"{path}[{number}]")
    else:
        yield path, value


def kind_of(path):
    """Return the key of ``TOLERANCES`` for the value at a path; None if it must be equal."""
    key = path.rpartition(".")[2].partition("[")[0]
    return next((kind for kind in TOLERANCES if key == kind or key.endswith(f"_{kind}")), None)


def compare(expected, actual):
    """Return the differences as texts, and the largest ones by kind of number."""
    here, there = dict(flatten(expected)), dict(flatten(actual))
    differences, largest = [], dict.fromkeys(TOLERANCES, 0.0)
    for path in here.keys() | there.keys():
        mine, other = here.get(path), there.get(path)
        kind = kind_of(path)
        if kind and isinstance(mine, float) and isinstance(other, float):
            largest[kind] = max(largest[kind], abs(mine - other))
            equal = abs(mine - other) <= TOLERANCES[kind] + ROUNDING
        else:
            equal = mine == other
        if not equal:
            differences.append(f"{path}: {mine!r} here, {other!r} there")
    return sorted(differences), largest


def readings(file):
    """Return the readings of a file."""
    return [json.loads(line) for line in Path(file).read_text("utf-8").splitlines()]


def describe(reading):
    """Return how much is in a reading, as a text."""
    unsure, choices = (
        sum(len(city[key]) for city in reading["cities"]) for key in ("unsure", "alternatives")
    )
    return (
        f"{reading['photo']}: {len(reading['cities'])} cities, {len(reading['unread'])} unread, "
        f"{unsure} unsure tiles, {choices} with alternatives"
    )


def main(expected_file, actual_file):
    """Print what was compared; return whether all readings are equal."""
    expected, actual = readings(expected_file), readings(actual_file)
    all_equal = len(expected) == len(actual) > 0
    say(f"{len(expected)} readings here, {len(actual)} there")
    for here, there in zip(expected, actual, strict=False):
        differences, largest = compare(here, there)
        all_equal &= not differences
        say(f"{'DIFFERENT' if differences else 'equal'}  {describe(here)}")
        say("    " + ", ".join(f"{kind} within {most:.4f}" for kind, most in largest.items()))
        took = [reading["timings_ms"]["total"] / 1000 for reading in (here, there)]
        say(f"    {took[0]:.1f} s here, {took[1]:.1f} s there")
        for difference in differences[:20]:
            say(f"    {difference}")
    return all_equal


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
