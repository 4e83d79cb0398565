"""Runs jobs one after another, each in a Python process of its own, in one JVM.

Most of a short run is the start of its JVM. The JVM belongs to this process; those of the jobs
connect to it, as to the one of ``spark-submit``.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any


def name_proxies_apart() -> None:
    """Give the objects that the JVM calls in this process names that no other process gives.

    The JVM tells the process that is connected of objects that it no longer needs, also of those of
    an earlier one. Of the same name, they would be taken from this process while a query uses them.
    """
    from py4j.java_gateway import PythonProxyPool

    make = PythonProxyPool.__init__

    def __init__(self: Any) -> None:
        make(self)
        self.next_id = os.getpid() * 10**9

    PythonProxyPool.__init__ = __init__


class SharedJvm:
    """A JVM for the jobs of this process's children.

    The environment has to be that of a run; see ``prepare_environment``.
    """

    def __init__(self) -> None:
        from pyspark import java_gateway

        # without types of its own
        launch: Any = java_gateway.launch_gateway
        self._gateway: Any = launch()
        parameters = self._gateway.gateway_parameters
        self._variables = {
            "PYSPARK_GATEWAY_PORT": str(parameters.port),
            "PYSPARK_GATEWAY_SECRET": str(parameters.auth_token),
        }

    def run(
        self, command: Sequence[str], script: Path, folder: Path, log: IO[bytes], seconds: float
    ) -> int:
        """Run a Python process that connects to the JVM; return its exit code.

        Parameters
        ----------
        command : sequence of str
            arguments of the interpreter
        script : Path
            the job, whose folder workers import from
        folder : Path
            where the process runs
        log : file
            what it prints
        seconds : float
            after which it is killed
        """
        paths = os.pathsep.join([str(script.parent), os.environ.get("PYTHONPATH", "")])
        jvm = self._gateway.jvm
        jvm.java.lang.System.setProperty("spark.executorEnv.PYTHONPATH", paths)
        # relative paths are of the job's folder; file systems that are open know another one
        jvm.java.lang.System.setProperty("user.dir", str(folder))
        jvm.org.apache.hadoop.fs.FileSystem.closeAll()
        process = subprocess.Popen(
            [sys.executable, *command],
            cwd=folder,
            env={**os.environ, **self._variables},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
        finally:
            process.kill()  # one that has ended is no more
            code = process.wait()
            self._clear()
        return code

    def close(self) -> None:
        """End the JVM."""
        self._gateway.shutdown()
        self._gateway.proc.stdin.close()

    def _clear(self) -> None:
        """Stop what a job has left: the next one makes a context of its own."""
        jvm: Any = self._gateway.jvm
        streaming = jvm.org.apache.spark.streaming.StreamingContext.getActive()
        if streaming.isDefined():
            streaming.get().stop(False, False)
        context = getattr(getattr(jvm.org.apache.spark, "SparkContext$"), "MODULE$").getActive()
        if context.isDefined():
            context.get().stop()
        jvm.org.apache.spark.sql.classic.SparkSession.clearActiveSession()
        jvm.org.apache.spark.sql.classic.SparkSession.clearDefaultSession()
