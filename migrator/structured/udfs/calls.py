"""The types of what calls give: built-in functions, methods, functions of the job."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from dstream_compat.native.expressions import Literal
from dstream_compat.native.names import KNOWN_MODULES, Known, Local
from dstream_compat.native.types import (
    Array,
    Boolean,
    Dictionary,
    Double,
    Long,
    Never,
    NoneType,
    String,
    Tuple,
    Type,
)

from .builtin import converted, iterated, math_of, number_of, of_text
from .methods import method
from .patterns import pattern_call
from .results import as_int, elements, ordered
from .types import LENGTH, MOST, SetOf, Unbounded, UnknownTypeError, hashed_by_value, ints, named

if TYPE_CHECKING:
    from .function_facts import Following
    from .names import Names, Value

CHANGING = {
    "random": "random numbers",
    "time": "the time",
    "uuid": "random numbers",
    "secrets": "random numbers",
    "datetime.datetime.now": "the time",
    "datetime.datetime.utcnow": "the time",
    "datetime.datetime.today": "the time",
    "datetime.date.today": "the time",
    "id": "the process",
    "hash": "the process",
    "os": "the machine",
    "socket": "the machine",
}
"""Functions whose result differs from call to call, and what it depends on."""
EFFECTS = frozenset(("print", "open", "input", "exec", "eval", "setattr", "exit", "__import__"))
COLLECTIONS = frozenset(("len", "sorted", "sum", "min", "max", "any", "all", "set"))


def refuse_known(name: str) -> None:
    """Refuse a function with effects, or with another result at each call."""
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        why = CHANGING.get(".".join(parts[:count]))
        if why is not None:
            raise UnknownTypeError(f"the result of `{name}` depends on {why}")
    if name in EFFECTS:
        raise UnknownTypeError(f"`{name}` has an effect besides the result")


def call(here: Following, node: ast.Call, names: Names) -> Type:
    """Return the type of what a call gives."""
    if any(isinstance(each, ast.Starred) for each in node.args):
        raise UnknownTypeError("`*` in a call is not followed")
    keywords = {each.arg: each.value for each in node.keywords if each.arg is not None}
    if len(keywords) < len(node.keywords):
        raise UnknownTypeError("`**` in a call is not followed")
    function = node.func
    found: Value
    if isinstance(function, ast.Attribute):
        owner = here.value(function.value, names)
        if isinstance(owner, Type):
            given = [here.type(each, names) for each in (*node.args, *keywords.values())]
            return method(here, here.here(owner), function, node, given, set(keywords))
        found = Known(f"{owner.name}.{function.attr}")
        if not isinstance(owner, Known):
            raise UnknownTypeError(f"`{ast.unparse(function)}` is no known function")
    else:
        found = here.value(function, names)
    values = [here.value(each, names) for each in node.args]
    if isinstance(found, Local) and not keywords:
        given = [each for each in values if isinstance(each, Type)]
        if len(given) < len(values):
            raise UnknownTypeError(f"`{found.name}` is given a function")
        return here.call(found, given)
    if isinstance(found, Known):
        made = {name: here.value(each, names) for name, each in keywords.items()}
        nodes = [_written(here, each) for each in node.args]
        return call_known(here, found.name, values, made, nodes)
    raise UnknownTypeError(f"`{ast.unparse(function)}` is no known function")


def _written(here: Following, node: ast.expr) -> ast.expr:
    """Return an argument; the text itself for a name that always stands for it."""
    if isinstance(node, ast.Name) and not (here.own and node.id in here.own[-1]):
        match here.environments[-1].lookup(node.id):
            case Literal(value=str(text)):
                return ast.copy_location(ast.Constant(text), node)
    return node


def call_known(
    here: Following,
    name: str,
    values: list[Value],
    keywords: dict[str, Value],
    nodes: list[ast.expr],
) -> Type:
    """Return the type of what a function of Python gives."""
    refuse_known(name)
    if name.startswith("re."):
        return pattern_call(here, name.removeprefix("re."), values, keywords, nodes)
    if name in ("map", "filter") and len(values) == 2 and not keywords:
        return _lazy(here, name, values[0], _given(values[1:])[0])
    if name == "isinstance" and len(values) == 2:
        return Boolean()
    given = _given(values)
    if name in ("sorted", "min", "max") and keywords:
        return _by_key(here, name, given, keywords)
    if keywords:
        raise UnknownTypeError(f"`{name}` with these arguments is not known")
    if name in COLLECTIONS and len(given) == 1:
        return _collected(here, name, here.here(given[0]))
    return _plain(here, name, given)


def _given(values: list[Value]) -> list[Type]:
    kinds = [each for each in values if isinstance(each, Type)]
    if len(kinds) < len(values):
        raise UnknownTypeError("a function is passed on")
    return kinds


def _plain(here: Following, name: str, given: list[Type]) -> Type:
    for family in (converted, number_of, iterated, of_text, math_of):
        found = family(here, name, given)
        if found is not None:
            return found
    present = [here.here(each) for each in given]
    if present != given and Never() not in present:
        # None raises there; what is not None is tried alone
        return _plain(here, name, present)
    module, _, _ = name.rpartition(".")
    if module and module.partition(".")[0] not in (*KNOWN_MODULES, "str"):
        raise UnknownTypeError(f"`{name}` is of another module")
    raise UnknownTypeError(f"`{name}({', '.join(map(named, given))})` is not known")


def _collected(here: Following, name: str, owner: Type) -> Type:
    """Return what a function gives of the elements of a collection, whose order does not count."""
    if name == "len":
        sized = isinstance(owner, String | Dictionary | SetOf | Tuple)
        if not sized and not (isinstance(owner, Array) and not owner.lazy):
            raise UnknownTypeError(f"the length of {named(owner)} is not known")
        return LENGTH
    kind = owner.element if isinstance(owner, SetOf) else elements(owner)
    if isinstance(owner, SetOf) and not hashed_by_value(kind):
        # NaN is unequal to itself, so its place is not known
        raise UnknownTypeError(f"the order of a set of {named(kind)} is not known")
    match name:
        case "any" | "all":
            here.truth(kind)
            return Boolean()
        case "set":
            here.hashed(kind)
            return SetOf(kind)
        case "sorted":
            ordered([here.here(kind), here.here(kind)])
            return Array(kind)
        case "min" | "max":
            ordered([here.here(kind), here.here(kind)])
            here.raised.add(ValueError)
            return here.here(kind)
    plain = as_int(here.here(kind))
    if isinstance(plain, Long):
        return ints(min(0, plain.lo * MOST), max(0, plain.hi * MOST))
    if isinstance(plain, Unbounded):
        return plain
    if isinstance(plain, Double):
        raise UnknownTypeError(
            "`sum` of an empty list is the integer 0, so the result has two types"
        )
    raise UnknownTypeError(f"the sum of {named(kind)} is not known")


def _by_key(here: Following, name: str, given: list[Type], keywords: dict[str, Value]) -> Type:
    if len(given) != 1 or set(keywords) - {"key", "reverse"}:
        raise UnknownTypeError(f"`{name}` with these arguments is not known")
    owner = here.here(given[0])
    if isinstance(owner, SetOf):
        raise UnknownTypeError("the order of a set differs from process to process")
    kind = elements(owner)
    by = kind
    if "key" in keywords:
        by = here.call(keywords["key"], [kind])
    ordered([here.here(by), here.here(by)])
    if name == "sorted":
        return Array(kind)
    here.raised.add(ValueError)
    return kind


def _lazy(here: Following, name: str, function: Value, owner: Type) -> Type:
    kind = elements(here.here(owner))
    if name == "filter" and isinstance(function, NoneType):
        return Array(kind, lazy=True)
    with here.later():
        made = here.call(function, [kind])
    if name == "filter":
        here.truth(made)
        return Array(kind, lazy=True)
    return Array(made, lazy=True)
