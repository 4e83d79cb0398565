"""The tool `preview`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from migrator.mcp.pages import MOST_CHARACTERS
from tests.migrator.mcp.conftest import OLD
from tests.support.fenced import ROOT
from tests.support.migrator.assistant import Assistant, Connection, call, talk

pytestmark = pytest.mark.slow

REFUSED = ROOT / "tests" / "migrator" / "structured" / "refused"


def test_a_diff_is_that_of_the_command_line(server: Connection, project: Path) -> None:
    found = server.call("preview", path="jobs/job.py").result
    done = subprocess.run(
        [sys.executable, "-m", "migrator", project / "jobs" / "job.py", "--diff", "--no-cache"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert found["text"] == done.stdout
    assert "+from dstream_compat import StreamingContext" in found["text"]
    assert (found["files"], found["steps"], found["stays"]) == ([], [], [])


def test_the_new_text_compiles_and_has_reasons(server: Connection) -> None:
    found = server.call("preview", path="jobs/job.py", form="portable", show="text").result
    compile(found["text"], "job.py", "exec")
    assert found["text"].startswith("# Needs Spark")
    assert "readStream" in found["text"]
    steps = {step["before"].partition("(")[0]: step for step in found["steps"]}
    assert steps[".reduceByKey"]["line"] == 6
    assert all(step["why"] for step in steps.values())
    assert found["steps_left_out"] == 0


def test_a_job_of_many_steps(project: Path) -> None:
    lines = OLD.splitlines(keepends=True)
    steps = [f"words.filter(lambda word: word != 'w{n}').pprint()\n" for n in range(250)]
    (project / "long.py").write_text("".join([*lines[:-2], *steps, *lines[-2:]]))
    found = call(project, "preview", path="long.py", form="portable").result
    assert found["steps_left_out"] > 0
    assert len(found["steps"]) + found["steps_left_out"] > 250
    assert len(json.dumps(found)) < 3 * MOST_CHARACTERS


def test_a_folder_is_a_list_of_files(server: Connection) -> None:
    found = server.call("preview", path="jobs", form="portable").result
    (file,) = found["files"]
    assert (file["path"], file["form"], found["text"]) == ("jobs/job.py", "portable", "")
    assert file["lines_added"] > file["lines_removed"] > 3
    one = server.call("preview", path="jobs", form="portable", file="jobs/job.py").result
    assert one["text"].startswith("--- a/job.py\n+++ b/job.py\n")


FORMS = {
    ("glom", "portable"): None,
    ("glom", "classic"): "classic",
    ("two_sources", "portable"): None,
    ("two_sources", "classic"): None,
}


def test_forms(tmp_path: Path) -> None:
    for name, _ in FORMS:
        (tmp_path / name).mkdir(exist_ok=True)
        shutil.copy(REFUSED / f"{name}.py", tmp_path / name)
    shutil.copy(REFUSED / "kafka_zookeeper.py", tmp_path / "zookeeper.py")

    async def work(assistant: Assistant) -> None:
        for (name, form), becomes in FORMS.items():
            found = await assistant.result("preview", path=name, form=form)
            assert [file["form"] for file in found["files"]] == [becomes]
            assert bool(found["stays"]) == (becomes is None)
            of_file = await assistant.result("preview", path=f"{name}/{name}.py", form=form)
            assert of_file["stays"] == found["stays"]
            assert all(finding["code"] == "D860" for finding in found["stays"])
        job = {"path": "zookeeper.py", "form": "classic"}
        without = await assistant.result("preview", **job)
        assert [finding["code"] for finding in without["stays"]] == ["D860"]
        given = await assistant.result("preview", **job, kafka_brokers="b:9092", spark="3.5")
        assert given["stays"] == []
        assert '"b:9092"' in given["text"]

    talk(tmp_path, work)


def test_what_cannot_be_shown(project: Path) -> None:
    (project / "broken.py").write_text("from pyspark.streaming import (\n")
    answer = call(project, "preview", path="broken.py")
    assert "broken.py cannot be read:" in answer.error


def test_nothing_is_written(project: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in project.rglob("*")}
    call(project, "preview", path=".", form="classic", unsafe_fixes=True)
    assert {path: path.stat().st_mtime_ns for path in project.rglob("*")} == before
