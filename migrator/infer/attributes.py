"""What an attribute of a value is."""

from __future__ import annotations

import ast
import builtins
import inspect

from migrator.infer.modules import (
    any_attribute,
    module_attribute,
    store_in_module,
    value_of_missing_name,
)
from migrator.infer.program import ANY, ClassInfo, ExecutionState, FunctionInfo
from migrator.infer.values import (
    OTHER,
    OWN,
    UNKNOWN,
    Atom,
    Function,
    Jvm,
    LocalClass,
    LocalObj,
    Map,
    Method,
    Module,
    Obj,
    Partial,
    Ref,
    Seq,
    Step,
    Tuple,
    Value,
    extend,
    holds_streams,
    join,
    obj,
    one,
    seq,
)
from migrator.model.events import RddFunction
from migrator.spark import api
from migrator.spark.api import Api
from migrator.spark.kinds import STREAMING, Kind

# methods of lists, sets and dicts that give what is in them
_GIVE_CONTENTS = frozenset(
    {
        *("keys", "values", "items", "get", "setdefault", "pop", "popitem", "popleft", "copy"),
        *("union", "difference", "intersection", "symmetric_difference"),
        *("__iter__", "__reversed__", "__next__", "__getitem__", "__enter__", "send", "throw"),
    }
)
# base classes from there read no attributes that they do not set
_KNOWN = ("builtins.", "abc.", "typing.", "enum.", "threading.", "pyspark.")


def attribute(frame: ExecutionState, base: Value, name: str, line: int) -> Value:
    """Return the value of `base.name`; evidence steps name the line."""
    values = [attribute_of(frame, a, name, line) for a in base.sorted_atoms() if not _is_none(a)]
    if not values and base.atoms and not base.unknown:
        # only None so far: something else may come
        return value_of_missing_name(frame)
    return join(base.rest(), *values)


def _is_none(atom: Atom) -> bool:
    return isinstance(atom, Obj) and atom.kind is Kind.NONE


def attribute_of(frame: ExecutionState, atom: Atom, name: str, line: int) -> Value:
    """Return the value of an attribute of one atom."""
    match atom:
        case Ref(path):
            return _of_ref(atom, api.canonical(f"{path}.{name}"), line)
        case Module():
            return module_attribute(frame, atom, name, line)
        case Obj():
            return _of_object(frame, atom, name, line)
        case LocalObj(info, base_view):
            return _of_instance(frame, info, name, line, base_view)
        case LocalClass(info):
            return _of_class(frame, info, name, line)
        case Jvm(path):
            return one(Jvm(f"{path}.{name}" if path else name))
        case Seq() | Tuple() | Map() if name in _GIVE_CONTENTS:
            return UNKNOWN
        case Seq() | Tuple() | Map():
            return OTHER
        case _:
            return UNKNOWN


def _of_ref(ref: Ref, path: str, line: int) -> Value:
    call_spec = api.CALLS.get(path)
    if call_spec is not None and call_spec.is_property and isinstance(call_spec.gives, Kind):
        return obj(call_spec.gives, probable=ref.probable)
    return one(Ref(path, ref.probable, ref.why))


def _of_object(frame: ExecutionState, owner: Obj, name: str, line: int) -> Value:
    if owner.kind is Kind.OTHER:
        return OTHER
    methods = api.METHODS.get(owner.kind)
    if methods is None:
        return UNKNOWN
    method = methods.get(name)
    if method is None:
        return OWN if owner.kind in STREAMING else UNKNOWN
    if method.is_property:
        return result_of_member(frame, method, owner, name, line)
    return one(Method(owner, name))


def result_of_member(frame: ExecutionState, spec: Api, owner: Obj, name: str, line: int) -> Value:
    """Return what a known call or property of an object gives, with evidence."""
    why = extend(owner.why, Step(line, name, frame.program))
    match spec.gives:
        case "self":
            return one(Obj(owner.kind, owner.probable, why, owner.tag))
        case "jvm":
            return one(Jvm(""))
        case "list of RDD":
            return seq(obj(Kind.RDD, probable=owner.probable))
        case kind:
            # what is made of the RDD of a batch knows no offsets any more
            tag = "batch" if owner.tag and kind is owner.kind is Kind.RDD else ""
            return obj(Kind(kind), *why, probable=owner.probable, tag=tag)


def api_instance(info: ClassInfo) -> Obj | None:
    """Return the API object that an instance of a local class also is, by inheritance."""
    for ancestor in info.ancestors():
        for base in ancestor.bases.sorted_atoms():
            if isinstance(base, Ref):
                kind = api.INSTANCES.get(api.canonical(base.path))
                if kind is not None:
                    node = info.node
                    why = Step(node.lineno, f"class {node.name}", info.program)
                    return Obj(kind, base.probable, (why,))
    return None


def _of_instance(
    frame: ExecutionState, info: ClassInfo, name: str, line: int, base_view: bool = False
) -> Value:
    # self may be of any derived class
    descendants = info.descendants()
    _reads(frame, name, *info.ancestors(), *descendants)
    if base_view:
        # what comes next depends on the class of the object
        next_classes = {h: None for c in (info, *descendants) for h in c.holders(name, info)}
        methods = [_bind(frame, c, name, LocalObj(info)) for c in next_classes]
    else:
        methods = [_bind(frame, c, name, LocalObj(info)) for c in info.holders(name)]
        methods += [_bind(frame, c, name, LocalObj(c)) for c in descendants if name in c.attrs]
    if methods:
        return join(*methods)
    inherited = api_instance(info)
    if inherited is not None:
        return _of_object(frame, inherited, name, line)
    if name == "_replace" and is_record(info):
        # takes fields by name, as the class does
        return one(LocalClass(info))
    return value_of_missing_name(frame)


def _of_class(frame: ExecutionState, info: ClassInfo, name: str, line: int) -> Value:
    ancestors = info.ancestors()
    _reads(frame, name, *ancestors)
    for ancestor in ancestors:
        if name in ancestor.attrs:
            return _bind(frame, ancestor, name, LocalClass(info))
    for base in info.bases.sorted_atoms():
        if isinstance(base, Ref):
            return _of_ref(base, api.canonical(f"{base.path}.{name}"), line)
    return value_of_missing_name(frame)


def _reads(frame: ExecutionState, name: str, *classes: ClassInfo) -> None:
    """Note that a module has to run again when one of these classes gets such an attribute."""
    for info in classes:
        frame.program.reads.add((id(info.attrs), name))
        if info.program is not frame.program:
            info.program.readers.add(frame.program)


def _bind(
    frame: ExecutionState, holder: ClassInfo, name: str, owner: LocalObj | LocalClass
) -> Value:
    """Return methods found on a class, bound to the instance or class they were asked on."""
    value = holder.attrs[name]
    if not any(isinstance(a, Function) for a in value.atoms):
        return value
    parts = [Value(frozenset(a for a in value.atoms if not isinstance(a, Function)), value.unknown)]
    for atom in value.sorted_atoms():
        if isinstance(atom, Function):
            is_method = atom.info.owner is not None or (name, atom.info) in holder.methods
            parts.append(_bind_function(frame, atom, owner) if is_method else one(atom))
    return join(*parts)


def _bind_function(
    frame: ExecutionState, function: Function, owner: LocalObj | LocalClass
) -> Value:
    info = function.info
    if function.owner is not None or "staticmethod" in info.flags:
        return one(function)
    if "classmethod" in info.flags:
        return one(Function(info, LocalClass(owner.info)))
    if isinstance(owner, LocalClass):
        return one(Function(info))
    if "property" in info.flags:
        return result_of(frame, info)
    return one(Function(info, owner))


def result_of(frame: ExecutionState, info: FunctionInfo) -> Value:
    """Return what a function may return, as far as is known."""
    frame.program.reads.add((id(info), ANY))
    if info.program is not frame.program:
        info.program.readers.add(frame.program)
    return info.result


def mark_called(frame: ExecutionState, info: FunctionInfo) -> None:
    """Note that a function is called, so that it is of interest."""
    if not info.called:
        info.called = True
        # all functions of a full module are, and those of this one run after what calls them
        if not info.program.full and info.program is not frame.program:
            info.program.changed = True


def dynamic_attribute(frame: ExecutionState, base: Value, prefix: str) -> Value:
    """Return what `getattr(base, name)` may give if only the start of the name is known."""
    foreign = any(_is_foreign(a) or _is_other(a) for a in base.atoms)
    values = [UNKNOWN if foreign else OWN, base.rest()]
    for atom in base.sorted_atoms():
        match atom:
            case Module():
                values.append(any_attribute(frame, atom, prefix))
            case LocalObj(info) | LocalClass(info) if prefix:
                related = [*info.ancestors(), *info.descendants()]
                _reads(frame, ANY, *related)
                names = {n for c in related for n in c.attrs if n.startswith(prefix)}
                values += [attribute_of(frame, atom, name, 0) for name in sorted(names)]
            case _:
                continue
    return join(*values)


def is_record(info: ClassInfo) -> bool:
    """Return whether a class of the program is a named tuple."""
    return "typing.NamedTuple" in (info.outer_bases() or ())


def _is_foreign(atom: Atom) -> bool:
    """Return whether code that is not known may read the attributes of something."""
    if isinstance(atom, LocalObj | LocalClass):
        paths = atom.info.outer_bases()
        return paths is None or not all(path.startswith(_KNOWN) for path in paths)
    return isinstance(atom, Ref)


def _is_other(atom: Atom) -> bool:
    return isinstance(atom, Obj) and atom.kind not in STREAMING


def become_methods(frame: ExecutionState, owner: Ref, value: Value, line: int) -> None:
    """Give functions that are put on a class of Spark's its objects as their first argument."""
    kind = api.INSTANCES.get(api.canonical(owner.path))
    for atom in value.sorted_atoms():
        if kind is not None and isinstance(atom, Function) and atom.info.positional():
            step = Step(line, f"put on the class {kind}", frame.program)
            first = atom.info.positional()[0]
            own = obj(kind, step, probable=owner.probable)
            atom.info.program.grow(atom.info.params, first, own)
            mark_called(frame, atom.info)


def set_attribute(frame: ExecutionState, base: Value, name: str, value: Value, line: int) -> None:
    """Remember what was stored in an attribute."""
    if holds_streams(value) and (base.unknown or any(_is_foreign(a) for a in base.atoms)):
        frame.program.facts.escapes = True
    for atom in base.sorted_atoms():
        match atom:
            case LocalObj(info) | LocalClass(info):
                info.program.grow(info.attrs, name, value)
                if isinstance(atom, LocalClass):
                    info.add_methods(name, value)
                elif name not in info.set_on_instances:
                    info.set_on_instances.add(name)
                    info.program.announce(id(info.attrs), name)
            case Module():
                store_in_module(frame, atom, name, value)
            case Ref(path):
                frame.program.project.patched.add((api.canonical(path), name))
                become_methods(frame, atom, value, line)
            case Obj(kind):
                frame.program.project.patched.add((kind.value, name))
            case _:
                continue


# What a function takes that something else calls, as far as that is certain.

_BUILTINS = "builtins."


def parameters_of(value: Value | None) -> RddFunction | None:
    """Return what a value takes when it is called, None if that is not certain."""
    if value is None or value.unknown or len(value.atoms) != 1:
        return None
    (atom,) = value.atoms
    return _rdd_function(atom)


def function_behind(value: Value) -> FunctionInfo | None:
    """Return the function of the program that runs when a value is called, if there is one."""
    for atom in value.atoms:
        match atom:
            case Function(info) | Partial(Function(info)):
                return info
            case LocalObj():
                method = _call_method(atom)
                return None if method is None else method.info
    return None


def _rdd_function(atom: Atom) -> RddFunction | None:
    match atom:
        case Function(info, None) if info.owner is not None and "staticmethod" not in info.flags:
            return _of_function(atom, "unbound")
        case Function(_, owner):
            return _of_function(atom, "function" if owner is None else "method")
        case Partial(Function() as function, args, keywords):
            inner = _of_function(function, "partial")
            return (
                None
                if inner is None
                else _with_bound_arguments(inner, len(args), {name for name, _ in keywords})
            )
        case LocalObj(info) if api_instance(info) is None:
            method = _call_method(atom)
            return None if method is None else _of_function(method, "object")
        case Ref(path) if path.startswith(_BUILTINS) and not atom.probable:
            return _of_builtin(path.removeprefix(_BUILTINS))
        case _:
            return None


def _call_method(owner: LocalObj) -> Function | None:
    """Return the method that a call of an object calls."""
    classes = owner.info.ancestors()
    call_attribute = next((c.attrs["__call__"] for c in classes if "__call__" in c.attrs), None)
    if call_attribute is None or call_attribute.unknown or len(call_attribute.atoms) != 1:
        return None
    (method,) = call_attribute.atoms
    return Function(method.info, owner) if isinstance(method, Function) else None


def _of_function(function: Function, kind: str) -> RddFunction | None:
    info = function.info
    args = info.node.args
    # neither a wrapper nor *args show what they want
    if "decorated" in info.flags or args.vararg is not None:
        return None
    if any(default is None for default in args.kw_defaults):
        return None
    skipped = int(function.owner is not None)
    names = info.positional()[skipped:]
    required = max(len(names) - len(args.defaults), 0)
    return RddFunction(kind, tuple(names), required, isinstance(info.node, ast.AsyncFunctionDef))


def _with_bound_arguments(
    function: RddFunction, positional: int, keywords: set[str]
) -> RddFunction | None:
    """Return a function of which some arguments are given:
    those behind a keyword need keywords too.
    """
    names = function.parameters[positional:]
    required = set(names[: max(function.required - positional, 0)])
    end = next((i for i, name in enumerate(names) if name in keywords), len(names))
    if positional > len(function.parameters) or (end and required - keywords - set(names[:end])):
        return None
    left = len(required.intersection(names[:end]))
    return RddFunction(function.kind, names[:end], left, function.awaits)


def _of_builtin(name: str) -> RddFunction | None:
    try:
        parameters = inspect.signature(getattr(builtins, name)).parameters.values()
    except (AttributeError, TypeError, ValueError):
        return None
    plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if any(p.kind is p.VAR_POSITIONAL for p in parameters) and not plain:
        # takes anything, such as print
        return RddFunction("builtin", ("args",), 0)
    required = sum(p.default is p.empty for p in plain)
    return RddFunction("builtin", tuple(p.name for p in plain), required)
