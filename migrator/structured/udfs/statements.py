"""Follows the statements of a function: branches, loops, errors and their handlers."""

from __future__ import annotations

import ast
import builtins
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dstream_compat.native.names import (
    KNOWN_MODULES,
    Known,
)
from dstream_compat.native.types import (
    Array,
    NoneType,
    Type,
    present,
)

from ..program.bindings import names_of, own_nodes, stores
from .names import Names, Value, narrow_names
from .types import (
    Raised,
    UnknownTypeError,
    elements,
    is_lazy,
    parts,
    union_of,
    widen,
)

if TYPE_CHECKING:
    from .expressions import TypeInference


ROUNDS = 12
ERRORS: dict[str, type[BaseException]] = {
    name: var
    for name, var in vars(builtins).items()
    if isinstance(var, type) and issubclass(var, BaseException)
}
ERRORS |= {"json.JSONDecodeError": json.JSONDecodeError, "re.error": re.error}


@dataclass
class _Loop:
    """Where a loop goes on, and where it ends."""

    again: list[Names] = field(default_factory=list)
    ended: list[Names] = field(default_factory=list)


def body_type(here: TypeInference, function: ast.FunctionDef, names: Names) -> Type:
    """Return the type of what a function returns, or of the list of what it yields."""
    if function.decorator_list:
        raise UnknownTypeError(f"`{function.name}` has a decorator")
    own = [node for statement in function.body for node in own_nodes(statement)]
    flow = _Flow(here)
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own):
        with here.later():
            flow.run(function.body, dict(names))
            return Array(union_of(*flow.yielded), lazy=True)
    after = flow.run(function.body, dict(names))
    return union_of(*flow.returned, *([NoneType()] if after is not None else []))


class _Flow:
    """The statements of one function."""

    def __init__(self, here: TypeInference) -> None:
        self.here = here
        self.returned: list[Type] = []
        self.yielded: list[Type] = []
        self.loops: list[_Loop] = []
        self.tried: list[list[Names]] = []

    def run(self, body: list[ast.stmt], names: Names | None) -> Names | None:
        """Return the names after statements, None if they do not go on."""
        for statement in body:
            if names is None:
                break
            for states in self.tried:
                states.append(names)
            try:
                names = self._statement(statement, names)
            except UnknownTypeError as error:
                error.node = error.node or statement
                raise
            if names is not None:
                for states in self.tried:
                    states.append(names)
        return names

    def _statement(self, statement: ast.stmt, names: Names) -> Names | None:
        here = self.here
        match statement:
            case ast.Pass():
                return names
            case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
                self._leave(statement, names)
                return None
            case ast.Expr(value=node):
                return self._evaluate(node, names)
            case (
                ast.Assign(targets=[target], value=node)
                | ast.AnnAssign(target=target, value=ast.expr() as node)
            ):
                return self._after_assignment(target, here.value(node, names), names)
            case ast.AugAssign():
                return self._after_augmented_assignment(statement, names)
            case ast.If(test=test, body=body, orelse=otherwise):
                holds = here.truth(here.type(test, names))
                yes = None if holds is False else self.run(body, narrow_names(test, names, True))
                no = None if holds else self.run(otherwise, narrow_names(test, names, False))
                return _merge_names(yes, no)
            case ast.For():
                return self._for(statement, names)
            case ast.While(test=test, body=body, orelse=[]):
                return self._while(test, body, names)
            case ast.Try(handlers=handlers):
                return self._try(statement, handlers, names)
            case ast.Assert(test=test):
                here.type(test, names)
                here.raised.add(AssertionError)
                return narrow_names(test, names, True)
            case ast.Import():
                return self._after_import(statement, names)
        what = type(statement).__name__.lower()
        raise UnknownTypeError(f"the effect of the statement `{what}` is not known")

    def _leave(self, statement: ast.stmt, names: Names) -> None:
        """Note where a statement goes that leaves a loop or the function."""
        match statement:
            case ast.Return(value=node):
                self.returned.append(self._value(node, names))
            case ast.Raise():
                self.here.raised.add(self._error_class(statement, names))
            case ast.Continue():
                self.loops[-1].again.append(names)
            case _:
                self.loops[-1].ended.append(names)

    def _value(self, node: ast.expr | None, names: Names) -> Type:
        return NoneType() if node is None else self.here.type(node, names)

    def _evaluate(self, node: ast.expr, names: Names) -> Names:
        match node:
            case ast.Constant():
                return names
            case ast.Yield(value=value):
                self.yielded.append(self._value(value, names))
                return names
            case ast.YieldFrom(value=value):
                self.yielded.append(elements(self.here.here(self._value(value, names))))
                return names
            case ast.Call():
                return self.here.effect(node, names)
        raise UnknownTypeError(f"the effect of `{ast.unparse(node)[:40]}` is not known")

    def _after_import(self, statement: ast.Import, names: Names) -> Names:
        names_after = dict(names)
        for alias in statement.names:
            if alias.name not in KNOWN_MODULES:
                raise UnknownTypeError(f"it imports `{alias.name}`")
            names_after[alias.asname or alias.name] = Known(alias.name)
        return names_after

    def _after_assignment(self, target: ast.expr, value: Value, names: Names) -> Names:
        names_after = dict(names)
        lazy = isinstance(value, Type) and any(map(is_lazy, parts(value)))
        if lazy and self.here.pure and isinstance(target, ast.Name):
            raise UnknownTypeError("an iterator gets a name")
        self.here.bind(target, value, names_after)
        return names_after

    def _after_augmented_assignment(self, statement: ast.AugAssign, names: Names) -> Names:
        here, target = self.here, statement.target
        before = names.get(target.id) if isinstance(target, ast.Name) else None
        kinds = parts(present(before)) if isinstance(before, Type) else ()
        if isinstance(target, ast.Name) and any(isinstance(kind, Array) for kind in kinds):
            more = elements(here.here(here.type(statement.value, names)))
            return here.with_element(target.id, more, names)
        read = ast.copy_location(ast.parse(ast.unparse(target), mode="eval").body, target)
        value = here.binary(read, statement.op, statement.value, names)
        return self._after_assignment(target, value, names)

    def _error_class(self, statement: ast.Raise, names: Names) -> type[BaseException]:
        if not self.here.pure:
            return BaseException
        if isinstance(statement.exc, ast.Call):
            for argument in statement.exc.args:
                self.here.type(argument, names)
        match statement.exc:
            case ast.Call(func=ast.Name(id=name)) | ast.Name(id=name) if name in ERRORS:
                error = self.here.lookup(name, self.here.frames[-1].environment)
                if error == Known(name):
                    return ERRORS[name]
            case None:
                return BaseException
        raise UnknownTypeError("it raises an error of a class that is not known")

    def _for(self, loop: ast.For, names: Names) -> Names | None:
        after = self.here.loop(loop, names)
        if after is not None:
            return self.run(loop.orelse, after)
        here = self.here
        fixed = not any(stores(loop, name) for name in names_of(loop.iter))

        def names_in_round(state: Names) -> Names:
            names_after = dict(state)
            # a list may get elements in the loop
            iterated = here.type(loop.iter, state if fixed else names)
            here.bind(loop.target, elements(here.here(iterated)), names_after)
            return names_after

        after, ended = self._repeat_body(loop.body, names, names_in_round)
        return _merge_names(self.run(loop.orelse, after), *ended)

    def _while(self, test: ast.expr, body: list[ast.stmt], names: Names) -> Names | None:
        endless = isinstance(test, ast.Constant) and bool(test.value)

        def names_in_round(state: Names) -> Names:
            self.here.truth(self.here.type(test, state))
            return narrow_names(test, state, True)

        after, ended = self._repeat_body(body, names, names_in_round)
        return _merge_names(None if endless else narrow_names(test, after, False), *ended)

    def _repeat_body(
        self, body: list[ast.stmt], names: Names, entered: object
    ) -> tuple[Names, list[Names]]:
        """Return the names before each round of a loop, and those where it is left by `break`."""
        assert callable(entered)
        state = names
        for round_ in range(ROUNDS):
            counts = len(self.returned), len(self.yielded)
            self.loops.append(_Loop())
            last = self.run(body, entered(state))
            loop = self.loops.pop()
            whole = _merge_names(state, last, *loop.again)
            assert whole is not None
            if round_ > 1:
                whole = {name: _widen(state.get(name), kind) for name, kind in whole.items()}
            if whole == state:
                return state, loop.ended
            del self.returned[counts[0] :], self.yielded[counts[1] :]
            state = whole
        raise UnknownTypeError("the types in a loop are not known")

    def _try(
        self, statement: ast.Try, handlers: list[ast.ExceptHandler], names: Names
    ) -> Names | None:
        here = self.here
        if any(isinstance(n, ast.Return | ast.Break | ast.Continue) for n in _inside(statement)):
            raise UnknownTypeError("`finally` leaves the function")
        before, here.raised = here.raised, set()
        self.tried.append([names])
        after = self.run(statement.body, names)
        states = self.tried.pop()
        raised, here.raised = here.raised, before
        left: list[Names | None] = []
        caught: Raised = set()
        for handler in handlers:
            classes = self._classes(handler)
            caught |= {error for error in raised if issubclass(error, classes)}
            entry = _merge_names(*states)
            assert entry is not None
            # the name of the error is not known: its text may differ
            left.append(self.run(handler.body, dict(entry)))
        here.raised |= raised - caught
        after = self.run(statement.orelse, after)
        whole = _merge_names(after, *left)
        if statement.finalbody:
            ends = self.run(statement.finalbody, _merge_names(*states, whole))
            return None if whole is None else ends
        return whole

    def _classes(self, handler: ast.ExceptHandler) -> tuple[type[BaseException], ...]:
        """Return the classes of errors that a handler is known to catch."""
        node = handler.type
        if node is None:
            return (BaseException,)
        classes = []
        for element in node.elts if isinstance(node, ast.Tuple) else [node]:
            value = self.here.value(element, {})
            if not isinstance(value, Known) or value.name not in ERRORS:
                raise UnknownTypeError(f"the error `{ast.unparse(element)}` is not known")
            classes.append(ERRORS[value.name])
        return tuple(classes)


def _merge_names(*states: Names | None) -> Names | None:
    """Return the names after one of several ways, without those that do not go on."""
    ways = [state for state in states if state is not None]
    if not ways:
        return None
    names: Names = {}
    for name in [each for each in ways[0] if all(each in way for way in ways)]:
        values = [way[name] for way in ways]
        kinds = [value for value in values if isinstance(value, Type)]
        if len(kinds) == len(values):
            names[name] = union_of(*kinds)
        elif all(value == values[0] for value in values):
            names[name] = values[0]
    return names


def _widen(before: Value | None, after: Value) -> Value:
    return widen(before, after) if isinstance(before, Type) and isinstance(after, Type) else after


def _inside(statement: ast.Try) -> list[ast.AST]:
    return [node for inner in statement.finalbody for node in own_nodes(inner)]
