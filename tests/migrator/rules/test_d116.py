"""Iterators that are used as lists."""

from __future__ import annotations

from tests.support.migrator.fix_cases import FixCases

CODE = "D116"
CHANGED = [
    ("x = map(f, y)[0]\n", "x = list(map(f, y))[0]\n"),
    ("x = filter(None, y)[-1]\n", "x = list(filter(None, y))[-1]\n"),
    ("x = zip(a, b)[1:]\n", "x = list(zip(a, b))[1:]\n"),
    ("x = len(map(f, y))\n", "x = len(list(map(f, y)))\n"),
    ("x = map(f, y) + [1]\n", "x = list(map(f, y)) + [1]\n"),
    ("x = [1] + zip(a, b)\n", "x = [1] + list(zip(a, b))\n"),
    ("d = {'a': 1}\nx = d.keys()[0]\n", "d = {'a': 1}\nx = list(d.keys())[0]\n"),
    ("x = {'a': 1}.items()[0]  # first\n", "x = list({'a': 1}.items())[0]  # first\n"),
    ("x = dict(a=1).values() + []\n", "x = list(dict(a=1).values()) + []\n"),
    ("x = filter(f, map(g, y))[0]\n", "x = list(filter(f, map(g, y)))[0]\n"),
    (
        "f = lambda x: map(float, x.split(','))[2]\n",
        "f = lambda x: list(map(float, x.split(',')))[2]\n",
    ),
    ("map(f, y).append(1)\n", "list(map(f, y)).append(1)\n"),
    ("x = range(3) + [4]\n", "x = list(range(3)) + [4]\n"),
    ("x = range(3) + range(5, 7)\n", "x = list(range(3)) + list(range(5, 7))\n"),
    (
        "x = dict({'a': 1}.items() + {'b': 2}.items())\n",
        "x = dict(list({'a': 1}.items()) + list({'b': 2}.items()))\n",
    ),
    ("x = map(f, y) + filter(g, z)\n", "x = list(map(f, y)) + list(filter(g, z))\n"),
    ("range(3).append(1)\n", "list(range(3)).append(1)\n"),
]
REPORTED: list[str] = [
    "d = {}\nd.keys().sort()\n",
    "list = 1\nx = map(f, y)[0]\n",
]
SILENT: list[str] = [
    "x = list(map(f, y))[0]\n",
    "for x in map(f, y):\n    pass\n",
    "x = map(f, y)\n",
    "x = rdd.map(f)[0]\n",
    "x = y.keys()[0]\n",
    "def f(d):\n    return d.keys()[0]\n",
    "from itertools import filterfalse\n",
    "map = mine\nx = map(f, y)[0]\n",
    "def filter(a, b):\n    return []\n\nfilter(1, 2)[0]\n",
    "from mine import zip\nzip(a, b)[0]\n",
    "x = len({}.keys())\n",
    "x = len(d.values())\n",
    "x = sorted(map(f, y))[0]\n",
    "x = set(map(f, y))\n",
    "x = [1] + y\n",
    "x = map(f, y) + z\n",
    "x = range(3)[0]\n",
    "x = df.keys()[0]\n",
    "import pandas\nx = pandas.read_csv(f).keys()[0]\n",
    "x = dict(zip(a, b))['a']\n",
    "x = next(map(f, y))\n",
    "from six.moves import map\nmap(f, y)[0]\n",
    "import sys\nif sys.version_info[0] == 2:\n    x = map(f, y)[0]\n",
    "x = 'map(f, y)[0]'\n",
    "class A:\n    def keys(self):\n        return []\n\nA().keys()[0]\n",
    "x = {}.keys()\n",
    "x = {}['a']\n",
    "x = map[0]\n",
    "x = redis.keys('a')[0]\n",
    "len = f\nx = len(map(g, y))\n",
    "x = range(3)[1:]\n",
    "x = len(range(3))\n",
    "x = range(3).index(1)\n",
    "x = list(range(3)) + [4]\n",
    "x = range(3) + y\n",
    "x = a.items() + b.items()\n",
    "x = {}.items() | {}.items()\n",
    "range = f\nx = range(3) + [1]\n",
    "from mine import range\nx = range(3) + range(4)\n",
    "x = sum(range(3)) + len([])\n",
    "x = rdd.map(f) + rdd.filter(g)\n",
]


class TestCases(FixCases):
    """Those above."""
