"""Jobs in objects: the code of a class of one object in the place of the calls of its methods.

The attributes of the object become names.
"""

from __future__ import annotations

import ast

from migrator.infer.program import FunctionInfo
from migrator.infer.values import Function, LocalObj

from ..program.bindings import loads, stores, uses
from ..program.modules import SourceModule
from ..program.values import JOB, MADE, has_any, holds, is_in_batch, kinds
from .edits import (
    LineEdit,
    Span,
    edits_of_spans,
    indentation,
    instead,
    is_alone,
    is_in_place,
    one_line,
    with_edits,
    with_name,
    without,
)
from .evaluation import is_first
from .functions import attributes
from .unfolding import Unfolding


def unfold_object(module: SourceModule) -> SourceModule | None:
    """Return a module without a class that builds a job in its only object; None if it has none."""
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef) and has_any(module, node, JOB):
            object_found = _Object.of(module, node)
            result = None if object_found is None else object_found.dissolve()
            if result is not None:
                return result
    return None


def unfold_property(module: SourceModule) -> SourceModule | None:
    """Return a module in which a property that makes a part of a job is a method."""
    values, receivers = module.facts.values, module.facts.receivers
    for method in ast.walk(module.tree):
        match method:
            case ast.FunctionDef(name=name, decorator_list=[ast.Name(id="property") as decorator]):
                pass
            case _:
                continue
        attributes_found = attributes(module, name)
        if not any(holds(values.get(use), JOB) for use in attributes_found):
            continue
        if not all(is_in_place(module, use) for use in attributes_found):
            continue
        receiver_values = [receivers.get(use) for use in attributes_found]
        owners = [
            {*value.atoms} if value and not value.unknown else set() for value in receiver_values
        ]
        mine = module.parents[method]
        if not all(
            len(atoms) == 1
            and all(isinstance(e, LocalObj) and e.info.node is mine for e in atoms)
            and isinstance(use.ctx, ast.Load)
            for use, atoms in zip(attributes_found, owners, strict=True)
        ):
            continue
        ends = [module.span(use)[1] for use in attributes_found]
        edits = edits_of_spans(module, [(end, end, "()") for end in ends])
        return with_edits(module, [*edits, LineEdit(decorator.lineno, decorator.lineno)])
    return None


def unfold_attribute(module: SourceModule) -> SourceModule | None:
    """Return a module in which a part of a job that one method keeps in its object is a name."""
    values = module.facts.values
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
                    attributes_found = attributes(module, attribute)
                    inside = {*ast.walk(method)}
                    named = all(
                        use in inside
                        and isinstance(use.value, ast.Name)
                        and use.value.id == own
                        and use.lineno == use.end_lineno
                        and is_in_place(module, use)
                        for use in attributes_found
                    )
                    # a second call of the method may read what the first one has set
                    start = min(attributes_found, key=lambda use: (use.lineno, use.col_offset))
                    if named and attribute not in texts and start is statement.targets[0]:
                        name = module.free_name(attribute)
                        spans = [(*module.span(use), name) for use in attributes_found]
                        return with_edits(module, edits_of_spans(module, spans))
    return None


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
        if not all(_is_literal(getattr(e, "value", None)) for e in rest):
            return None
        if not all(isinstance(e, ast.Expr) or _attribute(e) for e in rest):
            return None
        uses_found = uses(module.tree, node.name)
        call = module.parents[uses_found[0]] if len(uses_found) == 1 else None
        if (
            not isinstance(call, ast.Call)
            or call.func is not uses_found[0]
            or is_in_batch(module, call)
        ):
            return None
        if any(isinstance(outer, ast.For | ast.While) for outer in module.around(call)):
            return None
        value = module.facts.values.get(call)
        if value is None or value.unknown or len(value.atoms) != 1:
            return None
        return cls(module, node, call)

    def dissolve(self) -> SourceModule | None:
        """Return the module without the class; None if the object is used in another way."""
        module = self.module
        match module.parents[self.call]:
            case ast.Assign(targets=[ast.Name(id=name)]) as statement:
                pass
            case _:
                return self._with_object_name()
        if self._is_bound_again(name):
            return None
        calls = self._calls(name)
        if calls is None:
            return None
        edits: list[LineEdit] = []
        shared = [(_attribute(statement), statement) for statement in self.node.body]
        pad = indentation(module, statement)
        set_first = tuple(
            (f"{pad}{name}.{attribute} = {one_line(module, each.value)}", each.lineno)
            for attribute, each in shared
            if attribute and isinstance(each, ast.Assign)
        )
        for call, method in [(self.call, self.methods.get("__init__")), *calls]:
            if method is None:
                lines = [("pass", statement.lineno)] * is_alone(module, statement)
                edits.append(instead(module, statement, lines))
                continue
            info = module.program.functions.get(method)
            line_edits = None if info is None else self._unfold_method(call, info, name)
            if line_edits is None:
                return None
            edits += line_edits
        edits += [
            without(module, self.node),
            LineEdit(statement.lineno, statement.lineno - 1, set_first),
        ]
        return self._without_attributes(with_edits(module, edits), name)

    def _with_object_name(self) -> SourceModule | None:
        """Return the module in which the object of ``App().run()`` has a name."""
        module = self.module
        statement = module.statement(self.call)
        plain = isinstance(statement, ast.Expr | ast.Assign)
        if not plain or not is_first(statement, self.call, module):
            return None
        name = module.free_name(self.node.name.lower())
        return with_name(module, statement, self.call, name)

    def _is_bound_again(self, name: str) -> bool:
        tree = self.module.tree
        arguments = (node for node in ast.walk(tree) if isinstance(node, ast.arg))
        return len(stores(tree, name)) != 1 or any(argument.arg == name for argument in arguments)

    def _calls(self, name: str) -> list[tuple[ast.Call, ast.FunctionDef]] | None:
        """Return the calls of the object's methods; None if it is used otherwise."""
        module, calls = self.module, []
        for node in loads(module.tree, name):
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
                calls.append((call, method))
        own = {
            e.attr
            for m in self.methods.values()
            for e in ast.walk(m)
            if isinstance(e, ast.Attribute) and not kinds(module.facts.receivers.get(e))
        }
        called = [method for _, method in calls]
        # other methods that are called have taken the place of their calls before
        left = [m for m in self.methods.values() if m not in called and m.name != "__init__"]
        if len({*called}) < len(called) or any(m.name in own for m in (*called, *left)):
            return None
        return calls

    def _unfold_method(
        self, call: ast.Call, info: FunctionInfo, name: str
    ) -> list[LineEdit] | None:
        node = info.node
        assert isinstance(node, ast.FunctionDef)
        if node.decorator_list or not node.args.args:
            return None
        own = node.args.args[0].arg
        for use in uses(node, own):
            is_owner = isinstance(self.module.parents[use], ast.Attribute)
            if not (is_owner and isinstance(use.ctx, ast.Load)):
                return None
            if self.module.function(use) is not node:
                return None
        unfolding = Unfolding.of(self.module, call, Function(info), 1)
        if unfolding is None:
            return None
        unfolding.receiver = name
        return unfolding.edits(keep=True)

    def _without_attributes(self, module: SourceModule, name: str) -> SourceModule | None:
        """Return a module in which the attributes of the object are names."""
        spans: list[Span] = []
        names, gone = self._kept_names(module, name)
        for node in ast.walk(module.tree):
            match node:
                case ast.Attribute(value=ast.Name(id=owner), attr=attribute) if owner == name:
                    if node.lineno != node.end_lineno or not is_in_place(module, node):
                        return None
                    if attribute not in names:
                        names[attribute] = module.free_name(attribute, f"{name}_{attribute}")
                    if node.lineno not in gone:
                        spans.append((*module.span(node), names[attribute]))
        edits = edits_of_spans(module, spans)
        return with_edits(module, [*edits, *(LineEdit(line, line) for line in gone)])

    def _kept_names(self, module: SourceModule, name: str) -> tuple[dict[str, str], set[int]]:
        """Return the attributes that only keep a name of theirs, and the lines that set them or
        attributes that nothing reads.
        """
        names: dict[str, str] = {}
        gone: set[int] = set()
        for node in ast.walk(module.tree):
            match node:
                case ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id=owner), attr=attribute)],
                    value=ast.Name(id=kept),
                ) if owner == name and attribute == kept:
                    sets = [
                        e
                        for e in ast.walk(module.tree)
                        if isinstance(e, ast.Attribute)
                        and (e.attr, isinstance(e.ctx, ast.Store)) == (attribute, True)
                    ]
                    alone = not module.comments_in(*module.lines_of(node))
                    if len(stores(module.tree, kept)) == len(sets) == 1 and alone:
                        names[attribute] = kept
                        gone.add(node.lineno)
                case ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id=owner), attr=attribute)],
                    value=ast.Name() | ast.Constant(),
                ) if owner == name and not _is_read(module, attribute):
                    if not module.comments_in(*module.lines_of(node)):
                        gone.add(node.lineno)
        return names, gone


def _is_read(module: SourceModule, attribute: str) -> bool:
    """Return whether code reads an attribute, by its name or by a text."""
    for node in ast.walk(module.tree):
        match node:
            case ast.Attribute(attr=name, ctx=ast.Load()) | ast.Constant(value=name):
                if name == attribute:
                    return True
    return False


def _attribute(statement: ast.stmt) -> str:
    """Return the attribute that a statement of a class gives a literal, empty if there is none."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_literal(value):
            return name
    return ""


def _is_literal(node: ast.expr | None) -> bool:
    kinds = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.expr_context, ast.UnaryOp, ast.USub)
    return node is not None and all(isinstance(inner, kinds) for inner in ast.walk(node))
