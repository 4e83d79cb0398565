"""What functions that run in the driver may change of what functions in workers see.

All that a function can reach is followed: what it calls, the classes of what it uses, and what it
names of modules. Functions of Python itself, of Spark and of installed packages change nothing but
what they are given, unless a variable of such a package is what workers see.

Decision 0044: Functions that see changed variables are sent again.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

from .seen_variables import (
    SeenVariables,
    around,
    around_outside,
    attributes,
    cells,
    codes,
    goes_by_name,
    is_library,
    is_own,
    operations,
)

_ATOMS: Final = (str, int, float, complex, bytes, bool, type(None))
_ANY_NAME: Final = frozenset({"setattr", "delattr", "vars", "__dict__"})
_ANY_GLOBAL: Final = frozenset({"globals", "__globals__"})
_ANYTHING: Final = frozenset({"exec", "eval"})
_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})
_MOST: Final = 100_000
"""Objects that are looked at before a function counts as one that may change anything."""


def _is_installed(module: object) -> bool:
    path = vars(module).get("__file__") if isinstance(module, ModuleType) else None
    return isinstance(path, str) and not _INSTALLED.isdisjoint(Path(path).parts)


class ChangingFunctions:
    """Follows functions of the driver to what functions in workers see.

    Parameters
    ----------
    seen : SeenVariables
        what they see
    """

    def __init__(self, seen: SeenVariables) -> None:
        self._seen = seen
        self._names = {key[-1] for key in seen.variables}
        self._known: dict[int, Any] = {}
        self._spaces: set[object] = set()
        self._stored: set[str] = set()
        self._stores_any = False
        self._packages = frozenset(self._packages_seen())

    def changed_name(self, functions: Iterable[Any]) -> str | None:
        """Return what the functions may change, None if nothing."""
        if not self._seen.variables and not self._seen.objects:
            return None
        todo = list(functions)
        while todo:
            obj = todo.pop()
            if isinstance(obj, _ATOMS) or id(obj) in self._known:
                continue
            self._known[id(obj)] = obj
            if id(obj) in self._seen.objects:
                if goes_by_name(obj):
                    continue
                return self._seen.name_of(obj)
            if len(self._known) > _MOST:
                return "they use too many objects to tell"
            if isinstance(obj, FunctionType):
                name = self._assigned_name(obj)
                if name is not None:
                    return name
                todo += self._objects_in_use(obj)
            elif isinstance(obj, type):
                todo += self._of_class(obj)
            elif isinstance(obj, ModuleType):
                todo += [] if self._is_foreign(obj.__name__) else vars(obj).values()
            elif not is_own(type(obj).__module__):
                todo += [*gc.get_referents(obj), type(obj)]
        return self._stored_name()

    def _assigned_name(self, function: FunctionType) -> str | None:
        """Return what a function itself assigns of what is seen; notes attributes."""
        if self._is_foreign(function.__globals__.get("__name__")):
            return None
        own, space = cells(function), id(function.__globals__)
        used = {name for code in codes(function.__code__) for name in code.co_names}
        self._stores_any |= not _ANY_NAME.isdisjoint(used)
        if used & _ANYTHING and any(
            name in _ANYTHING for op, name in operations(function) if op.endswith("_GLOBAL")
        ):
            return "it calls exec or eval"
        if not _ANY_GLOBAL.isdisjoint(used):
            self._spaces.add(space)
            self._stores_any = True
        if self._names.isdisjoint(used) and not own:
            return None
        for op, name in operations(function):
            key: tuple[object, ...] = ()
            if op in ("STORE_GLOBAL", "DELETE_GLOBAL"):
                key = ("attribute", space, name)
            elif op in ("STORE_DEREF", "DELETE_DEREF") and name in own:
                key = ("cell", id(own[name]))
            elif op in ("STORE_ATTR", "DELETE_ATTR"):
                self._stored.add(name)
            if key in self._seen.variables:
                return self._seen.variables[key].name
        return None

    def _is_foreign(self, name: str | None) -> bool:
        """Return whether code cannot change what is seen: Python's, and other packages'."""
        if is_library(name):
            return True
        installed = _is_installed(sys.modules.get(str(name)))
        return installed and str(name).partition(".")[0] not in self._packages

    def _packages_seen(self) -> Iterator[str]:
        """Yield the installed packages that have variables with what workers see."""
        spaces = {where for _, where, *_ in self._seen.variables}
        for name, module in list(sys.modules.items()):
            if _is_installed(module):
                space = vars(module)
                if id(space) in spaces or any(
                    id(value) in self._seen.objects for value in list(space.values())
                ):
                    yield name.partition(".")[0]

    def _objects_in_use(self, function: FunctionType) -> Iterator[Any]:
        yield from (function.__defaults__, function.__kwdefaults__, function.__dict__)
        if self._is_foreign(function.__globals__.get("__name__")):
            yield from (each.value for each in around_outside(function))
            return
        modules, package = list[Any](), function.__globals__.get("__package__") or ""
        names = {name for code in codes(function.__code__) for name in code.co_names}
        for op, name in operations(function):
            if op == "IMPORT_NAME":
                modules += [sys.modules.get(name), sys.modules.get(f"{package}.{name}")]
        for each in around(function):
            if isinstance(each.value, ModuleType):
                modules.append(each.value)
            else:
                yield each.value
        for module in modules:
            if module is not None:
                yield from self._of_module(module, names)

    def _of_class(self, cls: type) -> Iterator[Any]:
        if self._is_foreign(cls.__module__):
            return
        self._spaces.add(id(cls))
        yield from cls.__mro__
        yield type(cls)
        yield from (value for value in vars(cls).values() if hasattr(type(value), "__get__"))
        yield from (value for _, value in attributes(cls))

    def _of_module(self, module: ModuleType, names: set[str]) -> Iterator[Any]:
        """Yield what a function may use of a module, and of modules in it, by its names."""
        modules, seen = [module], set[int]()
        while modules:
            space = vars(modules.pop())
            if id(space) in seen:
                continue
            seen.add(id(space))
            self._spaces.add(id(space))
            if space is vars(sys) and "modules" in names:
                self._spaces |= {id(vars(each)) for each in list(sys.modules.values())}
                continue
            every = "getattr" in names and not self._is_foreign(space.get("__name__"))
            for name, value in list(space.items()):
                if isinstance(value, ModuleType) and name in names:
                    modules.append(value)
                elif every or name in names:
                    yield value

    def _stored_name(self) -> str | None:
        """Return an attribute that is assigned of a class or a module that is seen."""
        for (kind, *where), name, _ in self._seen.variables.values():
            reached = kind == "attribute" and where[0] in self._spaces
            if reached and (self._stores_any or where[1] in self._stored):
                return name
        return None
