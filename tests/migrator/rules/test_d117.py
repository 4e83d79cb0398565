"""Methods that classes of Python have lost."""

from __future__ import annotations

import pytest

from tests.support.migrator.fix_cases import FixCases
from tests.support.migrator.fixes import fixed_text

CODE = "D117"
CHANGED = [
    (
        "import threading\nt = threading.Thread(target=f)\nx = t.isAlive()\n",
        "import threading\nt = threading.Thread(target=f)\nx = t.is_alive()\n",
    ),
    (
        "from threading import Thread as T\nwhile T(target=f).isAlive():\n    pass\n",
        "from threading import Thread as T\nwhile T(target=f).is_alive():\n    pass\n",
    ),
    (
        (
            "import threading\n"
            "\n"
            "class W(threading.Thread):\n"
            "    def f(self):\n"
            "        return self.isAlive()\n"
        ),
        (
            "import threading\n"
            "\n"
            "class W(threading.Thread):\n"
            "    def f(self):\n"
            "        return self.is_alive()\n"
        ),
    ),
    (
        "import array\na = array.array('i', [1])\nx = a.tostring()\n",
        "import array\na = array.array('i', [1])\nx = a.tobytes()\n",
    ),
    (
        "def f():\n    from array import array\n    a = array('b')\n    a.fromstring(x)\n",
        "def f():\n    from array import array\n    a = array('b')\n    a.frombytes(x)\n",
    ),
    (
        "import configparser\nc = configparser.ConfigParser()\nc.readfp(f)\n",
        "import configparser\nc = configparser.ConfigParser()\nc.read_file(f)\n",
    ),
    (
        (
            "import xml.etree.ElementTree as ET\n"
            "r = ET.fromstring(x)\n"
            "for e in r.getiterator('a'):\n"
            "    pass\n"
        ),
        (
            "import xml.etree.ElementTree as ET\n"
            "r = ET.fromstring(x)\n"
            "for e in r.iter('a'):\n"
            "    pass\n"
        ),
    ),
    ("for x in open(y).xreadlines():\n    pass\n", "for x in open(y):\n    pass\n"),
    (
        "import io\nwith io.open(y) as f:\n    x = list(f.xreadlines())\n",
        "import io\nwith io.open(y) as f:\n    x = list(f)\n",
    ),
    ("f = open(y)\nx = f.next()  # head\n", "f = open(y)\nx = next(f)  # head\n"),
    (
        "import csv\nr = csv.reader(open(y))\nr.next()\n",
        "import csv\nr = csv.reader(open(y))\nnext(r)\n",
    ),
    ("x = (y for y in z).next()\n", "x = next((y for y in z))\n"),
    ("g = (y for y in z)\nx = g.next().strip()\n", "g = (y for y in z)\nx = next(g).strip()\n"),
    ("x = iter(y).next()\n", "x = next(iter(y))\n"),
    (
        "d = {'a': 1}\nx = d.itervalues().next()\n",
        "d = {'a': 1}\nx = next(iter(d.values()))\n",
    ),
    ("def f():\n    pass\n\nx = f.func_name\n", "def f():\n    pass\n\nx = f.__name__\n"),
    (
        "def f(a=1):\n    pass\n\nx = f.func_defaults, f.func_code.co_varnames\n",
        "def f(a=1):\n    pass\n\nx = f.__defaults__, f.__code__.co_varnames\n",
    ),
]
MESSAGES = [
    "try:\n    f()\nexcept Exception as e:\n    print(e.message)\n",
    "try:\n    f()\nexcept ValueError as e:\n    if x:\n        log(1, e.message)\n",
]
REPORTED: list[str] = [
    "import uuid\nx = uuid.uuid4().get_hex()\n",
    "import xml.etree.ElementTree as ET\nx = ET.fromstring(y).getchildren()\n",
    "next = 1\nx = iter(y).next()\n",
    "x = iter(y).next(  # the first\n)\n",
    *MESSAGES,
]
SILENT: list[str] = [
    "import threading\nt = threading.Thread(target=f)\nx = t.is_alive()\n",
    "def f(t):\n    return t.isAlive()\n",
    "import mine\nt = mine.Thread()\nt.isAlive()\n",
    "x.isAlive()\n",
    "import numpy\na = numpy.array([1])\na.tostring()\n",
    "x.tostring()\n",
    "import threading\nt = threading.Thread(target=f)\nt = mine()\nt.isAlive()\n",
    "import array\na = array.array('i')\na.tobytes()\n",
    "element.getchildren()\n",
    "c.readfp(f)\n",
    "import uuid\nx = uuid.uuid4().hex\n",
    (
        "import threading, sys\n"
        "t = threading.Thread(target=f)\n"
        "x = t.isAlive() if sys.version_info[0] == 2 else t.is_alive()\n"
    ),
    (
        "import threading\n"
        "t = threading.Thread(target=f)\n"
        "try:\n"
        "    t.isAlive()\n"
        "except AttributeError:\n"
        "    t.is_alive()\n"
    ),
    "def isAlive():\n    pass\n\nisAlive()\n",
    "from lxml import etree\nr = etree.fromstring(x)\nr.getchildren()\n",
    "import threading\nfor t in threading.enumerate():\n    t.isAlive()\n",
    "import multiprocessing\np = multiprocessing.Process(target=f)\np.isAlive()\n",
    "x = 'isAlive'\n",
    "import threading\nt = [threading.Thread(target=f)]\nt.isAlive()\n",
    "with a as t:\n    t.isAlive()\n",
    # files and iterators
    "for x in open(y):\n    pass\n",
    "x = next(open(y))\n",
    "f.xreadlines()\n",
    "def g(f):\n    return f.next()\n",
    "f = open(y)\nf = mine(f)\nf.next()\n",
    "import gzip\nx = gzip.open(y).xreadlines()\n",
    "from mine import open\nx = open(y).next()\n",
    "def open(y):\n    return y\n\nx = open(y).next()\n",
    "class A:\n    def next(self):\n        pass\n\nA().next()\n",
    "x = jvm_iterator.next()\n",
    "x = iter(y).next(1)\n",
    "x = open(y).next\n",
    "import mine\nx = mine.reader(f).next()\n",
    "x = d.values().next()\n",
    "x = redis.scan_iter().next()\n",
    "f = [open(y)]\nf.next()\n",
    "for f in files:\n    f.next()\n",
    "try:\n    x = iter(y).next()\nexcept AttributeError:\n    x = next(iter(y))\n",
    "import sys\nx = open(y).next() if sys.version_info[0] == 2 else next(open(y))\n",
    "x = 'open(y).next()'\n",
    "# open(y).xreadlines()\n",
    # functions
    "x = f.func_name\n",
    "class A:\n    def __init__(self):\n        self.func_name = 1\n\nx = A().func_name\n",
    "def f():\n    pass\n\nf.func_name = 'x'\n",
    "def f():\n    pass\n\nx = f.__name__\n",
    "x = frame.func_code\n",
    "def f():\n    pass\n\nx = getattr(f, 'func_name')\n",
    "from mine import f\nx = f.func_name\n",
    "x = 'f.func_name'\n",
    # errors
    "try:\n    f()\nexcept Exception as e:\n    print(e)\n",
    "try:\n    f()\nexcept MyError as e:\n    print(e.message)\n",
    "try:\n    f()\nexcept (MyError, ValueError) as e:\n    print(e.message)\n",
    "from mine import Exception\ntry:\n    f()\nexcept Exception as e:\n    print(e.message)\n",
    "try:\n    f()\nexcept Exception as e:\n    print(x.message)\n",
    "try:\n    f()\nexcept Exception as e:\n    e.message = 1\n",
    (
        "class MyError(Exception):\n    def __init__(self, m):\n        self.message = m\n\n"
        "try:\n    f()\nexcept Exception as e:\n    print(e.message)\n"
    ),
    "try:\n    f()\nexcept Exception as e:\n    print(getattr(e, 'message', e))\n",
    "try:\n    f()\nexcept Exception as e:\n    x = e.message if hasattr(e, 'message') else e\n",
    "e.message\n",
    "x = commit.message\n",
    "try:\n    f()\nexcept KafkaError as e:\n    print(e.message)\n",
    "try:\n    f()\nexcept:\n    print(e.message)\n",
]


class TestCases(FixCases):
    """Those above."""


@pytest.mark.parametrize("source", MESSAGES)
def test_messages_only_if_asked(source: str) -> None:
    assert fixed_text("job.py", source, unsafe=True) == source.replace("e.message", "str(e)")
