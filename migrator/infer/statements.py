"""Runs statements: how they change what names are."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from migrator.infer.attributes import attribute
from migrator.infer.calls import Args, announce_subclass, call
from migrator.infer.expressions import (
    add_defaults,
    assign,
    combine,
    evaluate,
    instance_of,
    names_in_case,
    narrowed_names,
    store_name,
)
from migrator.infer.modules import (
    api_star,
    import_root,
    imported_value,
    lookup,
    module_attribute,
    remember,
    spark_module,
    star_import,
)
from migrator.infer.program import ClassInfo, ExecutionState, FunctionInfo, Loop
from migrator.infer.scopes import bindings, class_info, function_info, is_transparent
from migrator.infer.values import (
    BOTTOM,
    NONE,
    UNKNOWN,
    Function,
    LocalClass,
    LocalObj,
    Map,
    Module,
    Obj,
    Partial,
    Ref,
    Seq,
    Value,
    items_of,
    join,
    one,
)
from migrator.source.child_nodes import children
from migrator.source.magics import RunMagic
from migrator.spark import api
from migrator.spark.kinds import Kind

# What signatures say about functions: annotations, and what decorators make of them.


def declared_parameters(
    frame: ExecutionState, node: ast.FunctionDef | ast.AsyncFunctionDef
) -> None:
    """Give parameters the classes of Spark that their annotations name."""
    info = frame.program.functions[node]
    args = node.args
    for argument in (*args.posonlyargs, *args.args, *args.kwonlyargs):
        if argument.annotation is None:
            continue
        value = annotation(frame, argument.annotation)
        if value is not None:
            info.declared.add(argument.arg)
            frame.program.grow(info.params, argument.arg, value)
    if node.returns is not None:
        value = annotation(frame, node.returns)
        if value is not None:
            frame.program.grow_result(info, value)


def annotation(frame: ExecutionState, node: ast.expr) -> Value | None:
    """Return what an annotation with one of Spark's classes says, or None."""
    match node:
        case ast.Constant(value=str(text)):
            try:
                parsed = ast.parse(text, mode="eval").body
            except (SyntaxError, ValueError):
                return None
            for child in ast.walk(parsed):
                ast.copy_location(child, node)
            return annotation(frame, parsed)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            evaluate(frame, node)
            sides = [side for side in (left, right) if not _is_none(side)]
            kinds = [annotation(frame, side) for side in sides]
            declared = [kind for kind in kinds if kind is not None]
            # the other side may be anything
            rest = BOTTOM if len(declared) == len(kinds) else UNKNOWN
            return join(*declared, rest) if declared else None
        case ast.Subscript(value=ast.Name(id="Optional") | ast.Attribute(attr="Optional")):
            evaluate(frame, node.value)
            return annotation(frame, node.slice)
        case ast.Subscript(value=ast.Name() | ast.Attribute()):
            evaluate(frame, node.slice)
            return instance_of(frame, evaluate(frame, node.value), node.lineno)
        case _:
            return instance_of(frame, evaluate(frame, node), node.lineno)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def value_of_decorated(
    frame: ExecutionState, info: FunctionInfo, decorators: list[ast.expr]
) -> Value:
    """Return the value that a function's name is bound to, after its decorators."""
    value = one(Function(info))
    for decorator in reversed(decorators):
        wrapper = evaluate(frame, decorator)
        ours = frozenset(
            a for a in wrapper.atoms if isinstance(a, Function | LocalObj | LocalClass | Partial)
        )
        if ours:
            result = call(frame, Value(ours), Args([value], line=info.node.lineno))
            sure = ours == wrapper.atoms and not wrapper.unknown
            value = result if sure else join(value, result)
        elif "decorated" in info.flags or wrapper == BOTTOM or is_transparent(decorator):
            continue
        else:
            # what it does with the function is not known
            info.flags |= {"decorated"}
            info.program.touch()
    return value


Env = dict[str, Value]
# more rounds of a loop than anything takes that is not made to
MAX_ROUNDS = 12
_SUPPRESSING = frozenset({"contextlib.suppress", "pytest.raises"})


def execute(frame: ExecutionState, body: list[ast.stmt]) -> bool:
    """Run a block; return False if its end is never reached."""
    reached = True
    for statement in body:
        handler = _HANDLERS.get(type(statement))
        if handler is None:
            _evaluate_children(frame, statement)
        elif handler(frame, statement) is False:
            # what follows is dead, but its names are still looked up when it is rewritten
            reached = False
    return reached


def _evaluate_children(frame: ExecutionState, statement: ast.stmt) -> None:
    for child in children(statement):
        if isinstance(child, ast.expr):
            evaluate(frame, child)


def _merge(frame: ExecutionState, *ends: Env | None) -> bool:
    """Go on from the joined ends of several blocks; None is a block without an end."""
    reached = [end for end in ends if end is not None]
    if not reached:
        return False
    merged = dict(reached[0])
    for env in reached[1:]:
        for name, value in env.items():
            merged[name] = join(merged[name], value) if name in merged else value
    frame.env = merged
    return True


def _branch(frame: ExecutionState, body: list[ast.stmt], env: Env) -> Env | None:
    frame.env = dict(env)
    return frame.env if execute(frame, body) else None


def _assign(frame: ExecutionState, node: ast.Assign) -> None:
    value = evaluate(frame, node.value)
    for target in node.targets:
        assign(frame, target, value)


def _assign_annotated(frame: ExecutionState, node: ast.AnnAssign) -> None:
    declared = annotation(frame, node.annotation)
    scope = frame.scope
    if isinstance(scope.node, ast.ClassDef) and isinstance(node.target, ast.Name):
        info = frame.program.classes[scope.node]
        if node.target.id not in info.fields and _is_parameter(node):
            info.fields.append(node.target.id)
        if declared is not None:
            frame.program.grow(info.attrs, node.target.id, declared)
    if node.value is not None:
        value = evaluate(frame, node.value)
        assign(frame, node.target, value if declared is None else declared)
    elif declared is not None and not isinstance(node.target, ast.Name):
        assign(frame, node.target, declared)


def _is_parameter(field: ast.AnnAssign) -> bool:
    """Return whether the call of a class gives a field its value."""
    if "ClassVar" in ast.unparse(field.annotation):
        return False
    keywords = field.value.keywords if isinstance(field.value, ast.Call) else []
    return not any(k.arg == "init" and ast.unparse(k.value) == "False" for k in keywords)


def _assign_augmented(frame: ExecutionState, node: ast.AugAssign) -> None:
    added = evaluate(frame, node.value)
    if isinstance(node.target, ast.Name):
        before = lookup(frame, node.target.id, node.lineno)
    else:
        before = evaluate(frame, node.target)
    # a list is changed in place, where others may have it
    kept = before if any(isinstance(a, Seq | Map) for a in before.atoms) else BOTTOM
    assign(frame, node.target, join(kept, combine(node.op, before, added)))


def _if(frame: ExecutionState, node: ast.If) -> bool:
    evaluate(frame, node.test)
    start = frame.env
    yes = _branch(frame, node.body, start | narrowed_names(frame, node.test))
    frame.env = start
    no = _branch(frame, node.orelse, start | narrowed_names(frame, node.test, False))
    return _merge(frame, yes, no)


def _for(frame: ExecutionState, node: ast.For | ast.AsyncFor) -> bool:
    items = items_of(evaluate(frame, node.iter))
    targets = {name for child in ast.walk(node.target) for name in bindings(child)}

    def begin() -> None:
        now = items
        if isinstance(node.iter, ast.Name) and node.iter.id not in targets:
            # the body may put more into it
            now = join(items, items_of(evaluate(frame, node.iter)))
        assign(frame, node.target, now)

    return _loop(frame, node, begin)


def _while(frame: ExecutionState, node: ast.While) -> bool:
    return _loop(frame, node, lambda: None)


def _loop(
    frame: ExecutionState, node: ast.For | ast.AsyncFor | ast.While, begin: Callable[[], None]
) -> bool:
    """Run a loop until no round brings anything new."""
    outer, loop = frame.loop, Loop()
    frame.loop = loop
    for number in range(MAX_ROUNDS):
        head = frame.env
        if number == MAX_ROUNDS - 1:
            names = {name for child in ast.walk(node) for name in bindings(child)}
            head = {n: join(v, UNKNOWN) if n in names else v for n, v in head.items()}
        frame.env = dict(head)
        if isinstance(node, ast.While):
            evaluate(frame, node.test)
        exhausted = dict(frame.env)
        begin()
        end = frame.env if execute(frame, node.body) else None
        _merge(frame, head, end, *loop.continues)
        if frame.env == head:
            break
    frame.loop = outer
    frame.env = exhausted
    return _merge(frame, frame.env if execute(frame, node.orelse) else None, *loop.breaks)


def _break(frame: ExecutionState, node: ast.Break) -> bool:
    if frame.loop is not None:
        frame.loop.breaks.append(dict(frame.env))
    return False


def _continue(frame: ExecutionState, node: ast.Continue) -> bool:
    if frame.loop is not None:
        frame.loop.continues.append(dict(frame.env))
    return False


def _try(frame: ExecutionState, node: ast.Try | ast.TryStar) -> bool:
    start, outer = frame.env, frame.assigned
    frame.assigned = {}
    jumps = [] if frame.loop is None else [frame.loop.breaks, frame.loop.continues]
    jumps_before = [len(envs) for envs in jumps]
    done = _branch(frame, node.body, start)
    failed = _names_when_stopped(start, frame.assigned)
    if done is not None:
        done = _branch(frame, node.orelse, done)
    ends = [done]
    for handler in node.handlers:
        frame.env = dict(failed)
        if handler.type is not None:
            evaluate(frame, handler.type)
        if handler.name:
            store_name(frame, handler.name, UNKNOWN)
        ends.append(_branch(frame, handler.body, frame.env))
    stopped, assigned = _names_when_stopped(start, frame.assigned), frame.assigned
    frame.assigned = outer
    if outer is not None:
        outer.update(_names_when_stopped(outer, assigned))
    if node.finalbody:
        # on the way out, by an error or a jump
        for envs, before in zip(jumps, jumps_before, strict=True):
            left = [_branch(frame, node.finalbody, env) for env in envs[before:]]
            envs[before:] = [end for end in left if end is not None]
        _branch(frame, node.finalbody, stopped)
    if not _merge(frame, *ends):
        frame.env = stopped
        return False
    return execute(frame, node.finalbody)


def _names_when_stopped(start: Env, assigned: Env) -> Env:
    """Return what names may be where a block has ended anywhere."""
    return start | {n: join(start.get(n, BOTTOM), value) for n, value in assigned.items()}


def _with(frame: ExecutionState, node: ast.With | ast.AsyncWith) -> bool:
    suppressed = False
    for item in node.items:
        value = evaluate(frame, item.context_expr)
        suppressed |= _may_suppress(frame, item.context_expr, value)
        if item.optional_vars is not None:
            assign(frame, item.optional_vars, _value_of_with(frame, value, node.lineno))
    if not suppressed:
        return execute(frame, node.body)
    handler = ast.ExceptHandler(None, None, [ast.Pass()])
    return _try(frame, ast.Try(node.body, [handler], [], []))


def _may_suppress(frame: ExecutionState, node: ast.expr, value: Value) -> bool:
    """Return whether a context manager is known to go on after an error."""
    callee = frame.program.facts.callees.get(node) if isinstance(node, ast.Call) else None
    if callee is not None and callee.paths & _SUPPRESSING:
        return True
    for atom in value.sorted_atoms():
        if isinstance(atom, LocalObj):
            leave = attribute(frame, one(atom), "__exit__", node.lineno)
            result = call(frame, leave, Args([UNKNOWN] * 3, line=node.lineno))
            if result.without_none():
                return True
    return False


def _value_of_with(frame: ExecutionState, value: Value, line: int) -> Value:
    """Return what `with value as x` binds: for a generator the value it yields."""
    parts = [value.rest()]
    for atom in value.sorted_atoms():
        match atom:
            case Seq(item):
                parts.append(item)
            case Obj(Kind.NONE):
                # the end of a generator; raises, so it adds nothing
                continue
            case LocalObj():
                enter = attribute(frame, one(atom), "__enter__", line)
                parts.append(call(frame, enter, Args(line=line)))
            case _:
                parts.append(one(atom))
    return join(*parts)


def _match(frame: ExecutionState, node: ast.Match) -> bool:
    subject = evaluate(frame, node.subject)
    start = frame.env
    ends: list[Env | None] = []
    for case in node.cases:
        names_here = names_in_case(frame, node.subject, case.pattern)
        frame.env = start | names_here
        whole = next(iter(names_here.values()), subject)
        for pattern in ast.walk(case.pattern):
            if isinstance(pattern, ast.MatchAs | ast.MatchStar) and pattern.name:
                value = whole if pattern is case.pattern else UNKNOWN
                store_name(frame, pattern.name, value)
            elif isinstance(pattern, ast.MatchMapping) and pattern.rest:
                store_name(frame, pattern.rest, UNKNOWN)
        if case.guard is not None:
            evaluate(frame, case.guard)
        matched = frame.env
        # what a pattern has bound stays, even if it or its guard fails in the end
        _merge(frame, start, matched)
        start = frame.env
        ends.append(_branch(frame, case.body, matched))
        if case.guard is None and _fits_all(case.pattern):
            return _merge(frame, *ends)
    return _merge(frame, *ends, start)


def _fits_all(pattern: ast.pattern) -> bool:
    while isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        pattern = pattern.pattern
    return isinstance(pattern, ast.MatchAs)


def _return(frame: ExecutionState, node: ast.Return) -> bool:
    value = NONE if node.value is None else evaluate(frame, node.value)
    if frame.function is not None:
        frame.program.grow_result(frame.function, value)
    return False


def _assert(frame: ExecutionState, node: ast.Assert) -> None:
    _evaluate_children(frame, node)
    frame.env = frame.env | narrowed_names(frame, node.test)


def _raise(frame: ExecutionState, node: ast.Raise) -> bool:
    _evaluate_children(frame, node)
    return False


def _function(frame: ExecutionState, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    owner = None
    if isinstance(frame.scope.node, ast.ClassDef):
        owner = frame.program.classes[frame.scope.node]
    info = function_info(frame, node, owner)
    add_defaults(frame, info)
    declared_parameters(frame, node)
    store_name(frame, node.name, value_of_decorated(frame, info, node.decorator_list))


def _class(frame: ExecutionState, node: ast.ClassDef) -> None:
    info = class_info(frame, node)
    for position, base in enumerate(node.bases):
        value = evaluate(frame, base)
        bases = join(info.bases, value)
        if bases != info.bases:
            info.bases = bases
            if info.seen_above:
                frame.program.touch()
        if position == len(info.parents):
            info.parents.append([])
        _add_parents(info, info.parents[position], value)
    for part in (*node.decorator_list, *(k.value for k in node.keywords)):
        evaluate(frame, part)
    inner = ExecutionState(frame.program, info.scope, {}, None)
    execute(inner, node.body)
    for name, value in inner.env.items():
        info.add_methods(name, value)
    announce_subclass(frame, info)
    store_name(frame, node.name, one(LocalClass(info)))


def _add_parents(info: ClassInfo, alternatives: list[ClassInfo], base: Value) -> None:
    for atom in base.sorted_atoms():
        if not isinstance(atom, LocalClass) or atom.info is info:
            continue
        if atom.info not in alternatives:
            alternatives.append(atom.info)
        if info not in atom.info.children:
            atom.info.children.append(info)
            if atom.info.seen_below:
                atom.info.program.touch()


def import_modules(frame: ExecutionState, node: ast.Import) -> None:
    """Bind `import a.b as c`."""
    frame.program.facts.scopes[node] = frame.scope
    for alias in node.names:
        if alias.asname:
            name, value = alias.asname, imported_value(frame, 0, alias.name)
        else:
            name, value = alias.name.partition(".")[0], import_root(frame, alias.name)
        remember(frame, name, value)
        store_name(frame, name, value)


def import_names(frame: ExecutionState, node: ast.ImportFrom) -> None:
    """Bind `from a import b`."""
    frame.program.facts.scopes[node] = frame.scope
    written = spark_module(frame.program, node)
    if api.in_streaming(written):
        module = one(Ref(written))
    else:
        module = imported_value(frame, node.level, node.module or "")
    (atom,) = module.atoms
    for alias in node.names:
        name = alias.asname or alias.name
        remember(frame, name, module)
        if alias.name == "*":
            found = star_import(frame, module, node.lineno)
            for bound, value in found or api_star(node.level, node.module or ""):
                store_name(frame, bound, value)
        elif isinstance(atom, Module):
            frame.program.origins[frame.scope, name] = (atom, alias.name)
            value = module_attribute(frame, atom, alias.name, node.lineno)
            remember(frame, name, value)
            store_name(frame, name, value)
        else:
            path = api.canonical(f"{written}.{alias.name}")
            store_name(frame, name, one(Ref(path)))


def run_other(frame: ExecutionState, node: RunMagic) -> None:
    """Bind all names of the other notebook that `%run other` leaves in this one."""
    program = frame.program
    place = program.project.index.script(program.path, node.target)
    if place is None:
        return
    program.imports.setdefault(place.path)
    module = one(Module(place.path, not place.sure))
    remember(frame, "*", module)
    for name, value in star_import(frame, module, node.lineno, private=True):
        store_name(frame, name, value)


_HANDLERS: dict[type[ast.stmt], Callable[[ExecutionState, Any], bool | None]] = {
    ast.Assign: _assign,
    ast.AnnAssign: _assign_annotated,
    ast.AugAssign: _assign_augmented,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Match: _match,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.Import: import_modules,
    ast.ImportFrom: import_names,
    RunMagic: run_other,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
}
