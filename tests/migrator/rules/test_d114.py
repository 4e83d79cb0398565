"""Names that modules of Python have lost."""

from __future__ import annotations

from tests.support.migrator.fix_cases import UnsafeFixCases
from tests.support.migrator.fixes import fixed_report, fixed_text
from tests.support.migrator.reports import report

CODE = "D114"
CHANGED = [
    ("import string\nf = string.upper\n", "import string\nf = str.upper\n"),
    (
        "import string\nx = string.join(map(string.upper, string.split(y, ',')), '-')\n",
        "import string\nx = '-'.join(map(str.upper, y.split(',')))\n",
    ),
    (
        "import string\nx = string.strip(string.lower(y))\n",
        "import string\nx = y.lower().strip()\n",
    ),
    ("import sys\nreload(sys)\nsys.setdefaultencoding('utf-8')\nx = 1\n", "import sys\nx = 1\n"),
    (
        "import sys\nreload(sys); sys.setdefaultencoding('UTF8')  # text\nx = 1\n",
        "import sys\n# text\nx = 1\n",
    ),
    ("from string import atoi\n", "from builtins import int as atoi\n"),
    (
        "import string\nx = string.letters + string.lowercase\n",
        "import string\nx = string.ascii_letters + string.ascii_lowercase\n",
    ),
    (
        "from string import letters, digits\n",
        "from string import ascii_letters as letters, digits\n",
    ),
    ("import time\nx = time.clock()\n", "import time\nx = time.process_time()\n"),
    (
        "import time as t\nx = t.clock() - t.time()\n",
        "import time as t\nx = t.process_time() - t.time()\n",
    ),
    ("from time import clock\n", "from time import process_time as clock\n"),
    (
        "import urllib\nx = urllib.urlencode(y)\n",
        "import urllib.parse\nx = urllib.parse.urlencode(y)\n",
    ),
    (
        "import os, urllib\nx = urllib.quote(urllib.unquote(y))\n",
        "import os, urllib.parse\nx = urllib.parse.quote(urllib.parse.unquote(y))\n",
    ),
    ("from urllib import urlencode, quote\n", "from urllib.parse import urlencode, quote\n"),
    (
        "from urllib import quote as q, parse\n",
        "from urllib.parse import quote as q\nfrom urllib import parse\n",
    ),
    ("import itertools\nx = itertools.izip(a, b)\n", "import itertools\nx = zip(a, b)\n"),
    (
        "from itertools import izip, chain\n",
        "from builtins import zip as izip\nfrom itertools import chain\n",
    ),
    ("from itertools import izip_longest\n", "from itertools import zip_longest as izip_longest\n"),
    ("import sys\nx = sys.maxint\n", "import sys\nx = sys.maxsize\n"),
    ("import os\nx = os.getcwdu()\n", "import os\nx = os.getcwd()\n"),
    (
        "import collections\nx = isinstance(y, collections.Mapping)\n",
        "import collections.abc\nx = isinstance(y, collections.abc.Mapping)\n",
    ),
    (
        "from collections import Iterable, OrderedDict\n",
        "from collections.abc import Iterable\nfrom collections import OrderedDict\n",
    ),
    ("import types\nx = types.StringType, types.ListType\n", "import types\nx = str, list\n"),
    ("import string\nx = string.join(y, ',')\n", "import string\nx = ','.join(y)\n"),
    ("import string\nx = string.join(y)\n", 'import string\nx = " ".join(y)\n'),
    ("import string\nx = string.split(y, ',', 1)\n", "import string\nx = y.split(',', 1)\n"),
    ("import string\nx = string.upper(a + b)\n", "import string\nx = (a + b).upper()\n"),
    ("import string\nx = string.atoi('3')\n", "import string\nx = int('3')\n"),
    (
        "def f():\n    import time\n    return time.clock()\n",
        "def f():\n    import time\n    return time.process_time()\n",
    ),
    ("import operator\nx = operator.isCallable(f)\n", "import operator\nx = callable(f)\n"),
]
UNSAFE = [
    (
        "import urllib\nx = urllib.urlopen('a')\n",
        "import urllib.request\nx = urllib.request.urlopen('a')\n",
    ),
    ("from urllib import urlopen\n", "from urllib.request import urlopen\n"),
    ("import base64\nx = base64.encodestring(y)\n", "import base64\nx = base64.encodebytes(y)\n"),
    ("from fractions import gcd\n", "from math import gcd\n"),
    (
        "import string\nx = string.maketrans('a', 'b')\n",
        "import string\nx = str.maketrans('a', 'b')\n",
    ),
]
REPORTED: list[str] = [
    "import sys\nsys.setdefaultencoding('latin-1')\n",
    "from string import join, upper\n",
    "import sys\nsys.exc_clear()\n",
    "import inspect\nx = inspect.getargspec(f)\n",
    "from inspect import getargspec\n",
    "import platform\nx = platform.linux_distribution()\n",
    "import os.path\nos.path.walk(a, b, c)\n",
    "import string\nf = string.join\n",
    "import string\nx = string.join(y, a.b)\n",
    "import string\nx = string.split(*y)\n",
    "import string\nx = string.join(y,  # comma\n    ',')\n",
    "import urllib as u\nx = u.quote(y)\n",
    "import itertools\nzip = 1\nx = itertools.izip(a)\n",
    "import types\nx = types.StringTypes\n",
    "import asyncio\n\n@asyncio.coroutine\ndef f():\n    pass\n",
    "from itertools import (\n    izip,  # pairs\n)\n",
]
SILENT: list[str] = [
    "import sys\nif hasattr(sys, 'setdefaultencoding'):\n    sys.setdefaultencoding('utf-8')\n",
    "import sys\nif sys.version_info[0] < 3:\n    sys.setdefaultencoding('utf-8')\n",
    "import string\nx = string.ascii_letters\n",
    "import time\nx = time.time()\n",
    "import datetime\nx = datetime.datetime.utcnow()\n",
    "from collections.abc import Mapping\n",
    "import collections.abc\nx = collections.abc.Mapping\n",
    "import urllib.parse\nx = urllib.parse.quote(y)\n",
    "from urllib.parse import quote\n",
    "from urllib.request import urlopen\n",
    "from future.moves.urllib.parse import quote\n",
    "try:\n    from itertools import izip\nexcept ImportError:\n    izip = zip\n",
    (
        "try:\n"
        "    from collections.abc import Mapping\n"
        "except ImportError:\n"
        "    from collections import Mapping\n"
    ),
    (
        "import time\n"
        "try:\n"
        "    clock = time.clock\n"
        "except AttributeError:\n"
        "    clock = time.perf_counter\n"
    ),
    (
        "import sys, time\n"
        "if sys.version_info < (3, 3):\n"
        "    f = time.clock\n"
        "else:\n"
        "    f = time.perf_counter\n"
    ),
    "import time\nf = time.clock if PY2 else time.perf_counter\n",
    "from six.moves import zip as izip\n",
    "from six.moves.urllib.parse import quote\nquote('a')\n",
    "class string:\n    letters = 1\n\nstring.letters\n",
    "def f(string):\n    return string.letters\n",
    "import mine as time\ntime.clock()\n",
    "from mine import time\ntime.clock()\n",
    "time = clock()\ntime.clock()\n",
    "x.clock()\n",
    "self.letters = 1\n",
    "x = 'string.letters'\n",
    "# time.clock()\n",
    "import types\nx = types.FunctionType\n",
    "import os\nx = os.getcwd()\n",
    "import sys\nx = sys.maxsize\n",
    "import itertools\nx = itertools.chain(a)\n",
    "from collections import OrderedDict, defaultdict, deque\n",
    "import base64\nx = base64.b64encode(y)\n",
    "import inspect\nx = inspect.signature(f)\n",
    "import time\ntime.clock = 1\n",
    "import string\nx = hasattr(string, 'letters')\n",
    "from string import digits, Template\n",
    "import fractions\nfractions.Fraction(1)\n",
    "import math\nmath.gcd(1, 2)\n",
    "from . import string\nstring.letters\n",
    "import re, os.path\nos.path.join(a)\n",
    "if x:\n    import string\nelse:\n    import mine as string\nstring.letters\n",
    "from .time import clock\n",
    "import os\nx = os.walk(a)\n",
    "from operator import add, truediv\n",
    "import json\nx = json.load\n",
    "import urllib\nx = urllib.parse\n",
    (
        "import sys\n"
        "\n"
        "def now():\n"
        "    import time\n"
        "    if sys.version_info[0] > 2:\n"
        "        return time.perf_counter()\n"
        "    return time.clock()\n"
    ),
    "import string\nx = string.digits + string.punctuation\n",
    "import string\nx = string.capwords('a b')\n",
    "import string\nx = string.Formatter()\n",
    "import time\nx = time.perf_counter() - time.process_time()\n",
    "import time\nclock = time.monotonic\nclock()\n",
    "import os\nx = os.popen('ls').read()\n",
    "import os\nx = os.environ['A'], os.spawnvp\n",
    "import sys\nx = sys.exc_info()\n",
    "import sys\nx = sys.getdefaultencoding()\n",
    "import itertools\nx = itertools.zip_longest(a, b)\n",
    "from itertools import zip_longest, filterfalse\n",
    "import collections\nx = collections.Counter(y), collections.namedtuple\n",
    "import operator\nx = operator.itemgetter(1)\n",
    "import types\nx = types.ModuleType, types.GeneratorType\n",
    "import inspect\nx = inspect.getfullargspec(f)\n",
    "import platform\nx = platform.system()\n",
    "import base64\nx = base64.encodebytes(y), base64.decodebytes(y)\n",
    "import urllib.request\nx = urllib.request.urlopen('a')\n",
    "import urllib.error, urllib.parse\nx = urllib.parse.urlencode(y)\n",
    "import tempfile\nx = tempfile.mkstemp()\n",
    "import math\nx = math.gcd\nfrom math import gcd\n",
    "with open('a') as time:\n    time.clock()\n",
]


class TestCases(UnsafeFixCases):
    """Those above."""


def test_safe_and_unsafe_names_of_one_module() -> None:
    """The import serves both, so that either can be changed without the other."""
    before = "import urllib\nx = urllib.quote(a), urllib.urlopen(b)\n"
    after = "import urllib.parse, urllib.request\nx = urllib.parse.quote(a), urllib.urlopen(b)\n"
    made = fixed_report("job.py", before)
    assert made.content == after.encode()
    assert fixed_text("job.py", before, unsafe=True) == after.replace(
        "urllib.url", "urllib.request.url"
    )


def test_what_later_versions_lack_is_a_warning() -> None:
    source = "import locale, sys\nlocale.format('%d', 1)\nsys.maxint\n"
    findings = [f for f in report(source).findings if f.code == CODE]
    assert [f.severity.value for f in findings] == ["warning", "error"]
