"""Finds out from the source of a job whether it reads Kafka."""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

_PACKAGES: Final = r"(?:pyspark\.streaming|dstream_compat)"
_KAFKA: Final = re.compile(
    rf"^[^#\n]*\b(?:{_PACKAGES}\.kafka\b"
    rf"|from[ \t]+{_PACKAGES}[ \t]+import[ \t]*(?:\([^)]*|[^#\n]*)\bkafka\b)",
    re.MULTILINE,
)
_IMPORT: Final = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<one>[\w.]+)|import[ \t]+(?P<many>[\w., \t]+))", re.MULTILINE
)
_NOT_THE_JOBS: Final = frozenset(("dstream_compat", "pyspark"))


def reads_kafka(script: str, files: Iterable[str] = ()) -> bool:
    """Return whether a script or a module of its own names ``pyspark.streaming.kafka``.

    Searched are the text of the script; the modules beside it that it imports, and those that
    these import (a package with all of its files); and the ``.py`` files and the members of
    archives of ``--py-files``. A name behind ``#`` does not count. What is imported in no
    statement, from other folders or from files elsewhere than on this machine is not seen.

    Parameters
    ----------
    script : str
        its path
    files : iterable of str, optional
        the value of ``--py-files``, split
    """
    texts = (text for name in files for text in _texts_of(name.strip().removeprefix("file:")))
    return any(map(_KAFKA.search, _texts_beside(Path(script)))) or any(map(_KAFKA.search, texts))


def _texts_beside(script: Path) -> Iterator[str]:
    """Yield the text of a script and of the modules beside it that it needs."""
    # Python looks where the script is, not where a link to it is.
    folder = Path(os.path.realpath(script)).parent
    waiting, seen = [script], {script}
    while waiting:
        text = _text(waiting.pop())
        yield text
        for module in _imported_packages(text):
            paths = [folder / f"{module}.py", *sorted((folder / module).rglob("*.py"))]
            waiting += [path for path in paths if path not in seen and path.is_file()]
            seen.update(paths)


def _imported_packages(text: str) -> set[str]:
    """Return the first parts of the names that a text imports."""
    names = [
        name.partition(".")[0].split()
        for match in _IMPORT.finditer(text)
        for name in (match["one"] or match["many"]).split(",")
    ]
    return {first for first, *_ in filter(None, names)} - _NOT_THE_JOBS


def _texts_of(name: str) -> Iterator[str]:
    if name.endswith(".py"):
        yield _text(Path(name))
    elif name.endswith((".zip", ".egg", ".whl")):
        try:
            with zipfile.ZipFile(name) as archive:
                for member in archive.namelist():
                    if member.endswith(".py"):
                        yield archive.read(member).decode(errors="replace")
        except (OSError, zipfile.BadZipFile):
            return  # spark-submit says what is wrong with it


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""  # Python or spark-submit say what is wrong with it
