"""Compare what two machines read in the same photos.

    python compare_readings.py EXPECTED.jsonl ACTUAL.jsonl

Both files are the output of ``stadtblick read --jsonl``. Coordinates and confidences may differ by
the tolerances below. Of a few tiles about which both ask, the guesses may differ: where two are
equally likely, the last digits decide. All else but the timings must be equal.
"""

import copy
import json
import sys
from pathlib import Path

TOLERANCES = {"px": 0.02, "confidence": 0.005}
"""Largest allowed difference, by the end of the key in JSON."""
ROUNDING = 1e-9
"""Coordinates are printed with two decimals, whose differences are not exact in binary."""

GUESSES = ("grid", "tiles", "turns", "confidence")
"""Keys of a city in JSON that hold a value for each of its cells."""
MAX_TIES_SHARE = 0.01
"""Largest share of all cells of which both machines ask but guess differently."""


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


def guess_at(city, cell):
    """Return what a city in JSON holds for a cell."""
    row, column = cell
    return {key: city[key][row][column] for key in GUESSES}


def find_ties(expected, actual):
    """Return the number of the city and the cell wherever both ask but do not guess the same."""
    if len(expected["cities"]) != len(actual["cities"]):
        return []
    return [
        (number, cell)
        for number, (here, there) in enumerate(
            zip(expected["cities"], actual["cities"], strict=True)
        )
        for cell in here["unsure"]
        if cell in there["unsure"] and compare(guess_at(here, cell), guess_at(there, cell))[0]
    ]


def without_ties(reading, ties):
    """Return a copy of a reading without its guesses and notes at ties."""
    left = copy.deepcopy(reading)
    for number, (row, column) in ties:
        city = left["cities"][number]
        for key in GUESSES:
            city[key][row][column] = None
        city["alternatives"] = [
            each for each in city["alternatives"] if each["at"] != [row, column]
        ]
        if left["table"]:
            left["table"]["cities"][number]["grid"][row][column] = None
    tied = [(left["cities"][number]["name"], cell) for number, cell in ties]
    kept = [(code.get("city"), code.get("at")) not in tied for code in left["note_codes"]]
    for key in ("note_codes", "notes"):
        left[key] = [note for note, keep in zip(left[key], kept, strict=True) if keep]
    for number in {number for number, _ in ties}:
        del left["cities"][number]["notes"]  # Those of the reading have them, too, with places
    return left


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
    tie_count = cell_count = 0
    for here, there in zip(expected, actual, strict=False):
        ties = find_ties(here, there)
        tie_count += len(ties)
        cell_count += sum(len(row) for city in here["cities"] for row in city["grid"])
        differences, largest = compare(without_ties(here, ties), without_ties(there, ties))
        all_equal &= not differences
        say(f"{'DIFFERENT' if differences else 'equal'}  {describe(here)}")
        say("    " + ", ".join(f"{kind} within {most:.4f}" for kind, most in largest.items()))
        took = [reading["timings_ms"]["total"] / 1000 for reading in (here, there)]
        say(f"    {took[0]:.1f} s here, {took[1]:.1f} s there")
        for number, cell in ties:
            guesses = (guess_at(reading["cities"][number], cell) for reading in (here, there))
            say("    asked about on both: {} here, {} there".format(*guesses))
        for difference in differences[:20]:
            say(f"    {difference}")
    say(f"of {cell_count} cells, {tie_count} are asked about with different guesses")
    return all_equal and tie_count <= MAX_TIES_SHARE * cell_count


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
