"""A real HDFS and YARN: NameNodes, a DataNode, a ResourceManager and NodeManagers in one JVM.

The JVM ends when its standard input does, so no later than the process that has started it.
"""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tests.support.components import jars
from tests.support.components.java_server import SHORT_LIVED, JavaServer, java
from tests.support.components.kerberos import KeyCenter
from tests.support.programs import give_up

NODES: Final = 2
_MEMORY_MB: Final = 4096
_MARK: Final = "DSTREAM_COMPAT_TESTS"


class Hadoop:
    """The servers, in a process of their own.

    Parameters
    ----------
    servers : sequence of Path
        the jars that they run beside those of PySpark
    folder : Path
        for their data, their log and the settings of clients
    name_nodes : int
        one, or an active one and its standby
    nodes : int
        the NodeManagers; without one there is no YARN
    key_center : KeyCenter, optional
        for an HDFS and a YARN that want to know who asks
    """

    def __init__(
        self,
        servers: Sequence[Path],
        folder: Path,
        name_nodes: int = 1,
        nodes: int = NODES,
        key_center: KeyCenter | None = None,
    ) -> None:
        self._folder = folder
        self.settings = folder / "conf"
        self.settings.mkdir()
        hosts = folder / "hosts"
        hosts.write_text(f"127.0.0.1 localhost {socket.gethostname()}\n")
        names = f"-Djdk.net.hosts.file={hosts} {' '.join(SHORT_LIVED)}"
        self._client = {"HADOOP_CONF_DIR": str(self.settings), "SPARK_LOCAL_IP": "127.0.0.1"}
        # those that fetch what containers need read the settings of clients, too
        class_path = [self.settings, *servers]
        if key_center is not None:
            names += f" {key_center.jvm_options}"
            self._client["JAVA_TOOL_OPTIONS"] = key_center.jvm_options
            class_path.append(key_center.folder)
        # containers have them, too: they are to talk on loopback, and to be known as ours
        inside = {"SPARK_LOCAL_IP": "127.0.0.1", "JAVA_TOOL_OPTIONS": names, _MARK: str(folder)}
        inside["JAVA_HOME"] = str(java().parents[1])
        program = [
            *("MiniCluster", str(folder / "data"), str(self.settings), str(nodes)),
            *(str(_MEMORY_MB), ",".join(["PATH", "LANG", "TZ", *inside]), str(name_nodes)),
        ]
        self._server = JavaServer(program, class_path, folder, megabytes=512, more=inside)
        self.uri = self._server.ready.split()[-1]

    def command(self, *words: str) -> str:
        """Carry out a command of ``MiniCluster.java``; returns what it printed.

        Parameters
        ----------
        words : str
            ``fs`` or ``dfsadmin`` with the arguments that they have in Hadoop's shell, or one of
            ``stop-name-node``, ``start-name-node``, ``to-standby NUMBER``, ``to-active NUMBER`` and
            ``stop-node NUMBER``
        """
        self._server.say(" ".join(words))
        answer = self._server.await_line("DONE ", "FAILED ")
        assert "\nFAILED " not in f"\n{answer}", answer
        return answer.rpartition("\n")[0]

    def put(self, file: Path, target: str) -> None:
        """Copy a file to HDFS, where it appears with all that is in it."""
        draft = f"{os.path.dirname(target)}/.{os.path.basename(target)}"
        self.command("fs", "-put", str(file), draft)
        self.command("fs", "-mv", draft, target)

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of a client, with some more variables."""
        return {**os.environ, **self._client, **more}

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
        self._server.stop()
        self.end_containers()


@contextmanager
def started_hadoop(
    cache: Path,
    folder: Path,
    name_nodes: int = 1,
    nodes: int = NODES,
    key_center: KeyCenter | None = None,
) -> Iterator[Hadoop]:
    """Run the servers for a while; the test is given up where their jars cannot be had.

    Parameters
    ----------
    cache : Path
        where the jars are kept
    folder : Path
        for all other files
    name_nodes : int
        one, or an active one and its standby
    nodes : int
        the NodeManagers; without one there is no YARN
    key_center : KeyCenter, optional
        for an HDFS and a YARN that want to know who asks
    """
    try:
        servers = jars.hadoop(cache)
    except RuntimeError as error:
        give_up(f"no jars of Hadoop without a way to Maven Central: {error}")
    running = Hadoop(servers, folder, name_nodes, nodes, key_center)
    try:
        yield running
    finally:
        running.stop()
