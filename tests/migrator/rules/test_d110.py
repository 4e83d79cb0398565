"""Built-in names of Python 2."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.migrator.fix_cases import UnsafeFixCases, messages
from tests.support.migrator.fixes import fixed_report
from tests.support.migrator.notebooks import notebook
from tests.support.migrator.reports import CONTEXT, project

CODE = "D110"
CHANGED = [
    (
        "class A:\n    def f(self):\n        self.file = file('a')\n        d['long'] = long(1)\n",
        "class A:\n    def f(self):\n        self.file = open('a')\n        d['long'] = int(1)\n",
    ),
    ("import imp2\nreload(sys)\n", "from importlib import reload\nimport imp2\nreload(sys)\n"),
    ("for i in xrange(3):\n    pass\n", "for i in range(3):\n    pass\n"),
    ("f = xrange\n", "f = range\n"),
    ("x = unicode(3) + unicode()\n", "x = str(3) + str()\n"),
    ("ok = isinstance(x, (str, unicode))\n", "ok = isinstance(x, (str, str))\n"),
    ("ok = isinstance(x, basestring)\n", "ok = isinstance(x, str)\n"),
    ("x = long('3')  # long\n", "x = int('3')  # long\n"),
    ("x = raw_input('? ')\n", "x = input('? ')\n"),
    ("x = unichr(65)\n", "x = chr(65)\n"),
    ("with file('a', 'w') as f:\n    pass\n", "with open('a', 'w') as f:\n    pass\n"),
    ("x = apply(f, args)\n", "x = f(*args)\n"),
    ("x = apply(f, (1, 2), {'a': 1})\n", "x = f(*(1, 2), **{'a': 1})\n"),
    (
        "import os\nx = reduce(f, [1])\n",
        "from functools import reduce\nimport os\nx = reduce(f, [1])\n",
    ),
    (
        "'''doc'''\nfrom __future__ import division\nimport os\nreduce(f, x)\nreduce(g, y)\n",
        (
            "'''doc'''\n"
            "from __future__ import division\n"
            "from functools import reduce\n"
            "import os\n"
            "reduce(f, x)\n"
            "reduce(g, y)\n"
        ),
    ),
    (
        "'''doc'''\n\nx = reduce(f, [1])\n",
        "'''doc'''\n\nfrom functools import reduce\n\nx = reduce(f, [1])\n",
    ),
    (
        "# top\n@reduce\ndef f():\n    pass\n",
        "# top\nfrom functools import reduce\n\n@reduce\ndef f():\n    pass\n",
    ),
    (
        "x = intern('a')\nreload(m)\n",
        "from importlib import reload\nfrom sys import intern\n\nx = intern('a')\nreload(m)\n",
    ),
    (
        "def f():\n    from functools import reduce\n\ndef g(x):\n    return reduce(f, x)\n",
        (
            "from functools import reduce\n\n"
            "def f():\n"
            "    from functools import reduce\n"
            "\n"
            "def g(x):\n"
            "    return reduce(f, x)\n"
        ),
    ),
    (
        "def f(unicode):\n    return unicode\n\nx = unicode(1)\n",
        "def f(unicode):\n    return unicode\n\nx = str(1)\n",
    ),
    (
        "class A:\n    long = 1\n\n    def f(self):\n        return long(1)\n",
        "class A:\n    long = 1\n\n    def f(self):\n        return int(1)\n",
    ),
    (
        "from pyspark.sql.types import *\nx = xrange(1)\n",
        "from pyspark.sql.types import *\nx = range(1)\n",
    ),
]
UNSAFE = [
    (
        "try:\n    f()\nexcept StandardError as e:\n    pass\n",
        "try:\n    f()\nexcept Exception as e:\n    pass\n",
    ),
]
REPORTED: list[str] = [
    "x = unicode(b'a', 'utf-8')\n",
    "x = unicode(b'a', errors='ignore')\n",
    "x = cmp(1, 2)\n",
    "execfile('a.py')\n",
    "ok = isinstance(x, file)\n",
    "x = coerce(1, 2)\n",
    "x = buffer('a')\n",
    "x = apply(*y)\n",
    "range = 3\nx = xrange(1)\n",
    "def f(str):\n    return unicode(str)\n",
]
SILENT: list[str] = [
    "from past.builtins import xrange\nxrange(1)\n",
    "from builtins import str as unicode\nunicode(1)\n",
    "from six.moves import xrange, input as raw_input\nxrange(1)\nraw_input()\n",
    "from six.moves import *\nxrange(1)\n",
    "from helpers import *\nxrange(1)\n",
    "xrange = range\nxrange(1)\n",
    "try:\n    unicode\nexcept NameError:\n    unicode = str\n",
    "try:\n    x = unicode(1)\nexcept NameError:\n    x = str(1)\n",
    "import sys\nif sys.version_info[0] >= 3:\n    unicode = str\nx = unicode(1)\n",
    "import sys\nif sys.version_info < (3,):\n    x = xrange(1)\nelse:\n    x = range(1)\n",
    "import sys\nx = unicode(1) if sys.version_info[0] < 3 else str(1)\n",
    "import six\nif six.PY2 and isinstance(x, unicode):\n    pass\n",
    "PY3 = True\nif not PY3:\n    x = long(1)\n",
    (
        "import sys\n"
        "\n"
        "def f(x):\n"
        "    if sys.version_info[0] >= 3:\n"
        "        return str(x)\n"
        "    return unicode(x)\n"
    ),
    "from functools import reduce\nreduce(f, x)\n",
    "import functools\nfunctools.reduce(f, x)\n",
    "def f(reduce):\n    return reduce(1)\n",
    "rdd.reduce(f)\n",
    "def cmp(a, b):\n    return 0\n\ncmp(1, 2)\n",
    "file = open('a')\nfile.read()\n",
    "with open('a') as file:\n    file.read()\n",
    "for file in files:\n    print(file)\n",
    "[buffer for buffer in x]\n",
    "x = a.unicode\n",
    "f(long=1)\n",
    "x = 'xrange'\n# xrange\n",
    "class unicode(str):\n    pass\n\nunicode(1)\n",
    "import builtins\nbuiltins.unicode = str\nunicode(1)\n",
    "globals()['unicode'] = str\nunicode(1)\n",
    "import builtins\nsetattr(builtins, 'long', int)\nlong(1)\n",
    "unicode: type\nunicode = str\nx = unicode(1)\n",
    "x = range(3)\ny = str(1)\nz = int(2)\n",
    "lambda file: file.name\n",
    "import file\nfile.x()\n",
    "global reduce\ndef f():\n    global reduce\n    reduce = 1\n",
    "try:\n    pass\nexcept StandardErrors:\n    pass\n",
    "while (long := f()):\n    print(long)\n",
    "def f(*, unicode=str):\n    return unicode(1)\n",
    "def f(**file):\n    return file\n",
    "for xrange in []:\n    xrange(1)\n",
    "match x:\n    case [file]:\n        print(file)\n",
    "def f(long: int = 3):\n    return long\n",
    "x = {'unicode': 1}['unicode']\n",
    "from numpy import long\nlong(1)\n",
    "xrange: object = range\nxrange(3)\n",
    "@reduce_all\ndef reduce(a):\n    return a\n\nreduce(1)\n",
]


class TestCases(UnsafeFixCases):
    """Those above."""


def found(source: str) -> list[str]:
    return messages(CODE, source)


def test_the_handler_that_hides_the_error_is_named() -> None:
    source = "def f(x):\n    try:\n        return unicode(x, 'utf-8')\n    except:\n        pass\n"
    (message,) = found(source)
    assert message.endswith("NameError, which the `except` in line 4 hides each time")
    (other,) = found(source.replace("        pass", "        raise"))
    assert "hides" not in other


def test_other_modules_of_the_job(tmp_path: Path) -> None:
    """A module that the job imports is part of it; one that nothing imports is not."""
    job = "import helper\nfrom names import *\n" + CONTEXT + "x = unicode(helper.f(1))\n"
    files = {
        "job.py": job,
        "helper.py": "def f(x):\n    return list(xrange(x))\n",
        "names.py": "unicode = str\n",
        "other.py": "x = xrange(1)\n",
    }
    run = project(tmp_path, files)
    assert [(f.path, g.at.line) for f, g in run.findings() if g.code == CODE] == [("helper.py", 2)]


def test_nothing_without_streams(tmp_path: Path) -> None:
    run = project(tmp_path, {"job.py": "# migrate: ignore[D101]\nx = xrange(1)\n"})
    assert [g for _, g in run.findings() if g.code == CODE] == []


def test_notebooks() -> None:
    cells = ["import os", "x = reduce(f, y)\nfor i in xrange(2): pass"]
    made = fixed_report("job.ipynb", notebook(*cells).encode())
    assert made.content is not None
    sources = ["".join(c["source"]) for c in json.loads(made.content)["cells"]]
    assert sources[1:] == [
        "import os",
        "from functools import reduce\n\nx = reduce(f, y)\nfor i in range(2): pass",
    ]


def test_python2_that_stays_has_its_names() -> None:
    assert found("print 'a'\nx = xrange(1)\ny = cmp(1, 2)\n") == []
