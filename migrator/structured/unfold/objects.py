"""Jobs in objects: the code of a class of one object in the place of the calls of its methods.

The attributes of the object become names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrator.infer.program import FunctionInfo
from migrator.infer.values import Function, LocalObj

from ..program.bindings import loads, stores, uses
from ..program.modules import SourceModule
from ..program.values import JOB, MADE, has_any, holds, is_in_batch, kinds
from .calls import Unfolding
from .edits import (
    LineEdit,
    Span,
    edit_of_spans,
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
from .functions import attributes, is_first


def unfold_object(module: SourceModule) -> Iterator[SourceModule | None]:
    """Yield modules without a class that builds a job in its only object."""
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef) and has_any(module, node, JOB):
            object_found = _Object.of(module, node)
            yield None if object_found is None else object_found.dissolve()


def unfold_property(module: SourceModule) -> Iterator[SourceModule]:
    """Yield modules in which a property that makes a part of a job is a method."""
    values = module.facts.values
    for method in ast.walk(module.tree):
        match method:
            case ast.FunctionDef(name=name, decorator_list=[ast.Name(id="property") as decorator]):
                reads, owner = attributes(module, name), module.parents[method]
                is_of_job = any(holds(values.get(use), JOB) for use in reads)
                if is_of_job and all(_is_read_of(module, use, owner) for use in reads):
                    ends = [module.span(use)[1] for use in reads]
                    edits = edits_of_spans(module, [(end, end, "()") for end in ends])
                    line = decorator.lineno
                    yield with_edits(module, [*edits, LineEdit(line, line)])


def _is_read_of(module: SourceModule, use: ast.Attribute, owner: ast.AST) -> bool:
    """Return whether an attribute is read, and is proven to be that of an object of a class."""
    value = module.facts.receivers.get(use)
    match [] if value is None or value.unknown else [*value.atoms]:
        case [LocalObj(info=info)] if info.node is owner:
            return isinstance(use.ctx, ast.Load) and is_in_place(module, use)
    return False


def unfold_attribute(module: SourceModule) -> Iterator[SourceModule]:
    """Yield modules in which a part of a job that one method keeps in its object is a name."""
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
                        yield with_edits(module, edits_of_spans(module, spans))


class _Object:
    """The only object of a class, and where it is made."""

    def __init__(self, module: SourceModule, node: ast.ClassDef, call: ast.Call) -> None:
        self.module = module
        self.node = node
        self.call = call
        self.methods = {e.name: e for e in node.body if isinstance(e, ast.FunctionDef)}

    @classmethod
    def of(cls, module: SourceModule, node: ast.ClassDef) -> _Object | None:
        """Return the object of a class, None if there may be others, or more than methods."""
        bases = {ast.unparse(base) for base in node.bases}
        if node.decorator_list or node.keywords or bases - {"object"}:
            return None
        rest = [e for e in node.body if not isinstance(e, ast.FunctionDef)]
        if not all(_is_literal(getattr(e, "value", None)) for e in rest):
            return None
        if not all(isinstance(e, ast.Expr) or _attribute(e) for e in rest):
            return None
        uses_found = uses(module.tree, node.name)
        call = module.parents[uses_found[0]] if len(uses_found) == 1 else None
        if not isinstance(call, ast.Call) or call.func is not uses_found[0]:
            return None
        loops = (outer for outer in module.around(call) if isinstance(outer, ast.For | ast.While))
        if is_in_batch(module, call) or any(loops):
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
                    named = (e for e in ast.walk(module.tree) if isinstance(e, ast.Attribute))
                    sets = [e for e in named if (e.attr, type(e.ctx)) == (attribute, ast.Store)]
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


_ROOTS = frozenset(("object", "ABC", "abc.ABC"))
"""Base classes that give nothing to an object."""
_FLAGS = frozenset(("staticmethod", "abstractmethod", "abc.abstractmethod"))


def unfold_base(module: SourceModule) -> Iterator[SourceModule | None]:
    """Yield modules in which a class of a job has the code of its base class itself."""
    classes = {each.name: each for each in module.tree.body if isinstance(each, ast.ClassDef)}
    for node in classes.values():
        match node.bases:
            case [ast.Name(id=name)] if name in classes:
                family = _Family(module, node, classes[name])
                if has_any(module, node, JOB) or has_any(module, family.base, JOB):
                    yield family.unite()


@dataclass
class _Family:
    """A class and its base class.

    Parameters
    ----------
    node, base : ast.ClassDef
        the class, and its only base class
    renamed : dict of str to str
        methods of the base class that the class overrides and calls, with their new names
    """

    module: SourceModule
    node: ast.ClassDef
    base: ast.ClassDef
    renamed: dict[str, str] = field(default_factory=dict)

    def unite(self) -> SourceModule | None:
        """Return the module in which the class has all; None if it may be another one then."""
        module, node, base = self.module, self.node, self.base
        if node.keywords or not self._is_root() or not all(map(_is_plain, (node, base))):
            return None
        own = {name for statement in node.body for name in _names_defined_by(statement)}
        inherited = {name for statement in base.body for name in _names_defined_by(statement)}
        spans = self._calls(own, inherited)
        if spans is None or uses(base, "super"):
            return None
        text = isinstance(getattr(node.body[0], "value", None), ast.Constant)
        rest = [statement for statement in node.body[text:] if not isinstance(statement, ast.Pass)]
        start = (node.body[0].end_lineno or 0) + 1 if text else node.lineno + 1
        if node.body[0].lineno == node.lineno:
            return None
        lines = [(f"class {node.name}:", node.lineno)]
        lines += [(module.lines[n - 1].rstrip("\n"), n) for n in range(node.lineno + 1, start)]
        for statement in base.body:
            names = {*_names_defined_by(statement)}
            if names and not _is_abstract(statement) and (names - own or names & {*self.renamed}):
                lines += [
                    *self._inherited_lines(statement, bool(names & own)),
                    ("", statement.lineno),
                ]
        if rest:
            whole = edit_of_spans(module, start, node.end_lineno or start, spans)
            lines += whole.lines
        while not lines[-1][0].strip():
            del lines[-1]
        edits = [LineEdit(node.lineno, node.end_lineno or node.lineno, tuple(lines))]
        inside = {*ast.walk(node)}
        if all(use in inside for use in uses(module.tree, base.name)):
            edits.append(without(module, base))
        return with_edits(module, edits)

    def _is_root(self) -> bool:
        """Return whether the base class has no base class that gives something."""
        keywords = [ast.unparse(keyword.value) for keyword in self.base.keywords]
        return all(ast.unparse(base) in _ROOTS for base in self.base.bases) and all(
            keyword in ("ABCMeta", "abc.ABCMeta") for keyword in keywords
        )

    def _calls(self, own: set[str], inherited: set[str]) -> list[Span] | None:
        """Return the edits of calls of methods as the base class has them; None if some are not
        known.
        """
        module, spans = self.module, []
        for name in uses(self.node, "super") + uses(self.node, self.base.name):
            if name in self.node.bases:
                continue
            start = module.parents[name] if name.id == "super" else name
            attribute = module.parents[start]
            call = module.parents[attribute]
            method = module.function(name)
            if not (
                isinstance(attribute, ast.Attribute)
                and isinstance(call, ast.Call)
                and call.func is attribute
                and attribute.attr in inherited
                and isinstance(method, ast.FunctionDef)
                and method in self.node.body
                and method.args.args
                and attribute.lineno == attribute.end_lineno
            ):
                return None
            owner = method.args.args[0].arg
            if name.id == "super":
                assert isinstance(start, ast.Call)
                if [ast.unparse(e) for e in start.args] not in ([], [self.node.name, owner]):
                    return None
            else:
                if not (call.args and ast.unparse(call.args[0]) == owner):
                    return None
                after = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
                end = module.span(call)[1] - 1
                if call.args[1:]:
                    end = module.span(after[0])[0]
                elif call.keywords:
                    return None
                spans.append((module.span(call.args[0])[0], end, ""))
            new = attribute.attr
            if new in own:
                if new not in self.renamed:
                    self.renamed[new] = module.free_name(f"base_{new.strip('_')}")
                new = self.renamed[new]
            spans.append((*module.span(attribute), f"{owner}.{new}"))
        return spans

    def _inherited_lines(self, statement: ast.stmt, is_renamed: bool) -> Iterator[tuple[str, int]]:
        """Yield the lines of a statement of the base class."""
        module, spans = self.module, []
        if is_renamed and isinstance(statement, ast.FunctionDef):
            start = module.text.index(statement.name, module.span(statement)[0] + 4)
            spans.append((start, start + len(statement.name), self.renamed[statement.name]))
        first = module.first_comment(statement)
        yield from edit_of_spans(module, first, statement.end_lineno or first, spans).lines


def _is_plain(node: ast.ClassDef) -> bool:
    """Return whether a class has methods and attributes only, which may be in another class."""
    for statement in node.body:
        match statement:
            case ast.FunctionDef(decorator_list=flags):
                if not all(ast.unparse(flag) in _FLAGS for flag in flags):
                    return False
            case ast.Assign(targets=[ast.Name()]) | ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case _:
                return False
    names = (
        getattr(inner, "attr", getattr(inner, "id", getattr(inner, "name", "")))
        for inner in ast.walk(node)
    )
    # such names are those of the class
    private = any(str(e).startswith("__") and not str(e).endswith("__") for e in names)
    return not (node.decorator_list or private)


def _names_defined_by(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
            yield name


def _is_abstract(statement: ast.stmt) -> bool:
    flags = getattr(statement, "decorator_list", [])
    return any(ast.unparse(flag).endswith("abstractmethod") for flag in flags)
