"""Expressions as the source of PySpark that a person would write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from itertools import groupby
from typing import Final

from .expressions import (
    Call,
    Cast,
    Column,
    Expression,
    Fold,
    GetField,
    GetItem,
    Given,
    Literal,
    Method,
    Not,
    Operator,
    OverArray,
    Raise,
    Struct,
    Variable,
    When,
)
from .layout import Infix, Invoked, Joined, Piece, Text, in_brackets, lay_out
from .types import Tuple
from .whitespace import AT_END, AT_ENDS, AT_START, CHARACTERS, RANGES

NAMED = {
    f"[{RANGES}]+": "WHITESPACE",
    CHARACTERS: "WHITESPACE_CHARACTERS",
    AT_ENDS: "WHITESPACE_AT_ENDS",
    AT_START: "WHITESPACE_AT_START",
    AT_END: "WHITESPACE_AT_END",
}
"""Constants that get a name, as their text says little."""

_COMPARISON, _OR, _AND, _SUM, _PRODUCT, _UNARY, _POSTFIX = range(2, 9)
_PRECEDENCE = {
    "|": _OR,
    "&": _AND,
    "+": _SUM,
    "-": _SUM,
    "*": _PRODUCT,
    "/": _PRODUCT,
    "%": _PRODUCT,
}


@dataclass(frozen=True)
class ExpressionSource:
    """The source of an expression.

    Parameters
    ----------
    text : str
        the expression; `F` is ``pyspark.sql.functions``
    constants : mapping
        the source of the constants that it uses, by their names
    """

    text: str
    constants: Mapping[str, str]


@dataclass
class _Printer:
    functions: str
    named: Mapping[str, str]
    used: dict[str, str] = field(default_factory=dict)

    def piece(self, node: Expression) -> Piece:
        """Return a node as it stands alone."""
        match node:
            case Literal():
                return self.call("lit", (self.bare(node),))
            case Column(name=name):
                return self.call("col", (Text(quote(column_name(name))),))
            case Variable(name=name):
                return Text(self.variable(name))
            case Given(name=name):
                return self.method(self.call("lit", (Text(name),)), "cast", (Text('"long"'),))
            case Cast(operand=Given(name=name), to="string"):
                return self.call("lit", (Text(f"str({name})"),))
            case Call(function="concat", arguments=arguments):
                parts = self.texts(arguments)
                return self.call("concat", parts) if len(parts) > 1 else parts[0]
            case Call(function="negative", arguments=(operand,)):
                return Joined((Text("-"), in_brackets(self.piece(operand), _UNARY)), _UNARY)
            case Call(function=name, arguments=arguments):
                return self.call(name, self.arguments(name, arguments))
            case Raise(message=message):
                return self.call("raise_error", self.arguments("raise_error", (message,)))
            case Method(name=name, object=owner, arguments=arguments):
                return self.method(self.piece(owner), name, tuple(map(self.bare, arguments)))
            case Operator():
                return self.operator(node)
            case Not(operand=operand):
                return Joined((Text("~"), in_brackets(self.piece(operand), _UNARY)), _UNARY)
            case Cast(operand=operand, to=to):
                return self.method(self.piece(operand), "cast", (Text(quote(to)),))
            case Struct(type=kind, fields=fields):
                assert isinstance(kind, Tuple)
                pairs = zip(fields, kind.names, strict=True)
                return self.call("struct", tuple(self.with_alias(*pair) for pair in pairs))
            case GetField(object=owner, name=name):
                return self.item(owner, Text(quote(name)))
            case GetItem(object=owner, index=index):
                return self.item(owner, self.bare(index))
            case When():
                return self.when(node)
        return self.over_array(node)

    def bare(self, node: Expression) -> Piece:
        """Return a node as an argument that may be a constant of Python."""
        if not isinstance(node, Literal):
            return self.piece(node)
        value = node.value
        if isinstance(value, str) and value in self.named:
            name = self.named[value]
            self.used[name] = quote(value)
            return Text(name)
        return Text(quote(value) if isinstance(value, str) else repr(value))

    def variable(self, name: str) -> str:
        """Return the name of an argument of a lambda; it must not hide the functions of Spark."""
        return f"{name}_" if name == self.functions else name

    def call(self, name: str, arguments: tuple[Piece, ...]) -> Piece:
        return Invoked(Text(f"{self.functions}.{name}"), arguments)

    def arguments(self, name: str, nodes: tuple[Expression, ...]) -> tuple[Piece, ...]:
        pieces = [
            self.bare(each) if is_raw(name, place, each) else self.piece(each)
            for place, each in enumerate(nodes)
        ]
        if name in OPTIONS:
            pairs = [f"{quote(key)}: {quote(value)}" for key, value in OPTIONS[name].items()]
            pieces.append(Text(f"{{{', '.join(pairs)}}}"))
        return tuple(pieces)

    def texts(self, nodes: tuple[Expression, ...]) -> tuple[Piece, ...]:
        """Return the parts of a text, where neighbours that Python knows become one f-string."""
        pieces: list[Piece] = []
        for fits, group in groupby(nodes, lambda each: bool(_in_f_string(each))):
            parts = tuple(group)
            if fits and len(parts) > 1 and any(isinstance(each, Cast) for each in parts):
                written = quote("".join(map(_in_f_string, parts)))
                pieces.append(self.call("lit", (Text(f"f{written}"),)))
            else:
                pieces += map(self.piece, parts)
        return tuple(pieces)

    def method(self, owner: Piece, name: str, arguments: tuple[Piece, ...]) -> Piece:
        return Invoked(Joined((in_brackets(owner, _POSTFIX), Text(f".{name}"))), arguments)

    def item(self, owner: Expression, index: Piece) -> Piece:
        return Joined((in_brackets(self.piece(owner), _POSTFIX), Text("["), index, Text("]")))

    def with_alias(self, node: Expression, name: str) -> Piece:
        """Return a node with a name; a column of this name has it."""
        if isinstance(node, Column) and node.name == name:
            return self.piece(node)
        return self.method(self.piece(node), "alias", (Text(quote(name)),))

    def operator(self, node: Operator) -> Piece:
        precedence = _PRECEDENCE.get(node.symbol, _COMPARISON)
        # A comparison is no operand of another one.
        least = precedence + (precedence == _COMPARISON)
        # Python asks the right operand, if the left one is a constant.
        bare = node.symbol not in "&|" and not isinstance(node.right, Literal)
        left = in_brackets(self.bare(node.left) if bare else self.piece(node.left), least)
        right = in_brackets(self.bare(node.right), precedence + 1)
        return Infix(left, node.symbol, right, precedence)

    def when(self, node: When) -> Piece:
        start: Piece = Text(self.functions)
        whole = reduce(
            lambda before, branch: self.method(
                before, "when", (self.piece(branch[0]), self.bare(branch[1]))
            ),
            node.branches,
            start,
        )
        return self.method(whole, "otherwise", (self.bare(node.otherwise),))

    def over_array(self, node: Expression) -> Piece:
        match node:
            case OverArray(function=name, array=array, variable=variable, body=body):
                return self.call(name, (self.piece(array), self.function((variable,), body)))
            case Fold(array=array, initial=initial, variables=variables, body=body):
                function = self.function(variables, body)
                return self.call("aggregate", (self.piece(array), self.piece(initial), function))
        raise AssertionError(f"no source for {node!r}")

    def function(self, variables: tuple[Variable, ...], body: Expression) -> Piece:
        names = ", ".join(self.variable(each.name) for each in variables)
        return Joined((Text(f"lambda {names}: "), self.piece(body)), 0)


def _in_f_string(node: Expression) -> str:
    """Return a part of a text as an f-string has it, empty if Python does not know it."""
    match node:
        case Literal(value=str(value)):
            return value.replace("{", "{{").replace("}", "}}")
        case Cast(operand=Given(name=name), to="string"):
            return f"{{{name}}}"
    return ""


def to_source(
    node: Expression,
    functions: str = "F",
    name: str | None = None,
    width: int = 100,
    indent: int = 0,
    used: int = 0,
    named: Mapping[str, str] = NAMED,
) -> ExpressionSource:
    """Return the source of an expression.

    Parameters
    ----------
    node : Expression
        what to print
    functions : str
        the name of ``pyspark.sql.functions``
    name : str, optional
        the name of the column, for ``alias``
    width, indent, used : int
        the length of lines, the indentation, and what else is on the first line
    named : mapping
        the names of constants, by their values
    """
    printer = _Printer(functions, named)
    piece = printer.piece(node) if name is None else printer.with_alias(node, name)
    return ExpressionSource(lay_out(piece, width, indent, used), printer.used)


def column_name(name: str) -> str:
    """Return a name of a column, in backticks if it needs them."""
    plain = name.replace("_", "a").isalnum() and name.isascii()
    return name if plain else "`" + name.replace("`", "``") + "`"


def quote(value: str) -> str:
    """Return a text in double quotes, raw if it has backslashes only for patterns."""
    printable = value.isprintable()
    if "\\" in value and printable and '"' not in value and not value.endswith("\\"):
        return f'r"{value}"'
    written = repr(value)
    if written[0] == "'" and '"' not in value:
        return f'"{written[1:-1]}"'
    return written


RAW: Final = {
    "array_contains": (1,),
    "array_join": (1,),
    "array_remove": (1,),
    "call_function": (0,),
    "decode": (1,),
    "element_at": (1,),
    "encode": (1,),
    "from_json": (1,),
    "instr": (1,),
    "lit": (0,),
    "map_contains_key": (1,),
    "raise_error": (0,),
    "regexp_extract_all": (2,),
    "regexp_replace": (1, 2),
    "slice": (1, 2),
    "split": (1, 2),
    "substring": (1, 2),
}
"""The places of such arguments."""

OPTIONS: Final = {"from_json": {"mode": "FAILFAST", "allowSingleQuotes": "false"}}
"""The options of functions that take them as the last argument."""


def is_raw(function: str, place: int, argument: Expression) -> bool:
    """Return whether an argument is given without ``lit``."""
    return isinstance(argument, Literal) and place in RAW.get(function, ())
