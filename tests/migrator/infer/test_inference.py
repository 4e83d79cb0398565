"""What is recognised as a stream or context, and what is not."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import report

HEAD = (
    "from pyspark import SparkContext\n"
    "from pyspark.streaming import StreamingContext, DStream\n"
    "from pyspark.streaming.kafka import KafkaUtils\n"
    "sc = SparkContext()\n"
    "ssc = StreamingContext(sc, 1)\n"
)


def receivers(source: str, name: str) -> list[str]:
    """Receiver and confidence of every use of a name, in order."""
    return [f"{s.receiver} {s.confidence}" for s in report(source).sites if s.name == name]


PROVEN = [
    "s = ssc.socketTextStream('h', 1)\ns.pprint()",
    "ssc.textFileStream('x').map(f).filter(g).window(1).pprint()",
    "s = ssc.textFileStream('x') \\\n    .map(f)\ns.pprint()",
    "a, b = ssc.textFileStream('x'), 1\na.pprint()",
    "(a, [b, c]) = (1, [2, 3])\n[x for x in [ssc.queueStream([])]][0].pprint()",
    "first, *rest = [ssc.textFileStream('x'), ssc.textFileStream('y')]\nfirst.pprint()",
    "a = b = ssc.textFileStream('x')\na.pprint()",
    "if x:\n    s = ssc.textFileStream('x')\nelse:\n    s = ssc.queueStream([])\ns.pprint()",
    "s = None\nif x:\n    s = ssc.textFileStream('x')\ns.pprint()",
    "while True:\n    s = ssc.textFileStream('x')\n    break\ns.pprint()",
    "for s in [ssc.textFileStream(p) for p in paths]:\n    s.pprint()",
    "for i, s in enumerate([ssc.textFileStream('x')]):\n    s.pprint()",
    "for n, s in zip(names, [ssc.textFileStream('x')]):\n    s.pprint()",
    "d = {'a': ssc.textFileStream('x'), 'n': 1}\nd['a'].pprint()",
    "d = dict(a=ssc.textFileStream('x'))\nd['a'].pprint()",
    "d = {}\nd['a'] = ssc.textFileStream('x')\nd['a'].pprint()",
    "for k, s in {'a': ssc.textFileStream('x')}.items():\n    s.pprint()",
    "streams = []\nfor p in paths:\n    streams.append(ssc.textFileStream(p))\nstreams[0].pprint()",
    "d = {'a': ssc.textFileStream('x')}\nd.get('a').pprint()",
    "d = {'a': [ssc.textFileStream('x')]}\nd.get('a')[0].pprint()",
    "d = {'a': []}\nd.get('a').append(ssc.textFileStream('x'))\nd['a'][0].pprint()",
    "d = {}\nd.setdefault('a', []).append(ssc.textFileStream('x'))\nd['a'][0].pprint()",
    "d = {}\nfor k in keys:\n    d.setdefault(k, []).append(ssc.textFileStream(k))\n"
    "for k, ss in d.items():\n    for s in ss:\n        s.pprint()",
    "d = {'a': ssc.textFileStream}\nd.get('a')('x').pprint()",
    "streams = [ssc.textFileStream(p) for p in paths]\nssc.union(*streams).pprint()",
    "from functools import reduce\n"
    "reduce(lambda a, b: a.union(b), [ssc.textFileStream('x')]).pprint()",
    "(ssc.textFileStream('x') if c else ssc.queueStream([])).pprint()",
    "pair = (1, ssc.textFileStream('x'))\npair[-1].pprint()",
    "(s := ssc.textFileStream('x')).count()\ns.pprint()",
    "def f(s):\n    s.pprint()\nf(ssc.textFileStream('x'))",
    "def f(n, *, s):\n    s.pprint()\nf(1, s=ssc.textFileStream('x'))",
    "def f(*ss):\n    for s in ss:\n        s.pprint()\nf(ssc.textFileStream('x'))",
    "def f():\n    return ssc.textFileStream('x')\nf().pprint()",
    "def f(c):\n    return c.textFileStream('x')\ndef g():\n    return f(ssc)\ng().pprint()",
    "def f():\n    yield ssc.textFileStream('x')\nfor s in f():\n    s.pprint()",
    "def f():\n    s = ssc.textFileStream('x')\n    def g():\n        s.pprint()\n    g()",
    "def f(s: DStream):\n    s.pprint()",
    "def f(s: 'DStream'):\n    s.pprint()",
    "from typing import Optional\ndef f(s: Optional[DStream] = None):\n    s.pprint()",
    "def f(s: DStream | None):\n    s.pprint()",
    "def f(x):\n    if isinstance(x, DStream):\n        x.pprint()",
    "f = lambda s: s.pprint()\nf(ssc.textFileStream('x'))",
    "class A:\n    def __init__(self, c):\n        self.s = c.textFileStream('x')\n"
    "    def go(self):\n        self.s.pprint()\nA(ssc)",
    "class A:\n    def __init__(self):\n        self.ssc = StreamingContext(sc, 1)\n"
    "class B(A):\n    def go(self):\n        self.ssc.textFileStream('x').pprint()",
    "class A:\n    def run(self):\n        self.make().pprint()\n    def make(self):\n"
    "        raise NotImplementedError\nclass B(A):\n    def make(self):\n"
    "        return ssc.textFileStream('x')",
    "class A:\n    @property\n    def s(self): return ssc.textFileStream('x')\nA().s.pprint()",
    "class A:\n    @staticmethod\n    def make(c):\n        return c.textFileStream('x')\n"
    "A.make(ssc).pprint()",
    "class A:\n    s = ssc.textFileStream('x')\nA.s.pprint()",
    "class A:\n    def __call__(self, s):\n        return s.map(f)\n"
    "A()(ssc.textFileStream('x')).pprint()",
    "from functools import partial\ndef f(n, s):\n    s.pprint()\n"
    "partial(f, 1)(ssc.textFileStream('x'))",
    "from threading import Thread\ndef f(s):\n    s.pprint()\n"
    "Thread(target=f, args=(ssc.textFileStream('x'),)).start()",
    "def make():\n    c = StreamingContext(sc, 1)\n    return c\n"
    "StreamingContext.getOrCreate('x', make).textFileStream('y').pprint()",
    "KafkaUtils.createDirectStream(ssc, [], {}).map(lambda x: x[1]).pprint()",
    "ssc.textFileStream('x').transform(lambda rdd: rdd.sortByKey()).pprint()",
    "ssc.transform([ssc.queueStream([])], lambda rdds: rdds[0]).pprint()",
    "getattr(ssc, 'textFileStream')('x').pprint()",
    "getattr(ssc.textFileStream('x'), 'pprint')()",
    "getattr(ssc.textFileStream('x'), 'pprint', None)()",
    "class A:\n    def __init__(self):\n        self.s = ssc.textFileStream('x')\n"
    "    def go(self):\n        getattr(self, 's').pprint()",
    "DStream.map(ssc.textFileStream('x'), f).pprint()",
    "s = ssc.textFileStream('x')\ns = s.map(f)\ns = s.filter(g)\ns.pprint()",
    "rdd = sc.textFile('x')\nrdd = ssc.queueStream([rdd])\nrdd.pprint()",
    "try:\n    s = ssc.textFileStream('x')\nexcept Exception:\n    raise\ns.pprint()",
    "from contextlib import contextmanager\n@contextmanager\ndef f():\n"
    "    yield ssc.textFileStream('x')\nwith f() as s:\n    s.pprint()",
    "global_s = None\ndef f():\n    global global_s\n    global_s = ssc.textFileStream('x')\n"
    "f()\ndef g():\n    global_s.pprint()\ng()",
    "def deco(f):\n    def wrapper():\n        return f(ssc)\n    return wrapper\n"
    "@deco\ndef main(c):\n    c.textFileStream('x').pprint()\nmain()",
    "match ssc.textFileStream('x'):\n    case s:\n        s.pprint()",
    "s = ssc.textFileStream('x')\nasync def f():\n    async with y as z:\n        s.pprint()",
]


@pytest.mark.parametrize("source", PROVEN)
def test_proven(source: str) -> None:
    assert receivers(HEAD + source, "pprint") == ["DStream proven"]


PROBABLE = [
    "def f(s):\n    s.updateStateByKey(g).pprint()",
    "from helpers import make\nmake().foreachRDD(g)\nmake().reduceByKeyAndWindow(g, h).pprint()",
    "def f(c):\n    c.socketTextStream('h', 1).pprint()",
    "if x:\n    s = ssc.textFileStream('x')\nelse:\n    s = other()\ns.pprint()",
    "s = ssc.textFileStream('x') if x else sc.textFile('x')\ns.pprint()",
    "@inject\ndef f():\n    return ssc.textFileStream('x')\nf().pprint()",
]


@pytest.mark.parametrize("source", PROBABLE)
def test_probable(source: str) -> None:
    assert receivers(HEAD + source, "pprint") == ["DStream probable"]


NOT_STREAMS = [
    "from pprint import PrettyPrinter\nPrettyPrinter().pprint(1)",
    "import pprint\npprint.pprint(1)",
    "def f(lines):\n    lines.pprint()",
    "ssc.textFileStream('x').foreachRDD(lambda rdd: rdd.pprint())",
    "ssc.textFileStream('x').map(lambda s: s.pprint())",
    "s = ssc.textFileStream('x')\ns = 1\ns.pprint()",
    "s = ssc.textFileStream('x')\ndef f(s):\n    s.pprint()",
    "s = ssc.textFileStream('x')\n[s.pprint() for s in range(3)]",
    "s = ssc.textFileStream('x').saveAsTextFiles('y')\ns.pprint()",
    "class StreamingContext2:\n    def textFileStream(self): pass\nStreamingContext2().pprint()",
    "class A:\n    def pprint(self): pass\nA().pprint()",
    "class MyStream(DStream):\n    def pprint(self): pass\nMyStream().pprint()",
    "ssc.awaitTermination().pprint()",
    "sc.textFile('x').pprint()",
    "getattr(sc.textFile('x'), 'pprint')()",
    "def getattr(x, name):\n    return 1\ngetattr(ssc.textFileStream('x'), 'pprint')",
    "hasattr(ssc.textFileStream('x'), 'pprint')",
]


@pytest.mark.parametrize("source", NOT_STREAMS)
def test_not_a_stream(source: str) -> None:
    assert receivers(HEAD + source, "pprint") == []


def test_a_name_in_a_text_has_its_place_and_its_inputs() -> None:
    source = HEAD + "s = ssc.textFileStream('x')\ngetattr(s, \"map\")(f).pprint()\n"
    sites = {s.name: s for s in report(source).sites}
    assert (sites["map"].at.line, sites["map"].at.column) == (7, 13)
    assert [o.at for o in sites["map"].inputs] == [sites["textFileStream"].at]
    assert [o.at for o in sites["pprint"].inputs] == [sites["map"].at]


def test_contexts_and_threads_are_distinguished() -> None:
    source = HEAD + (
        "import threading\nstream = StreamingContext(sc, 1)\nt = threading.Thread()\n"
        "for x in (t, q):\n    x.start()\nstream.start()\nt.start()\nt.join()\nstream.stop()\n"
    )
    assert receivers(source, "start") == ["StreamingContext proven"]
    assert receivers(source, "join") == []
    assert receivers(source, "stop") == ["StreamingContext proven"]


def test_the_ways_to_structured_streaming_and_back() -> None:
    found = report(
        """
        from dstream_compat import DStream, StreamingContext
        ssc = StreamingContext(sc, 1)
        lines = DStream.from_dataframe(spark.readStream.load())
        lines.map(str).to_dataframe("value string")
        ssc.start()
        """
    )
    sites = {s.name: (s.receiver, s.confidence.value) for s in found.sites}
    assert sites["map"] == sites["to_dataframe"] == ("DStream", "proven")
    # it is an output
    assert {f.code for f in found.findings} & {"D301", "D501", "D502"} == set()


def test_predefined_names_of_notebooks_are_probable() -> None:
    source = "from pyspark.streaming import StreamingContext\nssc.start()\n"
    assert receivers(source, "start") == ["StreamingContext probable"]
    source = (
        "from pyspark.streaming import StreamingContext\nx = StreamingContext(sc, 1)\nx.start()"
    )
    assert receivers(source, "start") == ["StreamingContext proven"]


def test_foreach_rdd_gives_an_rdd_to_functions_methods_and_partials() -> None:
    """Were they streams, toDF would be reported."""
    source = HEAD + (
        "from functools import partial\n"
        "def f(rdd): rdd.toDF()\n"
        "def g(t, rdd): rdd.toDF()\n"
        "def h(n, rdd): rdd.toDF()\n"
        "class A:\n    def m(self, rdd): rdd.toDF()\n    def n(self, t, rdd): rdd.toDF()\n"
        "    def __call__(self, rdd): rdd.toDF()\n"
        "s = ssc.textFileStream('x')\n"
        "for x in (f, g, partial(h, 1), A().m, A().n, A()):\n    s.foreachRDD(x)\n"
    )
    assert [f.code for f in report(source).findings if f.code not in ("D101", "D802", "D807")] == []


def test_evidence_names_the_chain() -> None:
    source = HEAD + "def f(s):\n    s.toDF()\nf(ssc.textFileStream('x').map(g))\n"
    finding = next(f for f in report(source).findings if f.code == "D301")
    assert finding.evidence == (
        "StreamingContext() (line 5)",
        "textFileStream (line 8)",
        "map (line 8)",
        "passed to f() (line 8)",
    )


@pytest.mark.parametrize(
    "source",
    [
        "def f(x): return f([x])\nf(ssc.textFileStream('x'))\n",
        "def f(x): return g(x)\ndef g(x): return f((x, x))\ng(ssc)\n",
        "x = []\nwhile x: x = [x, {1: x}]\n",
        "class A(A): pass\nclass B(C): pass\nclass C(B): pass\nC().x\n",
        "from functools import partial as p\ndef f(*a): return p(f, f)\nx = f(1)\nx = p(x, x)\n",
        "f = lambda *a, **k: f(*a, **k)\nf(ssc, s=ssc)\n",
    ],
)
def test_recursion_ends(source: str) -> None:
    assert report(HEAD + source).content is not None


def test_sites_point_at_the_name_in_a_long_chain() -> None:
    source = HEAD + "(ssc.textFileStream('x')\n   .map(f)\n   .pprint())\n"
    places = {s.name: (s.at.line, s.at.column) for s in report(source).sites}
    assert places["textFileStream"] == (6, 6)
    assert places["map"] == (7, 5)
    assert places["pprint"] == (8, 5)


MODELS = "from pyspark.mllib.clustering import StreamingKMeans\n" + HEAD
PREDICTED = [
    "m = StreamingKMeans(k=2)\nm.predictOn(ssc.textFileStream('x')).pprint()",
    "m = StreamingKMeans().setK(2).setRandomCenters(2, 1.0, 0)\n"
    "m.predictOnValues(ssc.textFileStream('x')).pprint()",
    "import pyspark.mllib.clustering as c\n"
    "c.StreamingKMeans().predictOn(ssc.textFileStream('x')).pprint()",
    "from pyspark.mllib.regression import StreamingLinearRegressionWithSGD\n"
    "m = StreamingLinearRegressionWithSGD(stepSize=0.1)\nm.setInitialWeights([0.0])\n"
    "m.predictOnValues(ssc.textFileStream('x')).pprint()",
    "from pyspark.mllib.classification import StreamingLogisticRegressionWithSGD as Model\n"
    "Model().predictOn(ssc.textFileStream('x')).pprint()",
    "def show(m: StreamingKMeans):\n    m.predictOn(ssc.textFileStream('x')).pprint()",
    "class Mine(StreamingKMeans):\n    pass\nMine().predictOn(ssc.textFileStream('x')).pprint()",
]


@pytest.mark.parametrize("source", PREDICTED)
def test_streaming_models_give_streams(source: str) -> None:
    assert receivers(MODELS + source, "pprint") == ["DStream proven"]


NOT_PREDICTED = [
    "StreamingKMeans().trainOn(ssc.textFileStream('x')).pprint()",
    "StreamingKMeans().latestModel().predict(1).pprint()",
    "from pyspark.mllib.clustering import KMeans\nKMeans().predictOn(1).pprint()",
    "from mine import StreamingKMeans\nStreamingKMeans().predictOn(1).pprint()",
]


@pytest.mark.parametrize("source", NOT_PREDICTED)
def test_what_else_models_give_is_no_stream(source: str) -> None:
    assert receivers(MODELS + source, "pprint") == []


IMITATION = (
    HEAD + "class Impl:\n    def filter(self, values, name=None):\n        return Impl()\n"
    "class Frame:\n    def __init__(self, impl=None):\n        self._impl = impl or Impl()\n"
    "    def filter(self, values, name):\n        return Frame(self._impl.filter({}))\n"
    "def wrap(stream):\n    if isinstance(stream, DStream):\n        return Frame(stream)\n"
)


def test_a_class_that_imitates_the_api_is_no_stream() -> None:
    # what does not fit the API's method
    assert receivers(IMITATION.format("values, name, True"), "filter") == []
    assert receivers(IMITATION.format("values=values"), "filter") == []
    # what fits may be one
    assert receivers(IMITATION.format("values"), "filter") == ["DStream probable"]
    # what nothing else can be is a wrong call of the API
    alone = HEAD + "ssc.textFileStream('x').filter(values, name, True)\n"
    assert receivers(alone, "filter") == ["DStream proven"]
