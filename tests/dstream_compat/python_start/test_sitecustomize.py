"""The process that prepares a query with state begins without what takes long, and in silence."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pyspark
import pytest

from dstream_compat.python_start import sitecustomize

FOLDER = Path(sitecustomize.__file__).parent
LIBRARIES = Path(pyspark.__file__).parent / "python" / "lib"
ZIPS = [str(path) for path in sorted(LIBRARIES.glob("*.zip"), reverse=True)]
NEXT = "import sys; print('the next one', file=sys.stderr)\n"


def run(
    *arguments: str, before: Sequence[str] = (), behind: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Return what a Python gives with other entries of its path before and behind the folder."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*before, str(FOLDER), *behind]),
        # as Spark tells its processes where they connect
        "PYTHON_WORKER_FACTORY_SOCK_PATH": "/nowhere/spark.sock",
        "PYTHON_UNIX_DOMAIN_ENABLED": "True",
    }
    return subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        cwd="/",
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.slow
def test_pyspark_is_imported_from_its_folder() -> None:
    done = run("-m", sitecustomize.STATE_PREPARATION, before=ZIPS)
    assert "spark.sock" in done.stderr, done.stderr  # it got as far as to look for Spark
    assert "pyspark.zip" not in done.stderr
    assert str(Path(pyspark.__file__).parent) in done.stderr


@pytest.mark.slow
def test_other_processes_are_as_ever() -> None:
    done = run("-c", "import pyspark; print(pyspark.__file__)", before=ZIPS)
    assert "pyspark.zip" in done.stdout, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [("-c", "pass"), ("-m", sitecustomize.STATE_PREPARATION)], ids=["other", "own"]
)
def test_the_one_that_it_hides_is_imported(tmp_path: Path, arguments: tuple[str, str]) -> None:
    (tmp_path / "sitecustomize.py").write_text(NEXT)
    done = run(*arguments, behind=[str(tmp_path)])
    assert done.stderr.startswith("the next one\n"), done.stderr


def test_what_the_hidden_one_does_to_the_path_stays(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.path.insert(0, '/of/the/user')\n")
    done = run("-c", "import sys; print(sys.path)", behind=[str(tmp_path)])
    path = ast.literal_eval(done.stdout)
    assert "/of/the/user" in path
    assert str(FOLDER) not in path


def test_an_error_of_the_hidden_one_is_shown(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import nothing_of_this_name\n")
    done = run("-c", "print('runs')", behind=[str(tmp_path)])
    assert "nothing_of_this_name" in done.stderr
    assert done.stdout == "runs\n"  # as Python does with one that fails


def test_one_before_it_is_the_users(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NEXT)
    assert run("-c", "pass", before=[str(tmp_path)]).stderr == "the next one\n"
