"""`%run`: notebooks and scripts that are run in the namespace of another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.infer.import_graph import ImportGraph
from migrator.model.locate import ModuleIndex, ModulePlace
from migrator.source.magics import run_target
from tests.support.migrator.notebooks import notebook
from tests.support.migrator.reports import project

SETUP = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

_context = StreamingContext(SparkContext(), 1)
lines = _context.socketTextStream("localhost", 9999)
"""
DATABRICKS = "# Databricks notebook source\n"
CELL = "\n# COMMAND ----------\n\n"


def used(root: Path, files: dict[str, str], name: str = "pprint") -> list[tuple[str, str]]:
    """The file and the confidence of every use of a name."""
    report = project(root, files)
    assert report.internal_errors == 0
    return [(f.path, s.confidence.value) for f in report.files for s in f.sites if s.name == name]


JUPYTER = [
    ("%run setup.py", "setup.py"),
    ("%run ./setup.py", "setup.py"),
    ("%run -i setup", "setup.py"),
    ('%run "./lib/my setup.py"', "lib/my setup.py"),
    ("%run -n lib/setup.py some arguments", "lib/setup.py"),
]


@pytest.mark.parametrize(("magic", "file"), JUPYTER)
def test_a_script(tmp_path: Path, magic: str, file: str) -> None:
    files = {"job.ipynb": notebook(magic, "lines.pprint()"), file: SETUP}
    assert used(tmp_path, files) == [("job.ipynb", "proven")]


@pytest.mark.parametrize("magic", ["%run setup", "%run ./setup.ipynb", "%run setup.ipynb"])
def test_a_notebook(tmp_path: Path, magic: str) -> None:
    cells = ["x = 1", f"y = 2\n{magic}\nlines.pprint()\n_context.start()"]
    found = project(tmp_path, {"job.ipynb": notebook(*cells), "setup.ipynb": notebook(SETUP)})
    (site,) = (s for f in found.files for s in f.sites if s.name == "pprint")
    assert site.confidence == "proven"
    assert "lines from setup.ipynb (cell 3, line 2)" in site.evidence
    # it has an output, in the other notebook
    assert [x.code for _, x in found.findings() if not x.is_fixed] == []


def test_the_folder_of_the_notebook_counts(tmp_path: Path) -> None:
    files = {
        "a/job.ipynb": notebook("%run ../b/setup", "lines.pprint()"),
        "b/setup.ipynb": notebook(SETUP),
        "a/setup.ipynb": notebook("lines = []"),
    }
    assert used(tmp_path, files) == [("a/job.ipynb", "proven")]


def test_databricks(tmp_path: Path) -> None:
    files = {
        "job.py": DATABRICKS + "# MAGIC %run ./setup $env=1\n" + CELL + "lines.pprint()\n",
        "setup.py": DATABRICKS + SETUP,
    }
    assert used(tmp_path, files) == [("job.py", "proven")]


def test_a_workspace_path(tmp_path: Path) -> None:
    """The tree is somewhere below the workspace, so that is probable only."""
    files = {
        "jobs/job.py": DATABRICKS + "# MAGIC %run /Repos/me/clicks/lib/setup\n\nlines.pprint()\n",
        "lib/setup.py": DATABRICKS + SETUP,
    }
    assert used(tmp_path, files) == [("jobs/job.py", "probable")]


def test_in_order(tmp_path: Path) -> None:
    """What is run later binds later."""
    before = notebook("%run setup", "lines = []", "lines.pprint()")
    after = notebook("lines = []", "%run setup", "lines.pprint()")
    files = {"setup.ipynb": notebook(SETUP), "before.ipynb": before, "after.ipynb": after}
    assert used(tmp_path, files) == [("after.ipynb", "proven")]


def test_one_runs_what_runs_another(tmp_path: Path) -> None:
    files = {
        "a.ipynb": notebook("%run b", "lines.pprint()"),
        "b.ipynb": notebook("%run setup"),
        "setup.ipynb": notebook(SETUP),
    }
    assert used(tmp_path, files) == [("a.ipynb", "proven")]


def test_in_a_circle(tmp_path: Path) -> None:
    files = {
        "a.ipynb": notebook("%run b", SETUP),
        "b.ipynb": notebook("%run a", "%run b", "lines.pprint()"),
    }
    assert used(tmp_path, files) == [("b.ipynb", "proven")]


@pytest.mark.parametrize("magic", ["# %run setup", "%runsetup", "%run nothing", "!run setup"])
def test_not_followed(tmp_path: Path, magic: str) -> None:
    files = {"job.ipynb": notebook(magic, "lines.pprint(5)"), "setup.ipynb": notebook(SETUP)}
    assert used(tmp_path, files) == []


def test_the_magic_stays(tmp_path: Path) -> None:
    job = notebook("%run setup\nfrom pyspark.streaming import DStream", "lines.pprint()")
    found = project(tmp_path, {"job.ipynb": job, "setup.ipynb": notebook(SETUP)})
    content = next(f.content for f in found.files if f.path == "job.ipynb")
    old, new = "from pyspark.streaming import DStream", "from dstream_compat import DStream"
    assert content == job.replace(old, new).encode()


TARGETS = [
    ("%run a", "a"),
    ("%run -i -n a.py x y", "a.py"),
    ("%run 'a b.py'", "a b.py"),
    ("\t%run  ./a", "./a"),
    ("%run", None),
    ("%run -i", None),
    ("%runner a", None),
    ("x = %run a", None),
]


@pytest.mark.parametrize(("line", "target"), TARGETS)
def test_target(line: str, target: str | None) -> None:
    assert run_target(line) == target


FILES = ("a/x.py", "a/y.ipynb", "a/z.py", "a/z.ipynb", "p/__init__.py")
SCRIPTS = [
    ("x", ModulePlace("a/x")),
    ("./x.py", ModulePlace("a/x")),
    ("y", ModulePlace("a/y.ipynb")),
    # a notebook comes first
    ("z", ModulePlace("a/z.ipynb")),
    ("../p/__init__", ModulePlace("p")),
    ("/Shared/a/x", ModulePlace("a/x", sure=False)),
    ("/Shared/b/x", None),
    ("../../a/x", None),
    ("/", None),
    ("", None),
]


@pytest.mark.parametrize(("target", "found"), SCRIPTS)
def test_script(target: str, found: ModulePlace | None) -> None:
    assert ModuleIndex(FILES).script("a/job.ipynb", target) == found


def test_the_graph_knows() -> None:
    texts = {
        "a/job.ipynb": '["%run ./x\\n", "%run \\"y\\"\\n"]',
        "a/b.py": "# MAGIC %run ../p/__init__",
    }
    files = (*FILES, *texts)
    graph = ImportGraph(ModuleIndex(files), files, lambda f: texts.get(f, "").encode())
    assert graph.imports("a/job.ipynb") == {"a/x.py", "a/y.ipynb"}
    assert graph.imports("a/b.py") == {"p/__init__.py"}
