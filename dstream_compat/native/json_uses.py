"""The shape of JSON texts, as far as the functions that read them tell it."""

from __future__ import annotations

from dataclasses import dataclass, field

from .types import (
    Array,
    Boolean,
    Double,
    Record,
    String,
    Type,
    Unsettled,
    nullable,
    walk,
)

Path = tuple[str, ...]
"""The keys that lead to a value."""
ELEMENT = "[]"
"""The key of the elements of a list."""

_SETTLED = {String: "string", Boolean: "boolean"}


@dataclass
class _Part:
    """A value of a JSON text: what its uses have told so far."""

    kind: type[Type] | None = None
    optional: bool = False
    indexed: bool = False
    keys: dict[str, _Part] = field(default_factory=dict)

    def type(self, path: Path) -> Type:
        kind: Type = Unsettled(path=path)
        if self.kind is Record:
            fields = [part.type((*path, key)) for key, part in self.keys.items()]
            kind = Record(tuple(self.keys), tuple(fields), path)
        elif self.kind is Array:
            kind = Array(self.keys[ELEMENT].type((*path, ELEMENT)))
        elif self.kind is Double:
            kind = Double(nan=False, inf=False)
        elif self.kind is not None:
            kind = self.kind()
        return nullable(kind) if self.optional else kind

    def type_text(self) -> str:
        """Return the type as a schema has it, ``TYPE`` for what is unknown."""
        if self.kind is Record:
            text = f"struct<{self.fields()}>"
        elif self.kind is Array:
            text = f"array<{self.keys[ELEMENT].type_text()}>"
        else:
            text = _SETTLED.get(self.kind, "TYPE") if self.kind else "TYPE"
        return f"{text}?" if self.optional else text

    def fields(self) -> str:
        return ", ".join(f"{_name(key)} {part.type_text()}" for key, part in self.keys.items())

    def unknown_values(self, path: Path) -> list[tuple[Path, str]]:
        """Return the values whose type is not told, with what is known of them."""
        if self.kind is None:
            return [(path, "a text or a list" if self.indexed else "")]
        if self.kind is Double:
            return [(path, "a long or a double")]
        if self.kind is Record and not self.keys:
            return [(path, "")]
        return [
            each for key, part in self.keys.items() for each in part.unknown_values((*path, key))
        ]


class JsonUses:
    """The shape of the texts that `json.loads` reads, learned from translations.

    A translation notes what the use of a value says about it. Where that changes what the rest of
    the function means, the translation is refused, and the caller translates again, until nothing
    is learned. Values of an unknown type count as texts meanwhile, so the result of a translation
    is to be used only if `unknown` is empty.
    """

    def __init__(self) -> None:
        self.learned = False
        self.place: tuple[int, int] | None = None
        """The line and column where a translation has asked for the shape."""
        self._root = _Part(Record)

    def read(self, line: int, column: int) -> Type:
        """Return the type of the texts that are read at a place, as far as it is known."""
        self.place = self.place or (line, column)
        return self._root.type(())

    @property
    def shape(self) -> str:
        """The keys with their types, as a schema has them; ``TYPE`` for those not known."""
        return self._root.fields() if self._root.kind is Record else self._root.type_text()

    @property
    def unknown_values(self) -> list[tuple[Path, str]]:
        """The values whose type no use tells, by their keys, with what is known of them."""
        return self._root.unknown_values(())

    def settle(self, path: Path, kind: type[Type]) -> bool:
        """Note the type of a value; returns whether it was unknown."""
        part = self._at(path)
        again = part.kind is Record and not part.keys
        if part.kind is not None and not again:
            return False
        part.kind = kind
        if kind is Array:
            part.keys[ELEMENT] = _Part()
        self.learned = True
        return True

    def key(self, path: Path, name: str, optional: bool = False) -> bool:
        """Note that an object has a key; returns whether that is new."""
        part = self._at(path)
        if part.kind is None:
            part.kind = Record
        # Spark's columns have no case.
        if part.kind is not Record or name.lower() in map(str.lower, part.keys):
            return False
        part.keys[name] = _Part(optional=optional)
        self.learned = True
        return True

    def index(self, path: Path) -> None:
        """Note that a value is indexed or cut, as texts and lists are."""
        self._at(path).indexed = True

    def _at(self, path: Path) -> _Part:
        part = self._root
        for key in path:
            part = part.keys[key]
        return part


def path_text(path: Path) -> str:
    """Return a value of a JSON text as messages name it."""
    return "`" + ".".join(path).replace(f".{ELEMENT}", ELEMENT) + "`" if path else "the whole text"


def _name(key: str) -> str:
    return key if key.isascii() and key.isidentifier() else f"`{key}`"


def has_open_keys(kind: Type) -> bool:
    """Return whether values of a type are objects of which
    only the keys that are used are known.
    """
    return any(isinstance(each, Record) and each.path is not None for each in walk(kind))
