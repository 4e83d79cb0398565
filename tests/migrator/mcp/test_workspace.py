"""Nothing outside of the folder of the server is read or written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver.exceptions import ToolError

from migrator.mcp.workspace import Bounds, Workspace
from tests.support.migrator.assistant import Assistant, Connection, call, talk

pytestmark = pytest.mark.slow

SECRET = "from pyspark.streaming import StreamingContext as Secret\n"
# every path that a tool takes
PATHS: list[tuple[str, dict[str, Any], str]] = [
    ("scan", {}, "path"),
    ("preview", {}, "path"),
    ("preview", {"path": "."}, "file"),
    ("remains", {}, "path"),
    ("checkpoint_show", {}, "folder"),
    ("record", {"batches": 1, "sources": ["socket:localhost:1"]}, "out"),
    ("record", {"batches": 1, "out": "new"}, "job"),
    ("verify", {"recording": "recorded"}, "job"),
    ("verify", {"job": "jobs/job.py"}, "recording"),
    ("verify", {"job": "jobs/job.py", "recording": "recorded"}, "migrated"),
    ("verify", {"job": "jobs/job.py", "recording": "recorded"}, "expected"),
    ("verify", {"job": "jobs/job.py", "recording": "recorded"}, "working_folder"),
    ("verify", {"job": "jobs/job.py", "recording": "recorded"}, "out"),
]


@pytest.fixture
def outside(project: Path) -> Path:
    """A folder beside that of the server, to which symlinks lead."""
    folder = project.parent / "outside"
    (folder / "new").mkdir(parents=True)
    (folder / "secret.py").write_text(SECRET)
    (project / "link").symlink_to(folder)
    (project / "link.py").symlink_to(folder / "secret.py")
    (project / "dangling").symlink_to(folder / "not-yet")
    return folder


def test_paths_that_lead_out_are_refused(project: Path, outside: Path) -> None:
    before = sorted(outside.rglob("*"))
    paths = [
        *("..", "../outside", "../outside/secret.py", "jobs/../../outside", str(outside), "/"),
        *("/etc/passwd", "link", "link/secret.py", "link/new/made", "link.py", "dangling"),
        *("jobs/../link/../outside", "../project-2"),
    ]
    connection = Connection(project)
    try:
        for tool, arguments, name in PATHS:
            for path in paths:
                answer = connection.call(tool, **arguments, **{name: path})
                assert "is outside of" in answer.error, (tool, name, path, answer)
                assert "give a path below it" in answer.error
    finally:
        connection.close()
    assert sorted(outside.rglob("*")) == before


def test_paths_inside_are_taken(project: Path, outside: Path) -> None:
    (project / "inner").symlink_to(project / "jobs")
    place = Workspace(project, Bounds()).existing_path
    assert place("jobs/job.py") == place("inner/job.py") == place(str(project / "jobs/job.py"))
    assert place("jobs/../jobs") == project / "jobs"
    assert place(".") == project
    (project / "..jobs").mkdir()
    assert place("..jobs") == project / "..jobs"


def test_a_folder_that_is_a_symlink(project: Path) -> None:
    link = project.parent / "as-a-link"
    link.symlink_to(project)
    workspace = Workspace(link, Bounds())
    assert workspace.root == project
    assert workspace.file(str(link / "jobs" / "job.py")) == project / "jobs" / "job.py"
    with pytest.raises(ToolError, match="is no file; give the file of a job"):
        workspace.file("jobs")


def test_a_scan_follows_no_symlink(project: Path, outside: Path) -> None:
    async def work(assistant: Assistant) -> None:
        found = await assistant.result("scan", show="findings")
        assert {finding["path"] for finding in found["findings"]} == {"jobs/job.py"}

    talk(project, work)


def test_settings_above_the_folder_count_for_nothing(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.migrate]\nignore = ['D1']\n")

    def codes(folder: Path, path: str) -> set[str]:
        found = call(folder, "scan", path=path, show="findings").result
        return {finding["code"] for finding in found["findings"]}

    assert "D101" not in codes(project, "jobs/job.py")
    assert "D101" in codes(project / "jobs", "job.py")


def test_a_recording_reads_no_folder_outside(project: Path, outside: Path) -> None:
    (project / "reads.py").write_text(
        "from pyspark.streaming import StreamingContext\n"
        f"ssc = StreamingContext(None, 1)\nssc.textFileStream({str(outside)!r}).pprint()\n"
    )
    connection = Connection(project)
    try:
        for given in (
            {"job": "reads.py"},
            {"sources": [f"file:{outside}"]},
            {"sources": ["file:../outside"]},
            {"sources": ["file:link"]},
        ):
            answer = connection.call("record", out="taken", batches=1, **given)
            assert "outside of the folder in which files may be read" in answer.error, answer
    finally:
        connection.close()
    assert not (project / "taken").exists()


def test_a_recording_whose_file_leads_out(project: Path, outside: Path) -> None:
    (project / "linked").mkdir()
    (project / "recorded" / "batches.jsonl").rename(outside / "batches.jsonl")
    (project / "linked" / "batches.jsonl").symlink_to(outside / "batches.jsonl")

    async def work(assistant: Assistant) -> str:
        answer = await assistant.call("verify", job="jobs/job.py", recording="linked")
        return answer.error

    assert "is outside of" in talk(project, work)
