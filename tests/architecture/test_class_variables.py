"""What a class defines is the same for all of its instances: none of them assigns it anew."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.modules import ROOT, Module, modules

Known = dict[str, "Class"]
"""Classes by module and name, such as ``package.module.Name``."""


class Class(NamedTuple):
    """A class of the package."""

    tree: ast.ClassDef
    bases: list[str]


def classes(trees: dict[str, Module]) -> Known:
    """The classes at the top of modules, with their bases as far as they are of the package."""
    found = {}
    for name, module in trees.items():
        names = dict(imported_names(module))
        own = [node for node in module.tree.body if isinstance(node, ast.ClassDef)]
        names |= {node.name: f"{name}.{node.name}" for node in own}
        for node in own:
            bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
            above = [names.get(base.id, "") for base in bases if isinstance(base, ast.Name)]
            found[f"{name}.{node.name}"] = Class(node, above)
    return found


def imported_names(module: Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            target = resolve_name("." * node.level + (node.module or ""), module.package)
            for alias in node.names:
                yield alias.asname or alias.name, f"{target}.{alias.name}"


def ancestors(name: str, known: Known) -> Iterator[str]:
    """The class itself and those above it."""
    if name in known:
        yield name
        for base in known[name].bases:
            yield from ancestors(base, known)


def variables(tree: ast.ClassDef) -> set[str]:
    """The names to which a class gives a value that instances do not get in their constructor."""
    is_dataclass = any("dataclass" in ast.unparse(one) for one in tree.decorator_list)
    found = set()
    for node in tree.body:
        if isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and node.value and isinstance(node.target, ast.Name):
            of_class = ast.unparse(node.annotation).startswith(("ClassVar", "Final"))
            if of_class or not is_dataclass:
                found.add(node.target.id)
    return found


def assigned(tree: ast.ClassDef) -> set[str]:
    """The attributes that methods of a class assign."""
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }


def changed(known: Known) -> set[str]:
    """The variables of classes that their instances assign, as ``module.Class.name``."""
    return {
        f"{name}.{attribute}"
        for name, found in known.items()
        for above in ancestors(name, known)
        for attribute in variables(known[above].tree) & assigned(found.tree)
    }


@pytest.mark.slow
def test_no_instance_assigns_a_variable_of_its_class() -> None:
    known = classes(modules(ROOT / "dstream_compat"))
    assert len(known) > 300
    assert sum(len(found.bases) > 0 for found in known.values()) > 100
    assert changed(known) == set()


def test_they_are_found(tmp_path: Path) -> None:
    sources = {
        "a": (
            "class A:\n    label = ''\n    rate: int | None = None\n    kind: str\n"
            "    LIMIT: Final = 1\n    def f(self):\n        self.kind, self.rate = 'k', 1\n"
        ),
        "b": (
            "from .a import A as Base\n@dataclass(frozen=True)\nclass B(Base):\n    size: int = 0\n"
            "    slots: ClassVar[int] = 0\n"
            "    def f(self):\n        self.size += 1\n        self.slots += 1\n"
        ),
        "c": (
            "import p.b\nfrom p.b import B\nclass C(B[int]):\n    def f(self):\n"
            "        with open('x') as self.label:\n            print(self.LIMIT)\n"
        ),
    }
    (tmp_path / "p").mkdir()
    for name, source in sources.items():
        (tmp_path / "p" / f"{name}.py").write_text(source)
    found = changed(classes(modules(tmp_path / "p")))
    assert found == {"p.a.A.rate", "p.b.B.slots", "p.c.C.label"}
