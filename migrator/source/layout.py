"""The layout of a source: the same program with a statement a line, and the way back.

What writes code needs to know one layout only: four spaces a block, a statement a line, one kind of
line ends. Lines that it leaves alone come back as they were, byte for byte; what it writes gets the
indentation of the block that it is in, and the line ends of the file.
"""

from __future__ import annotations

import ast
import io
import tokenize
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from migrator.source.lines import keep_ends, split_lines
from migrator.source.problems import RewriteProblem

UNIT = "    "
_MISFIT = "the result does not fit into the layout of the code"
_CONFIG = cst.PartialParserConfig(default_indent=UNIT, default_newline="\n")
_SILENT = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
_Place = tuple[int, int]


@dataclass(frozen=True)
class PlainLayout:
    """A source in the plain layout, and where its parts were.

    Parameters
    ----------
    text : str
        The source in the plain layout.
    original : str
        The source as it was.
    starts : sequence of (place, place)
        Where each token begins in the plain text, and where in the original one; lines count from
        1, columns from 0 and in bytes, as in `ast`.
    unit : str
        The indentation of a block.
    unusual : int
        The first line that is not in the plain layout, 0 if all are.
    """

    text: str
    original: str
    starts: Sequence[tuple[_Place, _Place]] = ()
    unit: str = UNIT
    unusual: int = 0

    def place(self, line: int, column: int = 0) -> _Place:
        """Return the place in the original source of one in the plain text."""
        found = bisect_right(self.starts, (line, column), key=lambda each: each[0]) - 1
        if found < 0:
            return line, column
        (own, at), (before, before_at) = self.starts[found]
        return before + line - own, column + before_at - at if line == own else column

    def restore(self, edited: str) -> str:
        """Return an edited text in the layout of the original.

        Raises
        ------
        RewriteProblem
            If it does not fit into that.
        """
        if self.text == self.original:
            return edited
        kept = self._kept_lines(edited)
        try:
            plain = split_lines(self._indented(edited, kept))
        except (cst.ParserSyntaxError, RecursionError):
            raise RewriteProblem(_MISFIT) from None
        newline = _usual_end(self.original)
        lines = [kept.get(at, line + newline) for at, line in enumerate(plain[:-1])]
        found = "".join(lines) + kept.get(len(plain) - 1, plain[-1])
        if not _is_same(edited, found):
            raise RewriteProblem(_MISFIT)
        return found

    def _groups(self) -> Iterator[tuple[int, int, str]]:
        """Yield the parts that are restored whole: their lines in
        the plain text, and their original.
        """
        plain, lines = split_lines(self.text), keep_ends(self.original)
        breaks = {0: 0, len(plain) - (not plain[-1]): len(lines)}
        ends = [(1, 1), *_ends(self.text)], [(1, 1), *_ends(self.original)]
        for (own, before), end, old_end in zip(self.starts, *ends, strict=False):
            # comments and empty lines between two statements
            if own[0] - end[0] == before[0] - old_end[0]:
                for last, old_last in zip(
                    range(end[0], own[0]), range(old_end[0], before[0]), strict=True
                ):
                    continued = lines[old_last - 1].rstrip("\r\n").endswith("\\")
                    if not continued or plain[last - 1].endswith("\\"):
                        breaks[last] = old_last
        for (first, old_first), (last, old_last) in pairwise(sorted(breaks.items())):
            yield first, last, "".join(lines[old_first:old_last])

    def _kept_lines(self, edited: str) -> dict[int, str]:
        """Return the lines of an edited text that are as they were, with their original."""
        moved = _moved_lines(split_lines(self.text), split_lines(edited))
        kept = {}
        for first, last, text in self._groups():
            places = [moved.get(at, -1) for at in range(first, last)]
            if places and places == [*range(places[0], places[0] + len(places))] and places[0] >= 0:
                kept[places[0]] = text
                kept |= dict.fromkeys(places[1:], "")
        return kept

    def _indented(self, edited: str, kept: Mapping[int, str]) -> str:
        """Return an edited text with the indentation that the blocks around each line have."""
        wrapper = MetadataWrapper(cst.parse_module(edited, _CONFIG), unsafe_skip_copy=True)
        places = wrapper.resolve(PositionProvider)
        indents: dict[cst.IndentedBlock, str] = {}

        def look(node: cst.CSTNode, around: str) -> None:
            inner = around
            if isinstance(node, cst.IndentedBlock):
                lines = [kept.get(places[each].start.line - 1, "") for each in node.body]
                found = next((_indent(line) for line in lines if line.strip()), None)
                # Python takes more for a block than text that goes on with that of the one around
                is_usual = found is not None and found.startswith(around)
                inner = found if found is not None and is_usual else around + self.unit
                indents[node] = inner[len(around) :]
            for child in node.children:
                look(child, inner)

        look(wrapper.module, "")
        return wrapper.module.visit(_Indented(indents, self.unit)).code


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


def plain_layout(text: str) -> PlainLayout:
    """Return a source in the plain layout; as it is, if libcst does not read it.

    Parameters
    ----------
    text : str
        A source that parses.
    """
    unix = "\n".join(split_lines(text))
    unusual = _unusual_line(unix)
    if unix == text and not unusual:
        return PlainLayout(text, text)
    try:
        try:
            module = cst.parse_module(unix)
        except cst.ParserSyntaxError:
            module = cst.parse_module(_evenly_indented(unix))
        plain = module.visit(_Plain()).code
    except (cst.ParserSyntaxError, RecursionError):
        # it is newer than libcst, or nested too deeply
        plain = ""
    if _unusual_line(plain) or not _is_same(unix, plain):
        return PlainLayout(text, text, unusual=unusual or 1)
    pairs = zip(_starts(plain), _starts(text), strict=True)
    unit = module.default_indent
    return PlainLayout(plain, text, [*pairs], unit if len({*unit}) == 1 else UNIT)


def _evenly_indented(text: str) -> str:
    """Return a source with four spaces a block; tabs and spaces may mix in ways of Python alone."""
    lines = text.split("\n")
    depth, is_first = 0, True
    for token in _all_tokens(text):
        depth += (token.type == tokenize.INDENT) - (token.type == tokenize.DEDENT)
        if token.type == tokenize.NEWLINE:
            is_first = True
        elif is_first and token.type not in (*_SILENT, tokenize.COMMENT):
            row = token.start[0] - 1
            lines[row] = UNIT * depth + lines[row].lstrip(" \t\f")
            is_first = False
    return "\n".join(lines)


def _unusual_line(text: str) -> int:
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
    for token in _all_tokens(text) if ";" in text or "\t" in text else ():
        row, column = token.start
        before = lines[row - 1][:column]
        if _is_semicolon(token) or ("\t" in before and not before.strip()):
            found.add(row)
    return min(found, default=0)


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


def _moved_lines(before: list[str], after: list[str]) -> dict[int, int]:
    """Return where lines of a text are in an edited one."""
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    rest = range(1, most - head + 1)
    tail = next((at - 1 for at in rest if before[-at] != after[-at]), most - head)
    middle = before[head : len(before) - tail], after[head : len(after) - tail]
    moved = {at: at for at in range(head)}
    for block in SequenceMatcher(None, *middle, autojunk=False).get_matching_blocks():
        moved |= {head + block.a + at: head + block.b + at for at in range(block.size)}
    return moved | {len(before) - at: len(after) - at for at in range(1, tail + 1)}


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _usual_end(text: str) -> str:
    ends = [line[len(line.rstrip("\r\n")) :] for line in keep_ends(text)]
    return max(("\n", "\r\n", "\r"), key=ends.count)


def _all_tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    lines = io.StringIO("\n".join(split_lines(text)), newline="\n")
    return tokenize.generate_tokens(lines.readline)


def _is_semicolon(token: tokenize.TokenInfo) -> bool:
    return (token.type, token.string) == (tokenize.OP, ";")


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """Yield what counts of a source: its tokens and comments, without line ends and `;`."""
    for token in _all_tokens(text):
        if token.type not in _SILENT and not _is_semicolon(token):
            yield token


def _starts(text: str) -> list[_Place]:
    return [
        (each.start[0], len(each.line[: each.start[1]].encode("utf-8", "surrogatepass")))
        for each in _tokens(text)
    ]


def _ends(text: str) -> list[_Place]:
    return [each.end for each in _tokens(text)]


def _is_same(text: str, other: str) -> bool:
    """Return whether two sources are the same program, with the same comments."""
    try:
        trees = ast.dump(ast.parse(text)) == ast.dump(ast.parse(other))
        return trees and [*map(_shown, _tokens(text))] == [*map(_shown, _tokens(other))]
    except (SyntaxError, tokenize.TokenError, RecursionError):
        return False


def _shown(token: tokenize.TokenInfo) -> tuple[int, str]:
    return token.type, token.string
