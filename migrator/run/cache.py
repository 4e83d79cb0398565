"""Results of earlier runs, so that an unchanged tree is not analysed again.

One file per root holds the report of each file under a key. A key has the file's path and content
in it, the version of the tool and of its parsers, the options, and for programs the content of all
programs of the tree, because what a file does may depend on any of them. So an entry is right or it
is not found; nothing has to be invalidated.

Decision 0025: Results are cached by content.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import os
import pickle
import platform
import re
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import migrator
from migrator.model.report import FileReport
from migrator.source.files import write_whole

_FORMAT = b"migrate cache 3\n"
# parsers, and the Spark whose version is written into packages
_PARSERS = (
    *("pyspark", "libcst", "pyyaml", "fissix"),
    *("tree-sitter", "tree-sitter-java", "tree-sitter-scala"),
)
_DIGEST = 20
# the head of another version of the format, or of this one with another stamp
_OTHER = re.compile(rb"migrate cache \d+\n(?s:.{40})")
# where the classes of reports and of the events in them are defined; calls are in events
_MODULES = re.compile(r"migrator\.(?:model\.\w+|spark\.kinds)|ast")
# larger results are not kept, and roots that nobody looks at are forgotten
_LARGEST = 64 * 1024 * 1024
_FORGET_AFTER = 30 * 24 * 3600


def cache_folder() -> Path:
    """Return where results are kept: MIGRATE_CACHE_DIR, or the user's cache folder."""
    own = os.environ.get("MIGRATE_CACHE_DIR")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base, "dstream-compat", "migrate")


def digest(*parts: bytes) -> bytes:
    """Return a digest that differs for any two lists of byte strings."""
    digest_ = hashlib.blake2b(digest_size=_DIGEST)
    for part in parts:
        digest_.update(len(part).to_bytes(8, "big"))
        digest_.update(part)
    return digest_.digest()


class Cache:
    """The results for one root.

    Attributes
    ----------
    notes : list of str
        What a user should know, such as a damaged file.
    """

    def __init__(self, root: Path, chosen: tuple[str, ...] = ()) -> None:
        self.folder = cache_folder()
        names = (os.path.realpath(root), *chosen)
        self.path = self.folder / f"{digest(*map(os.fsencode, names)).hex()}.cache"
        self.notes: list[str] = []
        self.kept: dict[bytes, FileReport] = {}
        self.used: dict[bytes, FileReport] = {}
        self.changed = False
        self.stamp = b""

    def load(self) -> None:
        """Read the results of earlier runs; what cannot be read is as if it were not there.

        Those of another version of the tool are no results of this one.
        """
        self.stamp = _stamp()
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            self.notes.append(f"the cache {self.path} cannot be read: {_why(error)}")
            return
        head = _FORMAT + self.stamp
        body = data[len(head) + _DIGEST :]
        if not data.startswith(head) and _OTHER.match(data):
            return
        if data != head + digest(body) + body:
            self.notes.append(f"the cache {self.path} is damaged and was ignored")
            return
        try:
            self.kept = _Reports(io.BytesIO(body)).load()
        except Exception as error:
            self.notes.append(f"the cache {self.path} was ignored: {type(error).__name__}: {error}")

    def key(self, relative: str, kind: str, content: bytes, others: bytes = b"") -> bytes:
        """Return the key of a file; others: a digest of what else its result depends on."""
        return digest(self.stamp, os.fsencode(relative), kind.encode(), content, others)

    def get(self, key: bytes, data: bytes) -> FileReport | None:
        """Return the report of a file with this key, or None."""
        report = self.kept.get(key)
        if report is None:
            return None
        self.used[key] = report
        # a copy: what is done with a report must not reach the cache
        return _copy(report, data)

    def put(self, key: bytes, report: FileReport) -> None:
        """Keep a report for later runs."""
        self.used[key] = _copy(report, b"")
        self.changed = True

    def save(self) -> None:
        """Write what this run used; earlier results that it did not need are dropped."""
        if not self.changed:
            return
        written = io.BytesIO()
        try:
            _Writer(written, protocol=5).dump(self.used)
        except RecursionError:
            # a call with very deep arguments
            return
        body = written.getvalue()
        if len(body) > _LARGEST:
            return
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self.path, _FORMAT + self.stamp + digest(body) + body, 0o600)
            self._forget()
        except OSError as error:
            self.notes.append(f"the cache {self.path} cannot be written: {_why(error)}")

    def _forget(self) -> None:
        """Remove results of roots that were not used for long."""
        before = time.time() - _FORGET_AFTER
        for path in self.folder.glob("*.cache"):
            # another run may be doing the same
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < before:
                    path.unlink()


def _why(error: OSError) -> str:
    return f"{error.strerror or error} (--no-cache does without it)"


class _Writer(pickle.Pickler):
    """Writes members of enums as their values: Python 3.11.0 to 3.11.3 would write a getattr."""

    def reducer_override(self, obj: object) -> Any:
        return (type(obj), (obj.value,)) if isinstance(obj, Enum) else NotImplemented


def _copy(report: FileReport, original: bytes) -> FileReport:
    """Return a report that does not change with another one."""
    return replace(
        report,
        findings=[],
        sites=[],
        events=list(report.events),
        original=original,
    )


class _Reports(pickle.Unpickler):
    """Unpickles the classes of reports and of their events, and no others."""

    def find_class(self, module: str, name: str) -> Any:
        ours = _MODULES.fullmatch(module)
        cls = getattr(importlib.import_module(module), name, None) if ours else None
        if not isinstance(cls, type) or cls.__module__ != module:
            raise pickle.UnpicklingError(f"{module}.{name} does not belong in a cached report")
        return cls


def _stamp() -> bytes:
    """Return what the results depend on besides the files: this tool, its parsers, Python."""
    package = Path(migrator.__file__).parent
    parts = [_FORMAT, platform.python_version().encode()]
    for path in sorted(package.rglob("*.py")):
        parts += [os.fsencode(path.relative_to(package)), path.read_bytes()]
    return digest(*parts, *_versions(_PARSERS))


def _versions(names: Iterable[str]) -> list[bytes]:
    versions = []
    for name in names:
        try:
            versions.append(f"{name} {version(name)}".encode())
        except PackageNotFoundError:
            versions.append(f"no {name}".encode())
    return versions
