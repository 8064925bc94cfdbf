"""No module needs itself by way of others: imports in functions and for the type checker count."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("scoring", "vision", "hardware", "firmware")


def modules(root: Path) -> dict[str, Path]:
    paths = (path for package in PACKAGES for path in (root / package).rglob("*.py"))
    dotted = {".".join(path.relative_to(root).with_suffix("").parts): path for path in paths}
    return {name.removesuffix(".__init__"): path for name, path in dotted.items()}


def imported(tree: ast.AST, package: str) -> Iterator[tuple[str, str]]:
    """What a module in a package imports: a module, and perhaps a name in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((each.name, "") for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            yield from ((module, each.name) for each in node.names)


def circle(root: Path) -> list[str]:
    """Modules of which each imports the next, the last one being the first again; or none."""
    known, graph = modules(root), TopologicalSorter[str]()
    for name, path in known.items():
        package = ".".join(path.parent.relative_to(root).parts)
        for module, wanted in imported(ast.parse(path.read_text("utf-8")), package):
            inner = f"{module}.{wanted}"
            graph.add(name, inner if inner in known else module)
    try:
        graph.prepare()
    except CycleError as error:
        return error.args[1][::-1]
    return []


def test_no_module_needs_itself():
    found = circle(ROOT)
    assert not found, " -> ".join(found)


@pytest.mark.parametrize(
    "back",
    [
        "from vision.a import A",
        "from vision import a",
        "from . import a",
        "import vision.a",
        "if TYPE_CHECKING:\n    from vision.a import A",
        "def late():\n    from vision.a import A",
    ],
)
def test_every_way_to_import_counts(tmp_path, back):
    (tmp_path / "vision").mkdir()
    for name, text in {"a": "import vision.b", "b": "from vision.c import C", "c": back}.items():
        (tmp_path / "vision" / f"{name}.py").write_text(text)
    found = circle(tmp_path)
    assert len(found) == 4
    assert "vision.a -> vision.b -> vision.c" in " -> ".join(found * 2)
