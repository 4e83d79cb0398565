"""The server: its tools, their schemas, and how it is started and ended."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from migrator.cli.main import main
from tests.migrator.mcp.conftest import OLD
from tests.support.fenced import ROOT
from tests.support.migrator.assistant import Assistant, Connection, parameters, talk

pytestmark = pytest.mark.slow

READING = {"scan", "explain", "preview", "remains", "checkpoint_show"}
CHECKPOINT = ROOT / "tests" / "dstream_compat" / "old_checkpoint" / "fixtures" / "lagging"
ALL = READING | {"record", "verify", "verify_wait"}


def test_tools_are_typed_and_described(project: Path) -> None:
    async def work(assistant: Assistant) -> None:
        tools = (await assistant.client.list_tools()).tools
        assert {tool.name for tool in tools} == ALL
        for tool in tools:
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)
            assert tool.output_schema is not None
            jsonschema.Draft202012Validator.check_schema(tool.output_schema)
            assert tool.input_schema["additionalProperties"] is False
            assert tool.description and "\n    " not in tool.description
            for name, schema in tool.input_schema["properties"].items():
                assert schema.get("description"), (tool.name, name)
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint == (
                tool.name in READING or tool.name == "verify_wait"
            )

    talk(project, work)


def test_a_server_may_be_for_reading_only(project: Path) -> None:
    async def work(assistant: Assistant) -> None:
        assert {tool.name for tool in (await assistant.client.list_tools()).tools} == READING
        answer = await assistant.call("verify", job="jobs/job.py", recording="recorded")
        assert "verify" in answer.error

    talk(project, work, "--read-only")
    assert not list(project.glob("**/verify-*"))


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("scan", {"pth": "."}, "pth: Extra inputs are not permitted; scan takes path, show"),
        (
            "verify_wait",
            {"run": "verify-9"},
            "no verification 'verify-9' that is kept; call verify",
        ),
        ("verify_wait", {"run": "verify-9", "wait_seconds": 0}, "wait_seconds"),
        ("scan", {"path": 7}, "path"),
        ("scan", {"path": ""}, "a path is empty or has a null character"),
        ("scan", {"path": "a\0b"}, "a path is empty or has a null character"),
        ("scan", {"path": "missing"}, "there is no 'missing' in"),
        ("scan", {"limit": 0}, "limit"),
        ("scan", {"limit": 1_000_000}, "limit"),
        ("scan", {"show": "all"}, "show"),
        ("scan", {"cursor": "scan-1:0"}, "call scan without cursor"),
        ("scan", {"cursor": "../x"}, "call scan without cursor"),
        ("explain", {}, "code"),
        ("explain", {"code": "D999"}, "there is no rule D999"),
        ("explain", {"code": "--help"}, "there is no rule --help"),
        ("explain", {"code": "x" * 1000}, "code"),
        ("preview", {"path": ".", "form": "spark"}, "form"),
        ("preview", {"path": ".", "form": "classic", "spark": "--in-place"}, "no Spark that"),
        ("preview", {"path": ".", "kafka_brokers": "x"}, "is not HOST:PORT"),
        ("preview", {"path": ".", "form": "classic", "json_shape": "?"}, "write 'KEY TYPE"),
        ("preview", {"path": ".", "file": "recorded/batches.jsonl"}, "no file with DStream code"),
        ("checkpoint_show", {"folder": "jobs"}, "holds no checkpoint of Spark's DStreams"),
        ("checkpoint_show", {"folder": "jobs/job.py"}, "is no folder"),
        ("record", {"out": "x", "batches": 1}, "either a job or sources"),
        ("record", {"out": "x", "batches": 0, "job": "jobs/job.py"}, "batches"),
        ("record", {"out": "x", "batches": 1, "sources": ["mqtt:a"]}, "a live source is"),
        ("record", {"out": "recorded", "batches": 1, "sources": ["socket:h:1"]}, "never written"),
        ("verify", {"job": "jobs/job.py"}, "recording"),
        ("verify", {"job": "jobs", "recording": "recorded"}, "is no file"),
        ("verify", {"job": "jobs/job.py", "recording": "jobs"}, "there is no 'jobs/batches.jsonl'"),
        ("verify", {"job": "jobs/job.py", "recording": "recorded", "timeout": 0}, "timeout"),
        (
            "verify",
            {"job": "jobs/job.py", "recording": "recorded", "out": "jobs"},
            "has files that `migrate verify` has not made",
        ),
        (
            "verify",
            {"job": "moved/new.py", "recording": "recorded"},
            "is no original that DStreams can run",
        ),
    ],
)
def test_wrong_arguments(
    server: Connection, tool: str, arguments: dict[str, object], message: str
) -> None:
    answer = server.call(tool, **arguments)
    assert message in answer.error
    assert "Traceback" not in answer.error


@pytest.mark.parametrize("python_path", ["", os.pathsep], ids=["usual path", "empty entry"])
def test_no_code_of_the_folder_runs_but_that_of_jobs(project: Path, python_path: str) -> None:
    shutil.copytree(CHECKPOINT, project / "checkpoint")
    ran = project / "ran"
    trap = f"open({str(ran)!r}, 'a').write(__file__ + chr(10))\n"
    names = ["json", "runpy", "migrator", "dstream_compat", "libcst", "lz4", "sitecustomize", "ast"]
    for name in names:
        (project / f"{name}.py").write_text(trap)
    (project / "jobs" / "job.py").write_text(f"{trap}{OLD}{trap}")
    calls = [
        ("scan", {}),
        ("explain", {"code": "D101"}),
        ("preview", {"path": ".", "form": "classic"}),
        ("preview", {"path": "jobs/job.py", "form": "portable"}),
        ("remains", {"form": "classic"}),
        ("checkpoint_show", {"folder": "checkpoint"}),
        ("record", {"out": "new", "batches": 1, "sources": [f"file:{project}"], "interval": 0.1}),
    ]

    async def work(assistant: Assistant) -> None:
        for tool, arguments in calls:
            await assistant.result(tool, **arguments)

    talk(project, work, python_path=python_path)
    assert (ran.read_text() if ran.exists() else "") == ""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_server_ends_with_a_signal_while_its_client_is_there(
    project: Path, number: signal.Signals, code: int
) -> None:
    start = parameters(project)
    with subprocess.Popen(
        [start.command, *start.args],
        env=start.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(
            b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": '
            b'"2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}\n'
        )
        process.stdin.flush()
        assert b'"migrate"' in process.stdout.readline()
        process.send_signal(number)
        assert process.wait(30) == code
        assert process.stderr is not None
        assert b"no job runs any more" in process.stderr.read()


def test_a_folder_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", str(tmp_path / "missing")]) == 2
    assert "missing is no folder" in capsys.readouterr().err


@pytest.mark.parametrize("module", ["mcp", "mcp.server.mcpserver"])
def test_without_the_extra(project: Path, module: str) -> None:
    # version 1 has no mcpserver
    program = (
        f"import sys\nsys.modules[{module!r}] = None\n"
        "from migrator.cli.main import main\nsys.exit(main(['mcp', sys.argv[1]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, project], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "`migrate mcp` needs the package mcp, version 2" in done.stderr
    assert "pip install 'dstream-compat[mcp]'" in done.stderr


@pytest.mark.parametrize("options", [["--help"], ["--no-such-option"], ["--timeout", "0"]])
def test_options_are_read_without_the_sdk(options: list[str]) -> None:
    program = (
        "import sys\nfrom migrator.cli.main import main\n"
        "try:\n    main(['mcp', *sys.argv[1:]])\nexcept SystemExit as end:\n    code = end.code\n"
        "assert not {'mcp', 'anyio', 'pydantic', 'libcst', 'pyspark'} & set(sys.modules)\n"
        "sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *options], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == (0 if options == ["--help"] else 2), done.stderr
