"""Loops over new values that sum them up, or keep the largest or smallest one: a table."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .symbols import COUNT, Items, Sum, UnknownForm, path_of, symbol

if TYPE_CHECKING:
    from .cases import Case, Values


@dataclass(frozen=True)
class _Row:
    """A statement of a loop, in which ``N`` is the name that it changes and ``V`` a value."""

    function: str
    written: str
    starts: bool = False
    """Whether None is taken for no value yet."""

    @property
    def statement(self) -> ast.stmt:
        """The statement."""
        return ast.parse(self.written).body[0]


_TABLE = (
    *(_Row("sum", each) for each in ("N += V", "N = N + V", "N = V + N")),
    *(_Row(best, f"N = {best}({each})") for best in ("max", "min") for each in ("N, V", "V, N")),
    *(
        _Row(best, f"if {guard}{left} {sign}{equal} {right}:\n    N = V", bool(guard))
        for guard in ("", "N is None or ")
        for equal in ("", "=")
        for best, left, sign, right in (
            *(("max", "V", ">", "N"), ("max", "N", "<", "V")),
            *(("min", "V", "<", "N"), ("min", "N", ">", "V")),
        )
    ),
)


def loop(case: Case, target: ast.expr, items: Any, body: list[ast.stmt], names: Values) -> None:
    """Read a loop over the new values, each statement of which changes a name of its own."""
    if not isinstance(items, Items) or items.others or path_of(items.each) is None:
        raise UnknownForm
    if case.empty:
        return
    inner: Values = {}
    case.bind(target, items.each, inner)
    changed: Values = {}
    for statement in body:
        name, value = _changed(case, statement, inner, names)
        if name in changed or name in inner:
            raise UnknownForm
        changed[name] = value
    for name in inner:
        names.pop(name, None)
    names.update(changed)


def _changed(case: Case, statement: ast.stmt, inner: Values, names: Values) -> tuple[str, Any]:
    """Return the name that a statement of a loop changes, and its value after the loop."""
    for row in _TABLE:
        found: dict[str, ast.AST] = {}
        if not _is_like(case, statement, row.statement, found):
            continue
        name, node = found["N"], found["V"]
        if not isinstance(name, ast.Name) or not isinstance(node, ast.expr) or name.id not in names:
            raise UnknownForm
        before, value = names[name.id], case.value(node, inner)
        if row.function == "sum":
            return name.id, _added(before, value)
        if path_of(value) is None:
            raise UnknownForm
        earlier = [] if before is None and row.starts else [before]
        return name.id, case.best_of(row.function, [*earlier, value])
    raise UnknownForm


def _is_like(case: Case, node: Any, row: Any, found: dict[str, ast.AST]) -> bool:
    """Return whether a piece of code is like one of the table, and note what N and V are."""
    if isinstance(row, ast.Name):
        if row.id in "NV":
            return ast.unparse(found.setdefault(row.id, node)) == ast.unparse(node)
        return isinstance(node, ast.expr) and case.known(node, row.id)
    if isinstance(row, list):
        same = isinstance(node, list) and len(node) == len(row)
        return same and all(_is_like(case, *pair, found) for pair in zip(node, row, strict=True))
    if isinstance(row, ast.AST):
        fields = (each for each in row._fields if each not in ("ctx", "type_comment"))
        return type(node) is type(row) and all(
            _is_like(case, getattr(node, each), getattr(row, each), found) for each in fields
        )
    return bool(node == row)


def _added(before: Any, value: Any) -> Sum:
    path = path_of(value)
    if path is not None:
        return Sum().plus(before).plus(symbol("sum", path))
    if isinstance(value, Sum) and not value.terms:
        return Sum().plus(before).plus(COUNT, value.number)
    raise UnknownForm
