"""docs/errors.md lists every error code and exit code, and none that does not exist."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import firmware.history.errors  # noqa: F401 - so that its classes are known
import vision.editions.edition
import vision.lab.evaluation.truth  # noqa: F401 - the same
from firmware.base.errors import ExitCode, FirmwareError
from hardware.errors import HardwareError
from scoring.errors import BreachKind, ScoringError
from scoring.games import GAMES
from vision.errors import VisionError

ROOT = Path(__file__).parents[1]
ERRORS = (ROOT / "docs" / "errors.md").read_text("utf-8")
PACKAGES = ("scoring", "vision", "hardware", "firmware")


def syntax_nodes() -> list[ast.AST]:
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    trees = (ast.parse(path.read_text("utf-8"), str(path)) for path in paths)
    kinds = (ast.Call, ast.Assign, ast.AnnAssign, ast.FunctionDef)
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, kinds)]


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


@cache
def codes_in_the_source() -> set[str]:
    """Every text given to an error, or to a function that makes one, as its code."""
    nodes = syntax_nodes()
    takers = (
        {
            name
            for base in (FirmwareError, HardwareError, ScoringError, VisionError)
            for name in error_names(base)
        }
        | {
            node.name
            for node in nodes
            if isinstance(node, ast.FunctionDef)
            and [a.arg for a in node.args.args if a.arg != "self"][:1] == ["code"]
        }
        | {"Problem"}
    )
    assert list(GAMES.values())  # so that the breaches of every game are known
    ours = [one for one in BreachKind.__subclasses__() if one.__module__.startswith("scoring.")]
    codes = {kind.code for breaches in ours for kind in breaches}
    for node in nodes:
        for given in given_codes(node, takers):
            codes |= constants(given)
    return codes


def documented_codes() -> list[str]:
    return re.findall(r"^\| `([a-z-]+)` \|", ERRORS, re.MULTILINE)


def test_codes_are_found_however_they_are_given():
    assert {"usage", "photo-truncated", "display-lost", "unknown-face"} <= codes_in_the_source()


def test_every_code_is_documented_once_and_no_other():
    assert set(documented_codes()) == codes_in_the_source()
    codes = documented_codes()
    assert sorted(codes) == sorted(set(codes))
    documented = re.findall(r"^\| (\d+) \|", ERRORS, re.MULTILINE)
    assert [int(number) for number in documented] == [code.value for code in ExitCode]
