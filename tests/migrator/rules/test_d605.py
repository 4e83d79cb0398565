"""Code made at run time."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
FIRES = [
    STREAM + "getattr(lines, name)(f).pprint()\n",
    STREAM + "getattr(ssc, kind + 'Stream')('x')\n",
    STREAM + "lines.map(eval(text)).pprint()\n",
    STREAM + "exec(text)\n",
    STREAM + "def f(s):\n    g = eval(text)\n    return s.map(g)\nf(lines)\n",
    STREAM + "getattr(lines, name, None)\n",
    STREAM + "def save(rdd):\n    eval(text)(rdd)\nlines.foreachRDD(save)\n",
    STREAM + "def save(time, rdd):\n    exec(text)\nlines.foreachRDD(save)\n",
    STREAM + "lines.foreachRDD(lambda rdd: eval(text))\n",
    STREAM + "lines.transform(lambda rdd: eval(text)(rdd)).pprint()\n",
    STREAM + "ssc.transform([lines], lambda rdds: eval(text)).pprint()\n",
    STREAM + "def save(rdd):\n    for row in rdd.collect():\n        eval(row)\n"
    "lines.foreachRDD(save)\n",
    STREAM + "def store(rdd):\n    exec(text)\ndef save(rdd):\n    store(rdd)\n"
    "lines.foreachRDD(save)\n",
]
SILENT = [
    STREAM + "getattr(lines, 'pprint')()\n",
    STREAM + "getattr(config, name)\n",
    STREAM + "def load(text):\n    return eval(text)\n",
    STREAM + "def eval(x): pass\nlines.map(eval(text)).pprint()\n",
    STREAM + "lines.map(lambda x: eval(x)).pprint()\n",
    STREAM + "import ast\nlines.map(ast.literal_eval).pprint()\n",
    STREAM + "df.eval('a')\nmodel.eval()\n",
    STREAM + "hasattr(lines, name)\n",
    "eval(text)  # DStream\n",
    STREAM + "def save(rdd):\n    rdd.foreach(lambda r: print(eval(r)))\nlines.foreachRDD(save)\n",
    STREAM + "def save(rdd):\n    eval = len\n    eval(rdd)\nlines.foreachRDD(save)\n",
    STREAM + "def load(rdd):\n    eval(text)\nload(sc.textFile('x'))\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D605" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D605" not in [c.partition(":")[2] for c in codes(source)]
