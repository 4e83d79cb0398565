"""Functions of the standard library that pass streams on, or call what they are given."""

from __future__ import annotations

from collections.abc import Callable

from migrator.infer.calls import Args, call
from migrator.infer.containers import items_of, seq
from migrator.infer.program import ExecutionState
from migrator.infer.values import (
    BOTTOM,
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
_CHOOSERS = ("dropwhile", "filterfalse", "takewhile")


def _partial(frame: ExecutionState, args: Args) -> Value:
    if not args.positional or len(args.positional) > MAX_PARTIAL or args.rest is not None:
        return UNKNOWN
    first, *given_args = args.positional
    found = []
    for atom in first.ordered():
        if isinstance(atom, Function | Method | Ref):
            found.append(one(Partial(atom, tuple(given_args), tuple(args.keywords.items()))))
    return join(*found) if found else UNKNOWN


def _thread(frame: ExecutionState, args: Args) -> Value:
    target = args.get(1, "target")
    given_args = args.get(3, "args")
    for atom in given_args.ordered():
        if isinstance(atom, Tuple):
            call(frame, _local_only(target), Args(list(atom.items), line=args.line))
    return UNKNOWN


def _local_only(value: Value) -> Value:
    return Value(frozenset(a for a in value.atoms if isinstance(a, Function | Partial)))


def _cast(frame: ExecutionState, args: Args) -> Value:
    return args.get(1, "val")


def _closing(frame: ExecutionState, args: Args) -> Value:
    # stands for what it gives to `with`
    return args.get(0, "thing")


def _nullcontext(frame: ExecutionState, args: Args) -> Value:
    return args.get(0, "enter_result")


def _chain(frame: ExecutionState, args: Args) -> Value:
    rest = [] if args.rest is None else [args.rest]
    return seq(join(*(items_of(part) for part in (*args.positional, *rest))))


def _chain_from(frame: ExecutionState, args: Args) -> Value:
    return seq(items_of(items_of(args.get(0, "iterable"))))


def _same_items(frame: ExecutionState, args: Args) -> Value:
    return seq(items_of(args.get(0, "iterable")))


def _chosen_items(frame: ExecutionState, args: Args) -> Value:
    items = items_of(args.get(1, "iterable"))
    call(frame, args.get(0, "predicate"), Args([items], line=args.line))
    return seq(items)


def _field(frame: ExecutionState, args: Args) -> Value:
    """Return the default of a field of a dataclass, made or given."""
    factories = [args.keywords[n] for n in ("default_factory", "factory") if n in args.keywords]
    made = [call(frame, factory, Args(line=args.line)) for factory in factories]
    return join(*made, args.keywords.get("default", BOTTOM))


def _factory(frame: ExecutionState, args: Args) -> Value:
    return call(frame, args.get(0, "factory"), Args(line=args.line))


def _none(frame: ExecutionState, args: Args) -> Value:
    return NONE


LIBRARY: dict[str, Callable[[ExecutionState, Args], Value]] = {
    "functools.partial": _partial,
    "threading.Thread": _thread,
    "multiprocessing.Process": _thread,
    "typing.cast": _cast,
    "builtins.print": _none,
    "contextlib.closing": _closing,
    "contextlib.nullcontext": _nullcontext,
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain_from,
    "itertools.cycle": _same_items,
    "itertools.islice": _same_items,
    **dict.fromkeys((f"itertools.{n}" for n in _CHOOSERS), _chosen_items),
    **dict.fromkeys(("dataclasses.field", "attr.ib", "attr.field", "attrs.field"), _field),
    **dict.fromkeys(("attr.Factory", "attrs.Factory"), _factory),
}
