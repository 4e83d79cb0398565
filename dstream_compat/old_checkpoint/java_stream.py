"""Reads streams of Java's object serialisation, without a JVM and without the classes.

The format is that of Java's "Object Serialization Stream Protocol". A library for it,
javaobj-py3, reads a state of 7.5 MB in 20 s, as lists of numbers; this takes 0.04 s.

Decision 0097: Old checkpoints are read as bytes.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

MAGIC: Final = b"\xac\xed\x00\x05"

_NULL, _REFERENCE, _CLASS_DESC, _OBJECT, _STRING, _ARRAY, _CLASS = range(0x70, 0x77)
_BLOCK, _END, _RESET, _LONG_BLOCK, _EXCEPTION, _LONG_STRING, _PROXY, _ENUM = range(0x77, 0x7F)
_FIRST_HANDLE: Final = 0x7E0000
_NUMBERS: Final = {
    "B": ">b",
    "C": ">H",
    "D": ">d",
    "F": ">f",
    "I": ">i",
    "J": ">q",
    "S": ">h",
    "Z": ">?",
}
_HAS_WRITE_METHOD, _IS_SERIALIZABLE, _IS_EXTERNAL, _HAS_BLOCKS = 1, 2, 4, 8
_DEPTH: Final = 100_000


class JavaStreamError(ValueError):
    """A stream that ends too early, or is none of Java's."""


@dataclass(eq=False)
class ClassDesc:
    """What a stream says about a class."""

    name: str
    flags: int = 0
    fields: list[tuple[str, str]] = field(default_factory=list)
    parent: ClassDesc | None = None

    def lineage(self) -> list[ClassDesc]:
        """Return the class and those that it extends, the uppermost first."""
        above = self.parent.lineage() if self.parent is not None else []
        return [*above, self]


@dataclass(eq=False)
class JavaObject:
    """An object of a stream.

    Parameters
    ----------
    desc : ClassDesc
        its class
    by_class : dict
        class name to the fields that the class itself declares
    extra : list
        what its classes wrote beside fields: bytes, and objects
    """

    desc: ClassDesc
    by_class: dict[str, dict[str, Any]] = field(default_factory=dict)
    extra: list[Any] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Full name of its class."""
        return self.desc.name

    def get(self, name: str, default: Any = None) -> Any:
        """Return a field's value; that of the lowest class which has it."""
        for values in reversed(self.by_class.values()):
            if name in values:
                return values[name]
        return default

    def is_a(self, simple: str) -> bool:
        """Return whether its class, or one that it extends, has a name without its package."""
        return any(desc.name.rpartition(".")[2] == simple for desc in self.desc.lineage())


class JavaStream:
    """Reads the objects of a stream, one after another.

    Parameters
    ----------
    data : bytes
        the stream

    Raises
    ------
    JavaStreamError
        if it does not begin as one
    """

    def __init__(self, data: bytes) -> None:
        if data[:4] != MAGIC:
            raise JavaStreamError("it does not begin as a stream of Java objects")
        self._data = data
        self._at = 4
        self._handles: list[Any] = []
        self._readers: dict[int, Callable[[], Any]] = {
            _NULL: lambda: None,
            _REFERENCE: self._reference,
            _CLASS_DESC: self._class_desc,
            _OBJECT: self._object,
            _STRING: lambda: self._handle(self._text(self._number(">H"))),
            _LONG_STRING: lambda: self._handle(self._text(self._number(">q"))),
            _ARRAY: self._array,
            _CLASS: lambda: self._handle(self._content()),
            _BLOCK: lambda: self._take(self._number(">B")),
            _LONG_BLOCK: lambda: self._take(self._number(">i")),
            _PROXY: self._proxy,
            _ENUM: self._enum,
        }

    def objects(self) -> Iterator[Any]:
        """Yield the objects.

        Raises
        ------
        JavaStreamError
            if the stream ends within one, or has what cannot be read
        """
        with _deep_recursion():
            while self._at < len(self._data):
                if self._data[self._at] == _RESET:
                    self._at += 1
                    self._handles.clear()
                else:
                    yield self._content()

    def _take(self, size: int) -> bytes:
        data = self._data[self._at : self._at + size]
        if size < 0 or len(data) < size:
            raise JavaStreamError(f"it ends after {len(self._data)} bytes, within an object")
        self._at += size
        return data

    def _number(self, form: str) -> Any:
        return struct.unpack(form, self._take(struct.calcsize(form)))[0]

    def _text(self, size: int) -> str:
        # Java's modified UTF-8: surrogates are written each by itself
        text = self._take(size).replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def _handle(self, value: Any) -> Any:
        self._handles.append(value)
        return value

    def _content(self) -> Any:
        kind = self._take(1)[0]
        read = self._readers.get(kind)
        if read is None:
            raise JavaStreamError(f"byte {self._at - 1} is {kind:#x}, where an object should begin")
        return read()

    def _reference(self) -> Any:
        number = self._number(">i") - _FIRST_HANDLE
        if not 0 <= number < len(self._handles):
            raise JavaStreamError("it refers to an object that it does not contain")
        return self._handles[number]

    def _class_desc(self) -> ClassDesc:
        desc = ClassDesc(self._text(self._number(">H")))
        self._take(8)  # the version of the class, which differs between versions of Spark
        self._handle(desc)
        desc.flags = self._number(">B")
        for _ in range(self._number(">H")):
            kind, name = chr(self._number(">B")), self._text(self._number(">H"))
            if kind in "[L":
                self._content()  # the class of the field
            desc.fields.append((name, kind))
        self._annotations()
        desc.parent = self._content()
        return desc

    def _proxy(self) -> ClassDesc:
        desc = self._handle(ClassDesc("java.lang.reflect.Proxy", _IS_SERIALIZABLE))
        for _ in range(self._number(">i")):
            self._text(self._number(">H"))
        self._annotations()
        desc.parent = self._content()
        return desc  # type: ignore[no-any-return]

    def _annotations(self) -> list[Any]:
        annotations = []
        while self._data[self._at : self._at + 1] != bytes((_END,)):
            annotations.append(self._content())
        self._at += 1
        return annotations

    def _object(self) -> JavaObject:
        desc = self._content()
        result: JavaObject = self._handle(JavaObject(desc))
        for each in desc.lineage():
            if each.flags & _IS_EXTERNAL:
                if not each.flags & _HAS_BLOCKS:
                    raise JavaStreamError(f"{each.name} has a format of its own")
                result.extra += self._annotations()
                continue
            values = result.by_class[each.name] = {}
            for name, kind in each.fields:
                values[name] = self._value(kind)
            if each.flags & _HAS_WRITE_METHOD:
                result.extra += self._annotations()
        return result

    def _value(self, kind: str) -> Any:
        return self._number(_NUMBERS[kind]) if kind in _NUMBERS else self._content()

    def _array(self) -> Any:
        desc = self._content()
        kind = desc.name[1]
        place = len(self._handles)
        self._handles.append(None)
        size = self._number(">i")
        if kind == "B":
            self._handles[place] = self._take(size)
            return self._handles[place]
        array: list[Any] = []
        self._handles[place] = array  # its items may refer to it
        array.extend(self._value(kind) for _ in range(size))
        return array

    def _enum(self) -> str:
        self._content()
        place = len(self._handles)
        self._handles.append(None)
        self._handles[place] = name = str(self._content())
        return name


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Allow as many calls as the graph of a job is long: objects are nested as deep."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
