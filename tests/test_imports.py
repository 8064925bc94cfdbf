"""Rules for imports that neither import-linter nor ruff knows.

No module imports itself by way of others; imports in functions and for the type checker count.
No room imports a private name of another one. Floors of rooms are contracts in ``pyproject.toml``.
"""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import pytest

from tests.syntax import nodes_of

ROOT = Path(__file__).parents[1]
PACKAGES = ("scoring", "vision", "hardware", "firmware")
TYPES_OF_EACH_OTHER = {
    ("firmware.appliance.base", "firmware.appliance.state"),
    ("firmware.games.game", "firmware.games.scan"),
}
"""Imports for the type checker alone that may lead back: a mode gets the state, which holds it; a
game gets the scan, which holds it."""


def modules(root: Path) -> dict[str, Path]:
    paths = (path for package in PACKAGES for path in (root / package).rglob("*.py"))
    dotted = {".".join(path.relative_to(root).with_suffix("").parts): path for path in paths}
    return {name.removesuffix(".__init__"): path for name, path in dotted.items()}


@cache
def imports(path: Path, root: Path) -> list[tuple[str, str]]:
    """Return each imported module, and the name imported from it or ""."""
    package = ".".join(path.parent.relative_to(root).parts)
    found: list[tuple[str, str]] = []
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found += [(each.name, "") for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            found += [(module, each.name) for each in node.names]
    return found


def find_cycle(root: Path) -> list[str]:
    """Return modules of which each imports the next, from the first back to it; or none."""
    known, graph = modules(root), TopologicalSorter[str]()
    for name, path in known.items():
        for module, imported in imports(path, root):
            inner = f"{module}.{imported}"
            if (name, module) not in TYPES_OF_EACH_OTHER:
                graph.add(name, inner if inner in known else module)
    try:
        graph.prepare()
    except CycleError as error:
        return error.args[1][::-1]
    return []


def room(name: str) -> str:
    """Return a module's room: ``vision.eye``, ``firmware.scan``, or a package without rooms."""
    package = name.partition(".")[0]
    return ".".join(name.split(".")[:2]) if package in {"vision", "firmware"} else package


GETTEXT = {"_", "_n"}
"""Markers of texts for the catalogues, public whatever they look like."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name not in GETTEXT


def private_imports(root: Path) -> list[str]:
    """List the imports of private names and modules of another room."""
    return [
        f"{name}: {module} {imported}"
        for name, path in modules(root).items()
        for module, imported in imports(path, root)
        if module.partition(".")[0] in PACKAGES
        and room(f"{module}.{imported}") != room(name)
        and any(is_private(part) for part in (*module.split("."), imported))
    ]


def test_no_module_imports_itself():
    found = find_cycle(ROOT)
    assert not found, " -> ".join(found)


def test_no_room_imports_private_names_of_another():
    assert private_imports(ROOT) == []


@pytest.mark.parametrize("name", ["from vision.a.c import _hidden", "import vision.a._hidden"])
def test_private_import_of_another_room_is_found(tmp_path, name):
    for inner in ("a", "b"):
        (tmp_path / "vision" / inner).mkdir(parents=True)
        (tmp_path / "vision" / inner / "d.py").write_text(name)
    assert [line.partition(":")[0] for line in private_imports(tmp_path)] == ["vision.b.d"]


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
    found = find_cycle(tmp_path)
    assert len(found) == 4
    assert "vision.a -> vision.b -> vision.c" in " -> ".join(found * 2)
