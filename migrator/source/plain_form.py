"""Sources in the plain layout: a statement a line, four spaces a block, one kind of line ends."""

from __future__ import annotations

import ast
import tokenize

import libcst as cst

from migrator.source.code_tokens import SILENT, all_tokens, is_same, is_semicolon
from migrator.source.lines import split_lines

UNIT = "    "


def plain_form(text: str) -> tuple[str, str] | None:
    """Return a source in the plain layout, and the indentation of its blocks; None if libcst does
    not read it.
    """
    unix = "\n".join(split_lines(text))
    try:
        try:
            module = cst.parse_module(unix)
        except cst.ParserSyntaxError:
            module = cst.parse_module(_evenly_indented(unix))
        plain = module.visit(_Plain()).code
    except (cst.ParserSyntaxError, RecursionError):
        # it is newer than libcst, or nested too deeply
        return None
    unit = module.default_indent
    return (plain, unit if len({*unit}) == 1 else UNIT) if is_same(unix, plain) else None


def _evenly_indented(text: str) -> str:
    """Return a source with four spaces a block; tabs and spaces may mix in ways of Python alone."""
    lines = text.split("\n")
    depth, is_first = 0, True
    for token in all_tokens(text):
        depth += (token.type == tokenize.INDENT) - (token.type == tokenize.DEDENT)
        if token.type == tokenize.NEWLINE:
            is_first = True
        elif is_first and token.type not in (*SILENT, tokenize.COMMENT):
            row = token.start[0] - 1
            lines[row] = UNIT * depth + lines[row].lstrip(" \t\f")
            is_first = False
    return "\n".join(lines)


def unusual_line(text: str) -> int:
    """Return the first line of a source that is not in the plain layout, 0 if there is none."""
    lines = split_lines(text)
    found = set()
    waiting: list[tuple[ast.AST, int]] = [(ast.parse(text), 0)]
    while waiting:
        node, depth = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                line = lines[child.lineno - 1]
                inner = depth - (isinstance(node, ast.If) and line.lstrip().startswith("elif"))
                if line[: child.col_offset] != UNIT * inner:
                    found.add(child.lineno)
                waiting.append((child, inner + 1))
            else:
                waiting.append((child, depth))
    for token in all_tokens(text) if ";" in text or "\t" in text else ():
        row, column = token.start
        before = "" if token.type in SILENT else lines[row - 1][:column]
        if is_semicolon(token) or ("\t" in before and not before.strip()):
            found.add(row)
    return min(found, default=0)


class _Plain(cst.CSTTransformer):
    """Gives each statement a line of its own, and each block four spaces."""

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.BaseStatement | cst.FlattenSentinel[cst.BaseStatement]:
        lines = _lines_of(updated_node)
        lines[0] = lines[0].with_changes(leading_lines=updated_node.leading_lines)
        return cst.FlattenSentinel(lines)

    def leave_SimpleStatementSuite(
        self, original_node: cst.SimpleStatementSuite, updated_node: cst.SimpleStatementSuite
    ) -> cst.BaseSuite:
        return cst.IndentedBlock(_lines_of(updated_node), indent=UNIT)

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        return updated_node.with_changes(indent=UNIT)

    def leave_SimpleWhitespace(
        self, original_node: cst.SimpleWhitespace, updated_node: cst.SimpleWhitespace
    ) -> cst.SimpleWhitespace:
        first, *lines = updated_node.value.split("\n")
        return cst.SimpleWhitespace("\n".join([first, *(e.expandtabs(len(UNIT)) for e in lines)]))

    def leave_EmptyLine(
        self, original_node: cst.EmptyLine, updated_node: cst.EmptyLine
    ) -> cst.EmptyLine:
        return updated_node.with_changes(whitespace=_spaced(updated_node.whitespace))

    def leave_ParenthesizedWhitespace(
        self, original_node: cst.ParenthesizedWhitespace, updated_node: cst.ParenthesizedWhitespace
    ) -> cst.ParenthesizedWhitespace:
        return updated_node.with_changes(last_line=_spaced(updated_node.last_line))


def _lines_of(
    node: cst.SimpleStatementLine | cst.SimpleStatementSuite,
) -> list[cst.SimpleStatementLine]:
    """Return the statements of a line as lines; a comment stays behind the last one."""
    lines = [
        cst.SimpleStatementLine([each.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)])
        for each in node.body
    ]
    end = node.trailing_whitespace
    if end.comment is not None and not end.whitespace.value:
        end = end.with_changes(whitespace=cst.SimpleWhitespace("  "))
    lines[-1] = lines[-1].with_changes(trailing_whitespace=end)
    return lines


def _spaced(whitespace: cst.BaseParenthesizableWhitespace) -> cst.SimpleWhitespace:
    assert isinstance(whitespace, cst.SimpleWhitespace)
    return whitespace.with_changes(value=whitespace.value.expandtabs(len(UNIT)))
