"""``install()``: imports of ``pyspark.streaming`` get this package."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Final

from .bahir import BahirFinder

_REAL: Final = "pyspark.streaming"
_OURS: Final = "dstream_compat"
_MODULES: Final = ("context", "dstream", "flume", "kafka", "kinesis", "listener", "mqtt", "util")

_AT_ONCE: Final = ("context", "dstream", "listener", "util")


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds ``pyspark.streaming.x`` in ``dstream_compat.x``."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        prefix, _, name = fullname.rpartition(".")
        if fullname == _REAL:
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        if prefix == _REAL and name in _MODULES:
            return importlib.machinery.ModuleSpec(fullname, self)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Return our module; the import system files it under Spark's name."""
        ours = importlib.import_module(_OURS + spec.name[len(_REAL) :])
        module = ModuleType(spec.name, ours.__doc__)
        declared = [name for name in getattr(ours, "__all__", ()) if name != "install"]
        names = dict.fromkeys([*declared, *_public_names(ours)])
        module.__dict__.update({name: getattr(ours, name) for name in names}, __path__=[])
        if declared:
            module.__dict__["__all__"] = declared
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Import what Spark's package imports by itself; other modules have nothing left to run."""
        if module.__name__ == _REAL:
            for name in _AT_ONCE:
                importlib.import_module(f"{_REAL}.{name}")


def _public_names(module: ModuleType) -> list[str]:
    """Return what a module defines; it can be imported from Spark's, in ``__all__`` or not."""
    own = {name: thing for name, thing in vars(module).items() if not name.startswith("_")}
    name = module.__name__.rpartition(".")[2]
    homes = (module.__name__, f"{_OURS}.source.{name}.records")
    return [name for name, thing in own.items() if getattr(thing, "__module__", None) in homes]


def install() -> None:
    """Let ``pyspark.streaming`` mean this package, for all later imports.

    Python workers of SparkContexts that are created later know it as well, where they can.

    Raises
    ------
    RuntimeError
        if the real ``pyspark.streaming`` was imported already: code that holds its classes would
        go on using them
    """
    if add_finder():
        from ..spark.workers import install_in_workers
        from .storage_levels import restore_old_levels

        restore_old_levels()
        install_in_workers()


def add_finder() -> bool:
    """Do what ``install()`` does in this process alone; returns whether it was to be done."""
    if any(isinstance(finder, _Finder) for finder in sys.meta_path):
        return False
    taken = sorted(name for name in sys.modules if name == _REAL or name.startswith(_REAL + "."))
    if taken:
        raise RuntimeError(
            f"{taken[0]} was imported before dstream_compat.install(): call install() first, or "
            "start the job with: python -m dstream_compat run job.py"
        )
    sys.meta_path[:0] = [_Finder(), BahirFinder(f"{_REAL}.mqtt")]
    return True
