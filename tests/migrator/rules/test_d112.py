"""`print` statements that parse as Python 3."""

from __future__ import annotations

from tests.support.migrator.fix_cases import UnsafeFixCases
from tests.support.migrator.reports import report

CODE = "D112"
CHANGED = [
    (
        "import sys\nprint >>sys.stderr, 'a', xrange(3), unicode(x)\n",
        "import sys\nprint('a', range(3), str(x), file=sys.stderr)\n",
    ),
    ("print ('%s') % long(x)\n", "print(('%s') % int(x))\n"),
    ("print >>f, 'a'\n", "print('a', file=f)\n"),
    ("print >>f\n", "print(file=f)\n"),
    ("print >> sys.stderr, 'a %s' % x, y\n", "print('a %s' % x, y, file=sys.stderr)\n"),
    ("print >>f, 'a',\n", "print('a', file=f, end=\" \")\n"),
    ("print >>f, ('a', b)\n", "print(('a', b), file=f)\n"),
    ("print >>f, (a), (b)\n", "print((a), (b), file=f)\n"),
    ("print >>open('x', 'w'), a  # c\n", "print(a, file=open('x', 'w'))  # c\n"),
    ("if x: print >>f, a\n", "if x: print(a, file=f)\n"),
    (
        "def f():\n    print >>g, [\n        1,\n        2]\n",
        "def f():\n    print([\n        1,\n        2], file=g)\n",
    ),
    ("print ('a %s') % x\n", "print(('a %s') % x)\n"),
    ("print ('a %s %s') % (x, y)\n", "print(('a %s %s') % (x, y))\n"),
    ("print ('a') + x\n", "print(('a') + x)\n"),
    ("print -1\n", "print(-1)\n"),
]
UNSAFE = [
    ("print ('a'), x\n", "print(('a'), x)\n"),
    ("print ('a'),\n", "print(('a'), end=\" \")\n"),
]
REPORTED: list[str] = [
    "print >>f, (a, # b\n  c)\n",
    "(print >>f, a)\n",
]
SILENT: list[str] = [
    "print(a) if b else None\n",
    "print(a) or b\n",
    "print('a'), print('b')\n",
    "print('a'), sys.exit(1)\n",
    "from __future__ import print_function\nprint('a'), b\n",
    "print(a) == b\n",
    "print('a')\n",
    "print('a', file=f)\n",
    "print\n",
    "print = log\nprint >>f, 'a'\n",
    "def print(*a):\n    return 1\n\nprint(1) % 2\n",
    "x = print >> f\n",
    "log >>f, 'a'\n",
    "from helpers import print\nprint >>f\n",
    "print('a %s' % x)\n",
    "print(('a'), b)\n",
    "a >> b\n",
    "a, b\n",
    "'''print >>f, x'''\n",
    "# print >>f, x\n",
    "x = 'print >>f'\n",
    "print(x).y\n",
    "print(x)(y)\n",
    "f(print)\n",
    "print[0]\n",
    "sys.stdout.write('a') >> b\n",
    "import sys\nif sys.version_info[0] < 3:\n    print >>f, 'a'\n",
    "lambda: print('a')\n",
    "[print(x) for x in y]\n",
    "x = [print]\n",
    "x.print(a) % b\n",
    "printer >>f, a\n",
    "for print in []:\n    print >>f\n",
    "await_ = print\n",
    "print(*a, sep='')\n",
    "print(\n  'a'\n)\n",
    "class print:\n    pass\n\nprint >>f\n",
]


class TestCases(UnsafeFixCases):
    """Those above."""


def test_what_is_only_lost_is_a_warning() -> None:
    findings = [f for f in report("print ('a'), b\nprint ('a') % b\n").findings if f.code == CODE]
    assert [f.severity.value for f in findings] == ["warning", "error"]
