"""The body of a small function: assignments, `if`, `return` and `raise`."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from ..expressions import Expression, Literal, error
from ..names import KNOWN_MODULES, Bindings, Known, Local, defaults
from ..raising import always_evaluated, may_raise
from ..refusals import Code
from ..scope import Scope, Value
from ..truth import not_none
from ..types import Array, Boolean, Never
from .comprehensions import target_names
from .conditions import choice
from .loops import appended_value, is_generator, list_name, loop_array, yielded_value

Evaluate = Callable[[Scope, ast.expr], Expression]


def result_of(function: ast.FunctionDef, scope: Scope, evaluate: Evaluate) -> Expression:
    """Return the value that a function returns, or its truth: what `evaluate` gives of it."""
    if function.decorator_list:
        scope.at(function.decorator_list[0]).refuse(Code.SYNTAX, "decorators are not translated")
    stored = Counter(_assigned_names(function.body))
    twice = [name for name, times in stored.items() if times > 1 or name in scope.names]
    kind = _Body
    if is_generator(function):
        if isinstance(evaluate(scope, ast.Constant(None)).type, Boolean):
            scope.at(function).refuse(Code.TYPE, "the truth of a generator is used")
        kind = _Generator
    body = kind(frozenset(twice), evaluate, function)
    return body.result(function.body, replace(scope, own=frozenset((*scope.names, *stored))))


class _Body:
    """The statements of a function; what follows an `if` is translated for each branch."""

    def __init__(
        self, assigned_twice: frozenset[str], evaluate: Evaluate, function: ast.FunctionDef
    ) -> None:
        self._assigned_twice = assigned_twice
        self._evaluate = evaluate
        self._function = function

    def result(self, statements: list[ast.stmt], scope: Scope) -> Expression:
        """Return the value that statements return."""
        if not statements:
            return self._evaluate(scope, ast.Constant(None))
        first, rest = statements[0], statements[1:]
        here = scope.at(first)
        match first:
            case ast.Return(value=node):
                return self._evaluate(scope, node or ast.Constant(None))
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return self.result(rest, scope)
            case ast.Assign(targets=[target], value=node):
                return self._after_assignment(target, node, rest, scope)
            case ast.AnnAssign(target=target, value=ast.expr() as node):
                return self._after_assignment(target, node, rest, scope)
            case ast.AugAssign(target=ast.Name() as target, op=op, value=node):
                read = ast.copy_location(ast.Name(target.id, ast.Load()), target)
                whole = ast.copy_location(ast.BinOp(read, op, node), first)
                return self._after_assignment(target, whole, rest, scope)
            case ast.If():
                test = scope.condition(first.test)
                body = scope.with_known_values(not_none(test, True))
                orelse = scope.with_known_values(not_none(test, False))
                if isinstance(test, Literal):
                    return self.result(
                        [*(first.body if test.value else first.orelse), *rest], scope
                    )
                return choice(
                    here,
                    test,
                    self.result([*first.body, *rest], body),
                    self.result([*first.orelse, *rest], orelse),
                )
            case ast.For():
                return self._after_loop(first, rest, scope)
            case ast.Raise():
                return error(ast.unparse(first.exc) if first.exc else "raise")
            case ast.FunctionDef():
                names: dict[str, Value] = {first.name: self._local(first, scope)}
                return self.result(rest, scope.binding(names))
            case ast.Import() | ast.ImportFrom():
                return self.result(rest, scope.binding(self._imported_names(first, scope)))
            case ast.Expr():
                here.refuse(Code.SIDE_EFFECT, "the statement has an effect besides the result")
        here.refuse(Code.SYNTAX, "this statement is not translated")

    def _after_loop(self, loop: ast.For, rest: list[ast.stmt], scope: Scope) -> Expression:
        """Return what follows a loop that appends to a list, which was empty before."""
        here = scope.at(loop)
        name = list_name(loop)
        before = None if name is None else scope.names.get(name)
        if name is None or not isinstance(before, Expression) or before.type != Array(Never()):
            here.refuse(Code.SYNTAX, "a loop is translated only if it appends to an empty list")
        uses = [
            node
            for node in ast.walk(self._function)
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        ]
        inside = sum(node in uses for node in ast.walk(loop))
        calls = sum(
            appended_value(name)(node) is not None
            for node in ast.walk(loop)
            if isinstance(node, ast.stmt)
        )
        early = any(
            (node.lineno, node.col_offset) < (loop.lineno, loop.col_offset) for node in uses
        )
        if early or inside != calls:
            here.refuse(Code.SYNTAX, "the list is used before it is complete")
        hidden = {each: value for each, value in scope.names.items() if each != name}
        array = loop_array(replace(scope, names=hidden), loop, appended_value(name))
        result = self.result(rest, scope.binding({name: array}))
        if may_raise(array) and array not in {*always_evaluated(result)}:
            here.refuse(Code.EVALUATION, "the list may raise, but is not always used")
        return result

    def _after_assignment(
        self, target: ast.expr, node: ast.expr, rest: list[ast.stmt], scope: Scope
    ) -> Expression:
        here = scope.at(node)
        value = scope.value(node)
        if isinstance(value, Local):
            value = self._local(value.node, scope)
        if not isinstance(value, Expression):
            if not isinstance(target, ast.Name):
                here.refuse(Code.TYPE, "a function is used as a value")
            return self.result(rest, scope.binding({target.id: value}))
        if isinstance(value.type, Array) and value.type.lazy:
            here.refuse(Code.TYPE, "an iterator gets a name; it can be read only once")
        names = target_names(here, target, value)
        result = self.result(rest, scope.binding(names))
        # Python computes the value here, used or not.
        evaluated = {*always_evaluated(result)}
        parts = [each for each in names.values() if isinstance(each, Expression)]
        if isinstance(value.type, Array) and not isinstance(target, ast.Name):
            # Each part of a list raises if the list has another length.
            complete = any(each in evaluated for each in parts)
        else:
            complete = all(each in evaluated for each in parts if may_raise(each))
        if not complete:
            here.refuse(Code.EVALUATION, "the value may raise, but is not always used")
        return result

    def _local(self, node: ast.Lambda | ast.FunctionDef, scope: Scope) -> Local:
        """Return a function inside; it sees the later values of names that are assigned again."""
        hidden: dict[str, Value | None] = dict.fromkeys(self._assigned_twice)
        return Local(node, Bindings(hidden, scope), defaults(node, scope))

    def _imported_names(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> dict[str, Value]:
        names: dict[str, Value] = {}
        for alias in node.names:
            module = node.module if isinstance(node, ast.ImportFrom) else alias.name
            if module not in KNOWN_MODULES or (isinstance(node, ast.ImportFrom) and node.level):
                scope.at(node).refuse(Code.UNKNOWN_NAME, f"the module {module} is not translated")
            dotted = f"{module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
            names[alias.asname or alias.name] = Known(dotted)
        return names


class _Generator(_Body):
    """The statements of a generator, whose values are those of a loop, or few."""

    def result(self, statements: list[ast.stmt], scope: Scope) -> Expression:
        """Return the values that statements yield."""
        if not statements:
            return self._lazy(scope, ast.List([], ast.Load()))
        first, rest = statements[0], statements[1:]
        here = scope.at(first)
        goes_on = bool(rest) and not isinstance(rest[0], ast.Return)
        match first:
            case ast.Return(value=None | ast.Constant(value=None)):
                return self._lazy(scope, ast.List([], ast.Load()))
            case ast.For() | ast.Expr(value=ast.Yield() | ast.YieldFrom()) if goes_on:
                here.refuse(Code.SYNTAX, "the generator goes on after this statement")
            case ast.For():
                return self._of(loop_array(scope, first, yielded_value))
            case ast.Expr(value=ast.Yield(value=value)):
                yielded = value or ast.copy_location(ast.Constant(None), first)
                return self._lazy(scope, ast.copy_location(ast.List([yielded], ast.Load()), first))
            case ast.Expr(value=ast.YieldFrom(value=value)):
                return self._lazy(scope, value)
            case ast.Return():
                here.refuse(Code.SYNTAX, "a generator that returns a value is not translated")
        return super().result(statements, scope)

    def _lazy(self, scope: Scope, node: ast.expr) -> Expression:
        return self._of(scope.at(node).expect(scope.value(node), Array))

    def _of(self, array: Expression) -> Expression:
        assert isinstance(array.type, Array)
        return replace(array, type=replace(array.type, lazy=True))


def _assigned_names(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements assign, without those of functions inside."""
    pending: list[ast.AST] = [*body]
    while pending:
        node = pending.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
                continue
            case (
                ast.Lambda() | ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp()
            ):
                continue
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Import() | ast.ImportFrom():
                yield from (alias.asname or alias.name for alias in node.names)
        pending.extend(ast.iter_child_nodes(node))
