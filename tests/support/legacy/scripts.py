"""Runs jobs as scripts in this process, with any version of Spark."""

from __future__ import annotations

import os
import runpy
import shutil
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pyspark import SparkContext

from dstream_compat.testing.capture import not_by_the_job


class Scripts:
    """Runs scripts, and notes what they raise."""

    def __init__(self) -> None:
        self._problems: list[str] = []
        self._error: list[str] = []

    def _script(
        self, root: Path, job: dict[str, Any], args: list[str], folders: list[Path]
    ) -> object:
        path = root / job["script"]
        known = set(sys.modules)
        handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
        argv, sys.argv = sys.argv, [str(path), *args]
        paths, own = list(sys.path), {one.stem for folder in folders for one in folder.iterdir()}
        hidden = {name: sys.modules.pop(name) for name in known if name.partition(".")[0] in own}
        sys.path[:0] = map(str, folders)
        try:
            shell = {"sc": SparkContext()} if job.get("shell") else {}
            runpy.run_path(str(path), shell, "__main__")
            return 0
        except SystemExit as ended:
            return ended.code or 0
        except BaseException as error:
            self._error = [*(one.__name__ for one in type(error).__mro__), str(error)]
            if job["end"] != "fails":
                self._note(traceback.format_exc())
            return 1
        finally:
            sys.path[:] = paths
            sys.argv = argv
            for number, handler in handlers.items():
                signal.signal(number, handler)
            for name in set(sys.modules) - (known - hidden.keys()):
                if any(place.startswith(str(root)) for place in places(sys.modules[name])):
                    del sys.modules[name]
            sys.modules.update(hidden)

    def _note(self, problem: str) -> None:
        self._problems.append(problem)
        print(problem, file=sys.stderr, flush=True)


def workers_import(folders: Sequence[Path]) -> None:
    """Let the next job's workers find its modules, as if Spark had been started beside them."""
    SparkContext._ensure_initialized()
    jvm: Any = SparkContext._jvm
    path = os.pathsep.join(map(str, folders))
    jvm.java.lang.System.setProperty("spark.executorEnv.PYTHONPATH", path)


def empty(folder: Path) -> None:
    """Make a folder, or remove what is in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def places(module: Any) -> Iterator[str]:
    """Yield where a module is, and where a package looks for its own."""
    yield str(getattr(module, "__file__", ""))
    yield from map(str, getattr(module, "__path__", ()))


def appear(files: dict[str, str], at: float) -> None:
    """Let files appear at a time, each of them at once."""
    with not_by_the_job():
        for name, text in files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            draft = Path(f"draft-{Path(name).name}")
            draft.write_text(text, encoding="utf-8")
            os.utime(draft, (at, at))
            draft.rename(name)
