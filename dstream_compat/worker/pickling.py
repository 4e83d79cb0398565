"""Pickles many small values: one pickler for all of them, and no class definition in any of them.

A class of the user's main module is pickled with its definition, as nobody can import it. In a
chunk of records that is nothing; in each of ten thousand small values of a state store it would be
most of the bytes and of the time. So definitions are kept apart, and values refer to them by name.
"""

from __future__ import annotations

import io
import pickle
import uuid
from typing import Any, Final

from pyspark import cloudpickle

from ..wire.frames import dumps

_LOADED: Final[dict[str, type]] = {}
"""The definitions that this process has loaded, by name."""


_LARGE: Final = 1 << 16


def named_type(name: str) -> type:
    """Return a class whose definition was loaded; pickled values call this."""
    return _LOADED[name]


class SmallPickler:
    """Pickles values that share their class definitions, which must be loaded before the values.

    Parameters
    ----------
    definitions : dict
        pickled classes by name, as kept with the values so far; gets those that are new
    """

    def __init__(self, definitions: dict[str, bytes]) -> None:
        self._classes = _Classes(definitions)
        self._pickler = _Pickler(self._classes)

    @property
    def has_grown(self) -> bool:
        """Whether there are new definitions."""
        return self._classes.grown

    @property
    def definitions(self) -> dict[str, bytes]:
        """Pickled classes by name."""
        return self._classes.definitions

    def dumps(self, value: Any) -> bytes:
        """Return a pickled value."""
        data = self._pickler.dumps(value)
        if len(data) > _LARGE:  # clearing the memo of a pickler costs what it ever held
            self._pickler = _Pickler(self._classes)
        return data


class _Classes:
    def __init__(self, definitions: dict[str, bytes]) -> None:
        self.definitions = definitions
        self.grown = False
        self.names: dict[type, str | None] = {}
        for name, definition in definitions.items():
            if name not in _LOADED:
                _LOADED[name] = pickle.loads(definition)
            self.names[_LOADED[name]] = name

    def keep(self, cls: type) -> str:
        name = uuid.uuid4().hex
        self.definitions[name] = dumps(cls)
        self.grown = True
        _LOADED[name] = cls
        return name


class _Pickler(cloudpickle.Pickler):
    globals_ref: dict[int, Any]

    def __init__(self, classes: _Classes) -> None:
        self._classes = classes
        self._buffer = io.BytesIO()
        super().__init__(self._buffer, 5)  # type: ignore[no-untyped-call]

    def dumps(self, value: Any) -> bytes:
        self._buffer.seek(0)
        self._buffer.truncate()
        self.clear_memo()
        self.globals_ref.clear()  # it knows modules by their addresses in memory
        self.dump(value)  # type: ignore[no-untyped-call]
        return self._buffer.getvalue()

    def reducer_override(self, obj: Any) -> Any:
        if not isinstance(obj, type):
            return super().reducer_override(obj)  # type: ignore[no-untyped-call]
        names = self._classes.names
        if obj not in names:
            reduced = super().reducer_override(obj)  # type: ignore[no-untyped-call]
            if isinstance(reduced, tuple) and len(reduced) < 6:
                return reduced  # a built-in type; the sixth part is what sets a new class up
            names[obj] = None if reduced is NotImplemented else self._classes.keep(obj)
        name = names[obj]
        return NotImplemented if name is None else (named_type, (name,))
