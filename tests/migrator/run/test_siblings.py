"""Which modules lie beside a program."""

from __future__ import annotations

import pytest

from migrator.run.python2_files import modules_by_folder, siblings_of

SOURCES = ["a.py", "b.py", "n.ipynb", "p/__init__.py", "p/c.py", "p/q/__init__.py", "x/d.py"]


@pytest.mark.parametrize(
    ("path", "modules", "package"),
    [
        ("a.py", {"b", "p"}, False),
        ("n.ipynb", {"a", "b", "p"}, False),
        ("p/c.py", {"q"}, True),
        ("p/__init__.py", {"c", "q"}, False),
        ("p/q/__init__.py", set(), False),
        ("x/d.py", set(), False),
        ("y/e.py", set(), False),
    ],
)
def test_siblings(path: str, modules: set[str], package: bool) -> None:
    found = siblings_of(path, modules_by_folder(SOURCES))
    assert (set(found.modules), found.is_package) == (modules, package)


def test_a_package_of_its_own_name() -> None:
    sources = ["a.py", "a/__init__.py"]
    assert siblings_of("a.py", modules_by_folder(sources)).modules == {"a"}
