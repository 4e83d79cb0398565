"""Strings that are bytes on one side only."""

from __future__ import annotations

import pytest

from tests.support.migrator.python2 import told

TOLD: list[tuple[str, list[str]]] = [
    ("import hashlib\nh = hashlib.md5(line)\n", ["2"]),
    ("import hashlib\nh = hashlib.md5('a')\n", ["2!"]),
    ("from base64 import b64encode\nx = b64encode(v)\n", ["2"]),
    ("import socket\ns.send('a')\ns.sendall(v)\nx = s.recv(9)\n", ["2!", "3", "4"]),
    ("x = open('a', 'rb')\n", ["1"]),
    ("x = 'a'.encode('hex')\n", ["1!"]),
    ("x = line.decode('utf-8')\n", ["1"]),
    ("x = kv[1].encode('utf-8')\n", ["1"]),
    ("import subprocess\nx = subprocess.check_output(c)\n", ["2"]),
    ("x = '\\xe9'\n", ["1"]),
]
SILENT = [
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
]


@pytest.mark.parametrize(("source", "lines"), TOLD)
def test_told(source: str, lines: list[str]) -> None:
    assert told(source, "D013") == lines


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert told(source, "D013") == []
