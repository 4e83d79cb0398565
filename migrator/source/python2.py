"""Turns Python 2 into a text that Python 3 parses, through fissix.

Of fissix's fixers, only those are used whose result means the same, or differs in a way that is
reported:

- `exec`, `ne`, `numliterals`, `paren`, `raise`, `repr` are fissix's own;
- `print`, `except`, `tuple_params` and strings have fixers of ours, whose modules say why;
- all others are left out. Most of them go by names alone: `long` would change a variable of that
  name, and `dict` would put `list()` around `rdd.values().collect()`. `migrator.python2.meaning`
  has them instead, which looks at what a name is bound to.
"""

from __future__ import annotations

import io
import logging
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

from migrator.source.lines import split_lines
from migrator.source.problems import RewriteProblem
from migrator.source.spans import Span
from migrator.source.tracked_text import Tracked

_TYPES = {
    "tname": "an annotation",
    "annassign": "an annotation",
    "star_expr": "a starred expression",
    "namedexpr_test": "an assignment expression",
    "async_stmt": "async code",
    "async_funcdef": "async code",
}
_LEAVES = {"->": "an annotation", ":=": "an assignment expression", "nonlocal": "nonlocal"}
_TAB = 8
_FISSIX = ("exec", "ne", "numliterals", "paren", "raise", "repr")
_OURS = ("except", "print", "strings", "tuple_params")
_FIXERS = (
    *(f"fissix.fixes.fix_{name}" for name in _FISSIX),
    *(f"migrator.source.fixers.fix_{name}" for name in _OURS),
)
# fissix takes seconds for more
_LONGEST = 300_000


def newer_syntax(tree: Any) -> str | None:
    """Return what of a source Python 2 does not parse, with its line; None for nothing."""
    from fissix.pgen2 import token
    from fissix.pygram import python_symbols as syms

    types = {getattr(syms, name): text for name, text in _TYPES.items() if hasattr(syms, name)}
    for node in tree.pre_order():
        kind = types.get(node.type)
        if not node.children:
            kind = kind or _LEAVES.get(node.value)
            if node.type == token.STRING and "f" in node.value.partition(node.value[-1])[0].lower():
                kind = "an f-string"
            elif node.type == token.NUMBER and "_" in node.value:
                kind = "an underscore in a number"
            elif node.type in (token.ASYNC, token.AWAIT):
                kind = "async code"
            elif node.value == "from" and node.parent.type in (syms.raise_stmt, syms.yield_arg):
                kind = f"`{node.parent.children[0].value} from`"
        if kind:
            return f"line {node.get_lineno()} has {kind}, which only Python 3 parses"
    return None


def mixed_tabs(text: Tracked) -> list[tuple[int, list[Span]]]:
    """Return the lines whose indentation Python 3 does not accept, by their numbers in the text;
    the first one of a block with the edits of all lines of the block.
    """
    lines_found = []
    lines = text.text.split("\n")
    for block in _blocks(text.text):
        indents = [(n, lines[n - 1][: _width(lines[n - 1])]) for n in block]
        wrong = _inconsistent(indents)
        for number in wrong:
            tabbed = [(n, indent) for n, indent in indents if "\t" in indent]
            edits = [
                Span(start, start + len(indent), indent.expandtabs(_TAB))
                for start, indent in ((text.offset(n, 0), indent) for n, indent in tabbed)
            ]
            lines_found.append((number, edits if number == wrong[0] else []))
    return lines_found


def _blocks(text: str) -> list[list[int]]:
    """Return the lines that begin statements, for each statement without indentation."""
    from fissix.pgen2 import token, tokenize

    blocks: list[list[int]] = []
    fresh = True
    skipped = (tokenize.COMMENT, tokenize.NL, token.INDENT, token.DEDENT)
    for kind, _, (line, column), _, _ in tokenize.generate_tokens(io.StringIO(text).readline):
        if kind in skipped or kind == token.ENDMARKER:
            continue
        if fresh:
            if column == 0 or not blocks:
                blocks.append([])
            blocks[-1].append(line)
        fresh = kind == token.NEWLINE
    return blocks


def _inconsistent(indents: list[tuple[int, str]]) -> list[int]:
    """Return the lines for which the width of a tab matters, as Python 3 finds them."""
    lines_found = []
    stack = [(0, 0)]
    for number, indent in indents:
        wide, narrow = len(indent.expandtabs(_TAB)), len(indent)
        while stack and wide < stack[-1][0]:
            stack.pop()
        top = stack[-1] if stack else (-1, -1)
        if wide == top[0]:
            if narrow != top[1]:
                lines_found.append(number)
            continue
        if narrow <= top[1]:
            lines_found.append(number)
        stack.append((wide, narrow))
    return lines_found


def _width(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


class ConvertProblem(Exception):
    """Text that is no Python 2 either."""


def can_convert() -> bool:
    """Return whether the optional part that reads Python 2 is installed."""
    return find_spec("fissix") is not None


@dataclass(frozen=True, slots=True)
class ConvertedOrigin:
    """The Python 2 that a text was made of, only to look at it.

    Parameters
    ----------
    text : Tracked
        The new one, which knows where its characters stood.
    """

    original: str
    text: Tracked

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return the place in the old text of one in the new text; lines count from 1."""
        return self.text.old_place(line, column)

    def restore(self, edited: str) -> str:
        """Return the old text.

        Raises
        ------
        RewriteProblem
            If the new one was edited.
        """
        if edited != self.text.text:
            raise RewriteProblem("what only Python 2 understands is not edited")
        return self.original


@dataclass(frozen=True, slots=True)
class Applied:
    """A fixer that changed something: the line of the original, and whether it is in a lambda."""

    fixer: str
    first: int
    in_lambda: bool = False


def read_as_python3(source: str) -> ConvertedOrigin:
    """Return a Python 2 source as Python 3, in which names and their meaning are as they were.

    Raises
    ------
    ConvertProblem
        If it is not Python 2.
    """
    text = Tracked("\n".join(split_lines(source)))
    convert_syntax(text, with_newer=True)
    text.edit(edit for _, edits in mixed_tabs(text) for edit in edits)
    return ConvertedOrigin(source, text)


def convert_syntax(text: Tracked, with_newer: bool = False) -> list[Applied]:
    """Convert a text; return which fixers changed what.

    Parameters
    ----------
    text : Tracked
        The source, without edits yet.
    with_newer : bool
        Whether it may have syntax that only Python 3 has.

    Raises
    ------
    ConvertProblem
        If it is not Python 2.
    """
    if len(text.text) > _LONGEST:
        raise ConvertProblem("it is too long to be converted")
    source = text.text + "\n"
    tool, applied = _tool()
    applied.clear()
    try:
        tree = _parse(tool, source)
        newer = None if with_newer else newer_syntax(tree)
        if newer is not None:
            raise ConvertProblem(newer)
        tool.refactor_tree(tree, "source")
    except ConvertProblem:
        raise
    except Exception as error:
        # fissix has no common base of what it raises for broken sources
        raise ConvertProblem(f"{type(error).__name__}: {error}") from None
    new, offsets = _text_of(tree, text)
    text.rewrite(new.removesuffix("\n"), offsets)
    return sorted(set(applied), key=lambda a: (a.first, a.fixer, a.in_lambda))


def _parse(tool: Any, source: str) -> Any:
    from fissix import pygram
    from fissix.refactor import _detect_future_features

    features = _detect_future_features(source)
    if "print_function" in features:
        tool.driver.grammar = pygram.python_grammar_no_print_statement
    try:
        tree = tool.driver.parse_string(source)
    finally:
        tool.driver.grammar = tool.grammar
    tree.future_features = features
    return tree


def _text_of(tree: Any, text: Tracked) -> tuple[str, list[tuple[int, int, int]]]:
    """Return the new text, and where the tokens of the old one stand in it."""
    parts: list[str] = []
    offsets = []
    length = 0
    for leaf in tree.leaves():
        value = leaf.value
        start = length + len(leaf.prefix)
        if value.strip() and leaf.lineno:
            old = text.offset(leaf.lineno, leaf.column)
            if text.text.startswith(value, old):
                offsets.append((old, start, len(value)))
        parts += (leaf.prefix, value)
        length = start + len(value)
    return "".join(parts), offsets


@cache
def _tool() -> tuple[Any, list[Applied]]:
    """Return the tool with its fixers, and the list that each of them adds to."""
    # an optional dependency, and only files that Python 3 does not parse pay for it
    from fissix.refactor import RefactoringTool

    # what it could not convert shows when the result is parsed
    logging.getLogger("RefactoringTool").disabled = True
    tool = RefactoringTool(list(_FIXERS), {}, [])
    applied: list[Applied] = []
    for fixer in (*tool.pre_order, *tool.post_order):
        name = type(fixer).__module__.rpartition("fix_")[2]
        fixer.transform = _with_note(fixer.transform, name, applied)
    return tool, applied


def _with_note(transform: Any, name: str, applied: list[Applied]) -> Any:
    def wrapper(node: Any, results: dict[str, Any]) -> Any:
        before = str(node)
        lines = [leaf.lineno for leaf in node.leaves() if leaf.lineno]
        new = transform(node, results)
        if lines and str(node if new is None else new) != before:
            in_lambda = name == "tuple_params" and before.lstrip().startswith("lambda")
            applied.append(Applied(name, lines[0], in_lambda))
        return new

    return wrapper
