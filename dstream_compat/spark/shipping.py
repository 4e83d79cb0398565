"""Ships this package to executors, as a zip that every SparkContext gets once."""

from __future__ import annotations

import atexit
import shutil
import tempfile
import threading
import zipfile
from functools import cache
from pathlib import Path

from pyspark import SparkContext

from .conf import conf_of
from .workers import knows_local_package

_NAME = "dstream_compat.zip"
_LOCK = threading.Lock()
_shipped: set[str] = set()


def ship_package(sc: SparkContext) -> None:
    """Give a SparkContext's workers this package, whether or not they have it installed."""
    with _LOCK:
        if sc.applicationId not in _shipped:
            if not (_has_package(sc) or knows_local_package(sc)):
                sc.addPyFile(package_zip())
            _shipped.add(sc.applicationId)


def _has_package(sc: SparkContext) -> bool:
    """Return whether spark-submit gave the package to this application already."""
    files = conf_of(sc).get("spark.submit.pyFiles") or ""
    return any(name.rsplit("/", 1)[-1] == _NAME for name in files.split(","))


@cache
def package_zip() -> str:
    """Return the path of this package as a zip, which is removed when the process ends."""
    root = Path(__file__).resolve().parent.parent
    if not root.is_dir():
        return str(root.parent)  # in cluster mode the driver has it as that zip
    folder = tempfile.mkdtemp(prefix="dstream-compat-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    target = Path(folder, _NAME)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(root.rglob("*")):
            if path.suffix in (".py", ".java"):
                archive.write(path, Path(root.name, path.relative_to(root)))
    return str(target)
