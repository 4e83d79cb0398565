"""Files named by themselves are analysed with the modules of their project around them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import migrator.discover.neighbours
from migrator.discover.neighbours import neighbours
from migrator.model.locate import ModuleIndex, ModulePlace
from migrator.run.scan import scan
from tests.support.migrator.notebooks import notebook
from tests.support.migrator.reports import CONTEXT
from tests.support.migrator.runs import Run

Migrate = Callable[..., Run]


def made(root: Path, *files: tuple[str, str]) -> Path:
    for name, text in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


# only inference over the other module says that this is a stream
JOB = "from {} import ssc\nssc.textFileStream('x').pprint()\n"


def seen(root: Path, name: str, *chosen: str) -> list[str]:
    """`file:name confidence` of the uses that are reported."""
    report = scan(root / name if name else root, "check", chosen)
    assert report.internal_errors == 0
    return [f"{f.path}:{s.name} {s.confidence}" for f in report.files for s in f.sites]


def test_a_module_beside_it(tmp_path: Path) -> None:
    made(tmp_path, ("job.py", JOB.format("context")), ("context.py", CONTEXT))
    assert seen(tmp_path, "job.py") == ["job.py:textFileStream proven", "job.py:pprint proven"]


@pytest.mark.parametrize("marker", [".git/HEAD", "pyproject.toml", "setup.py", "setup.cfg"])
def test_a_module_elsewhere_in_the_project(tmp_path: Path, marker: str) -> None:
    made(
        tmp_path,
        (marker, ""),
        ("jobs/daily/job.py", JOB.format("shared.context")),
        ("src/shared/context.py", CONTEXT),
        ("src/shared/__init__.py", ""),
    )
    found = seen(tmp_path, "jobs/daily/job.py")
    assert found == ["job.py:textFileStream proven", "job.py:pprint proven"]
    # `shared` is below `src` for all files of the project, and so it is from its own folder
    found = seen(tmp_path / "jobs", "", "daily/job.py")
    assert found == ["daily/job.py:textFileStream proven", "daily/job.py:pprint proven"]


def test_a_package_without_a_project(tmp_path: Path) -> None:
    made(
        tmp_path,
        ("a/__init__.py", ""),
        ("a/b/__init__.py", ""),
        ("a/b/job.py", JOB.format("a.context")),
        ("a/context.py", CONTEXT),
    )
    assert seen(tmp_path, "a/b/job.py") == [
        "job.py:textFileStream proven",
        "job.py:pprint proven",
    ]


def test_evidence_and_inputs_name_files_from_there(tmp_path: Path) -> None:
    lines = CONTEXT + "lines = ssc.textFileStream('x')\n"
    made(tmp_path, ("pyproject.toml", ""), ("lib/context.py", lines))
    made(tmp_path, ("jobs/job.py", "from context import lines\nlines.pprint() # DStream\n"))
    (file,) = scan(tmp_path / "jobs/job.py", "check").files
    (site,) = file.sites
    assert site.evidence[-1] == "lines from ../lib/context.py (line 1)"
    assert [origin.path for origin in site.inputs] == ["../lib/context.py"]


def test_several_files(tmp_path: Path) -> None:
    made(tmp_path, ("pyproject.toml", ""), ("c.py", CONTEXT), ("x/d.py", "from c import ssc\n"))
    made(tmp_path, ("x/a.py", JOB.format("d")), ("x/b.py", JOB.format("c")))
    assert seen(tmp_path / "x", "", "a.py", "b.py") == [
        "a.py:textFileStream proven",
        "a.py:pprint proven",
        "b.py:textFileStream proven",
        "b.py:pprint proven",
    ]


def test_a_notebook_that_runs_another(tmp_path: Path) -> None:
    job = notebook("%run ../lib/context", "ssc.textFileStream('x').pprint()")
    made(tmp_path, (".git/HEAD", ""), ("lib/context.ipynb", notebook(CONTEXT)))
    made(tmp_path, ("jobs/job.ipynb", job))
    found = seen(tmp_path, "jobs/job.ipynb")
    assert found == ["job.ipynb:textFileStream proven", "job.ipynb:pprint proven"]


def test_neighbours_are_not_reported(tmp_path: Path, migrate: Migrate) -> None:
    made(tmp_path, ("job.py", JOB.format("context")), ("context.py", CONTEXT))
    made(tmp_path, ("broken.py", "from pyspark.streaming import (\n"))
    run = migrate("--check", tmp_path / "job.py", "--format", "json")
    assert [f["path"] for f in run.json["files"]] == ["job.py"]
    assert run.json["summary"]["files_scanned"] == 1
    assert run.code == 0


def test_a_neighbour_that_cannot_be_read(tmp_path: Path) -> None:
    """Then it is not known, as without it; whose file it is has to ask for its report."""
    made(tmp_path, ("job.py", JOB.format("context")), ("context.py", "ssc = (\n"))
    assert seen(tmp_path, "job.py") == [
        "job.py:textFileStream probable",
        "job.py:pprint probable",
    ]


def test_a_change_of_a_neighbour_counts(tmp_path: Path, migrate: Migrate) -> None:
    made(tmp_path, ("job.py", JOB.format("context")), ("context.py", CONTEXT))
    cases = ((CONTEXT, "proven"), ("ssc = object()\n", "probable"), (CONTEXT, "proven"))
    for text, confidence in cases:
        (tmp_path / "context.py").write_text(text)
        sites = migrate("--check", tmp_path / "job.py", "--format", "json").json["sites"]
        assert [s["confidence"] for s in sites if s["name"] == "pprint"] == [confidence]


def test_results_are_kept_if_no_neighbour_was_read(
    tmp_path: Path, cache_folder: Path, migrate: Migrate
) -> None:
    job = JOB.format("context")
    made(tmp_path, ("job.py", CONTEXT + "ssc.textFileStream('x').pprint()\n"), ("other.py", job))
    made(tmp_path, ("context.py", CONTEXT))
    migrate("--check", tmp_path / "other.py")
    assert list(cache_folder.iterdir()) == []
    migrate("--check", tmp_path / "job.py")
    (kept,) = cache_folder.iterdir()
    # a new file may be what an import means
    made(tmp_path, ("pyspark.py", "x = 1\n"))
    before = kept.stat().st_mtime_ns, kept.read_bytes()
    migrate("--check", tmp_path / "job.py")
    assert (kept.stat().st_mtime_ns, kept.read_bytes()) != before


def test_places_that_are_left_out(tmp_path: Path) -> None:
    made(tmp_path, ("job.py", ""), ("a/x.py", ""), ("node_modules/x.py", ""), (".hidden/x.py", ""))
    made(tmp_path, ("env/pyvenv.cfg", ""), ("env/lib/x.py", ""), ("a/x.txt", ""))
    (tmp_path / "link.py").symlink_to(tmp_path / "job.py")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert sorted(neighbours(tmp_path).sources) == ["a/x.py", "job.py"]


def test_a_very_large_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is nearest is found first."""
    monkeypatch.setattr(migrator.discover.neighbours, "_MOST_ENTRIES", 3)
    made(tmp_path, ("setup.py", ""), ("a/x.py", ""), ("jobs/job.py", ""), ("jobs/b.py", ""))
    found = neighbours(tmp_path / "jobs")
    assert found.base == "jobs"
    assert sorted(found.sources) == ["b.py", "job.py"]


FILES = ("job.py", "../lib/x.py", "../lib/p/__init__.py", "../lib/n.ipynb", "sub/y.py")
FOUND = [
    (0, "x", ModulePlace("lib/x"), "../lib/x.py"),
    (0, "p", ModulePlace("lib/p"), "../lib/p/__init__.py"),
    (0, "sub.y", ModulePlace("jobs/sub/y"), "sub/y.py"),
    (1, "sub.y", ModulePlace("jobs/sub/y"), "sub/y.py"),
    (2, "lib.x", ModulePlace("lib/x"), "../lib/x.py"),
    (0, "z", None, None),
]


@pytest.mark.parametrize(("level", "dotted", "place", "file"), FOUND)
def test_index_below_the_top(
    level: int, dotted: str, place: ModulePlace | None, file: str | None
) -> None:
    index = ModuleIndex(FILES, "jobs")
    assert index.find("job.py", level, dotted) == place
    assert place is None or index.file(place.path) == file
    assert index.script("job.py", "../lib/n") == ModulePlace("lib/n.ipynb")
    assert index.file("lib/n.ipynb") == "../lib/n.ipynb"


def content(root: Path, name: str, *chosen: str) -> str | None:
    """The result for a file that is analysed by itself."""
    report = scan(root / name if name else root, "check", chosen)
    assert report.internal_errors == 0
    (file,) = report.files
    return None if file.content is None else file.content.decode()


def test_who_sees_the_names_of_a_file(tmp_path: Path) -> None:
    made(
        tmp_path,
        ("setup.py", ""),
        ("src/deps.py", "import pyspark.streaming\n"),
        ("src/own.py", "import pyspark.streaming\n"),
        ("src/job.py", "from deps import pyspark\nimport own\npyspark.SparkContext()\n"),
    )
    assert content(tmp_path, "src/deps.py") == "import pyspark\nimport dstream_compat\n"
    assert content(tmp_path, "src/own.py") == "import dstream_compat\n"
    assert content(tmp_path, "", "src/own.py") == "import dstream_compat\n"
    assert content(tmp_path, "", "src/deps.py") == "import pyspark\nimport dstream_compat\n"


def test_whom_a_star_of_a_file_gets_to(tmp_path: Path) -> None:
    star = "from pyspark.streaming import *\n"
    made(
        tmp_path,
        ("setup.py", ""),
        ("lib/deps.py", star),
        ("lib/own.py", star),
        ("lib/models.py", "class State: pass\n"),
        ("jobs/a.py", "from models import State\nfrom deps import *\nState()\n"),
        ("jobs/b.py", "from models import State\nfrom own import DStream\nState()\n"),
    )
    assert content(tmp_path, "lib/deps.py") is None
    assert content(tmp_path, "lib/own.py") == star.replace("pyspark.streaming", "dstream_compat")
