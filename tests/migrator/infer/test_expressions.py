"""Values of expressions, in the order of the language reference."""

from __future__ import annotations

import pytest

from tests.support.migrator.inference import value_of

CASES = [
    # atoms
    ("1", "other"),
    ("None", "None"),
    ("'text'", "other"),
    ("f'{s}'", "other"),
    ("...", "other"),
    # displays
    ("[s, 1]", "[DStream | other]"),
    ("[]", "[nothing]"),
    ("[*[s], *(1,)]", "[DStream | other]"),
    ("{s}", "[DStream]"),
    ("(s, 1)", "(DStream, other)"),
    ("()", "()"),
    ("(*[s], 1)", "[DStream | other]"),
    ("{'a': s, 1: 2}", "{'a': DStream, 1: other}"),
    ("{k: s}", "{...DStream}"),
    ("{**{'a': s}, 'b': 1}", "{'b': other, ...DStream}"),
    ("{s: 1}", "{...other} | unknown"),
    # comprehensions and generators
    ("[x.map(f) for x in [s]]", "[DStream]"),
    ("{x for x in [s]}", "[DStream]"),
    ("(x for x in (s, 1))", "[DStream | other]"),
    ("{n: x for n, x in [('a', s)]}", "{...DStream}"),
    ("{x: 1 for x in [s]}", "{...other} | unknown"),
    ("[x for x in [s, 1] if isinstance(x, DStream)]", "[DStream]"),
    ("[x for d in [{'a': s}] for x in d.values()]", "[DStream]"),
    ("[0 for d['a'] in [s]]", "[other]"),
    # attributes, subscripts, slices
    ("s.map", "DStream.map"),
    ("s.is_cached", "other"),
    ("ssc.sparkContext", "SparkContext"),
    ("s.nothing_of_the_kind", "unknown"),
    ("(s, 1)[0]", "DStream"),
    ("(1, s)[-1]", "DStream"),
    ("(1, s)[i]", "DStream | other"),
    ("(1, s)[1:]", "[DStream | other]"),
    ("[s][0]", "DStream"),
    ("{'a': s, 'b': 1}['a']", "DStream"),
    ("{'a': s, 'b': 1}['c']", "DStream | other"),
    ("{'a': s, **{'b': 1}}['a']", "DStream | other"),
    ("'text'[0]", "other"),
    ("make()[0]", "unknown"),
    # calls
    ("s.map(f).filter(g)", "DStream"),
    ("s.context()", "StreamingContext"),
    ("s.pprint()", "None"),
    ("s.slice(1, 2)", "[RDD]"),
    ("make()", "unknown"),
    ("DStream.map(s, f)", "DStream"),
    ("DStream.cache(s)", "DStream"),
    ("StreamingContext.getOrCreate('x', f)", "StreamingContext (recovered)"),
    ("ssc.union(*[s]).pprint", "DStream.pprint"),
    ("s.foreach_rdd()", "unknown"),
    ("(lambda x: x)(s)", "DStream"),
    ("None()", "unknown"),
    ("1()", "other"),
    ("sc._jvm.java.util", "jvm java.util"),
    ("sc._jvm.f()", "unknown"),
    # only streams and contexts have some methods
    ("make().updateStateByKey(f)", "DStream?"),
    ("x = make()\nx.foreachRDD(f)\nx", "DStream?"),
    ("x = make()\nx.textFileStream('y')", "DStream?"),
    ("x = make() or 1\nx.foreachRDD(f)\nx", "other | unknown"),
    # operators
    ("-1", "other"),
    ("not s", "other"),
    ("1 + 2", "other"),
    ("'%s' % (s,)", "other"),
    ("[1] + [s]", "[DStream | other]"),
    ("(1,) + (s,)", "[DStream | other]"),
    ("[s] + make()", "[DStream | unknown]"),
    ("make() + make()", "unknown"),
    ("make() + 1", "other"),
    ("[s] * 2", "[DStream]"),
    ("2 * [s]", "[DStream]"),
    ("{s} | {1}", "[DStream | other]"),
    ("{s} - {1}", "[DStream]"),
    ("{s} & make()", "[DStream | unknown]"),
    ("{s} ^ {1}", "[DStream | other]"),
    ("{'a': s} | {'b': 1}", "{'a': DStream, 'b': other}"),
    ("{'a': s} | make()", "{'a': DStream, ...unknown}"),
    ("rdd + rdd", "RDD"),
    ("rdd + make()", "RDD"),
    ("class A:\n    def __add__(self, x): return s\nA() + 1", "unknown"),
    ("s == 1", "other"),
    ("x in [s]", "other"),
    # and, or, if
    ("s and 1", "DStream | other"),
    ("None or s", "DStream | None"),
    ("x = make()\nisinstance(x, DStream) and x", "DStream | other"),
    ("s if c else None", "DStream | None"),
    ("x = s if c else 1\nx if isinstance(x, DStream) else 2", "DStream | other"),
    # lambda, await, yield, starred
    ("lambda: s", "lambda()"),
    ("async def f(): return s\nasync def g(): return await f()\ng()", "DStream"),
    ("def f():\n    x = yield s\n    return x\nf()", "[DStream] | unknown"),
    ("def f(): yield from [s]\nf()", "None | [DStream]"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "value"), CASES)
def test_expressions(source: str, value: str) -> None:
    assert value_of(source) == value


MODEL = "from pyspark.mllib.{} import {} as Model\n"
KMEANS = MODEL.format("clustering", "StreamingKMeans")
LIBRARIES = [
    ("from pyspark.streaming.kafka import KafkaUtils\nKafkaUtils.createDirectStream(ssc, [], {})",
     "KafkaDStream"),
    ("from pyspark.streaming import *\nStreamingContext(sc, 1)", "StreamingContext"),
    ("from dstream_compat import DStream as D\nD.from_dataframe(x)", "DStream"),
    (KMEANS + "Model(k=2).predictOn(s)", "DStream"),
    (KMEANS + "Model().setK(2).setRandomCenters(2, 1.0, 0).predictOnValues(s)", "DStream"),
    (KMEANS + "def f(m: Model): return m.predictOn(s)\nf(1)", "DStream"),
    (KMEANS + "class Mine(Model): pass\nMine().predictOn(s)", "DStream"),
    (KMEANS + "Model().trainOn(s)", "None"),
    (KMEANS + "Model().latestModel().predict(1)", "other"),
    (MODEL.format("regression", "StreamingLinearRegressionWithSGD") + "Model().predictOn(s)",
     "DStream"),
    (MODEL.format("classification", "StreamingLogisticRegressionWithSGD")
     + "Model().predictOn(s)", "DStream"),
    (MODEL.format("clustering", "KMeans") + "Model().predictOn(1)", "unknown"),
    ("from mine import StreamingKMeans\nStreamingKMeans().predictOn(1)", "unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "value"), LIBRARIES)
def test_calls_of_libraries(source: str, value: str) -> None:
    assert value_of(source) == value
