"""Servers of Java in processes of their own: programs of this folder, which Spark's compiler reads.

One ends when its standard input does, so no later than the process that has started it.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from typing import Final

import pyspark

from tests.support.programs import program

DEADLINE: Final = 300.0
SHORT_LIVED: Final = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""Options of JVMs that live for minutes: they compile less."""
_HERE: Final = Path(__file__).resolve().parent
_JARS: Final = Path(pyspark.__file__).parent / "jars"


def java() -> Path:
    """Return the Java of the tests."""
    home = os.environ.get("JAVA_HOME")
    on_path = Path(program("java", "openjdk-17-jre-headless"))
    return (Path(home, "bin", "java") if home else on_path).resolve()


class JavaServer:
    """A server that runs, and has said that it is ready.

    Parameters
    ----------
    program : sequence of str
        the class and its arguments
    class_path : sequence of Path
        what it runs beside the jars of PySpark, before them
    folder : Path
        where it runs, and writes its log
    megabytes : int
        its heap
    more : mapping, optional
        variables of its environment beside ours

    Attributes
    ----------
    ready : str
        the line that says so
    """

    def __init__(
        self,
        program: Sequence[str],
        class_path: Sequence[Path],
        folder: Path,
        megabytes: int,
        more: Mapping[str, str] | None = None,
    ) -> None:
        command = [
            *(str(java()), f"-Xmx{megabytes}m", *SHORT_LIVED),
            "-Djava.net.preferIPv4Stack=true",
            *("-cp", os.pathsep.join([*map(str, class_path), f"{_JARS}/*"])),
            *("org.codehaus.janino.JavaSourceClassLoader", "-sourcepath", str(_HERE), *program),
        ]
        self._log = folder / "log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                command,
                env={**os.environ, **(more or {})},
                cwd=folder,  # YARN keeps its files in a folder of that
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        self._answers: Queue[str] = Queue()
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self.ready = self.await_line("READY").rpartition("\n")[2]
        except BaseException:
            self.stop()
            raise

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(line.rstrip("\n"))

    def await_line(self, *beginnings: str) -> str:
        """Return the lines until one begins in a way; fail where the server has ended."""
        lines = []
        deadline = time.monotonic() + DEADLINE
        while time.monotonic() < deadline and self._process.poll() is None:
            with suppress(Empty):
                lines.append(self._answers.get(timeout=0.5))
                if lines[-1].startswith(beginnings):
                    return "\n".join(lines)
        ended = f"no answer; exit code: {self._process.poll()}"
        raise AssertionError("\n".join([ended, *lines, self._log.read_text()[-3000:]]))

    def say(self, line: str) -> None:
        """Write a line to its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def stop(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
