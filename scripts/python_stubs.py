"""What the standard library has, on any platform and however it was built: mypy's stubs know it."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Final

PLATFORMS: Final = ("linux", "darwin", "win32")


@cache
def stubs() -> Path:
    """Return the folder of the stubs that mypy brings."""
    spec = importlib.util.find_spec("mypy")
    assert spec is not None and spec.origin is not None, "mypy brings the stubs: install it"
    return Path(spec.origin).parent / "typeshed" / "stdlib"


@cache
def names_anywhere(module: str, version: tuple[int, ...], folder: Path) -> frozenset[str]:
    """Return the names of a module that some platform has.

    Parameters
    ----------
    module : str
        its dotted name
    version : tuple of int
        of the Python, such as ``(3, 13)``
    folder : Path
        where the stubs are
    """
    place = folder.joinpath(*module.split("."))
    files = [f for f in (place / "__init__.pyi", place.with_suffix(".pyi")) if f.exists()]
    if not files:
        return frozenset()
    code = ast.parse(files[0].read_text("utf-8")).body
    return frozenset(
        name
        for platform in PLATFORMS
        for statement in _that_hold(code, SimpleNamespace(version_info=version, platform=platform))
        for name in _bound(statement, version, folder)
    )


def _that_hold(code: Sequence[ast.stmt], sys: SimpleNamespace) -> Iterator[ast.stmt]:
    """Yield the statements for a version on a platform."""
    for statement in code:
        if isinstance(statement, ast.If):
            test = compile(ast.Expression(statement.test), "<stub>", "eval")
            holds = eval(test, {"sys": sys, "TYPE_CHECKING": True})
            yield from _that_hold(statement.body if holds else statement.orelse, sys)
        else:
            yield statement


def _bound(statement: ast.stmt, version: tuple[int, ...], folder: Path) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Assign(targets=targets):
            yield from (n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name))
        case ast.ImportFrom(module=str(module), names=[ast.alias(name="*")], level=0):
            yield from (n for n in names_anywhere(module, version, folder) if n[0] != "_")
        case ast.ImportFrom(names=aliases):
            # others are for the stub itself
            yield from (each.name for each in aliases if each.name == each.asname)
