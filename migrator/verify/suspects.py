"""Finds what in a job gives another result each time, by its source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_CLOCK = "reads the clock"
_CHANCE = "is random"
THREAD = "runs at its own pace"
_CALLS = {
    **dict.fromkeys(
        ("time.time", "time.time_ns", "time.localtime", "time.gmtime", "time.strftime"), _CLOCK
    ),
    **dict.fromkeys(
        (
            *("datetime.now", "datetime.utcnow", "datetime.today", "date.today"),
            *("datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today"),
            "datetime.date.today",
        ),
        _CLOCK,
    ),
    **dict.fromkeys(("current_timestamp", "current_date", "now"), _CLOCK),
    **dict.fromkeys(("uuid.uuid1", "uuid.uuid4", "uuid1", "uuid4", "os.urandom"), _CHANCE),
    **dict.fromkeys(("takeSample", "sample", "randomSplit", "rand", "randn"), _CHANCE),
    **dict.fromkeys(("threading.Thread", "Thread", "threading.Timer", "Timer"), THREAD),
    **dict.fromkeys(("os.getpid", "socket.gethostname", "hash", "id"), "differs between processes"),
}
_MODULES = {"random": _CHANCE, "numpy.random": _CHANCE, "np.random": _CHANCE, "secrets": _CHANCE}
_METHODS = ("takeSample", "sample", "randomSplit", "rand", "randn", "current_timestamp")


@dataclass(frozen=True, slots=True)
class Suspect:
    """A call whose result differs from run to run."""

    line: int
    call: str
    why: str


def suspects(text: str) -> list[Suspect]:
    """Return the calls of a program whose results differ from run to run, by line.

    They are named where a job differs from itself; a program that does not parse has none.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    return sorted(set(_find_suspects(tree)), key=lambda one: (one.line, one.call))


def _find_suspects(tree: ast.AST) -> Iterator[Suspect]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = _dotted_name(node.func)
        head, _, last = name.rpartition(".")
        why = _CALLS.get(name) or _MODULES.get(head)
        if not why and head and last in _METHODS:
            why = _CALLS[last]
        if why:
            yield Suspect(node.lineno, name, why)


def _dotted_name(node: ast.expr) -> str:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(parts))


def uses(text: str, *names: str) -> bool:
    """Return whether a program calls a method or function of one of some names."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return any(
        isinstance(node, ast.Call) and _dotted_name(node.func).rpartition(".")[2] in names
        for node in ast.walk(tree)
    )
