"""DataFrames as source: a name with calls of methods, laid out as formatters do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dstream_compat.native import to_source
from dstream_compat.native.expressions import Column, Expression
from dstream_compat.native.printing import NAMED, ExpressionSource
from migrator.spark.since import ANSI_SPARK, NEWEST, OLDEST, Version

from .older_spark import expression_for, least_spark, needs_ansi

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

    def inline(self, array: Expression, aliases: str) -> str:
        """Return the rows and columns of an array of tuples, as an argument of `select`."""
        return f"{self.functions}.inline({self.text(array)}).alias({aliases})"

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
