"""Named tuples, dataclasses and classes of attrs."""

from __future__ import annotations

import pytest

from tests.support.migrator.inference import HEAD, value_of

IMPORTS = HEAD + (
    "import attr, collections, typing\nfrom collections import namedtuple\n"
    "from dataclasses import KW_ONLY, dataclass, field\nfrom typing import ClassVar, NamedTuple\n"
)
PAIR = "P = namedtuple('P', 'name stream')\n"
TYPED = "class P(NamedTuple):\n    name: str\n    stream: object = None\n"
CASES = [
    # named tuples
    (PAIR + "P('x', s).stream", "DStream"),
    (PAIR + "P('x', s).name", "other"),
    (PAIR + "P(name='x', stream=s)[1]", "DStream"),
    (PAIR + "P('x', s)[0]", "other"),
    (PAIR + "P('x', s)[-1]", "DStream"),
    (PAIR + "a, b = P('x', s)\nb", "DStream"),
    (PAIR + "[b for a, b in [P('x', s)]]", "[DStream]"),
    (PAIR + "P('x', None)._replace(stream=s).stream", "DStream | None"),
    (PAIR + "P(*('x', s)).stream", "DStream"),
    (PAIR + "P('x', s)", "P()"),
    (PAIR + "Q = namedtuple('Q', 'name stream')\nP('x', s)\nQ('x', 1).stream", "other"),
    ("P = collections.namedtuple('P', ['name', 'stream'])\nP('x', s).stream", "DStream"),
    ("P = namedtuple('P', 'name, stream')\nP('x', s).stream", "DStream"),
    ("P = typing.NamedTuple('P', [('n', str), ('stream', object)])\nP('x', s).stream", "DStream"),
    ("P = namedtuple('P', fields)\nP('x', s).stream", "unknown"),
    ("P = namedtuple('P', ['a', name])\nP('x', s).a", "unknown"),
    ("P = namedtuple()\nP(s).a", "unknown"),
    ("P = namedtuple(name, 'stream n')\nP(s, 1).n", "other"),
    ("def namedtuple(a, b): return a\nnamedtuple(1, 'stream')", "other"),
    ("class P(namedtuple('B', 'n stream')):\n    def m(self): return self.stream\nP('x', s).m()",
     "DStream"),
    ("class P(namedtuple('Base', 'name stream')): pass\nn, t = P('x', s)\nt", "DStream"),
    (TYPED + "name, stream = P('x', s)\nstream", "DStream | None"),
    (TYPED + "P('x', s)[0]", "other"),
    (TYPED + "first, *rest = P(s, s)\nfirst", "DStream | None"),
    ("class P:\n    def __init__(self, n, stream): pass\nn, t = P('x', s)\nt", "unknown"),
    (PAIR + "for p in (P('x', s), P('y', rdd)): pass\np.stream", "DStream | RDD"),
    # dataclasses
    ("@dataclass\nclass J:\n    n: int\n    s: object = None\nJ(1, s).s", "DStream | None"),
    ("@dataclass\nclass J:\n    n: int\n    s: object = None\nJ(1, s).n", "other"),
    ("@dataclass\nclass J:\n    s: object\nJ(s=s).s", "DStream"),
    ("@dataclass\nclass J:\n    s: object\nJ(**{'s': s}).s", "DStream"),
    ("@dataclass\nclass J:\n    s: object\nJ(**make()).s", "unknown"),
    ("@dataclass\nclass J:\n    s: object\nJ(*make()).s", "unknown"),
    ("@dataclass\nclass J:\n    s: object = field(default=s)\nJ().s", "DStream"),
    ("@dataclass\nclass J:\n    s: list = field(default_factory=list)\nj = J()\n"
     "j.s.append(s)\nj.s", "[DStream]"),
    ("@dataclass\nclass J:\n    n: int\n@dataclass\nclass K(J):\n    s: object\nK(1, s).s",
     "DStream"),
    ("@dataclass\nclass J:\n    n: ClassVar[int] = 0\n    s: object = None\nJ(s).s",
     "DStream | None"),
    ("@dataclass\nclass J:\n    n: int = field(init=False)\n    s: object = None\nJ(s).s",
     "DStream | None"),
    ("@dataclass\nclass J:\n    a: int\n    _: KW_ONLY\n    s: object\nJ(1, s=s).s", "DStream"),
    # attrs
    ("@attr.s\nclass J:\n    x = attr.ib(factory=list)\nj = J()\nj.x.append(s)\nj.x", "[DStream]"),
    ("@attr.s\nclass J: x = attr.ib(default=attr.Factory(list))\nJ().x", "[nothing]"),
    ("@attr.s\nclass J: x = attr.ib()\nJ(s).x", "unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "value"), CASES)
def test_records(source: str, value: str) -> None:
    assert value_of(source, IMPORTS) == value
