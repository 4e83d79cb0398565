"""Infers the types of expressions of Python, and which errors they raise."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dstream_compat.native.expressions import Expression, constant
from dstream_compat.native.names import Environment, Known, Local
from dstream_compat.native.types import (
    Array,
    Boolean,
    Dictionary,
    Double,
    Never,
    NoneType,
    Nullable,
    String,
    Tuple,
    Type,
    present,
)

from .calls import call, call_known
from .formats import check_percent
from .names import Names, OuterNames, Value, label, narrowed
from .parts import formatted, item
from .results import Raised, elements, negative, operation, ordered
from .statements import body_type
from .types import SetOf, UnknownTypeError, has_integers, hashable, ints, named, printable, united

DEPTH = 12


class TypeInference:
    """Follows a function on types.

    Parameters
    ----------
    lookup : callable
        the meaning of a name that is not of the function itself; raises if it is not known
    """

    def __init__(self, lookup: Callable[[str, Environment], Value]) -> None:
        self.lookup = lookup
        self.raised: Raised = set()
        self.uncaught: Raised = set()
        self.environments: list[Environment] = []
        self.own: list[frozenset[str]] = []
        self.returned: list[list[Type]] = []

    def call(self, function: Value, arguments: list[Type]) -> Type:
        """Return the type of what a function returns for arguments of some types."""

        if isinstance(function, Known):
            return call_known(self, function.name, list(arguments), {}, [])
        if not isinstance(function, Local):
            raise UnknownTypeError("what is called is no known function")
        if len(self.environments) >= DEPTH:
            raise UnknownTypeError(f"`{function.name}` calls itself")
        names = self._parameters(function, arguments)
        self.environments.append(function.environment)
        try:
            node = function.node
            if isinstance(node, ast.Lambda):
                self.own.append(frozenset(names))
                try:
                    return self.type(node.body, names)
                finally:
                    self.own.pop()
            return body_type(self, node, names)
        finally:
            self.environments.pop()

    def _parameters(self, function: Local, arguments: list[Type]) -> Names:
        given = function.node.args
        if given.vararg or given.kwarg:
            raise UnknownTypeError(f"`{function.name}` takes any number of arguments")
        every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        names: Names = {}
        positional = len(given.posonlyargs) + len(given.args)
        if len(arguments) > positional:
            raise UnknownTypeError(f"`{function.name}` does not take these arguments")
        for place, each in enumerate(every):
            if place < len(arguments) and place < positional:
                names[each.arg] = arguments[place]
                continue
            default = function.defaults.get(each.arg)
            if not isinstance(default, Expression):
                raise UnknownTypeError(f"the argument `{each.arg}` is not known")
            names[each.arg] = default.type
        return names

    def value(self, node: ast.expr, names: Names) -> Value:
        """Return the type of an expression, or the function that it is."""
        match node:
            case ast.Name(id=name):
                if name in names:
                    return names[name]
                if self.own and name in self.own[-1]:
                    raise UnknownTypeError(f"`{name}` may not be assigned here")
                environment = self.environments[-1]
                while isinstance(environment, OuterNames):
                    if name in environment.names:
                        raise UnknownTypeError(f"`{name}` is of the function around a lambda")
                    environment = environment.outer
                return self.lookup(name, environment)
            case ast.Lambda():
                environment = OuterNames(names, self.environments[-1])
                return Local(node, environment, {})
            case ast.Attribute(value=owner, attr=name):
                found = self.value(owner, names)
                if isinstance(found, Known):
                    return Known(f"{found.name}.{name}")
                raise UnknownTypeError(f"the attribute `{ast.unparse(node)[:40]}` is not known")
        return self.type(node, names)

    def type(self, node: ast.expr, names: Names) -> Type:
        """Return the type of an expression."""
        found = self._type(node, names)
        if isinstance(found, Type):
            return found
        if isinstance(found, Known) and found.name in ("math.pi", "math.e", "math.inf", "math.nan"):
            return Double()
        raise UnknownTypeError(f"`{ast.unparse(node)}` is used as a value")

    def _type(self, node: ast.expr, names: Names) -> Value:
        match node:
            case ast.Constant(value=value):
                if type(value) is int:
                    return ints(value, value)
                found = constant(value)
                if found is None:
                    raise UnknownTypeError(f"`{ast.unparse(node)[:40]}` has no type in Spark")
                return found.type
            case ast.Name() | ast.Attribute():
                return self.value(node, names)
            case ast.JoinedStr(values=parts):
                return formatted(self, parts, names)
            case ast.Tuple(elts=parts) if not any(isinstance(e, ast.Starred) for e in parts):
                kinds = tuple(self.type(each, names) for each in parts)
                labels = (label(each) for each in parts)
                fields = tuple(each or f"_{n}" for n, each in enumerate(labels, 1))
                return Tuple(fields, kinds)
            case ast.List(elts=parts) if not any(isinstance(e, ast.Starred) for e in parts):
                return Array(self.joined([self.type(each, names) for each in parts]))
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                return self._comprehension(node, names)
            case ast.BinOp(left=left, op=op, right=right):
                pair = self.here(self.type(left, names)), self.here(self.type(right, names))
                if isinstance(op, ast.Mod) and isinstance(pair[0], String):
                    check_percent(left)
                return operation(op, *pair, self.raised)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                self.truth(self.type(inner, names))
                return Boolean()
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return negative(self.here(self.type(inner, names)))
            case ast.Compare():
                return self._compared(node, names)
            case ast.BoolOp(op=op, values=[first, *rest]):
                return self._either(isinstance(op, ast.And), first, rest, names)
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                self.truth(self.type(test, names))
                yes = self.type(body, narrowed(test, names, True))
                return self.joined([yes, self.type(otherwise, narrowed(test, names, False))])
            case ast.Subscript():
                return item(self, node, names)
            case ast.Call():
                return call(self, node, names)
        raise UnknownTypeError(f"the type of `{ast.unparse(node)[:40]}` is not known")

    def joined(self, kinds: list[Type]) -> Type:
        """Return the type of values of several types."""
        whole: Type = Never()
        for each in kinds:
            found = united(whole, each)
            if found is None:
                raise UnknownTypeError(f"a value is {named(whole)} or {named(each)}")
            whole = found
        return whole

    def here(self, kind: Type) -> Type:
        """Return the type of a value that is used: None raises."""
        if isinstance(kind, Nullable | NoneType):
            self.raised |= {TypeError, AttributeError}
        return Never() if isinstance(kind, NoneType) else present(kind)

    def hashed(self, kind: Type) -> None:
        """Note that a key or an element of a set may be a list."""
        if not hashable(kind):
            self.raised.add(TypeError)

    def truth(self, kind: Type) -> None:
        """Check that the truth of a value is known."""
        if isinstance(kind, Array) and kind.lazy:
            raise UnknownTypeError("the truth of an iterator is used")

    def text_of(self, kind: Type) -> Type:
        """Return the type of the text of a value."""
        if not printable(kind):
            raise UnknownTypeError(f"the text of {named(kind)} is not known")
        if has_integers(kind):
            # the number of digits of a text is limited
            self.raised.add(ValueError)
        return String()

    @contextmanager
    def later(self) -> Iterator[None]:
        """Return what is computed when an iterator is read: no
        `try` around this place catches it.
        """
        before, self.raised = self.raised, set()
        try:
            yield
        finally:
            self.uncaught |= self.raised
            self.raised = before | self.raised

    def _comprehension(
        self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, names: Names
    ) -> Type:
        lazy = isinstance(node, ast.GeneratorExp)
        if not lazy:
            element = self._elements_of(node, names)
        else:
            with self.later():
                element = self._elements_of(node, names)
        if isinstance(node, ast.SetComp):
            self.hashed(element)
            return SetOf(element)
        return Array(element, lazy)

    def _elements_of(
        self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, names: Names
    ) -> Type:
        inside = dict(names)
        for loop in node.generators:
            if loop.is_async:
                raise UnknownTypeError("the loop is asynchronous")
            self.bind(loop.target, elements(self.here(self.type(loop.iter, inside))), inside)
            for test in loop.ifs:
                self.truth(self.type(test, inside))
                inside = narrowed(test, inside, True)
        return self.type(node.elt, inside)

    def bind(self, target: ast.expr, found: Value, names: Names) -> None:
        """Give a target a value of a type."""
        match target:
            case ast.Name(id=name):
                names[name] = found
                return
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if isinstance(found, Type):
                kind = self.here(found)
                if isinstance(kind, Tuple) and len(kind.fields) == len(parts):
                    for part, field in zip(parts, kind.fields, strict=True):
                        self.bind(part, field, names)
                    return
                if isinstance(kind, Array) and not any(isinstance(p, ast.Starred) for p in parts):
                    self.raised.add(ValueError)
                    for part in parts:
                        self.bind(part, kind.element, names)
                    return
        raise UnknownTypeError(f"an assignment to `{ast.unparse(target)[:40]}` is not known")

    def _compared(self, node: ast.Compare, names: Names) -> Type:
        kinds = [self.type(each, names) for each in (node.left, *node.comparators)]
        for place, op in enumerate(node.ops):
            left, right = kinds[place], kinds[place + 1]
            match op:
                case ast.Is() | ast.IsNot():
                    other = node.comparators[place]
                    if not (isinstance(other, ast.Constant) and other.value is None):
                        raise UnknownTypeError("objects are compared by `is`")
                case ast.In() | ast.NotIn():
                    owner = self.here(right)
                    if isinstance(owner, String):
                        if not isinstance(self.here(left), String):
                            raise UnknownTypeError("no text is searched in a text")
                    elif isinstance(owner, Dictionary | SetOf):
                        self.hashed(left)
                    else:
                        elements(owner)
                case ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE():
                    ordered([self.here(left), self.here(right)])
        return Boolean()

    def _either(self, both: bool, first: ast.expr, rest: list[ast.expr], names: Names) -> Type:
        kind = self.type(first, names)
        if not rest:
            return kind
        self.truth(kind)
        other = self._either(both, rest[0], rest[1:], narrowed(first, names, both))
        if not both:
            kind = Never() if isinstance(kind, NoneType) else present(kind)
        return self.joined([kind, other])
