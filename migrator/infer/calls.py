"""The results of calls, and what they pass to the parameters of functions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from migrator.infer.attributes import (
    api_instance,
    attribute_of,
    mark_called,
    result_of,
    result_of_member,
)
from migrator.infer.program import ClassInfo, ExecutionState, FunctionInfo
from migrator.infer.scopes import DISPATCHERS
from migrator.infer.values import (
    BOTTOM,
    NONE,
    OTHER,
    UNKNOWN,
    Atom,
    Function,
    Jvm,
    LocalClass,
    LocalObj,
    Map,
    Method,
    Obj,
    Partial,
    Ref,
    Seq,
    Step,
    Tuple,
    Value,
    as_probable,
    clip,
    extend,
    items_of,
    join,
    obj,
    one,
    seq,
    step,
)
from migrator.spark import api
from migrator.spark.api import Api
from migrator.spark.kinds import Kind


@dataclass(slots=True)
class Args:
    """The arguments of a call; `rest` joins what *args may hold, `extra` what **kwargs may."""

    positional: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    rest: Value | None = None
    extra: Value | None = None
    line: int = 0

    def get(self, position: int, keyword: str) -> Value:
        """Return the argument given by position or by name, or nothing."""
        if keyword in self.keywords:
            return self.keywords[keyword]
        if position < len(self.positional):
            return self.positional[position]
        return self.rest if self.rest is not None else BOTTOM


def add_unpacked_keywords(args: Args, value: Value) -> None:
    """Add `**value` to arguments: by name where the keys are known."""
    maps = [a for a in value.sorted_atoms() if isinstance(a, Map)]
    if len(maps) == len(value.atoms) == 1 and not value.unknown and maps[0].rest == BOTTOM:
        args.keywords |= {k: v for k, v in maps[0].known if isinstance(k, str)}
    elif value != BOTTOM:
        others = value.unknown or len(maps) < len(value.without_none())
        values = [a.all() for a in maps] + [UNKNOWN] * others
        args.extra = join(args.extra or BOTTOM, *values)


def call(frame: ExecutionState, callee: Value, args: Args) -> Value:
    """Return the value of a call of any of the callables in a value."""
    atoms = callee.sorted_atoms()
    if len(atoms) > 1:
        # calling None raises, so it adds nothing
        atoms = [a for a in atoms if not (isinstance(a, Obj) and a.kind is Kind.NONE)]
    return join(callee.rest(), *(call_atom(frame, atom, args) for atom in atoms))


def call_atom(frame: ExecutionState, atom: Atom, args: Args) -> Value:
    """Return the value of a call of one callable."""
    match atom:
        case Function():
            return _call_function(frame, atom, args)
        case Method(owner, name):
            spec = api.METHODS[owner.kind][name]
            _run_callback(frame, spec, args, owner, name)
            return result_of_member(frame, spec, owner, name, args.line)
        case Ref():
            return _call_ref(frame, atom, args)
        case LocalClass(info):
            init = attribute_of(frame, LocalObj(info), "__init__", args.line)
            ours = Value(frozenset(a for a in init.atoms if _is_local(a)))
            if ours.atoms:
                call(frame, ours, args)
            else:
                _fill_fields(frame, info, args)
            return one(LocalObj(info))
        case LocalObj():
            method = attribute_of(frame, atom, "__call__", args.line)
            return call(frame, method, args)
        case Partial(function, given_args, keywords):
            positional = [*given_args, *args.positional]
            merged = Args(
                positional, dict(keywords) | args.keywords, args.rest, args.extra, args.line
            )
            return call_atom(frame, function, merged)
        case Obj(Kind.OTHER):
            return OTHER
        case Jvm():
            return UNKNOWN
        case _:
            return UNKNOWN


def _fill_fields(frame: ExecutionState, info: ClassInfo, args: Args) -> None:
    """Store the arguments of a class without `__init__` in its annotated fields."""
    ancestors = info.ancestors()
    names = list(dict.fromkeys(name for c in reversed(ancestors) for name in c.fields))
    arguments = [*zip(names, args.positional, strict=False), *args.keywords.items()]
    left = [name for name in names[len(args.positional) :] if name not in args.keywords]
    arguments += [(name, rest) for rest in (args.rest, args.extra) if rest for name in left]
    for name, value in arguments:
        owner = next((c for c in ancestors if name in c.fields), None)
        if owner is not None and isinstance(value, Value):
            link = Step(args.line, f"given to {info.node.name}", frame.program)
            owner.program.grow(owner.attrs, name, step(value, link))


def announce_subclass(frame: ExecutionState, info: ClassInfo) -> None:
    """Call the `__init_subclass__` of the base classes of a new class."""
    for ancestor in info.ancestors()[1:]:
        frame.program.reads.add((id(ancestor.attrs), "__init_subclass__"))
        hook = ancestor.attrs.get("__init_subclass__")
        for atom in () if hook is None else hook.sorted_atoms():
            if isinstance(atom, Function):
                call_atom(frame, atom, Args([one(LocalClass(info))], line=info.node.lineno))


def _is_local(atom: Atom) -> bool:
    return isinstance(atom, Function)


def _call_function(frame: ExecutionState, function: Function, args: Args) -> Value:
    info = function.info
    positional = list(args.positional)
    if function.owner is not None:
        positional.insert(0, one(function.owner))
    _bind_arguments(frame, info, positional, args)
    if info.program is frame.program and frame.program.enter is not None:
        # so its result is known already
        frame.program.enter(info)
    result = step(result_of(frame, info), Step(args.line, f"{info.name}()", frame.program))
    return as_probable(result) if "decorated" in info.flags else result


def _bind_arguments(
    frame: ExecutionState, info: FunctionInfo, positional: list[Value], args: Args
) -> None:
    mark_called(frame, info)
    signature = info.node.args
    names = info.positional()
    if info.flags & DISPATCHERS:
        # others of its name get what has their class
        positional = [join(value, UNKNOWN) for value in positional]
    for name, value in zip(names, positional, strict=False):
        bind_parameter(frame, info, name, value, args.line)
    for name in sorted(info.defaults.keys() - {*names[: len(positional)], *args.keywords}):
        bind_parameter(frame, info, name, info.defaults[name], 0)
    if args.rest is not None:
        for name in names[len(positional) :]:
            if name not in args.keywords:
                bind_parameter(frame, info, name, args.rest, args.line)
    surplus = positional[len(names) :] + ([args.rest] if args.rest is not None else [])
    if signature.vararg is not None:
        bind_parameter(frame, info, signature.vararg.arg, seq(join(*surplus)), args.line)
    by_name = [a.arg for a in (*signature.args, *signature.kwonlyargs)]
    for name, value in args.keywords.items():
        if name in by_name:
            bind_parameter(frame, info, name, value, args.line)
    if args.extra is not None:
        taken = {*names[: len(positional)], *args.keywords}
        for name in [n for n in by_name if n not in taken]:
            bind_parameter(frame, info, name, args.extra, args.line)
    if signature.kwarg is not None:
        keywords_left = {n: clip(v) for n, v in args.keywords.items() if n not in by_name}
        rest = BOTTOM if args.extra is None else clip(args.extra)
        argument = one(Map(tuple(sorted(keywords_left.items())), rest))
        bind_parameter(frame, info, signature.kwarg.arg, argument, args.line)


def bind_parameter(
    frame: ExecutionState, info: FunctionInfo, name: str, value: Value, line: int
) -> None:
    """Add a value to what a parameter may be, unless its annotation already says."""
    if name in info.declared:
        # what an annotation says stays; calls may know more of the same thing
        frame.program.reads.add((id(info.params), name))
        kinds = {a.kind for a in info.params[name].atoms if isinstance(a, Obj)}
        tagged = (a for a in value.atoms if isinstance(a, Obj) and a.tag and a.kind in kinds)
        value = Value(frozenset(tagged))
        if not value.atoms:
            return
    if line:
        value = step(value, Step(line, f"passed to {info.name}()", frame.program))
    info.program.grow(info.params, name, value)


def _run_callback(frame: ExecutionState, spec: Api, args: Args, owner: Obj, name: str) -> None:
    """Call a function given to the API as Spark would."""
    callback = spec.callback
    if callback is None:
        return
    for atom in args.get(callback.position, callback.keyword).sorted_atoms():
        if not isinstance(atom, Function | Partial | LocalObj):
            continue
        if isinstance(atom, LocalObj) and api_instance(atom.info) is not None:
            continue
        given_args = _callback_arguments(
            frame, atom, callback.shape, _batch(frame, owner, name, args)
        )
        call_atom(frame, atom, Args(given_args, line=args.line))


def _batch(frame: ExecutionState, owner: Obj, name: str, args: Args) -> Value:
    """Return the RDD of a batch, as `foreachRDD` and `transform` hand it out."""
    why = extend(owner.why, Step(args.line, f"{name}()", frame.program))
    tag = "kafka batch" if owner.kind is Kind.KAFKA_DSTREAM else "batch"
    return obj(Kind.RDD, *why, probable=owner.probable, tag=tag)


def _callback_arguments(frame: ExecutionState, atom: Atom, shape: str, rdd: Value) -> list[Value]:
    expected = {"rdd": [rdd], "rdds": [seq(rdd)], "two rdds": [rdd, rdd], "none": []}.get(shape)
    if expected is None:
        # functions of elements: as many as the function takes
        return [OTHER] * 3
    arity = _arity(frame, atom)
    if shape != "none" and arity is not None and arity > len(expected):
        return [OTHER, *expected]
    return expected


def _arity(frame: ExecutionState, atom: Atom) -> int | None:
    """Return how many positional arguments a function still takes."""
    match atom:
        case Function(info, owner):
            if info.node.args.vararg is not None:
                return None
            return len(info.positional()) - (owner is not None)
        case Partial(function, args, keywords):
            inner = _arity(frame, function)
            return None if inner is None else inner - len(args) - len(keywords)
        case LocalObj():
            method = attribute_of(frame, atom, "__call__", 0)
            return next((_arity(frame, a) for a in method.sorted_atoms() if _is_local(a)), None)
        case _:
            return None


def _call_ref(frame: ExecutionState, ref: Ref, args: Args) -> Value:
    path = api.canonical(ref.path)
    spec = api.CALLS.get(path)
    if spec is not None and isinstance(spec.gives, Kind):
        name = path.rpartition(".")[2]
        _run_callback(frame, spec, args, Obj(Kind.STREAMING_CONTEXT, ref.probable), name)
        link = Step(args.line, f"{name}()", frame.program)
        tag = "recovered" if name in ("getOrCreate", "getActiveOrCreate") else ""
        tag = tag if spec.gives is Kind.STREAMING_CONTEXT else ""
        return obj(spec.gives, link, probable=ref.probable, tag=tag)
    special = SPECIAL.get(path)
    if special is not None:
        return special(frame, args)
    owner, _, name = path.rpartition(".")
    kind = api.INSTANCES.get(owner)
    if kind is not None and name in api.METHODS.get(kind, {}) and args.positional:
        # an unbound method: DStream.map(stream, f)
        spec = api.METHODS[kind][name]
        if spec.gives == "self":
            return args.positional[0]
        return result_of_member(frame, spec, Obj(kind, ref.probable), name, args.line)
    return UNKNOWN


# Functions of Python, and methods of containers, that pass streams on or call what they get.

MAX_PARTIAL = 8
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


# functions of other modules, by their paths
SPECIAL: dict[str, SpecialCall] = {
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
