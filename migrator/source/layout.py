"""The layout of a source: the same program with a statement a line, and the way back.

What writes code needs to know one layout only: four spaces a block, a statement a line, one kind of
line ends. Lines that it leaves alone come back as they were, byte for byte; what it writes gets the
indentation of the block that it is in, and the line ends of the file.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from migrator.source.lines import TextLines, common_ends, keep_ends, split_lines
from migrator.source.problems import RewriteProblem

# What counts of a source: its tokens and comments, without its layout.

UNIT = "    "
"""The indentation of a block in the plain layout."""
Place = tuple[int, int]
SILENT = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
"""The tokens that are layout."""


def all_tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """Yield the tokens of a source, whatever ends its lines."""
    lines = io.StringIO("\n".join(split_lines(text)), newline="\n")
    return tokenize.generate_tokens(lines.readline)


def is_semicolon(token: tokenize.TokenInfo) -> bool:
    """Return whether a token ends a statement on its line."""
    return (token.type, token.string) == (tokenize.OP, ";")


def code_tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """Yield what counts of a source: its tokens and comments, without line ends and `;`."""
    for token in all_tokens(text):
        if token.type not in SILENT and not is_semicolon(token):
            yield token


def starts(text: str) -> list[Place]:
    """Return where the tokens begin; columns count from 0 and in bytes, as in `ast`."""
    return [
        (token.start[0], len(token.line[: token.start[1]].encode("utf-8", "surrogatepass")))
        for token in code_tokens(text)
    ]


def ends(text: str) -> list[Place]:
    """Return where the tokens end; columns are those of `tokenize`."""
    return [token.end for token in code_tokens(text)]


def unusual_line(text: str) -> int:
    """Return the first line of a source that is not in the plain layout, 0 if there is none."""
    lines = split_lines(text)
    lines_found = set()
    waiting: list[tuple[ast.AST, int]] = [(ast.parse(text), 0)]
    while waiting:
        node, depth = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                line = lines[child.lineno - 1]
                inner = depth - (isinstance(node, ast.If) and line.lstrip().startswith("elif"))
                if line[: child.col_offset] != UNIT * inner:
                    lines_found.add(child.lineno)
                waiting.append((child, inner + 1))
            else:
                waiting.append((child, depth + isinstance(child, ast.match_case)))
    for token in all_tokens(text) if ";" in text or "\t" in text else ():
        row, column = token.start
        before = "" if token.type in SILENT else lines[row - 1][:column]
        if is_semicolon(token) or ("\t" in before and not before.strip()):
            lines_found.add(row)
    return min(lines_found, default=0)


def is_same(text: str, other: str) -> bool:
    """Return whether two sources are the same program, with the same comments."""
    try:
        trees = ast.dump(ast.parse(text)) == ast.dump(ast.parse(other))
        return trees and [*map(_type_and_text, code_tokens(text))] == [
            *map(_type_and_text, code_tokens(other))
        ]
    except (SyntaxError, tokenize.TokenError, RecursionError):
        return False


def _type_and_text(token: tokenize.TokenInfo) -> tuple[int, str]:
    return token.type, token.string


_LINE_END = 1_000_000
_MISFIT = "the result does not fit into the layout of the code"


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
    starts: Sequence[tuple[Place, Place]] = ()
    unit: str = UNIT
    unusual: int = 0

    def place(self, line: int, column: int = 0) -> Place:
        """Return the place in the original source of one in the plain text."""
        index = bisect_right(self.starts, (line, column), key=lambda each: each[0]) - 1
        if index < 0:
            return line, column
        (own, at), (before, before_at) = self.starts[index]
        return before + line - own, column + before_at - at if line == own else column

    def line(self, line: int) -> int:
        """Return the line in the original source of one in the plain text, by what ends it."""
        return self.place(line, _LINE_END)[0]

    def restore(self, edited: str) -> str:
        """Return an edited text in the layout of the original.

        Raises
        ------
        RewriteProblem
            If it does not fit into that.
        """
        if self.text == self.original:
            return edited
        # libcst costs more than a job in the plain layout
        from migrator.source.plain_form import with_indentation

        lines_by_number = self._kept_lines(edited)
        again = with_indentation(edited, lines_by_number, self.unit)
        if again is None:
            raise RewriteProblem(_MISFIT)
        plain = split_lines(again)
        newline = TextLines(self.original).usual_end
        lines = [lines_by_number.get(at, line + newline) for at, line in enumerate(plain[:-1])]
        result = "".join(lines) + lines_by_number.get(len(plain) - 1, plain[-1])
        if not is_same(edited, result):
            raise RewriteProblem(_MISFIT)
        return result

    def _groups(self) -> Iterator[tuple[int, int, str]]:
        """Yield the parts that are restored whole: their lines in the text, and the original."""
        plain, lines = split_lines(self.text), keep_ends(self.original)
        breaks = {0: 0, len(plain) - (not plain[-1]): len(lines)}
        bounds = [(1, 1), *ends(self.text)], [(1, 1), *ends(self.original)]
        for (own, before), end, old_end in zip(self.starts, *bounds, strict=False):
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
        lines_by_number = {}
        for first, last, text in self._groups():
            places = [moved.get(at, -1) for at in range(first, last)]
            if places and places == [*range(places[0], places[0] + len(places))] and places[0] >= 0:
                lines_by_number[places[0]] = text
                lines_by_number |= dict.fromkeys(places[1:], "")
        return lines_by_number


def plain_layout(text: str) -> PlainLayout:
    """Return a source in the plain layout; as it is, if libcst does not read it.

    Parameters
    ----------
    text : str
        A source that parses.
    """
    unusual = unusual_line("\n".join(split_lines(text)))
    if "\r" not in text and not unusual:
        return PlainLayout(text, text)
    from migrator.source.plain_form import plain_form

    plain_text = plain_form(text)
    if plain_text is None or unusual_line(plain_text[0]):
        return PlainLayout(text, text, unusual=unusual or 1)
    plain, unit = plain_text
    pairs = zip(starts(plain), starts(text), strict=True)
    return PlainLayout(plain, text, [*pairs], unit)


def _moved_lines(before: list[str], after: list[str]) -> dict[int, int]:
    """Return where lines of a text are in an edited one."""
    head, tail = common_ends(before, after)
    middle = before[head : len(before) - tail], after[head : len(after) - tail]
    moved = {at: at for at in range(head)}
    for block in SequenceMatcher(None, *middle, autojunk=False).get_matching_blocks():
        moved |= {head + block.a + at: head + block.b + at for at in range(block.size)}
    return moved | {len(before) - at: len(after) - at for at in range(1, tail + 1)}


# The statements without effect that keep the places of what is no code of a program.

_MARK = "pass  # migrate-keeps-place-"
_MARKED = re.compile(re.escape(_MARK) + r"(\d+)[\r\n]*")


def place_mark(number: int) -> str:
    """Return the statement with a number."""
    return f"{_MARK}{number}"


def marked_place(line: str) -> int | None:
    """Return the number of the statement that a line is, None if it is another one."""
    match = _MARKED.fullmatch(line)
    return None if match is None else int(match[1])
