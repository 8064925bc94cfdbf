"""Errors and breaches carry what a translator needs: a template and the values of its places."""

import ast
from pathlib import Path
from string import Formatter

import scoring
from scoring.errors import Breach, BreachKind, TableError
from scoring.games import GAMES

FOLDER = Path(scoring.__file__).parent
TREES = {path: ast.parse(path.read_text("utf-8")) for path in sorted(FOLDER.rglob("*.py"))}


def names_in(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def marked_templates() -> list[str]:
    """Return the arguments of all calls of ``N_``; a template that is no literal is an error."""
    calls = (
        node
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "N_"
    )
    return [ast.literal_eval(node.args[0]) for node in calls]


def kinds() -> list[BreachKind]:
    assert list(GAMES.values())  # so that those of every game are known
    own = (group for group in BreachKind.__subclasses__() if group.__module__.startswith("scoring"))
    return [kind for group in own for kind in group.__members__.values()]


def test_every_template_is_written_out_once_for_those_who_collect_them():
    templates = marked_templates()
    assert len(templates) > 50
    assert sorted(templates) == sorted(set(templates))
    assert {kind.value for kind in kinds()} <= set(templates)
    for template in marked_templates():
        assert all(name.isidentifier() for name in names_in(template)), template
        assert names_in(template).isdisjoint({"code", "template", "where"}), template


def test_no_two_kinds_of_breach_in_a_group_are_the_same():
    for kind in kinds():
        assert kind is type(kind).__members__[kind.name]
        assert kind.code == kind.name.lower().replace("_", "-")
    assert len({(type(kind), kind) for kind in kinds()}) == len(kinds())


def test_the_english_message_is_the_template_with_its_values():
    breach = Breach("too-few", "tiles: {given} of {all}", "$.cities", {"given": 1, "all": 2})
    assert breach.message == "tiles: 1 of 2"
    breach = Breach("odd-name", "{name} is odd", "$.players[0]", {"name": "{0} {name!r}"})
    assert breach.message == "{0} {name!r} is odd"
    assert TableError((breach,)).message == breach.message
