"""Infers what a function of a state returns, and what it keeps: as kinds of values."""

from __future__ import annotations

import ast
from collections.abc import Callable

from .branches import Names, joined, narrowed
from .folding import size_of
from .kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    ZERO,
    Kinds,
    ListOf,
    TupleOf,
    UnknownKind,
    merged,
    sum_of,
)

ROUNDS = 8
STRINGS = {
    **dict.fromkeys(("lower", "upper", "strip", "lstrip", "rstrip", "replace"), STR),
    **dict.fromkeys(("format", "join", "title", "capitalize", "zfill"), STR),
    **dict.fromkeys(("startswith", "endswith", "isdigit", "isalpha", "isupper", "islower"), BOOL),
    **dict.fromkeys(("count", "find", "index"), INT),
    **dict.fromkeys(("split", "rsplit", "splitlines"), frozenset({ListOf(STR)})),
}
FUNCTIONS = {
    **dict.fromkeys(("len", "ord"), INT),
    **dict.fromkeys(("float", "math.sqrt", "math.exp", "math.log", "time.time"), FLOAT),
    **dict.fromkeys(("str", "repr", "chr"), STR),
    **dict.fromkeys(("bool", "any", "all", "isinstance"), BOOL),
}


class KindInference:
    """Runs a function on kinds.

    Parameters
    ----------
    meaning : callable
        the kinds of a name of the job, or the dotted name of a known function, or a function
    state : str
        the parameter that is the state of `mapWithState`, if there is one
    kept : Kinds
        what this state may hold
    """

    def __init__(
        self,
        meaning: Callable[[ast.expr], Kinds | str | ast.FunctionDef | ast.Lambda | None],
        state: str = "",
        kept: Kinds = frozenset(),
    ) -> None:
        self.meaning = meaning
        self.state = state
        self.kept = kept
        self.depth = 0
        self.mutates = False

    def call_with_state(self, function: ast.FunctionDef, given: list[Kinds]) -> Kinds:
        """Return what a function of `mapWithState` returns, whose last parameter is the state."""
        parameters = function.args.args[:-1]
        names = {each.arg: kinds for each, kinds in zip(parameters, given, strict=True)}
        found, goes_on = self._run(function.body, names)
        return merged(found, NONE) if goes_on is not None else found

    def call(self, function: ast.Lambda | ast.FunctionDef, given: list[Kinds]) -> Kinds:
        """Return what a function returns."""
        parameters = function.args
        plain = not (parameters.vararg or parameters.kwarg or parameters.kwonlyargs)
        if not plain or parameters.defaults or len(parameters.args) != len(given):
            raise UnknownKind("the parameters of the function are not plain ones", function)
        names = {each.arg: kinds for each, kinds in zip(parameters.args, given, strict=True)}
        if isinstance(function, ast.Lambda):
            return self.kinds(function.body, names)
        self.depth += 1
        if self.depth > ROUNDS:
            raise UnknownKind("the function calls itself", function)
        found, goes_on = self._run(function.body, names)
        self.depth -= 1
        return merged(found, NONE) if goes_on is not None else found

    def _run(self, body: list[ast.stmt], names: Names) -> tuple[Kinds, Names | None]:
        """Return what statements return, and the names after them if they may go on."""
        found: Kinds = frozenset()
        here: Names | None = dict(names)
        for statement in body:
            if here is None:
                break
            returned, here = self._statement(statement, here)
            found = merged(found, returned)
        return found, here

    def _statement(self, statement: ast.stmt, names: Names) -> tuple[Kinds, Names | None]:
        nothing: Kinds = frozenset()
        match statement:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return nothing, names
            case ast.Return(value=node):
                return NONE if node is None else self.kinds(node, names), None
            case ast.Raise():
                return nothing, None
            case ast.Continue() | ast.Break():
                return nothing, names
            case ast.Assign(targets=[target], value=node):
                self._bind(target, self.kinds(node, names), names)
                return nothing, names
            case ast.AugAssign(target=ast.Name() as target, op=op, value=node):
                before = self.kinds(ast.Name(target.id, ast.Load()), names)
                made = sum_of(before, op, self.kinds(node, names), statement)
                self._bind(target, made, names)
                return nothing, names
            case ast.If(test=test, body=body, orelse=otherwise):
                self.kinds(test, names)
                yes, after = self._run(body, narrowed(test, names, True))
                no, other = self._run(otherwise, narrowed(test, names, False))
                return merged(yes, no), joined(after, other)
            case ast.For(target=target, iter=node, body=body, orelse=[]):
                found = nothing
                for _ in range(ROUNDS):
                    inner = dict(names)
                    self._bind(target, self.elements(node, inner), inner)
                    returned, after = self._run(body, inner)
                    found = merged(found, returned)
                    whole = joined(names, after)
                    assert whole is not None
                    if whole == names:
                        return found, names
                    names = whole
                raise UnknownKind("the types in the loop are not known", statement)
            case ast.Expr(value=ast.Call() as call):
                self._effect(call, names)
                return nothing, names
        raise UnknownKind("the types of this statement are not known", statement)

    def _bind(self, target: ast.expr, found: Kinds, names: Names) -> None:
        match target:
            case ast.Name(id=name):
                names[name] = found
                return
            case ast.Subscript(value=ast.Name(id=name)) if not isinstance(target.slice, ast.Slice):
                if all(isinstance(each, ListOf) for each in names.get(name, NONE)):
                    self._into_lists(found, names)
                    return
            case ast.Tuple(elts=parts):
                for place, part in enumerate(parts):
                    fields = []
                    for each in found - NONE:
                        if isinstance(each, TupleOf) and len(each.fields) == len(parts):
                            fields.append(each.fields[place])
                        elif isinstance(each, ListOf):
                            fields.append(each.element)
                        else:
                            raise UnknownKind("what is unpacked here is not known", target)
                    self._bind(part, merged(*fields), names)
                return
        raise UnknownKind("an assignment to this is not known", target)

    def _into_lists(self, found: Kinds, names: Names) -> None:
        """Add an element to all lists: two names may have the same one."""
        self.mutates = True
        more = frozenset({ListOf(found)})
        for name, kinds in names.items():
            if any(isinstance(each, ListOf) for each in kinds):
                names[name] = merged(kinds, more)

    def _effect(self, call: ast.Call, names: Names) -> None:
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method), keywords=[]):
                given = [self.kinds(each, names) for each in call.args]
                if name == self.state and name not in names:
                    if method == "update" and len(given) == 1:
                        self.kept = merged(self.kept, given[0])
                        return
                    if method == "remove" and not given:
                        return
                lists = names.get(name, NONE)
                if all(isinstance(each, ListOf) for each in lists):
                    if method in ("append", "insert") and given:
                        self._into_lists(given[-1], names)
                        return
                    if method == "extend" and len(given) == 1:
                        self._into_lists(self.elements(call.args[0], names), names)
                        return
                    if method in ("sort", "reverse", "clear", "pop", "remove"):
                        self.mutates = True
                        return
            case ast.Call(func=function) if self.meaning(function) == "print":
                return
        raise UnknownKind("the effect of this call is not known", call)

    def elements(self, node: ast.expr, names: Names) -> Kinds:
        """Return the kinds of the elements of a list, tuple or text."""
        found = []
        for each in self.kinds(node, names) - NONE:
            match each:
                case ListOf(element=element):
                    found.append(element)
                case TupleOf(fields=fields):
                    found.extend(fields)
                case "str":
                    found.append(STR)
                case _:
                    raise UnknownKind("the elements of this are not known", node)
        return merged(*found)

    def kinds(self, node: ast.expr, names: Names) -> Kinds:
        """Return the kinds of an expression."""
        size = size_of(node, names, self.meaning)
        if size is not None:
            return size
        match node:
            case ast.Constant(value=value):
                found = {bool: BOOL, float: FLOAT, str: STR, type(None): NONE}
                if type(value) in found:
                    return found[type(value)]
            case ast.Name(id=name):
                if name in names:
                    return names[name]
                known = self.meaning(node)
                if isinstance(known, frozenset):
                    return known
            case ast.JoinedStr():
                return STR
            case ast.Tuple() | ast.List() | ast.ListComp() | ast.GeneratorExp():
                return self._collection(node, names)
            case ast.BinOp(left=left, op=op, right=right):
                return sum_of(self.kinds(left, names), op, self.kinds(right, names), node)
            case ast.UnaryOp(op=ast.Not()):
                return BOOL
            case ast.UnaryOp(op=ast.USub(), operand=inner_node):
                return sum_of(ZERO, ast.Sub(), self.kinds(inner_node, names), node)
            case ast.Compare(left=left, comparators=others):
                for each in (left, *others):
                    self.kinds(each, names)
                return BOOL
            case ast.BoolOp(op=op, values=values):
                several = [self.kinds(each, names) for each in values]
                if isinstance(op, ast.Or):
                    several = [*(each - NONE for each in several[:-1]), several[-1]]
                return merged(*several)
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                yes = self.kinds(body, narrowed(test, names, True))
                return merged(yes, self.kinds(otherwise, narrowed(test, names, False)))
            case ast.Subscript():
                return self._item(node, names)
            case ast.Call():
                return self._called(node, names)
        raise UnknownKind("the type of this expression is not known", node)

    def _collection(
        self, node: ast.Tuple | ast.List | ast.ListComp | ast.GeneratorExp, names: Names
    ) -> Kinds:
        if isinstance(node, ast.Tuple):
            return frozenset({TupleOf(tuple(self.kinds(each, names) for each in node.elts))})
        if isinstance(node, ast.List):
            inner = merged(*(self.kinds(each, names) for each in node.elts))
            return frozenset({ListOf(inner)})
        inside = dict(names)
        for loop in node.generators:
            self._bind(loop.target, self.elements(loop.iter, inside), inside)
        return frozenset({ListOf(self.kinds(node.elt, inside))})

    def _item(self, node: ast.Subscript, names: Names) -> Kinds:
        owner = self.kinds(node.value, names) - NONE
        if isinstance(node.slice, ast.Slice):
            if all(isinstance(each, ListOf) or each == "str" for each in owner):
                return owner
            raise UnknownKind("a part of this is not known", node)
        found = []
        for each in owner:
            match each, node.slice:
                case TupleOf(fields=fields), ast.Constant(value=int() as place) if (
                    -len(fields) <= place < len(fields)
                ):
                    found.append(fields[place])
                case ListOf(element=element), _:
                    found.append(element)
                case "str", _:
                    found.append(STR)
                case _:
                    raise UnknownKind("a field of this is not known", node)
        return merged(*found)

    def _called(self, call: ast.Call, names: Names) -> Kinds:
        from .infer_calls import called

        return called(self, call, names)
