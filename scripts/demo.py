"""The demo: migrates the old jobs, then runs one of them migrated and one unchanged.

Both count the words of real text, the source files of this Python's standard library, which
reach them over a loopback socket. Their totals have to equal the counts that plain Python gets
from the same text.
"""

from __future__ import annotations

import ast
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "legacy_examples"
JOB = "save_to_files.py"

FILES = 40
SECONDS_TO_SEND = 10.0
# the promise is two minutes; past this the demo gives up and says so
DEADLINE = 115.0


class DemoError(Exception):
    """What went wrong, in words for the user."""


# -- the text ------------------------------------------------------------------------------------


def stdlib_text() -> list[str]:
    """Source files of the standard library: in every run the same, spread over the alphabet."""
    found: list[str] = []
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        # a few files are in other encodings
        with contextlib.suppress(UnicodeDecodeError, OSError):
            text = path.read_text(encoding="utf-8")
            if 2_000 < len(text) < 60_000:
                found.append(text if text.endswith("\n") else text + "\n")
    if not found:
        raise DemoError("this Python has no source files of its standard library to read")
    step = max(1, len(found) // FILES)
    return found[::step][:FILES]


class TextServer(threading.Thread):
    """Sends the text to the first client, file by file, and then keeps the connection open."""

    def __init__(self, text: list[str]) -> None:
        super().__init__(name="text-server", daemon=True)
        self._text = text
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._stopped = threading.Event()
        self.port: int = self._listener.getsockname()[1]
        self.sent = threading.Event()

    def run(self) -> None:
        with contextlib.suppress(OSError):
            client, _ = self._listener.accept()
            with client:
                for text in self._text:
                    client.sendall(text.encode())
                    if self._stopped.wait(SECONDS_TO_SEND / len(self._text)):
                        return
                self.sent.set()
                self._stopped.wait()

    def stop(self) -> None:
        self._stopped.set()
        # shutdown wakes the thread out of accept(), close alone does not
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


# -- the jobs ------------------------------------------------------------------------------------


def environment() -> dict[str, str]:
    env = dict(os.environ)
    env["PYTHONUNBUFFERED"] = "1"
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), env.get("PYTHONPATH")]))
    env.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    # the receiver of the real engine would hold a core; two are enough for everything here
    env.setdefault(
        "PYSPARK_SUBMIT_ARGS", "--master local[2] --conf spark.ui.enabled=false pyspark-shell"
    )
    return env


@contextlib.contextmanager
def started(command: list[str], cwd: Path, log: IO[str]) -> Iterator[subprocess.Popen[str]]:
    """A job and all that it starts, ended when the block is left."""
    job = subprocess.Popen(
        command,
        cwd=cwd,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        # Ctrl-C shall reach this program alone, which then ends the job
        start_new_session=True,
    )
    try:
        yield job
    finally:
        job.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            job.wait(5)
        # the JVM is in the job's process group, and outlives a Python that was killed
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(job.pid, signal.SIGKILL)
        job.wait()


def saved_counts(prefix: Path) -> tuple[Counter[str], int]:
    """The sum of all batches that the job has saved, and how many of them had data."""
    total: Counter[str] = Counter()
    batches = 0
    for done in prefix.parent.glob(f"{prefix.name}-*.txt/_SUCCESS"):
        batch: Counter[str] = Counter()
        for part in done.parent.glob("part-*"):
            # not splitlines(): words may hold characters that it takes for line ends
            for line in filter(None, part.read_text(encoding="utf-8").split("\n")):
                word, count = ast.literal_eval(line)
                batch[word] += count
        total.update(batch)
        batches += bool(batch)
    return total, batches


def count_words(title: str, command: list[str], text: list[str], folder: Path, end: float) -> None:
    """Runs one word count over the text and compares its totals with plain Python's."""
    expected = Counter(word for file in text for word in file.split())
    folder.mkdir()
    prefix = folder / "counts"
    server = TextServer(text)
    server.start()
    arguments = ["127.0.0.1", str(server.port), str(prefix)]

    heading(f"{title}: {' '.join([*map(shorten, command), *arguments[:2], '<output>'])}")
    begin = time.monotonic()
    log_path = folder / "stderr.log"
    try:
        with (
            log_path.open("w") as log,
            started([*command, *arguments], folder, log) as job,
        ):
            total, batches = follow(job, server, prefix, expected, end)
    except DemoError as error:
        tail = log_path.read_text(errors="replace").splitlines()[-30:]
        raise DemoError("\n".join([f"{title}: {error}", *tail])) from None
    finally:
        server.stop()

    if total != expected:
        raise DemoError(
            f"{title}: the totals differ from plain Python's.\n" + diff(total, expected)
        )
    print(
        f"{title}: {total.total():,} words, {len(total):,} different ones, in {batches} batches "
        f"with data, {time.monotonic() - begin:.0f} s. Plain Python counts the same: EQUAL."
    )


def follow(
    job: subprocess.Popen[str],
    server: TextServer,
    prefix: Path,
    expected: Counter[str],
    end: float,
) -> tuple[Counter[str], int]:
    """Shows what the job prints until all words are saved."""
    finished = threading.Event()
    result: tuple[Counter[str], int] = (Counter(), 0)
    errors: list[Exception] = []

    def show() -> None:
        nonlocal result
        assert job.stdout is not None
        try:
            for line in job.stdout:
                print("  " + line, end="", flush=True)
                # each batch ends with a blank line; before all is sent there is no use in looking
                if line == "\n" and server.sent.is_set():
                    result = saved_counts(prefix)
                    if result[0].total() >= expected.total():
                        return
        except (OSError, ValueError, SyntaxError) as error:
            errors.append(error)
        finally:
            finished.set()

    reader = threading.Thread(target=show, name="job-output", daemon=True)
    reader.start()
    if not finished.wait(max(0.0, end - time.monotonic())):
        result = saved_counts(prefix)
        raise DemoError(
            f"time is up: {result[0].total():,} of {expected.total():,} words are counted"
        )
    if errors:
        raise DemoError(f"the job's output cannot be read: {errors[0]}")
    if result[0].total() < expected.total():
        raise DemoError(f"the job ended too early, with exit code {job.wait(10)}")
    return result


def diff(total: Counter[str], expected: Counter[str]) -> str:
    words = sorted(word for word in total.keys() | expected.keys() if total[word] != expected[word])
    return "\n".join(
        [
            f"{len(words)} words differ, the first ones are:",
            *(f"  {word!r}: {total[word]}, not {expected[word]}" for word in words[:10]),
        ]
    )


# -- the demo ------------------------------------------------------------------------------------


def heading(text: str) -> None:
    print(f"\n{'=' * 96}\n{text}\n{'=' * 96}", flush=True)


def shorten(argument: str) -> str:
    """Paths as one would type them."""
    if argument == sys.executable:
        return "python"
    return os.path.relpath(argument, ROOT) if argument.startswith(str(ROOT)) else argument


def migrate(folder: Path) -> None:
    """Migrates a copy of the examples and shows the report."""
    shutil.copytree(EXAMPLES, folder, ignore=shutil.ignore_patterns("__pycache__"))
    heading("migrate legacy_examples")
    # 1 says that something is left to do by hand, which the report then names
    done = subprocess.run(
        [sys.executable, "-m", "migrator", "--write", folder.name],
        cwd=folder.parent,
        env=environment(),
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise DemoError(f"migrate failed with exit code {done.returncode}")
    if (folder / JOB).read_bytes() == (EXAMPLES / JOB).read_bytes():
        raise DemoError(f"migrate left {JOB} as it was")


def main() -> int:
    end = time.monotonic() + DEADLINE
    work = Path(tempfile.mkdtemp(prefix="dstream-compat-demo-"))
    try:
        migrated = work / "legacy_examples"
        migrate(migrated)

        text = stdlib_text()
        size = sum(map(len, text))
        print(f"\nThe text: {len(text)} files of the standard library, {size:,} characters.")
        count_words(
            "migrated", [sys.executable, str(migrated / JOB)], text, work / "migrated-run", end
        )
        count_words(
            "unchanged",
            [sys.executable, "-m", "dstream_compat", "run", str(EXAMPLES / JOB)],
            text,
            work / "unchanged-run",
            end,
        )
    except DemoError as error:
        print(f"\nThe demo failed. {error}", file=sys.stderr)
        return 1
    except subprocess.TimeoutExpired as error:
        print(f"\nThe demo failed. {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nThe demo was stopped.", file=sys.stderr)
        return 130
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print("\nBoth jobs counted exactly what plain Python counts.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
