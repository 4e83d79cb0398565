"""Methods of dicts of Python 2."""

from __future__ import annotations

from tests.support.migrator.fix_cases import UnsafeFixCases, messages

CODE = "D111"
CHANGED = [
    (
        "d = {}\nfor k, v in d.iteritems():\n    pass\n",
        "d = {}\nfor k, v in d.items():\n    pass\n",
    ),
    (
        "x = list({'a': 1}.itervalues())  # itervalues\n",
        "x = list({'a': 1}.values())  # itervalues\n",
    ),
    ("d = dict(a=1)\nx = set(d.iterkeys())\n", "d = dict(a=1)\nx = set(d.keys())\n"),
    (
        "d = {}\nx = d.viewitems(), d.viewkeys(), d.viewvalues()\n",
        "d = {}\nx = d.items(), d.keys(), d.values()\n",
    ),
    ("d = {}\nif d.has_key('a'):\n    pass\n", "d = {}\nif 'a' in d:\n    pass\n"),
    ("d = {}\nif not d.has_key('a'):\n    pass\n", "d = {}\nif 'a' not in d:\n    pass\n"),
    (
        "d = {}\nx = d.has_key(a) and d.has_key(a + b)\n",
        "d = {}\nx = (a in d) and ((a + b) in d)\n",
    ),
    ("d = {}\nf(d.has_key((1, 2)))\n", "d = {}\nf(((1, 2) in d))\n"),
    (
        "from collections import defaultdict\nd = defaultdict(int)\nd.iteritems()\n",
        "from collections import defaultdict\nd = defaultdict(int)\nd.items()\n",
    ),
    (
        "def f(d):\n    return d.iteritems()\n\nf({'a': 1})\n",
        "def f(d):\n    return d.items()\n\nf({'a': 1})\n",
    ),
    (
        (
            "class A:\n"
            "    def __init__(self):\n"
            "        self.d = {}\n"
            "\n"
            "    def f(self):\n"
            "        return self.d.itervalues()\n"
        ),
        (
            "class A:\n"
            "    def __init__(self):\n"
            "        self.d = {}\n"
            "\n"
            "    def f(self):\n"
            "        return self.d.values()\n"
        ),
    ),
    (
        "d = {}\nfor k, v in (d\n        # all\n        .iteritems()):\n    pass\n",
        "d = {}\nfor k, v in (d\n        # all\n        .items()):\n    pass\n",
    ),
]
UNSAFE = [
    ("def f(d):\n    return list(d.iteritems())\n", "def f(d):\n    return list(d.items())\n"),
    ("if load().has_key('b'):\n    pass\n", "if 'b' in load():\n    pass\n"),
    ("f = lambda d: d.has_key('a')\n", "f = lambda d: ('a' in d)\n"),
]
REPORTED: list[str] = [
    "d = {}\nx = d.has_key(  # why\n    'a')\n",
    "d = {}\nx = d.has_key(*a)\n",
    "d = {}\nx = d.iteritems(1)\n",
]
SILENT: list[str] = [
    "import six\nsix.iteritems(d)\n",
    "from future.utils import iteritems\niteritems(d)\n",
    "class A:\n    def iteritems(self):\n        pass\n\nA().iteritems()\n",
    "class A:\n    def has_key(self, x):\n        pass\n\ndef f(a):\n    a.has_key(1)\n",
    "if hasattr(d, 'iteritems'):\n    d.iteritems()\n",
    "try:\n    d.iteritems()\nexcept AttributeError:\n    d.items()\n",
    "import sys\nx = d.iteritems() if sys.version_info[0] == 2 else d.items()\n",
    "d = {}\nd.items()\nd.get('a')\n",
    "f = d.iteritems\n",
    "x = 'iteritems'\n",
    "d.iteritems = 3\n",
    "def iteritems(d):\n    pass\n\niteritems({})\n",
    "PY2 = False\nif PY2:\n    {}.iterkeys()\n",
    "has_key = 1\nprint(has_key)\n",
    "x = d['has_key']\n",
    "f(has_key=1)\n",
    "import helper\nhelper.iteritems({})\n",
    "from pyspark import SparkContext\nSparkContext().has_key(1)\n",
    "x = [1].iteritems\n",
    "import six\nx = sum(six.itervalues({}))\n",
    (
        "import sys\n"
        "\n"
        "def f(d):\n"
        "    if sys.version_info > (3,):\n"
        "        return d.items()\n"
        "    return d.iteritems()\n"
    ),
    "try:\n    f = dict.iteritems\nexcept AttributeError:\n    f = dict.items\n",
    "# d.iteritems()\n",
    "'''d.has_key(1)'''\n",
    "del d.iteritems\n",
    "def f():\n    pass\n\nf.has_key(1)\n",
    "x = d.iteritem()\n",
    "x = d.has_keys(1)\n",
    "x = {**d}.items()\n",
    "class A:\n    has_key = None\n\nA().has_key\n",
]


class TestCases(UnsafeFixCases):
    """Those above."""


def found(source: str) -> list[str]:
    return messages(CODE, source)


def test_what_is_guessed_is_said() -> None:
    (message,) = found("def f(d):\n    return d.iteritems()\n")
    assert message.endswith("AttributeError if the receiver is a dict")
