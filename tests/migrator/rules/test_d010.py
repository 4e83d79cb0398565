"""Python 2 as Python 3: what each fixer changes, and what it leaves."""

from __future__ import annotations

import ast

import pytest

from tests.support.migrator.python2 import HEAD, after, converted
from tests.support.migrator.reports import report

CHANGED = [
    # print
    ("print a, b\n", "print(a, b)\n"),
    ("print\n", "print()\n"),
    ("print ()\n", "print(())\n"),
    ("print ('a', b)\n", "print(('a', b))\n"),
    ("print >>f, a,  # c\n", "print(a, end=' ', file=f)  # c\n"),
    ("print >>f\n", "print(file=f)\n"),
    ("print 'a' % (\n    b,  # why\n)\n", "print('a' % (\n    b,  # why\n))\n"),
    ("if a: print a; print b\n", "if a: print(a); print(b)\n"),
    # exceptions
    ("try: a()\nexcept E, e: b()\n", "try: a()\nexcept E as e: b()\n"),
    ("try: a()\nexcept (E, F),e: b()\n", "try: a()\nexcept (E, F) as e: b()\n"),
    ("try: a()\nexcept E, self.x: b()\n", "try: a()\nexcept E as error: self.x = error; b()\n"),
    ("raise E, 'x'\n", "raise E('x')\n"),
    ("raise E, 'x', tb\n", "raise E('x').with_traceback(tb)\n"),
    # literals and operators
    ("x = 0777 + 10L\n", "x = 0o777 + 10\n"),
    ("x = a <> b\n", "x = a != b\n"),
    ("x = `a` + `b, c`\n", "x = repr(a) + repr((b, c))\n"),
    ("exec a in b\n", "exec(a, b)\n"),
    ("x = [y for y in 1, 2]\n", "x = [y for y in (1, 2)]\n"),
    ("x = ur'\\d' + '\\u00e9'\n", "x = r'\\d' + '\\\\u00e9'\n"),
    # parameters
    ("f = lambda (k, v): (v, k)\n", "f = lambda k_v: (k_v[1], k_v[0])\n"),
    ("f = lambda a, (k, v): a + v\n", "f = lambda a, k_v: a + k_v[1]\n"),
    ("f = lambda (k, (a, b)): b\n", "f = lambda k_a_b: k_a_b[1][1]\n"),
    ("f = lambda (k, v): o.k(k=v)\n", "f = lambda k_v: o.k(k=k_v[1])\n"),
    ("f = lambda (k, v): k_v + k\n", "f = lambda k_v_2: k_v + k_v_2[0]\n"),
    (
        "f = lambda (k, v): map(lambda k: k + v, k)\n",
        "f = lambda k_v: (lambda k, v: list(map(lambda k: k + v, k)))(*k_v)\n",
    ),
    (
        "f = lambda (k, v): [k for k in v]\n",
        "f = lambda k_v: (lambda k, v: [k for k in v])(*k_v)\n",
    ),
    (
        "f = lambda (k, v): (lambda (a, b): [a for a in k])(v)\n",
        "f = lambda k_v: (lambda k, v: (lambda a_b: (lambda a, b: [a for a in k])(*a_b))(v))"
        "(*k_v)\n",
    ),
    ("def f((k, v)):\n    return k\n", "def f(k_v):\n    k, v = k_v\n    return k\n"),
    (
        "def f(a, (k, v), b=1):\n    '''Doc.'''\n\n    # c\n    return k\n",
        "def f(a, k_v, b=1):\n    '''Doc.'''\n    k, v = k_v\n\n    # c\n    return k\n",
    ),
    # names
    ("x = [unichr(n) for n in xrange(5)]\n", "x = [chr(n) for n in range(5)]\n"),
    ("x = isinstance(a, (int, long))\n", "x = isinstance(a, (int, int))\n"),
    ("x = raw_input()\n", "x = input()\n"),
    ("x = input()\n", "x = eval(input())\n"),
    ("import sys\nx = sys.maxint\n", "import sys\nx = sys.maxsize\n"),
    ("import string as s\nx = s.letters\n", "import string as s\nx = s.ascii_letters\n"),
    (
        "x = reduce(f, a)\n",
        "from functools import reduce\nx = reduce(f, a)\n",
    ),
    # dictionaries
    ("x = d.has_key(k)\n", "x = k in d\n"),
    ("x = d.has_key(k) == a\n", "x = (k in d) == a\n"),
    ("if not d.has_key(k): pass\n", "if k not in d: pass\n"),
    ("x = d.has_key(a or b)\n", "x = (a or b) in d\n"),
    ("x = d.has_key((a, b))\n", "x = (a, b) in d\n"),
    ("for k, v in d.iteritems(): pass\n", "for k, v in d.items(): pass\n"),
    ("x = d.itervalues()\n", "x = iter(d.values())\n"),
    ("x = d.viewkeys()\n", "x = d.keys()\n"),
    ("x = d.keys()\nx.sort()\n", "x = list(d.keys())\nx.sort()\n"),
    ("x = d.keys()[0]\n", "x = list(d.keys())[0]\n"),
    ("for k in d.keys():\n    del d[k]\n", "for k in list(d.keys()):\n    del d[k]\n"),
    (
        "for k in self.d.keys():\n    self.drop(k)\n",
        "for k in list(self.d.keys()):\n    self.drop(k)\n",
    ),
    # sequences
    ("x = map(f, a)\n", "x = list(map(f, a))\n"),
    ("map(f, a)\n", "list(map(f, a))\n"),
    ("for x in map(f, a): pass\n", "for x in list(map(f, a)): pass\n"),
    ("x = zip(a, b)[0]\n", "x = list(zip(a, b))[0]\n"),
    ("x = range(3)\n", "x = list(range(3))\n"),
    ("x = map(None, a)\n", "x = list(a)\n"),
    ("x = filter(None, [1])\n", "x = list(filter(None, [1]))\n"),
    # division, sorting, methods
    ("x = len(a) / 2\n", "x = len(a) // 2\n"),
    ("n = 1\nn += 2\nx = n / (  # c\n    2)\n", "n = 1\nn += 2\nx = n // (  # c\n    2)\n"),
    ("n = 4\nn /= 2\n", "n = 4\nn //= 2\n"),
    ("x = cmp(a.b, c[0])\n", "x = ((a.b > c[0]) - (a.b < c[0]))\n"),
    (
        "x = sorted(a, cmp=f)\n",
        "from functools import cmp_to_key\nx = sorted(a, key=cmp_to_key(f))\n",
    ),
    (
        "class A:\n    def __nonzero__(self): return 1\n",
        "class A:\n    def __bool__(self): return 1\n",
    ),
    ("x = it.next()\n", "x = next(it)\n"),
]
UNCHANGED = [
    "print (a)\n",
    "print ('a' + b)\n",
    "print(a)\n",
    "x = u'a' + b'b' + r'c'\n",
    "x = '\\n' + '\\x00'\n",
    "x = u'\\u00e9'\n",
    "f = lambda k, v: v\n",
    "f = lambda *k: k[0]\n",
    "def f(k, v=(1, 2)): return k\n",
    "try: a()\nexcept E: b()\n",
    "try: a()\nexcept E as e: b()\n",
    "raise E('x')\n",
    "raise\n",
    "x = 0\ny = 0x1F\nz = 0o7\n",
    # names of the program itself
    "lat, long = 1, 2\nx = long + lat\n",
    "def f(long): return long\n",
    "try:\n    unicode\nexcept NameError:\n    unicode = str\nx = unicode(a)\n",
    "from six.moves import range, xrange\nx = xrange(3)\n",
    "from functools import reduce\nx = reduce(f, a)\n",
    "def map(f, a): return 1\nx = map(1, 2)\n",
    "from pyspark.sql.functions import filter\nx = filter(a, b)\n",
    "import sys as s\nsys = 1\nx = sys.maxint\n",
    "x = long_name + o.long + f(long=1)\n",
    "x = self.sys.maxint\n",
    # not of dicts, or not as lists
    "x = rdd.values().collect()\n",
    "x = rdd.keys().map(f).distinct()\n",
    "for k in d.keys(): use(k)\n",
    "for k in d.keys():\n    del e[k]\n",
    "x = sorted(d.keys()) + [k for k in d.values()]\n",
    "x = len(d.keys()) or k in d.keys()\n",
    "class A:\n    def has_key(self, k): return 1\nx = A().has_key(2)\n",
    "class A:\n    def iteritems(self): return 1\nx = A().iteritems()\n",
    "x = d.has_key()\n",
    "x = d.items(1)\n",
    "x = rdd.map(f).filter(g).zip(other)\n",
    "for x in map(int, a): pass\n",
    "for x in zip(a, b): pass\n",
    "for x in range(3): pass\n",
    "x = sum(map(f, a))\n",
    "x = ','.join(map(str, a))\n",
    "x = dict(zip(a, b))\n",
    "a, b = map(f, c)\n",
    "x = set(map(f, a)) | set(filter(g, b))\n",
    "x = 3 in range(5)\n",
    "x = filter(f, 'abc')\n",
    "x = map(None, a, b)\n",
    # not two ints, or not the builtin
    "x = a / b\n",
    "x = len(a) / 2.0\n",
    "n = f()\nx = n / 2\n",
    "def f(n=4): return n / 2\n",
    "n = 4\nn = g()\nx = n / 2\n",
    "from __future__ import division\nx = len(a) / 2\n",
    "def len(a): return 2.0\nx = len(a) / 2\n",
    "x = cmp(f(), 1)\n",
    "def cmp(a, b): return 0\nx = cmp(a, b)\n",
    "x = sorted(a, key=f)\n",
    "df.sort(c)\n",
    "x = sorted(a, cmp=f, key=g)\n",
    "class A:\n    def next(self): return 1\nx = A().next()\n",
    "while it.hasNext():\n    x = it.next()\n",
    "x = it.next(1)\n",
    "def __nonzero__(): return 1\n",
    "class A:\n    def __nonzero__(self): return 1\n    def __bool__(self): return 1\n",
    "x = os.getcwd() + string.digits\n",
    "x = o.xrange(3) + o.raw_input()\n",
    "x = [y for y in (1, 2)]\n",
    "for x in 1, 2: pass\n",
    "assert a, 'b'\n",
    "x = '`a` <> 0777 lambda (a, b): print c'  # print d, lambda (a, b): a\n",
    "'''print a\nexcept E, e\n'''\n",
]


@pytest.mark.parametrize(("source", "expected"), CHANGED)
def test_changed(source: str, expected: str) -> None:
    assert after(source) == expected
    found = converted(source)
    fixed = [f for f in found.findings if f.code == "D010" and f.at.line > 2]
    assert fixed and all(f.fixed and f.effort == 0 for f in fixed)
    assert found.content is not None
    ast.parse(found.content)
    again = report(found.content)
    assert again.content is None and again.conversion is None


@pytest.mark.parametrize("source", UNCHANGED)
def test_unchanged(source: str) -> None:
    if source.startswith("from __future__"):
        future, _, rest = source.partition("\n")
        found = report(f"{future}\n{HEAD}{rest}")
    else:
        found = converted(source)
        assert after(source) == source
    lines = {f.at.line for f in found.findings if f.code == "D010"}
    assert len(lines) == 1


def test_there_are_twice_as_many_things_left_alone() -> None:
    kinds = {f.problem for s, _ in CHANGED for f in converted(s).findings if f.code == "D010"}
    assert len(UNCHANGED) >= 2 * len(kinds)
