"""Functions of Python, and methods of containers, that pass streams on or call what they get."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from migrator.infer.attributes import attribute, dynamic_attribute, set_attribute
from migrator.infer.calls import SPECIAL, Args, add_unpacked_keywords, call
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
_ITEM_OF = frozenset({"pop", "popleft", "__getitem__", "__next__", "__enter__", "send", "throw"})
_PART_OF = frozenset({"copy", "difference", "intersection", "__iter__", "__reversed__"})
_CHOOSERS = ("dropwhile", "filterfalse", "takewhile")
_PLAIN = ("len", "int", "float", "str", "bool", "isinstance", "range", "repr")
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


def _sum(frame: ExecutionState, args: Args) -> Value:
    return join(*map(items_of, args.positional[:1]), *args.positional[1:], *args.keywords.values())


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


def _zip_longest(frame: ExecutionState, args: Args) -> Value:
    filling = args.keywords.get("fillvalue", NONE)
    columns = [seq(join(items_of(column), filling)) for column in args.positional]
    return _zip(frame, Args(columns, rest=args.rest))


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
    # what the function gives is given to it again
    so_far = items
    for _ in range(2):
        given = Args([so_far, items], line=args.line)
        so_far = join(so_far, call(frame, args.positional[0], given))
    return so_far


def _table(sources: list[Value], args: Args) -> Value:
    """Return the dict of what tables and pairs hold, and of keywords."""
    known_items = tuple(sorted((name, clip(value)) for name, value in args.keywords.items()))
    values = [one(Map(known_items, BOTTOM if args.extra is None else clip(args.extra)))]
    for source in [*sources, *([] if args.rest is None else [UNKNOWN])]:
        values += [one(a) for a in source.sorted_atoms() if isinstance(a, Map)]
        others = frozenset(a for a in source.without_none() if not isinstance(a, Map))
        pairs = items_of(source.with_atoms(others))
        if pairs != BOTTOM:
            values.append(one(Map((), clip(subscript(pairs, ast.Constant(1))))))
    return join(*values)


def _defaultdict(frame: ExecutionState, args: Args) -> Value:
    factories = [f for f in args.positional[:1] if f != NONE]
    values = [call(frame, factory, Args(line=args.line)) for factory in factories]
    return join(one(Map((), clip(join(*values)))), _table(args.positional[1:], args))


def _partial(frame: ExecutionState, args: Args) -> Value:
    has_unknown = args.rest is not None or args.extra is not None
    if not args.positional or len(args.positional) > MAX_PARTIAL or has_unknown:
        return UNKNOWN
    first, *given_args = args.positional
    values = [first.rest()]
    for atom in first.sorted_atoms():
        if isinstance(atom, Function | Method | Ref):
            values.append(one(Partial(atom, tuple(given_args), tuple(args.keywords.items()))))
        elif atom not in NONE.atoms:
            values.append(UNKNOWN)
    return join(*values)


def _thread(frame: ExecutionState, args: Args) -> Value:
    target = args.get(1, "target")
    given = Args(line=args.line)
    match args.get(3, "args").sorted_atoms():
        case []:
            pass
        case [Tuple(items)]:
            given.positional = list(items)
        case _:
            given.rest = items_of(args.get(3, "args"))
    add_unpacked_keywords(given, args.get(4, "kwargs"))
    call(frame, _local_only(target), given)
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


def _attribute_field(frame: ExecutionState, args: Args) -> Value:
    if args.positional or {"default", "factory"} & args.keywords.keys():
        return join(_field(frame, args), *args.positional[:1])
    # without an annotation it is not known whether a call gives it
    return UNKNOWN


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
    "itertools.zip_longest": _zip_longest,
    "builtins.sum": _sum,
    "builtins.map": _map,
    "builtins.filter": _filter,
    **dict.fromkeys(
        ("builtins.dict", "collections.OrderedDict"),
        lambda frame, args: _table(args.positional, args),
    ),
    "collections.defaultdict": _defaultdict,
    "functools.reduce": _reduce,
    "functools.partial": _partial,
    "threading.Thread": _thread,
    "multiprocessing.Process": _thread,
    "copy.copy": _argument_at(0, "x"),
    "typing.cast": _argument_at(1, "val"),
    # these stand for what they give to `with`
    "contextlib.closing": _argument_at(0, "thing"),
    "contextlib.nullcontext": lambda frame, args: (
        args.get(0, "enter_result") if args.positional or args.keywords or args.rest else NONE
    ),
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain_from,
    "itertools.cycle": _same_items,
    "itertools.islice": _same_items,
    **dict.fromkeys((f"itertools.{name}" for name in _CHOOSERS), _chosen_items),
    "dataclasses.field": _field,
    **dict.fromkeys(("attr.ib", "attr.field", "attrs.field"), _attribute_field),
    **dict.fromkeys(("attr.Factory", "attrs.Factory"), _factory),
    "builtins.print": _always(NONE),
    **dict.fromkeys((f"builtins.{name}" for name in _PLAIN), _always(OTHER)),
}


def container_call(base: Value, name: str, args: Args) -> Value:
    """Return what a method gives of the lists and dicts in a value."""
    values = []
    for atom in base.sorted_atoms():
        match atom:
            case Map():
                values.append(_map_call(atom, name, args))
            case Seq(item) if name in _ITEM_OF:
                values.append(item)
            case Seq() | Tuple() if name in _PART_OF:
                values.append(one(atom))
            case Seq(item) if name in ("union", "symmetric_difference"):
                values.append(seq(join(item, *map(items_of, args.positional), *_rest_of(args))))
            case Seq() | Tuple():
                values.append(OTHER)
            case _:
                continue
    return join(*values)


def _rest_of(args: Args) -> list[Value]:
    return [] if args.rest is None else [items_of(args.rest)]


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
        case "popitem":
            return one(Tuple((OTHER, clip(atom.all()))))
        case "copy":
            return one(atom)
        case _:
            return OTHER


def added_item(base: Value, name: str, args: Args) -> Value | None:
    """Return what a call such as `list.append` puts into its receiver, as a value to join to it."""
    match name, args.positional:
        case ("append" | "add" | "appendleft", [item]):
            return seq(item)
        case ("insert", [_, item]):
            return seq(item)
        case ("extend" | "extendleft", [items]):
            return seq(items_of(items))
        case ("setdefault", [_, item]):
            return one(Map((), clip(item)))
        case ("update" | "symmetric_difference_update", sources):
            maps = [_table(sources, args)] if any(isinstance(a, Map) for a in base.atoms) else []
            sets = [seq(join(*map(items_of, sources), *_rest_of(args)))]
            return join(*maps, *(sets if any(isinstance(a, Seq) for a in base.atoms) else []))
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
