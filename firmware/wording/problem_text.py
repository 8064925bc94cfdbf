"""Problems and messages as text in the user's language: one line, JSON, standard error."""

import re
import sys
from collections.abc import Mapping
from typing import Final

from firmware.base.errors import PROGRAM, printable
from firmware.base.json_text import json_text
from firmware.base.language import _, _n, format_number
from firmware.base.problem import Problem, Reportable
from hardware.errors import SystemReason
from scoring.errors import TableError
from vision.message import Message, Value

_MAX_BREACHES: Final = 100
"""Most broken rules of one table that are listed in JSON."""

_PROBLEM_AND_REMEDY: Final = re.compile(r"(?P<problem>.*)[:;] (?P<remedy>.*)", re.DOTALL)


class CountedMessage(Message):
    """Message with a number ``n`` that decides its wording.

    Attributes:
        many: Template for any number but 1.
    """

    many: str

    def __new__(cls, one: str, many: str, n: int) -> "CountedMessage":
        """Choose the English wording."""
        made = str.__new__(cls, (one if n == 1 else many).format(n=n))
        made.template, made.many, made.values = one, many, {"n": n}
        return made


def translate(text: Reportable | str) -> str:
    """Return a message, or that of an error or problem, in the user's language.

    A plain text is returned unchanged.
    """
    if isinstance(text, Problem):
        text = text.message
    if isinstance(text, str) and not isinstance(text, Message):
        return text
    if isinstance(text, CountedMessage):
        return _n(text.template, text.many, int(text.values["n"]))
    values = {name: _value_text(value) for name, value in text.values.items()}
    return _(text.template).format(**values) if values else _(text.template)


def _value_text(value: Value) -> str | int:
    if isinstance(value, Message):
        return translate(value)
    if isinstance(value, SystemReason):
        return _(value)
    return format_number(value) if isinstance(value, float) else value


def problem_line(problem: Reportable) -> str:
    """Return a problem as one line: ``PROBLEM (PLACE): remedy``."""
    text, where = translate(problem), translate(problem.where)
    match = _PROBLEM_AND_REMEDY.fullmatch(text)
    if match is None:
        line = f"{text} ({where})"
    else:
        line = f"{match['problem']} ({where}): {match['remedy']}"
    if isinstance(problem, TableError) and len(problem.breaches) > 1:
        line += " " + _("(and {n} more, see --json)").format(n=len(problem.breaches) - 1)
    return printable(line)


def problem_json(problem: Reportable) -> Mapping[str, object]:
    """Return a problem as JSON: ``{"error": {"code", "message", "where"}}``.

    For a table that the rules do not allow, ``breaches`` lists all broken rules.
    """
    fields = _fields(problem)
    if isinstance(problem, TableError):
        fields["breaches"] = [_fields(breach) for breach in problem.breaches[:_MAX_BREACHES]]
    return {"error": fields}


def _fields(problem: Reportable) -> dict[str, object]:
    return {"code": problem.code, "message": translate(problem), "where": str(problem.where)}


def print_problem(problem: Reportable, *, as_json: bool = False) -> None:
    """Print a problem on standard error, as a line or as JSON."""
    if as_json:
        print(json_text(problem_json(problem)), file=sys.stderr)
    else:
        print(printable(f"{PROGRAM}: {problem_line(problem)}"), file=sys.stderr)
