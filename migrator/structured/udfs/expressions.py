"""Infers the types of expressions and functions of Python, and which errors may leave them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from dstream_compat.native.expressions import Expression, Literal, constant
from dstream_compat.native.names import (
    Environment,
    Getter,
    Known,
    Local,
    argument_names,
    defaults,
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

from ..dataframes.naming import is_telling
from .calls import call, call_known, method
from .lists import longer, sharing_names
from .names import Followed, Names, OuterNames, Value, narrow_names, own_names
from .statements import body_type
from .types import (
    WHOLE,
    Certain,
    Match,
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
    negative,
    operation,
    optional,
    parts,
    printable,
    require_order,
    union_of,
    union_over_types,
)


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


ADDING = {"append": 1, "extend": 1, "insert": 2}
"""Methods that add something, and how many arguments they take."""
OTHERS = frozenset(("sort", "reverse", "clear", "pop", "remove"))
"""Methods that add nothing."""
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
        match call:
            case ast.Call(func=ast.Attribute(ast.Name(id=name), change), keywords=[]) if (
                name in names and change in (*ADDING, *OTHERS)
            ):
                kinds = [self.type(argument, names) for argument in call.args]
                if change in OTHERS:
                    self.raised |= {TypeError, ValueError, IndexError}
                    return self.with_element(name, Never(), names)
                if len(kinds) == ADDING[change]:
                    new = elements(self.here(kinds[-1])) if change == "extend" else kinds[-1]
                    return self.with_element(name, new, names)
        raise UnknownTypeError(f"`{ast.unparse(call)[:40]}` has an effect besides the result")

    def with_element(self, name: str, new: Type, names: Names) -> Names:
        """Return the names after a list has got an element: those that may have the list, too."""
        list_kind, function = names.get(name), self.frames[-1].function
        owner = self.here(list_kind) if isinstance(list_kind, Type) else None
        lazy = any(is_lazy(e) for holder in (owner, new) if holder for e in parts(holder))
        if (
            not isinstance(owner, Array | Never)
            or lazy
            or not isinstance(function, ast.FunctionDef)
        ):
            raise UnknownTypeError(f"a change of `{name}` is not known")
        same, holders = sharing_names(function, name)
        if isinstance(owner, Never) or isinstance(new, Never):
            holders = set()
        elif len(self.frames) > 2 and not holders.isdisjoint(argument_names(function.args)):
            raise UnknownTypeError(f"`{name}` may be an argument that is changed")
        self.changes = True
        names_after = dict(names)
        for holder in holders:
            kind = names.get(holder)
            if isinstance(kind, Type):
                names_after[holder] = longer(kind, new, owner, holder in same)
        return names_after

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
                    names.update(self.with_element(name, value, names))
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
