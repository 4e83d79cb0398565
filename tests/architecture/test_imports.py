"""How files know each other: circles of imports, names of classes, and what tests may use."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from importlib.util import resolve_name
from pathlib import Path

import pytest

from tests.support.modules import ROOT, Module, modules

pytestmark = pytest.mark.slow

PACKAGES = ["dstream_compat", "migrator"]
# a value, what it belongs to, and what holds both may know each other
MOST = 3


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements in a tree; no expression holds one."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):
            if isinstance(child, ast.stmt):
                yield child
            yield from statements(child)


def imported(module: Module, known: Collection[str]) -> Iterator[str]:
    """The modules that a module imports: at the top, in functions, for types only."""
    for node in statements(module.tree):
        if isinstance(node, ast.ImportFrom):
            target = resolve_name("." * node.level + (node.module or ""), module.package)
            for alias in node.names:
                whole = f"{target}.{alias.name}"
                yield whole if whole in known else target
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def reachable(start: str, graph: dict[str, set[str]]) -> set[str]:
    """Everything that a module imports, directly or not."""
    seen: set[str] = set()
    pending = [start]
    while pending:
        new = graph[pending.pop()] - seen
        seen |= new
        pending.extend(new)
    return seen


def circles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """The groups of modules that import each other, directly or not."""
    below = {name: reachable(name, graph) for name in graph}
    groups = {
        frozenset(other for other in below[name] if name in below[other])
        for name in graph
        if name in below[name]
    }
    return groups


@pytest.mark.parametrize("package", PACKAGES)
def test_circles_are_small(package: str) -> None:
    trees = modules(ROOT / package)
    graph = {
        name: {target for target in imported(module, trees) if target in trees} - {name}
        for name, module in trees.items()
    }
    assert sum(map(len, graph.values())) > len(graph) / 2
    assert [sorted(group) for group in circles(graph) if len(group) > MOST] == []


def test_circles_are_found(tmp_path: Path) -> None:
    sources = {
        "a": "from p import b",
        "b": "def f():\n    import p.c",
        "c": "if TYPE_CHECKING:\n    from p.d import x",
        "d": "from . import a",
        "e": "import p.a",
    }
    (tmp_path / "p").mkdir()
    for name, source in sources.items():
        (tmp_path / "p" / f"{name}.py").write_text(source)
    trees = modules(tmp_path / "p")
    graph = {
        name: {target for target in imported(module, trees) if target in trees}
        for name, module in trees.items()
    }
    assert circles(graph) == {frozenset({"p.a", "p.b", "p.c", "p.d"})}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_class_has_a_name_of_its_own(package: str) -> None:
    """Private classes of a module may share theirs: nobody meets both."""
    found: dict[str, list[str]] = {}
    for name, module in modules(ROOT / package).items():
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(name)
    assert {name: homes for name, homes in found.items() if len(homes) > 1} == {}


def test_tests_import_no_tests() -> None:
    """What tests share is in ``tests.support``."""
    trees = modules(ROOT / "tests")
    tests = {name for name in trees if name.rpartition(".")[2].startswith("test_")}
    assert len(tests) > 100
    found = {
        (name, target)
        for name, module in trees.items()
        for target in imported(module, trees)
        if target in tests and target != name
    }
    assert found == set()


def test_tests_move_time_with_the_public_clock() -> None:
    """Tests of jobs use ``dstream_compat.testing.ManualClock``, as users' tests do."""
    found = {
        name
        for name, module in modules(ROOT / "tests").items()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and node.attr == "_clock"
    }
    assert found == set()
