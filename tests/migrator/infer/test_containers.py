"""Streams in named tuples, dataclasses and the containers of the standard library."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import report

HEAD = (
    "import attr, collections, contextlib, itertools, typing\n"
    "from collections import OrderedDict, defaultdict, deque, namedtuple\n"
    "from dataclasses import dataclass, field\n"
    "from typing import NamedTuple\n"
    "from pyspark.streaming import StreamingContext\n"
    "ssc = StreamingContext(sc, 1)\n"
    "s = ssc.textFileStream('x')\n"
)
PAIR = "P = namedtuple('P', 'name stream')\n"
TYPED = "class P(NamedTuple):\n    name: str\n    stream: object = None\n"
FOUND = [
    PAIR + "p = P('x', s)\np.stream.pprint()\n",
    PAIR + "p = P(name='x', stream=s)\np[1].pprint()\n",
    PAIR + "p = P('x', s)\np[-1].pprint()\n",
    PAIR + "name, stream = P('x', s)\nstream.pprint()\n",
    PAIR + "d = {'a': P('x', s)}\nfor name, stream in d.values():\n    stream.pprint()\n",
    PAIR + "[stream.pprint() for name, stream in [P('x', s)]]\n",
    PAIR + "for p in [P(n, ssc.textFileStream(n)) for n in names]:\n    p.stream.pprint()\n",
    PAIR + "p = P('x', None)._replace(stream=s)\np.stream.pprint()\n",
    PAIR + "row = ('x', s)\nP(*row).stream.pprint()\n",
    PAIR + "def make():\n    return P('x', s)\ndef show(p):\n    p.stream.pprint()\nshow(make())\n",
    "P = collections.namedtuple('P', ['name', 'stream'])\nP('x', s).stream.pprint()\n",
    "P = namedtuple('P', 'name, stream')\nP('x', s).stream.pprint()\n",
    "P = typing.NamedTuple('P', [('name', str), ('stream', object)])\nP('x', s).stream.pprint()\n",
    "class P(namedtuple('Base', 'name stream')):\n    def show(self):\n"
    "        self.stream.pprint()\nP('x', s).show()\n",
    "class P(namedtuple('Base', 'name stream')):\n    pass\nn, t = P('x', s)\nt.pprint()\n",
    TYPED + "name, stream = P('x', s)\nstream.pprint()\n",
    TYPED + "P('x', s)[1].pprint()\n",
    TYPED + "first, *rest = P(s, s)\nfirst.pprint()\n",
    "d = defaultdict(list)\nd['a'].append(s)\nd['a'][0].pprint()\n",
    "d = defaultdict(list)\nfor n in names:\n    d[n].append(ssc.textFileStream(n))\n"
    "for n, ss in d.items():\n    for x in ss:\n        x.pprint()\n",
    "d = defaultdict(lambda: ssc.textFileStream('x'))\nd['a'].pprint()\n",
    "d = defaultdict(dict)\nd['a']['b'] = s\nd['a']['b'].pprint()\n",
    "d = defaultdict(None, {'a': s})\nd['a'].pprint()\n",
    "d = OrderedDict()\nd['a'] = s\nd['a'].pprint()\n",
    "q = deque()\nq.append(s)\nfor x in q:\n    x.pprint()\n",
    "for x in frozenset([s]):\n    x.pprint()\n",
    "for x in itertools.chain([s], [s]):\n    x.pprint()\n",
    "for x in itertools.chain(*[[s]]):\n    x.pprint()\n",
    "for x in itertools.chain.from_iterable({'a': [s]}.values()):\n    x.pprint()\n",
    "for x in itertools.islice([s], 1):\n    x.pprint()\n",
    "for x in itertools.takewhile(lambda x: x, [s]):\n    x.pprint()\n",
    "for n, x in itertools.zip_longest(names, [s]):\n    x.pprint()\n",
    "for x in filter(None, [s, None]):\n    x.pprint()\n",
    "with contextlib.closing(ssc) as c:\n    c.textFileStream('y').pprint()\n",
    "with contextlib.nullcontext(s) as x:\n    x.pprint()\n",
    "@dataclass\nclass J:\n    streams: list = field(default_factory=list)\n"
    "    def add(self, s):\n        self.streams.append(s)\n    def go(self):\n"
    "        for s in self.streams:\n            s.pprint()\nj = J()\nj.add(s)\nj.go()\n",
    "@dataclass\nclass J:\n    by_name: dict = field(default_factory=dict)\nj = J()\n"
    "j.by_name['a'] = s\nj.by_name['a'].pprint()\n",
    "@dataclass\nclass J:\n    stream: object = field(default=s)\nJ().stream.pprint()\n",
    "@attr.s\nclass J:\n    streams = attr.ib(factory=list)\nj = J()\n"
    "j.streams.append(s)\nj.streams[0].pprint()\n",
    "@attr.s\nclass J:\n    streams = attr.ib(default=attr.Factory(list))\nj = J()\n"
    "j.streams.append(s)\nj.streams[0].pprint()\n",
]
NOT_STREAMS = [
    PAIR + "P('x', s).name.pprint()\n",
    PAIR + "P('x', s)[0].pprint()\n",
    PAIR + "name, stream = P('x', s)\nname.pprint()\n",
    PAIR + "[name.pprint() for name, stream in [P('x', s)]]\n",
    PAIR + "P('x', s).pprint()\n",
    PAIR + "P.stream.pprint()\n",
    PAIR + "Q = namedtuple('Q', 'name stream')\nP('x', s)\nQ('x', 1).stream.pprint()\n",
    "P = namedtuple('P', fields)\nP('x', s).pprint()\n",
    "P = namedtuple('P', ['a', name])\nP('x', s).a.pprint()\n",
    "P = namedtuple()\nQ = namedtuple('Q')\nR = namedtuple('R', 1)\nR(s).pprint()\n",
    "P = namedtuple(name, 'stream n')\nP(s, 1).n.pprint()\n",
    "def namedtuple(a, b): return a\nP = namedtuple(1, 'stream')\nP.stream.pprint()\n",
    TYPED + "name, stream = P('x', s)\nname.pprint()\n",
    "class P:\n    def __init__(self, name, stream): pass\nn, t = P('x', s)\nt.pprint()\n",
    "d = defaultdict(list)\nd['a'].append(s)\nd['a'].pprint()\n",
    "d = defaultdict(int)\nd['a'] += 1\nd['a'].pprint()\n",
    "d = defaultdict()\nd['a'].pprint()\n",
    "for x in itertools.chain([1], [2]):\n    x.pprint()\n",
    "for x in itertools.chain.from_iterable([s]):\n    x.pprint()\n",
    "for x in itertools.count():\n    x.pprint()\n",
    "with contextlib.suppress(OSError) as x:\n    x.pprint()\n",
    "with contextlib.closing(socket) as x:\n    x.pprint()\n",
    "@dataclass\nclass J:\n    n: int = field(default=1)\nJ().n.pprint()\n",
    "@dataclass\nclass J:\n    a: list = field(default_factory=list)\nJ().a.pprint()\n",
]


def receivers(source: str) -> list[str]:
    """Receiver and confidence of every `pprint`."""
    return [
        f"{s.receiver} {s.confidence}" for s in report(HEAD + source).sites if s.name == "pprint"
    ]


@pytest.mark.parametrize("source", FOUND)
def test_found(source: str) -> None:
    assert receivers(source) == ["DStream proven"]


@pytest.mark.parametrize("source", NOT_STREAMS)
def test_not_a_stream(source: str) -> None:
    assert receivers(source) == []


def test_both_kinds_in_one_class_are_not_distinguished() -> None:
    source = PAIR + "for p in (P('x', s), P('y', sc.textFile('y'))):\n    p.stream.collect()\n"
    assert "D301" not in {f.code for f in report(HEAD + source).findings}
