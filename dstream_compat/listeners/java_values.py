"""Values that behave like those that py4j hands over from Spark."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

UNKNOWN = -1
"""A time or delay that is not known yet, in milliseconds."""


class Time(NamedTuple):
    """A batch time.

    Mirrors ``org.apache.spark.streaming.Time``.

    Parameters
    ----------
    millis : int
        since the epoch
    """

    millis: int

    def milliseconds(self) -> int:
        """Return the milliseconds since the epoch."""
        return self.millis

    def toString(self) -> str:
        """Return a text such as ``1000 ms``."""
        return f"{self.millis} ms"

    def less(self, that: Time) -> bool:
        """Return whether this time is earlier."""
        return self.millis < that.millis

    def lessEq(self, that: Time) -> bool:
        """Return whether this time is not later."""
        return self.millis <= that.millis

    def greater(self, that: Time) -> bool:
        """Return whether this time is later."""
        return self.millis > that.millis

    def greaterEq(self, that: Time) -> bool:
        """Return whether this time is not earlier."""
        return self.millis >= that.millis

    def __str__(self) -> str:
        return self.toString()


class JavaMapEntry(NamedTuple):
    """An entry of a map."""

    key: Any
    value: Any

    def getKey(self) -> Any:
        """Return the key."""
        return self.key

    def getValue(self) -> Any:
        """Return the value."""
        return self.value


class JavaMap(dict[Any, Any]):
    """A dict that also has the methods of a ``java.util.Map``, as py4j's maps have."""

    def size(self) -> int:
        """Return the number of entries."""
        return len(self)

    def isEmpty(self) -> bool:
        """Return whether there are no entries."""
        return not self

    def containsKey(self, key: Any) -> bool:
        """Return whether there is an entry for a key."""
        return key in self

    def keySet(self) -> set[Any]:
        """Return the keys."""
        return set(self)

    def entrySet(self) -> list[JavaMapEntry]:
        """Return the entries."""
        return [JavaMapEntry(key, value) for key, value in self.items()]


class ScalaList(tuple[str, ...]):
    """Names that print as Scala's ``List`` does, with those of its methods that Python can call."""

    __slots__ = ()

    def size(self) -> int:
        """Return the number of names."""
        return len(self)

    def apply(self, index: int) -> str:
        """Return one name."""
        return self[index]

    def mkString(self, separator: str = "") -> str:
        """Return the names with a separator between them."""
        return separator.join(self)

    def __str__(self) -> str:
        return f"List({', '.join(self)})"

    toString = __str__


def _java_text(value: Any) -> str:
    """Return what Java would print."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case dict():
            return "{" + ",".join(f"{k}={_java_text(v)}" for k, v in value.items()) + "}"
    return str(value)


class Info:
    """Prints its values as a Scala case class does."""

    _getters: ClassVar[tuple[str, ...]] = ()

    def toString(self) -> str:
        """Return the name of the class with all values."""
        values = ",".join(_java_text(getattr(self, name)()) for name in self._getters)
        return f"{type(self).__name__}({values})"

    def __str__(self) -> str:
        return self.toString()

    __repr__ = __str__
