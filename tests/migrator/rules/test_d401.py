"""Checkpoints that nothing needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.migrator.reports import codes, project

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
FIRES = [
    STREAM + "ssc.checkpoint('x')\nlines.pprint()\nssc.start()\n",
    STREAM + "ssc.checkpoint('x')\nlines.window(30, 10).count().pprint()\n",
    STREAM + "def setup(c):\n    c.checkpoint('x')\nsetup(ssc)\n",
]
SILENT = [
    STREAM + "ssc.checkpoint('x')\nlines.updateStateByKey(f).pprint()\n",
    STREAM + "ssc.checkpoint('x')\nlines.reduceByKeyAndWindow(f, g, 30, 10).pprint()\n",
    STREAM + "ssc.checkpoint('x')\nlines.countByWindow(30, 10).pprint()\n",
    STREAM + "ssc.checkpoint('x')\ndef f(s):\n    return s.mapWithState(g)\nf(lines).pprint()\n",
    STREAM + "def make():\n    c = StreamingContext(None, 1)\n    c.checkpoint('x')\n    return c\n"
    "StreamingContext.getOrCreate('x', make)\n",
    STREAM + "ssc.checkpoint('x')\nfrom mylib import build\nbuild(ssc)\n",
    STREAM + "ssc.checkpoint('x')\nfrom mylib import build\nbuild([lines])\n",
    STREAM + "lines.checkpoint(10)\n",
    STREAM + "rdd.checkpoint()\n",
    "def f(ssc):\n    ssc.checkpoint('x')\n    ssc.textFileStream('x')\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D401" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D401" not in [c.partition(":")[2] for c in codes(source)]


LOG = "spark.streaming.receiver.writeAheadLog.enable"


@pytest.mark.parametrize(
    ("name", "text", "reported"),
    [
        ("a.conf", f"{LOG} true\n", False),
        ("run.sh", f"spark-submit --conf {LOG}=true job.py\n", False),
        ("settings.py", f'conf.set("{LOG}", "true")\n', False),
        ("settings.py", f'conf.set("{LOG}", flag)\n', False),
        ("a.conf", f"{LOG} true  # migrate: ignore[D701] known\n", False),
        ("a.conf", f"{LOG} false\n", True),
        ("a.conf", f"{LOG.replace('enable', 'maxFailures')} 3\n", True),
        ("a.conf", f"# {LOG} true\n", True),
        ("a.conf", "spark.streaming.backpressure.enabled true\n", True),
    ],
)
def test_the_log_of_receivers_needs_it(
    tmp_path: Path, name: str, text: str, reported: bool
) -> None:
    found = project(tmp_path, {"job.py": FIRES[0], name: text}).findings()
    assert ("D401" in [x.code for _, x in found]) == reported


def test_the_log_in_the_job_itself(tmp_path: Path) -> None:
    source = f'conf.set("{LOG}", "true")\n' + FIRES[0]
    assert "D401" not in [x.code for _, x in project(tmp_path, {"job.py": source}).findings()]
