"""Methods that classes of Python have lost."""

from __future__ import annotations

from tests.support.migrator.fix_cases import FixCases

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


class TestCases(FixCases):
    """Those above."""
