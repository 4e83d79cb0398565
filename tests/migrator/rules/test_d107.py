"""Contexts that code outside of the tree makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.run.scan import scan
from tests.support.migrator.reports import codes, project, report

FRAMEWORK = "from framework import streaming_job\n"
JOB = FRAMEWORK + (
    '@streaming_job("clicks")\ndef clicks(ssc):\n'
    '    ssc.socketTextStream("h", 9).pprint()\n    ssc.start()\n'
)
UNSTARTED = JOB.replace("    ssc.start()\n", "")
FIRES = [
    JOB,
    UNSTARTED,
    FRAMEWORK + "@streaming_job\ndef run(c, n=1):\n    lines = c.textFileStream('x')\n",
    "from pyspark.streaming import StreamingContext\n"
    + JOB.replace("(ssc)", "(ssc: StreamingContext)"),
    JOB.replace("(ssc):\n", '(ssc):\n    """C.\n\n    :type ssc: StreamingContext\n    """\n'),
    "import framework\nclass Job(framework.Base):\n    def run(self):\n"
    "        self.ssc.textFileStream('x').pprint()\n        self.ssc.start()  # DStream\n"
    "        self.ssc.awaitTerminationOrTimeout(9)\n",
    "from framework import context\nssc = context()\nssc.textFileStream('x').pprint()\n"
    "ssc.start()\nssc.awaitTerminationOrTimeout(1)\n",
]
BASE = (
    "from framework import BaseJob\nclass Clicks(BaseJob):\n    def run(self, sc, ssc):\n"
    "        ssc.socketTextStream('h', 9).pprint()\n"
)
MADE = (
    "from pyspark.streaming import StreamingContext\n"
    "def make():\n    return StreamingContext(None, 1)\n"
)
# a context of the program itself goes elsewhere
FIRES += [
    BASE,
    BASE.replace(
        "(BaseJob):\n", "(BaseJob):\n    name = 'clicks'\n    class Options:\n        a = 1\n"
    ),
    BASE.replace("class Clicks", "class Middle(BaseJob): pass\nclass Clicks").replace(
        "Clicks(BaseJob)", "Clicks(Middle)"
    ),
    MADE + BASE,
    MADE + JOB,
    MADE + JOB + "make().textFileStream('x').pprint()\n",
]
SILENT = [
    MADE + JOB + "clicks(make())\n",
    MADE + BASE + "Clicks().run(None, make())\n",
    BASE.replace("from framework import BaseJob", "class BaseJob: pass"),
    BASE.replace("(BaseJob)", "(object)"),
    BASE.replace("(BaseJob)", ""),
    BASE.replace("from framework import BaseJob", "from abc import ABC as BaseJob"),
    BASE.replace("from framework import BaseJob", "from threading import Thread as BaseJob"),
    UNSTARTED.replace('@streaming_job("clicks")\n', ""),
    "def job(f):\n    return f\n" + UNSTARTED.replace('streaming_job("clicks")', "job"),
    "import pytest\n" + JOB.replace("def clicks", "def test_clicks"),
    JOB.replace("ssc.socketTextStream", "ssc.read").replace("9)", "9)  # DStream"),
    JOB + "def broken(:\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert [c.partition(":")[2] for c in codes(source)].count("D107") == 1


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D107" not in [c.partition(":")[2] for c in codes(source)]


def test_the_job_does_not_run_by_itself(tmp_path: Path) -> None:
    (finding,) = [f for f in report(JOB).findings if f.code == "D107"]
    assert finding.message == "`ssc` is made outside of this project: it is still PySpark's context"
    assert (finding.at.line, finding.needs_person) == (4, True)
    found = project(tmp_path, {"job.py": JOB})
    assert [f.code for _, f in found.findings() if f.needs_person] == ["D107"]


def test_a_context_of_the_project_counts_if_it_gets_there(tmp_path: Path) -> None:
    found = project(tmp_path, {"fw.py": JOB, "a.py": MADE})
    assert "D107" in [f.code for _, f in found.findings()]
    caller = "import fw\nfrom a import make\nfw.clicks(make())\n"
    found = project(tmp_path, {"fw.py": JOB, "a.py": MADE, "main.py": caller})
    assert "D107" not in [f.code for _, f in found.findings()]


def test_a_named_file_of_a_project_that_makes_one(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text("")
    (tmp_path / "contexts.py").write_text(MADE)
    (tmp_path / "job.py").write_text(JOB)
    found = scan(tmp_path / "job.py", "check")
    assert "D107" not in [f.code for _, f in found.findings()]
    (tmp_path / "contexts.py").write_text("")
    found = scan(tmp_path / "job.py", "check")
    assert "D107" in [f.code for _, f in found.findings()]
