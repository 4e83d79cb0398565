"""Makes the plain layout of a source with libcst, and indents plain text as a file does.

Decision 0109: Jobs are rewritten in one plain layout, and lines that stay come back as they were.
"""

from __future__ import annotations

import tokenize
from collections.abc import Iterator, Mapping

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from migrator.source.layout import SILENT, UNIT, all_tokens, is_same
from migrator.source.lines import split_lines

_CONFIG = cst.PartialParserConfig(default_indent=UNIT, default_newline="\n")


def plain_form(text: str) -> tuple[str, str] | None:
    """Return a source in the plain layout, and the indentation of its blocks; None if libcst does
    not read it.
    """
    unix = "\n".join(split_lines(text))
    try:
        try:
            module = cst.parse_module(unix)
        except cst.ParserSyntaxError:
            module = cst.parse_module(_even_text(unix))
        plain = module.visit(_Plain()).code
    except (cst.ParserSyntaxError, RecursionError):
        # it is newer than libcst, or nested too deeply
        return None
    unit = module.default_indent
    return (plain, unit if len({*unit}) == 1 else UNIT) if is_same(unix, plain) else None


def with_indentation(edited: str, lines_by_number: Mapping[int, str], unit: str) -> str | None:
    """Return a plain text with the indentation that the blocks around each line have, and with as
    many lines; None if libcst does not read it.
    """
    try:
        wrapper = MetadataWrapper(cst.parse_module(edited, _CONFIG), unsafe_skip_copy=True)
        places = wrapper.resolve(PositionProvider)
        lines = {node: range_.start.line - 1 for node, range_ in places.items()}
        indents = dict(_indents(wrapper.module, "", lines, lines_by_number, unit))
        return wrapper.module.visit(_Indented(indents, unit)).code
    except (cst.ParserSyntaxError, RecursionError):
        return None


def _indents(
    node: cst.CSTNode,
    around: str,
    lines: Mapping[cst.CSTNode, int],
    lines_by_number: Mapping[int, str],
    unit: str,
) -> Iterator[tuple[cst.IndentedBlock, str]]:
    """Yield what the lines of each block have before those of the block around it."""
    inner = around
    if isinstance(node, cst.IndentedBlock):
        old = (lines_by_number.get(lines[statement], "") for statement in node.body)
        indent = next((_indent(line) for line in old if line.strip()), None)
        # Python takes more for a block than text that goes on with that of the one around
        is_usual = indent is not None and indent.startswith(around)
        inner = indent if indent is not None and is_usual else around + unit
        yield node, inner[len(around) :]
    for child in node.children:
        yield from _indents(child, inner, lines, lines_by_number, unit)


def _even_text(text: str) -> str:
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
        return updated_node.with_changes(whitespace=_spaces(updated_node.whitespace))

    def leave_ParenthesizedWhitespace(
        self, original_node: cst.ParenthesizedWhitespace, updated_node: cst.ParenthesizedWhitespace
    ) -> cst.ParenthesizedWhitespace:
        return updated_node.with_changes(last_line=_spaces(updated_node.last_line))


def _lines_of(
    node: cst.SimpleStatementLine | cst.SimpleStatementSuite,
) -> list[cst.SimpleStatementLine]:
    """Return the statements of a line as lines; a comment stays behind the last one."""
    lines = [
        cst.SimpleStatementLine([statement.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)])
        for statement in node.body
    ]
    end = node.trailing_whitespace
    if end.comment is not None and not end.whitespace.value:
        end = end.with_changes(whitespace=cst.SimpleWhitespace("  "))
    lines[-1] = lines[-1].with_changes(trailing_whitespace=end)
    return lines


def _spaces(whitespace: cst.BaseParenthesizableWhitespace) -> cst.SimpleWhitespace:
    assert isinstance(whitespace, cst.SimpleWhitespace)
    return whitespace.with_changes(value=whitespace.value.expandtabs(len(UNIT)))


class _Indented(cst.CSTTransformer):
    """Gives blocks and continued lines their indentation."""

    def __init__(self, indents: Mapping[cst.IndentedBlock, str], unit: str) -> None:
        super().__init__()
        self.indents = indents
        self.unit = unit

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        return updated_node.with_changes(indent=self.indents[original_node])

    def leave_ParenthesizedWhitespace(
        self, original_node: cst.ParenthesizedWhitespace, updated_node: cst.ParenthesizedWhitespace
    ) -> cst.ParenthesizedWhitespace:
        space = self._in_units(updated_node.last_line.value)
        return updated_node.with_changes(last_line=cst.SimpleWhitespace(space))

    def leave_SimpleWhitespace(
        self, original_node: cst.SimpleWhitespace, updated_node: cst.SimpleWhitespace
    ) -> cst.SimpleWhitespace:
        first, *lines = updated_node.value.split("\n")
        return cst.SimpleWhitespace("\n".join([first, *map(self._in_units, lines)]))

    def _in_units(self, space: str) -> str:
        units, rest = divmod(len(space), len(UNIT))
        return self.unit * units + " " * rest if space.isspace() else space


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]
