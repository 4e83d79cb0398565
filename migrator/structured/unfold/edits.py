"""Edits of a module that keep the lines from which its text came."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import takewhile

from migrator.source.spans import with_spans

from ..program.modules import SourceModule

Span = tuple[int, int, str]


@dataclass(frozen=True)
class LineEdit:
    """What takes the place of whole lines.

    Parameters
    ----------
    first, last : int
        the lines, from 1; none of them if the last is before the first
    lines : tuple of (str, int)
        the new lines, each with the line of the module from which it came
    """

    first: int
    last: int
    lines: tuple[tuple[str, int], ...] = ()


def with_edits(module: SourceModule, edits: Iterable[LineEdit], *notes: str) -> SourceModule:
    """Return a module after some edits, which touch other lines each."""
    lines = list(zip(module.lines, range(1, len(module.lines) + 1), strict=True))
    if lines and not lines[-1][0].endswith("\n"):
        lines[-1] = lines[-1][0] + "\n", lines[-1][1]
    for edit in sorted(edits, key=lambda each: each.first, reverse=True):
        lines[edit.first - 1 : edit.last] = [(f"{text}\n", line) for text, line in edit.lines]
    text = "".join(line for line, _ in lines)
    # lines of other files have higher numbers than those of the module
    known_origins = dict(enumerate(module.origins, 1))
    origins = tuple(known_origins.get(number, number) for _, number in lines)
    return replace(
        module,
        text=text,
        tree=ast.parse(text),
        origins=origins,
        notes=(*module.notes, *notes),
        first=module.first or module.tree,
    )


def edit_of_spans(module: SourceModule, first: int, last: int, spans: Iterable[Span]) -> LineEdit:
    """Return the edit that puts texts of one line in the place of parts of some lines."""
    start, end = module.starts[first - 1], module.starts[last]
    text = module.text[start:end]
    lines = list(range(first, last + 1))
    spans = sorted(spans, reverse=True)
    for begin, stop, _ in spans:
        before = module.text.count("\n", start, begin)
        gone = module.text.count("\n", begin, stop)
        del lines[before + 1 : before + 1 + gone]
    text = with_spans(text, spans, start)
    return LineEdit(first, last, tuple(zip(text.rstrip("\n").split("\n"), lines, strict=True)))


def moved_lines(
    module: SourceModule, first: int, last: int, spans: Iterable[Span], inner: str, pad: str
) -> list[tuple[str, int]]:
    """Return some lines with texts in the place of parts of them, at another indentation."""
    lines = edit_of_spans(module, first, last, spans).lines
    return [(pad + text.removeprefix(inner) if text.strip() else "", n) for text, n in lines]


def without_comment(text: str, comments: Iterable[str]) -> str:
    """Return a line without the comment at its end, if it is one of some."""
    found = next(filter(text.endswith, comments), None)
    return text if found is None else text.removesuffix(found).rstrip()


def without_comments(
    module: SourceModule, lines: Iterable[tuple[str, int]]
) -> list[tuple[str, int]]:
    """Return lines of a module without its comments, and without those that are nothing else."""
    comments = {comment.line: [comment.text] for comment in module.comments}
    plain = ((without_comment(text, comments.get(n, ())), n) for text, n in lines)
    return [(text, n) for text, n in plain if text.strip() or n not in comments]


def edits_of_spans(module: SourceModule, spans: Iterable[Span]) -> list[LineEdit]:
    """Return the edits that put texts in the place of parts of single lines."""
    lines: dict[int, list[Span]] = {}
    for span in spans:
        lines.setdefault(bisect_right(module.starts, span[0]), []).append(span)
    return [edit_of_spans(module, line, line, spans) for line, spans in lines.items()]


def instead(
    module: SourceModule, statement: ast.stmt, lines: Iterable[tuple[str, int]]
) -> LineEdit:
    """Return the edit that puts lines in the place of a statement, below the comments in it."""
    first, last = module.lines_of(statement)
    pad = indentation(module, statement)
    new = ((pad + text, line) for text, line in lines)
    return LineEdit(first, last, (*comment_lines(module, pad, first, last), *new))


def with_name(
    module: SourceModule, statement: ast.stmt, value: ast.expr, name: str
) -> SourceModule:
    """Return a module in which a part of a statement is computed above it, under a name."""
    first, last = module.lines_of(statement)
    edit = edit_of_spans(module, first, last, [(*module.span(value), name)])
    text = f"{indentation(module, statement)}{name} = {one_line(module, value)}"
    return with_edits(module, [LineEdit(first, last, ((text, value.lineno), *edit.lines))])


def comment_lines(module: SourceModule, pad: str, first: int, last: int) -> list[tuple[str, int]]:
    """Return the comments of some lines, as lines of their own."""
    return [(pad + comment.text, comment.line) for comment in module.comments_in(first, last)]


def has_long_text(nodes: Iterable[ast.AST]) -> bool:
    """Return whether one of some nodes is a text of several lines, whose white space counts."""
    texts = (node for node in nodes if isinstance(node, ast.Constant | ast.JoinedStr))
    return any(text.lineno != text.end_lineno for text in texts)


def without(module: SourceModule, statement: ast.stmt) -> LineEdit:
    """Return the edit that takes out a statement with the lines around it."""
    lines = module.lines
    first, end = module.first_comment(statement), module.lines_of(statement)[1]
    last = end
    while last < len(lines) and not lines[last].strip():
        last += 1
    after = lines[last] if last < len(lines) else ""
    above = next((line for line in reversed(lines[: first - 1]) if line.strip()), "")
    # one empty line parts statements at the top, two part functions
    if after.startswith(("def ", "class ", "@", "async ")) or above.startswith((" ", "\t")):
        empty = takewhile(lambda line: not line.strip(), reversed(lines[: first - 1]))
        missing = last - end - len([*empty]) if after else 0
        return LineEdit(first, last, (("", end),) * missing)
    if statement.col_offset == 0:
        while first > 2 and not "".join(lines[first - 3 : first - 1]).strip():
            first -= 1
    return LineEdit(first, last)


def is_alone(module: SourceModule, statement: ast.stmt) -> bool:
    """Return whether a block has no other statement."""
    return any(value == [statement] for _, value in ast.iter_fields(module.parents[statement]))


def is_in_place(module: SourceModule, node: ast.Name | ast.Attribute) -> bool:
    """Return whether a name is where its node says: Python 3.11 errs in f-strings."""
    source = module.source(node)
    return source == node.id if isinstance(node, ast.Name) else source.endswith(f".{node.attr}")


def one_line(module: SourceModule, node: ast.expr) -> str:
    """Return the source of an expression on one line."""
    return as_line(module.source(node))


def as_line(text: str) -> str:
    """Return an expression on one line, without comments in it."""
    return ast.unparse(ast.parse(f"({text}\n)", mode="eval")) if "\n" in text else text


def indentation(module: SourceModule, statement: ast.stmt) -> str:
    """Return the white space before a statement."""
    line = module.lines[statement.lineno - 1]
    return line[: len(line) - len(line.lstrip())]
