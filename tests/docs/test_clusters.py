"""The clusters of docs/production/clusters.md: its commands are run as they are there."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.components.hadoop import Hadoop
from tests.support.components.ports import free_ports
from tests.support.fenced import DOCS, ROOT, blocks
from tests.support.programs import program
from tests.support.streaming.processes import kill_group
from tests.support.streaming.submitted_jobs import pack_environment, without_our_packages
from tests.support.waiting import DEADLINE

PAGE = DOCS / "production" / "clusters.md"
START, STOP, CLIENT_MODE, CLUSTER_MODE = blocks(PAGE, "sh")
SHOWN = blocks(PAGE, "text")[0]
PORTS = ("7077", "8080", "8081", "8082")
CHECKPOINT = "/tmp/word-totals"

CONFIGURATION = "/etc/hadoop/conf"
FOLDER = "hdfs:///word-totals"
ARCHIVE = "environment.tar"

Shell = Callable[[str], "subprocess.CompletedProcess[str]"]


def all_executors_first(folder: Path) -> dict[str, str]:
    """Let jobs wait until all executors are there, however slow the machine is: they count them."""
    settings = folder / "spark-conf"
    settings.mkdir()
    (settings / "spark-defaults.conf").write_text(
        "spark.scheduler.minRegisteredResourcesRatio 1\n"
        f"spark.scheduler.maxRegisteredResourcesWaitingTime {DEADLINE:.0f}s\n"
    )
    return {"SPARK_CONF_DIR": str(settings)}


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    """Runs commands of the page with ports and folders of this test; stops the cluster at last."""
    program("ps", "procps")  # the scripts of Spark that start and stop a cluster ask it
    ports = dict(zip(PORTS, map(str, free_ports(len(PORTS))), strict=True))
    environment = {
        **os.environ,
        **all_executors_first(tmp_path),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": str(ROOT),
        "SPARK_PID_DIR": str(tmp_path / "pids"),
        "SPARK_LOG_DIR": str(tmp_path / "logs"),
        "SPARK_WORKER_DIR": str(tmp_path / "work"),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    export = START.splitlines()[0]

    def run(commands: str) -> subprocess.CompletedProcess[str]:
        text = re.sub(r"\b(\d{4})\b", lambda found: ports.get(found[1], found[1]), commands)
        text = text.replace(CHECKPOINT, str(tmp_path / "checkpoint"))
        process = subprocess.Popen(
            ["bash", "-ec", text if text.startswith(export) else f"{export}\n{text}"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            # the driver's JVM, which would outlive the test, and the cluster
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    yield run
    stopped = run(STOP)
    assert stopped.returncode == 0, stopped.stdout + stopped.stderr


@pytest.mark.slow
@pytest.mark.full
def test_a_job_runs_on_two_workers(shell: Shell, tmp_path: Path) -> None:
    done = shell(START)

    logs = "".join(path.read_text() for path in (tmp_path / "logs").glob("*.out"))
    assert done.returncode == 0, done.stdout + done.stderr[-3000:] + logs[-3000:]
    assert SHOWN in done.stdout
    assert any((tmp_path / "checkpoint").rglob("state")), "the state is in the checkpoint folder"


def run_on_yarn(hadoop: Hadoop, commands: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run commands of the page with the settings and folders of this test."""
    for name, value in (
        (CONFIGURATION, str(hadoop.settings)),
        (FOLDER, f"hdfs:///word-totals-{folder.name}"),
        (f" {ARCHIVE}#", f" {folder / ARCHIVE}#"),
    ):
        commands = commands.replace(name, value)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = without_our_packages(hadoop.environment(PATH=path)) | all_executors_first(folder)
    process = subprocess.Popen(
        ["bash", "-ec", commands],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=DEADLINE)
    finally:
        kill_group(process.pid)
        hadoop.end_containers()
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


@pytest.mark.slow
def test_a_job_runs_on_yarn(hadoop: Hadoop, tmp_path: Path) -> None:
    done = run_on_yarn(hadoop, CLIENT_MODE, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr[-6000:]
    assert SHOWN in done.stdout
    checkpoint = hadoop.command("fs", "-ls", "-R", f"/word-totals-{tmp_path.name}")
    assert "/query/state/" in checkpoint


@pytest.mark.slow
@pytest.mark.full
def test_a_job_runs_on_yarn_in_cluster_mode(hadoop: Hadoop, tmp_path: Path) -> None:
    pack_environment(tmp_path / "environment", tmp_path / ARCHIVE)
    done = run_on_yarn(hadoop, CLUSTER_MODE, tmp_path)
    (application,) = set(re.findall(r"application_\d+_\d+", done.stderr))
    logs = hadoop.logs(application)
    assert done.returncode == 0, done.stderr[-3000:] + logs[-6000:]
    assert SHOWN in logs
    assert "Streaming tab" not in logs, "it is there in the zip of the package, too"


def test_kubernetes_was_not_tried() -> None:
    text = PAGE.read_text(encoding="utf-8")
    section = text.partition("\n## Kubernetes\n")[2].partition("\n## ")[0]
    assert section.lstrip().startswith("Not run by this project.")
