"""Methods that classes of Python have lost."""

from __future__ import annotations

import pytest

from tests.support.migrator.fixes import fixed_report, fixed_text
from tests.support.migrator.reports import report

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
]
REPORTED: list[str] = [
    "import uuid\nx = uuid.uuid4().get_hex()\n",
    "import xml.etree.ElementTree as ET\nx = ET.fromstring(y).getchildren()\n",
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
]


def found(source: str) -> list[str]:
    return [f.message for f in report(source).findings if f.code == CODE]


@pytest.mark.parametrize(("before", "after"), CHANGED)
def test_changed(before: str, after: str) -> None:
    assert fixed_text("job.py", before) == after
    compile(after, "job.py", "exec")


@pytest.mark.parametrize(("before", "after"), CHANGED)
def test_changed_with_other_line_ends(before: str, after: str) -> None:
    assert fixed_text("job.py", before.replace("\n", "\r\n")) == after.replace("\n", "\r\n")


@pytest.mark.parametrize("source", REPORTED)
def test_reported(source: str) -> None:
    made = fixed_report("job.py", source)
    assert made.content is None
    assert {f.code for f in made.findings} == {CODE}
    assert all(f.is_open and f.advice for f in made.findings)


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert found(source) == []
