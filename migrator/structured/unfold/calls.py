"""Functions that are given parts of a job, or make some: their code in the place of their calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from migrator.infer.program import FunctionInfo, Scope
from migrator.infer.scopes import default_values, scope_of
from migrator.infer.values import Function
from migrator.source.spans import with_spans
from migrator.spark.kinds import Kind

from ..program.arguments import bind_arguments
from ..program.bindings import names_of, stores
from ..program.modules import SourceModule, parts_at_once
from ..program.settings import lazy_session
from ..program.values import JOB, MADE, function_of, has_any, holds, is_in_batch
from ..registry import OUTPUTS
from .contexts import uses_context_around
from .edits import (
    LineEdit,
    Span,
    as_line,
    comment_lines,
    edit_of_spans,
    has_long_text,
    indentation,
    is_alone,
    is_in_place,
    moved_lines,
    with_edits,
    without,
    without_comment,
    without_comments,
)
from .functions import (
    can_be_renamed,
    does_something,
    is_first,
    is_pure,
    is_straight,
    loaded_names,
    paired_names,
    span_of_name,
    uses_of,
)


def unfold_call(module: SourceModule) -> Iterator[SourceModule]:
    """Yield modules with the code of a function in the place of a call.

    The code is the same, in the same order. What it calls its own gets other names where the code
    around has them.
    """
    calls = [node for node in ast.walk(module.tree) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda each: (each.lineno, each.col_offset)):
        function = function_of(module, call)
        if function is not None and _is_of_job(module, call, function):
            unfolding = Unfolding.of(module, call, function)
            edits = None if unfolding is None else unfolding.edits()
            if edits is not None:
                yield with_edits(module, edits)


def _is_of_job(module: SourceModule, call: ast.Call, function: Function) -> bool:
    values = module.facts.values
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    value = values.get(call)
    node = function.info.node
    if is_in_batch(module, call) or is_in_batch(module, node):
        return False
    if isinstance(call.func, ast.Name) and lazy_session(module, call.func) is not None:
        return False  # it keeps the session for all that call it
    if function.owner is not None:
        of_name = isinstance(getattr(call.func, "value", None), ast.Name)
        if not (of_name and module.parents[node] in module.around(call)):
            return False  # an object has several methods
    if any(holds(values.get(each), JOB) for each in arguments):
        return True
    if any(holds(values.get(each), MADE) for each in arguments) and has_any(module, node, JOB):
        return True
    owner = module.parents[node]
    if function.owner is not None and isinstance(owner, ast.ClassDef):
        if holds(value, MADE) or has_any(module, node, JOB):
            return True
        # the rest of what makes the object
        begins = getattr(module.function(call), "name", "") == "__init__"
        return begins and isinstance(module.parents[call], ast.Expr) and has_any(module, owner, JOB)
    if module.parents[node] is module.tree and uses_context_around(module, node):
        return True
    if value is None or value.unknown or not holds(value, MADE):
        return False
    # a function that builds the whole job stays, and is called where it was
    builds = holds(value, {Kind.STREAMING_CONTEXT})
    return not (builds and any(getattr(inner, "attr", "") in OUTPUTS for inner in ast.walk(node)))


MOST = 12
"""How many statements a function may have that is called in several places."""
_PLAIN = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript)


@dataclass
class Unfolding:
    """A call, and the function that it calls."""

    module: SourceModule
    call: ast.Call
    info: FunctionInfo
    node: ast.FunctionDef
    statement: ast.stmt
    target: Scope
    body: list[ast.stmt]
    uses: int
    texts: dict[str, str] = field(default_factory=dict)
    first: list[str] = field(default_factory=list)
    receiver: str = ""

    @classmethod
    def of(
        cls, module: SourceModule, call: ast.Call, function: Function, uses: int | None = None
    ) -> Unfolding | None:
        """Return them, None if the function cannot take the place of its call."""
        info, node = function.info, function.info.node
        assert isinstance(node, ast.FunctionDef)
        statement, scopes = module.statement(call), ast.FunctionDef | ast.ClassDef | ast.Module
        around = next(outer for outer in module.around(statement) if isinstance(outer, scopes))
        if isinstance(around, ast.ClassDef) or node in module.around(call):
            return None
        is_text = isinstance(getattr(node.body[0], "value", None), ast.Constant)
        body = node.body[1:] if is_text and isinstance(node.body[0], ast.Expr) else node.body
        # what stands behind it never runs
        ends = [at for at, statement in enumerate(body, 1) if isinstance(statement, ast.Return)]
        body = body[: ends[0]] if ends else body
        target = module.program.scopes.get(around) or scope_of(module.program, around, None)
        uses = uses_of(module, node, function) if uses is None else uses
        if uses is None or not body or not is_straight(node, body):
            return None
        if uses > 1 and len(body) > MOST:
            return None
        return cls(module, call, info, node, statement, target, body, uses)

    def edits(self, keep: bool = False) -> list[LineEdit] | None:
        """Return the edits; None if the code would mean something else there.

        Parameters
        ----------
        keep : bool
            whether the function stays until its class is gone
        """
        module = self.module
        if not (self._stands_alone() and self._bind() and self._same_names()):
            return None
        if not all(is_in_place(module, use) for use, _ in module.names_in(self.node)):
            return None
        *others, last = self.body
        value = last.value if isinstance(last, ast.Return) else None
        statements = [*others, *([] if isinstance(last, ast.Return) else [last])]
        if (statements or self.first) and not is_first(self.statement, self.call, module):
            return None
        end = self._end(value)
        if not self._rename(end) or self._is_hidden():
            return None
        pad, inner = indentation(module, self.statement), indentation(module, self.body[0])
        lines: list[tuple[str, int]] = []
        start = self.node.lineno
        if self.uses == 1:
            head = max(self.body[0].lineno - 1, start)
            lines += comment_lines(module, pad, module.first_comment(self.node), head)
        lines += [(pad + text, self.statement.lineno) for text in self.first]
        lines += self._lines_of(statements, pad, inner) if statements else []
        if isinstance(last, ast.Return) and self.uses == 1:
            between = (statements[-1].end_lineno or start) + 1 if statements else last.lineno
            lines += comment_lines(module, pad, between, last.end_lineno or last.lineno)
        lines += self._last(value, end)
        edits_found = [
            LineEdit(self.statement.lineno, self.statement.end_lineno or 0, tuple(lines))
        ]
        if self.uses == 1 and not keep:
            edits_found.append(without(module, self.node))
            if is_alone(module, self.node):
                return None
        return edits_found

    def _lines_of(self, statements: list[ast.stmt], pad: str, inner: str) -> list[tuple[str, int]]:
        """Return the lines of statements of the function, where its call is."""
        first, last = statements[0].lineno, statements[-1].end_lineno or 0
        lines = moved_lines(self.module, first, last, self._spans(statements), inner, pad)
        # comments stay with the function until its last call
        return lines if self.uses == 1 else without_comments(self.module, lines)

    def _stands_alone(self) -> bool:
        """Return whether the lines of the call and of the function are theirs."""
        lines = self.module.lines
        for statement in (self.statement, self.node, *self.body):
            last = statement.end_lineno or statement.lineno
            before = lines[statement.lineno - 1][: statement.col_offset]
            after = lines[last - 1].encode()[statement.end_col_offset :].decode().strip()
            if before.strip() or (after and not after.startswith("#")):
                return False
        plain = isinstance(self.statement, ast.Expr | ast.Assign | ast.Return | ast.AnnAssign)
        return plain and not any(has_long_text(ast.walk(statement)) for statement in self.body)

    def _bind(self) -> bool:
        """Note the texts that take the place of parameters; False if they are not known."""
        arguments = self._arguments()
        if arguments is None:
            return False
        values = self.module.facts.values
        if self.receiver:
            self.texts[self.node.args.args[0].arg] = self.receiver
        for name, value in arguments.items():
            source = self.module.source(value)
            tracked = holds(values.get(value), MADE) and isinstance(value, ast.Name | ast.Attribute)
            fixed = isinstance(value, ast.Constant) or (
                isinstance(value, ast.Name) and (tracked or self._is_bound_once(value))
            )
            fixed = fixed or (len(self.body) == 1 and self._is_used_once(name) and is_pure(value))
            plain = "\n" not in source and (fixed or tracked)
            if plain and not stores(self.node, name):
                self.texts[name] = source
            elif value in self._defaults().values() and not isinstance(value, ast.Constant):
                return False
            else:
                new = self._free(name)
                self.texts[name] = new
                self.first.append(f"{new} = {as_line(source)}")
        return True

    def _is_used_once(self, name: str) -> bool:
        """Return whether a parameter is evaluated once, where the function is called."""
        uses = [scope for use, scope in self.module.names_in(self.node) if use.id == name]
        return uses == [self.info.scope]

    def _is_bound_once(self, name: ast.Name) -> bool:
        owner = self.target.owner_of(name.id)
        if owner is None:
            return False
        named = {e for n in ast.walk(self.module.tree) for e in getattr(n, "names", ())}
        return len(stores(owner.node, name.id)) <= 1 and name.id not in named

    def _arguments(self) -> dict[str, ast.expr] | None:
        """Return the arguments of the call by their parameters."""
        args, call = self.node.args, self.call
        names = [argument.arg for argument in (*args.posonlyargs, *args.args)]
        if self.receiver:
            names = names[1:]
        elif self._is_method() and isinstance(call.func, ast.Attribute):
            call = ast.Call(call.func, [call.func.value, *call.args], call.keywords)
        if args.vararg or args.kwarg or len(call.args) > len(names):
            return None
        names += [argument.arg for argument in args.kwonlyargs]
        defaults = self._defaults()
        arguments = bind_arguments(
            call, tuple(f"{name}=" if name in defaults else name for name in names)
        )
        return None if arguments is None else defaults | arguments

    def _defaults(self) -> dict[str, ast.expr]:
        return dict(default_values(self.node))

    def _is_method(self) -> bool:
        return self.info.owner is not None and "staticmethod" not in self.info.flags

    def _same_names(self) -> bool:
        """Return whether the names that the function has from outside mean the same at the call."""
        if self.info.scope.outer:
            return False
        own = {*self.info.scope.locals}
        for use, scope in self.module.names_in(self.node):
            owner = scope.owner_of(use.id)
            outside = owner is None or owner.node not in {*ast.walk(self.node)}
            if outside and use.id not in own and self.target.owner_of(use.id) is not owner:
                return False
        return not self._comprehension_names() & own

    def _comprehension_names(self) -> set[str]:
        """Return the names that comprehensions of the function have for themselves."""
        comprehensions = [n for n in ast.walk(self.node) if isinstance(n, ast.comprehension)]
        return set().union(*(names_of(comprehension.target) for comprehension in comprehensions))

    def _rename(self, end: dict[str, str]) -> bool:
        """Give the names of the function others where the code around has them."""
        parameters = {e.arg for e in ast.walk(self.node.args) if isinstance(e, ast.arg)}
        taken = self.target.locals | loaded_names(self.module, self.target.node, self.node)
        taken |= {*self.texts.values()}
        for name in sorted(self.info.scope.locals - parameters):
            if name in end:
                self.texts[name] = end[name]
            elif name in taken:
                self.texts[name] = self._free(name)
            else:
                continue
            if self.texts[name] != name and not can_be_renamed(self.node, name):
                return False
        return True

    def _is_hidden(self) -> bool:
        """Return whether a function in this one has a name for itself that would be put there."""
        bound = self._comprehension_names()
        for use, scope in self.module.names_in(self.node):
            new = self.texts.get(use.id, use.id)
            if new == use.id or scope.owner_of(use.id) is not self.info.scope:
                continue
            names = names_of(ast.parse(new))
            around: Scope | None = scope
            while around is not None and around is not self.info.scope:
                if names & around.locals:
                    return True
                around = around.parent
            if names & bound:
                return True
        return False

    def _free(self, name: str) -> str:
        taken = self.target.locals | loaded_names(self.module, self.target.node, self.node)
        if name not in taken and name not in self.texts.values():
            return name
        return self.module.numbered_name(name)

    def _end(self, value: ast.expr | None) -> dict[str, str]:
        """Return the names of the function that become those which the call is assigned to."""
        if not (isinstance(self.statement, ast.Assign) and self.statement.value is self.call):
            return {}
        if value is None or len(self.statement.targets) != 1:
            return {}
        pairs = paired_names(self.statement.targets[0], value)
        own = self.info.scope.locals
        if pairs is None or not all(name in own and name not in self.texts for name, _ in pairs):
            return {}
        # the name may be in use while the function runs
        loaded = {use.id for use, _ in self.module.names_in(self.node)}
        news = {new for _, new in pairs}
        if len(news) < len(pairs) or news & (loaded | {*self.texts.values()}) - {*dict(pairs)}:
            return {}
        return dict(pairs)

    def _last(self, value: ast.expr | None, end: dict[str, str]) -> Iterator[tuple[str, int]]:
        """Yield the lines of the statement of the call with what the function returns."""
        module, statement = self.module, self.statement
        lines, pad = module.lines_of(statement), indentation(module, statement)
        yield from comment_lines(module, pad, *lines)
        if self.receiver and isinstance(statement, ast.Assign) and value is None:
            return
        if end or (_is_whole(statement, self.call) and not does_something(value)):
            return
        text = "None"
        if value is not None:
            start, stop = module.span(value)
            text = as_line(with_spans(module.text[start:stop], self._spans([value]), start))
            if not isinstance(value, _PLAIN) and not _is_whole(statement, self.call):
                text = f"({text})" if _is_inside(statement, self.call) else text
        start, stop = module.span(statement)
        whole = with_spans(module.text[start:stop], [(*module.span(self.call), text)], start)
        last_lines = [word for word in whole.split("\n") if not word.strip().startswith("#")]
        for place, each in enumerate(last_lines):
            plain = without_comment(each, [c.text for c in module.comments_in(*lines)])
            yield (pad + plain if place == 0 else plain), statement.lineno

    def _spans(self, nodes: list[ast.stmt] | list[ast.expr]) -> list[Span]:
        """Return the edits of names in some code of the function."""
        inside = {part for node in nodes for part in ast.walk(node)}
        spans = []
        for use, scope in self.module.names_in(self.node):
            new = self.texts.get(use.id)
            own = scope.owner_of(use.id) is self.info.scope
            if own and use in inside and new is not None and new != use.id:
                spans.append((*self.module.span(use), new))
        for part in inside:
            if isinstance(part, ast.FunctionDef) and self.module.function(part) is self.node:
                new = self.texts.get(part.name, part.name)
                if new != part.name:
                    spans.append((*span_of_name(self.module, part), new))
        return spans


def _is_whole(statement: ast.stmt, call: ast.Call) -> bool:
    """Return whether a statement is nothing but a call."""
    return isinstance(statement, ast.Expr) and statement.value is call


def _is_inside(statement: ast.stmt, call: ast.Call) -> bool:
    return getattr(statement, "value", None) is not call


def unfold_return(module: SourceModule) -> Iterator[SourceModule]:
    """Yield modules in which a function of a job that returns in the branches of an `if` has one
    `return` less: it returns at its end.
    """
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.FunctionDef) or is_in_batch(module, node):
            continue
        returns = [part for part in parts_at_once(*node.body) if isinstance(part, ast.Return)]
        values = (
            module.facts.values.get(ending.value) for ending in returns if ending.value is not None
        )
        if len(returns) < 2 or not any(holds(each, JOB) for each in values):
            continue
        if has_long_text(ast.walk(node)):
            continue
        for edits in (_with_else(module, node.body), _with_result(module, node, returns)):
            if edits:
                yield with_edits(module, edits)


def _with_else(module: SourceModule, body: list[ast.stmt]) -> list[LineEdit]:
    """Return the edits that put what follows an `if` with a `return` into its `else`."""
    for statement, following in pairwise(body):
        match statement:
            case ast.If(body=[*_, ast.Return()], orelse=[]):
                first = (statement.end_lineno or statement.lineno) + 1
                last = body[-1].end_lineno or first
                if following.lineno < first:
                    return []
                lines = [(f"{indentation(module, statement)}else:", statement.lineno)]
                for number in range(first, last + 1):
                    text = module.lines[number - 1].rstrip("\n")
                    lines.append((f"    {text}" if text.strip() else "", number))
                return [LineEdit(first, last, tuple(lines))]
    match body[-1:]:
        case [ast.If(body=one, orelse=other)]:
            return _with_else(module, one) or _with_else(module, other)
    return []


def _with_result(
    module: SourceModule, node: ast.FunctionDef, returns: list[ast.Return]
) -> list[LineEdit]:
    """Return the edits that give a name to what the branches of the last `if` return."""
    ends = _ends(node.body)
    values = [end.value for end in ends if isinstance(end, ast.Return)]
    if len(ends) != len(returns) or not all(ending in ends for ending in returns) or None in values:
        return []
    name, last = module.free_name("result"), node.end_lineno or node.lineno
    edits = []
    for ending in returns:
        start = module.span(ending)[0]
        spans: list[Span] = [(start, start + len("return"), f"{name} =")]
        edits.append(edit_of_spans(module, *module.lines_of(ending), spans))
    text = f"{indentation(module, node.body[-1])}return {name}"
    return [*edits, LineEdit(last + 1, last, ((text, last),))]


def _ends(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return the last statements that may run in a block."""
    match body[-1:]:
        case [ast.If(body=one, orelse=other)] if other:
            return [*_ends(one), *_ends(other)]
    return body[-1:]
