"""docs/production/security.md: each of its claims has a test."""

from __future__ import annotations

import ast
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from dstream_compat.source.entry_files import EntryFiles
from dstream_compat.testing import run_job
from dstream_compat.wire import secret_names
from dstream_compat.wire.secret_names import is_secret_name
from dstream_compat.worker.spill import Spill
from tests.support.components.ports import free_ports
from tests.support.fenced import DOCS, ROOT
from tests.support.streaming.listening import listeners_of
from tests.support.streaming.processes import JOBS, kill_group, session_members

PAGE = " ".join((DOCS / "production" / "security.md").read_text(encoding="utf-8").split())
RUNTIME = "tests/dstream_compat/"
EVENT_LOG = (
    f"{RUNTIME}spark/test_event_log.py::test_it_has_neither_records_nor_variables_nor_secrets"
)
SECRETS = f"{RUNTIME}checkpoint/test_secrets.py"
LISTENING = "tests/docs/test_security_page.py::test_what_a_job_listens_at"
PRIVATE = f"{RUNTIME}storage/test_temporary_folder.py::test_nobody_else_may_read_there"
SERVER = f"{RUNTIME}source/test_task_servers.py"

CLAIMS = {
    "the gateway of PySpark, in the driver's JVM | a port of the loopback device": LISTENING,
    "in the driver's Python | a port of the loopback device": LISTENING,
    "the daemon of Python workers | a Unix socket in a folder of mode 700": LISTENING,
    "what answers Spark's planner, in jobs with Kafka or DataFrames | a Unix socket": LISTENING,
    "A job needs no port beside Spark's own": LISTENING,
    "while the task runs | who has its token": (
        f"{SERVER}::test_only_the_task_is_served_and_only_while_it_runs"
    ),
    "without its token is hung up on, and delays nobody": (
        f"{SERVER}::test_who_does_not_know_the_token_delays_nobody"
    ),
    "`migrate mcp` | nowhere": "tests/docs/test_security_page.py::test_assistants_use_no_port",
    "on the loopback device, without the UI": (
        "tests/docs/test_security_page.py::test_verified_jobs_listen_on_the_loopback_device"
    ),
    "loads pickles only with `--load-pickles`": (
        f"{RUNTIME}old_checkpoint/test_reading.py::test_a_pickle_is_loaded_only_when_asked_for"
    ),
    "Whoever can write to one of these can run code as the user of the job": (
        f"{SECRETS}::test_who_writes_to_a_checkpoint_runs_code"
    ),
    "Spark hides those settings of Kafka in queries": (
        f"{RUNTIME}source/kafka/test_kafka_secured.py::test_plans_of_queries_hide_passwords"
    ),
    "the name of the environment variable that gives it": (
        f"{SECRETS}::test_names_are_saved_in_place_of_values"
    ),
    "that `submit` or `spark-defaults.conf` gives": (
        f"{RUNTIME}spark/test_settings.py::test_secrets_of_a_submission_are_saved_by_name"
    ),
    "A restart of the same script has it again": (
        f"{RUNTIME}spark/test_settings.py"
        "::test_secrets_of_code_that_starts_the_jvm_are_those_of_a_submission"
    ),
    "**the value**; a warning says which": (
        f"{SECRETS}::test_values_that_nothing_gives_again_are_saved_and_named"
    ),
    "ends with `CheckpointError`, which names it": (
        f"{SECRETS}::test_a_restart_without_them_says_what_is_missing"
    ),
    "values of six characters or more are found": (
        f"{RUNTIME}wire/test_secret.py::test_a_part_of_a_text_is_a_name_too"
    ),
    "count if their names say that they are secrets": (
        f"{RUNTIME}wire/test_secret.py::test_names_of_secrets"
    ),
    "`repr` of sources, error messages and logs of this package show no passwords": (
        f"{RUNTIME}wire/test_secret.py::test_it_is_a_text_that_repr_hides"
    ),
    "Settings whose names match `spark.redaction.regex` are hidden": EVENT_LOG,
    "Received records, keys and credentials are not in it": EVENT_LOG,
    "since a variable that they use has changed are hidden as settings are": EVENT_LOG,
    "A job runs with `spark.authenticate`, `spark.network.crypto.enabled` and": EVENT_LOG,
    "in the driver | folder of mode 700": (
        "tests/docs/test_security_page.py::test_input_of_tasks_is_private"
    ),
    "`spark.local.dir` | 600, without a name": (
        "tests/docs/test_security_page.py::test_spilled_records_have_no_name"
    ),
    "and of `to_dataframe` without a path": PRIVATE,
    "the keytab that it is submitted with, not those in the checkpoint": (
        f"{RUNTIME}spark/test_settings.py::test_what_a_submission_gives_counts"
    ),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_each_claim_has_a_test(claim: str) -> None:
    path, _, name = CLAIMS[claim].partition("::")
    assert claim in PAGE
    module = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert name in {node.name for node in module.body if isinstance(node, ast.FunctionDef)}


def test_the_words_in_names_of_secrets() -> None:
    (words,) = re.findall(r"that they are secrets: (.*?), such as", PAGE)
    listed = re.findall(r"`(\S+)`", words)
    assert [word for word in listed if not is_secret_name(word)] == []
    assert not any(is_secret_name(f"{word}.file") for word in listed)
    alternatives = secret_names._NAMES.pattern.count("|") + 1
    assert len(listed) == alternatives + 1, "credential, with and without an s"


@pytest.mark.slow
def test_what_a_job_listens_at(tmp_path: Path) -> None:
    names = ("spark.driver.port", "spark.blockManager.port", "spark.ui.port")
    ports = dict(zip(names, free_ports(3), strict=True))
    options = [word for name, port in ports.items() for word in ("--conf", f"{name}={port}")]
    job = str(JOBS / "listening.py")
    process = subprocess.Popen(
        [sys.executable, "-m", "dstream_compat", "submit", "--master", "local[2]", *options, job],
        cwd=tmp_path,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        assert any(line.startswith("ready") for line in process.stdout)
        found = listeners_of(session_members(process.pid))
        sparks = {each for each in found if each.port in ports.values()}
        assert {each.port for each in sparks} == {*ports.values()}
        assert {each.process for each in sparks} == {"java"}
        others = [each for each in found - sparks if each.port]
        # the gateway and the callbacks of PySpark
        assert sorted(each.process for each in others) == ["java", "python"]
        assert {each.place for each in others} == {"loopback"}
        sockets = [Path(each.place) for each in found if not each.port]
        assert any(path.name == "scheduler" for path in sockets), "the planner's"
        private = [path for path in sockets if path.parent.name.startswith("dstream-compat-")]
        assert len(private) >= 2, "the daemon's, too"
        assert {stat.S_IMODE(path.parent.stat().st_mode) for path in private} == {0o700}
    finally:
        kill_group(process.pid)
        process.wait()


@pytest.mark.slow
def test_assistants_use_no_port(tmp_path: Path) -> None:
    hello = {
        "protocolVersion": "2025-03-26",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "migrator", "mcp", str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdin is not None and process.stdout is not None
        request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        assert listeners_of(session_members(process.pid)) == set()
    finally:
        kill_group(process.pid)
        process.wait()


def test_verified_jobs_listen_on_the_loopback_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "environ", {})
    run_job.prepare_environment("compat", tmp_path / "job.py", tmp_path, "1g")
    assert os.environ["SPARK_LOCAL_IP"] == "127.0.0.1"
    assert "spark.ui.enabled=false" in os.environ["PYSPARK_SUBMIT_ARGS"]


def test_input_of_tasks_is_private(tmp_path: Path) -> None:
    sc: object = SimpleNamespace(_temp_dir=str(tmp_path))
    files = EntryFiles(sc, 1)  # type: ignore[arg-type]
    assert stat.S_IMODE(Path(files.place.folder).stat().st_mode) == 0o700
    files.close()


def test_spilled_records_have_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path))
    spill = Spill()
    assert spill.write(b"a record").read() == b"a record"
    assert list(tmp_path.iterdir()) == []
    assert spill._file is not None
    assert stat.S_IMODE(os.fstat(spill._file).st_mode) == 0o600
    spill.close()


def test_the_page_and_the_policy_name_each_other() -> None:
    policy = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "SECURITY.md" in PAGE
    (target,) = re.findall(r"\]\((\S+)\)", policy)
    assert (ROOT / target).is_file()
