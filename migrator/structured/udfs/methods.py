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
    here: Following, owner: Type, node: ast.Call, kinds: list[Type], keywords: set[str]
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
    here: Following,
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


def _check_given(here: Following, name: str, kinds: list[Type]) -> None:
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


def _type_of_format(here: Following, owner: ast.expr, kinds: list[Type]) -> Type | None:
    if not (isinstance(owner, ast.Constant) and isinstance(owner.value, str)):
        return None
    if not check_format(owner.value):
        return None
    if not all(map(printable, kinds)):
        return None
    here.raised |= {ValueError, IndexError, KeyError, TypeError, OverflowError}
    return String()


def _of_map(here: Following, name: str, key: Type, value: Type, kinds: list[Type]) -> Type | None:
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
            return tuple_of(*(optional(String(), group) for group in groups))
        case "start" | "end", []:
            return LENGTH
    return None
