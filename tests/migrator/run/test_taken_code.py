"""`--target structured`: jobs of several files, and what is left of the other files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.migrator.runs import Run

Migrate = Callable[..., Run]
JOB = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
import steps

sc = SparkContext()
ssc = StreamingContext(sc, {seconds})
lines = ssc.socketTextStream("localhost", {port})
steps.shown(lines)
ssc.start()
"""
STEPS = """\
\"\"\"What jobs do.\"\"\"
import json
from operator import add


def shown(lines):
    lines.map(lambda line: line.upper()).pprint()


def total(numbers):
    return numbers.reduce(add)


def read(text):
    return json.loads(text)
"""
LEFT = """\
\"\"\"What jobs do.\"\"\"
import json
from operator import add


def total(numbers):
    return numbers.reduce(add)


def read(text):
    return json.loads(text)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "one.py").write_text(JOB.format(seconds=1, port=9999))
    (folder / "steps.py").write_text(STEPS)
    return folder


def moved(path: Path) -> bool:
    """Whether a job is Structured Streaming now."""
    return "writeStream" in path.read_text()


def test_a_job_has_the_code_of_another_file(migrate: Migrate, tree: Path) -> None:
    run = migrate(str(tree), "--target", "structured", "--in-place", "--explain")
    assert run.code == 0
    text = (tree / "one.py").read_text()
    assert 'F.upper(F.col("value"))' in text and "steps" not in text
    assert (tree / "steps.py").read_text() == LEFT
    assert "`shown` of steps.py is in this file now" in run.out


def test_a_second_run_changes_nothing(migrate: Migrate, tree: Path) -> None:
    migrate(str(tree), "--target", "structured", "--in-place")
    before = {path: path.read_bytes() for path in tree.glob("*.py")}
    assert migrate(str(tree), "--target", "structured", "--in-place").code == 0
    assert {path: path.read_bytes() for path in tree.glob("*.py")} == before


def test_it_can_be_undone(migrate: Migrate, tree: Path) -> None:
    migrate(str(tree), "--target", "structured", "--in-place")
    migrate("undo", str(tree))
    assert (tree / "steps.py").read_text() == STEPS


def test_jobs_share_a_function(migrate: Migrate, tree: Path) -> None:
    (tree / "two.py").write_text(JOB.format(seconds=2, port=9998))
    migrate(str(tree), "--target", "structured", "--in-place")
    assert moved(tree / "one.py") and moved(tree / "two.py")
    assert (tree / "steps.py").read_text() == LEFT


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("two.py", JOB.format(seconds=2, port=9998) + "lines.checkpoint(sc)\n"),
        ("other.py", "from steps import shown\n\nshown([])\n"),
        ("other.py", "import steps\n\ngetattr(steps, 'shown')\n"),
        ("test_steps.py", "import steps\n\n\ndef test_it():\n    steps.shown([])\n"),
        ("other.py", "from steps import *\n"),
    ],
)
def test_what_others_use_stays(migrate: Migrate, tree: Path, name: str, text: str) -> None:
    (tree / name).write_text(text)
    migrate(str(tree), "--target", "structured", "--in-place")
    assert moved(tree / "one.py")
    assert "def shown(lines):" in (tree / "steps.py").read_text()


def test_another_use_of_the_name_does_not_count(migrate: Migrate, tree: Path) -> None:
    (tree / "other.py").write_text("import steps\n\nshown = steps.read\nshown('1')\n")
    migrate(str(tree), "--target", "structured", "--in-place")
    assert (tree / "steps.py").read_text() == LEFT


def test_a_reason_is_where_the_code_is(migrate: Migrate, tree: Path) -> None:
    text = STEPS.replace("    lines.map", "    lines.glom().pprint()\n    lines.map")
    (tree / "steps.py").write_text(text)
    run = migrate(str(tree), "--target", "structured", "--check", "--portable", "--format", "json")
    found = [each for each in run.json["findings"] if each["code"] == "D860"]
    # the file of the job says where the reason is
    assert {each["path"]: each["line"] for each in found} == {"steps.py": 7, "one.py": 1}
    assert "steps.py, line 7: " in found[0]["message"]
    assert "dstream_compat" not in (tree / "one.py").read_text()


def test_a_function_that_a_job_of_its_own_has_too(migrate: Migrate, tree: Path) -> None:
    """The file of the functions starts a job itself."""
    own = JOB.format(seconds=2, port=9998).replace("import steps\n", "")
    own = own.replace("steps.", "").replace(
        "sc = Spark", f"{STEPS[STEPS.index('def') :]}\n\nsc = Spark"
    )
    (tree / "steps.py").write_text(f"import json\nfrom operator import add\n{own}")
    migrate(str(tree), "--target", "structured", "--in-place")
    # importing the file starts its job, as before
    assert "import steps" in (tree / "one.py").read_text()


def test_a_program_without_streams_of_its_own(migrate: Migrate, tree: Path) -> None:
    text = (tree / "one.py").read_text().replace("import steps\n", "from steps import shown\n")
    lines = text.replace("steps.", "").splitlines()
    code = [*lines[:3], "", "", "def run():", *(f"    {each}" for each in lines[4:]), ""]
    (tree / "one.py").write_text("\n".join(code))
    (tree / "main.py").write_text("import one\n\none.run()\n")
    run = migrate(str(tree), "--target", "structured", "--in-place")
    assert run.code == 0
    assert moved(tree / "one.py")
    assert (tree / "main.py").read_text() == "import one\n\none.run()\n"
    assert (tree / "steps.py").read_text() == LEFT


def test_a_module_that_does_something_is_still_imported(migrate: Migrate, tree: Path) -> None:
    (tree / "steps.py").write_text(f"{STEPS}\nprint('ready')\n")
    migrate(str(tree), "--target", "structured", "--in-place")
    assert "import steps\n" in (tree / "one.py").read_text()


def test_what_has_to_be_fixed_first(migrate: Migrate, tree: Path) -> None:
    text = STEPS.replace("    lines.map", "    from collections import Mapping\n    lines.map")
    (tree / "steps.py").write_text(text)
    run = migrate(str(tree), "--target", "structured", "--in-place")
    assert "a part of the job needs another change first" in run.out
    assert not moved(tree / "one.py")
