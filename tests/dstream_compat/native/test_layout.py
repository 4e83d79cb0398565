"""Pieces that do not fit on a line."""

from __future__ import annotations

import pytest

from dstream_compat.native.layout import Invoked, Joined, Piece, Text, lay_out


def method(owner: Piece, name: str, *arguments: str) -> Piece:
    return Invoked(Joined((owner, Text(f".{name}"))), tuple(map(Text, arguments)))


def call(name: str, *arguments: str) -> Piece:
    return Invoked(Text(name), tuple(map(Text, arguments)))


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (32, 'explode(split(value)).alias("w")'),
        (31, 'explode(split(value)).alias(\n    "w",\n)'),
        # the bracket that stays open needs its place, too
        (28, 'explode(split(value)).alias(\n    "w",\n)'),
        (27, 'explode(\n    split(value),\n).alias("w")'),
    ],
)
def test_what_is_broken_first(width: int, expected: str) -> None:
    piece = method(call("explode", "split(value)"), "alias", '"w"')
    assert lay_out(piece, width) == expected


def test_no_line_of_a_chain_is_too_long() -> None:
    piece: Piece = call("when", "kind == 'usa'", "'USA'")
    for name in ("ind", "aus", "nz"):
        piece = method(piece, "when", f"kind == '{name}'", f"'{name.upper()}'")
    piece = method(method(piece, "otherwise", "'Unknown'"), "alias", "'key'")
    for width in range(40, 120):
        for indent in (0, 4, 8):
            lines = lay_out(piece, width, indent, 1).split("\n")
            lines[0] = " " * indent + lines[0]
            assert max(map(len, lines)) <= width, "\n".join(lines)
