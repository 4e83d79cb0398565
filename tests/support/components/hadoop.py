"""A real HDFS and YARN: a NameNode, a DataNode, a ResourceManager and NodeManagers in one JVM.

The JVM ends when its standard input does, so no later than the process that has started it.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, Queue
from typing import Final

import pyspark

from tests.support.components import jars
from tests.support.programs import give_up, program

DEADLINE: Final = 300.0
NODES: Final = 2
_MEMORY_MB: Final = 4096
_HERE: Final = Path(__file__).resolve().parent
_JARS: Final = Path(pyspark.__file__).parent / "jars"
_MARK: Final = "DSTREAM_COMPAT_TESTS"


class Hadoop:
    """The servers, in a process of their own.

    Parameters
    ----------
    servers : sequence of Path
        the jars that they run beside those of PySpark
    folder : Path
        for their data, their log and the settings of clients
    """

    def __init__(self, servers: Sequence[Path], folder: Path) -> None:
        self._folder = folder
        self.settings = folder / "conf"
        self.settings.mkdir()
        hosts = folder / "hosts"
        hosts.write_text(f"127.0.0.1 localhost {socket.gethostname()}\n")
        names = f"-Djdk.net.hosts.file={hosts}"
        # containers have them, too: they are to talk on loopback, and to be known as ours
        inside = {"SPARK_LOCAL_IP": "127.0.0.1", "JAVA_TOOL_OPTIONS": names, _MARK: str(folder)}
        home = os.environ.get("JAVA_HOME")
        on_path = Path(program("java", "openjdk-17-jre-headless"))
        java = (Path(home, "bin", "java") if home else on_path).resolve()
        inside["JAVA_HOME"] = str(java.parents[1])
        command = [
            str(java),
            *("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            "-Djava.net.preferIPv4Stack=true",
            *("-cp", os.pathsep.join([*map(str, servers), f"{_JARS}/*"])),
            *("org.codehaus.janino.JavaSourceClassLoader", "-sourcepath", str(_HERE)),
            *("MiniCluster", str(folder / "data"), str(self.settings)),
            *(str(NODES), str(_MEMORY_MB), ",".join(["PATH", "LANG", "TZ", *inside])),
        ]
        self._log = folder / "log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                command,
                env={**os.environ, **inside},
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
            self.uri = self._await("READY ").split()[-1]
        except BaseException:
            self.stop()
            raise

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(line.rstrip("\n"))

    def _await(self, *beginnings: str) -> str:
        """Return the lines until one begins in a way; fail where the servers have ended."""
        lines = []
        deadline = time.monotonic() + DEADLINE
        while time.monotonic() < deadline and self._process.poll() is None:
            with suppress(Empty):
                lines.append(self._answers.get(timeout=0.5))
                if lines[-1].startswith(beginnings):
                    return "\n".join(lines)
        ended = f"no answer; exit code: {self._process.poll()}"
        raise AssertionError("\n".join([ended, *lines, self._log.read_text()[-3000:]]))

    def command(self, *words: str) -> str:
        """Carry out a command of ``MiniCluster.java``; returns what it printed.

        Parameters
        ----------
        words : str
            ``fs`` or ``dfsadmin`` with the arguments that they have in Hadoop's shell, or one of
            ``stop-name-node``, ``start-name-node`` and ``stop-node NUMBER``
        """
        assert self._process.stdin is not None
        self._process.stdin.write(" ".join(words) + "\n")
        self._process.stdin.flush()
        answer = self._await("DONE ", "FAILED ")
        assert "\nFAILED " not in f"\n{answer}", answer
        return answer.rpartition("\n")[0]

    def put(self, file: Path, target: str) -> None:
        """Copy a file to HDFS, where it appears with all that is in it."""
        draft = f"{os.path.dirname(target)}/.{os.path.basename(target)}"
        self.command("fs", "-put", str(file), draft)
        self.command("fs", "-mv", draft, target)

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of a client, with some more variables."""
        return {
            **os.environ,
            "HADOOP_CONF_DIR": str(self.settings),
            "SPARK_LOCAL_IP": "127.0.0.1",
            **more,
        }

    def containers(self, *words: str) -> list[int]:
        """Return the processes in containers whose command lines have some words.

        Parameters
        ----------
        words : str
            such as the name of an application
        """
        found = []
        mark = f"{_MARK}={self._folder}".encode()
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has ended
                variables = (process / "environ").read_bytes().split(b"\0")
                if mark in variables and any(one.startswith(b"CONTAINER_ID=") for one in variables):
                    line = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    if all(word in line for word in words):
                        found.append(int(process.name))
        return sorted(found)

    def jvms(self, *words: str) -> list[int]:
        """Return those of these processes that are JVMs, and not the shells that start them."""
        found = []
        for process in self.containers(*words):
            with suppress(OSError):  # it has ended
                if Path(f"/proc/{process}/comm").read_text() == "java\n":
                    found.append(process)
        return found

    def end_containers(self) -> None:
        """Kill what runs in containers."""
        for container in self.containers():
            with suppress(ProcessLookupError):
                os.kill(container, signal.SIGKILL)

    def logs(self, application: str) -> str:
        """Return what the containers of an application have printed."""
        # not with **: files of containers come and go
        pattern = f"target/test/data/jobs/*/*-logDir-nm-*/{application}/container_*/std*"
        paths = sorted(self._folder.glob(pattern))
        return "\n".join(f"--- {path}\n{path.read_text(errors='replace')}" for path in paths)

    def stop(self) -> None:
        """Stop the servers, and all that is left in containers."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.end_containers()


@contextmanager
def started_hadoop(cache: Path, folder: Path) -> Iterator[Hadoop]:
    """Run the servers for a while; the test is given up where their jars cannot be had.

    Parameters
    ----------
    cache : Path
        where the jars are kept
    folder : Path
        for all other files
    """
    try:
        servers = jars.hadoop(cache)
    except RuntimeError as error:
        give_up(f"no jars of Hadoop without a way to Maven Central: {error}")
    running = Hadoop(servers, folder)
    try:
        yield running
    finally:
        running.stop()
