"""Reads goldens, and runs them in the processes of their modes.

A golden is a folder with ``before.py`` and ``after.py``, or notebooks, and ``batches.json``:

``args``
    the arguments of both; {PORT} is a socket, {FOLDER} the folder of the job, {BROKER} a broker
``interval``
    of the batches, in seconds (1)
``steps``
    per interval its input: ``lines`` (of the socket, or by the number of its port), ``files`` that
    appear, by name, and ``records`` by topic, each a value or [key, value]; null for none
``files``
    that are there from the start
``end``
    who stops it: ``stop`` (the harness; the default), ``itself``, or ``SIGTERM``
``queries``
    how many the rewrite starts (1)
``connect``
    whether the rewrite runs on Spark Connect (true)
``unsafe``
    whether the rewrite may fail on records that the job could read
``brokers``
    as for ``--kafka-brokers``
``json``
    the shape of the JSON texts that the job reads, as for ``--json-shape``
``portable``
    whether the rewrite is DataFrames only (true); else it prints the records of ``pprint``, and
    does not run on Spark Connect
``triggers``
    of the queries, in seconds; the batch interval if it is missing
``options``
    ``ordered``, ``idle``, ``stated`` and ``flat``, see
    :func:`tests.support.structured.compare.differences`
"""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from migrator.discover.filetypes import FileType
from migrator.source.document import read_document
from migrator.source.joined import joined_parts
from tests.support.legacy.harness import ROOT, environment, session_end
from tests.support.old_engine.running import old_pyspark
from tests.support.structured.compare import differences

GOLDENS = ROOT / "tests" / "migrator" / "structured" / "goldens"
MODES = ("classic", "connect")
OLDER_SPARKS = {"3.4": ("3.4.4", "3.11"), "3.5": ("3.5.9", "3.11"), "4.0": ("4.0.2", "3.11")}
"""The PySpark and the Python of the modes in which results run on an older Spark. The clock of
queries is scripted by a listener in Python, which 3.3 has not.
"""
BY_HAND = {"blacklist_join", "kafka_save"}
"""Models of a rewrite that is not made yet."""
KNOWN = {"args", "interval", "steps", "files", "end", "queries", "triggers"}
KNOWN |= {"options", "unsafe", "json", "connect", "portable", "brokers"}
SETTINGS = {
    "original": {"spark.streaming.clock": "org.apache.spark.util.ManualClock"},
    "classic": {},
    "connect": {"spark.connect.grpc.binding.port": "0"},
}


class Golden:
    """A job, its rewrite, and what they read."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self.folder = folder
        known = json.loads((folder / "batches.json").read_text(encoding="utf-8"))
        if unknown := known.keys() - KNOWN:
            raise ValueError(f"{folder.name}/batches.json has {sorted(unknown)}: see {__name__}")
        self.options: dict[str, Any] = known.get("options", {})
        steps = [step or {} for step in known["steps"]]
        self.plan = {"args": [], "interval": 1, "end": "stop"} | known | {"steps": steps}

    @property
    def on_connect(self) -> bool:
        """Whether the rewrite runs on Spark Connect."""
        return all(self.plan.get(name, True) for name in ("connect", "portable"))

    def job(self, script: str) -> dict[str, Any]:
        root = self.folder
        if not (root / script).exists():
            root = program_of((root / script).with_suffix(".ipynb")).parent
        return {"script": script, "root": str(root)} | self.plan

    def compare(self, original: dict[str, Any], result: dict[str, Any]) -> list[str]:
        """Return how the rewrite differs, or what hindered one of them."""
        return [
            *(f"the original: {problem}" for problem in original["problems"]),
            *(f"the rewrite: {problem}" for problem in result["problems"]),
            *self._of_main_thread(original, result),
            *differences(original["events"], result["events"], self.plan["steps"], self.options),
        ]

    def gives_something(self, original: dict[str, Any]) -> bool:
        """Return whether an original gave a record, or printed something at its own end."""
        if self.plan["end"] == "itself" and original["stdout"]:
            return True
        return any(event["records"] for event in original["events"])

    def _of_main_thread(self, original: dict[str, Any], result: dict[str, Any]) -> list[str]:
        """Return what the main threads have printed, if that differs and they end by themselves."""
        one, other = original["stdout"], result["stdout"]
        is_same = self.plan["end"] != "itself" or one == other
        return [] if is_same else [f"the main thread printed {one!r}, of the rewrite {other!r}"]


def program_of(notebook: Path) -> Path:
    """Write the cells of a notebook that parse as a program, without magics; return its file."""
    parts = joined_parts(read_document(FileType.NOTEBOOK, notebook.read_bytes()))
    assert parts is not None
    folder = tempfile.mkdtemp(prefix="golden-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder, f"{notebook.stem}.py")
    path.write_text(parts.text, encoding="utf-8")
    return path


def goldens(kind: str = "py") -> list[Golden]:
    """Return all goldens of programs (``py``) or notebooks (``ipynb``), by name."""
    return [Golden(path.parent) for path in sorted(GOLDENS.glob(f"*/before.{kind}"))]


def run(mode: str, jobs: Sequence[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """Run jobs in one process; return what each of them did.

    Parameters
    ----------
    mode : str
        ``original`` (Spark's DStreams), ``classic``, ``connect``, or one of `OLDER_SPARKS`
    jobs : sequence of dict
        their plans
    folder : Path
        for what the process leaves
    """
    work, output = folder / f"{mode}-process", folder / f"{mode}.json"
    work.mkdir(parents=True)
    plan = folder / f"{mode}-plan.json"
    plan.write_text(json.dumps(list(jobs)), encoding="utf-8")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
    } | SETTINGS.get(mode, {})
    python = sys.executable
    if mode in OLDER_SPARKS:
        python = str(old_pyspark(*OLDER_SPARKS[mode]))
    else:
        settings["spark.python.daemon.module"] = "tests.support.worker_daemon"
    cores = 4 if mode == "original" else 2  # receivers hold a core each
    env = environment("spark") | {
        "PYTHONPATH": str(ROOT),
        "PYSPARK_SUBMIT_ARGS": " ".join(
            [
                f"--master local[{cores}]",
                *(f"--conf {key}={value}" for key, value in settings.items()),
                "pyspark-shell",
            ]
        ),
    }
    if mode in OLDER_SPARKS:
        # that of the tests is the home of another Spark
        env.pop("SPARK_HOME", None)
    log = folder / f"{mode}.log"
    code = "from tests.support.structured.run import main; main()"
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            [python, "-c", code, mode, str(plan), str(output)],
            cwd=work,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=stderr,
            stderr=stderr,
            start_new_session=True,
        )
        try:
            ended = process.wait(600 + 60 * len(jobs))
        finally:
            session_end(process)
    assert ended == 0, log.read_text(encoding="utf-8", errors="replace")[-4000:]
    found: list[dict[str, Any]] = json.loads(output.read_text(encoding="utf-8"))
    return found
