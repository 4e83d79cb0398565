"""`--target structured` of notebooks: each job is rewritten in its cells, or refused in one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.structured.result.controls import ERRORS
from tests.support.migrator.notebooks import cells, notebook
from tests.support.migrator.runs import Run
from tests.support.structured.pairs import GOLDENS

Migrate = Callable[..., Run]
IMPORTS = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext"
CONTEXT = "# every second\nsc = SparkContext(appName='Cells')\nssc = StreamingContext(sc, 1)\n"
LINES = "lines = ssc.socketTextStream('localhost', 9999)\n%time lines2 = 5\n"
WORDS = "# the words\nwords = lines.flatMap(lambda line: line.split(' '))\nwords.pprint()"
START = "ssc.start()\nprint('started')"
STOP = "import time; time.sleep(10)\nssc.stop()"
CELLS = ("%pip install numpy\n!ls", IMPORTS, CONTEXT, LINES, WORDS, START, STOP)
SOCKET = """\
lines = (
    spark.readStream.format("socket")
    .option("host", 'localhost')
    .option("port", 9999)
    .option("numPartitions", 1)
    .load()
)
%time lines2 = 5
"""
PROCESS = """\
# the words
words = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))


def process_batch(batch, batch_id):
    batch.show(10, truncate=False)"""
QUERY = """\
query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
print('started')"""
RESULT = [
    "%pip install numpy\n!ls",
    "# Needs Spark 3.3 or newer.\nfrom pyspark.sql import SparkSession\n"
    "from pyspark.sql import functions as F",
    "# every second\nspark = SparkSession.builder.appName('Cells').getOrCreate()\n",
    *(SOCKET, PROCESS, QUERY),
    "import time; time.sleep(10)\nquery.stop()\nspark.stop()",
]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    return folder


def sources(path: Path) -> list[str]:
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(each["source"]) for each in found if each["cell_type"] == "code"]


def refusals(run: Run) -> list[tuple[int | None, int, str]]:
    """The cell, the line and the kind of each reason why a job stays."""
    return [
        (each.get("cell"), each["line"], each["message"].rpartition("[")[2].rstrip("]"))
        for each in run.json["findings"]
        if each["code"] == "D860"
    ]


def test_each_cell_keeps_its_place(migrate: Migrate, tree: Path) -> None:
    path = tree / "job.ipynb"
    path.write_text(notebook(*CELLS), encoding="utf-8")
    run = migrate(str(tree), "--target", "structured", "--in-place")
    assert run.code == 0
    assert sources(path) == RESULT
    assert "1 as Structured Streaming" in run.out
    old, new = (json.loads(text) for text in (notebook(*CELLS), path.read_text(encoding="utf-8")))
    for cell in (*old["cells"], *new["cells"]):
        del cell["source"]
    # outputs, too
    assert old == new
    again = migrate(str(tree), "--target", "structured", "--in-place")
    assert again.code == 0
    assert sources(path) == RESULT


@pytest.mark.parametrize(
    "name", sorted(path.parent.name for path in GOLDENS.glob("*/before.ipynb"))
)
def test_the_golden_notebook(name: str, migrate: Migrate, tree: Path) -> None:
    before, after = (GOLDENS / name / f"{each}.ipynb" for each in ("before", "after"))
    path = tree / f"{name}.ipynb"
    path.write_bytes(before.read_bytes())
    assert migrate(str(tree), "--target", "structured", "--in-place").code == 0
    assert path.read_bytes() == after.read_bytes()


def test_what_is_said_names_cells(migrate: Migrate, tree: Path) -> None:
    changed = WORDS.replace("words.pprint()", "words.count().pprint()")
    (tree / "job.ipynb").write_text(notebook(*CELLS[:4], changed, *CELLS[5:]), encoding="utf-8")
    run = migrate(str(tree), "--target", "structured", "--check", "--format", "json")
    (form,) = [file["structured"] for file in run.json["files"]]
    assert [(step["cell"], step["line"]) for step in form["steps"]] == [(5, 1), (6, 2), (6, 3)]
    assert form["differences"] == [
        ERRORS,
        "cell 6, line 3: a count of 0 is not given in intervals without input",
    ]
    text = migrate(str(tree), "--target", "structured", "--check", "--explain").out
    assert "  6:2  .flatMap(" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (WORDS, "x = 1\nlines.glom().pprint()", (6, 2, "PARTITIONS")),
        (START, f"{START}\n{START}", (7, 3, "START")),
        (
            CONTEXT,
            CONTEXT.replace("SparkContext(appName", "sparkcontext(appName"),
            (4, 3, "CONTEXT"),
        ),
        (STOP, STOP + "\nimport json\njson.dumps(words)", (8, 4, "USE")),
        (STOP, "ssc.stop(", (8, 1, "CELL")),
        (START, "%time ssc.start()", (7, 1, "LAYOUT")),
        (IMPORTS, "%%time\n" + IMPORTS.replace("\n", "\nimport os\n"), None),
        (STOP, "this is no Python\n", None),
        (START, START + "\n?lines", None),
        (STOP, "from __future__ import print_function\n" + STOP, None),
    ],
)
def test_a_notebook_is_moved_or_refused(
    old: str, new: str, expected: tuple[int, int, str] | None, migrate: Migrate, tree: Path
) -> None:
    path = tree / "job.ipynb"
    before = [new if each == old else each for each in CELLS]
    path.write_text(notebook(*before), encoding="utf-8")
    target = ("--target", "structured", "--portable")
    run = migrate(str(tree), *target, "--check", "--notes", "--format", "json")
    moved = [file["structured"] for file in run.json["files"] if file["structured"]]
    assert (refusals(run), len(moved)) == (([expected], 0) if expected else ([], 1))
    migrate(str(tree), *target, "--in-place")
    after = sources(path)
    assert len(after) == len(before)
    if expected is None:
        assert "pyspark.streaming" not in "".join(after)
        lines = {line for cell in after for line in cell.splitlines()}
        kept = [e for e in new.splitlines() if e.startswith(("%", "?", "this", "from __future__"))]
        assert lines.issuperset(kept)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda text: text[:-20], (None, 1, "CELL")),
        (lambda text: text.replace("import", "= import").replace("ssc", "= ssc"), (2, 1, "CELL")),
    ],
)
def test_a_notebook_that_cannot_be_read_is_refused(
    change: Callable[[str], str],
    expected: tuple[int | None, int, str],
    migrate: Migrate,
    tree: Path,
) -> None:
    text = notebook(IMPORTS, "ssc = StreamingContext(sc, 1)\nssc.start()")
    (tree / "job.ipynb").write_text(change(text), encoding="utf-8")
    run = migrate(str(tree), "--target", "structured", "--check", "--notes", "--format", "json")
    assert refusals(run) == [expected]


def test_a_cell_that_does_not_parse_is_named(migrate: Migrate, tree: Path) -> None:
    (tree / "job.ipynb").write_text(notebook(*CELLS, "x = = 1"), encoding="utf-8")
    run = migrate(str(tree), "--target", "structured", "--check", "--format", "json")
    (form,) = [file["structured"] for file in run.json["files"]]
    assert form["differences"] == [ERRORS, "cell 9 does not parse, and stays as it is"]


def test_a_notebook_of_databricks(migrate: Migrate, tree: Path) -> None:
    path = tree / "job.py"
    parts = [IMPORTS, "%md\n# Words", CONTEXT, "%python\nlines = ssc.textFileStream('in')"]
    text = cells(*parts, "%sh\nls", "lines.pprint()", "ssc.start()")
    path.write_text(text, encoding="utf-8")
    assert migrate(str(tree), "--target", "structured", "--in-place").code == 0
    found = path.read_text(encoding="utf-8")
    cells_before, cells_after = (each.split("\n# COMMAND ----------\n") for each in (text, found))
    assert len(cells_before) == len(cells_after)
    assert cells_before[1] == cells_after[1]
    assert cells_before[4] == cells_after[4]
    assert cells_after[3].startswith("\n# MAGIC %python\n# MAGIC lines = (\n# MAGIC     spark.read")
    batch = "def process_batch(batch, batch_id):\n    batch.show(10, truncate=False)"
    assert cells_after[5] == f"\n{batch}\n"


def test_python_2_that_stays_is_refused(migrate: Migrate, tree: Path) -> None:
    job = "\n".join([IMPORTS, CONTEXT, "ssc.socketTextStream('a', 1).pprint()", "ssc.start()"])
    (tree / "job.py").write_text(job + "\nx: int = 1\nprint 'x'\n", encoding="utf-8")
    options = ("--check", "--notes", "--format", "json")
    run = migrate(str(tree), "--target", "structured", *options)
    assert refusals(run) == [(None, 1, "PYTHON2")]


LESSONS = (
    "import time\n" + IMPORTS,
    "sc = SparkContext(appName='Lessons')",
    "ssc = StreamingContext(sc, 1)\nlines = ssc.socketTextStream('localhost', 9999)",
    "lines.pprint()\nssc.start()",
    "ssc.stop(stopSparkContext=False)",
    "%time x = 1",
    "# the next one\nssc = StreamingContext(sc, 2)\nlines = ssc.textFileStream('in')",
    "lines.map(lambda x: (x, 1)).reduceByKey(lambda a, b: a + b).pprint()",
    "ssc.start()\nssc.awaitTermination()",
)


def test_lessons_one_after_the_other(migrate: Migrate, tree: Path) -> None:
    path = tree / "job.ipynb"
    path.write_text(notebook(*LESSONS), encoding="utf-8")
    run = migrate(str(tree), "--target", "structured", "--in-place", "--explain")
    assert run.code == 0
    new = sources(path)
    assert len(new) == len(LESSONS)
    assert "StreamingContext" not in "".join(new) and "migrate" not in "".join(new)
    assert new[1] == "spark = SparkSession.builder.appName('Lessons').getOrCreate()"
    assert new[4:6] == ["query.stop()", "%time x = 1"]
    assert new[6].startswith("# the next one\nlines = (\n    spark.readStream.text('in')")
    assert new[8].startswith("query2 = ") and new[8].endswith("query2.awaitTermination()")
    assert "9:1  .map(lambda x: (x, 1))" in run.out


def test_a_lesson_that_uses_another_one_stays(migrate: Migrate, tree: Path) -> None:
    path = tree / "job.ipynb"
    cells_of_next = [each.replace("lines = ssc", "others = ssc") for each in LESSONS[6:]]
    path.write_text(notebook(*LESSONS[:6], *cells_of_next), encoding="utf-8")
    run = migrate(str(tree), "--target", "structured", "--check", "--notes", "--format", "json")
    assert [code for _, _, code in refusals(run)] == ["CONTEXTS"]
