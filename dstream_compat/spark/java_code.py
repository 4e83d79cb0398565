"""Java classes of this package: Spark's compiler of generated code compiles them in the driver."""

from __future__ import annotations

import threading
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

from pyspark import SparkContext

from .java import java_class

_LOCK = threading.RLock()
_compilers: dict[tuple[int, str], Any] = {}
"""Of each JVM, by the id of its gateway, and class."""
_shipped: set[tuple[str, str]] = set()


def own_class(sc: SparkContext, package: str, name: str) -> Any:
    """Return a Java class of this package, which is compiled once in each JVM.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    package : str
        the Python package in whose folder its file is
    name : str
        of the class, and of the file without its ending
    """
    loader = _compiler_of(sc, package, name).getClassLoader()
    return loader.loadClass(f"dstream_compat.{name}")


def shipped_class(sc: SparkContext, package: str, name: str) -> Any:
    """Return a Java class that the executors have, too; see ``own_class``."""
    with _LOCK:
        if (sc.applicationId, name) not in _shipped:
            jar = Path(sc._temp_dir, f"dstream-compat-{name}.jar")
            classes = _compiler_of(sc, package, name).getBytecodes()
            with zipfile.ZipFile(jar, "w") as archive:
                for full_name in classes:
                    archive.writestr(full_name.replace(".", "/") + ".class", classes[full_name])
            java: Any = sc._jsc
            java.addJar(str(jar))
            _shipped.add((sc.applicationId, name))
    return own_class(sc, package, name)


def _compiler_of(sc: SparkContext, package: str, name: str) -> Any:
    """Return the compiler of a class."""
    key = id(sc._gateway), name
    with _LOCK:
        if key not in _compilers:
            java: Any = sc._jsc
            compiler = java_class(sc, "org.codehaus.janino.SimpleCompiler")()
            compiler.setParentClassLoader(java.getClass().getClassLoader())
            compiler.cook(files(package).joinpath(f"{name}.java").read_text("utf-8"))
            _compilers[key] = compiler
        return _compilers[key]
