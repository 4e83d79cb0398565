"""Which modules lie beside a program."""

from __future__ import annotations

import pytest

from migrator.model.locate import ModuleIndex
from migrator.run.python2_files import module_beside

SOURCES = ["a.py", "b.py", "n.ipynb", "p/__init__.py", "p/c.py", "p/q/__init__.py", "p/r/s.py"]


@pytest.mark.parametrize(
    ("path", "modules"),
    [
        ("a.py", set()),
        ("n.ipynb", set()),
        ("p/c.py", {"q"}),
        ("p/__init__.py", {"c", "q"}),
        ("p/q/__init__.py", set()),
        ("p/r/s.py", set()),
    ],
)
def test_modules_of_the_same_package(path: str, modules: set[str]) -> None:
    is_beside = module_beside(ModuleIndex(SOURCES), path)
    assert {
        name for name in ("a", "b", "c", "p", "q", "r", "s", "os") if is_beside(name)
    } == modules


def test_a_package_of_its_own_name() -> None:
    sources = ["p/__init__.py", "p/a.py", "p/a/__init__.py"]
    assert module_beside(ModuleIndex(sources), "p/a.py")("a")
