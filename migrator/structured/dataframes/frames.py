"""A DataFrame of the result, and how a record of the old stream is computed of its columns."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from dstream_compat.native.expressions import (
    Column,
    Expression,
    GetField,
    GetItem,
    Literal,
    Operator,
    Struct,
    Variable,
    struct,
    walk,
)
from dstream_compat.native.raising import always_evaluated, raises_itself
from dstream_compat.native.types import Long, Tuple, Type

from ..refusals import NotExpressible
from .chains import Chain
from .shared_parts import select_columns


@dataclass(frozen=True)
class Frame:
    """A DataFrame.

    Parameters
    ----------
    code : Chain
        how it is computed
    element : Expression
        what a record is, of the columns of the frame; it may still be to be computed
    names : tuple of str
        the names of the values of a record
    columns : tuple of str
        all columns of the frame in their order, if they are known
    raising : frozenset of str
        the columns whose computation may raise
    tied : tuple of frozenset of str
        columns that raise together: if one is computed, all have been
    sizes : tuple of (Expression, int)
        arrays that are known to have so many elements at least
    """

    code: Chain
    element: Expression
    names: tuple[str, ...]
    columns: tuple[str, ...] = ()
    raising: frozenset[str] = frozenset()
    sizes: tuple[tuple[Expression, int], ...] = ()
    tied: tuple[frozenset[str], ...] = ()

    @property
    def leaves(self) -> tuple[Expression, ...]:
        """The values of a record: of tuples, and of tuples in them, the fields."""
        return leaves_of(self.element)

    def with_element(self, element: Expression, names: tuple[str, ...]) -> Frame:
        """Return this frame with records that are computed otherwise."""
        return replace(self, element=element, names=unique(names))

    def with_value_columns(self) -> Frame:
        """Return this frame where each value that is computed is a column; constants need none."""
        if all(isinstance(leaf, Column | Literal) for leaf in self.leaves):
            return self
        pairs = [*zip(self.leaves, self.names, strict=True)]
        computed = [pair for pair in pairs if not isinstance(pair[0], Literal)]
        return self._with_columns(computed)

    def only_record_columns(self) -> Frame:
        """Return this frame with a column for each value of a record, and no other."""
        pairs = [*zip(self.leaves, self.names, strict=True)]
        own = tuple(leaf.name for leaf in self.leaves if isinstance(leaf, Column))
        if own == self.columns == self.names:
            return self
        return self._with_columns(pairs)

    def _with_columns(self, pairs: list[tuple[Expression, str]]) -> Frame:
        whole = _whole_column(pairs)
        code = (
            self.code.call("select", f'"{whole}.*"') if whole else select_columns(self.code, pairs)
        )
        names = tuple(name for _, name in pairs)
        computed = [each for each, _ in pairs]
        values = tuple(
            Column(leaf.type, name) if leaf in computed else leaf
            for leaf, name in zip(self.leaves, self.names, strict=True)
        )
        element = with_leaves(self.element, values)
        raising = frozenset(name for each, name in pairs if self.may_raise(each))
        sizes = tuple(
            (Column(each.type, name), size)
            for each, name in pairs
            for column, size in self.sizes
            if column == each
        )
        return Frame(code, element, self.names, names, raising, sizes, self._tied_columns(pairs))

    def _tied_columns(self, pairs: list[tuple[Expression, str]]) -> tuple[frozenset[str], ...]:
        """Return the new columns that raise for the same reason, and for no other."""
        groups: dict[frozenset[Expression], set[str]] = {}
        for expression, name in pairs:
            risky = frozenset(part for part in walk(expression) if self._raises_itself(part))
            if risky and risky <= {*always_evaluated(expression)}:
                groups.setdefault(risky, set()).add(name)
        return tuple(frozenset(names) for names in groups.values() if len(names) > 1)

    def with_tied_columns(self, names: Collection[str]) -> frozenset[str]:
        """Return columns that are computed, and those that raise together with one of them."""
        columns = set(names)
        for group in self.tied:
            if group & columns:
                columns |= group
        return frozenset(columns)

    def may_raise(self, expression: Expression) -> bool:
        """Return whether an expression over this frame may raise, or uses a column that may."""
        return any(map(self._raises_itself, walk(expression)))

    def _raises_itself(self, part: Expression) -> bool:
        """Return whether a part may raise, and not only because of a part of it."""
        match part:
            case Column(name=name):
                return name in self.raising
            case GetItem(object=array, index=Literal(value=int(place))):
                return not any(each == array and 0 <= place < size for each, size in self.sizes)
        return raises_itself(part)

    def keeps(self, node: ast.AST, *evaluated: Expression) -> None:
        """Check that what raises in a record raises still, as only these are evaluated.

        Raises
        ------
        NotExpressible
            if Spark would leave out an error of Python
        """
        if not self.may_raise(self.element):
            return
        sure = {part for each in evaluated for part in always_evaluated(each)}
        columns = self.with_tied_columns({part.name for part in sure if isinstance(part, Column)})
        risky = (part for part in walk(self.element) if self._raises_itself(part))
        if any(
            part not in sure and not (isinstance(part, Column) and part.name in columns)
            for part in risky
        ):
            raise NotExpressible(
                "EVALUATION",
                "a function before this step may raise, and Spark would not evaluate it for "
                "records that are left out here",
                node,
            )


def _whole_column(pairs: list[tuple[Expression, str]]) -> str:
    """Return the column whose fields are all values, under their names; else nothing."""
    owners = {expression.object for expression, _ in pairs if isinstance(expression, GetField)}
    if len(owners) != 1 or not all(isinstance(expression, GetField) for expression, _ in pairs):
        return ""
    (owner,) = owners
    fields = [expression.name for expression, _ in pairs if isinstance(expression, GetField)]
    if not isinstance(owner, Column) or not isinstance(owner.type, Tuple):
        return ""
    return owner.name if [*owner.type.names] == fields == [name for _, name in pairs] else ""


def leaves_of(element: Expression) -> tuple[Expression, ...]:
    """Return the values of a record: of tuples, and of tuples in them, the fields."""
    if not isinstance(element, Struct):
        return (element,)
    return tuple(leaf for field in element.fields for leaf in leaves_of(field))


def over_columns(element: Expression, names: Sequence[str]) -> Expression:
    """Return a record whose values are columns of these names."""
    leaves = leaves_of(element)
    columns = [Column(leaf.type, name) for leaf, name in zip(leaves, names, strict=True)]
    return with_leaves(element, columns)


def columns_of(kind: Type, names: Sequence[str]) -> Expression:
    """Return a value of a type, of columns of these names: one for each field of a tuple."""
    if not isinstance(kind, Tuple):
        return Column(kind, names[0])
    return struct(tuple(Column(*pair) for pair in zip(kind.fields, names, strict=True)))


def with_leaves(element: Expression, leaves: Sequence[Expression]) -> Expression:
    """Return a record of the same shape with other values."""
    return _with(element, iter(leaves))


def _with(element: Expression, leaves: Iterator[Expression]) -> Expression:
    if not isinstance(element, Struct):
        return next(leaves)
    assert isinstance(element.type, Tuple)
    fields = tuple(_with(field, leaves) for field in element.fields)
    kinds = tuple(field.type for field in fields)
    return Struct(replace(element.type, fields=kinds), fields)


def variables_of(value: Expression, name: str) -> Expression:
    """Return variables in the place of values: results are compared by how they are computed."""
    kinds = [Long() if isinstance(leaf.type, Long) else leaf.type for leaf in leaves_of(value)]
    return with_leaves(value, [Variable(kind, f"{name}{i}") for i, kind in enumerate(kinds)])


def shape_of(value: Any) -> Any:
    """Return an expression without its types; sums have no order."""
    if isinstance(value, tuple):
        return tuple(shape_of(field) for field in value)
    if not is_dataclass(value):
        return value
    parts = tuple(shape_of(getattr(value, f.name)) for f in fields(value) if f.name != "type")
    if isinstance(value, Operator) and value.symbol in ("+", "*"):
        parts = (value.symbol, frozenset((parts[1], parts[2])), parts[1] == parts[2])
    return type(value).__name__, parts


def unique(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names of columns, of which no two are the same."""
    taken: list[str] = []
    for name in names:
        number, free_name = 1, name
        while free_name in taken:
            number += 1
            free_name = f"{name}_{number}"
        taken.append(free_name)
    return tuple(taken)
