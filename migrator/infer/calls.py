"""The results of calls, and what they pass to the parameters of functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from migrator.infer.attributes import (
    api_instance,
    attribute_of,
    mark_called,
    result_of,
    result_of_member,
)
from migrator.infer.containers import clip, seq
from migrator.infer.evidence import as_probable, extend, step
from migrator.infer.functions import DISPATCHERS
from migrator.infer.program import ClassInfo, ExecutionState, FunctionInfo
from migrator.infer.values import (
    BOTTOM,
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
    Step,
    Value,
    join,
    obj,
    one,
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


# functions of other modules, by their paths
SPECIAL: dict[str, Callable[[ExecutionState, Args], Value]] = {}
