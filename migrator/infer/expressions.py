"""The value of each kind of expression, and where assignments store it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from migrator.infer.attributes import (
    api_instance,
    attribute,
    attribute_of,
    dynamic_attribute,
    is_record,
    set_attribute,
)
from migrator.infer.calls import (
    Args,
    add_unpacked_keywords,
    added_item,
    call,
    container_call,
    subscript,
)
from migrator.infer.modules import constant_prefix, lookup, module_by_text, origin, store_in_module
from migrator.infer.program import ClassInfo, ExecutionState, FunctionInfo
from migrator.infer.scopes import class_info, default_values, function_info
from migrator.infer.values import (
    BOTTOM,
    NONE,
    OTHER,
    UNKNOWN,
    Atom,
    Function,
    LocalClass,
    LocalObj,
    Map,
    Module,
    Obj,
    Ref,
    Seq,
    Step,
    Tuple,
    Value,
    clip,
    holds_streams,
    items_of,
    join,
    obj,
    one,
    seq,
)
from migrator.source.child_nodes import children
from migrator.spark import api
from migrator.spark.kinds import STREAMING, STREAMS, Kind

# What a class in an annotation or an isinstance test says about a value.


class _Test(NamedTuple):
    """A test of a name's class; `is_exact` if derived classes do not count."""

    name: str
    classes: Value
    line: int
    is_exact: bool = False


def instance_of(frame: ExecutionState, classes: Value, line: int) -> Value | None:
    """Return an instance of these classes, or None if they are not ours to know."""
    instances = []
    for atom in classes.sorted_atoms():
        match atom:
            case Ref(path):
                kind = api.INSTANCES.get(api.canonical(path))
                if kind is None:
                    return None
                step = Step(line, f"declared as {kind}", frame.program)
                instances.append(obj(kind, step, probable=atom.probable))
            case LocalClass(info):
                instances.append(one(LocalObj(info)))
            case _:
                return None
    return join(*instances) if instances and not classes.unknown else None


def narrowed_names(frame: ExecutionState, test: ast.expr, truth: bool = True) -> dict[str, Value]:
    """Return what names are where a test has come out true, or false."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return narrowed_names(frame, operand, not truth)
        case ast.BoolOp(op=op, values=values):
            parts = [narrowed_names(frame, part, truth) for part in values]
            if isinstance(op, ast.And) is truth:
                return {name: value for part in parts for name, value in part.items()}
            return _either(parts)
        case ast.Call(
            func=ast.Name(id="hasattr") as function, args=[ast.Name(id=name), ast.Constant(attr)]
        ) if _is_builtin(frame, function):
            return _by_attribute(frame, name, attr, test.lineno, truth)
    class_test = _class_test(frame, test)
    # the name must be one of this scope for the branch to see it
    if class_test is None or not _is_own(frame, class_test.name):
        return {}
    value = lookup(frame, class_test.name, class_test.line)
    if not truth:
        gone = frozenset(a for a in value.atoms if _matches(a, class_test.classes))
        # objects may be of derived classes, as streams are
        return {class_test.name: _without(value, gone)} if gone and not class_test.is_exact else {}
    declared = instance_of(frame, class_test.classes, class_test.line)
    if declared is None:
        return _other_class(class_test, value)
    sure = frozenset(a for a in value.atoms if _matches(a, class_test.classes))
    return {class_test.name: Value(sure) if sure and not value.unknown else declared}


def _without(value: Value, gone: frozenset[Atom]) -> Value:
    """Return a value that is none of some atoms: what was only probable is something else."""
    guessed = any(isinstance(a, Obj | Ref | Module) and a.probable for a in gone)
    return join(value.with_atoms(value.atoms - gone), UNKNOWN if guessed else BOTTOM)


def _other_class(test: _Test, value: Value) -> dict[str, Value]:
    """Return a stream or RDD that is tested for an unknown class may be something else there."""
    ours = [a for a in value.atoms if isinstance(a, Obj) and (a.kind in STREAMING or a.tag)]
    if not ours or test.classes == BOTTOM or any(_matches(a, test.classes) for a in ours):
        return {}
    return {test.name: join(value, UNKNOWN)}


def names_in_case(
    frame: ExecutionState, subject: ast.expr, pattern: ast.pattern
) -> dict[str, Value]:
    """Return what the subject of a `match` is where a pattern of classes fits."""
    alternatives = pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]
    classes = [
        p.cls
        for a in alternatives
        if isinstance(p := a.pattern if isinstance(a, ast.MatchAs) else a, ast.MatchClass)
    ]
    if len(classes) != len(alternatives) or not isinstance(subject, ast.Name):
        return {}
    test = ast.Call(
        ast.Name("isinstance", ast.Load()), [subject, ast.Tuple(classes, ast.Load())], []
    )
    return narrowed_names(frame, ast.fix_missing_locations(ast.copy_location(test, subject)))


def _either(parts: list[dict[str, Value]]) -> dict[str, Value]:
    """Return what holds if any of several tests succeeded."""
    names = set(parts[0]).intersection(*parts[1:])
    return {name: join(*(part[name] for part in parts)) for name in sorted(names)}


def _class_test(frame: ExecutionState, test: ast.expr) -> _Test | None:
    match test:
        case ast.Call(
            func=ast.Name(id="isinstance") as function, args=[ast.Name(id=name), classes]
        ) if _is_builtin(frame, function):
            return _Test(name, _flat(evaluate(frame, classes)), test.lineno)
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="type") as function, args=[ast.Name(id=name)]),
            ops=[ast.Is() | ast.Eq()],
            comparators=[ast.Name() | ast.Attribute() as classes],
        ) if _is_builtin(frame, function):
            return _Test(name, evaluate(frame, classes), test.lineno, is_exact=True)
    return None


def _flat(classes: Value) -> Value:
    """Return the classes of a tuple of classes."""
    values = [Value(frozenset(), classes.unknown)]
    for atom in classes.sorted_atoms():
        values += [_flat(item) for item in atom.items] if isinstance(atom, Tuple) else [one(atom)]
    return join(*values)


def _by_attribute(
    frame: ExecutionState, name: str, attr: object, line: int, truth: bool
) -> dict[str, Value]:
    """Return what a name is where it has an attribute, or has it not."""
    if not isinstance(attr, str) or attr.startswith("_") or not _is_own(frame, name):
        return {}
    value = lookup(frame, name, line)
    kind = api.TELLTALE.get(attr)
    if truth and kind is not None and value.unknown:
        step = Step(line, f"only a {kind} has {attr}", frame.program)
        return {name: join(value, obj(kind, step, probable=True))}
    rest = frozenset(a for a in value.atoms if _may_have(a, attr) in (None, truth))
    patched = any(patched_name == attr for _, patched_name in frame.program.project.patched)
    if rest == value.atoms or patched:
        return {}
    # if nothing is left, the test knows of something that is not known here
    return {name: _without(value, value.atoms - rest) if rest else UNKNOWN}


def _may_have(atom: Atom, attr: str) -> bool | None:
    """Return whether a stream or context has an attribute; None for everything else."""
    if isinstance(atom, Obj) and atom.kind in STREAMING:
        return attr in api.METHODS[atom.kind]
    return None


def _is_builtin(frame: ExecutionState, function: ast.Name) -> bool:
    return frame.scope.owner_of(function.id) is None


def _is_own(frame: ExecutionState, name: str) -> bool:
    return name in frame.inner or frame.scope.owner_of(name) is frame.scope


def _matches(atom: Atom, classes: Value) -> bool:
    """Return whether an object is certainly an instance of one of some classes."""
    kinds: set[Kind] = set()
    for wanted_atom in classes.sorted_atoms():
        match wanted_atom, atom:
            case Ref(path), _:
                kind = api.INSTANCES.get(api.canonical(path))
                kinds |= STREAMS if kind is Kind.DSTREAM else {kind} if kind else set()
            case LocalClass(info), LocalObj(own) if info in own.ancestors():
                return True
    if isinstance(atom, Obj):
        return atom.kind in kinds
    inherited = api_instance(atom.info) if isinstance(atom, LocalObj) else None
    return inherited is not None and inherited.kind in kinds


# Named tuples: classes that calls make, and tuples that have names.

_MAKERS = frozenset({"collections.namedtuple", "typing.NamedTuple"})


def record_class(frame: ExecutionState, node: ast.Call, callee: Value) -> Value | None:
    """Return the class that `namedtuple("P", "name stream")` makes, None for another call."""
    if not any(isinstance(a, Ref) and a.path in _MAKERS for a in callee.atoms):
        return None
    names = _field_names(node.args[1]) if len(node.args) > 1 else None
    if names is None:
        return None
    records = frame.program.records
    if node not in records:
        records[node] = ast.ClassDef(_class_name(node.args[0]), [], [], [], [])
        ast.copy_location(records[node], node)
    info = class_info(frame, records[node])
    info.bases = one(Ref("typing.NamedTuple"))
    info.fields = names
    return one(LocalClass(info))


def _class_name(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case _:
            return "namedtuple"


def _field_names(node: ast.expr) -> list[str] | None:
    match node:
        case ast.Constant(value=str(text)):
            return text.replace(",", " ").split()
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            # with their types for typing.NamedTuple
            first = [p.elts[0] if isinstance(p, ast.Tuple) and p.elts else p for p in parts]
            names = [p.value for p in first if isinstance(p, ast.Constant)]
            texts = [name for name in names if isinstance(name, str)]
            return texts if len(texts) == len(parts) else None
        case _:
            return None


def as_tuples(frame: ExecutionState, value: Value, line: int) -> Value:
    """Return the same value, with named tuples as the tuples that they are."""
    records = [a for a in value.atoms if isinstance(a, LocalObj) and is_record(a.info)]
    if not records:
        return value
    values = [value.with_atoms(value.atoms.difference(records))]
    for atom in records:
        names = [name for c in reversed(atom.info.ancestors()) for name in c.fields]
        items = (clip(attribute_of(frame, atom, name, line)) for name in dict.fromkeys(names))
        values.append(one(Tuple(tuple(items))))
    return join(*values)


# Stores values into names, attributes, items and unpacking targets.


def store_name(frame: ExecutionState, name: str, value: Value) -> None:
    """Bind a name in the scope where it lives."""
    owner = frame.scope.owner_of(name)
    if owner is None or owner is frame.scope:
        frame.env[name] = value
        if frame.assigned is not None:
            frame.assigned[name] = join(frame.assigned.get(name, BOTTOM), value)
        owner = frame.scope
    else:
        frame.program.grow(owner.written_from_inside, name, value, always=True)
    frame.program.grow(owner.bound, name, value)


def assign(frame: ExecutionState, target: ast.expr, value: Value) -> None:
    """Store a value in any target of an assignment."""
    match target:
        case ast.Name(id=name):
            store_name(frame, name, value)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for element, part in parts_of(frame, elements, value):
                assign(frame, element, part)
        case ast.Attribute(value=base, attr=name):
            set_attribute(frame, evaluate(frame, base), name, value, target.lineno)
        case ast.Subscript(value=base, slice=index):
            has_stream_key = holds_streams(evaluate(frame, index))
            holder = evaluate(frame, base)
            foreign = holder.unknown or any(isinstance(a, Ref) for a in holder.atoms)
            if foreign and holds_streams(value):
                frame.program.facts.escapes = True
            if any(isinstance(a, Map) for a in holder.atoms):
                has_constant_index = isinstance(index, ast.Constant) and isinstance(
                    index.value, str | int
                )
                pair = ((index.value, clip(value)),) if has_constant_index else ()  # type: ignore[attr-defined]
                item = one(Map(pair, BOTTOM if has_constant_index else clip(value)))
                # keys are not kept
                keys = UNKNOWN if has_stream_key else BOTTOM
                mutate(frame, base, join(holder, item, keys))
            elif holder.atoms and holder != OTHER:
                item = items_of(value) if isinstance(index, ast.Slice) else value
                mutate(frame, base, join(holder, seq(item)))
        case ast.Call(func=ast.Attribute(value=base, attr="get" | "setdefault"), args=[key, *_]):
            # `streams.setdefault(key, []).append(stream)`
            subscript_target = ast.copy_location(ast.Subscript(base, key, ast.Store()), target)
            assign(frame, subscript_target, value.with_atoms(value.without_none()))


def mutate(frame: ExecutionState, target: ast.expr, value: Value) -> None:
    """Note what a container holds after something was put into it."""
    assign(frame, target, value)
    if not isinstance(target, ast.Name):
        return
    source = origin(frame, target.id)
    if source is not None:
        store_in_module(frame, *source, value)
    info = frame.function
    if info is not None and target.id in info.params and frame.scope.owner_of(target.id):
        before = info.mutated.get(target.id, BOTTOM)
        info.program.grow(info.mutated, target.id, join(before, value), always=True)


def returned_contents(frame: ExecutionState, node: ast.Call, callee: Value) -> None:
    """Note what a function puts into containers that it was given."""
    atoms = callee.sorted_atoms()
    for made in [LocalObj(a.info) for a in atoms if isinstance(a, LocalClass)]:
        atoms += attribute_of(frame, made, "__init__", node.lineno).sorted_atoms()
    for atom in atoms:
        if not isinstance(atom, Function) or not atom.info.mutated:
            continue
        names = atom.info.positional()[atom.owner is not None :]
        arguments = [*zip(names, node.args, strict=False)]
        arguments += [(k.arg, k.value) for k in node.keywords if k.arg is not None]
        for name, argument in arguments:
            contents = atom.info.mutated.get(name)
            if contents is not None and isinstance(argument, ast.Name | ast.Attribute):
                mutate(frame, argument, join(evaluate(frame, argument), contents))


def parts_of(
    frame: ExecutionState, elements: list[ast.expr], value: Value
) -> Iterator[tuple[ast.expr, Value]]:
    """Yield the targets that a value is unpacked to, with what each gets."""
    if elements:
        value = as_tuples(frame, value, elements[0].lineno)
    maps = frozenset(a for a in value.atoms if isinstance(a, Map))
    if maps:
        # a dict gives its keys
        value = join(value.with_atoms(value.atoms - maps), OTHER)
    starred = any(isinstance(e, ast.Starred) for e in elements)
    for index, element in enumerate(elements):
        part = items_of(value) if starred else subscript(value, ast.Constant(index))
        if isinstance(element, ast.Starred):
            yield element.value, seq(part)
        else:
            yield element, part


_OF_INTEREST = (Ref, Module)
_OF_CONTAINERS = (ast.Add, ast.Sub, ast.Mult, ast.BitOr, ast.BitAnd, ast.BitXor)
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
_IMPORTERS = ("importlib.import_module", "builtins.__import__")


def evaluate(frame: ExecutionState, node: ast.expr) -> Value:
    """Return the value of an expression; what it saw goes into the facts."""
    handler = _HANDLERS.get(type(node))
    if handler is None:
        for child in children(node):
            if isinstance(child, ast.expr):
                evaluate(frame, child)
        return OTHER
    value: Value = handler(frame, node)
    values = frame.program.facts.values
    values[node] = join(values[node], value) if node in values else value
    return value


def _constant(frame: ExecutionState, node: ast.Constant) -> Value:
    return NONE if node.value is None else OTHER


def _name(frame: ExecutionState, node: ast.Name) -> Value:
    value = lookup(frame, node.id, node.lineno)
    for atom in value.atoms:
        if type(atom) not in _OF_INTEREST:
            continue
        facts = frame.program.facts
        facts.names[node] = join(facts.names.get(node, BOTTOM), value)
        owner = frame.scope.owner_of(node.id)
        if owner is not None:
            facts.scopes[node] = owner
        break
    return value


def _attribute(frame: ExecutionState, node: ast.Attribute) -> Value:
    base = evaluate(frame, node.value)
    facts = frame.program.facts
    seen = facts.receivers.get(node)
    facts.receivers[node] = base if seen is None else join(seen, base)
    return attribute(frame, base, node.attr, node.end_lineno or node.lineno)


def _call(frame: ExecutionState, node: ast.Call) -> Value:
    if isinstance(node.func, ast.Name):
        special = _named_call(frame, node)
        if special is not None:
            return special
    callee = evaluate(frame, node.func)
    args = _arguments(frame, node)
    facts = frame.program.facts
    facts.callees[node] = join(facts.callees.get(node, BOTTOM), callee)
    if node.args and any(isinstance(a, Ref) and a.path in _IMPORTERS for a in callee.atoms):
        return module_by_text(frame, node.args[0])
    record = record_class(frame, node, callee)
    if record is not None:
        return record
    if isinstance(node.func, ast.Attribute):
        base = facts.receivers[node.func]
        if any(isinstance(a, Seq | Tuple | Map) for a in base.atoms):
            return _call_of_container(frame, node, node.func, base, args)
        telltale = _telltale(frame, node.func, base, args)
        if telltale is not None:
            return telltale
    result = call(frame, callee, args)
    returned_contents(frame, node, callee)
    return result


def _call_of_container(
    frame: ExecutionState, node: ast.Call, func: ast.Attribute, base: Value, args: Args
) -> Value:
    """Return what a method gives of something that may be a list or dict."""
    added = added_item(base, func.attr, args)
    if added is not None:
        mutate(frame, func.value, join(base, added))
    contents = container_call(base, func.attr, args)
    others = (a for a in base.without_none() if not isinstance(a, Seq | Tuple | Map))
    rest = base.with_atoms(frozenset(others))
    if rest == BOTTOM:
        return contents
    callee = attribute(frame, rest, func.attr, args.line)
    result = call(frame, callee, args)
    returned_contents(frame, node, callee)
    return join(contents, result)


# these need more than the values of their arguments
_BY_SYNTAX = frozenset({"super", "setattr", "getattr", "hasattr"})


def _named_call(frame: ExecutionState, node: ast.Call) -> Value | None:
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
            return _getattr(frame, node, name)
        case "getattr", [base, text, *rest] if len(rest) < 2:
            found = evaluate(frame, base)
            for argument in node.args[1:]:
                evaluate(frame, argument)
            return dynamic_attribute(frame, found, constant_prefix(text)[0])
        case "hasattr", [base, ast.Constant(value=str(name))] if name.startswith("_j"):
            _note(frame, node, name, evaluate(frame, base))
    return None


def _getattr(frame: ExecutionState, node: ast.Call, name: str) -> Value:
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


def _arguments(frame: ExecutionState, node: ast.Call) -> Args:
    """Return what a call gives."""
    args = Args(line=(node.func.end_lineno or node.lineno))
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            value = evaluate(frame, argument.value)
            exact = [a for a in value.atoms if isinstance(a, Tuple)]
            if len(exact) == len(value.atoms) == 1 and args.rest is None and not value.unknown:
                args.positional.extend(exact[0].items)
            else:
                args.rest = join(args.rest or BOTTOM, items_of(value))
        elif args.rest is None:
            args.positional.append(evaluate(frame, argument))
        else:
            args.rest = join(args.rest, evaluate(frame, argument))
    for keyword in node.keywords:
        value = evaluate(frame, keyword.value)
        if keyword.arg is not None:
            args.keywords[keyword.arg] = value
        else:
            add_unpacked_keywords(args, value)
    return args


def _telltale(frame: ExecutionState, node: ast.Attribute, base: Value, args: Args) -> Value | None:
    """Return the call of a method that only streaming objects have, on something unknown."""
    kind = api.TELLTALE.get(node.attr)
    if kind is None or not base.unknown or base.without_none():
        return None
    link = Step(args.line, f"only a {kind} has {node.attr}()", frame.program)
    owner = obj(kind, link, probable=True)
    facts = frame.program.facts
    facts.receivers[node] = join(facts.receivers[node], owner)
    base_name = node.value.id if isinstance(node.value, ast.Name) else ""
    if not frame.inner and base_name in frame.env:
        # the program goes on only if it has been one
        frame.env[base_name] = owner
    return call(frame, attribute(frame, owner, node.attr, args.line), args)


def _lambda(frame: ExecutionState, node: ast.Lambda) -> Value:
    info = function_info(frame, node)
    add_defaults(frame, info)
    for name, value in frame.targets.items():
        frame.program.grow(info.around, name, value, always=True)
    return one(Function(info))


def add_defaults(frame: ExecutionState, info: FunctionInfo) -> None:
    """Add default values to what parameters may be."""
    for name, default in default_values(info.node):
        value = evaluate(frame, default)
        if value == OTHER:
            info.defaults[name] = value
        elif value != NONE and name not in info.declared:
            frame.program.grow(info.params, name, value)


def _if(frame: ExecutionState, node: ast.IfExp) -> Value:
    evaluate(frame, node.test)
    yes = _inside(frame, narrowed_names(frame, node.test))
    no = _inside(frame, narrowed_names(frame, node.test, False))
    return join(evaluate(yes, node.body), evaluate(no, node.orelse))


def _bool(frame: ExecutionState, node: ast.BoolOp) -> Value:
    values = []
    truth = isinstance(node.op, ast.And)
    for part in node.values:
        values.append(evaluate(frame, part))
        # what follows is evaluated only if this part has the right truth value
        frame = _inside(frame, narrowed_names(frame, part, truth))
    return join(*values)


def _inside(frame: ExecutionState, names: dict[str, Value]) -> ExecutionState:
    """Return a part of an expression in which more is known of some names."""
    if not names:
        return frame
    return replace(frame, inner=frame.inner | names)


def _binary(frame: ExecutionState, node: ast.BinOp) -> Value:
    return combine(node.op, evaluate(frame, node.left), evaluate(frame, node.right))


def combine(operator: ast.operator, left: Value, right: Value) -> Value:
    """Return what an operator makes of two values."""
    if BOTTOM in (left, right):
        return BOTTOM
    values = []
    atoms = [*left.sorted_atoms(), *right.sorted_atoms()]
    sequences = [one(a) for a in atoms if isinstance(a, Seq | Tuple)]
    if sequences and isinstance(operator, _OF_CONTAINERS):
        sides = [left] if isinstance(operator, ast.Sub) else [left, right]
        whole = sequences if isinstance(operator, ast.Mult) else sides
        values.append(seq(join(*map(items_of, whole))))
    maps = [one(a) for a in atoms if isinstance(a, Map)]
    if maps and isinstance(operator, ast.BitOr):
        unknown = one(Map((), UNKNOWN)) if left.unknown or right.unknown else BOTTOM
        values.append(join(unknown, *maps))
    if any(isinstance(a, LocalObj) for a in atoms) or (left.unknown and right.unknown):
        values.append(UNKNOWN)
    rdds = [a for a in left.sorted_atoms() if isinstance(a, Obj) and a.kind is Kind.RDD]
    if rdds and isinstance(operator, ast.Add):
        values += [obj(Kind.RDD, *a.why, probable=a.probable) for a in rdds]
    elif not values or all(_has_plain(side) for side in (left, right)):
        values.append(OTHER)
    return join(*values)


def _has_plain(value: Value) -> bool:
    return any(isinstance(a, Obj) and a.kind is not Kind.NONE for a in value.atoms)


def _list(frame: ExecutionState, node: ast.List | ast.Set) -> Value:
    return seq(join(*_elements(frame, node.elts)))


def _elements(frame: ExecutionState, nodes: list[ast.expr]) -> list[Value]:
    return [
        items_of(evaluate(frame, n.value)) if isinstance(n, ast.Starred) else evaluate(frame, n)
        for n in nodes
    ]


def _tuple(frame: ExecutionState, node: ast.Tuple) -> Value:
    items = _elements(frame, node.elts)
    if any(isinstance(n, ast.Starred) for n in node.elts):
        return seq(join(*items))
    return one(Tuple(tuple(clip(item) for item in items)))


def _dict(frame: ExecutionState, node: ast.Dict) -> Value:
    known_items: dict[object, Value] = {}
    rest = keys = BOTTOM
    for key, value_node in zip(node.keys, node.values, strict=False):
        value = clip(evaluate(frame, value_node))
        if key is None:
            rest = join(rest, *[a.all() for a in value.sorted_atoms() if isinstance(a, Map)])
            continue
        if holds_streams(evaluate(frame, key)):
            # they are not kept
            keys = UNKNOWN
        if isinstance(key, ast.Constant) and isinstance(key.value, str | int):
            known_items[key.value] = value
        else:
            rest = join(rest, value)
    known = tuple(sorted(known_items.items(), key=lambda pair: repr(pair[0])))
    return join(one(Map(known, rest)), keys)


def _subscript(frame: ExecutionState, node: ast.Subscript) -> Value:
    base = evaluate(frame, node.value)
    evaluate(frame, node.slice)
    return subscript(as_tuples(frame, base, node.lineno), node.slice)


def _comprehension(frame: ExecutionState, node: Comprehension) -> Value:
    inner = replace(frame, inner=dict(frame.inner), targets=dict(frame.targets))
    for generator in node.generators:
        items = items_of(evaluate(inner, generator.iter))
        _bind_target(inner, generator.target, items)
        for condition in generator.ifs:
            evaluate(inner, condition)
            inner.inner |= narrowed_names(inner, condition)
    if isinstance(node, ast.DictComp):
        keys = evaluate(inner, node.key)
        table = one(Map((), clip(evaluate(inner, node.value))))
        return join(table, UNKNOWN) if holds_streams(keys) else table
    return seq(evaluate(inner, node.elt))


def _bind_target(frame: ExecutionState, target: ast.expr, value: Value) -> None:
    """Bind the target of a comprehension, which lives in the comprehension only."""
    if isinstance(target, ast.Name):
        frame.inner[target.id] = frame.targets[target.id] = value
    elif isinstance(target, ast.Tuple | ast.List):
        for element, part in parts_of(frame, target.elts, value):
            _bind_target(frame, element, part)
    else:
        assign(frame, target, value)


def _assignment_expression(frame: ExecutionState, node: ast.NamedExpr) -> Value:
    value = evaluate(frame, node.value)
    name = node.target.id
    # it may stand in a part of an expression that is not evaluated
    store_name(frame, name, join(frame.env.get(name, BOTTOM), value))
    frame.inner.pop(name, None)
    return value


def _inner(frame: ExecutionState, node: ast.Await | ast.Starred) -> Value:
    return evaluate(frame, node.value)


def _yield(frame: ExecutionState, node: ast.Yield) -> Value:
    value = evaluate(frame, node.value) if node.value is not None else NONE
    if frame.function is not None:
        frame.program.grow_result(frame.function, seq(value))
    return UNKNOWN


def _yield_from(frame: ExecutionState, node: ast.YieldFrom) -> Value:
    value = evaluate(frame, node.value)
    if frame.function is not None:
        frame.program.grow_result(frame.function, seq(items_of(value)))
    return UNKNOWN


_HANDLERS: dict[type[ast.expr], Callable[[ExecutionState, Any], Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Lambda: _lambda,
    ast.IfExp: _if,
    ast.BoolOp: _bool,
    ast.BinOp: _binary,
    ast.List: _list,
    ast.Set: _list,
    ast.Tuple: _tuple,
    ast.Dict: _dict,
    ast.Subscript: _subscript,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension,
    ast.NamedExpr: _assignment_expression,
    ast.Await: _inner,
    ast.Starred: _inner,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
}
