"""Modules that Python has lost."""

from __future__ import annotations

from pathlib import Path

from tests.support.migrator.fix_cases import UnsafeFixCases
from tests.support.migrator.reports import CONTEXT, project, report

CODE = "D113"
CHANGED = [
    ("import Queue\nq = Queue.Queue()\n", "import queue as Queue\nq = Queue.Queue()\n"),
    ("import Queue as queue\n", "import queue\n"),
    ("import cPickle as pickle  # fast\n", "import pickle  # fast\n"),
    ("import os, ConfigParser, sys\n", "import os, configparser as ConfigParser, sys\n"),
    ("from Queue import Queue, Empty\n", "from queue import Queue, Empty\n"),
    (
        "from ConfigParser import (\n    RawConfigParser,\n)\n",
        "from configparser import (\n    RawConfigParser,\n)\n",
    ),
    (
        "from urlparse import urlparse as p, parse_qs\n",
        "from urllib.parse import urlparse as p, parse_qs\n",
    ),
    (
        "def f():\n    import urlparse\n    return urlparse.urlparse('a')\n",
        "def f():\n    import urllib.parse as urlparse\n    return urlparse.urlparse('a')\n",
    ),
    (
        "import __builtin__\n__builtin__.open('a')\n",
        "import builtins as __builtin__\n__builtin__.open('a')\n",
    ),
    ("from email.MIMEText import MIMEText\n", "from email.mime.text import MIMEText\n"),
    ("from email import Encoders, utils\n", "from email import encoders as Encoders, utils\n"),
    (
        "import thread; thread.start_new_thread(f, ())\n",
        "import _thread as thread; thread.start_new_thread(f, ())\n",
    ),
    (
        "import commands\ncommands.getoutput('ls')\n",
        "import subprocess as commands\ncommands.getoutput('ls')\n",
    ),
    ("from commands import getoutput\n", "from subprocess import getoutput\n"),
    ("from copy_reg import pickle\n", "from copyreg import pickle\n"),
    ("import xmlrpclib, Cookie\n", "import xmlrpc.client as xmlrpclib, http.cookies as Cookie\n"),
]
UNSAFE = [
    (
        "import urllib2\nurllib2.urlopen('a')\n",
        "import urllib.request as urllib2\nurllib2.urlopen('a')\n",
    ),
    (
        "from urllib2 import urlopen, URLError\n",
        "from urllib.request import urlopen\nfrom urllib.error import URLError\n",
    ),
    (
        "if x:\n    from urllib2 import Request, HTTPError as E\n",
        (
            "if x:\n"
            "    from urllib.request import Request\n"
            "    from urllib.error import HTTPError as E\n"
        ),
    ),
    (
        "if x: from urllib2 import Request, HTTPError\n",
        "if x: from urllib.request import Request; from urllib.error import HTTPError\n",
    ),
    ("from StringIO import StringIO\n", "from io import StringIO\n"),
    ("import cStringIO as s\n", "import io as s\n"),
    (
        "import commands\ncommands.getstatusoutput('ls')\n",
        "import subprocess as commands\ncommands.getstatusoutput('ls')\n",
    ),
    ("import httplib\n", "import http.client as httplib\n"),
]
REPORTED: list[str] = [
    "import compiler.ast\n",
    "from compiler.ast import flatten\n",
    "from distutils.version import LooseVersion\n",
    "import md5\n",
    "import sets\n",
    "import exceptions\n",
    "import popen2\n",
    "import rfc822\n",
    "from sets import Set\n",
    "from Queue import *\n",
    "import ConfigParser\nx = ConfigParser.SafeConfigParser()\n",
    "from ConfigParser import SafeConfigParser\n",
    "from UserDict import DictMixin\n",
    "from Queue import (\n    Queue,  # fifo\n)\n",
    "import email.MIMEText\n",
    "import httplib\nx = httplib.HTTP\n",
]
SILENT: list[str] = [
    "import queue\n",
    "import queue as Queue\n",
    "from queue import Queue\n",
    "import pickle\nimport json, os, sys\n",
    "import configparser\n",
    "from urllib.parse import urlparse\n",
    "try:\n    import urllib2\nexcept ImportError:\n    import urllib.request as urllib2\n",
    "try:\n    import urllib.request as u\nexcept ImportError:\n    import urllib2 as u\n",
    "try:\n    from urlparse import urlparse\nexcept:\n    from urllib.parse import urlparse\n",
    "try:\n    import cPickle as pickle\nexcept Exception:\n    pickle = None\n",
    "try:\n    import cPickle\nexcept ModuleNotFoundError:\n    cPickle = None\n",
    (
        "import sys\n"
        "if sys.version_info[0] == 2:\n"
        "    import Queue\n"
        "else:\n"
        "    import queue as Queue\n"
    ),
    "import six\nif six.PY2:\n    import urlparse\n",
    "from six.moves import configparser, queue\n",
    "import six.moves.cPickle as pickle\n",
    "from . import Queue\n",
    "from .Queue import Queue\n",
    "from mine import Queue\n",
    "import mine.Queue\n",
    "from mine.urlparse import x\n",
    "import urllib\n",
    "import email.mime.text\n",
    "from email import encoders\n",
    "x = 'import Queue'\n# import Queue\n",
    "import parser\n",
    "import user\nimport new\n",
    "from repr import x\n",
    "import symbol\n",
    "importlib.import_module('queue')\n",
    "import io\n",
    "import thread_pool\n",
    "import Queues\n",
    "PY3 = 1\nif PY3:\n    pass\nelse:\n    import ConfigParser\n",
    "import pickle as cPickle\n",
    "import http.client as httplib\n",
    "import http.cookies\nfrom http.server import HTTPServer\n",
    "import io as StringIO\n",
    "from io import StringIO, BytesIO\n",
    "import builtins\n",
    "import subprocess as commands\ncommands.getoutput('ls')\n",
    "import xmlrpc.client\n",
    "import copyreg, reprlib, winreg\n",
    "from socketserver import TCPServer\n",
    "from collections import UserDict, UserList\n",
    "import _thread\nimport threading\n",
    "try:\n    import StringIO\nexcept ImportError:\n    import io as StringIO\n",
    "from pkg.ConfigParser import x\nimport pkg.thread\n",
    "def f(Queue, urllib2):\n    return Queue.x, urllib2.y\n",
]


class TestCases(UnsafeFixCases):
    """Those above."""


def test_modules_of_the_project(tmp_path: Path) -> None:
    """A file of that name is what is imported."""
    job = "import Queue\nfrom commands import run\nimport urlparse\n" + CONTEXT
    files = {"job.py": job, "Queue.py": "x = 1\n", "commands/__init__.py": "run = 1\n"}
    run = project(tmp_path, files)
    assert [(f.path, g.at.line) for f, g in run.findings() if g.code == CODE] == [("job.py", 3)]


def test_what_later_versions_lack_is_a_warning() -> None:
    findings = [f for f in report("import imp\nimport Queue\n").findings if f.code == CODE]
    assert [f.severity.value for f in findings] == ["warning", "error"]
