"""Jobs in objects: the code of a class of one object in the place of the calls of its methods.

The attributes of the object become names.
"""

from __future__ import annotations

import ast

from migrator.infer.program import FunctionInfo
from migrator.infer.values import Function, LocalObj

from ..program.modules import SourceModule
from .edits import (
    LineEdit,
    Span,
    edit_of_spans,
    indentation,
    is_in_place,
    one_line,
    with_edits,
    without,
)
from .evaluation import is_first
from .unfolding import Unfolding
from .values import JOB, MADE, holds, is_in_batch, kinds


def unfold_object(module: SourceModule) -> SourceModule | None:
    """Return a module without a class that builds a job in its only object; None if it has none."""
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef) and _is_of_job(module, node):
            found = _Object.of(module, node)
            made = None if found is None else found.dissolve()
            if made is not None:
                return made
    return None


def _is_of_job(module: SourceModule, node: ast.ClassDef) -> bool:
    values = module.facts.values
    return any(isinstance(e, ast.expr) and holds(values.get(e), JOB) for e in ast.walk(node))


def unfold_property(module: SourceModule) -> SourceModule | None:
    """Return a module in which a property that makes a part of a job is a method."""
    values, receivers = module.facts.values, module.facts.receivers
    for method in ast.walk(module.tree):
        match method:
            case ast.FunctionDef(name=name, decorator_list=[ast.Name(id="property") as decorator]):
                pass
            case _:
                continue
        attributes = [each for each in ast.walk(module.tree) if isinstance(each, ast.Attribute)]
        uses = [e for e in attributes if e.attr == name and not kinds(receivers.get(e))]
        if not any(holds(values.get(each), JOB) for each in uses):
            continue
        if not all(is_in_place(module, each) for each in uses):
            continue
        known = [receivers.get(each) for each in uses]
        owners = [{*value.atoms} if value and not value.unknown else set() for value in known]
        mine = module.parents[method]
        if not all(
            len(atoms) == 1
            and all(isinstance(e, LocalObj) and e.info.node is mine for e in atoms)
            and isinstance(each.ctx, ast.Load)
            for each, atoms in zip(uses, owners, strict=True)
        ):
            continue
        lines: dict[int, list[Span]] = {}
        for each in uses:
            end = module.span(each)[1]
            lines.setdefault(each.end_lineno or each.lineno, []).append((end, end, "()"))
        edits = [edit_of_spans(module, n, n, spans) for n, spans in lines.items()]
        return with_edits(module, [*edits, LineEdit(decorator.lineno, decorator.lineno)])
    return None


def unfold_attribute(module: SourceModule) -> SourceModule | None:
    """Return a module in which a part of a job that one method keeps in its object is a name."""
    values, receivers = module.facts.values, module.facts.receivers
    texts = {e.value for e in ast.walk(module.tree) if isinstance(e, ast.Constant)}
    for method in ast.walk(module.tree):
        if not (
            isinstance(method, ast.FunctionDef)
            and isinstance(module.parents[method], ast.ClassDef)
            and method.args.args
        ):
            continue
        own = method.args.args[0].arg
        for statement in method.body:
            match statement:
                case ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id=owner), attr=attribute)], value=value
                ) if owner == own and holds(values.get(value), MADE):
                    uses = [
                        each
                        for each in ast.walk(module.tree)
                        if isinstance(each, ast.Attribute)
                        and each.attr == attribute
                        and not kinds(receivers.get(each))
                    ]
                    inside = {*ast.walk(method)}
                    named = all(
                        each in inside
                        and isinstance(each.value, ast.Name)
                        and each.value.id == own
                        and each.lineno == each.end_lineno
                        and is_in_place(module, each)
                        for each in uses
                    )
                    # a second call of the method may read what the first one has set
                    start = min(uses, key=lambda each: (each.lineno, each.col_offset))
                    if named and attribute not in texts and start is statement.targets[0]:
                        return _as_names(module, uses, module.free_name(attribute))
    return None


def _as_names(module: SourceModule, uses: list[ast.Attribute], name: str) -> SourceModule:
    lines: dict[int, list[Span]] = {}
    for each in uses:
        lines.setdefault(each.lineno, []).append((*module.span(each), name))
    return with_edits(module, [edit_of_spans(module, n, n, spans) for n, spans in lines.items()])


class _Object:
    """The only object of a class, and where it is made.

    Parameters
    ----------
    module : SourceModule
        the module
    node : ast.ClassDef
        the class
    call : ast.Call
        the call that makes the object
    """

    def __init__(self, module: SourceModule, node: ast.ClassDef, call: ast.Call) -> None:
        self.module = module
        self.node = node
        self.call = call
        self.methods = {e.name: e for e in node.body if isinstance(e, ast.FunctionDef)}

    @classmethod
    def of(cls, module: SourceModule, node: ast.ClassDef) -> _Object | None:
        """Return the object of a class, None if there may be others, or more than methods."""
        if (
            node.decorator_list
            or node.keywords
            or any(ast.unparse(e) != "object" for e in node.bases)
        ):
            return None
        rest = [e for e in node.body if not isinstance(e, ast.FunctionDef)]
        if not all(isinstance(getattr(e, "value", None), ast.Constant) for e in rest):
            return None
        if any(isinstance(e, ast.Assign) for e in rest):
            return None
        uses = [e for e in ast.walk(module.tree) if isinstance(e, ast.Name) and e.id == node.name]
        call = module.parents[uses[0]] if len(uses) == 1 else None
        if not isinstance(call, ast.Call) or call.func is not uses[0] or is_in_batch(module, call):
            return None
        around: ast.AST | None = call
        while around is not None:
            if isinstance(around, ast.For | ast.While):
                return None
            around = module.parents.get(around)
        made = module.facts.values.get(call)
        if made is None or made.unknown or len(made.atoms) != 1:
            return None
        return cls(module, node, call)

    def dissolve(self) -> SourceModule | None:
        """Return the module without the class; None if the object is used in another way."""
        module = self.module
        statement = module.parents[self.call]
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is self.call:
                pass
            case _:
                return self._named()
        if self._is_bound_again(name):
            return None
        calls = self._calls(name)
        if calls is None:
            return None
        edits: list[LineEdit] = []
        for call, method in [(self.call, self.methods.get("__init__")), *calls]:
            if method is None:
                pad = indentation(module, statement)
                line = statement.lineno
                edits.append(
                    LineEdit(line, line, ((f"{pad}pass", line),) * _is_only(module, statement))
                )
                continue
            info = module.program.functions.get(method)
            found = None if info is None else self._unfolded(call, info, name)
            if found is None:
                return None
            edits += found
        return self._without_attributes(
            with_edits(module, [*edits, without(module, self.node)]), name
        )

    def _named(self) -> SourceModule | None:
        """Return the module in which the object of ``App().run()`` has a name."""
        module = self.module
        statement: ast.AST = self.call
        while not isinstance(statement, ast.stmt):
            statement = module.parents[statement]
        plain = isinstance(statement, ast.Expr | ast.Assign)
        if not plain or not is_first(statement, self.call, module):
            return None
        name = module.free_name(self.node.name.lower())
        first, last = statement.lineno, statement.end_lineno or statement.lineno
        edit = edit_of_spans(module, first, last, [(*module.span(self.call), name)])
        made = f"{indentation(module, statement)}{name} = {one_line(module, self.call)}"
        return with_edits(module, [LineEdit(first, last, ((made, first), *edit.lines))])

    def _is_bound_again(self, name: str) -> bool:
        stores = [
            each
            for each in ast.walk(self.module.tree)
            if isinstance(each, ast.Name) and each.id == name
            if not isinstance(each.ctx, ast.Load)
        ]
        arguments = [e for e in ast.walk(self.module.tree) if isinstance(e, ast.arg)]
        return len(stores) != 1 or any(each.arg == name for each in arguments)

    def _calls(self, name: str) -> list[tuple[ast.Call, ast.FunctionDef]] | None:
        """Return the calls of the object's methods; None if it is used otherwise."""
        module, found = self.module, []
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                attribute = module.parents[node]
                if not isinstance(attribute, ast.Attribute):
                    return None
                method = self.methods.get(attribute.attr)
                call = module.parents[attribute]
                if method is not None:
                    if not isinstance(call, ast.Call) or call.func is not attribute:
                        return None
                    if is_in_batch(module, call):
                        return None
                    found.append((call, method))
        own = {
            e.attr
            for m in self.methods.values()
            for e in ast.walk(m)
            if isinstance(e, ast.Attribute) and not kinds(module.facts.receivers.get(e))
        }
        called = [method for _, method in found]
        # other methods that are called have taken the place of their calls before
        left = [m for m in self.methods.values() if m not in called and m.name != "__init__"]
        if len({*called}) < len(called) or any(m.name in own for m in (*called, *left)):
            return None
        return found

    def _unfolded(self, call: ast.Call, info: FunctionInfo, name: str) -> list[LineEdit] | None:
        node = info.node
        assert isinstance(node, ast.FunctionDef)
        if node.decorator_list or not node.args.args:
            return None
        own = node.args.args[0].arg
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and each.id == own:
                parent = self.module.parents[each]
                if not (isinstance(parent, ast.Attribute) and isinstance(each.ctx, ast.Load)):
                    return None
                around: ast.AST = parent
                while around is not node:
                    around = self.module.parents[around]
                    if isinstance(around, ast.Lambda | ast.FunctionDef) and around is not node:
                        return None
        made = Unfolding.of(self.module, call, Function(info), 1)
        if made is None:
            return None
        made.receiver = name
        return made.edits(keep=True)

    def _without_attributes(self, module: SourceModule, name: str) -> SourceModule | None:
        """Return a module in which the attributes of the object are names."""
        lines: dict[int, list[Span]] = {}
        names, gone = self._kept_names(module, name)
        for node in ast.walk(module.tree):
            match node:
                case ast.Attribute(value=ast.Name(id=owner), attr=attribute) if owner == name:
                    if node.lineno != node.end_lineno or not is_in_place(module, node):
                        return None
                    if attribute not in names:
                        names[attribute] = module.free_name(attribute, f"{name}_{attribute}")
                    span = (*module.span(node), names[attribute])
                    lines.setdefault(node.lineno, []).append(span)
        edits = [edit_of_spans(module, n, n, e) for n, e in lines.items() if n not in gone]
        return with_edits(module, [*edits, *(LineEdit(line, line) for line in gone)])

    def _kept_names(self, module: SourceModule, name: str) -> tuple[dict[str, str], set[int]]:
        """Return the attributes that only keep a name of theirs, and the lines that set them."""
        names: dict[str, str] = {}
        gone: set[int] = set()
        every = [e for e in ast.walk(module.tree) if isinstance(e, ast.Name)]
        for node in ast.walk(module.tree):
            match node:
                case ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id=owner), attr=attribute)],
                    value=ast.Name(id=kept),
                ) if owner == name and attribute == kept:
                    stores = [e for e in every if e.id == kept and isinstance(e.ctx, ast.Store)]
                    sets = [
                        e
                        for e in ast.walk(module.tree)
                        if isinstance(e, ast.Attribute)
                        and (e.attr, isinstance(e.ctx, ast.Store)) == (attribute, True)
                    ]
                    alone = not module.comments_in(node.lineno, node.end_lineno or node.lineno)
                    if len(stores) == len(sets) == 1 and alone:
                        names[attribute] = kept
                        gone.add(node.lineno)
        return names, gone


def _is_only(module: SourceModule, statement: ast.AST) -> bool:
    """Return whether a block has no other statement."""
    return getattr(module.parents[statement], "body", []) == [statement]
