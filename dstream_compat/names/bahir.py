"""``mqtt``, the module of Apache Bahir: its jars have it, and jobs since Spark 2 bring copies."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
from collections.abc import Sequence
from types import ModuleType
from typing import Final

_NAME: Final = "mqtt"
_JAVA_CLASS: Final = "MQTTUtilsPythonHelper"


class BahirFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds Bahir's module in another one; a module of the job with that name stays.

    Parameters
    ----------
    home : str
        the name of the module that has ``MQTTUtils``
    """

    def __init__(self, home: str) -> None:
        self._home = home

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != _NAME or path is not None:
            return None
        spec = importlib.machinery.PathFinder.find_spec(_NAME)
        if spec is not None:
            source = getattr(spec.loader, "get_source", lambda name: None)(_NAME)
            if _JAVA_CLASS not in (source or ""):
                return None
        return importlib.machinery.ModuleSpec(fullname, self)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Return a module with what the other one has."""
        home = importlib.import_module(self._home)
        module = ModuleType(spec.name, home.__doc__)
        module.__dict__.update(MQTTUtils=home.MQTTUtils, __all__=["MQTTUtils"])
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the other module has run."""
