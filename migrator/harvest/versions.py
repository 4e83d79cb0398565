"""Required versions of PySpark and Python in any text.

They matter only where a project has DStream code: see `migrator.scan`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrator.events import Event, Requirement
from migrator.model import Spot

_SPEC = r"(?:(?:===?|[~<>!^]=?|=)\s*v?\d[\w.*]*\s*(?:,\s*)?)+"
_PYSPARK = re.compile(
    r"(?<![\w./-])pyspark(?:\[[\w, -]*\])?[\"']?\s*"
    rf"(?:=\s*(?:\{{[^}}]*version\s*=\s*)?[\"'](?P<toml>[^\"']*)[\"']|(?P<spec>{_SPEC}))"
)
_SPARK_VERSION = re.compile(r"^\s*[\"']?sparkVersion[\"']?\s*:\s*[\"']?(?P<spec>\d[\w.]*)")
_PYTHON2 = re.compile(
    r"(?:\b(?:PYSPARK(?:_DRIVER)?_PYTHON|spark\.pyspark(?:\.driver)?\.python)\b[\"']?\s*[=:\s]\s*"
    r"[\"']?[\w./-]*|^FROM\s+(?:--\S+\s+)?(?:[\w./-]+/)?|^\s*[\"']?pythonVersion[\"']?\s*:\s*[\"']?)"
    r"(?P<python>(?:python-?)2(?:\.\d)?\b|(?<=[:\s\"'])2(?:\.\d)?(?=[\"'\s]|$)|python:2(?:\.\d+)?\b)"
)
_HINT = re.compile(rb"pyspark[\w\[\]\"', -]*[=<>~^]|sparkVersion|pythonVersion|python-?2|python:2")


def may_require(data: bytes) -> bool:
    """Whether the bytes of a file may hold one of these requirements."""
    return _HINT.search(data) is not None


def requirements_in(line: str) -> Iterator[tuple[int, str, str, str]]:
    """Each requirement in a line: its offset, its kind, its text and the version it asks for."""
    for match in _PYSPARK.finditer(line):
        spec = match.group("toml") if match.group("spec") is None else match.group("spec")
        yield match.start(), "pyspark", match.group().strip(" ,"), spec
    for match in _SPARK_VERSION.finditer(line):
        yield match.start("spec"), "pyspark", match.group().strip(), match.group("spec")
    for match in _PYTHON2.finditer(line):
        yield match.start("python"), "python", match.group().strip(), match.group("python")


def requirement_events(line: str, number: int, cell: int | None = None) -> Iterator[Event]:
    """The events of one line."""
    if "pyspark" in line or "ython" in line or "sparkVersion" in line or "PYTHON" in line:
        for offset, kind, text, spec in requirements_in(line):
            yield Requirement(Spot(number, offset + 1, cell), kind, text, spec)
