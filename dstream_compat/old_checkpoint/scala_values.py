"""Values of Scala in a Java stream, as Scala 2.11 to 2.13 write them."""

from __future__ import annotations

from typing import Any

from .java_stream import ClassDesc, JavaObject


def items(value: Any) -> list[Any]:
    """Return the items of an array, or of one of Scala's sequences."""
    if value is None:
        return []
    if isinstance(value, list):
        return value
    for name in ("array", "unsafeArray"):
        if isinstance(array := value.get(name), list):
            size = value.get("size0", len(array))  # of an ArrayBuffer
            return array[:size]
    return [each for each in value.extra if isinstance(each, JavaObject) and not _is_end(each)]


def _is_end(value: JavaObject) -> bool:
    # a Scala object is written as itself, or as a stand-in that names its class
    module = value.get("moduleClass")
    return "SerializeEnd" in (module.name if isinstance(module, ClassDesc) else value.name)


def pairs(value: Any) -> list[tuple[Any, Any]]:
    """Return the keys and values of one of Scala's maps."""
    if value is None:
        return []
    if (key := value.get("key1")) is not None:  # maps of up to four
        names = [n for n in ("1", "2", "3", "4") if value.get(f"key{n}") is not None]
        return [(key if n == "1" else value.get(f"key{n}"), value.get(f"value{n}")) for n in names]
    parts = [each for each in value.extra if not isinstance(each, bytes)]
    tuples = [each for each in parts if isinstance(each, JavaObject) and each.is_a("Tuple2")]
    if tuples or not parts:
        return [(each.get("_1"), each.get("_2")) for each in tuples]
    return list(zip(parts[::2], parts[1::2], strict=True))  # before Scala 2.13


def millis(value: Any) -> int | None:
    """Return what a Time or a Duration is; None of what is not there."""
    if not isinstance(value, JavaObject):
        return None
    fields = (field for values in value.by_class.values() for field in values.items())
    # Scala puts the class in front of the name, or not
    return next((int(number) for name, number in fields if name.endswith("millis")), None)


def plain(value: Any) -> Any:
    """Return a number that Java has boxed as it is."""
    boxed = value.get("value") if isinstance(value, JavaObject) else None
    return value if boxed is None else boxed
