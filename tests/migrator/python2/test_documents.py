"""Converted files and notebooks: their bytes, their places, and what follows the conversion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from migrator.model.report import FileReport
from tests.support.migrator.fixes import fixed_report
from tests.support.migrator.reports import project, report
from tests.support.migrator.runs import Run

JOB = """\
# -*- coding: utf-8 -*-
import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils


def swap((word, n)):
\tprint >>sys.stderr, "got", word
        return n, word


ssc = StreamingContext(SparkContext(appName="café"), 0010)
lines = KafkaUtils.createStream(ssc, `sys.argv[1]`, "g", {"t": 1})
lines.map(lambda (k, v): v).map(swap).toDF()
print "count", lines.count() / 2
"""


def left(found: FileReport) -> list[str]:
    return [f"{f.at.line}:{f.at.column}:{f.code}" for f in found.findings if not f.is_fixed]


def test_places_are_those_of_the_python_2_file() -> None:
    found = report(JOB)
    assert left(found) == ["14:20:D201", "15:39:D301", "16:16:D303"]
    fixed = [f"{f.at.line}:{f.code}" for f in found.findings if f.is_fixed]
    assert fixed == [
        *("4:D101", "5:D101", "8:D010", "9:D010", "10:D011"),
        *("13:D010", "14:D010", "15:D010", "16:D010", "16:D010"),
    ]
    assert [(s.at.line, s.name) for s in found.sites if s.name in ("toDF", "count")] == [
        *((15, "toDF"), (16, "count")),
    ]


def test_the_steps() -> None:
    found = report(JOB)
    assert found.conversion is not None and found.content is not None
    step = found.conversion.content.decode()
    assert "pyspark.streaming" in step and "dstream_compat" not in step
    assert "        word, n = word_n\n        print(" in step
    assert found.content.decode() == step.replace("pyspark.streaming", "dstream_compat")
    assert report(found.content).content is None


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("tail", ["", "\n", "\n\n  \n"])
def test_line_ends_are_kept(end: str, tail: str) -> None:
    before = (
        "x = 1  \nfrom pyspark.streaming import DStream # c \ndef f((a, b)):\n  return 1" + tail
    )
    after = before.replace("pyspark.streaming", "dstream_compat")
    after = after.replace("def f((a, b)):", "def f(a_b):\n  a, b = a_b")
    assert report(before.replace("\n", end).encode()).content == after.replace("\n", end).encode()


def test_mixed_line_ends_are_kept() -> None:
    before = b"import pyspark.streaming as s\r\nx = 1\nprint x\r\ny = 2\n"
    after = b"import dstream_compat as s\r\nx = 1\nprint(x)\r\ny = 2\n"
    assert report(before).content == after


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8-sig", "utf-8", "latin-1"])
def test_encodings_are_kept(encoding: str) -> None:
    source = (
        f"# coding: {encoding.removesuffix('-sig')}\nimport pyspark.streaming as s\nprint 'é'\n"
    )
    after = source.replace("pyspark.streaming", "dstream_compat").replace("t 'é'", "t('é')")
    assert report(source.encode(encoding)).content == after.encode(encoding)


def book(*cells: str) -> bytes:
    content = {
        "cells": [{"cell_type": "code", "source": c.splitlines(keepends=True)} for c in cells],
        "metadata": {"kernelspec": {"name": "python2", "language": "python"}},
    }
    return json.dumps(content, indent=1).encode()


def cells(found: FileReport) -> list[str]:
    assert found.content is not None
    return ["".join(cell["source"]) for cell in json.loads(found.content)["cells"]]


def test_all_cells_of_a_notebook_are_python_2() -> None:
    source = book(
        "%matplotlib inline\nfrom pyspark.streaming import StreamingContext\nprint 'a'\n",
        "print ('a', 1)\nn = len(x) / 2\n",
        "%time n = 1\nprint 'b'\n!ls\n",
        "ssc = StreamingContext(sc, 1)\nssc._jssc",
        "%%sql\nselect 1 / 2\n",
    )
    found = report(source, "a.ipynb")
    assert cells(found) == [
        "%matplotlib inline\nfrom dstream_compat import StreamingContext\nprint('a')\n",
        "print(('a', 1))\nn = len(x) // 2\n",
        "%time n = 1\nprint('b')\n!ls\n",
        "ssc = StreamingContext(sc, 1)\nssc._jssc",
        "%%sql\nselect 1 / 2\n",
    ]
    open_ones = [(f.at.cell, f.at.line, f.code) for f in found.findings if not f.is_fixed]
    assert open_ones == [(4, 2, "D601")]
    assert found.content is not None
    assert report(found.content, "a.ipynb").content is None


@pytest.mark.parametrize(
    "source",
    [
        book("from pyspark.streaming import DStream\nprint('a')\n", "n = len(x) / 2\n"),
        book("from pyspark.streaming import DStream\nprint ('a', 1)\n"),
    ],
)
def test_a_notebook_that_python_3_reads_is_not_converted(source: bytes) -> None:
    """What its kernel is called says nothing once it has been converted."""
    assert report(source, "a.ipynb").conversion is None


def test_a_notebook_with_a_cell_of_python_3_is_not_converted() -> None:
    source = book("import pyspark.streaming as s\nprint 'a'\n", "x: int = 1\n")
    found = report(source, "a.ipynb")
    assert found.conversion is None
    assert [f.code for f in found.findings if not f.is_fixed] == ["D001"]


def test_a_broken_cell_stays() -> None:
    source = book("import pyspark.streaming as s\nprint 'a'\n", "x = (\n")
    assert cells(report(source, "a.ipynb"))[0] == "import dstream_compat as s\nprint('a')\n"
    assert cells(report(source, "a.ipynb"))[1] == "x = (\n"


def test_modules_of_a_job_are_converted(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        {
            "job.py": "from pyspark.streaming import DStream\nfrom lib import util\n",
            "lib/__init__.py": "",
            "lib/util.py": "def f(x):\n    print x\n    return x / 2\n",
            "other/tool.py": "print 'no streams'\n",
        },
    )
    assert [f.path for f in found.files] == ["job.py", "lib/util.py"]
    assert found.files[1].content == b"def f(x):\n    print(x)\n    return x / 2\n"
    assert [f.code for f in found.files[1].findings if not f.is_fixed] == ["D012"]


FIXED = [
    # in a line that was converted, behind one that has become two
    (
        'def f((a, b)): pass\nx = {u"a": `b`}, "--packages '
        'org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.0 pyspark-shell", `c`\n',
        'repr(b)}, "--packages org.apache.spark:spark-sql-kafka-0-10_2.13:',
    ),
    ("import pyspark.streaming\nsys.modules['pyspark.streaming'] , `c`\n", "sys.modules["),
]


@pytest.mark.parametrize(("source", "wanted"), FIXED)
def test_fixes_follow_the_conversion(source: str, wanted: str) -> None:
    source = f"import sys\nfrom pyspark.streaming import DStream\n{source}"
    found = fixed_report("job.py", source)
    assert found.content is not None
    assert wanted in found.content.decode()
    assert "repr(c)" in found.content.decode()
    assert fixed_report("job.py", found.content).content is None


def test_an_edit_that_is_refused_leaves_the_conversion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("migrator.edit.rewrite.difference", lambda *_: "it is not")
    found = report("from pyspark.streaming import DStream\nprint 1\n")
    assert found.content == b"from pyspark.streaming import DStream\nprint(1)\n"
    assert [(f.code, f.is_fixed) for f in found.findings] == [("D004", False), ("D010", True)]


class TestOptions:
    """What a run does with Python 2, and the patch."""

    @pytest.fixture
    def tree(self, tmp_path: Path) -> Path:
        root = tmp_path / "tree"
        root.mkdir()
        (root / "job.py").write_text("from pyspark.streaming import DStream\nprint 1 / x\n")
        return root

    def codes(self, run: Run) -> set[str]:
        return {f["code"] for f in run.json["findings"]}

    def test_default(self, migrate: Any, tree: Path) -> None:
        run = migrate(tree, "--check", "--format", "json")
        assert self.codes(run) == {"D010", "D012", "D101"}

    def test_there_is_no_other_choice(self, migrate: Any, tree: Path) -> None:
        assert migrate(tree, "--check", "--python2", "keep").code == 2
        (tree / "pyproject.toml").write_text('[tool.migrate]\npython2 = "keep"\n')
        run = migrate(tree, "--check")
        assert run.code == 2 and "[tool.migrate] has no setting python2" in run.err

    def test_the_patch_has_two_parts(self, migrate: Any, tree: Path) -> None:
        lines = migrate(tree, "--diff").out.splitlines()
        heads = [line for line in lines if line.startswith(("# ", "+++ "))]
        assert heads == [
            *("# job.py: Python 2 to Python 3", "+++ b/job.py"),
            *("# job.py: DStreams to dstream_compat", "+++ b/job.py"),
        ]
        assert [line for line in lines if line[:1] in "+-" and line[1:2] not in "+-"] == [
            *("-print 1 / x", "+print(1 / x)"),
            *("-from pyspark.streaming import DStream", "+from dstream_compat import DStream"),
        ]

    @pytest.mark.parametrize("ignored", ["D010", "D101"])
    def test_a_rule_that_takes_no_part(self, migrate: Any, tree: Path, ignored: str) -> None:
        before = (tree / "job.py").read_text()
        migrate(tree, "--in-place", "--ignore", ignored)
        assert (tree / "job.py").read_text() == before

    def test_a_comment_keeps_the_file(self, migrate: Any, tree: Path) -> None:
        source = (tree / "job.py").read_text().replace("x\n", "x  # migrate: ignore[D010] later\n")
        (tree / "job.py").write_text(source)
        migrate(tree, "--in-place")
        assert (tree / "job.py").read_text() == source


def test_the_html_report_shows_both_steps(migrate: Any, tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text("from pyspark.streaming import DStream\nprint 1\n")
    migrate(tmp_path, "--check", "--report", tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text("utf-8")
    first, second = "Diff: Python 2 to Python 3", "Diff: DStreams to dstream_compat"
    assert page.index(first) < page.index("print(1)") < page.index(second)
