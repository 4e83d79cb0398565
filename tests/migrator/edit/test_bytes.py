"""Everything but the edits stays byte for byte."""

from __future__ import annotations

import codecs

import pytest

from migrator.model.report import FileReport, Status
from tests.support.migrator.reports import report

OLD, NEW = b"from pyspark.streaming import DStream", b"from dstream_compat import DStream"


def check(before: bytes) -> FileReport:
    found = report(before)
    assert found.content == before.replace(OLD, NEW)
    return found


@pytest.mark.parametrize(
    "source",
    [
        OLD + b"\n",
        OLD,
        OLD + b"\r\nx = 1\r\n",
        OLD + b"\r\nx = 1",
        b"x = 1\n" + OLD + b"\r\ny = 2\n\r\nz = 3\r\n",
        b"\r\n\r\n" + OLD + b"\n",
        OLD + b"   \t \n\n\n\n   \n",
        b"if 1:\n\t" + OLD + b"\n\tx = 1\n",
        b"if 1:\n   " + OLD + b"  # tail \t\n",
        b"x = 1\x0c\n" + OLD + b"\n\x0c\ny = '\x0c'\n",
        b"#!/usr/bin/env python\n# coding: utf-8\n" + OLD + b"\n",
        b"x = '''\r\n  \t\r\n'''\n" + OLD + b"\n",
        b"x = 1; " + OLD + b" ; y = 2 ;\n",
        b"try:\n  " + OLD + b"\nexcept ImportError: pass\n",
        b"x = [\n  1,\n\n  2 ,]\n" + OLD + b"\\\n\n",
        "é = '\u2028 \x1c'\n".encode() + OLD + "  # ünï\n".encode(),
        b"if 1: " + OLD,
        OLD + b", \\\r\n    StreamingContext\r\n",
        b"\n" * 3 + OLD + b"\n" + b"# end without newline",
    ],
)
def test_layout_is_kept(source: bytes) -> None:
    check(source)


def test_bom() -> None:
    check(codecs.BOM_UTF8 + b"# x\n" + OLD + b"\n")


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "shift_jis", "koi8-r", "utf-8-sig"])
def test_cookie(encoding: str) -> None:
    name = "utf-8" if encoding == "utf-8-sig" else encoding
    text = {"shift_jis": "日本", "koi8-r": "привет"}.get(encoding, "café")
    head = f"# -*- coding: {name} -*-\n# {text}\n".encode(encoding)
    check(head + OLD + f"\nx = '{text}'\n".encode(name))


def test_a_cookie_on_the_second_line_counts() -> None:
    check(b"#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\n# \xe9\n" + OLD + b"\n")


def test_a_cookie_on_the_third_line_does_not() -> None:
    found = report(b"#\n#\n# coding: latin-1\n# \xe9\n" + OLD + b"\n")
    assert found.status is Status.UNREADABLE
    assert found.content is None


def test_lone_carriage_returns() -> None:
    """Old Mac line ends: kept, or left alone and said so; never changed."""
    for source in (b"x = 1\r" + OLD + b"\ry = 2\r", b"x = 1\r" + OLD + b"\ny = 2\r"):
        found = report(source)
        if found.content is None:
            assert [f.code for f in found.findings] == ["D004"]
        else:
            assert found.content == source.replace(OLD, NEW)


def test_columns_count_characters() -> None:
    found = report("x = 'é日😀'; from pyspark.streaming import DStream\n")
    assert (found.sites[0].at.line, found.sites[0].at.column) == (1, 42)
