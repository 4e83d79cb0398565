"""Input and checkpoint on S3: jobs that are killed, and a service that is busy and slow."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.components import jars
from tests.support.components.s3 import S3, s3_server
from tests.support.fenced import DOCS, commands
from tests.support.programs import give_up
from tests.support.streaming.processes import ROOT, kill_group, wait_until_gone
from tests.support.waiting import wait_for

pytestmark = [pytest.mark.slow, pytest.mark.full]

PAGE = DOCS / "production" / "object-stores.md"
DEADLINE = 180.0
WORDS = b"to be or not to be\n" * 100


@pytest.fixture(scope="session")
def s3a_jars(pytestconfig: pytest.Config) -> list[Path]:
    cache = pytestconfig.cache
    assert cache is not None
    try:
        return jars.s3a(cache.mkdir("s3a"))
    except RuntimeError as error:
        give_up(f"no jars for S3 without a way to Maven Central: {error}")


@pytest.fixture
def s3() -> Iterator[S3]:
    with s3_server() as server:
        server.put("in/", b"")
        yield server


class Job:
    """The command of the page, with jars that were fetched and a server of the test."""

    def __init__(self, s3: S3, s3a_jars: list[Path], folder: Path) -> None:
        self._s3 = s3
        self._out = folder / "out"
        settings = {f"spark.hadoop.{name}": value for name, value in s3.settings().items()}
        # a busy service is asked again soon
        settings |= {"spark.ui.enabled": "false", "spark.hadoop.fs.s3a.retry.interval": "50ms"}
        self._command = shlex.split(commands(PAGE)[1])
        self._command[0] = sys.executable
        at = self._command.index("--packages")
        self._command[at : at + 2] = [
            *("--master", "local[2]", "--jars", ",".join(map(str, s3a_jars))),
            *(part for item in settings.items() for part in ("--conf", "=".join(item))),
        ]
        self._process: subprocess.Popen[bytes] | None = None
        self._files = 0

    def start(self) -> None:
        """Start the job and wait for its first batch: a new job reads no file that is older."""
        shown = self._lines()
        environment = dict(os.environ, PYTHONPATH=str(ROOT))
        with self._out.open("ab") as out, self._out.with_name("err").open("ab") as err:
            self._process = subprocess.Popen(
                self._command,
                cwd=ROOT,
                env=environment,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        self.wait_for(lambda: self._lines() > shown or self.ended())

    def _lines(self) -> int:
        return self._out.read_text().count("\n") if self._out.exists() else 0

    def kill(self) -> None:
        if self._process is not None:
            kill_group(self._process.pid)

    def ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def wait_for(self, condition: Callable[[], bool]) -> None:
        wait_for(condition, self._said)

    def put(self) -> None:
        """Put a new file."""
        self._s3.put(f"in/part-{self._files}", WORDS)
        self._files += 1

    def has_all(self) -> bool:
        """Return whether the last batch that was shown has all words, once.

        Raises
        ------
        AssertionError
            if the job has ended
        """
        assert not self.ended(), self._said()
        lines = self._out.read_text().splitlines()
        shown = [ast.literal_eval(line.partition(": ")[2]) for line in lines if ": [" in line]
        return bool(shown) and dict(shown[-1]) == {
            word: 100 * self._files * WORDS.split(b"\n")[0].split().count(word.encode())
            for word in ("to", "be", "or", "not")
        }

    def _said(self) -> str:
        return self._out.read_text()[-500:] + self._out.with_name("err").read_text()[-3000:]

    def close(self) -> None:
        self.kill()
        if self._process is not None:
            self._process.wait()
            wait_until_gone(self._process.pid)


@pytest.fixture
def job(s3: S3, s3a_jars: list[Path], tmp_path: Path) -> Iterator[Job]:
    made = Job(s3, s3a_jars, tmp_path)
    yield made
    made.close()


MOMENTS = (
    # a plan is written, then Spark's offsets; a file is read; state and commit are written
    r"PUT /jobs/checkpoint/dstream-compat/[^?]*/inputs/\d+",
    r"PUT /jobs/checkpoint/dstream-compat/[^?]*/query/offsets/",
    r"GET /jobs/in/part-\d+",
    r"PUT /jobs/checkpoint/dstream-compat/[^?]*/query/state/[^?]*\.changelog",
    r"PUT /jobs/checkpoint/dstream-compat/[^?]*/query/commits/",
)
OUR_DRAFT = re.compile(r"\w+ /jobs/checkpoint/dstream-compat/(?!.*/query/).*\.tmp")


def test_the_page_takes_the_version_of_the_jars(s3a_jars: list[Path]) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    script = f"{commands(PAGE)[0]}\necho hadoop-aws-$HADOOP.jar"
    done = subprocess.run(
        ["bash", "-ec", script], env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    assert done.stdout.strip() in [jar.name for jar in s3a_jars], done


def test_killed_at_any_moment(s3: S3, job: Job) -> None:
    drafts: list[str] = []
    killed: list[str] = []

    def watching(method: str, path: str) -> bool:
        drafts.extend(OUR_DRAFT.findall(f"{method} {path}"))
        return False

    for moment in MOMENTS:

        def killing(method: str, path: str, moment: str = moment) -> bool:
            if re.match(moment, f"{method} {path}") is None:
                return watching(method, path)
            killed.append(moment)
            job.kill()
            return True

        s3.fails = watching
        job.start()
        job.put()
        job.wait_for(job.has_all)
        s3.fails = killing
        job.put()
        job.wait_for(job.ended)
        assert moment in killed, "it has ended by itself"
    s3.fails = watching
    job.start()
    job.put()
    job.wait_for(job.has_all)
    # S3 has no rename: a draft would be copied and deleted
    assert not drafts


def test_a_busy_and_slow_service(s3: S3, job: Job) -> None:
    """Hadoop's client asks again; nobody notices but by the time it takes."""
    job.start()
    job.put()
    job.wait_for(job.has_all)
    asked = iter(range(1_000_000_000))
    refused: list[str] = []

    def busy(method: str, path: str) -> bool:
        if next(asked) % 3:
            return False
        refused.append(method)
        return True

    s3.fails, s3.seconds = busy, 0.02
    for _ in range(3):
        job.put()
    job.wait_for(job.has_all)
    assert {"GET", "PUT", "HEAD"} <= set(refused)
    s3.fails, s3.seconds = (lambda method, path: False), 0.0
    job.put()
    job.wait_for(job.has_all)
