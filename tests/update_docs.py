"""Write into the docs what the code decides, and keep the words that people wrote there.

``python -m tests.update_docs`` gives ``docs/errors.md`` a row for each error code and exit code of
the code, and takes away those of others. New ones come at the end, under a heading of their own,
in the words of their message: move them where they belong, and say what to do. It also writes the
description of the API for programs that the page serves.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import firmware.history.errors  # noqa: F401 - so that its classes are known
import vision.editions.edition
import vision.lab.evaluation.photo_truth  # noqa: F401 - the same
from firmware.base.errors import ExitCode, FirmwareError
from firmware.page.api_description import openapi
from hardware.errors import HardwareError
from scoring.errors import BreachKind, ScoringError
from scoring.games import GAMES
from tests.syntax import nodes_of
from vision.errors import VisionError

ROOT = Path(__file__).parents[1]
ERRORS = ROOT / "docs" / "errors.md"
OPENAPI = ROOT / "firmware" / "page" / "static" / "openapi.json"
PACKAGES = ("scoring", "vision", "hardware", "firmware")
UNSORTED = "## To be sorted in"
_TAKER = re.compile(rb"def (\w+)\(\s*(?:self,\s*)?code\b")
"""Function whose first parameter is a code."""
_KEY = re.compile(r"\| (`[a-z-]+`|\d+) \|")


@cache
def sources() -> tuple[bytes, ...]:
    """Return the sources of all modules."""
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return tuple(path.read_bytes() for path in paths)


def syntax_nodes(takers: set[str]) -> Iterator[ast.AST]:
    """Yield the nodes of the sources that have a code or call one of ``takers``."""
    given = re.compile(rf"\bcode\b|\b(?:{'|'.join(takers)})\(".encode())
    for source in filter(given.search, sources()):
        yield from nodes_of(source, expressions=True)


def error_names(base: type[Exception]) -> Iterator[str]:
    yield base.__name__
    for derived in base.__subclasses__():
        yield from error_names(derived)


def constants(expression: ast.expr) -> set[str]:
    """The texts that an expression may come to: itself, or either branch of its ``if``."""
    if isinstance(expression, ast.IfExp):
        return constants(expression.body) | constants(expression.orelse)
    is_text = isinstance(expression, ast.Constant) and isinstance(expression.value, str)
    return {expression.value} - {""} if is_text else set()


def given_codes(node: ast.AST, takers: set[str]) -> list[ast.expr]:
    """Return the expressions given as a code, by a call or by an assignment to ``code``."""
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = [getattr(target, "id", getattr(target, "attr", "")) for target in targets]
        return [node.value] if "code" in names else []
    if not isinstance(node, ast.Call):
        return []
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    given = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
    return given + (node.args[:1] if name in takers else [])


def breach_classes() -> list[type[BreachKind]]:
    """Return the classes of breaches of our games, and of what they share."""
    assert list(GAMES.values())  # so that the modules of every game are imported
    return [one for one in BreachKind.__subclasses__() if one.__module__.startswith("scoring.")]


@cache
def codes_in_the_source() -> dict[str, str]:
    """Every text given to an error, or to a function that makes one, as its code; with its message.

    A message that is put together elsewhere is empty.
    """
    bases = (FirmwareError, HardwareError, ScoringError, VisionError)
    takers = {"Problem", *(name for base in bases for name in error_names(base))}
    takers |= {name.decode() for source in sources() for name in _TAKER.findall(source)}
    codes = {kind.code: kind.value for breaches in breach_classes() for kind in breaches}
    for node in syntax_nodes(takers):
        for given in given_codes(node, takers):
            messages = node.args[1:2] if isinstance(node, ast.Call) else []
            texts = sorted(text for message in messages for text in constants(message))
            for code in constants(given):
                codes[code] = codes.get(code) or next(iter(texts), "")
    return codes


def updated_errors(text: str) -> str:
    """Return a page on errors with one row for each code there is, and none for others."""
    missing = {f"`{code}`": message for code, message in sorted(codes_in_the_source().items())}
    missing |= {str(code.value): "" for code in ExitCode}
    lines = []
    for line in text.splitlines():
        row = _KEY.match(line)
        if row is None or missing.pop(row[1], None) is not None:
            lines.append(line)
    if missing:
        lines += ["", UNSORTED, "", "| code | means | what to do |", "| --- | --- | --- |"]
        lines += [f"| {key} | {message} | |" for key, message in missing.items()]
    return "\n".join(lines) + "\n"


def described_api() -> str:
    """Return the description of the API as the page serves it."""
    return json.dumps(openapi(), ensure_ascii=False, indent=1) + "\n"


def main() -> int:
    """Write all of them; 1 if rows are still to be moved where they belong."""
    page = updated_errors(ERRORS.read_text("utf-8"))
    ERRORS.write_text(page, "utf-8")
    OPENAPI.write_text(described_api(), "utf-8")
    if UNSORTED not in page:
        return 0
    sys.stdout.write(f"{ERRORS}: move the rows at its end where they belong\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
