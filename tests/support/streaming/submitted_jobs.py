"""Jobs that are submitted to YARN, or run against HDFS, in processes of their own."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyspark

from tests.support.components.hadoop import Hadoop
from tests.support.streaming.processes import JOBS, kill_group
from tests.support.waiting import wait_for

TOTALS = str(JOBS / "hdfs_totals.py")
_JARS = Path(pyspark.__file__).parent / "jars"

YARN_ONLY = (
    *("--master", "yarn", "--executor-memory", "512m", "--driver-memory", "512m"),
    *("--conf", "spark.yarn.am.memory=512m", "--conf", f"spark.yarn.jars=local:{_JARS}/*"),
    *("--conf", "spark.ui.enabled=false"),
)
YARN = (*YARN_ONLY, "--num-executors", "2", "--conf", "spark.streaming.compat.partitions=2")
LOCAL = ("--master", "local[2]", "--conf", "spark.ui.enabled=false")


def pack_environment(folder: Path, archive: Path) -> None:
    """Pack a virtual environment, which finds packages where the one of the tests has them."""
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "of_tests.pth").write_text(sysconfig.get_path("purelib"))
    with tarfile.open(archive, "w") as packed:
        packed.add(folder, ".")


def without_our_packages(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment whose nodes get PySpark and this package from the client only.

    The home of Spark that tests have is without the archive of PySpark, which YARN's client sends.
    It sends PYTHONPATH, too, so a node would find this package where the tests have it.
    """
    ours = ("SPARK_HOME", "PYTHONPATH")
    return {name: value for name, value in environment.items() if name not in ours}


class SubmittedJob:
    """A job that runs.

    Parameters
    ----------
    process : Popen
        of ``submit``, which leads a process group
    hadoop : Hadoop
        where it runs
    log : Path
        what it and Spark print
    """

    def __init__(self, process: subprocess.Popen[bytes], hadoop: Hadoop, log: Path) -> None:
        self.process = process
        self._hadoop, self._log = hadoop, log

    @property
    def text(self) -> str:
        """All that it has printed so far, here and in its containers."""
        here = self._log.read_text(errors="replace")
        application = re.search(r"application_\d+_\d+", here)
        return here + (self._hadoop.logs(application[0]) if application else "")

    @property
    def application(self) -> str:
        """What YARN calls it, as soon as it does."""
        self.wait_for(lambda text: "SubmittedJob application application_" in text)
        return re.findall(r"application_\d+_\d+", self._log.read_text(errors="replace"))[0]

    def wait_until_started(self) -> None:
        """Wait until its context has started: files that come from now on are new."""
        self.wait_for(lambda text: re.search(r"^application \S+$", text, re.M) is not None)

    def wait_for(self, condition: Callable[[str], bool]) -> None:
        """Wait until what it has printed is as it should be; it must not have ended before."""

        def holds() -> bool:
            ended = self.process.poll() is not None
            if condition(self.text):
                return True
            assert not ended, self.tail()
            return False

        wait_for(holds, self.tail)

    def tail(self) -> str:
        """Return the end of what it has printed."""
        return self.text[-6000:]

    def totals(self) -> dict[str, int]:
        """Return the last totals that a batch has printed."""
        batches = re.findall(r"^batch \d+ (\{.*\})$", self.text, re.MULTILINE)
        totals = max((eval(one) for one in batches), key=lambda one: sum(one.values()), default={})
        assert isinstance(totals, dict)
        return totals

    def batch_times(self) -> list[int]:
        """Return the times of the batches that have printed something, in order."""
        return [int(time) for time in re.findall(r"^batch (\d+) ", self.text, re.MULTILINE)]

    def wait(self) -> int:
        """Wait until it has ended; returns its exit code."""
        wait_for(lambda: self.process.poll() is not None, self.tail)
        return self.process.returncode

    def kill(self) -> None:
        """Kill the processes here with SIGKILL: in client mode the driver is one of them."""
        kill_group(self.process.pid)
        self.process.wait()


@contextmanager
def submitted_job(
    hadoop: Hadoop,
    log: Path,
    options: Sequence[str],
    script: Sequence[str],
    more: Mapping[str, str] | None = None,
) -> Iterator[SubmittedJob]:
    """Submit a job; what is left of it at the end is killed.

    Parameters
    ----------
    hadoop : Hadoop
        where it runs
    log : Path
        for what it prints
    options : sequence of str
        of ``submit``
    script : sequence of str
        the job and its arguments
    more : mapping, optional
        variables of the environment, in place of ours
    """
    environment = without_our_packages(hadoop.environment(PYSPARK_PYTHON=sys.executable))
    environment |= more or {}
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "dstream_compat", "submit", *options, *script],
            cwd=log.parent,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    job = SubmittedJob(process, hadoop, log)
    try:
        yield job
    finally:
        kill_group(process.pid)
        process.wait()
        hadoop.end_containers()
