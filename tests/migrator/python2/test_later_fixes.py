"""Fixes of other rules apply to what Python 2 was converted to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.migrator.runs import Run

Migrate = Callable[..., Run]
HEAD = """\
import json, sys, time
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(), 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.pprint()
print "starts"
"""
FIXED = [
    ("from itertools import izip\n", "from builtins import zip as izip\n", "D114"),
    ("t = time.clock()\n", "t = time.process_time()\n", "D114"),
    ("import ConfigParser\n", "import configparser as ConfigParser\n", "D113"),
    ("d = json.loads('1', encoding='utf-8')\n", "d = json.loads('1')\n", "D115"),
    ("reload(sys)\nsys.setdefaultencoding('utf-8')\n", "", "D114"),
    ("from cStringIO import StringIO  # fast\n", None, "D113"),
    ("import urllib2\nf = urllib2.urlopen('x')\n", None, "D113"),
]


@pytest.mark.parametrize(("before", "after", "code"), FIXED)
def test_names_that_are_gone_in_a_converted_file(
    migrate: Migrate, tmp_path: Path, before: str, after: str | None, code: str
) -> None:
    job = tmp_path / "job.py"
    job.write_text(HEAD + before + "ssc.start()\n")
    run = migrate(tmp_path, "--in-place")
    text = job.read_text()
    assert 'print("starts")\n' in text
    assert "from dstream_compat import StreamingContext\n" in text
    assert f"{before if after is None else after}ssc.start()\n" in text
    assert run.code == (after is None)
    assert (code in run.out) is (after is None)
    # a second run finds the same, and changes nothing
    again = migrate(tmp_path, "--in-place")
    assert job.read_text() == text
    assert again.code == run.code


def test_files_that_stay_python_2_stay_as_they_are(migrate: Migrate, tmp_path: Path) -> None:
    job = tmp_path / "job.py"
    source = f"{HEAD}x: int = 1\nt = unicode(x)\nfrom itertools import izip\nssc.start()\n"
    job.write_text(source)
    run = migrate(tmp_path, "--in-place", "--format", "json")
    assert run.code == 1
    assert job.read_text() == source
    # their names are right there
    assert {f["code"] for f in run.json["findings"]} == {"D001"}
