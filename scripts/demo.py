"""The demo: migrates the old jobs, then runs one of them migrated and one unchanged.

Both count the words of real text, the source files of this Python's standard library, which
reach them over a loopback socket. Their totals have to equal the counts that plain Python gets
from the same text.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
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
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import IO, NoReturn

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "legacy_examples"
JOB = "save_to_files.py"

FILES = 40
SECONDS_TO_SEND = 10.0
# it takes about a minute, and several times that on a busy machine
DEADLINE = 300.0
SECONDS_TO_END = 10.0


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
        """Serve one client, which may come late: a job needs some seconds to warm up."""
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
        """Close the connection."""
        self._stopped.set()
        # shutdown wakes the thread out of accept(), close alone does not
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


# -- the jobs ------------------------------------------------------------------------------------


def environment(work: Path) -> dict[str, str]:
    """Return what all is started with: this checkout, a small
    local Spark, temporary files in `work`.
    """
    env = dict(os.environ)
    env["TMPDIR"] = str(work)
    env["PYTHONUNBUFFERED"] = "1"
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), env.get("PYTHONPATH")]))
    env.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    env.setdefault(
        "PYSPARK_SUBMIT_ARGS", "--master local[2] --conf spark.ui.enabled=false pyspark-shell"
    )
    return env


class Job:
    """A running job: shows what it prints, and compares what it saves."""

    def __init__(self, command: list[str], folder: Path, log: IO[str], server: TextServer) -> None:
        self._server = server
        self._prefix = folder / "counts"
        self._quiet = threading.Event()
        self._batches = 0
        self._changed = threading.Condition()
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(folder.parent),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            encoding="utf-8",
            errors="replace",
            # Ctrl-C shall reach this program alone, which then ends the job
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._show, name="job-output", daemon=True)
        self._reader.start()

    def counts(self, expected: Counter[str], end: float) -> Counter[str]:
        """Wait until all words are saved and one more batch has come, then gives their counts.

        The additional batch would show words that are counted twice.
        """
        batches = 0
        total: Counter[str] = Counter()
        while total.total() < expected.total():
            batches = self._wait_for_batch(batches, end)
            # each look reads all files, so there is none before everything is sent
            if batches < 0 or self._server.sent.is_set():
                total = saved_counts(self._prefix)
            if batches < 0 and total.total() < expected.total():
                raise DemoError(
                    f"{self._why_no_batch()}: {total.total():,} of {expected.total():,} words "
                    "are counted"
                )
        self._wait_for_batch(batches, end)
        return saved_counts(self._prefix)

    def stop(self) -> None:
        """End the job and all that it started."""
        self._quiet.set()
        try:
            # as Ctrl-C in a terminal: Python ends in order, and Spark's Java with it
            self._process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(SECONDS_TO_END)
            # Java writes to the same pipe, so its end is the end of both
            self._reader.join(SECONDS_TO_END)
        finally:  # a second Ctrl-C does not wait
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _show(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if not self._quiet.is_set():
                print("  " + line, end="", flush=True)
            if line == "\n":  # each batch ends with a blank line
                with self._changed:
                    self._batches += 1
                    self._changed.notify_all()
        with self._changed:
            self._batches = -1
            self._changed.notify_all()

    def _wait_for_batch(self, seen: int, end: float) -> int:
        """Return the number of batches, once it is more than `seen`; -1 if there will be none."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._batches < 0 or self._batches > seen,
                max(0.0, end - time.monotonic()),
            )
            return self._batches if self._batches > seen else -1

    def _why_no_batch(self) -> str:
        if self._batches >= 0:
            return f"time is up after {DEADLINE:.0f} seconds, as on a machine that is very busy"
        code = self._process.wait(SECONDS_TO_END)
        return f"the job ended by itself, with exit code {code}"


@contextlib.contextmanager
def started(command: list[str], folder: Path, log: IO[str], server: TextServer) -> Iterator[Job]:
    """Return a job and all that it starts, ended when the block is left."""
    job = Job(command, folder, log, server)
    try:
        yield job
    finally:
        job.stop()


def saved_counts(prefix: Path) -> Counter[str]:
    """Return the sum of all batches that the job has saved."""
    total: Counter[str] = Counter()
    for done in prefix.parent.glob(f"{prefix.name}-*.txt/_SUCCESS"):
        for part in done.parent.glob("part-*"):
            # not splitlines(): words may hold characters that it takes for line ends
            for line in filter(None, part.read_text(encoding="utf-8").split("\n")):
                word, count = ast.literal_eval(line)
                total[word] += count
    return total


def count_words(
    title: str, command: list[str], text: list[str], folder: Path, end: float
) -> Counter[str]:
    """Run one word count over the text; its totals have to equal plain Python's."""
    expected = plain_counts(text)
    folder.mkdir()
    server = TextServer(text)
    server.start()
    arguments = ["127.0.0.1", str(server.port), str(folder / "counts")]

    heading(f"{title}: {' '.join([*map(shorten, command), *arguments[:2], '<output>'])}")
    print("Spark is starting; the first batch follows in 10 to 20 seconds.\n", flush=True)
    log_path = folder / "stderr.log"
    try:
        with (
            log_path.open("w") as log,
            started([*command, *arguments], folder, log, server) as job,
        ):
            total = job.counts(expected, end)
    except DemoError as error:
        lines = log_path.read_text(errors="replace").splitlines()
        tail = [line for line in lines if not line.startswith("\tat ")][-30:]
        raise DemoError("\n".join([f"{title}: {error}", *tail])) from None
    finally:
        server.stop()

    if total != expected:
        raise DemoError(
            f"{title}: the totals differ from plain Python's.\n" + difference(total, expected)
        )
    print(f"  {title}: {total.total():,} words counted, {len(total):,} different ones.")
    return total


def plain_counts(text: list[str]) -> Counter[str]:
    """Return the counts that plain Python gets."""
    return Counter(word for file in text for word in file.split())


def difference(total: Counter[str], expected: Counter[str]) -> str:
    """Return the first words whose counts differ."""
    words = sorted(word for word in total.keys() | expected.keys() if total[word] != expected[word])
    return "\n".join(
        [
            f"{len(words)} words differ, the first ones are:",
            *(f"  {word!r}: {total[word]}, not {expected[word]}" for word in words[:10]),
        ]
    )


# -- the demo ------------------------------------------------------------------------------------


def heading(text: str) -> None:
    """Begin a part of the demo."""
    print(f"\n{'=' * 96}\n{text}\n{'=' * 96}", flush=True)


def shorten(argument: str) -> str:
    """Return paths as one would type them."""
    if argument == sys.executable:
        return "python"
    path = Path(argument)
    if path.is_absolute():
        return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else f"<output>/{path.name}"
    return argument


def migrate(target: Path) -> None:
    """Migrate the examples into a new folder, show the report and what changed in one job."""
    heading("migrate legacy_examples --output <output>")
    done = subprocess.run(
        [sys.executable, "-m", "migrator", EXAMPLES.name, "--output", str(target)],
        cwd=ROOT,
        env=environment(target.parent),
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    # 1 says that something is left to do by hand, which the report names
    if done.returncode not in (0, 1):
        raise DemoError(f"migrate failed with exit code {done.returncode}")
    before, after = ((folder / JOB).read_text().splitlines() for folder in (EXAMPLES, target))
    changes = list(difflib.unified_diff(before, after, JOB, JOB, lineterm="", n=1))
    if not changes:
        raise DemoError(f"migrate left {JOB} as it was")
    print(f"\nAll that changed in {JOB}, which runs next:\n")
    print("\n".join(f"  {line}" for line in changes), flush=True)


def show_totals(totals: Mapping[str, Counter[str]]) -> None:
    """Print the counts side by side; by now they are known to be equal."""
    heading("the totals")
    first = next(iter(totals.values()))
    print(" " * 18 + "".join(f"{title:>16}" for title in totals))
    lines = {"words": [c.total() for c in totals.values()]}
    lines["different words"] = [len(counts) for counts in totals.values()]
    for word, _ in first.most_common(5):
        lines[repr(word)] = [counts[word] for counts in totals.values()]
    for name, numbers in lines.items():
        print(f"{name:<18}" + "".join(f"{number:>16,}" for number in numbers))
    print(f"\nEQUAL: both jobs counted each of the {len(first):,} words as plain Python does.")


class Terminated(BaseException):
    """The demo is asked to end, by something else than Ctrl-C; `args[0]` is the signal."""


def terminated(number: int, frame: FrameType | None) -> NoReturn:
    """End the demo in order, so that no job is left behind."""
    raise Terminated(number)


def main() -> int:
    """Run the demo; return the exit code."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, terminated)
    end = time.monotonic() + DEADLINE
    # a short name: the jobs put a socket below it, whose path may have about a hundred characters
    work = Path(tempfile.mkdtemp(prefix="demo-"))
    try:
        migrated = work / "migrated"
        migrate(migrated)

        text = stdlib_text()
        print(
            f"\nTwo word counts follow, each over the same {len(text)} files of Python's standard "
            f"library ({sum(map(len, text)):,} characters), sent through a socket in "
            f"{SECONDS_TO_SEND:.0f} seconds.\nEvery two seconds a batch shows its most frequent "
            "words."
        )
        unchanged = [sys.executable, "-m", "dstream_compat", "run", str(EXAMPLES / JOB)]
        commands = {"migrated": [sys.executable, str(migrated / JOB)], "unchanged": unchanged}
        totals = {
            title: count_words(title, command, text, work / f"{title}-run", end)
            for title, command in commands.items()
        }
        show_totals({**totals, "plain Python": plain_counts(text)})
    except (DemoError, subprocess.TimeoutExpired) as error:
        print(f"\nThe demo failed. {error}", file=sys.stderr)
        return 1
    except (KeyboardInterrupt, Terminated) as stop:
        print("\nThe demo was stopped.", file=sys.stderr)
        return 128 + (stop.args[0] if isinstance(stop, Terminated) else signal.SIGINT)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
