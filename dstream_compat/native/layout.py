"""Lays out a piece of Python: on one line if it fits, else as formatters break it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

INDENT = "    "


@dataclass(frozen=True)
class Text:
    """What is never broken."""

    text: str
    precedence: int = 20


@dataclass(frozen=True)
class Invoked:
    """A call: what is called, with its arguments."""

    function: Piece
    arguments: tuple[Piece, ...]
    precedence: int = 20


@dataclass(frozen=True)
class Joined:
    """Pieces with nothing between them."""

    pieces: tuple[Piece, ...]
    precedence: int = 20


@dataclass(frozen=True)
class Infix:
    """Two operands and an operator."""

    left: Piece
    symbol: str
    right: Piece
    precedence: int


Piece = Text | Invoked | Joined | Infix


def in_brackets(piece: Piece, least: int) -> Piece:
    """Return a piece in brackets, if it binds less than its place needs."""
    if piece.precedence >= least:
        return piece
    return Joined((Text("("), piece, Text(")")))


def flat(piece: Piece) -> str:
    """Return a piece on one line."""
    match piece:
        case Text(text=text):
            return text
        case Invoked(function=function, arguments=arguments):
            return f"{flat(function)}({', '.join(map(flat, arguments))})"
        case Joined(pieces=pieces):
            return "".join(map(flat, pieces))
        case Infix(left=left, symbol=symbol, right=right):
            return f"{flat(left)} {symbol} {flat(right)}"


def lay_out(piece: Piece, width: int, indent: int = 0, used: int = 0, after: int = 0) -> str:
    """Return a piece within a width.

    Parameters
    ----------
    piece : Piece
        what to lay out
    width : int
        the length of lines
    indent : int
        the indentation of the line on which it starts
    used : int
        what else is on that line
    after : int
        what else is on the line on which it ends
    """
    line = flat(piece)
    if indent + used + len(line) + after <= width:
        return line
    match piece:
        case Invoked(function=function, arguments=arguments) if arguments:
            head = lay_out(function, width, indent, used, 1)
            last = head.rpartition("\n")[2]
            listed = f"({', '.join(map(flat, arguments))})"
            if last != head and len(last) + len(listed) + after <= width:
                return head + listed
            inner = indent + len(INDENT)
            pad = "\n" + " " * inner
            lines = "".join(f"{pad}{lay_out(each, width, inner, 1)}," for each in arguments)
            return f"{head}({lines}\n{' ' * indent})"
        case Joined(pieces=(Text("("), inside, Text(")"))):
            inner = indent + len(INDENT)
            body = lay_out(inside, width, inner)
            return f"(\n{' ' * inner}{body}\n{' ' * indent})"
        case Joined(pieces=pieces):
            text = ""
            for place, each in enumerate(pieces, 1):
                _, broken, last = text.rpartition("\n")
                before = len(last) - indent if broken else used + len(last)
                # what cannot be broken stays behind it
                others = [*takewhile(lambda other: isinstance(other, Text), pieces[place:])]
                behind = sum(len(flat(other)) for other in others)
                behind += after * (place + len(others) == len(pieces))
                text += lay_out(each, width, indent, before, behind)
            return text
        case Infix(left=left, symbol=symbol, right=right):
            first = lay_out(left, width, indent, used)
            room = len(first.rpartition("\n")[2]) + len(symbol) + 2
            return f"{first} {symbol} {lay_out(right, width, indent, used + room, after)}"
    return line
