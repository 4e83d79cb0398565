"""Replaces tabs where they and spaces indent one block, which Python 3 refuses.

Python 2 takes a tab as a step to a multiple of 8 columns. With as many spaces each line stays in
the block that it is in.
"""

from __future__ import annotations

import io

from migrator.source.spans import Span
from migrator.source.tracked_text import Tracked

_TAB = 8


def mixed_tabs(text: Tracked) -> list[tuple[int, list[Span]]]:
    """Return the lines whose indentation Python 3 does not accept.

    Returns
    -------
    list[tuple[int, list[Span]]]
        Each with its number in the text; the first one of a block with the edits of all lines of
        the block.
    """
    found = []
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
            found.append((number, edits if number == wrong[0] else []))
    return found


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
    found = []
    stack = [(0, 0)]
    for number, indent in indents:
        wide, narrow = len(indent.expandtabs(_TAB)), len(indent)
        while stack and wide < stack[-1][0]:
            stack.pop()
        top = stack[-1] if stack else (-1, -1)
        if wide == top[0]:
            if narrow != top[1]:
                found.append(number)
            continue
        if narrow <= top[1]:
            found.append(number)
        stack.append((wide, narrow))
    return found


def _width(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
