"""Runs one job over recorded batches and writes what each of its outputs gives.

``python -m dstream_compat.testing.run_job --engine compat --input FILE --output FILE JOB ARGS``.
The exit code is 0 when all batches are complete or the job has ended itself, 2 for wrong use, 3
when the job has failed, and 4 when it had not ended in time.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import runpy
import shutil
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from .clients import used_clients
from .errors import RecordingError, RunError
from .intervals import is_interval
from .memory import peak_bytes
from .parent import end_with_parent
from .recordings import Recording, read_batches
from .results_writer import ResultsWriter
from .session import SETTINGS

if TYPE_CHECKING:
    from .query_driver import QueryDriver
    from .stream_driver import StreamDriver

ENGINES: Final = ("dstreams", "compat", "structured")
_GRACE: Final = 10.0
"""Seconds for a job to end after its last batch."""
_COMPLETE, _FAILED, _TIMED_OUT = 0, 3, 4
_JVM: Final = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dspark.python.unix.domain.socket.enabled=true"
)
"""A JVM that lives for seconds compiles little."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a job in this process, which nothing else may use afterwards; return the exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        arguments without the program's name; those of this process if it is missing
    """
    options = _parser().parse_args(argv)
    script = Path(options.job)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            recording = read_batches(options.input)
        for warning in caught:
            print(f"run_job: {warning.message}", file=sys.stderr)
        if not script.is_file():
            raise RecordingError(f"there is no job {options.job}")
        _adjust(recording, options)
        if not Path(options.output).absolute().parent.is_dir():
            raise RecordingError(f"there is no folder for {options.output}")
    except RecordingError as error:
        print(f"run_job: {error}", file=sys.stderr)
        return 2
    folder = Path(tempfile.mkdtemp(prefix="run-job-"))
    try:
        prepare_environment(options.engine, script.absolute(), folder, options.memory)
        if "PYSPARK_GATEWAY_PORT" in os.environ:
            _name_proxies_apart()
        return JobRun(options, recording, script.absolute(), folder).run()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _adjust(recording: Recording, options: argparse.Namespace) -> None:
    if options.batches is not None:
        recording.batches = {n: v for n, v in recording.batches.items() if n <= options.batches}
        recording.count = options.batches
    if recording.length == 0:
        raise RecordingError(f"{options.input} has no batches: say how many with --batches")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dstream_compat.testing.run_job",
        description="Run a job over recorded batches, and write what each output gives.",
    )
    add = parser.add_argument
    add("--engine", choices=ENGINES, required=True, help="what runs the job")
    add("--input", required=True, metavar="FILE", help="recorded batches: a file or a folder")
    add("--output", required=True, metavar="FILE", help="where the results go, as JSON lines")
    add(
        "--interval", type=_interval, metavar="S", help="seconds per batch, which the job must have"
    )
    add("--begin", type=int, metavar="MS", help="when the first batch of a query begins")
    add("--batches", type=_number, metavar="N", help="how many; those up to the last with input")
    add("--state", action="store_true", help="record the state after each batch")
    add("--streams", action="store_true", help="record each intermediate stream")
    add(
        "--real",
        metavar="CLIENT",
        action="append",
        default=[],
        help="a client that the job uses itself, such as sqlite3, instead of what stands for it",
    )
    add("--timeout", type=_seconds, metavar="S", default=600.0, help="for the whole run (600)")
    add("--memory", metavar="SIZE", default="1g", help="of the JVM, such as 2g (1g)")
    add("job", metavar="JOB", help="the job's file")
    add("args", metavar="ARGS", nargs=argparse.REMAINDER, help="the job's arguments")
    return parser


def _seconds(text: str) -> float:
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds above 0")
    return value


def _interval(text: str) -> float:
    value = float(text)
    if not is_interval(value):
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds, at least 0.001")
    return value


def _number(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number of batches above 0")
    return value


def prepare_environment(engine: str, script: Path, folder: Path, memory: str) -> None:
    """Set what Spark reads when its JVM starts, in which the job's code changes nothing."""
    settings = SETTINGS | {
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.artifact.isolation.enabled": "false",
    }
    if engine != "structured":
        settings["spark.streaming.clock"] = "org.apache.spark.util.ManualClock"
    options = os.environ.get("PYSPARK_SUBMIT_ARGS", "").removesuffix("pyspark-shell").split()
    os.environ["PYSPARK_SUBMIT_ARGS"] = " ".join(
        [
            *options,
            *("--master", "local[2]", "--driver-memory", memory),
            *(f"--conf {key}={value}" for key, value in settings.items()),
            "pyspark-shell",
        ]
    )
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_SUBMIT_OPTS", _JVM)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    package = str(Path(__file__).resolve().parents[2])
    paths = [str(script.parent), package, os.environ.get("PYTHONPATH")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))


class JobRun:
    """One run of one job; the process ends with it.

    Parameters
    ----------
    options : Namespace
        of the command line
    recording : Recording
        what the job reads
    script : Path
        the job's file
    folder : Path
        for checkpoints and other files that are not kept
    """

    def __init__(
        self, options: argparse.Namespace, recording: Recording, script: Path, folder: Path
    ) -> None:
        self._options = options
        self._script = script
        self._folder = folder
        self._began = time.monotonic()
        header = {
            "engine": options.engine,
            "job": options.job,
            "args": options.args,
            "interval": recording.interval,
        }
        self._clients = [client for client in used_clients(script) if client not in options.real]
        if self._clients:
            header["clients"] = self._clients
        self._writer = ResultsWriter(Path(options.output), header)
        self._driver = _driver(options, recording, self._writer, folder, str(script))
        self._ended = threading.Event()
        self._played = threading.Event()
        self._problem: str | None = None
        self._finish = threading.Lock()

    def run(self) -> int:
        """Run the job; return the exit code of this process."""
        from .capture import watch_files
        from .client_calls import CALLS

        CALLS.begin(self._clients, self._folder / "calls")
        _keep_local()
        watch_files()
        watchdog = threading.Thread(target=self._watch, daemon=True)
        watchdog.start()
        player = threading.Thread(target=self._play, daemon=True)
        player.start()
        how, error = self._run_script()
        if how == "ended":
            self._driver.script_ended()
        if how == "ended" and self._driver.started.is_set():
            self._played.wait()  # a thread of the job may wait for it
        started = self._driver.started.is_set()
        self._ended.set()
        self._driver.close()
        player.join(_GRACE)
        complete = 0 < self._driver.total <= self._driver.done
        if self._problem is not None:
            return self._end("failed", self._problem)
        if how == "failed":
            return self._end(how, error)
        if complete:
            return self._end("stopped", error)
        if not started:
            return self._end("exited", error or "the job ended before it started a context")
        done = f"the job ended after {self._driver.done} of {self._driver.total} batches"
        return self._end("exited", error or done)

    def _run_script(self) -> tuple[str, str | None]:
        sys.argv = [self._options.job, *self._options.args]
        sys.path.insert(0, str(self._script.parent))
        try:
            runpy.run_path(str(self._script), run_name="__main__")
        except SystemExit as stop:
            if stop.code in (None, 0):
                return "exited", None
            return "failed", f"the job called sys.exit({stop.code!r})"
        except BaseException as error:
            text = _of_the_job(error, self._script)
            print(text, file=sys.stderr, flush=True)
            return "failed", text
        return "ended", None

    def _play(self) -> None:
        try:
            self._driver.started.wait()
            if not self._ended.is_set():
                self._driver.play(self._ended)
                self._driver.stop()
        except BaseException as error:
            is_known = isinstance(error, RunError)
            only = "".join(traceback.format_exception_only(error))
            self._problem = str(error) if is_known else only
            print(self._problem, file=sys.stderr, flush=True)
            with contextlib.suppress(Exception):
                self._driver.stop()
        self._played.set()
        if not self._ended.wait(_GRACE):
            # it goes on with something else, as a loop that never ends
            how = "stopped" if self._problem is None else "failed"
            self._leave(self._end(how, self._problem))

    def _watch(self) -> None:
        if not self._ended.wait(self._options.timeout):
            started = self._driver.started.is_set()
            done = f"{self._driver.done} of {self._driver.total} batches are complete"
            what = done if started else "the job has not started a context"
            where = _where(self._script)
            error = f"after {self._options.timeout:g} s {what}; the job is at {where}"
            self._leave(self._end("timed out", error))

    def _end(self, how: str, error: str | None) -> int:
        from .client_calls import CALLS

        with self._finish:
            seconds = time.monotonic() - self._began
            self._writer.end(how, error, seconds, peak_bytes(), CALLS.find_uncounted())
        codes = {"failed": _FAILED, "timed out": _TIMED_OUT}
        return codes.get(self._writer.ended or how, _COMPLETE)

    def _leave(self, code: int) -> None:
        """End the process at once, though the job's code runs."""
        shutil.rmtree(self._folder, ignore_errors=True)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _driver(
    options: argparse.Namespace,
    recording: Recording,
    writer: ResultsWriter,
    folder: Path,
    script: str,
) -> QueryDriver | StreamDriver:
    arguments = recording, writer, folder, script, options.state, options.streams
    if options.engine == "structured":
        from .query_driver import QueryDriver

        return QueryDriver(*arguments, records=True, interval=options.interval, begin=options.begin)
    from .engines import CompatEngine, SparkEngine
    from .stream_driver import StreamDriver

    engine = CompatEngine() if options.engine == "compat" else SparkEngine()
    return StreamDriver(engine, *arguments, interval=options.interval)


def _keep_local() -> None:
    """Let a job that names a cluster run here."""
    from pyspark import SparkConf, SparkContext

    from .client_calls import CALLS

    make = SparkContext.__init__

    def __init__(self: Any, master: Any = None, *args: Any, **more: Any) -> None:
        if master is not None and not master.startswith("local"):
            master = "local[2]"
        conf = more.get("conf")
        if isinstance(conf, SparkConf) and not conf.get("spark.master", "local").startswith(
            "local"
        ):
            conf.setMaster("local[2]")
        make(self, master, *args, **more)
        self.environment = CALLS.add_to(self.environment)

    SparkContext.__init__ = __init__  # type: ignore[method-assign]


def _of_the_job(error: BaseException, script: Path) -> str:
    """Return a traceback that begins in the job's file, as without us."""
    shown = error.__traceback__
    while shown is not None and shown.tb_frame.f_code.co_filename != str(script):
        shown = shown.tb_next
    return "".join(traceback.format_exception(type(error), error, shown or error.__traceback__))


def _where(script: Path) -> str:
    main = sys._current_frames().get(threading.main_thread().ident or 0)
    while main is not None:
        if main.f_code.co_filename == str(script):
            return f"{script.name}:{main.f_lineno}"
        main = main.f_back
    return "no line of its file"


def _name_proxies_apart() -> None:
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


def leave(code: int) -> NoReturn:
    """End this process, which threads of the job, and Spark's, do not keep."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    end_with_parent()
    leave(main())
