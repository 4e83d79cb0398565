"""The values that imports bind, the names of other modules, and what a name is at a point."""

from __future__ import annotations

import ast
import builtins

from migrator.infer.program import ExecutionState, Program, Scope
from migrator.infer.scopes import imported_module
from migrator.infer.values import (
    BOTTOM,
    OTHER,
    OWN,
    UNKNOWN,
    Function,
    LocalClass,
    Module,
    Obj,
    Ref,
    Step,
    Value,
    as_probable,
    join,
    one,
    step,
)
from migrator.spark import api
from migrator.spark.kinds import STREAMING


def value_of_missing_name(frame: ExecutionState) -> Value:
    """Return the value of a name that is not defined yet; at the end it may be anything."""
    if frame.program.project.sealed:
        return UNKNOWN
    frame.program.missing = True
    return BOTTOM


def imported_value(frame: ExecutionState, level: int, dotted: str) -> Value:
    """Return the module that an import names: one of the tree, or one from outside."""
    program = frame.program
    place = program.project.index.find(program.path, level, dotted)
    if place is None:
        return one(Ref("." * level + dotted))
    parts = place.path.split("/")
    # the packages around it are imported too
    for end in range(len(parts) - dotted.count("."), len(parts) + 1):
        program.imports.setdefault("/".join(parts[:end]))
    return one(Module(place.path, not place.sure))


def spark_module(program: Program, node: ast.ImportFrom) -> str:
    """Return the module of a from-import; what Bahir took over from Spark counts as Spark's."""
    names = {alias.name for alias in node.names}
    index = program.project.index
    if names == {"MQTTUtils"} and index.is_bahirs(program.path, node.level, node.module or ""):
        return f"{api.ROOT}.mqtt"
    return imported_module(node)


def import_root(frame: ExecutionState, dotted: str) -> Value:
    """Return what `import a.b.c` binds to `a`."""
    value = imported_value(frame, 0, dotted)
    (atom,) = value.atoms
    if isinstance(atom, Module):
        outer = atom.path.split("/")[: -dotted.count(".") or None]
        return one(Module("/".join(outer), atom.probable))
    return one(Ref(dotted.partition(".")[0]))


def remember(frame: ExecutionState, name: str, value: Value) -> None:
    """Note which modules a global name stands for or comes from."""
    if frame.scope.parent is None:
        for atom in value.atoms:
            if isinstance(atom, Module):
                paths = frame.program.imported.setdefault(name, [])
                if atom.path not in paths:
                    paths.append(atom.path)


def module_attribute(frame: ExecutionState, module: Module, name: str, line: int) -> Value:
    """Return what a name of a module of the tree is."""
    project = frame.program.project
    child = project.index.child(module.path, name)
    attribute_value = BOTTOM if child is None else one(Module(child, module.probable))
    if child is not None:
        frame.program.imports.setdefault(child)
    target = project.program(module.path)
    if target is None:
        return attribute_value if child is not None else value_of_missing_name(frame)
    if target is not frame.program:
        target.readers.add(frame.program)
        target.demanded.add(name)
    scope = target.module
    if name in scope.locals:
        frame.program.reads.add((id(scope.bound), name))
        text = f"{name} from {target.path}"
        value = step(scope.bound.get(name, BOTTOM), Step(line, text, frame.program))
        attribute_value = join(attribute_value, as_probable(value) if module.probable else value)
    elif child is None:
        attribute_value = (
            OTHER if name.startswith("__") and name.endswith("__") else value_of_missing_name(frame)
        )
    return attribute_value


def any_attribute(frame: ExecutionState, module: Module, prefix: str) -> Value:
    """Return what a name that is made at run time may be: any class or function of the module."""
    target = frame.program.project.program(module.path)
    if target is None:
        return value_of_missing_name(frame)
    target.readers.add(frame.program)
    target.demanded |= target.module.locals
    values = [OWN]
    for name in sorted(target.module.locals):
        frame.program.reads.add((id(target.module.bound), name))
        value = target.module.bound.get(name, BOTTOM)
        if name.startswith(prefix):
            values += [one(a) for a in value.sorted_atoms() if isinstance(a, LocalClass | Function)]
    return join(*values)


def star_import(
    frame: ExecutionState, module: Value, line: int, private: bool = False
) -> list[tuple[str, Value]]:
    """Return the names that `from module import *` binds, with their values; private: all."""
    names = []
    for atom in module.sorted_atoms():
        if not isinstance(atom, Module):
            continue
        target = frame.program.project.program(atom.path)
        if target is None:
            value_of_missing_name(frame)
            continue
        target.readers.add(frame.program)
        target.demanded.add("*")
        for name in sorted(target.module.locals) if private else public_names(target):
            add_local(frame.scope, name)
            names.append((name, module_attribute(frame, atom, name, line)))
    return names


def public_names(program: Program) -> list[str]:
    """Return the names that a star import of a module brings."""
    listed: list[str] = []
    for node in program.tree.body:
        match node:
            case (
                ast.Assign(
                    targets=[ast.Name(id="__all__")], value=ast.List() | ast.Tuple() as names
                )
                | ast.AugAssign(
                    target=ast.Name(id="__all__"), value=ast.List() | ast.Tuple() as names
                )
            ):
                for element in names.elts:
                    if isinstance(element, ast.Constant) and isinstance(element.value, str):
                        listed.append(element.value)
    return listed or sorted(n for n in program.module.locals if not n.startswith("_"))


def add_local(scope: Scope, name: str) -> None:
    """Let a name live in a scope that does not bind it by itself."""
    if name not in scope.locals and name not in scope.outer:
        scope.locals |= {name}
        scope.program.touch()


def store_in_module(frame: ExecutionState, module: Module, name: str, value: Value) -> None:
    """Store `module.name = value`, from outside."""
    target = frame.program.project.program(module.path)
    if target is None:
        value_of_missing_name(frame)
        return
    add_local(target.module, name)
    target.grow(target.module.bound, name, value)
    target.grow(target.module.written_from_inside, name, value, always=True)


def origin(frame: ExecutionState, name: str) -> tuple[Module, str] | None:
    """Return the module that a name was imported from, and its name there."""
    owner = frame.scope.owner_of(name)
    return None if owner is None else owner.program.origins.get((owner, name))


def module_by_text(frame: ExecutionState, text: ast.expr) -> Value:
    """Return what `importlib.import_module(text)` gives."""
    prefix, whole = constant_prefix(text)
    level = len(prefix) - len(prefix.lstrip("."))
    if whole:
        return imported_value(frame, level, prefix.lstrip("."))
    place = frame.program.project.index.find(frame.program.path, level, prefix.strip("."))
    if place is None or not prefix.endswith("."):
        return UNKNOWN
    children = frame.program.project.index.children(place.path)
    frame.program.imports |= dict.fromkeys(children)
    return Value(frozenset(Module(child, True) for child in children), True)


def constant_prefix(node: ast.expr) -> tuple[str, bool]:
    """Return the text that a string starts with, and whether that is all of it."""
    match node:
        case ast.Constant(value=str(text)):
            return text, True
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
            return text, False
        case ast.BinOp(left=left, op=ast.Add() | ast.Mod()):
            text, whole = constant_prefix(left)
            return (text if whole and isinstance(node.op, ast.Add) else text.split("%")[0]), False
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return text.split("{")[0], False
    return "", False


def api_star(level: int, dotted: str) -> list[tuple[str, Value]]:
    """Return the names that a star import of Spark's own modules brings."""
    module = "." * level + dotted
    return [(name, one(Ref(api.canonical(f"{module}.{name}")))) for name in api.star_names(module)]


# What a name is at a point of the program.

_BUILTINS = frozenset(dir(builtins))


def lookup(frame: ExecutionState, name: str, line: int) -> Value:
    """Return what a name is at this point of the program."""
    if name in frame.inner:
        return frame.inner[name]
    owner = frame.scope.owner_of(name)
    if owner is frame.scope:
        if name in frame.env:
            inside = owner.written_from_inside.get(name)
            return frame.env[name] if inside is None else join(frame.env[name], inside)
        if owner.is_class:
            # a class body sees what is around it until it binds the name itself
            owner = owner.owner_around(name)
    if owner is not None:
        frame.program.reads.add((id(owner.bound), name))
        return owner.bound.get(name, BOTTOM)
    if name in _BUILTINS:
        return one(Ref(f"builtins.{name}"))
    return _value_of_undefined_name(frame, name, line)


def _value_of_undefined_name(frame: ExecutionState, name: str, line: int) -> Value:
    if not frame.program.project.sealed:
        # a star import may still bring it
        return value_of_missing_name(frame)
    text = f"`{name}` is not defined in this file; known by its usual name only"
    why = Step(line, text, frame.program)
    kind = api.PREDEFINED.get(name)
    if kind is not None:
        certain = frame.program.project.has_shell and kind not in STREAMING
        return Value(frozenset({Obj(kind, not certain, (why,))}))
    path = api.WELL_KNOWN_CLASSES.get(name)
    if path is not None:
        return one(Ref(path, True, (why,)))
    return UNKNOWN
