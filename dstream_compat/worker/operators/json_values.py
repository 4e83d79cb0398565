"""``json.loads`` over many records, without what the function does around its scanner.

A call of ``json.loads`` spends 60 % of its time for a record of 70 bytes on checks of its arguments
and on two regular expressions for blanks. What the scanner alone cannot tell (an error, another
type, something behind the value) is left to the user's function, so it is raised there.

Decision 0081: json.loads is replaced by its own parser.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from json.decoder import JSONDecoder
from types import FunctionType, ModuleType
from typing import Any, Final

from .recognised import is_like

_BLANKS: Final = " \t\n\r"


def _references(body: str) -> tuple[FunctionType, ...]:
    references = []
    for line in ("import json", ""):  # the compiler calls what its module imports in another way
        names: dict[str, Any] = {}
        exec(f"{line}\nmade = lambda a: {body}", names)
        assert isinstance(names["made"], FunctionType)
        references.append(names["made"])
    return tuple(references)


_OF_RECORD: Final = _references("json.loads(a)")
_OF_VALUE: Final = _references("json.loads(a[1])")


def parses_json(function: Any) -> bool:
    """Return whether a function is ``json.loads``, of a record or of the value of a pair."""
    return _is_unchanged() and (
        function is json.loads or _calls(function, _OF_RECORD) or _calls(function, _OF_VALUE)
    )


def parse_records(function: Callable[[Any], Any], records: Iterable[Any]) -> Iterator[Any]:
    """Yield what such a function gives for each record."""
    return (
        _parsed_values(function, records)
        if _calls(function, _OF_VALUE)
        else _parse(function, records)
    )


def _parse(function: Callable[[Any], Any], records: Iterable[Any]) -> Iterator[Any]:
    scan = _scanner()
    for record in records:
        if type(record) is str:
            text = record.strip(_BLANKS)
            try:
                value, end = scan(text, 0)
            except Exception:
                end = -1  # the function raises its own error
            if end == len(text):
                yield value
                continue
        yield function(record)


def _parsed_values(function: Callable[[Any], Any], records: Iterable[Any]) -> Iterator[Any]:
    scan = _scanner()
    for record in records:
        if type(record) is tuple and len(record) > 1 and type(record[1]) is str:
            text = record[1].strip(_BLANKS)
            try:
                value, end = scan(text, 0)
            except Exception:
                end = -1  # the function raises its own error
            if end == len(text):
                yield value
                continue
        yield function(record)


def _scanner() -> Callable[[str, int], tuple[Any, int]]:
    scan: Callable[[str, int], tuple[Any, int]] = _decoder().scan_once
    return scan


def _decoder() -> Any:
    return vars(json)["_default_decoder"]


def _calls(function: Any, references: Iterable[FunctionType]) -> bool:
    is_call = any(is_like(function, reference) for reference in references)
    return is_call and function.__globals__.get("json") is json


def _is_unchanged() -> bool:
    """Return whether nobody has replaced parts of the module, as some do to parse faster."""
    decoder = _decoder()
    return (
        _is_own(json.loads, json)
        and type(decoder) is JSONDecoder
        and not {"decode", "raw_decode"} & vars(decoder).keys()
        and _is_own(JSONDecoder.decode, json.decoder)
        and _is_own(JSONDecoder.raw_decode, json.decoder)
    )


def _is_own(function: Any, module: ModuleType) -> bool:
    return type(function) is FunctionType and function.__code__.co_filename == module.__file__
