"""The types of what calls give: built-in functions, methods, functions of `re` and of the job."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from dstream_compat.native.expressions import literal
from dstream_compat.native.names import KNOWN_MODULES, Getter, Known, Local
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
    Timestamp,
    Tuple,
    Type,
    nullable,
    tuple_of,
    words,
)

from .patterns import pattern_of
from .types import (
    ANY,
    LENGTH,
    MOST,
    NUMBERS,
    SINGLE,
    SUM,
    ZERO,
    Bounded,
    Match,
    Pattern,
    SetOf,
    Unbounded,
    UnknownTypeError,
    as_int,
    check_format,
    elements,
    ints,
    is_hashed_by_value,
    is_lazy,
    negative,
    operation,
    optional,
    printable,
    require_order,
    union_of,
    union_over_types,
)

if TYPE_CHECKING:
    from .expressions import TypeInference
    from .names import Names, Value

SEARCHES = frozenset(("match", "search", "fullmatch"))


def pattern_call(
    here: TypeInference,
    name: str,
    values: list[Value],
    keywords: dict[str, Value],
    nodes: list[ast.expr],
) -> Type:
    """Return the type of what a function of the module `re` gives, whose pattern is a constant."""
    if not nodes or not values or keywords:
        raise UnknownTypeError(f"`re.{name}` with these arguments is not known")
    first = nodes[0]
    if isinstance(values[0], Pattern):
        pattern = values[0]
    elif isinstance(first, ast.Constant) and isinstance(first.value, str):
        pattern = pattern_of(first.value)
    else:
        raise UnknownTypeError("the pattern is not written in the call")
    if name == "compile" and len(values) == 1:
        return pattern
    kinds = [value for value in values[1:] if isinstance(value, Type)]
    if len(kinds) < len(values) - 1:
        raise UnknownTypeError("a function is passed on to `re`")
    return pattern_method(here, name, pattern.groups, kinds, set())


def pattern_method(
    here: TypeInference,
    name: str,
    groups: tuple[bool, ...],
    types_given: list[Type],
    keywords: set[str],
) -> Type:
    """Return the type of what a method of a pattern gives."""
    count = 2 if name == "sub" else 1
    kinds = [here.here(each) for each in types_given[:count]]
    whole = len(types_given) == count and all(isinstance(kind, String) for kind in kinds)
    if whole and not keywords:
        if name in SEARCHES:
            return Nullable(Match(groups))
        if name == "findall":
            several = len(groups) > 1
            return Array(tuple_of(*(String() for _ in groups)) if several else String())
        if name == "split" and not groups:
            return Array(String())
        if name == "sub":
            here.raised |= {re.error, IndexError}
            return String()
    raise UnknownTypeError(f"`{name}` of `re` with these arguments is not known")


INDEX = Long(-1, MOST, SINGLE)
TEXTS: dict[str, tuple[Type, int, type[BaseException] | None]] = {
    **dict.fromkeys(("lower", "upper", "title", "capitalize", "swapcase"), (String(), 0, None)),
    "casefold": (String(), 0, None),
    **dict.fromkeys(("strip", "lstrip", "rstrip"), (String(), 1, None)),
    **dict.fromkeys(("removeprefix", "removesuffix"), (String(), 1, None)),
    "replace": (String(), 3, None),
    **dict.fromkeys(("zfill", "expandtabs"), (String(), 1, None)),
    **dict.fromkeys(("ljust", "rjust", "center"), (String(), 2, TypeError)),
    **dict.fromkeys(("startswith", "endswith"), (Boolean(), 3, None)),
    **dict.fromkeys(("isdigit", "isalpha", "isalnum", "isspace", "isupper"), (Boolean(), 0, None)),
    **dict.fromkeys(("islower", "istitle", "isnumeric", "isdecimal"), (Boolean(), 0, None)),
    **dict.fromkeys(("isidentifier", "isascii", "isprintable"), (Boolean(), 0, None)),
    **dict.fromkeys(("count", "find", "rfind"), (INDEX, 3, None)),
    **dict.fromkeys(("index", "rindex"), (INDEX, 3, ValueError)),
    **dict.fromkeys(("split", "rsplit"), (Array(String()), 2, None)),
    "splitlines": (Array(String()), 1, None),
    **dict.fromkeys(("partition", "rpartition"), (tuple_of(String(), String(), String()), 1, None)),
}
"""Methods of texts: the result, the most arguments, an error that their values may raise."""
ALONE = frozenset(
    name
    for name, (_, most, _) in TEXTS.items()
    if not most or name in ("strip", "lstrip", "rstrip", "split", "rsplit", "splitlines")
)
"""Methods of texts that need no argument."""


def method(
    here: TypeInference, owner: Type, node: ast.Call, kinds: list[Type], keywords: set[str]
) -> Type:
    """Return the type of what a method gives."""
    assert isinstance(node.func, ast.Attribute)
    name = node.func.attr
    match owner:
        case String():
            kind = _of_text(here, node.func, node, kinds, keywords)
        case Array(element=element, lazy=False) if name in ("count", "index", "copy"):
            if name == "index":
                here.raised.add(ValueError)
            kind = Array(element) if name == "copy" else LENGTH
        case Timestamp() if name in ("strftime", "isoformat"):
            kind = String()
        case Dictionary(key=key, value=value) if not keywords:
            kind = _of_map(here, name, key, value, kinds)
        case Match(groups=groups) if not keywords:
            kind = _of_match(here, name, groups, node)
        case Pattern(groups=groups):
            kind = pattern_method(here, name, groups, kinds, keywords)
        case _:
            kind = None
    if kind is None:
        raise UnknownTypeError(f"`{name}` of {words(owner)} is not known")
    return kind


def _of_text(
    here: TypeInference,
    function: ast.Attribute,
    node: ast.Call,
    kinds: list[Type],
    keywords: set[str],
) -> Type | None:
    name = function.attr
    if name == "join" and len(kinds) == 1 and not keywords:
        if not isinstance(here.here(elements(here.here(kinds[0]))), String | Never):
            raise UnknownTypeError("the argument of `join` is not known to contain only strings")
        return String()
    if name == "format":
        return _type_of_format(here, here.text_behind(function.value), kinds)
    if name not in TEXTS or not keywords <= {"sep", "maxsplit", "keepends"}:
        return None
    kind, most, error = TEXTS[name]
    least = 0 if name in ALONE else 2 if name == "replace" else 1
    if not least <= len(kinds) <= most:
        return None
    _check_given(here, name, kinds)
    if error is not None:
        here.raised.add(error)
    if not all(map(_is_fitting, node.args)):
        here.raised.add(ValueError)
    if kinds and not _is_accepted(name, kinds):
        here.raised.add(TypeError)
    if keywords:
        here.raised |= {TypeError, ValueError}
    if name in ("zfill", "expandtabs", "ljust", "rjust", "center"):
        here.raised |= {OverflowError, MemoryError, TypeError}
    return kind


def _check_given(here: TypeInference, name: str, kinds: list[Type]) -> None:
    """Refuse arguments of a method of texts that no such method takes."""
    for kind in [e if isinstance(e, NoneType) else here.here(e) for e in kinds]:
        tuples = name in ("startswith", "endswith") and isinstance(kind, Tuple)
        absent = isinstance(kind, NoneType) and name.endswith(("split", "strip"))
        if not (tuples or absent or isinstance(kind, String | Long | Boolean)):
            raise UnknownTypeError(f"`{name}` is given {words(kind)}")


def _is_accepted(name: str, kinds: list[Type]) -> bool:
    """Return whether a method of texts takes arguments of these types: texts, then numbers."""
    texts = 2 if name == "replace" else 1
    first, rest = kinds[:texts], kinds[texts:]
    if isinstance(first[0], Tuple) and name in ("startswith", "endswith"):
        first = [*first[0].fields]
    absent = isinstance(first[0], NoneType) and name.endswith(("split", "strip"))
    plain = absent or all(isinstance(kind, String) for kind in first)
    return plain and all(isinstance(kind, Long) for kind in rest)


def _is_fitting(node: ast.expr) -> bool:
    """Return whether an argument is a constant that no method of texts refuses."""
    match node:
        case ast.Constant(value=str() as value):
            return bool(value)
        case ast.Constant(value=int() | None):
            return True
        case ast.Tuple(elts=parts):
            return all(map(_is_fitting, parts))
    return False


def _type_of_format(here: TypeInference, owner: ast.expr, kinds: list[Type]) -> Type | None:
    if not (isinstance(owner, ast.Constant) and isinstance(owner.value, str)):
        return None
    if not check_format(owner.value):
        return None
    if not all(map(printable, kinds)):
        return None
    here.raised |= {ValueError, IndexError, KeyError, TypeError, OverflowError}
    return String()


def _of_map(
    here: TypeInference, name: str, key: Type, value: Type, kinds: list[Type]
) -> Type | None:
    if kinds:
        here.note_hash(kinds[0])
    match name, kinds:
        case "get", [_]:
            return nullable(value)
        case "get", [_, default]:
            return union_of(value, default)
        case "items", []:
            return Array(tuple_of(key, value), lazy=True)
        case "keys", []:
            return Array(key, lazy=True)
        case "values", []:
            return Array(value, lazy=True)
    return None


def _of_match(
    here: TypeInference, name: str, groups: tuple[bool, ...], node: ast.Call
) -> Type | None:
    match name, node.args:
        case "group", []:
            return String()
        case "group", [ast.Constant(value=int(place))] if 0 <= place <= len(groups):
            return optional(String(), place == 0 or groups[place - 1])
        case "group", [ast.Constant(value=str())]:
            here.raised.add(IndexError)
            return Nullable(String())
        case "groups", [] if groups:
            return tuple_of(*(optional(String(), group) for group in groups))
        case "start" | "end", []:
            return LENGTH
    return None


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
ALLOWED = frozenset(("print", "time.time"))
"""Those of a function that is called as often as in the old job."""
NOW = Bounded(whole=Long(0, 2**33, SUM))
"""The time of the day, in seconds."""
SURROGATES = 0xD7FF, 0xE000
FLOATS = ("sqrt", "log", "log10", "log2", "log1p", "exp", "sin", "cos", "tan", "atan", "fabs")


def refuse_known(name: str) -> None:
    """Refuse a function with effects, or with another result at each call."""
    pieces = name.split(".")
    for count in range(1, len(pieces) + 1):
        why = CHANGING.get(".".join(pieces[:count]))
        if why is not None:
            raise UnknownTypeError(f"the result of `{name}` depends on {why}")
    if name in EFFECTS:
        raise UnknownTypeError(f"`{name}` has an effect besides the result")


def call(here: TypeInference, node: ast.Call, names: Names) -> Value:
    """Return the type of what a call gives, or the function that it makes."""
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        raise UnknownTypeError("`*` in a call is not followed")
    keywords = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None}
    if len(keywords) < len(node.keywords):
        raise UnknownTypeError("`**` in a call is not followed")
    function = node.func
    value_found: Value
    if isinstance(function, ast.Attribute):
        owner = here.value(function.value, names)
        if isinstance(owner, Type):
            kinds = [here.type(argument, names) for argument in (*node.args, *keywords.values())]
            return here.method(here.here(owner), node, kinds, set(keywords))
        if not isinstance(owner, Known):
            raise UnknownTypeError(f"`{ast.unparse(function)}` is no known function")
        value_found = Known(f"{owner.name}.{function.attr}")
    else:
        value_found = here.value(function, names)
    if value_found == Known("operator.itemgetter") and not keywords:
        literals = [
            literal(argument.value) for argument in node.args if isinstance(argument, ast.Constant)
        ]
        keys = tuple(each for each in literals if each is not None)
        if not keys or len(keys) < len(node.args):
            raise UnknownTypeError("the keys of `itemgetter` are not known")
        return Getter(keys)
    values = [here.value(argument, names) for argument in node.args]
    if isinstance(value_found, Local | Getter) and not keywords:
        kinds = [value for value in values if isinstance(value, Type)]
        if len(kinds) < len(values):
            raise UnknownTypeError(f"`{ast.unparse(function)}` is given a function")
        return here.call(value_found, kinds)
    if isinstance(value_found, Known):
        named = {name: here.value(keyword, names) for name, keyword in keywords.items()}
        return here.type_of_known_call(
            value_found.name, values, named, [here.text_behind(e) for e in node.args]
        )
    raise UnknownTypeError(f"`{ast.unparse(function)}` is no known function")


def call_known(
    here: TypeInference,
    name: str,
    values: list[Value],
    keywords: dict[str, Value],
    nodes: list[ast.expr],
) -> Type:
    """Return the type of what a function of Python gives."""
    if here.pure or name not in ALLOWED:
        refuse_known(name)
    if name.startswith("re."):
        return pattern_call(here, name.removeprefix("re."), values, keywords, nodes)
    if name in ("map", "filter") and len(values) == 2 and not keywords:
        return _lazy(here, name, values[0], _argument_types(values[1:])[0])
    if name == "isinstance" and len(values) == 2:
        return Boolean()
    match name, nodes:
        case "int", [ast.Constant(value=str(text))] if text.isascii() and text.isdecimal():
            return ints(int(text), int(text))
    kinds = _argument_types(values)
    if name in ("sorted", "min", "max") and keywords:
        return _by_key(here, name, kinds, keywords)
    if keywords:
        raise UnknownTypeError(f"`{name}` with these arguments is not known")
    if name in COLLECTIONS and len(kinds) == 1:
        return union_over_types(
            lambda owner: _type_from_collection(here, name, owner), here.here(kinds[0])
        )
    if name == "sum" and len(kinds) == 2:
        return _sum_type(here, elements(here.here(kinds[0])), kinds[1])
    return union_over_types(lambda *each: _plain(here, name, list(each)), *kinds)


def _argument_types(values: list[Value]) -> list[Type]:
    kinds = [value for value in values if isinstance(value, Type)]
    if len(kinds) < len(values):
        raise UnknownTypeError("a function is passed on")
    return kinds


def _plain(here: TypeInference, name: str, kinds: list[Type]) -> Type:
    for family in (_conversion, _number_of, _iteration, _of_plain_text, _math_of):
        family_kind = family(here, name, kinds)
        if family_kind is not None:
            return family_kind
    present = [here.here(each) for each in kinds]
    if present != kinds and Never() not in present:
        # None raises there; what is not None is tried alone
        return union_over_types(lambda *each: _plain(here, name, list(each)), *present)
    module, _, _ = name.rpartition(".")
    if module and module.partition(".")[0] not in (*KNOWN_MODULES, "str"):
        raise UnknownTypeError(f"`{name}` is of another module")
    raise UnknownTypeError(f"`{name}({', '.join(map(words, kinds))})` is not known")


def _conversion(here: TypeInference, name: str, kinds: list[Type]) -> Type | None:
    """Return the type of what `int`, `float`, `str` and `bool` give."""
    match name, kinds:
        case "int", [String()] | [String(), Long()]:
            here.raised.add(ValueError)
            return Unbounded()
        case "int", [Double() as one]:
            here.raised |= {ValueError, OverflowError}
            return _whole(one)
        case "int", [Boolean() | Long() | Unbounded() as one]:
            return as_int(one)
        case "float", [String()]:
            here.raised.add(ValueError)
            return Double()
        case "float", [Boolean() | Long() | Unbounded() | Double() as one]:
            if isinstance(one, Unbounded):
                here.raised.add(OverflowError)
            return Double()
        case "str" | "repr", [one]:
            return here.text_of(one)
        case "bool", [one]:
            here.truth(one)
            return Boolean()
    return None


def _whole(kind: Double) -> Type:
    """Return the integers that floats are rounded to."""
    return kind.whole if isinstance(kind, Bounded) else Unbounded()


def _number_of(here: TypeInference, name: str, kinds: list[Type]) -> Type | None:
    """Return the type of what functions of numbers give."""
    match name, kinds:
        case "abs", [one] if isinstance(one, NUMBERS):
            other = negative(one)
            if isinstance(other, Long):
                return ints(0, max(abs(other.lo), abs(other.hi)), other.bits)
            return other
        case "round", [Double() as one]:
            here.raised |= {ValueError, OverflowError}
            return _whole(one)
        case "round", [Double(), Long()]:
            here.raised.add(OverflowError)
            return Double()
        case "round", [Boolean() | Long() | Unbounded() as one, *_] if len(kinds) < 3:
            digits = kinds[1] if len(kinds) > 1 else ZERO
            if isinstance(digits, Long) and digits.lo >= 0:
                return as_int(one)
        case "ord", [String()]:
            here.raised.add(TypeError)
            return Long(0, 0x10FFFF, 32)
        case "chr", [Long(lo=lo, hi=hi)] if 0 <= lo <= hi < SURROGATES[0] or (
            SURROGATES[1] < lo <= hi <= 0x10FFFF
        ):
            return String()
        case "min" | "max", [_, _, *_]:
            require_order(*map(here.here, kinds))
            return union_of(*map(here.here, kinds))
        case "time.time", []:
            return NOW
        case "print", _:
            return NoneType()
    return None


def _iteration(here: TypeInference, name: str, kinds: list[Type]) -> Type | None:
    """Return the type of what functions of iterables give."""
    match name, kinds:
        case "list", [one]:
            return Array(elements(here.here(one)))
        case "list", []:
            return Array(Never())
        case "reversed", [one]:
            return Array(elements(here.here(one)), lazy=True)
        case "enumerate", [one]:
            return Array(tuple_of(LENGTH, elements(here.here(one))), lazy=True)
        case "zip", [_, *_]:
            return Array(tuple_of(*(elements(here.here(kind)) for kind in kinds)), lazy=True)
        case "range", [_, *_] if all(isinstance(kind, Long | Boolean) for kind in kinds):
            if len(kinds) > 2:
                here.raised.add(ValueError)
            return Array(_range(kinds), lazy=True)
    return None


def _of_plain_text(here: TypeInference, name: str, kinds: list[Type]) -> Type | None:
    """Return the type of what a method of the class `str` gives, where it is a function."""
    method = name.removeprefix("str.")
    if method == name or len(kinds) != 1 or not isinstance(kinds[0], String):
        return None
    return TEXTS[method][0] if method in ALONE else None


def _range(kinds: list[Type]) -> Type:
    ends = [each for each in map(as_int, kinds) if isinstance(each, Long)]
    bits = max(end.bits for end in ends)
    if len(ends) == 1:
        return ints(0, max(0, ends[0].hi - 1), bits)
    return ints(min(end.lo for end in ends[:2]), max(end.hi for end in ends[:2]), bits)


def _math_of(here: TypeInference, name: str, kinds: list[Type]) -> Type | None:
    """Return the type of what a function of the module `math` gives."""
    module, _, function = name.rpartition(".")
    if module != "math" or not kinds or not all(isinstance(kind, NUMBERS) for kind in kinds):
        return None
    if any(isinstance(kind, Unbounded) for kind in kinds):
        here.raised.add(OverflowError)
    if function in FLOATS and len(kinds) == (2 if function == "log" and len(kinds) == 2 else 1):
        here.raised |= {ValueError, OverflowError}
        return Double()
    if function in ("floor", "ceil") and len(kinds) == 1:
        here.raised |= {ValueError, OverflowError}
        return _whole(kinds[0]) if isinstance(kinds[0], Double) else as_int(kinds[0])
    if function in ("isnan", "isinf") and len(kinds) == 1:
        return Boolean()
    if function in ("pow", "hypot", "atan2") and len(kinds) == 2:
        here.raised |= {ValueError, OverflowError}
        return Double()
    return None


def _type_from_collection(here: TypeInference, name: str, owner: Type) -> Type:
    """Return what a function gives of the elements of a collection, whose order does not count."""
    if name == "len":
        if is_lazy(owner) or not isinstance(owner, String | Dictionary | SetOf | Tuple | Array):
            raise UnknownTypeError(f"the length of {words(owner)} is not known")
        return LENGTH
    kind = owner.element if isinstance(owner, SetOf) else elements(owner)
    if isinstance(owner, SetOf) and not is_hashed_by_value(kind):
        # NaN is unequal to itself, so its place is not known
        raise UnknownTypeError(f"the order of a set of {words(kind)} is not known")
    match name:
        case "any" | "all":
            here.truth(kind)
            return Boolean()
        case "set":
            here.note_hash(kind)
            return SetOf(kind)
        case "sorted":
            require_order(here.here(kind))
            return Array(kind)
        case "min" | "max":
            require_order(here.here(kind))
            here.raised.add(ValueError)
            return here.here(kind)
    return _sum_type(here, kind, ZERO)


def _sum_type(here: TypeInference, kind: Type, start: Type) -> Type:
    """Return what `sum` gives, which is the start if there are no elements."""

    def sums(plain: Type) -> Type:
        match as_int(plain):
            case Long(lo=lo, hi=hi, bits=bits):
                return ints(min(0, lo * MOST), max(0, hi * MOST), SUM if bits <= SUM else ANY)
            case Unbounded(bits=bits):
                return Unbounded(SUM if bits <= SUM else ANY)
            case Double() as double:
                return double
        raise UnknownTypeError(f"the sum of {words(plain)} is not known")

    total = union_over_types(sums, here.here(kind))
    return union_of(start, operation(ast.Add(), here.here(start), total, here.raised))


def _by_key(here: TypeInference, name: str, kinds: list[Type], keywords: dict[str, Value]) -> Type:
    several = len(kinds) > 1 and name != "sorted"
    if not kinds or set(keywords) - {"key", "reverse"} or (len(kinds) > 1 and not several):
        raise UnknownTypeError(f"`{name}` with these arguments is not known")
    kind = union_of(*kinds) if several else elements(here.here(kinds[0]))
    by = here.call(keywords["key"], [kind]) if "key" in keywords else kind
    require_order(here.here(by))
    if name == "sorted":
        return Array(kind)
    here.raised.add(ValueError)
    return kind


def _lazy(here: TypeInference, name: str, function: Value, owner: Type) -> Type:
    kind = elements(here.here(owner))
    if name == "filter" and isinstance(function, NoneType):
        return Array(kind, lazy=True)
    with here.later():
        element = here.call(function, [kind])
    if name == "filter":
        here.truth(element)
        return Array(kind, lazy=True)
    return Array(element, lazy=True)
