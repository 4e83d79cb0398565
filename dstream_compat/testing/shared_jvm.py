"""Runs jobs one after another, each in a Python process of its own, in one JVM.

Most of a short run is the start of its JVM, and of the rest a third is what Python imports. The JVM
belongs to this process; those of the jobs are forks of it, which have imported PySpark, and connect
to the JVM as to the one of ``spark-submit``.
"""

from __future__ import annotations

import gc
import importlib
import multiprocessing
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from .run_job import leave, main

_LOADED: Final = (
    *("pandas", "pyarrow", "pyspark.sql.streaming", "dstream_compat.context"),
    *(f"{__package__}.{name}" for name in ("job_run", "query_driver", "stream_driver")),
)
"""What the process of each job would import; not pyspark.streaming, which may be another module."""


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
        for name in _LOADED:
            importlib.import_module(name)
        assert threading.active_count() == 1
        self._gateway: Any = launch()
        parameters = self._gateway.gateway_parameters
        self._variables = {
            "PYSPARK_GATEWAY_PORT": str(parameters.port),
            "PYSPARK_GATEWAY_SECRET": str(parameters.auth_token),
        }

    def run(
        self, arguments: Sequence[str], script: Path, folder: Path, log: Path, seconds: float
    ) -> int:
        """Run a job in a process that connects to the JVM; return its exit code.

        Parameters
        ----------
        arguments : sequence of str
            those of :mod:`dstream_compat.testing.run_job`
        script : Path
            the job, whose folder workers import from
        folder : Path
            where the process runs
        log : Path
            the file that gets what it prints
        seconds : float
            after which it is killed
        """
        paths = filter(None, [str(script.parent), os.environ.get("PYTHONPATH")])
        jvm = self._gateway.jvm
        path = os.pathsep.join(paths)
        jvm.java.lang.System.setProperty("spark.executorEnv.PYTHONPATH", path)
        # relative paths are of the job's folder; file systems that are open know another one
        jvm.java.lang.System.setProperty("user.dir", str(folder))
        jvm.org.apache.hadoop.fs.FileSystem.closeAll()
        process = multiprocessing.get_context("fork").Process(
            target=self._run, args=(arguments, folder, log)
        )
        process.start()
        process.join(seconds)
        if process.exitcode is None:
            process.kill()
            process.join()
        code = process.exitcode
        self._clear()
        assert code is not None
        return code

    def _run(self, arguments: Sequence[str], folder: Path, log: Path) -> None:
        """Be the process of a job."""
        # objects of the JVM stay: that they are gone would be said on the parent's connection
        gc.freeze()
        output = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        for standard in (1, 2):
            os.dup2(output, standard)
        os.environ.update(self._variables)
        os.chdir(folder)
        sys.path[0] = str(folder)
        leave(main(arguments))

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
