"""Reads the shape of JSON texts: ``user string, amount double, tags array<string>``."""

from __future__ import annotations

import re

from dstream_compat.native.types import (
    Array,
    Boolean,
    Dictionary,
    Double,
    Long,
    Record,
    String,
    Type,
    nullable,
)

SIMPLE: dict[str, Type] = {
    "string": String(),
    "long": Long(),
    "bigint": Long(),
    "double": Double(nan=False, inf=False),
    "boolean": Boolean(),
}
_PARTS = re.compile(r"\s*([A-Za-z_]\w*|`[^`]+`|[<>,:?])\s*")


def json_shape(text: str) -> Record:
    """Return the type of JSON objects.

    Parameters
    ----------
    text : str
        the keys with their types, as Spark writes the columns of a schema; ``?`` after a type says
        that the value may be null, or the key missing

    Raises
    ------
    ValueError
        if it cannot be read; the text says where
    """
    parts, end = [], 0
    while end < len(text):
        match = _PARTS.match(text, end)
        if match is None:
            raise ValueError(f"{text[end:]!r} is no name and no type")
        parts.append(match[1])
        end = match.end()
    reader = _Reader(parts)
    shape = reader.fields()
    if reader.parts:
        raise ValueError(f"{reader.parts[0]!r} is not expected")
    return shape


class _Reader:
    def __init__(self, parts: list[str]) -> None:
        self.parts = parts

    def fields(self) -> Record:
        names: list[str] = []
        kinds: list[Type] = []
        while True:
            name = self._next("a key").strip("`")
            if not re.match(r"\w", name) or name.lower() in map(str.lower, names):
                raise ValueError(f"{name!r} is not a valid key, or is given twice")
            self._take(":")
            names.append(name)
            kinds.append(self._kind(name))
            if not self._take(","):
                return Record(tuple(names), tuple(kinds))

    def _kind(self, name: str) -> Type:
        word = self._next(f"the type of {name!r}").lower()
        kind: Type
        if word in SIMPLE:
            kind = SIMPLE[word]
        elif word in ("array", "map", "struct"):
            self._expect("<")
            if word == "struct":
                kind = self.fields()
            elif word == "array":
                kind = Array(self._kind(name))
            else:
                if self._next("string").lower() != "string":
                    raise ValueError("the keys of a map are strings")
                self._expect(",")
                kind = Dictionary(String(), self._kind(name))
            self._expect(">")
        else:
            names = ", ".join([*SIMPLE, "array<...>", "map<string, ...>", "struct<...>"])
            raise ValueError(f"{word!r} is no type: {names}")
        return nullable(kind) if self._take("?") else kind

    def _next(self, what: str) -> str:
        if not self.parts:
            raise ValueError(f"{what} is missing at the end")
        return self.parts.pop(0)

    def _take(self, part: str) -> bool:
        if self.parts and self.parts[0] == part:
            del self.parts[0]
            return True
        return False

    def _expect(self, part: str) -> None:
        if not self._take(part):
            before = repr(self.parts[0]) if self.parts else "the end"
            raise ValueError(f"{part!r} is missing before {before}")
