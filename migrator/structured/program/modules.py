"""What the rewriting knows of a module: its names, imports, comments and places."""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, count

from dstream_compat.native.names import (
    Environment,
    body_environment,
    function_environment,
    module_environment,
)
from migrator.infer.around import ModulesAround, infer_around
from migrator.infer.fixpoint import infer_alone
from migrator.infer.program import Facts, Program, Scope, ScopeNode
from migrator.infer.scopes import binding_of_import, bindings
from migrator.infer.values import path_of
from migrator.source.child_nodes import parents_of
from migrator.source.import_place import first_line
from migrator.source.layout import PlainLayout, all_tokens
from migrator.source.lines import Located, TextLines
from migrator.source.python import Chunk, Unit, deep_recursion, nodes_of
from migrator.spark import api

from .bindings import loads, names_of, stores

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.comprehension)


@dataclass(frozen=True)
class Comment:
    """A comment with its place."""

    line: int
    text: str
    alone: bool


@dataclass(frozen=True)
class OtherLines:
    """Lines of another file that the text of a job has.

    Parameters
    ----------
    before : int
        what is added to the numbers of its lines in `origins`
    home : int
        the line of the user's file that imports it
    layout : PlainLayout
        its layout, in whose plain form the lines are
    """

    path: str
    before: int
    home: int
    layout: PlainLayout


@dataclass(frozen=True)
class Copy:
    """A function or constant of another file that a job has only to be read.

    Parameters
    ----------
    name : str
        its name in the job
    statement : str
        the import of it
    """

    name: str
    statement: str


@dataclass
class SourceModule:
    """A module that is rewritten.

    Parameters
    ----------
    origins : tuple of int
        the line of the user's file from which each line came, if the text is another one
    notes : tuple of str
        what an owner has to know of what the text has no more
    first : ast.Module, optional
        the syntax of the user's file, if the text is another one
    surroundings : ModulesAround, optional
        the modules around the user's file, if they may be read
    others : tuple of OtherLines
        the files that lines came from, those with the highest numbers first
    taken : tuple of (str, str)
        the functions and classes of other files that the text has, each with its file
    copies : tuple of Copy
        the functions and constants of other files that it has besides these
    added : tuple of str
        the imports of what code of other files uses
    implied : tuple of str
        imports of single names that a star import gives as well
    reserved : frozenset of str
        names that the results of other jobs of the file have
    """

    text: str
    tree: ast.Module
    origins: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    first: ast.Module | None = None
    surroundings: ModulesAround | None = None
    others: tuple[OtherLines, ...] = ()
    taken: tuple[tuple[str, str], ...] = ()
    copies: tuple[Copy, ...] = ()
    added: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()
    reserved: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self._places = TextLines(self.text)
        self.lines, self.starts = self._places.rows, self._places.starts

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node around each node."""
        return parents_of(self.tree)

    @cached_property
    def paths(self) -> dict[str, str]:
        """The dotted path of each name that an import binds, where nothing assigns it."""
        paths = self.import_paths(ast.walk(self.tree))
        return {name: path for name, path in paths.items() if not stores(self.tree, name)}

    @cached_property
    def global_paths(self) -> dict[str, str]:
        """The paths of names that mean an import in all of the module."""
        paths = self.import_paths(self.tree.body)
        return {name: path for name, path in paths.items() if not self.binds(name, path)}

    @staticmethod
    def import_paths(nodes: Iterable[ast.AST]) -> dict[str, str]:
        """Return the dotted path of each name that one of these nodes imports."""
        paths: dict[str, str] = {}
        for node in nodes:
            relative = getattr(node, "level", 0)
            if isinstance(node, ast.Import | ast.ImportFrom) and not relative:
                for alias in node.names:
                    paths |= binding_of_import(node, alias)
        return paths

    def binds(self, name: str, path: str) -> bool:
        """Return whether a name means something else than what a path leads to, anywhere."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                others = [binding_of_import(node, alias).get(name, path) for alias in node.names]
                if any(api.canonical(other) != api.canonical(path) for other in others):
                    return True
            elif name in bindings(node):
                return True
        return False

    def origin(self, line: int) -> int:
        """Return the line of the user's file from which a line came, or that imports it."""
        number = self.origins[line - 1] if self.origins else line
        file = self.other_file(line)
        return number if file is None else file.home

    def other_file(self, line: int) -> OtherLines | None:
        """Return the file from which a line came, None if it is the user's."""
        number = self.origins[line - 1] if self.origins else line
        return next((other for other in self.others if number > other.before), None)

    def place(self, line: int) -> tuple[str, int]:
        """Return the file and the line from which a line came; the user's file has no name."""
        number = self.origins[line - 1] if self.origins else line
        file = self.other_file(line)
        if file is None:
            return "", number
        return file.path, file.layout.line(number - file.before)

    def note(self, line: int, text: str) -> str:
        """Return a note about a line of the module."""
        path, number = self.place(line)
        return f"{path}, line {number}: {text}" if path else f"line {number}: {text}"

    @cached_property
    def program(self) -> Program:
        """What inference has found out about the module."""
        with deep_recursion():
            return infer_alone(_unit(self.text, self.tree), has_shell=True)

    @property
    def program_around(self) -> Program:
        """What inference finds out if it reads the modules that this one imports, too."""
        if self.surroundings is None:
            return self.program
        return _program_with_imports(self.text, self.tree, self.surroundings)

    @property
    def facts(self) -> Facts:
        """What inference has found out about each expression."""
        return self.program.facts

    def path_of(self, node: ast.expr) -> str | None:
        """Return the dotted path of what an expression is: a module, or a class or function of
        another module; None if it may be something else.
        """
        return path_of(self.facts.values.get(node)) or None

    def is_old(self, node: ast.expr, name: str) -> bool:
        """Return whether an expression is a class of PySpark, by the last part of its path."""
        path = self.path_of(node)
        return path is not None and path.startswith("pyspark") and path.rpartition(".")[2] == name

    @cached_property
    def environment(self) -> Environment:
        """What the names of the module mean for the translator of functions."""
        return module_environment(self.tree)

    def environment_in(self, block: Block) -> Environment:
        """Return what names mean in a block."""
        environment = self.environment
        for function in block.functions:
            environment = function_environment(function, environment)
        if not block.functions and block.body is not self.tree.body:
            environment = body_environment(block.body, environment)
        return environment

    def constant(self, node: ast.expr) -> ast.expr:
        """Return what a name at the top of the module means, if assigned once and only read."""
        if not isinstance(node, ast.Name):
            return node
        owned = (ast.Attribute, ast.Subscript, ast.Starred)
        changed = any(isinstance(self.parents[n], owned) for n in loads(self.tree, node.id))
        return (None if changed else self.assigned_value(node.id)) or node

    def assigned_value(self, name: str) -> ast.expr | None:
        """Return what a name is assigned at the top of the module, if nothing else binds it."""
        bound = [node for node in ast.walk(self.tree) if name in bindings(node)]
        for statement in self.tree.body if len(bound) == 1 else ():
            if isinstance(statement, ast.Assign) and statement.targets == bound:
                return statement.value
        return None

    def span(self, node: Located) -> tuple[int, int]:
        """Return where a node begins and ends in the text."""
        return self._places.span(node)

    @staticmethod
    def lines_of(node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return the first and the last line of a node."""
        return node.lineno, node.end_lineno or node.lineno

    def source(self, node: ast.expr | ast.stmt) -> str:
        """Return the source of a node as it is written."""
        start, end = self.span(node)
        return self.text[start:end]

    @cached_property
    def comments(self) -> list[Comment]:
        """All comments of the module."""
        tokens = (token for token in all_tokens(self.text) if token.type == tokenize.COMMENT)
        return [
            Comment(line, token.string, not self.lines[line - 1][:column].strip())
            for token in tokens
            for line, column in [token.start]
        ]

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield a node and all that it is in, the nearest first."""
        outer: ast.AST | None = node
        while outer is not None:
            yield outer
            outer = self.parents.get(outer)

    def function(self, node: ast.AST) -> ast.FunctionDef | ast.Lambda | ast.Module:
        """Return the function around a node, the module if there is none."""
        kinds = ast.FunctionDef | ast.Lambda | ast.Module
        around = (outer for outer in self.around(node) if outer is not node)
        return next(outer for outer in around if isinstance(outer, kinds))

    def function_given(
        self, block: Block, argument: ast.expr
    ) -> tuple[ast.FunctionDef | ast.Lambda | None, Block]:
        """Return the function that an argument is, None if it is not written in the file, and the
        block that defines it: this one, or the module.
        """
        if not isinstance(argument, ast.Name):
            return (argument if isinstance(argument, ast.Lambda) else None), block
        function = block.function(argument.id)
        if function is not None:
            return function, block
        scopes, top = self.program.scopes, Block(self.tree.body)
        owner = scopes[(block.functions or (self.tree,))[-1]].owner_of(argument.id)
        return (top.function(argument.id) if owner is scopes[self.tree] else None), top

    def statement(self, node: ast.AST) -> ast.stmt:
        """Return the statement that a node is in."""
        return next(outer for outer in self.around(node) if isinstance(outer, ast.stmt))

    def statement_in(self, statements: Collection[ast.stmt], node: ast.AST) -> ast.stmt:
        """Return the statement, one of some, that a node is in."""
        statement = next(outer for outer in self.around(node) if outer in statements)
        assert isinstance(statement, ast.stmt)
        return statement

    def above(self, line: int) -> int:
        """Return the first line of the comments right above a line; itself if there are none."""
        alone = {comment.line for comment in self.comments if comment.alone}
        while line - 1 in alone:
            line -= 1
        return line

    def first_comment(self, statement: ast.stmt) -> int:
        """Return the first line of the comments right above a statement."""
        return self.above(first_line(statement))

    def comments_in(self, first: int, last: int) -> list[Comment]:
        """Return the comments of some lines."""
        return [comment for comment in self.comments if first <= comment.line <= last]

    @cached_property
    def names(self) -> set[str]:
        """All names that occur in the module."""
        return names_of(self.tree).union(self.reserved, *map(bindings, ast.walk(self.tree)))

    def names_in(self, code: ScopeNode) -> Iterator[tuple[ast.Name, Scope]]:
        """Yield the names in a function or module, each with the scope that looks it up."""
        scopes = self.program.scopes
        waiting: list[tuple[ast.AST, Scope]] = [(code, scopes[code])]
        while waiting:
            node, scope = waiting.pop()
            if isinstance(node, ast.Name):
                yield node, scope
            inner = scopes.get(node, scope) if isinstance(node, ScopeNode) else scope
            children = [*ast.iter_child_nodes(node)]
            if isinstance(node, ast.arguments | ast.arg):
                # defaults and annotations are parts of the code around
                children = [child for child in children if isinstance(child, ast.arg)]
            outside = outer_parts(node)
            apart = {*outside}
            waiting += [(each, scope) for each in outside]
            waiting += [(child, inner) for child in reversed(children) if child not in apart]

    def names_around(self, block: Block) -> set[str]:
        """Return the names that a block and what is around it bind, without inner functions."""
        around: list[ScopeNode] = [self.tree, *block.functions]
        scopes = (self.program.scopes[outer] for outer in around)
        shared = (node.names for node in ast.walk(self.tree) if isinstance(node, ast.Global))
        return {*chain(*(scope.locals for scope in scopes), *shared)}

    def free_name(self, *base_name: str) -> str:
        """Return the first of these names that the module does not use; it is taken then."""
        numbered = (f"{base_name[-1]}{number}" for number in count(2))
        name = next(name for name in chain(base_name, numbered) if name not in self.names)
        self.names.add(name)
        return name

    def numbered_name(self, name: str) -> str:
        """Return a free name, as the one of a name in another place."""
        numbered = (f"{name}_{number}" for number in count(2))
        return self.free_name(next(each for each in numbered if each not in self.names))

    def own_name(self, name: str) -> str:
        """Return a name if it is free, else a numbered one."""
        return self.numbered_name(name) if name in self.names else self.free_name(name)


def _unit(text: str, tree: ast.Module) -> Unit:
    return Unit([Chunk(text, tree, nodes_of(tree))], tree)


@lru_cache(maxsize=2)
def _program_with_imports(text: str, tree: ast.Module, around: ModulesAround) -> Program:
    with deep_recursion():
        return infer_around(_unit(text, tree), around)


def outer_parts(node: ast.AST) -> list[ast.expr]:
    """Return what a function computes where it is defined: defaults, decorators, annotations."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return []
    args = node.args
    parts = [*args.defaults, *(default for default in args.kw_defaults if default is not None)]
    if not isinstance(node, ast.Lambda):
        parts += node.decorator_list
        every = (node for node in ast.walk(args) if isinstance(node, ast.arg))
        parts += [each.annotation for each in every if each.annotation is not None]
        parts += [node.returns] if node.returns is not None else []
    return parts


def parts_at_once(*code: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of some code that run with it: not those of functions in it."""
    waiting = [*code]
    while waiting:
        node = waiting.pop()
        yield node
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        waiting += outer_parts(node) if is_function else ast.iter_child_nodes(node)


def calls_at_once(code: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls that run with some code: not those of functions in it."""
    return (part for part in parts_at_once(code) if isinstance(part, ast.Call))


def own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes of some statements that may bind names beside them: none of those inside
    functions, classes and comprehensions.
    """
    waiting = [*body]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting += ast.iter_child_nodes(node)


@dataclass
class Block:
    """A list of statements in which a job is built.

    Parameters
    ----------
    functions : tuple of ast.FunctionDef
        the functions around it, the outermost first
    """

    body: list[ast.stmt]
    functions: tuple[ast.FunctionDef, ...] = ()

    def function(self, name: str) -> ast.FunctionDef | ast.Lambda | None:
        """Return a function that this block defines once."""
        kinds = ast.FunctionDef | ast.ClassDef | ast.Name
        nodes = chain.from_iterable(map(ast.walk, self.body))
        bound = [node for node in nodes if isinstance(node, kinds) and name in bindings(node)]
        for statement in self.body if len(bound) == 1 else ():
            match statement:
                case ast.FunctionDef(decorator_list=[]) if statement in bound:
                    return statement
                case ast.Assign(targets=targets, value=ast.Lambda() as value):
                    if bound[0] in targets:
                        return value
        return None


def blocks(tree: ast.Module) -> Iterator[Block]:
    """Yield the blocks of a module that may build a job: bodies of functions, and the top."""

    def inside(body: list[ast.stmt], functions: tuple[ast.FunctionDef, ...]) -> Iterator[Block]:
        yield Block(body, functions)
        for statement in body:
            if isinstance(statement, ast.FunctionDef):
                yield from inside(statement.body, (*functions, statement))
            elif isinstance(statement, ast.If) and not functions:
                yield from inside(statement.body, functions)
            elif isinstance(statement, ast.ClassDef) and not functions:
                for method in statement.body:
                    if isinstance(method, ast.FunctionDef):
                        yield from inside(method.body, (method,))

    yield from inside(tree.body, ())
