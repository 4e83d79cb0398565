"""What counts of a source: its tokens and comments, without its layout."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator

from migrator.source.lines import split_lines

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
