"""Functions of the standard library that pass streams on, or call what they are given."""

from __future__ import annotations

from collections.abc import Callable

from migrator.infer.calls import Args, call
from migrator.infer.program import Frame
from migrator.infer.values import (
    NONE,
    UNKNOWN,
    Function,
    Method,
    Partial,
    Ref,
    Tuple,
    Value,
    join,
    one,
)

MAX_PARTIAL = 8


def _partial(frame: Frame, args: Args) -> Value:
    if not args.positional or len(args.positional) > MAX_PARTIAL or args.rest is not None:
        return UNKNOWN
    first, *given_args = args.positional
    found = []
    for atom in first.ordered():
        if isinstance(atom, Function | Method | Ref):
            found.append(one(Partial(atom, tuple(given_args), tuple(args.keywords.items()))))
    return join(*found) if found else UNKNOWN


def _thread(frame: Frame, args: Args) -> Value:
    target = args.get(1, "target")
    given_args = args.get(3, "args")
    for atom in given_args.ordered():
        if isinstance(atom, Tuple):
            call(frame, _local_only(target), Args(list(atom.items), line=args.line))
    return UNKNOWN


def _local_only(value: Value) -> Value:
    return Value(frozenset(a for a in value.atoms if isinstance(a, Function | Partial)))


def _cast(frame: Frame, args: Args) -> Value:
    return args.get(1, "val")


def _none(frame: Frame, args: Args) -> Value:
    return NONE


LIBRARY: dict[str, Callable[[Frame, Args], Value]] = {
    "functools.partial": _partial,
    "threading.Thread": _thread,
    "multiprocessing.Process": _thread,
    "typing.cast": _cast,
    "builtins.print": _none,
}
