"""Runs jobs one after another in one JVM, as they are asked for on standard input.

``python -m dstream_compat.testing.run_jobs --memory SIZE`` starts a JVM of that size and reads JSON
lines: ``engine``, ``job``, ``args``, ``input``, ``output``, ``folder`` (where the job runs),
``log`` (what it prints), ``timeout``, ``state``, ``streams``, ``begin`` and ``real``. After each
run it writes a line with the exit code of :mod:`dstream_compat.testing.run_job`; a run that had to
be killed has a negative one.

Most of a short run is the start of its JVM, and of the rest a third is what Python imports. The JVM
belongs to this process; those of the jobs are forks of it, which have imported PySpark, and connect
to the JVM as to the one of ``spark-submit``.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, Final

from .parent import end_with_parent
from .run_job import leave, prepare_environment
from .run_job import main as run_job

_GRACE: Final = 15.0
"""Seconds for a run to end by itself when its time is up."""
_LOADED: Final = (
    *("pandas", "pyarrow", "pyspark.sql.streaming", "dstream_compat.context"),
    *(f"{__package__}.{name}" for name in ("query_driver", "stream_driver")),
)
"""What the process of each job would import; not pyspark.streaming, which may be another module."""


def main() -> int:
    """Run what is asked for until standard input ends."""
    parser = argparse.ArgumentParser(prog="python -m dstream_compat.testing.run_jobs")
    parser.add_argument("--memory", metavar="SIZE", default="1g", help="of the JVM (1g)")
    memory = parser.parse_args().memory
    # what the JVM and the jobs print is no answer
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    folder = Path(tempfile.mkdtemp(prefix="run-jobs-"))
    prepare_environment("dstreams", folder / "job.py", folder, memory)
    jvm = _SharedJvm()
    try:
        for line in sys.stdin:
            _answer(answers, _run(jvm, json.loads(line)))
    finally:
        jvm.close()
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def _answer(answers: IO[str], code: int) -> None:
    answers.write(json.dumps({"code": code}) + "\n")
    answers.flush()


def _run(jvm: _SharedJvm, asked: dict[str, Any]) -> int:
    command = ["--engine", asked["engine"], "--input", asked["input"], "--output", asked["output"]]
    command += ["--timeout", str(asked["timeout"])]
    command += [f"--{name}" for name in ("state", "streams") if asked.get(name)]
    if asked.get("begin") is not None:
        command += ["--begin", str(asked["begin"])]
    for client in asked.get("real", ()):
        command += ["--real", client]
    script = Path(asked["job"]).absolute()
    return jvm.run(
        [*command, str(script), *asked["args"]],
        script,
        Path(asked["folder"]),
        Path(asked["log"]),
        asked["timeout"] + _GRACE,
    )


class _SharedJvm:
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
        leave(run_job(arguments))

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


if __name__ == "__main__":
    end_with_parent(forks=True)
    sys.exit(main())
