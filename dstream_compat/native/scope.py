"""What a translation knows at one place of a function, and how it refuses there."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import NoReturn

from .expressions import Call, Expression, Literal, Method, error, guard, text
from .json_uses import JsonUses, path_text
from .names import Environment, Local, Meaning
from .refusals import Code, Refusal, refusal_error
from .types import (
    Array,
    Boolean,
    CaseMapped,
    Double,
    Long,
    Nullable,
    Record,
    String,
    Type,
    Unsettled,
    present,
    words,
)

Value = Meaning
"""An expression, or a function that is called or passed on."""

MOST_STEPS = 20_000


@dataclass
class TranslationRun:
    """What is common to all places of one translation.

    Parameters
    ----------
    accept : frozenset of Code
        the differences that the caller accepts
    syntax : mapping
        the translations of nodes, by their type
    truth, call, call_condition : callable
        the truth of an expression; the call of a function with values, and the truth of its result
    json : Type or JsonUses, optional
        the shape of the texts that `json.loads` reads, or what finds it out
    assume : frozenset of Code
        the accepted differences that the caller rules out: nothing tests for them
    """

    accept: frozenset[Code]
    syntax: Mapping[type[ast.AST], Callable[[Site], Value]]
    truth: Callable[[Site, ast.expr], Expression]
    call: Callable[[Site, Value, tuple[Value, ...], Mapping[str, Value]], Value]
    call_condition: Callable[..., Expression]
    json: Type | JsonUses | None = None
    assume: frozenset[Code] = frozenset()
    used: list[Refusal] = field(default_factory=list)
    pending: list[Local] = field(default_factory=list)
    """The functions of the source that are being translated, the innermost last."""
    variables: Counter[str] = field(default_factory=Counter)
    steps: int = 0


@dataclass(frozen=True)
class Scope:
    """A place of a function.

    Parameters
    ----------
    names : mapping
        the local names that are assigned here
    environment : Environment
        where all other names are looked up
    run : Run
        the translation
    known : frozenset of Expression
        the values that are known not to be None here
    own : frozenset of str
        all local names of the function; one that is not in `names` is not assigned yet
    """

    names: Mapping[str, Value]
    environment: Environment
    run: TranslationRun
    known: frozenset[Expression] = frozenset()
    own: frozenset[str] = frozenset()

    def lookup(self, name: str) -> Value | None:
        """Return the meaning of a name here."""
        if name in self.names:
            return self.names[name]
        return None if name in self.own else self.environment.lookup(name)

    def binding(self, names: Mapping[str, Value]) -> Scope:
        """Return this place with more names."""
        return replace(self, names={**self.names, **names})

    def with_known_values(self, values: frozenset[Expression]) -> Scope:
        """Return this place, where more values are known not to be None."""
        return replace(self, known=self.known | values)

    def free_name(self, name: str) -> str:
        """Return a name for the elements of an array, which no variable around it has."""
        self.run.variables[name] += 1
        number = self.run.variables[name]
        return name if number == 1 else f"{name}{number}"

    def at(self, node: ast.AST) -> Site:
        """Return a piece of source at this place."""
        self.run.steps += 1
        site = Site(node, self)
        if self.run.steps > MOST_STEPS:
            site.refuse(Code.SYNTAX, "the function is too large")
        return site

    def value(self, node: ast.expr) -> Value:
        """Return the value of a piece of source."""
        here = self.at(node)
        handler = self.run.syntax.get(type(node))
        if handler is None:
            here.refuse(Code.SYNTAX, "this syntax is not translated")
        value = handler(here)
        if isinstance(value, Expression) and value in self.known:
            return replace(value, type=present(value.type))
        return value

    def expression(self, node: ast.expr) -> Expression:
        """Return the value of a piece of source that is no function."""
        return self.at(node).expression(self.value(node))

    def condition(self, node: ast.expr) -> Expression:
        """Return the truth of a piece of source, where only the truth is used."""
        return self.run.truth(self.at(node), node)


@dataclass(frozen=True)
class Site:
    """A piece of source at its place, as its translation sees it."""

    node: ast.AST
    scope: Scope

    def refuse(self, code: Code, text: str) -> NoReturn:
        """End the translation here."""
        raise refusal_error(code, self.node, text)

    def accept(self, code: Code, text: str) -> None:
        """Go on only if the caller has accepted a difference, and note it."""
        refusal = refusal_error(code, self.node, text)
        if code not in self.scope.run.accept:
            raise refusal
        if refusal.refusal not in self.scope.run.used:
            self.scope.run.used.append(refusal.refusal)

    def apply(self, function: Value, *arguments: Value) -> Value:
        """Call a function with values."""
        return self.scope.run.call(self, function, arguments, {})

    def condition(self, function: Value, *arguments: Value) -> Expression:
        """Return the truth of what a function returns."""
        return self.scope.run.call_condition(self, function, *arguments)

    def present(self, value: Expression, doing: str) -> Expression:
        """Return a value that is not None: where it is, Python
        raises, and so does the expression.
        """
        if not isinstance(value.type, Nullable):
            return value
        return Call(present(value.type), "coalesce", (value, error(f"None has no {doing}")))

    def expect(self, value: Value, *kinds: type[Type]) -> Expression:
        """Return a value of one of these types, which is not
        None; refused if it has another type.
        """
        present_value = self.present(self.expression(value), "value here")
        self._expects(present_value, kinds)
        if not isinstance(present_value.type, kinds):
            names = " or ".join(kind.__name__.lower() for kind in kinds)
            self.refuse(Code.TYPE, f"needs {names}, not {words(present_value.type)}")
        return present_value

    def _expects(self, value: Expression, kinds: tuple[type[Type], ...]) -> None:
        """Note that a value of a JSON text is expected to be of one of these types."""
        if kinds == (String,) or kinds == (Boolean,):
            self.tells(value, kinds[0])
        elif String not in kinds and Array in kinds:
            self.tells(value, Array)
        elif String not in kinds and (Long in kinds or Double in kinds):
            self.tells(value, Double)

    def tells(self, value: Expression, kind: type[Type]) -> None:
        """Note the type of a value of a JSON text, where its uses tell it: then translate again.

        Parameters
        ----------
        value : Expression
            the value that is used; nothing happens if its type is known
        kind : type of Type
            what the use says; `Double` stands for any number
        """
        uses, present_type = self.scope.run.json, present(value.type)
        unknown = isinstance(present_type, Unsettled) or (
            isinstance(present_type, Record) and not present_type.names
        )
        path = present_type.path if isinstance(present_type, Unsettled | Record) else None
        if unknown and path is not None and isinstance(uses, JsonUses) and uses.settle(path, kind):
            self.refuse(Code.JSON_SHAPE, f"the type of {path_text(path)} is known only now")

    def indexed_value(self, value: Expression) -> Expression:
        """Return a value that is indexed: what is taken of it tells nothing about the whole."""
        uses, kind = self.scope.run.json, value.type
        if isinstance(kind, Unsettled) and isinstance(uses, JsonUses):
            uses.index(kind.path)
            return replace(value, type=String())
        return value

    def tells_like(self, value: Expression, other: Expression) -> None:
        """Note the type of a value of a JSON text that is used together with another value."""
        kind = present(other.type)
        if isinstance(kind, Array | Boolean) or type(kind) is String:
            self.tells(value, type(kind))
        elif isinstance(kind, Long | Double):
            self.tells(value, Double)

    def expression(self, value: Value) -> Expression:
        """Return a value that is no function."""
        if not isinstance(value, Expression):
            self.refuse(Code.TYPE, "a function or module is used as a value")
        return self._settled_text(value) if isinstance(value.type, CaseMapped) else value

    def _settled_text(self, value: Expression) -> Expression:
        """Return a text in upper or lower case as a value: only that of an ASCII text is known."""
        self.accept(Code.CASE_MAPPING, "the text may have characters beyond ASCII")
        assert isinstance(value, Call)
        if Code.CASE_MAPPING in self.scope.run.assume:
            return replace(value, type=String())
        (original,) = value.arguments
        only_ascii = Method(Boolean(), "rlike", original, (text(r"\A[\x00-\x7f]*\z"),))
        message = f"{value.function} of a text beyond ASCII: "
        return guard(only_ascii, replace(value, type=String(True)), message, original)

    def constant(self, value: Value, *kinds: type) -> object:
        """Return the value of a constant of one of these Python types."""
        if not (isinstance(value, Literal) and type(value.value) in kinds):
            names = " or ".join(kind.__name__ for kind in kinds)
            self.refuse(Code.ARGUMENTS, f"needs a constant {names} here")
        return value.value

    def text(self, value: Value) -> str:
        """Return the value of a constant text."""
        text = self.constant(value, str)
        assert isinstance(text, str)
        return text
