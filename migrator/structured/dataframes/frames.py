"""A DataFrame of the result as source: calls of methods, laid out as formatters do.

A frame also says how a record of the old stream is computed of its columns.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import chain, count
from typing import Any

from dstream_compat.native import to_source
from dstream_compat.native.expressions import (
    Call,
    Column,
    Expression,
    GetField,
    GetItem,
    Literal,
    Operator,
    Struct,
    Variable,
    When,
    struct,
    walk,
)
from dstream_compat.native.printing import NAMED, ExpressionSource
from dstream_compat.native.raising import always_evaluated, raises_itself
from dstream_compat.native.types import Long, String, Tuple, Type
from migrator.spark.since import ANSI_SPARK, NEWEST, OLDEST, Version

from ..refusals import NotExpressible
from .older_spark import expression_for, least_spark, needs_ansi, with_parts

WIDTH = 100
INDENT = "    "


@dataclass(frozen=True)
class Aliased:
    """An expression as an argument, under the name of its column."""

    expression: Expression
    name: str | None = None

    def is_column(self) -> bool:
        """Return whether it is a column of the frame as it is, so that its name is enough."""
        expression = self.expression
        return isinstance(expression, Column) and self.name in (None, expression.name)


Argument = str | Aliased


@dataclass(frozen=True)
class MethodCall:
    """A call of a method; without arguments in brackets it is an attribute."""

    name: str
    arguments: tuple[Argument, ...] | None = ()


@dataclass(frozen=True)
class Chain:
    """A DataFrame: where it begins, and the methods that are called."""

    root: str
    calls: tuple[MethodCall, ...] = ()

    def call(self, name: str, *arguments: Argument) -> Chain:
        """Return this frame with one more call."""
        return Chain(self.root, (*self.calls, MethodCall(name, arguments)))

    def attribute(self, name: str) -> Chain:
        """Return an attribute of this frame, such as `write`."""
        return Chain(self.root, (*self.calls, MethodCall(name, None)))

    @property
    def is_name(self) -> bool:
        """Whether it is a variable."""
        return not self.calls


class Printer:
    """Prints frames, and keeps the constants that they need.

    Parameters
    ----------
    functions : str
        the name of ``pyspark.sql.functions``
    free_name : callable
        gives a name that the module does not use, if possible a wanted one
    spark : (int, int)
        the oldest Spark that is to run them

    Attributes
    ----------
    least : (int, int)
        the first Spark that gives what the expressions mean
    needs_ansi : bool
        whether an older Spark has to be told to raise where Python does
    """

    def __init__(
        self, functions: str, free_name: Callable[[str], str], spark: Version = NEWEST
    ) -> None:
        self.functions = functions
        self.spark = spark
        self.least = OLDEST
        self.needs_ansi = False
        self._named = {value: free_name(name) for value, name in NAMED.items()}
        self.constants: dict[str, str] = {}

    def statement(self, start: str, chain: Chain, indent: int) -> str:
        """Return a statement, such as ``words = `` with a frame, at an indentation."""
        pad = " " * indent
        line = f"{start}{chain.root}{self._flat(chain.calls, indent)}"
        if "\n" not in line and indent + len(line) <= WIDTH:
            return pad + line
        if len(chain.calls) == 1:
            start += chain.root
            return f"{pad}{start}{self._call(chain.calls[0], indent, len(start))}"
        inner = indent + len(INDENT)
        lines = [f"{pad}{start}(", f"{' ' * inner}{chain.root}"]
        # the first call stays where the frame begins, and so does what follows an attribute
        joined = True
        for call in chain.calls:
            text = self._call(call, inner, len(lines[-1]) - inner if joined else 0)
            if joined:
                lines[-1] += text
            else:
                lines.append(" " * inner + text)
            joined = call.arguments is None
        return "\n".join([*lines, f"{pad})"])

    def values(self, expressions: tuple[Expression, ...]) -> str:
        """Return expressions as they will be written where they are used."""
        parts = [self._source(expression).text for expression in expressions]
        return ", ".join(parts)

    def text(self, expression: Expression) -> str:
        """Return an expression on one line, with the constants that it needs noted."""
        text = self._source(expression)
        self.constants.update(text.constants)
        return text.text

    def inline(self, array: str, names: tuple[str, ...]) -> str:
        """Return the rows and columns of an array of tuples, as an argument of `select`."""
        aliases = ", ".join(f'"{name}"' for name in names)
        return f"{self.functions}.inline({array}).alias({aliases})"

    def expression(self, chain: Chain) -> str:
        """Return a frame inside of other code."""
        return chain.root + self._flat(chain.calls, 0)

    def _flat(self, calls: tuple[MethodCall, ...], indent: int) -> str:
        return "".join(self._call(call, indent, 0, 100_000) for call in calls)

    def _call(self, call: MethodCall, indent: int, used: int, width: int = WIDTH) -> str:
        if call.arguments is None:
            return f".{call.name}"
        flat = [self._argument(argument, 0, 0, 100_000) for argument in call.arguments]
        line = f".{call.name}({', '.join(flat)})"
        if "\n" not in line and indent + used + len(line) <= width:
            return line
        inner = indent + len(INDENT)
        parts = [self._argument(argument, inner, 1, width) for argument in call.arguments]
        lines = "".join(f"\n{' ' * inner}{part}," for part in parts)
        return f".{call.name}({lines}\n{' ' * indent})"

    def _argument(self, argument: Argument, indent: int, used: int, width: int) -> str:
        if isinstance(argument, str):
            return argument
        if argument.is_column():
            assert isinstance(argument.expression, Column)
            return f'"{argument.expression.name}"'
        text = self._source(argument.expression, argument.name, width, indent, used)
        self.constants.update(text.constants)
        return text.text

    def _source(
        self,
        expression: Expression,
        name: str | None = None,
        width: int = 100_000,
        indent: int = 0,
        used: int = 0,
    ) -> ExpressionSource:
        if self.spark < ANSI_SPARK:
            self.needs_ansi |= needs_ansi(expression)
            expression = expression_for(expression, self.spark)
        else:
            self.least = max(self.least, least_spark(expression))
        return to_source(expression, self.functions, name, width, indent, used, self._named)


OFTEN = 4
"""How often a small part is written before it gets a name."""
SMALL, LARGE = 3, 7
"""The least nodes of a part that gets a name; and of one that is written less often."""

Pair = tuple[Expression, str]


def select_columns(code: Chain, pairs: list[Pair]) -> Chain:
    """Return a frame with these columns, after the parts that they share."""
    code, pairs, _ = share_parts(code, pairs)
    return code.call("select", *(Aliased(*pair) for pair in pairs))


def share_parts(
    code: Chain, pairs: list[Pair], others: Sequence[Expression] = ()
) -> tuple[Chain, list[Pair], Sequence[Expression]]:
    """Return a frame with the parts that columns share.

    Parameters
    ----------
    pairs : list of (Expression, str)
        the columns with their names
    others : sequence of Expression
        what is computed of the frame, too, such as aggregates
    """
    while (part := _shared_part([each for each, _ in pairs])) is not None:
        every = [*(each for each, _ in pairs), *others]
        taken = {column.name for each in every for column in _columns(each)}
        name = _name(part, pairs, taken | {name for _, name in pairs})
        column = Column(part.type, name)
        pairs = [(replace_part(each, part, column), alias) for each, alias in pairs]
        others = [replace_part(other, part, column) for other in others]
        every = [*(each for each, _ in pairs), *others]
        needed = dict.fromkeys(
            column.name for expression in every for column in _columns(expression)
        )
        columns = (Aliased(Column(part.type, each)) for each in needed if each != name)
        code = code.call("select", *columns, Aliased(part, name))
    return code, pairs, others


def _shared_part(expressions: list[Expression]) -> Expression | None:
    """Return the smallest part that is worth a name, and is computed whatever a record is."""
    counted = Counter(part for expression in expressions for part in walk(expression))
    sure = {part for expression in expressions for part in always_evaluated(expression)}
    candidates = [
        part
        for part, times in counted.items()
        if part in sure
        and times > 1
        and isinstance(part, Call | GetField | GetItem | When)
        and not any(isinstance(piece, Variable) for piece in walk(part))
        and any(isinstance(piece, Column) for piece in walk(part))
        and _size(part) >= (LARGE if times < OFTEN else SMALL)
    ]
    return min(candidates, key=_size, default=None)


def _size(part: Expression) -> int:
    return sum(1 for _ in walk(part))


def _name(part: Expression, pairs: list[Pair], taken: Collection[str]) -> str:
    base_name = next((name for expression, name in pairs if part in walk(expression)), "value")
    match part:
        case Call(function="split"):
            base_name = "parts"
        case GetField(name=name) | Call(function="coalesce", arguments=(GetField(name=name), *_)):
            base_name = name
        case _ if isinstance(part.type, String):
            base_name += "_text"
        case _:
            base_name += "_part"
    return free_name(base_name, taken)


def _columns(expression: Expression) -> Iterator[Column]:
    return (part for part in walk(expression) if isinstance(part, Column))


def replace_part(value: Expression, part: Expression, column: Column) -> Expression:
    """Return an expression with a column in the place of a part."""
    if value == part:
        return column
    return with_parts(value, lambda each: replace_part(each, part, column))


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
        taken.append(free_name(name, taken))
    return tuple(taken)


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name, with a number behind it if it is taken."""
    numbered = (f"{name}_{number}" for number in count(2))
    return next(each for each in chain([name], numbered) if each not in taken)
