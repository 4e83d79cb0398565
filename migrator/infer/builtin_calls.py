"""Functions of Python, and methods of containers, that pass streams on or call what they get."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from migrator.infer.attributes import attribute, dynamic_attribute, set_attribute
from migrator.infer.calls import SPECIAL, Args, call
from migrator.infer.containers import clip, items_of, seq
from migrator.infer.modules import constant_prefix
from migrator.infer.names import lookup
from migrator.infer.program import ClassInfo, Evaluate, ExecutionState
from migrator.infer.values import (
    BOTTOM,
    NONE,
    OTHER,
    UNKNOWN,
    Function,
    LocalObj,
    Map,
    Method,
    Obj,
    Partial,
    Ref,
    Seq,
    Tuple,
    Value,
    join,
    one,
)
from migrator.spark import api
from migrator.spark.kinds import Kind

MAX_PARTIAL = 8
# these need more than the values of their arguments
_BY_SYNTAX = frozenset({"super", "setattr", "getattr", "hasattr"})
_CHOOSERS = ("dropwhile", "filterfalse", "takewhile")
_PLAIN = ("len", "int", "float", "str", "bool", "isinstance", "range", "sum", "repr")
SpecialCall: TypeAlias = Callable[[ExecutionState, Args], Value]


def _argument_at(position: int, keyword: str) -> SpecialCall:
    """Return a function that gives one of its arguments."""
    return lambda frame, args: args.get(position, keyword)


def _always(value: Value) -> SpecialCall:
    return lambda frame, args: value


def _first_items(frame: ExecutionState, args: Args) -> Value:
    if not args.positional:
        return seq(args.rest) if args.rest is not None else one(Seq(Value(frozenset())))
    return seq(items_of(args.positional[0]))


def _keep_tuple(frame: ExecutionState, args: Args) -> Value:
    if args.positional and all(isinstance(a, Tuple) for a in args.positional[0].atoms):
        return args.positional[0]
    return _first_items(frame, args)


def _next(frame: ExecutionState, args: Args) -> Value:
    values = [items_of(args.positional[0])] if args.positional else [UNKNOWN]
    return join(*values, *args.positional[1:])


def _enumerate(frame: ExecutionState, args: Args) -> Value:
    items = items_of(args.positional[0]) if args.positional else UNKNOWN
    return seq(one(Tuple((OTHER, clip(items)))))


def _zip(frame: ExecutionState, args: Args) -> Value:
    if args.rest is not None:
        return UNKNOWN
    return seq(one(Tuple(tuple(clip(items_of(a)) for a in args.positional))))


def _map(frame: ExecutionState, args: Args) -> Value:
    if len(args.positional) < 2:
        return UNKNOWN
    function, *columns = args.positional
    return seq(call(frame, function, Args([items_of(c) for c in columns], line=args.line)))


def _filter(frame: ExecutionState, args: Args) -> Value:
    if len(args.positional) != 2:
        return UNKNOWN
    items = items_of(args.positional[1])
    call(frame, args.positional[0], Args([items], line=args.line))
    return seq(items)


def _reduce(frame: ExecutionState, args: Args) -> Value:
    if len(args.positional) < 2:
        return UNKNOWN
    items = join(items_of(args.positional[1]), *args.positional[2:])
    result = call(frame, args.positional[0], Args([items, items], line=args.line))
    return join(items, result)


def _dict(frame: ExecutionState, args: Args) -> Value:
    if args.positional:
        return args.positional[0] if not args.keywords else UNKNOWN
    known_items = tuple(sorted((name, clip(value)) for name, value in args.keywords.items()))
    return one(Map(known_items, Value(frozenset())))


def _defaultdict(frame: ExecutionState, args: Args) -> Value:
    factories = [f for f in args.positional[:1] if f != NONE]
    values = [call(frame, factory, Args(line=args.line)) for factory in factories]
    start = _dict(frame, Args(args.positional[1:], args.keywords, line=args.line))
    return join(one(Map((), clip(join(*values)))), start)


def _partial(frame: ExecutionState, args: Args) -> Value:
    if not args.positional or len(args.positional) > MAX_PARTIAL or args.rest is not None:
        return UNKNOWN
    first, *given_args = args.positional
    values = []
    for atom in first.sorted_atoms():
        if isinstance(atom, Function | Method | Ref):
            values.append(one(Partial(atom, tuple(given_args), tuple(args.keywords.items()))))
    return join(*values) if values else UNKNOWN


def _thread(frame: ExecutionState, args: Args) -> Value:
    target = args.get(1, "target")
    given_args = args.get(3, "args")
    for atom in given_args.sorted_atoms():
        if isinstance(atom, Tuple):
            call(frame, _local_only(target), Args(list(atom.items), line=args.line))
    return UNKNOWN


def _local_only(value: Value) -> Value:
    return Value(frozenset(a for a in value.atoms if isinstance(a, Function | Partial)))


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
    values = [call(frame, factory, Args(line=args.line)) for factory in factories]
    return join(*values, args.keywords.get("default", BOTTOM))


def _factory(frame: ExecutionState, args: Args) -> Value:
    return call(frame, args.get(0, "factory"), Args(line=args.line))


SPECIAL |= {
    "builtins.list": _first_items,
    "builtins.set": _first_items,
    "builtins.sorted": _first_items,
    "builtins.reversed": _first_items,
    "builtins.frozenset": _first_items,
    "collections.deque": _first_items,
    "builtins.iter": _first_items,
    "builtins.tuple": _keep_tuple,
    "builtins.next": _next,
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "itertools.zip_longest": _zip,
    "builtins.map": _map,
    "builtins.filter": _filter,
    "builtins.dict": _dict,
    "collections.OrderedDict": _dict,
    "collections.defaultdict": _defaultdict,
    "functools.reduce": _reduce,
    "functools.partial": _partial,
    "threading.Thread": _thread,
    "multiprocessing.Process": _thread,
    "copy.copy": _argument_at(0, "x"),
    "typing.cast": _argument_at(1, "val"),
    # these stand for what they give to `with`
    "contextlib.closing": _argument_at(0, "thing"),
    "contextlib.nullcontext": _argument_at(0, "enter_result"),
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain_from,
    "itertools.cycle": _same_items,
    "itertools.islice": _same_items,
    **dict.fromkeys((f"itertools.{name}" for name in _CHOOSERS), _chosen_items),
    **dict.fromkeys(("dataclasses.field", "attr.ib", "attr.field", "attrs.field"), _field),
    **dict.fromkeys(("attr.Factory", "attrs.Factory"), _factory),
    "builtins.print": _always(NONE),
    **dict.fromkeys((f"builtins.{name}" for name in _PLAIN), _always(OTHER)),
}


def container_call(base: Value, name: str, args: Args) -> Value | None:
    """Return what a method of a list or dict gives, or None if the receiver is neither."""
    values = []
    for atom in base.sorted_atoms():
        match atom:
            case Map():
                values.append(_map_call(atom, name, args))
            case Seq(item) if name in ("pop", "__getitem__"):
                values.append(item)
            case Seq() | Tuple() if name == "copy":
                values.append(one(atom))
            case Seq() | Tuple():
                values.append(OTHER)
            case Obj(Kind.NONE):
                continue
            case _:
                return None
    return join(*values) if values and not base.unknown else None


def _map_call(atom: Map, name: str, args: Args) -> Value:
    match name:
        case "values":
            return seq(atom.all())
        case "items":
            return seq(one(Tuple((OTHER, clip(atom.all())))))
        case "get" | "setdefault":
            # there may be no such key
            return join(atom.all(), *(args.positional[1:] or [NONE]))
        case "pop" | "__getitem__":
            return join(atom.all(), *args.positional[1:])
        case "copy":
            return one(atom)
        case _:
            return OTHER


def added_item(name: str, args: Args) -> Value | None:
    """Return what a call such as `list.append` puts into its receiver, as a value to join to it."""
    match name, args.positional:
        case ("append" | "add" | "appendleft", [item]):
            return seq(item)
        case ("insert", [_, item]):
            return seq(item)
        case ("extend", [items]):
            return seq(items_of(items))
        case ("setdefault", [_, item]):
            return one(Map((), clip(item)))
        case ("update", [Value() as other]):
            return Value(frozenset(a for a in other.atoms if isinstance(a, Map)))
        case _:
            return None


def subscript(base: Value, index: ast.expr) -> Value:
    """Return the value of `base[index]`."""
    values = [base.rest()]
    constant = None
    match index:
        case ast.Constant(value=value):
            constant = value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
            constant = -number
    for atom in base.sorted_atoms():
        match atom:
            case Tuple(items) if isinstance(constant, int) and -len(items) <= constant < len(items):
                values.append(items[constant])
            case Tuple() | Seq() if isinstance(index, ast.Slice):
                values.append(seq(items_of(one(atom))))
            case Tuple() | Seq():
                values.append(items_of(one(atom)))
            case Map() as table:
                entry = table.get(constant) if isinstance(index, ast.Constant) else None
                values.append(join(entry, table.rest) if entry is not None else table.all())
            case Obj(Kind.NONE):
                # raises, so it adds nothing
                continue
            case _:
                values.append(OTHER if one(atom) == OTHER else UNKNOWN)
    return join(*values)


def named_call(frame: ExecutionState, node: ast.Call, evaluate: Evaluate) -> Value | None:
    """Return the value of `super()` and `getattr(x, "name")`, which need the syntax of the call."""
    assert isinstance(node.func, ast.Name)
    called = node.func.id
    if called not in _BY_SYNTAX or lookup(frame, called, 0) != one(Ref(f"builtins.{called}")):
        return None
    match called, node.args:
        case "super", _ if frame.function is not None:
            owner: ClassInfo | None = frame.function.owner
            if owner is not None:
                return one(LocalObj(owner, base_view=True))
        case "setattr", [base, ast.Constant(value=str(name)), value]:
            given = evaluate(frame, value)
            set_attribute(frame, evaluate(frame, base), name, given, node.lineno)
        case "getattr", [base, ast.Constant(value=str(name)), *rest] if len(rest) < 2:
            return _getattr(frame, node, name, evaluate)
        case "getattr", [base, text, *rest] if len(rest) < 2:
            found = evaluate(frame, base)
            for argument in node.args[1:]:
                evaluate(frame, argument)
            return dynamic_attribute(frame, found, constant_prefix(text)[0])
        case "hasattr", [base, ast.Constant(value=str(name))] if name.startswith("_j"):
            _note(frame, node, name, evaluate(frame, base))
    return None


def _getattr(frame: ExecutionState, node: ast.Call, name: str, evaluate: Evaluate) -> Value:
    base = evaluate(frame, node.args[0])
    _note(frame, node, name, base)
    found = attribute(frame, base, name, node.lineno)
    default = join(*(evaluate(frame, argument) for argument in node.args[2:]))
    sure = base.atoms and not base.unknown and all(_has(a, name) for a in base.atoms)
    return found if sure else join(found, default)


def _has(atom: object, name: str) -> bool:
    return isinstance(atom, Obj) and name in api.METHODS.get(atom.kind, ())


def _note(frame: ExecutionState, node: ast.Call, name: str, base: Value) -> None:
    """Note what a name in a text is taken from, as for an attribute that stands in its place."""
    program = frame.program
    found = program.lookups.get(node)
    if found is None:
        text = node.args[1]
        start = text.col_offset + 1
        found = ast.Attribute(node.args[0], name, ast.Load())
        found.lineno = found.end_lineno = text.lineno
        found.col_offset, found.end_col_offset = start, start + len(name.encode())
        program.lookups[node] = found
    receivers = program.facts.receivers
    receivers[found] = join(receivers.get(found, BOTTOM), base)
