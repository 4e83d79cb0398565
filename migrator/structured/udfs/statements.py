"""Follows the statements of a function on types: branches, loops, errors and their handlers."""

from __future__ import annotations

import ast
import builtins
import json
import re
from dataclasses import dataclass, field

from dstream_compat.native.names import KNOWN_MODULES, Known, argument_names
from dstream_compat.native.types import Array, Long, NoneType, String, Type

from .function_facts import Following
from .lists import appended
from .names import Names, Value, narrowed, own_nodes
from .results import Raised, elements, operation
from .types import Unbounded, UnknownTypeError, united

ROUNDS = 12
ERRORS: dict[str, type[BaseException]] = {
    name: each
    for name, each in vars(builtins).items()
    if isinstance(each, type) and issubclass(each, BaseException)
}
ERRORS |= {"json.JSONDecodeError": json.JSONDecodeError, "re.error": re.error}


@dataclass
class _Loop:
    """Where a loop goes on, and where it ends."""

    again: list[Names] = field(default_factory=list)
    ended: list[Names] = field(default_factory=list)


def body_type(here: Following, function: ast.FunctionDef, names: Names) -> Type:
    """Return the type of what a function returns, or of the list of what it yields."""
    if function.decorator_list:
        raise UnknownTypeError(f"`{function.name}` has a decorator")
    own = [node for statement in function.body for node in own_nodes(statement)]
    stored = {n.id for n in own if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    here.own.append(frozenset({*stored, *argument_names(function.args)}))
    flow = _Flow(here, function)
    try:
        if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own):
            with here.later():
                flow.run(function.body, dict(names))
                return Array(here.joined(flow.yielded), lazy=True)
        after = flow.run(function.body, dict(names))
    finally:
        here.own.pop()
    kinds = [*flow.returned, *([NoneType()] if after is not None else [])]
    return here.joined(kinds)


class _Flow:
    """The statements of one function."""

    def __init__(self, here: Following, function: ast.FunctionDef) -> None:
        self.here = here
        self.function = function
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
            names = self._statement(statement, names)
            if names is not None:
                for states in self.tried:
                    states.append(names)
        return names

    def _statement(self, statement: ast.stmt, names: Names) -> Names | None:
        here = self.here
        match statement:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return names
            case ast.Return(value=node):
                self.returned.append(NoneType() if node is None else here.type(node, names))
                return None
            case ast.Raise():
                here.raised.add(self._raised(statement, names))
                return None
            case ast.Continue():
                self.loops[-1].again.append(names)
                return None
            case ast.Break():
                self.loops[-1].ended.append(names)
                return None
            case ast.Assign(targets=[target], value=node):
                return self._assigned(target, here.value(node, names), names)
            case ast.AnnAssign(target=target, value=ast.expr() as node):
                return self._assigned(target, here.value(node, names), names)
            case ast.AugAssign(target=ast.Name()):
                return self._augmented(statement, names)
            case ast.If(test=test, body=body, orelse=otherwise):
                here.truth(here.type(test, names))
                yes = self.run(body, narrowed(test, names, True))
                return self._merged(yes, self.run(otherwise, narrowed(test, names, False)))
            case ast.For():
                return self._for(statement, names)
            case ast.While(test=test, body=body, orelse=[]):
                return self._while(test, body, names)
            case ast.Try(handlers=handlers):
                return self._try(statement, handlers, names)
            case ast.Assert(test=test):
                here.type(test, names)
                here.raised.add(AssertionError)
                return narrowed(test, names, True)
            case ast.Expr(value=ast.Yield(value=node)):
                self.yielded.append(NoneType() if node is None else here.type(node, names))
                return names
            case ast.Expr(value=ast.YieldFrom(value=node)):
                self.yielded.append(elements(here.here(here.type(node, names))))
                return names
            case ast.Expr(value=ast.Call() as call):
                return appended(here, self.function, call, names)
            case ast.Import():
                return self._imported(statement, names)
        what = type(statement).__name__.lower()
        raise UnknownTypeError(f"the effect of the statement `{what}` is not known")

    def _imported(self, statement: ast.Import, names: Names) -> Names:
        found = dict(names)
        for alias in statement.names:
            if alias.name not in KNOWN_MODULES:
                raise UnknownTypeError(f"it imports `{alias.name}`")
            found[alias.asname or alias.name] = Known(alias.name)
        return found

    def _assigned(self, target: ast.expr, found: Value, names: Names) -> Names:
        made = dict(names)
        if isinstance(found, Array) and found.lazy and isinstance(target, ast.Name):
            raise UnknownTypeError("an iterator gets a name")
        self.here.bind(target, found, made)
        return made

    def _augmented(self, statement: ast.AugAssign, names: Names) -> Names:
        here, target = self.here, statement.target
        assert isinstance(target, ast.Name)
        before = here.type(ast.Name(target.id, ast.Load()), names)
        if isinstance(before, Array):
            raise UnknownTypeError(f"`{target.id}` is changed in place")
        right = here.here(here.type(statement.value, names))
        if isinstance(statement.op, ast.Mod) and isinstance(before, String):
            raise UnknownTypeError("the format is not written there")
        made = operation(statement.op, here.here(before), right, here.raised)
        return self._assigned(target, made, names)

    def _raised(self, statement: ast.Raise, names: Names) -> type[BaseException]:
        if isinstance(statement.exc, ast.Call):
            for each in statement.exc.args:
                self.here.type(each, names)
        match statement.exc:
            case ast.Call(func=ast.Name(id=name)) | ast.Name(id=name) if name in ERRORS:
                found = self.here.lookup(name, self.here.environments[-1])
                if found == Known(name):
                    return ERRORS[name]
            case None:
                return BaseException
        raise UnknownTypeError("it raises an error of a class that is not known")

    def _merged(self, first: Names | None, second: Names | None) -> Names | None:
        if first is None or second is None:
            return second if first is None else first
        found: Names = {}
        for name in first.keys() & second.keys():
            a, b = first[name], second[name]
            if isinstance(a, Type) and isinstance(b, Type):
                whole = united(a, b)
                if whole is None:
                    # it has no type here, but it may not be used
                    continue
                found[name] = whole
            elif a == b:
                found[name] = a
        return found

    def _for(self, loop: ast.For, names: Names) -> Names | None:
        element = elements(self.here.here(self.here.type(loop.iter, names)))

        def entered(state: Names) -> Names:
            made = dict(state)
            self.here.bind(loop.target, element, made)
            return made

        after, ended = self._repeated(loop.body, names, entered)
        return self._joined([self.run(loop.orelse, after), *ended])

    def _while(self, test: ast.expr, body: list[ast.stmt], names: Names) -> Names | None:
        endless = isinstance(test, ast.Constant) and bool(test.value)

        def entered(state: Names) -> Names:
            self.here.truth(self.here.type(test, state))
            return narrowed(test, state, True)

        after, ended = self._repeated(body, names, entered)
        return self._joined([*([] if endless else [narrowed(test, after, False)]), *ended])

    def _repeated(
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
            whole = self._joined([state, last, *loop.again])
            assert whole is not None
            if round_ > 1:
                whole = {name: _widened(state.get(name), kind) for name, kind in whole.items()}
            if whole == state:
                return state, loop.ended
            del self.returned[counts[0] :], self.yielded[counts[1] :]
            state = whole
        raise UnknownTypeError("the types in a loop are not known")

    def _joined(self, states: list[Names | None]) -> Names | None:
        whole: Names | None = None
        for each in states:
            whole = self._merged(whole, each)
        return whole

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
            caught |= {each for each in raised if issubclass(each, classes)}
            entry = self._joined([*states])
            assert entry is not None
            # the name of the error is not known: its text may differ
            left.append(self.run(handler.body, dict(entry)))
        here.raised |= raised - caught
        after = self.run(statement.orelse, after)
        whole = self._joined([after, *left])
        if statement.finalbody:
            ends = self.run(statement.finalbody, self._joined([*states, whole]))
            return None if whole is None else ends
        return whole

    def _classes(self, handler: ast.ExceptHandler) -> tuple[type[BaseException], ...]:
        """Return the classes of errors that a handler is known to catch."""
        node = handler.type
        if node is None:
            return (BaseException,)
        found = []
        for each in node.elts if isinstance(node, ast.Tuple) else [node]:
            value = self.here.value(each, {})
            if not isinstance(value, Known) or value.name not in ERRORS:
                raise UnknownTypeError(f"the error `{ast.unparse(each)}` is not known")
            found.append(ERRORS[value.name])
        return tuple(found)


def _widened(before: Value | None, after: Value) -> Value:
    """Return the type of a number that grows from round to round."""
    if isinstance(after, Long) and before != after:
        return Unbounded()
    return after


def _inside(statement: ast.Try) -> list[ast.AST]:
    return [node for each in statement.finalbody for node in own_nodes(each)]
