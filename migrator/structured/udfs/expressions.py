"""Infers the types of functions of Python, and which errors may leave them.

The statements of a function are followed with branches, loops, errors and their handlers, and so
are the lists that it changes, under all names that they may have.
"""

from __future__ import annotations

import ast
import builtins
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from dstream_compat.native.expressions import Expression, Literal, constant
from dstream_compat.native.names import (
    KNOWN_MODULES,
    Choices,
    Environment,
    Getter,
    Known,
    Local,
    Meaning,
    argument_names,
    bound_names,
    defaults,
    names_bound_once,
)
from dstream_compat.native.types import (
    Array,
    Boolean,
    Dictionary,
    Double,
    Long,
    Never,
    NoneType,
    Nullable,
    String,
    Tuple,
    Type,
    present,
    tuple_of,
    walk,
    words,
)
from migrator.infer.scopes import locals_of

from ..dataframes.naming import is_telling
from ..program.bindings import loads, names_of, own_nodes, stores
from ..program.graph import Node
from ..program.modules import SourceModule
from ..program.none_tests import tests_of_none
from .calls import call, call_known, method, pattern_of
from .types import (
    WHOLE,
    Certain,
    Match,
    Mixed,
    Raised,
    SetOf,
    UnknownTypeError,
    check_percent,
    check_spec,
    elements,
    has_integers,
    hashable,
    ints,
    is_lazy,
    map_children,
    negative,
    operation,
    optional,
    parts,
    printable,
    require_order,
    union_of,
    union_over_types,
    widen,
)

Function = Local | Known | Getter
Value = Type | Function
Names = dict[str, Value]


@dataclass(frozen=True)
class Followed:
    """A function that is followed.

    Parameters
    ----------
    environment : Environment
        where it looks up names that are not its own
    own : mapping
        its own names: whether each one is bound once
    function : ast.FunctionDef or ast.Lambda, optional
        its source, if names are not looked up outside of functions
    """

    environment: Environment
    own: Mapping[str, bool] = field(default_factory=dict)
    function: ast.FunctionDef | ast.Lambda | None = None


@dataclass(frozen=True)
class OuterNames:
    """The names around a lambda, as it finds them when it is called.

    Parameters
    ----------
    names : dict
        those with a value, where the lambda is made
    frame : Followed
        the function around it
    """

    names: Names
    frame: Followed

    def lookup(self, name: str) -> Meaning | None:
        """Return the meaning of a name that is not of the function."""
        hidden = name in self.names or name in self.frame.own
        return None if hidden else self.frame.environment.lookup(name)


def own_names(function: ast.FunctionDef | ast.Lambda) -> dict[str, bool]:
    """Return the names of a function: whether each one is bound once."""
    arguments = argument_names(function.args)
    body = function.body if isinstance(function, ast.FunctionDef) else []
    once = names_bound_once(body)
    own = {
        node.id: node.id in once and node.id not in arguments
        for statement in body
        for node in own_nodes(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return dict.fromkeys(arguments, True) | own


def narrow_names(test: ast.expr, names: Names, holds: bool) -> Names:
    """Return the names where a test of None has held, or has not."""
    names_found = dict(names)
    for name, absent in tests_of_none(test, holds):
        kind = names_found.get(name)
        if isinstance(kind, Type):
            may_be = isinstance(kind, Nullable | NoneType)
            there = Never() if isinstance(kind, NoneType) else present(kind)
            names_found[name] = (NoneType() if may_be else Never()) if absent else there
    return names_found


def label(node: ast.expr) -> str:
    """Return what the code calls a field of a tuple, empty if it says nothing."""
    match node:
        case ast.Name(id=name):
            label_text = name
        case ast.Call(func=ast.Attribute(attr="group"), args=[ast.Constant(value=str(name))]):
            label_text = name
        case ast.Call(func=ast.Attribute(attr="group")):
            return ""
        case ast.Call(func=ast.Attribute(value=owner, attr=method)) if method != "get":
            return label(owner)
        case ast.Call(args=[first, *_]):
            return label(first)
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            label_text = key
        case _:
            return ""
    label_text = label_text.lower()
    return (
        label_text
        if is_telling(label_text) and not label_text.startswith("_") and label_text.isascii()
        else ""
    )


READ_BY = frozenset(("get", "items", "keys", "values"))


class JobNames:
    """The names of a job around the functions of a node."""

    def __init__(self, module: SourceModule, node: Node) -> None:
        self.module = module
        self.node = node

    def lookup(self, name: str, environment: Environment) -> Value:
        """Return the type of a name, or the function that it is.

        Raises
        ------
        UnknownTypeError
            if it may have another value when the workers get the function
        """
        value = environment.lookup(name)
        self._check_place(name)
        match value:
            case Expression():
                return value.type
            case Known() | Local() | Getter():
                return value
            case Choices(values=values):
                return SetOf(union_of(*(value.type for value in values)))
        constant_found = self._read_only(name)
        if constant_found is not None:
            return constant_found
        path = self.module.paths.get(name)
        if path is not None and path.partition(".")[0] not in KNOWN_MODULES:
            # for the message only: nothing of it is known
            return Known(path)
        raise UnknownTypeError(f"`{name}` is no constant or function of this file")

    def _check_place(self, name: str) -> None:
        """Refuse a function from elsewhere: workers get it where
        the stream is built, not when it starts.
        """
        for function in reversed(self.node.block.functions):
            if name in locals_of(function):
                scope: ast.AST = function
                break
        else:
            if self.node.block.functions:
                return
            scope = self.module.tree
        body = scope.body if isinstance(scope, ast.FunctionDef | ast.Module) else []
        for statement in body:
            if name in bound_names([statement]) and statement.lineno > self.node.call.lineno:
                raise UnknownTypeError(f"`{name}` is bound after the stream is built")

    def _read_only(self, name: str) -> Type | None:
        """Return the type of a dictionary or pattern that is assigned once and only read."""
        match self.module.assigned_value(name):
            case ast.Call(func=function, args=[ast.Constant(value=str(text))], keywords=[]):
                compiled = self.module.path_of(function) == "re.compile"
                return pattern_of(text) if compiled else None
            case ast.Dict() as dictionary:
                only_read = all(map(self._is_read, loads(self.module.tree, name)))
                return _dictionary(dictionary) if only_read else None
        return None

    def _is_read(self, node: ast.Name) -> bool:
        parent = self.module.parents[node]
        match parent:
            case ast.Subscript(ctx=ast.Load(), value=found):
                return found is node
            case ast.Attribute(attr=method):
                return method in READ_BY
            case ast.Compare():
                return node in parent.comparators
        return False


def _dictionary(node: ast.Dict) -> Type | None:
    """Return the type of a dictionary of constants."""
    try:
        literal_value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return None
    parts = []
    for side in (literal_value.keys(), literal_value.values()):
        values = [constant(each) for each in side]
        kinds = [value.type for value in values if value is not None]
        if len(kinds) < len(values) or not kinds:
            return None
        parts.append(union_of(*kinds))
    return Dictionary(*parts)


ADDING = {"append": 1, "extend": 1, "insert": 2}
"""Methods that add something, and how many arguments they take."""
OTHERS = frozenset(("sort", "reverse", "clear", "pop", "remove"))
"""Methods that add nothing."""
PLAIN = frozenset(("len", "sum", "str", "int", "float", "bool", "any", "all", "round", "range"))
"""Functions whose result has none of their arguments in it."""


def names_after_append(here: TypeInference, call: ast.Call, names: Names) -> Names:
    """Return the names after a call whose value is not used: something is added to a list."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method), keywords=[]) if (
            name in names and method in (*ADDING, *OTHERS)
        ):
            kinds = [here.type(argument, names) for argument in call.args]
            if method in OTHERS:
                here.raised |= {TypeError, ValueError, IndexError}
                return with_element(here, name, Never(), names)
            if len(kinds) == ADDING[method]:
                new = elements(here.here(kinds[-1])) if method == "extend" else kinds[-1]
                return with_element(here, name, new, names)
    raise UnknownTypeError(f"`{ast.unparse(call)[:40]}` has an effect besides the result")


def with_element(here: TypeInference, name: str, new: Type, names: Names) -> Names:
    """Return the names after a list has got an element: those that may have the list, too."""
    list_kind, function = names.get(name), here.frames[-1].function
    owner = here.here(list_kind) if isinstance(list_kind, Type) else None
    lazy = [e for holder in (owner, new) if holder is not None for e in parts(holder) if is_lazy(e)]
    if not isinstance(owner, Array | Never) or lazy or not isinstance(function, ast.FunctionDef):
        raise UnknownTypeError(f"a change of `{name}` is not known")
    same, holders = sharing_names(function, name)
    if isinstance(owner, Never) or isinstance(new, Never):
        holders = set()
    elif len(here.frames) > 2 and not holders.isdisjoint(argument_names(function.args)):
        raise UnknownTypeError(f"`{name}` may be an argument that is changed")
    here.changes = True
    names_after = dict(names)
    for holder in holders:
        kind = names.get(holder)
        if isinstance(kind, Type):
            names_after[holder] = longer(kind, new, owner, holder in same)
    return names_after


def longer(kind: Type, new: Type, owner: Type, itself: bool) -> Type:
    """Return a type with another element in the lists that may be the one that has got it.

    Parameters
    ----------
    itself : bool
        whether the value itself may be the list, and not only something in it
    """
    inside = itself or not isinstance(kind, Nullable | Mixed)
    kind_after = map_children(kind, lambda each: longer(each, new, owner, inside))
    if not (itself and isinstance(kind, Array) and isinstance(kind_after, Array)):
        return kind_after
    assert isinstance(owner, Array)
    pair = kind.element, owner.element
    alike = Never() in pair or not isinstance(union_of(*pair), Mixed) or Mixed in map(type, pair)
    return replace(kind_after, element=union_of(kind_after.element, new)) if alike else kind_after


def sharing_names(function: ast.FunctionDef, name: str) -> tuple[set[str], set[str]]:
    """Return the names that a list may have in a function, and those of what may have it in it."""
    same: list[tuple[set[str], set[str]]] = []
    inside: list[tuple[set[str], set[str]]] = []
    names_given: set[str] = set()
    for node in ast.walk(function):
        match node:
            case (
                ast.Assign(targets=[target], value=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
            ):
                pair = names_in(target), names_in(value)
                same += [pair, pair[::-1]]
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                inside.append((names_in(target), names_in(value)))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner)), args=args):
                inside.append((set().union(*map(names_in, args)), {owner}))
            case ast.AugAssign(target=target, value=value):
                inside.append((names_in(value), names_in(target)))
            case ast.Yield(value=ast.expr() as value) | ast.YieldFrom(value=value):
                names_given |= names_in(value)
    holders = _closure({name}, [*same, *inside])
    if holders & names_given:
        raise UnknownTypeError(f"the list `{name}` is given away, and changed")
    return _closure({name}, same), holders


def _closure(names: set[str], edges: list[tuple[set[str], set[str]]]) -> set[str]:
    names_reached = names.union(*(end for start, end in edges if start & names))
    return names_reached if names_reached == names else _closure(names_reached, edges)


def names_in(node: ast.AST) -> set[str]:
    """Return the names whose values may be in the value of an expression."""
    plain = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PLAIN
    if plain or isinstance(node, ast.Compare):
        return set()
    own = {node.id} if isinstance(node, ast.Name) else set()
    return own.union(*map(names_in, ast.iter_child_nodes(node)))


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
            return with_element(here, target.id, more, names)
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


DEPTH = 12
SINGLETONS = ("None", "True", "False")
FLOAT_NAMES = ("math.pi", "math.e", "math.inf", "math.nan")


class TypeInference:
    """The inference at a place of a function, and the errors that may leave the function.

    Parameters
    ----------
    lookup : callable
        the meaning of a name that is not of the function itself; raises if it is not known
    environment : Environment
        where names outside of functions are looked up
    """

    pure = True
    """Whether the function must have no effect, and give the same each time that it is called."""

    def __init__(
        self, lookup: Callable[[str, Environment], Value], environment: Environment
    ) -> None:
        self.lookup = lookup
        self.frames = [Followed(environment)]
        self.changes = False
        self.raised: Raised = set()
        self.uncaught: Raised = set()

    def type(self, node: ast.expr, names: Names) -> Type:
        """Return the type of an expression."""
        value_found = self.value(node, names)
        if isinstance(value_found, Type):
            return value_found
        if isinstance(value_found, Known) and value_found.name in FLOAT_NAMES:
            return Double()
        raise UnknownTypeError(f"`{ast.unparse(node)}` is used as a value", node)

    def binary(self, left: ast.expr, op: ast.operator, right: ast.expr, names: Names) -> Type:
        """Return the type of what a binary operator gives."""
        pair = self.here(self.type(left, names)), self.here(self.type(right, names))
        if isinstance(op, ast.Mod) and any(isinstance(part, String) for part in parts(pair[0])):
            check_percent(self.text_behind(left))
        return self.operation(op, *pair)

    def operation(self, op: ast.operator, left: Type, right: Type) -> Type:
        """Return the type of what a binary operator gives of two values that are not None."""
        return operation(op, left, right, self.raised)

    def loop(self, loop: ast.For, names: Names) -> Names | None:
        """Return the names after a loop that need not be followed; None for others."""
        return None

    def text_behind(self, node: ast.expr) -> ast.expr:
        """Return an expression; the text itself for a name that always stands for it."""
        if isinstance(node, ast.Name) and node.id not in self.frames[-1].own:
            match self.frames[-1].environment.lookup(node.id):
                case Literal(value=str(text)):
                    return ast.copy_location(ast.Constant(text), node)
        return node

    def here(self, kind: Type) -> Type:
        """Return the type of a value that is used: None raises."""
        if isinstance(kind, Nullable | NoneType):
            self.raised |= {TypeError, AttributeError}
        return Never() if isinstance(kind, NoneType) else present(kind)

    def note_hash(self, kind: Type) -> None:
        """Note that a key or an element of a set may be a list."""
        if not hashable(kind):
            self.raised.add(TypeError)

    def truth(self, kind: Type) -> bool | None:
        """Return whether all values of a type are true, or all are not; None if it depends."""
        if any(map(is_lazy, parts(present(kind)))):
            raise UnknownTypeError("the truth of an iterator is used")
        match kind:
            case Certain(value=value):
                return value
            case NoneType():
                return False
            case Tuple(fields=fields):
                return bool(fields)
            case Long(lo=lo, hi=hi) if lo == hi or not lo <= 0 <= hi:
                return bool(lo)
        return None

    def text_of(self, kind: Type) -> Type:
        """Return the type of the text of a value."""
        if not printable(kind):
            raise UnknownTypeError(f"the text of {words(kind)} is not known")
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

    def function(self, expression: ast.expr) -> Local | Known:
        """Return the function that an argument of a step is, with the meaning of its names."""
        if isinstance(expression, ast.Lambda):
            environment = self.frames[0].environment
            return Local(expression, environment, defaults(expression, environment))
        if isinstance(expression, ast.Name | ast.Attribute):
            value_found = self.value(expression, {})
            if isinstance(value_found, Local | Known):
                return value_found
        raise UnknownTypeError("the function is not written in this file")

    def call(self, function: Value, arguments: list[Type]) -> Type:
        """Return the type of what a function returns for arguments of some types."""
        match function:
            case Known(name=name):
                return self.type_of_known_call(name, list(arguments), {}, [])
            case Getter(keys=keys) if len(arguments) == 1:
                fields = [self.part_at(self.here(arguments[0]), key.type) for key in keys]
                return fields[0] if len(fields) == 1 else tuple_of(*fields)
        if not isinstance(function, Local):
            raise UnknownTypeError("what is called is no known function")
        if len(self.frames) > DEPTH:
            raise UnknownTypeError(f"`{function.name}` calls itself")
        names, node = self._parameters(function, arguments), function.node
        self.frames.append(Followed(function.environment, own_names(node), node))
        try:
            if isinstance(node, ast.FunctionDef):
                return body_type(self, node, names)
            return self.type(node.body, names)
        finally:
            self.frames.pop()

    def _parameters(self, function: Local, arguments: list[Type]) -> Names:
        all_arguments = function.node.args
        if all_arguments.vararg or all_arguments.kwarg:
            raise UnknownTypeError(f"`{function.name}` takes any number of arguments")
        every = [*all_arguments.posonlyargs, *all_arguments.args, *all_arguments.kwonlyargs]
        names: Names = {}
        positional = len(all_arguments.posonlyargs) + len(all_arguments.args)
        if len(arguments) > positional:
            raise UnknownTypeError(f"`{function.name}` does not take these arguments")
        for place, argument in enumerate(every):
            if place < len(arguments) and place < positional:
                names[argument.arg] = arguments[place]
                continue
            default = function.defaults.get(argument.arg)
            if not isinstance(default, Expression):
                raise UnknownTypeError(f"the argument `{argument.arg}` is not known")
            names[argument.arg] = default.type
        return names

    def value(self, node: ast.expr, names: Names) -> Value:
        """Return the type of an expression, or the function that it is."""
        try:
            return self._simple(node, names) or self._type_of_compound(node, names)
        except UnknownTypeError as error:
            error.node = error.node or node
            raise

    def _simple(self, node: ast.expr, names: Names) -> Value | None:
        """Return the value of an expression without branches and operators."""
        match node:
            case ast.Constant(value=value):
                if type(value) is int:
                    return ints(value, value)
                constant_kind = constant(value)
                if constant_kind is None:
                    raise UnknownTypeError(f"`{ast.unparse(node)[:40]}` has no type in Spark")
                return constant_kind.type
            case ast.Name(id=name):
                return names[name] if name in names else self._outer(name)
            case ast.Lambda():
                around = OuterNames(names, self.frames[-1])
                return Local(node, around, defaults(node, around))
            case ast.Attribute(value=owner, attr=name):
                owner_value = self.value(owner, names)
                if isinstance(owner_value, Known):
                    return Known(f"{owner_value.name}.{name}")
                raise UnknownTypeError(f"the attribute `{ast.unparse(node)[:40]}` is not known")
            case ast.JoinedStr(values=pieces):
                return self._format(pieces, names)
            case ast.Subscript():
                return self._item(node, names)
            case ast.Call():
                return call(self, node, names)
        return None

    def _outer(self, name: str) -> Value:
        """Return the meaning of a name that the function has not assigned."""
        if name in self.frames[-1].own:
            raise UnknownTypeError(f"`{name}` may not be assigned here")
        environment = self.frames[-1].environment
        while isinstance(environment, OuterNames):
            if name in environment.names or name in environment.frame.own:
                value = environment.names.get(name)
                lists = isinstance(value, Type) and any(isinstance(e, Array) for e in walk(value))
                if value is None or lists or not environment.frame.own.get(name):
                    raise UnknownTypeError(f"`{name}` is of the function around a lambda")
                return value
            environment = environment.frame.environment
        return self.lookup(name, environment)

    def _type_of_compound(self, node: ast.expr, names: Names) -> Value:
        match node:
            case ast.Tuple(elts=elts) if not any(isinstance(e, ast.Starred) for e in elts):
                kinds = tuple(self.type(element, names) for element in elts)
                labels = (label(element) for element in elts)
                fields = tuple(label or f"_{n}" for n, label in enumerate(labels, 1))
                return Tuple(fields, kinds)
            case ast.List(elts=elts) if not any(isinstance(e, ast.Starred) for e in elts):
                return Array(union_of(*(self.type(element, names) for element in elts)))
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                return self._comprehension(node, names)
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(left, op, right, names)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                holds = self.truth(self.type(inner, names))
                return Boolean() if holds is None else Certain(not holds)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return negative(self.here(self.type(inner, names)))
            case ast.Compare():
                sides = [
                    self.type(comparator, names) for comparator in (node.left, *node.comparators)
                ]
                return self.comparison(node, sides)
            case ast.BoolOp(op=op, values=[first, *rest]):
                return self._either(isinstance(op, ast.And), first, rest, names)
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                holds = self.truth(self.type(test, names))
                ways = [(body, True)] * (holds is not False) + [(otherwise, False)] * (not holds)
                return union_of(*(self.type(n, narrow_names(test, names, way)) for n, way in ways))
        raise UnknownTypeError(f"the type of `{ast.unparse(node)[:40]}` is not known")

    def type_of_known_call(
        self, name: str, values: list[Value], keywords: dict[str, Value], nodes: list[ast.expr]
    ) -> Type:
        """Return the type of what a function of Python gives."""
        return call_known(self, name, values, keywords, nodes)

    def method(self, owner: Type, node: ast.Call, kinds: list[Type], keywords: set[str]) -> Type:
        """Return the type of what a method gives."""
        return union_over_types(lambda each: method(self, each, node, kinds, keywords), owner)

    def effect(self, call: ast.Call, names: Names) -> Names:
        """Return the names after a call whose value is not used: something is added to a list."""
        return names_after_append(self, call, names)

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
            self.note_hash(element)
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
                inside = narrow_names(test, inside, True)
        return self.type(node.elt, inside)

    def bind(self, target: ast.expr, value: Value, names: Names) -> None:
        """Give a target a value of a type."""
        match target:
            case ast.Name(id=name):
                names[name] = value
                return
            case ast.Subscript(value=ast.Name(id=name)) if isinstance(value, Type):
                if not isinstance(target.slice, ast.Slice):
                    self.type(target.slice, names)
                    self.raised |= {IndexError, TypeError}
                    names.update(with_element(self, name, value, names))
                    return
            case ast.Tuple(elts=elts) | ast.List(elts=elts) if isinstance(value, Type):
                if not any(isinstance(element, ast.Starred) for element in elts):
                    for place, element in enumerate(elts):
                        unpacked = partial(self.type_of_unpacked, place, len(elts))
                        self.bind(element, union_over_types(unpacked, self.here(value)), names)
                    return
        raise UnknownTypeError(f"an assignment to `{ast.unparse(target)[:40]}` is not known")

    def type_of_unpacked(self, place: int, number: int, kind: Type) -> Type:
        """Return the type of what one of some names gets of a value."""
        if isinstance(kind, Tuple) and len(kind.fields) == number:
            return kind.fields[place]
        if isinstance(kind, Array):
            self.raised.add(ValueError)
            return kind.element
        raise UnknownTypeError(f"{words(kind)} is unpacked to {number} names")

    def _either(self, both: bool, first: ast.expr, rest: list[ast.expr], names: Names) -> Type:
        kind = self.type(first, names)
        if not rest:
            return kind
        holds = self.truth(kind)
        if holds is not None and holds != both:
            return kind
        other = self._either(both, rest[0], rest[1:], narrow_names(first, names, both))
        if holds is not None:
            return other
        if not both:
            kind = Never() if isinstance(kind, NoneType) else present(kind)
        return union_of(kind, other)

    def comparison(self, node: ast.Compare, kinds: list[Type]) -> Type:
        """Return the type of a comparison, if its result is the same in each process."""
        match node.ops, kinds:
            case [ast.Is() | ast.Eq() | ast.IsNot() | ast.NotEq() as sign], [kind, NoneType()]:
                if not isinstance(kind, Nullable | Never):
                    absent = isinstance(kind, NoneType)
                    return Certain(absent == isinstance(sign, ast.Is | ast.Eq))
        for place, op in enumerate(node.ops):
            left, right = kinds[place], kinds[place + 1]
            match op:
                case ast.Is() | ast.IsNot():
                    other = node.comparators[place]
                    if not (isinstance(other, ast.Constant) and repr(other.value) in SINGLETONS):
                        raise UnknownTypeError("objects are compared by `is`")
                case ast.In() | ast.NotIn():
                    for owner in parts(self.here(right)):
                        self._check_search(owner, left)
                case ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE():
                    require_order(self.here(left), self.here(right))
        return Boolean()

    def _check_search(self, owner: Type, kind_wanted: Type) -> None:
        if isinstance(owner, Dictionary | SetOf):
            self.note_hash(kind_wanted)
        elif not isinstance(owner, String):
            elements(owner)
        elif not isinstance(self.here(kind_wanted), String | Never):
            raise UnknownTypeError("no text is searched in a text")

    def _item(self, node: ast.Subscript, names: Names) -> Type:
        """Return the type of a part of a value."""
        owner = self.here(self.type(node.value, names))
        if not isinstance(node.slice, ast.Slice):
            return self.part_at(owner, self.type(node.slice, names))
        for end in (node.slice.lower, node.slice.upper, node.slice.step):
            kind = NoneType() if end is None else self.type(end, names)
            if not all(isinstance(part, (*WHOLE, NoneType)) for part in parts(present(kind))):
                raise UnknownTypeError("the ends of a slice are no integers")
            if end is node.slice.step and isinstance(kind, Long) and kind.lo <= 0 <= kind.hi:
                self.raised.add(ValueError)
        if any(not isinstance(part, String | Array) or is_lazy(part) for part in parts(owner)):
            raise UnknownTypeError(f"a part of {words(owner)} is not known")
        return owner

    def part_at(self, owner: Type, index: Type) -> Type:
        """Return the type of the part of a value at an index."""
        return union_over_types(self._part, owner, index)

    def _part(self, owner: Type, index: Type) -> Type:
        place_known = index.lo if isinstance(index, Long) and index.lo == index.hi else None
        match owner:
            case Tuple(fields=fields) if place_known is not None and -len(
                fields
            ) <= place_known < len(fields):
                return fields[place_known]
            case Array(element=element, lazy=False) if isinstance(index, WHOLE):
                self.raised.add(IndexError)
                return element
            case String() if isinstance(index, WHOLE):
                self.raised.add(IndexError)
                return owner
            case Dictionary(value=value):
                self.raised.add(KeyError)
                self.note_hash(index)
                return value
            case Match(groups=groups):
                self.raised.add(IndexError)
                if place_known is not None and 0 <= place_known <= len(groups):
                    return optional(String(), place_known == 0 or groups[place_known - 1])
                return Nullable(String())
        raise UnknownTypeError(f"a part of {words(owner)} is not known")

    def _format(self, parts: list[ast.expr], names: Names) -> Type:
        """Return the type of an f-string of some parts."""
        for part in parts:
            if isinstance(part, ast.FormattedValue):
                self.text_of(self.type(part.value, names))
                if part.format_spec is not None:
                    check_spec(part.format_spec)
                    self.raised |= {ValueError, TypeError, OverflowError}
        return String()
