"""DStreams used like the data in them."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes, report

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
FIRES = [
    STREAM + "print(lines.count())\n",
    STREAM + "print('records', lines.map(f).reduce(g))\n",
    STREAM + "print(lines)\n",
    STREAM + "if lines.count() > 0:\n    pass\n",
    STREAM + "if lines.count() == 0:\n    pass\n",
    STREAM + "if lines:\n    pass\n",
    STREAM + "while not lines:\n    pass\n",
    STREAM + "x = 1 if y and lines.count() else 2\n",
    STREAM + "n = lines.count() + 1\n",
    STREAM + "n = 0\nn += lines.count()\n",
    STREAM + "n = len(lines)\n",
    STREAM + "n = int(lines.count())\n",
    STREAM + "for line in lines:\n    pass\n",
    STREAM + "words = [w for w in lines]\n",
    STREAM + "first = lines[0]\n",
    STREAM + "s = f'{lines.count()} records'\n",
    STREAM + "s = '%d records' % lines.count()\n",
    STREAM + "if 'x' in lines:\n    pass\n",
    STREAM + "s = '{} records'.format(lines.count())\n",
    STREAM + "s = '{n} records'.format(n=lines.count())\n",
    STREAM + "import logging\nlogging.info('n %s', lines.count())\n",
    STREAM + "import logging\nlog = logging.getLogger()\nlog.warning('n %s', lines.count())\n",
    STREAM + "class A:\n    def go(self):\n        self.log.info('n %s', lines.count())\n",
    STREAM + "from logging import info\nimport logging as l\nl.debug(lines.count())\n",
    STREAM + "def f(s):\n    print(s.count())\nf(lines)\n",
    STREAM + "d = {'a': lines}\ns = d['a']\nif s:\n    pass\n",
    STREAM + "d = {'a': lines}\nif d.get(key, lines):\n    pass\n",
    STREAM + "s = next(iter([lines]))\nif s:\n    pass\n",
]
SILENT = [
    STREAM + "lines.foreachRDD(lambda rdd: print(rdd.count()))\n",
    STREAM
    + "def f(rdd):\n    if rdd.count() > 0:\n        print(rdd.first())\nlines.foreachRDD(f)\n",
    STREAM + "lines.count().pprint()\n",
    STREAM + "if lines is not None:\n    pass\n",
    STREAM + "if lines == other:\n    pass\n",
    STREAM + "s = None\nif x:\n    s = lines\nif s:\n    s.pprint()\n",
    STREAM + "def f(s=None):\n    if s:\n        s.pprint()\nf(lines)\n",
    STREAM + "class A:\n    def __init__(self):\n        self.s = None\n    def go(self):\n"
    "        self.s = lines\n    def end(self):\n        if self.s: pass\n",
    STREAM + "def f(s: DStream):\n    if not s:\n        return\n    s.pprint()\n",
    STREAM + "class A:\n    def __init__(self, s=None):\n        self.s = s\n    def go(self):\n"
    "        if self.s: pass\nA(lines)\n",
    STREAM + "x = lines or other\n",
    STREAM + "log.info('made ' + str(lines), repr(lines))\n",
    STREAM + "if isinstance(lines, DStream):\n    pass\n",
    STREAM + "for s in [lines, lines]:\n    s.pprint()\n",
    STREAM + "print(len([lines, lines]))\n",
    STREAM + "both = [lines] + [lines]\n",
    STREAM + "name = f'made {lines}'\nlog.info('made %s' % lines)\n",
    STREAM + "print(type(lines), id(lines))\n",
    STREAM + "print(ssc.awaitTerminationOrTimeout(5))\n",
    STREAM + "if ssc.getActive():\n    pass\n",
    STREAM + "lines.map(lambda x: x + 1).filter(lambda x: x > 2)\n",
    STREAM + "for rdd in lines.slice(a, b):\n    print(rdd.count())\n",
    STREAM + "lines = sc.textFile('x')\nprint(lines.count())\n",
    STREAM + "def print(x): pass\nprint(lines)\n",
    STREAM + "a, b = lines, lines\nassert a is not b\n",
    STREAM + "log.info('made %s', lines)\n'{}'.format(lines)\n",
    STREAM + "lines.foreachRDD(lambda rdd: log.info('n %s', rdd.count()))\n",
    STREAM + "import logging\nlogging.info('n %s', str(lines.count))\n",
    STREAM + "name.format(lines.count())\n",
    STREAM + "class Report:\n    def info(self, s):\n        s.pprint()\n"
    "Report().info(lines.count())\n",
    STREAM + "import pipeline\npipeline.info(lines.count())\n",
    STREAM + "logger.setLevel(lines.count())\n",
    STREAM + "d = {}\nfor p in paths:\n    d[p] = ssc.textFileStream(p)\n"
    "if d.get('errors'):\n    d['errors'].pprint()\n",
    STREAM + "d = {}\nif x:\n    d['raw'] = lines\nraw = d.get('raw')\nif raw:\n    pass\n",
    STREAM + "d = dict(a=lines)\nwhile not d.get(key):\n    pass\n",
    STREAM + "d = {'a': lines}\nif d.pop(key, None):\n    pass\n",
    STREAM + "d = {'a': lines}\nif d.get(key, False):\n    pass\n",
    STREAM + "def find(d, k):\n    return d.get(k)\nif find({'a': lines}, k):\n    pass\n",
    STREAM + "it = (s for s in [lines] if x)\nif next(it, None):\n    pass\n",
    STREAM + "first = next(iter([lines]), None)\nif first:\n    pass\n",
    STREAM + "found = next((s for s in [lines] if x), False)\nif not found:\n    pass\n",
    STREAM + "class A:\n    def go(self):\n        self.s = lines\n    def end(self):\n"
    "        if getattr(self, 's', None): pass\n",
    STREAM + "def f(s: 'DStream | None'): pass\nx: DStream = lines\n",
    "def f(lines):\n    print(lines.count())  # DStream\n",
    "def f(s):\n    s.foreachRDD(g)\n    print(s.count())\n",
]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("print(lines.count())", "`lines.count()` is a DStream: this shows an object, not data"),
        ("if lines: pass", "`lines` is a DStream: the condition is always true"),
        ("lines[0]", "`lines` is a DStream, which has no length or items"),
        ("1 < lines.count()", "`lines.count()` is a DStream, not a number"),
    ],
)
def test_message_and_evidence(source: str, message: str) -> None:
    finding = next(f for f in report(f"{STREAM}{source}\n").findings if f.code == "D303")
    assert finding.message.startswith(message)
    assert finding.severity == "warning"
    assert "textFileStream (line 3)" in finding.evidence


def test_it_points_at_the_stream() -> None:
    finding = report(STREAM + "print('n', lines.count())\n").findings[-1]
    assert (finding.code, finding.at.line, finding.at.column) == ("D303", 4, 12)


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D303" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D303" not in [c.partition(":")[2] for c in codes(source)]
