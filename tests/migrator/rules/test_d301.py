"""Methods that DStreams never had."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes, report

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
FIRES = [
    STREAM + "import pyspark_cassandra.streaming\nlines.saveToCassandra('k', 't')\n",
    STREAM + "lines.toDF()\n",
    STREAM + "lines.map(f).sortByKey()\n",
    STREAM + "lines.collect()\n",
    STREAM + "def f(s):\n    s.zip(s)\nf(lines)\n",
    STREAM + "class A:\n    def __init__(self):\n        self.s = lines\n"
    "    def go(self):\n        self.s.take(1)\n",
    STREAM + "[s.distinct() for s in [lines, lines]]\n",
    STREAM + "print(lines.colect)\n",
    STREAM + "getattr(lines, 'sortByKey')()\n",
    STREAM + "s = None\nif x:\n    s = lines\ns.sortByKey()\n",
    STREAM + "d = {'n': 1, 's': lines}\nfor k in d:\n    d[k].sortByKey()\n",
    STREAM + "class A:\n    def go(self): pass\n(lines if x else A()).collect()\n",
    STREAM + "try:\n    lines.collect()\nexcept Exception:\n    pass\n",
    STREAM
    + "def f(q):\n    match q:\n        case DStream():\n            q.collect()\nf(lines)\n",
    STREAM + "match lines:\n    case s:\n        s.collect()\n",
    STREAM + "with suppress(KeyError):\n    lines.collect()\n",
    STREAM + "if hasattr(other, 'collect'):\n    lines.collect()\n",
    STREAM + "if hasattr(lines, 'pprint'):\n    lines.map(f).collect()\n",
    STREAM + "if isinstance(lines, DStream):\n    lines.collect()\n",
    STREAM + "s = getattr(lines, name)(f) if x else lines\ns.collect()\n",
    STREAM + "s = lines.sortByKey() if x else lines\ns.collect()\n",
]
SILENT = [
    STREAM + "lines.foreachRDD(lambda rdd: rdd.toDF())\n",
    STREAM + "lines.transform(lambda rdd: rdd.sortByKey().zipWithIndex())\n",
    STREAM + "def f(time, rdd):\n    rdd.collect()\nlines.foreachRDD(f)\n",
    STREAM + "def f(rdd):\n    rdd.toDF()\nlines.transform(f)\n",
    STREAM + "lines.transformWith(lambda a, b: a.zip(b), lines)\n",
    STREAM + "ssc.transform([lines], lambda rdds: rdds[0].sortByKey())\n",
    STREAM + "lines.map(lambda x: x.collect())\n",
    STREAM + "getattr(lines, 'pprint')()\n",
    STREAM + "getattr(lines, 'collect', None)\n",
    STREAM + "f = getattr(lines, 'collect', None)\nif f:\n    f()\n",
    STREAM + "hasattr(lines, 'collect')\n",
    STREAM + "setattr(DStream, 'toDF', f)\ngetattr(lines, 'toDF')()\n",
    STREAM + "getattr(lines, name)()\n",
    STREAM + "lines = sc.textFile('x')\nlines.collect()\n",
    STREAM + "DStream.toDF = f\nlines.toDF()\n",
    STREAM + "for r in lines.slice(a, b):\n    r.collect()\n",
    "def f(lines):\n    lines.collect()  # DStream\n",
    "class DStream:\n    pass\nDStream().collect()\n",
    STREAM + "rdd = ssc.sparkContext.parallelize([])\nrdd.toDF()\n",
    STREAM + "def test(s: DStream):\n    s.assert_not_called()\n",
    STREAM + "def test(s: DStream):\n    s.return_value = 1\n    assert s.call_args is None\n",
]
# the value may be something else that has the method
BOTH = [
    "def clean(d):\n    return d.map(f)\nclean(rdd).collect()\nclean(lines).pprint()\n",
    "def clean(d):\n    return d.map(f)\ns = clean(lines)\n"
    "s.transform(lambda rdd: clean(rdd).sortByKey())\n",
    "class Dataset:\n    def __init__(self, data):\n        self.data = data\n"
    "    def save(self, path):\n        self.data.saveAsTextFile(path)\n"
    "Dataset(rdd).save(p)\nDataset(lines)\n",
    "def src(kind):\n    if kind == 'file':\n        return spark.read.text('x')\n"
    "    return lines\nsrc('file').show()\n",
    "x = [lines, rdd]\nx[1].collect()\n",
    "d = {'s': lines, 'r': rdd}\nd[k].collect()\n",
    "(lines if live else rdd).sortByKey()\n",
    "s = lines\nif batch:\n    s = rdd\ns.sortByKey()\n",
    "s = rdd.toDF() if batch else lines\ns.show()\n",
    "def f(s):\n    s.sortByKey()\nfor s in (lines, unknown()):\n    f(s)\n",
    "s = unknown() or lines\ns.colect()\n",
    "for x in (ssc, lines):\n    x.start()\n",
    "d = {'s': lines, 'name': 'a,b'}\nd[k].split(',')\n",
    "s = []\nif x:\n    s = lines\ns.append(1)\n",
    "class A:\n    def collect(self): pass\n(lines if x else A()).collect()\n",
    "class A(Base):\n    pass\n(lines if x else A()).collect()\n",
    "import threading\nclass A(threading.Thread):\n    pass\n"
    "for x in (lines, A()):\n    x.start()\n",
    "class A:\n    def __getattr__(self, n): pass\n(lines if x else A()).collect()\n",
    "(lines if x else rdd).foreach(f)\n",
    "(ssc if x else queue).fileStream('x')\n",
]
# the program asks what it has
ASKED = [
    "def f(q):\n    if hasattr(q, 'collect'):\n        q.collect()\nf(lines)\n",
    "def f(q):\n    if not hasattr(q, 'collect'):\n        return\n    q.collect()\nf(lines)\n",
    "def f(q):\n    if hasattr(q, 'foreachRDD'):\n        return q.pprint()\n    q.show()\n"
    "f(lines)\n",
    "def f(q):\n    return q.collect() if hasattr(q, 'collect') else q\nf(lines)\n",
    "def f(q):\n    return hasattr(q, 'collect') and q.collect()\nf(lines)\n",
    "def f(q):\n    if hasattr(q, 'rdd'):\n        g(q)\ndef g(q):\n    q.rdd.take(1)\nf(lines)\n",
    "def f(q):\n    done = hasattr(q, 'collect')\n    if done:\n        q.collect()\nf(lines)\n",
    "def f(q):\n    if hasattr(q, 'collect'):\n        run(lambda: q.collect())\nf(lines)\n",
    "def f(q):\n    if getattr(q, 'collect', None):\n        q.collect()\nf(lines)\n",
    "class A:\n    def __init__(self, q):\n        self.q = q\n    def go(self):\n"
    "        if hasattr(self.q, 'collect'):\n            self.q.collect()\nA(lines).go()\n",
    "class A:\n    def __init__(self, q):\n        self.q = q\n    def go(self):\n"
    "        if isinstance(self.q, RDD):\n            self.q.collect()\nA(lines).go()\n",
    "def f(q):\n    if isinstance(q, Dataset):\n        q.collect()\nf(lines)\n",
    "def f(q):\n    if isinstance(q, str):\n        q.split()\nf(lines)\n",
    "def f(q):\n    if not isinstance(q, DStream):\n        q.collect()\nf(lines)\n",
    "def f(q):\n    try:\n        q.collect()\n    except AttributeError:\n        q.pprint()\n"
    "f(lines)\n",
    "def f(q):\n    if 'collect' in dir(q):\n        q.collect()\nf(lines)\n",
    "import contextlib\nwith contextlib.suppress(AttributeError):\n    lines.collect()\n",
    "def f(q):\n    match q:\n        case DStream():\n            q.pprint()\n"
    "        case RDD():\n            q.collect()\nf(lines)\n",
    "def f(q):\n    match q:\n        case RDD() | Dataset():\n            q.collect()\nf(lines)\n",
    "def f(q):\n    match q:\n        case RDD() as r:\n            r.collect()\nf(lines)\n",
    "from functools import singledispatch\n@singledispatch\ndef f(q):\n    q.collect()\n"
    "@f.register(DStream)\ndef _(q):\n    q.pprint()\nf(lines)\n",
    "try:\n    lines.collect()\nexcept (TypeError, AttributeError):\n    pass\n",
]
OTHERS = (
    "from pyspark.sql import SparkSession\nfrom pyspark import RDD\nfrom lib import Base, Dataset\n"
)
OTHERS += STREAM + (
    "spark = SparkSession.builder.getOrCreate()\nrdd = spark.sparkContext.textFile('x')\n"
)
SILENT += [OTHERS + source for source in BOTH + ASKED]


def test_probable_receivers_are_named_as_such() -> None:
    from tests.support.migrator.reports import report

    source = "def f(s):\n    t = s.updateStateByKey(g)\n    t.toDF()\n"
    finding = next(f for f in report(source).findings if f.code == "D301")
    assert finding.confidence == "probable"
    assert finding.evidence[0] == "only a DStream has updateStateByKey() (line 2)"


@pytest.mark.parametrize("name", ["start", "pprint"])
def test_the_kind_that_has_the_name_is_shown(name: str) -> None:
    from tests.support.migrator.reports import report

    found = report(STREAM + f"for x in (ssc, lines):\n    x.{name}()\n")
    (site,) = [s for s in found.sites if s.name == name]
    expected = {"start": "StreamingContext", "pprint": "DStream"}[name]
    assert (site.receiver, site.confidence) == (expected, "probable")


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D301" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    found = [c.partition(":")[2] for c in codes(source)]
    assert not {"D207", "D301", "D302"}.intersection(found)


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("foreachrdd", "did you mean foreachRDD?"),
        ("foreachRdd", "did you mean foreachRDD?"),
        ("forEachRDD", "did you mean foreachRDD?"),
        ("updatestatebykey", "did you mean updateStateByKey?"),
        ("print", "did you mean pprint?"),
        ("unpersist", "remove the call: the RDDs of old batches are let go by themselves"),
        ("ctx", "use stream.context().sparkContext"),
        ("forEach", "did you mean foreachRDD?"),
        ("sortByKey", "call it on each batch: stream.transform(lambda rdd: rdd.sortByKey(...))"),
        ("take", "call it on each batch: stream.foreachRDD(lambda rdd: ... rdd.take ...)"),
    ],
)
def test_advice(name: str, advice: str) -> None:
    from tests.support.migrator.reports import report

    (finding,) = [f for f in report(f"{STREAM}lines.{name}(f)\n").findings if f.code == "D301"]
    assert finding.advice == advice


def test_methods_of_other_packages_are_no_bugs_of_the_job() -> None:
    for call, category in (("saveToCassandra", "migration"), ("collect", "bug")):
        found = report(STREAM + f"lines.{call}()\n").findings
        assert [f.category for f in found if f.code == "D301"] == [category]
