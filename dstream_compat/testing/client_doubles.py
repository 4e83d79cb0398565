"""What stands for clients: any name of them can be called, and each call is noted, without network.

Workers import this before anything else, so nothing here imports PySpark.

Decision 0136: `migrate verify` compares the calls of clients.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import importlib
import importlib.abc
import importlib.machinery
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any, Final

from .client_secrets import hide_arguments
from .clients import FUNCTIONS, MODULES, RESULTS, TARGETS, VALUES
from .values import Value, encode, has_incomparable

Given = list[list[Any]]
"""The names and arguments of the calls that gave something, such as those of a connection."""
Note = Callable[[str, list[Value], list[list[Any]], Given], None]
"""Takes a call: its name, its arguments, those with names, and what the calls before it had."""

_ERRORS: Final = ("Error", "Exception", "Warning", "Timeout", "Interrupted", "Empty")
# how many calls a chain has as they are, such as one of thousands of a pipeline
_LONGEST: Final = 8
_DIGITS: Final = 16
_note: Note | None = None


class ClientDouble:
    """Stands for a client, or for something that a client has or gives.

    Parameters
    ----------
    path : str
        how it was reached, such as ``psycopg2.connect().cursor``
    given : list
        the arguments of the calls in the path, of those that had any
    """

    __slots__ = ("_given", "_path")

    def __init__(self, path: str, given: Given | None = None) -> None:
        object.__setattr__(self, "_path", path)
        object.__setattr__(self, "_given", given or [])

    def __reduce__(self) -> tuple[type[ClientDouble], tuple[str, Given]]:
        return ClientDouble, (self._path, self._given)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if _is_error(name):
            return _error(self._path, name)
        return VALUES[name] if name in VALUES else self._part(f".{name}")

    def __setattr__(self, name: str, value: Any) -> None:
        _take(f"{self._path}.{name}=", (value,), {}, self._given)

    def __call__(self, *args: Any, **options: Any) -> Any:
        arguments = _take(self._path, args, options, self._given)
        last = self._path.rpartition(".")[2]
        if last in RESULTS:
            return copy.copy(RESULTS[last])
        return ClientDouble(_shorten(f"{self._path}()"), _add(self._given, arguments))

    def __getitem__(self, key: Any) -> ClientDouble:
        return self._part(f"[{key!r}]")

    def __setitem__(self, key: Any, value: Any) -> None:
        _take(f"{self._path}.__setitem__", (key, value), {}, self._given)

    def __delitem__(self, key: Any) -> None:
        _take(f"{self._path}.__delitem__", (key,), {}, self._given)

    def _part(self, name: str) -> ClientDouble:
        return ClientDouble(f"{self._path}{name}", self._given)

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __contains__(self, value: Any) -> bool:
        return False

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return True

    def __int__(self) -> int:
        return 0

    def __float__(self) -> float:
        return 0.0

    def __str__(self) -> str:
        return str(self._path)

    def __enter__(self) -> ClientDouble:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, ClientDouble)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        return ()


class DoubleModule(ModuleType):
    """Stands for a module of a client."""

    def __reduce__(self) -> tuple[Callable[[str], ModuleType], tuple[str]]:
        return importlib.import_module, (self.__name__,)

    def __getattr__(self, name: str) -> Any:
        if name == "__version__":
            return "0"
        if name.startswith("__"):
            raise AttributeError(name)
        return (
            _error(self.__name__, name)
            if _is_error(name)
            else ClientDouble(f"{self.__name__}.{name}")
        )


def _is_error(name: str) -> bool:
    return name[:1].isupper() and name.endswith(_ERRORS)


@functools.cache
def _error(owner: str, name: str) -> type[Exception]:
    """Return a class of errors, so that a job can name it in ``except``; nothing raises it."""
    return type(name, (Exception,), {"__module__": owner.partition("(")[0]})


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds what stands for the modules of some clients.

    Parameters
    ----------
    clients : sequence of str
        the first names of the modules
    """

    def __init__(self, clients: Sequence[str]) -> None:
        self.clients = frozenset(clients)

    def find_spec(
        self, fullname: str, path: Any = None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] not in self.clients:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return DoubleModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module as it is."""


def stand_for(clients: Sequence[str], note: Note) -> None:
    """Let something stand for clients in this process from now on.

    Parameters
    ----------
    clients : sequence of str
        names of :data:`.clients.MODULES` and :data:`.clients.FUNCTIONS`
    note : callable
        told of each call
    """
    global _note
    _note = note
    modules = frozenset(clients) & frozenset(MODULES)
    for name in [name for name in sys.modules if name.partition(".")[0] in modules]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Finder(sorted(modules)))
    for client in clients:
        for module, function in FUNCTIONS.get(client, ()):
            _watch(client, module, function)


def _watch(client: str, module: str, function: str) -> None:
    """Note the calls of a function or method of a module that stays as it is."""
    try:
        owner = importlib.import_module(module)
    except ImportError:
        # the job cannot use it either
        return
    *path, name = function.split(".")
    for step in path:
        owner = getattr(owner, step)
    call = getattr(owner, name, None)
    if call is None:
        return

    @functools.wraps(call)
    def stand_in(*args: Any, **options: Any) -> Any:
        if client == "pandas":
            # without a target it gives a text, which the job uses
            named = (options[name] for name in TARGETS if name in options)
            target = args[1] if len(args) > 1 else next(named, None)
            if target is None or not isinstance(target, str | os.PathLike | ClientDouble):
                return call(*args, **options)
            _take(f"{module}.{function}", args, options)
            text = os.fspath(target) if isinstance(target, str | os.PathLike) else ""
            is_own = bool(text) and not os.path.isabs(text) and "://" not in text and text[0] != "~"
            return call(*args, **options) if is_own and name != "to_sql" else None
        _take(f"{module}.{function}", args, options)
        return ClientDouble(f"{module}.{function}()")

    setattr(owner, name, stand_in)


def _take(
    path: str, args: Sequence[Any], options: dict[str, Any], before: Given | None = None
) -> Given:
    """Note a call; return its name and its arguments, if it has any."""
    values = [_describe(value) for value in args]
    named = [[name, _describe(value)] for name, value in sorted(options.items())]
    values, named = hide_arguments(path, values, named)
    if _note is not None:
        _note(path, values, named, before or [])
    return [[path.rpartition(".")[2], as_tuple(values, named)]] if values or named else []


def _add(before: Given, arguments: Given) -> Given:
    """Return what calls had, and the next one; of long chains the first ones, and a hash."""
    if not arguments or len(before) < _LONGEST:
        return [*before, *arguments]
    rest = json.dumps([*before[_LONGEST:], *arguments]).encode()
    hashed = hashlib.sha256(rest).hexdigest()[:_DIGITS]
    return [*before[:_LONGEST], ["more", ["tuple", [["str", hashed]]]]]


def _shorten(path: str) -> str:
    """Return a path that ends with a call; of a long one the first calls."""
    first = path.split("()")[:_LONGEST]
    return path if path.count("()") <= _LONGEST + 1 else f"{'()'.join(first)}().more()"


def as_tuple(args: Sequence[Value], options: Sequence[list[Any]]) -> Value:
    """Return the arguments of a call as one value."""
    named = [["dict", [[["str", key], value] for key, value in options]]] if options else []
    return ["tuple", [*args, *named]]


def _describe(value: Any) -> Value:
    """Return an argument as it is compared; what can be read once only is read, as clients do."""
    if isinstance(value, ClientDouble):
        return ["object", value._path, value._given] if value._given else ["client", value._path]
    if isinstance(value, dict):
        return ["dict", [[encode(key), _describe(item)] for key, item in value.items()]]
    if type(value) in (list, tuple):
        return [type(value).__name__, [_describe(item) for item in value]]
    if hasattr(value, "to_dict") and hasattr(value, "columns"):
        # of pandas
        return ["list", [_describe(row) for row in value.to_dict("records")]]
    if hasattr(value, "full_url") and hasattr(value, "data"):
        # of urllib
        about = [value.get_method(), value.full_url, value.data, dict(value.header_items())]
        return ["list", [_describe(item) for item in about]]
    if callable(getattr(value, "read", None)):
        return encode(value.read())
    if hasattr(value, "__next__"):
        return ["list", [_describe(item) for item in value]]
    if callable(value):
        return ["function", getattr(value, "__qualname__", type(value).__qualname__)]
    encoded = encode(value)
    # of a connection that no client of ours made, the class counts
    return ["object", type(value).__qualname__, []] if has_incomparable(encoded) else encoded
