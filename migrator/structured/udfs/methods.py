"""The types of what methods of texts, lists, dictionaries and matches give."""

from __future__ import annotations

import ast

from dstream_compat.native.types import (
    Array,
    Boolean,
    Dictionary,
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

from .following import Following
from .patterns import pattern_method
from .results import check_format, elements, optional
from .types import (
    LENGTH,
    MOST,
    SINGLE,
    Match,
    Pattern,
    UnknownTypeError,
    printable,
    union_of,
)

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
    here: Following, owner: Type, node: ast.Call, given: list[Type], keywords: set[str]
) -> Type:
    """Return the type of what a method gives."""
    assert isinstance(node.func, ast.Attribute)
    name = node.func.attr
    match owner:
        case String():
            found = _of_text(here, node.func, node, given, keywords)
        case Array(element=element, lazy=False) if name in ("count", "index", "copy"):
            if name == "index":
                here.raised.add(ValueError)
            found = Array(element) if name == "copy" else LENGTH
        case Timestamp() if name in ("strftime", "isoformat"):
            found = String()
        case Dictionary(key=key, value=value) if not keywords:
            found = _of_map(here, name, key, value, given)
        case Match(groups=groups) if not keywords:
            found = _of_match(here, name, groups, node)
        case Pattern(groups=groups):
            found = pattern_method(here, name, groups, given, keywords)
        case _:
            found = None
    if found is None:
        raise UnknownTypeError(f"`{name}` of {words(owner)} is not known")
    return found


def _of_text(
    here: Following,
    function: ast.Attribute,
    node: ast.Call,
    given: list[Type],
    keywords: set[str],
) -> Type | None:
    name = function.attr
    if name == "join" and len(given) == 1 and not keywords:
        if not isinstance(here.here(elements(here.here(given[0]))), String | Never):
            raise UnknownTypeError("the argument of `join` is not known to contain only strings")
        return String()
    if name == "format":
        return _formatted(here, here.text_behind(function.value), given)
    if name not in TEXTS or not keywords <= {"sep", "maxsplit", "keepends"}:
        return None
    kind, most, error = TEXTS[name]
    least = 0 if name in ALONE else 2 if name == "replace" else 1
    if not least <= len(given) <= most:
        return None
    _check_given(here, name, given)
    if error is not None:
        here.raised.add(error)
    if not all(map(_is_fitting, node.args)):
        here.raised.add(ValueError)
    if given and not _is_accepted(name, given):
        here.raised.add(TypeError)
    if keywords:
        here.raised |= {TypeError, ValueError}
    if name in ("zfill", "expandtabs", "ljust", "rjust", "center"):
        here.raised |= {OverflowError, MemoryError, TypeError}
    return kind


def _check_given(here: Following, name: str, given: list[Type]) -> None:
    """Refuse arguments of a method of texts that no such method takes."""
    for each in [e if isinstance(e, NoneType) else here.here(e) for e in given]:
        tuples = name in ("startswith", "endswith") and isinstance(each, Tuple)
        absent = isinstance(each, NoneType) and name.endswith(("split", "strip"))
        if not (tuples or absent or isinstance(each, String | Long | Boolean)):
            raise UnknownTypeError(f"`{name}` is given {words(each)}")


def _is_accepted(name: str, given: list[Type]) -> bool:
    """Return whether a method of texts takes arguments of these types: texts, then numbers."""
    texts = 2 if name == "replace" else 1
    first, rest = given[:texts], given[texts:]
    if isinstance(first[0], Tuple) and name in ("startswith", "endswith"):
        first = [*first[0].fields]
    absent = isinstance(first[0], NoneType) and name.endswith(("split", "strip"))
    plain = absent or all(isinstance(each, String) for each in first)
    return plain and all(isinstance(each, Long) for each in rest)


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


def _formatted(here: Following, owner: ast.expr, given: list[Type]) -> Type | None:
    if not (isinstance(owner, ast.Constant) and isinstance(owner.value, str)):
        return None
    if not check_format(owner.value):
        return None
    if not all(map(printable, given)):
        return None
    here.raised |= {ValueError, IndexError, KeyError, TypeError, OverflowError}
    return String()


def _of_map(here: Following, name: str, key: Type, value: Type, given: list[Type]) -> Type | None:
    if given:
        here.hashed(given[0])
    match name, given:
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


def _of_match(here: Following, name: str, groups: tuple[bool, ...], node: ast.Call) -> Type | None:
    match name, node.args:
        case "group", []:
            return String()
        case "group", [ast.Constant(value=int(place))] if 0 <= place <= len(groups):
            return optional(String(), place == 0 or groups[place - 1])
        case "group", [ast.Constant(value=str())]:
            here.raised.add(IndexError)
            return Nullable(String())
        case "groups", [] if groups:
            return tuple_of(*(optional(String(), each) for each in groups))
        case "start" | "end", []:
            return LENGTH
    return None
