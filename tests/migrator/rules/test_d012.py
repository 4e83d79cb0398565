"""What a conversion of Python 2 cannot know: D012 to D024, but for imports."""

from __future__ import annotations

import pytest

from tests.support.migrator.python2 import converted, told

TOLD: dict[str, list[tuple[str, list[str]]]] = {
    "D012": [
        ("x = code / 100 == 4\n", ["1"]),
        ("def f(a, b): return a / b\n", ["1"]),
        ("x = a()\nx /= 2\n", ["2"]),
        ("n = 1\nn = g()\ny = n / 2\n", ["3"]),
        ("x = (a +\n  b) / 2\n", ["1"]),
    ],
    "D013": [
        ("import hashlib\nh = hashlib.md5(line)\n", ["2"]),
        ("import hashlib\nh = hashlib.md5('a')\n", ["2!"]),
        ("from base64 import b64encode\nx = b64encode(v)\n", ["2"]),
        ("import socket\ns.send('a')\ns.sendall(v)\nx = s.recv(9)\n", ["2!", "3", "4"]),
        ("x = open('a', 'rb')\n", ["1"]),
        ("x = line.decode('utf-8')\n", ["1"]),
        ("x = kv[1].encode('utf-8')\n", ["1"]),
        ("import subprocess\nx = subprocess.check_output(c)\n", ["2"]),
        ("x = '\\xe9'\n", ["1"]),
    ],
    "D014": [
        ("x = foo.keys()\n", ["1"]),
        ("def f(d): return d.items()\n", ["1"]),
        ("use(d.values())\n", ["1"]),
        ("x = map(f, a, b)\n", ["1"]),
        ("x = map(None, a, b)\n", ["1!"]),
        ("x = filter(f, a)\n", ["1"]),
        ("x = filter(f, 'abc')\n", ["1!"]),
        ("class A:\n    def collectAsMap(self): return 1\nx = A().collectAsMap().keys()\n", ["3"]),
    ],
    "D015": [
        ("a.sort(cmp=f, key=g)\n", ["1!"]),
        ("a.sort(lambda x, y: x - y, key=g)\n", ["1!"]),
    ],
    "D016": [
        ("x = a < None\n", ["1!"]),
        ("x = 'a' > 5\n", ["1!"]),
        ("x = raw_input() >= 5\n", ["1!"]),
        ("x = 1 < 2 < 'a'\n", ["1!"]),
        ("x = [] < ()\n", ["1!"]),
    ],
    "D017": [
        ("x = round(a)\n", ["1"]),
        ("x = round(a, 2)\n", ["1"]),
        ("x = int(round(1.5))\n", ["1"]),
    ],
    "D018": [
        ("exec code\n", ["1"]),
        ("exec code in d\n", ["1"]),
        ("x = eval(a)\n", ["1"]),
        ("x = input()\n", ["1"]),
    ],
    "D021": [
        ("raise E, value\n", ["1"]),
        ("raise E, f()\n", ["1"]),
        ("raise 'a string'\n", ["1!"]),
        ("raise E, (a, b)[0]\n", ["1"]),
    ],
    "D022": [
        ("x = isinstance(a, unicode)\n", ["1"]),
        ("x = isinstance(a, long)\n", ["1"]),
        ("x = type(a) == unicode\n", ["1"]),
        ("x = unicode(a, 'utf-8')\n", ["1"]),
        ("import types\nx = type(a) is types.UnicodeType\n", ["2"]),
        ("import types as t\nx = isinstance(a, t.LongType)\n", ["2"]),
    ],
    "D023": [
        ("class A:\n    def __cmp__(self, o): return 0\n", ["2!"]),
        ("class A:\n    def __div__(self, o): return 0\n", ["2!"]),
        ("class A:\n    __metaclass__ = M\n", ["2!"]),
        ("class A:\n    def __eq__(self, o): return 0\n", ["1"]),
        ("class A:\n    def __unicode__(self): return u''\n", ["2!"]),
    ],
    "D024": [
        ("print a,\n", ["1"]),
        ("print >>f, a,\n", ["1"]),
        ("print 'a', b,\n", ["1"]),
    ],
}
SILENT = {
    "D012": [
        "x = 1.0 * a / b\n",
        "x = a / 2.0\n",
        "x = float(a) / b\n",
        "x = 6 / 2\n",
        "n = len(a)\ny = n / 2\n",
        "from __future__ import division\nx = a / b\n",
        "x = a // b\n",
        "import math\nx = math.sqrt(a) / b\n",
        "import time\nstart = time.time()\nx = (time.time() - start) / n\n",
        "x = '/'.join(a)\n",
        "x = 'a / b'\n",
        "x = a % b\n",
    ],
    "D013": [
        "import hashlib\nh = hashlib.md5(line.encode('utf-8'))\n",
        "import hashlib\nh = hashlib.md5(b'a')\n",
        "x = open('a')\n",
        "x = open('a', 'w')\n",
        "s.send('a')\n",
        "x = queue.recv(1)\n",
        "x = b64encode(v)\n",
        "x = u'\\xe9'\n",
        "x = 'café'\n",
        "import subprocess\nx = subprocess.check_output(c, universal_newlines=True)\n",
        "import subprocess\nsubprocess.call(c)\n",
        "import hashlib\nh = hashlib.md5()\n",
        "x = v.encode('utf-8').decode('utf-8')\n",
        "import struct\nx = struct.pack('>I', 1)\n",
        "x = encode('hex')\n",
        "'\\xe9'\n",
        "import base64\nx = base64\n",
        "x = r'\\d'\n",
        "import binascii\nx = binascii.Error\n",
        "import socket\nx = s.gettimeout()\n",
    ],
    "D014": [
        "for k in foo.keys(): pass\n",
        "x = sorted(foo.keys())\n",
        "x = foo.keys()[0]\n",
        "x = rdd.values().collect()\n",
        "x = pairs.keys().distinct()\n",
        "d = {}\nx = d.keys()\n",
        "x = rdd.collectAsMap().keys()\n",
        "def f(rdd):\n    d = rdd.collectAsMap()\n    use(d.items())\n",
        "x = rdd.countByKey().values()\n",
        "x = k in d.keys()\n",
        "x = d.keys(1)\n",
        "x = map(f, a)\n",
        "x = filter(f, line.split())\n",
        "x = filter(f, [1, 2])\n",
        "for k in filter(f, a): pass\n",
        "x = sum(filter(f, a))\n",
        "x = len(d.values())\n",
        "def filter(f, a): return a\nx = filter(1, 'a')\n",
        "class A:\n    def keys(self): return 1\nx = A().keys()\n",
    ],
    "D015": [
        "x = sorted(a, cmp=f)\n",
        "x = sorted(a, key=f)\n",
        "a.sort()\n",
        "a.sort(lambda x, y: x - y)\n",
        "x = cmp(a, b)\n",
        "def f(a, b): return 1\nx = sorted(a, f)\n",
        "df.sort('a')\n",
        "df.sort(column)\n",
        "def cmp(a, b): return 1\nx = cmp(f(), 2)\n",
        "x = df.sort(c, ascending=False)\n",
        "x = filecmp.cmp(a, b)\n",
        "x = run(cmp=1)\n",
    ],
    "D016": [
        "x = a is None\n",
        "x = a == None\n",
        "x = a < b\n",
        "x = 1 < 2.0\n",
        "x = 'a' < 'b'\n",
        "x = 'a' == 5\n",
        "x = int(raw_input()) > 5\n",
        "x = a < 5\n",
        "x = u'a' < 'b'\n",
        "x = True < 2\n",
        "x = str(a) != 5\n",
    ],
    "D017": [
        "x = round(1)\n",
        "from pyspark.sql.functions import round\nx = round(a)\n",
        "x = a.round(2)\n",
        "x = F.round(a)\n",
        "x = round\n",
        "x = round(len(a))\n",
    ],
    "D018": [
        "x = raw_input()\n",
        "x = 'exec code'\n",
        "import re\nx = re.compile(a)\n",
        "def eval(a): return a\nx = eval(1)\n",
        "x = a.eval()\n",
        "x = model.compile(1)\n",
        "execute(a)\n",
        "x = evaluate(a)\n",
        "x = compiled\n",
        "executor.exec_(1)\n",
    ],
    "D021": [
        "raise E, 'text'\n",
        "raise E, '%s' % a\n",
        "raise E, str(a)\n",
        "raise E, 5\n",
        "raise E(value)\n",
        "raise E\n",
        "raise\n",
        "raise E, ('a', 'b')\n",
        "raise value\n",
    ],
    "D022": [
        "x = isinstance(a, basestring)\n",
        "x = isinstance(a, (str, unicode))\n",
        "x = isinstance(a, (int, long))\n",
        "x = unicode(a)\n",
        "x = long(a)\n",
        "x = isinstance(a, str)\n",
        "x = isinstance(a, int)\n",
        "import types\nx = types.FunctionType\n",
        # D114
        "import types\nx = type(a) is types.StringType\n",
        "import types\nx = types.UnicodeType\n",
        "unicode = str\nx = isinstance(a, unicode)\n",
        "x = map(unicode, a)\n",
        "x = a.unicode\n",
    ],
    "D023": [
        "class A:\n    def __nonzero__(self): return 0\n",
        "class A:\n    def __lt__(self, o): return 0\n",
        "class A:\n    def __eq__(self, o): return 0\n    def __hash__(self): return 0\n",
        "def __cmp__(a, b): return 0\n",
        "class A:\n    def __str__(self): return ''\n",
        "class A:\n    def __init__(self): pass\n",
        "__metaclass__ = type\n",
        "class A:\n    def __truediv__(self, o): return 0\n",
        "class A:\n    def __eq__(self, o): return 0\n    __hash__ = None\n",
        "class A:\n    def cmp(self, o): return 0\n",
    ],
    "D024": [
        "print a\n",
        "print\n",
        "print a, b\n",
        "print (a,)\n",
        "print 'a,'\n",
        "print >>f, a\n",
    ],
}
# the rules of names that are gone have these
ELSEWHERE = [
    ("import operator\nx = operator.div(1, 2)\n", "D114"),
    ("x = 'a'.encode('hex')\n", "D115"),
    ("x = 'a'.encode('uu')\n", "D115"),
    ("x = sorted(a, cmp=f, key=g)\n", "D115"),
    ("x = sorted(a, f)\n", "D115"),
    ("x = cmp(f(), 1)\n", "D110"),
    ("use(cmp)\n", "D110"),
    ("execfile('a')\n", "D110"),
]


@pytest.mark.parametrize(
    ("code", "source", "lines"), [(c, *case) for c, cases in TOLD.items() for case in cases]
)
def test_told(code: str, source: str, lines: list[str]) -> None:
    assert told(source, code) == lines


@pytest.mark.parametrize(
    ("code", "source"), [(code, source) for code, sources in SILENT.items() for source in sources]
)
def test_silent(code: str, source: str) -> None:
    assert told(source, code) == []


@pytest.mark.parametrize(("source", "code"), ELSEWHERE)
def test_told_once(source: str, code: str) -> None:
    found = [f.code for f in converted(source).findings if f.at.line > 2 and not f.is_fixed]
    assert found == [code]
