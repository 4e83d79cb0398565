"""Results have the layout of their file: a golden in another one gives its result in that."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Callable
from itertools import pairwise

import pytest
from _pytest.mark.structures import ParameterSet

from migrator.discover.filetypes import FileType
from migrator.source.document import read_document
from migrator.source.joined import joined_parts
from migrator.source.lines import keep_ends
from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.migrator.notebooks import notebook
from tests.support.structured.texts import NAMES as GOLDENS
from tests.support.structured.texts import comments, golden, without_head

# one has an indentation of its own
NAMES = sorted({*GOLDENS} - {"one_line_statements"})
JOB = """\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Layouts")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.pprint()
ssc.start()
ssc.awaitTermination()
"""


GONE = "# gone"
BLOCK = "\n\ndef unrelated():\n    return 1\n"


def in_quotes(text: str) -> set[int]:
    """The lines that begin in a text in quotes."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {line for each in tokens for line in range(each.start[0] + 1, each.end[0] + 1)}


def with_unit(text: str, unit: str) -> str:
    """A program in four spaces in another indentation."""
    kept = in_quotes(text)
    lines = text.split("\n")
    for index, line in enumerate(lines):
        width = len(line) - len(line.lstrip(" "))
        if index + 1 not in kept:
            lines[index] = unit * (width // 4) + " " * (width % 4) + line[width:]
    return "\n".join(lines)


CHANGES: list[tuple[str, Callable[[str], str]]] = [
    ("tabs", lambda text: with_unit(text, "\t")),
    ("two spaces", lambda text: with_unit(text, "  ")),
    ("line ends", lambda text: text.replace("\n", "\r\n")),
]


def in_turn(number: int, *values: object) -> list[ParameterSet]:
    """Return all goldens: of the five layouts `make test` has one for each golden in turn."""
    return [
        pytest.param(name, *values, marks=[] if place % 5 == number else pytest.mark.full)
        for place, name in enumerate(NAMES)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "layout"),
    [each for number, (layout, _) in enumerate(CHANGES) for each in in_turn(number, layout)],
)
def test_the_golden_in_another_layout(name: str, layout: str) -> None:
    changed = dict(CHANGES)[layout]
    before, after, given = golden(name)
    if not re.search(r":\n    \S", before):
        # says how blocks are indented
        before, after = before + BLOCK, after + BLOCK
    text = changed(before)
    found = rewrite(text, **given)
    assert isinstance(found, Rewritten), found
    assert found.text == changed(after)


def on_one_line(text: str) -> str:
    """A program whose simple statements share lines where that is possible."""
    lines = text.split("\n")
    simple = (ast.Assign, ast.Expr, ast.Import, ast.ImportFrom, ast.Return)
    for node in [*ast.walk(ast.parse(text))][::-1]:
        for body in (getattr(node, field, []) for field in ("body", "orelse")):
            for first, last in reversed([*pairwise(body if isinstance(body, list) else [])]):
                own = first.end_lineno == first.lineno == last.lineno - 1
                comment = "#" in lines[first.lineno - 1] or '"""' in lines[first.lineno - 1]
                if own and isinstance(first, simple) and isinstance(last, simple) and not comment:
                    code = lines.pop(last.lineno - 1).lstrip()
                    lines[first.lineno - 1] += f"; {code}"
                    lines.insert(last.lineno - 1, GONE)
    return "\n".join(line for line in lines if line != GONE)


@pytest.mark.slow
@pytest.mark.parametrize("name", in_turn(3))
def test_the_golden_with_statements_on_one_line(name: str) -> None:
    before, after, given = golden(name)
    text = on_one_line(before)
    assert ";" in text
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(before))
    found = rewrite(text, **given)
    assert isinstance(found, Rewritten), found
    assert ast.dump(ast.parse(found.text)) == ast.dump(ast.parse(after))
    assert comments(found.text) == comments(after)


@pytest.mark.slow
@pytest.mark.parametrize("name", in_turn(4))
def test_the_golden_as_a_notebook(name: str) -> None:
    """Each statement in a cell of its own gives the same program, cell by cell."""
    before, after, given = golden(name)
    lines = before.split("\n")
    starts = [0]
    for node in ast.parse(before).body[1:]:
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(each.lineno for each in decorators)]) - 1
        while lines[first - 1].startswith("#"):
            first -= 1
        starts.append(first)
    cells = ["\n".join(lines[a:b]) for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)]
    document = read_document(FileType.NOTEBOOK, notebook(*cells).encode())
    parts = joined_parts(document)
    assert parts is not None
    found = rewrite(parts.text, **given)
    assert isinstance(found, Rewritten), found
    texts = parts.split(found.text)
    assert [*texts] == [*range(2, len(cells) + 2)]
    assert comments("\n".join(texts.values())) == comments(after)
    made = [ast.dump(each) for text in texts.values() for each in ast.parse(text).body]
    assert sorted(made) == sorted(ast.dump(each) for each in ast.parse(after).body)
    content = document.render({**document.texts, **texts})
    assert read_document(FileType.NOTEBOOK, content).texts == texts
    same = [cell for cell in json.loads(content)["cells"] if cell["cell_type"] == "markdown"]
    assert same == json.loads(notebook())["cells"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import sys\n", "import sys; import os\n"),
        ("lines.pprint()\n", "lines.pprint(); print(sys.argv)\n"),
        ("lines.pprint()\n", "if sys.argv: x = 1; y = 2\nlines.pprint()\n"),
        ("lines.pprint()\n", "def f(x): return x; pass\nlines.pprint()\n"),
        ("lines.pprint()\n", "class A: x = 1  # c\nlines.pprint()\n"),
        ("lines.pprint()\n", "for x in 'a;b':\n \tprint(x);\nlines.pprint()\r\n"),
        ("ssc.start()\n", "if sys.argv: ssc.start()\nelse: sys.exit(1)\n"),
        ("import sys\n", "import sys\r\nx = 1\r\rif x:\r\n  pass\r\n"),
    ],
)
def test_lines_outside_of_the_job_stay(old: str, new: str) -> None:
    text = JOB.replace(old, new)
    found = rewrite(text)
    assert isinstance(found, Rewritten), found
    job = keep_ends(JOB)
    own = [line for line in keep_ends(text) if line not in job]
    assert own
    for line in own:
        if not line.startswith(("lines.pprint()", "if sys.argv: ssc")):
            assert line in keep_ends(found.text), line
    assert comments(text) == comments(without_head(found.text))


def test_a_statement_of_the_job_leaves_its_line() -> None:
    found = rewrite(JOB.replace("lines.pprint()\n", "lines.pprint(); print(sys.argv)  # both\n"))
    assert isinstance(found, Rewritten)
    assert "\nprint(sys.argv)  # both\nquery = " in found.text


def test_a_start_under_a_condition() -> None:
    found = rewrite(JOB.replace("ssc.start()", "if sys.argv: ssc.start()"))
    assert isinstance(found, Rewritten)
    assert "\nif sys.argv:\n    query = lines" in found.text


@pytest.mark.parametrize("call", ["glom", "mapPartitions"])
def test_the_place_of_a_reason_is_that_of_the_file(call: str) -> None:
    text = JOB.replace("lines.pprint()\n", f"x = 1; y = 2; lines.{call}(print).pprint()\n")
    text = text.replace("import sys\n", "import sys; import os\n")
    found = rewrite(text)
    assert isinstance(found, Reason)
    lines = text.split("\n")
    assert found.line == lines.index(next(line for line in lines if call in line)) + 1
    assert lines[found.line - 1][found.column :].startswith(f"lines.{call}")


def test_notes_and_steps_name_the_lines_of_the_file() -> None:
    text = JOB.replace("import sys\n", "import sys; import os\n")
    text = text.replace("lines.pprint()\n", "x = 1; lines.count().pprint()\n")
    found = rewrite(text)
    assert isinstance(found, Rewritten)
    line = text[: text.index("lines.count")].count("\n") + 1
    assert found.differences[-1].startswith(f"line {line}: a count of 0")
    assert found.idle == {line}
    assert [step.line for step in found.steps] == [line - 1, line]


def test_a_name_of_the_job_is_not_hidden() -> None:
    found = rewrite(JOB.replace("lines.pprint()", "batch = 3\nlines.pprint(batch)"))
    assert isinstance(found, Rewritten)
    assert "def process_batch(batch_df, batch_id):\n    batch_df.show(batch, " in found.text


@pytest.mark.slow
def test_a_file_that_libcst_does_not_read_is_refused() -> None:
    deep = "x = " + " + ".join(["sys.argv[0]"] * 1000)
    found = rewrite(JOB.replace("lines.pprint()\n", f"{deep}\nlines.pprint(); x\n"))
    assert isinstance(found, Reason)
    assert (found.code, found.line) == ("LAYOUT", 10)
    # nothing has to be brought into another layout here
    assert isinstance(
        rewrite(JOB.replace("lines.pprint()\n", f"{deep}\nlines.pprint()\n")), Rewritten
    )


def test_a_file_that_nests_too_deep_is_refused() -> None:
    found = rewrite(JOB.replace("lines.pprint()", f"x = {' + '.join(['lines'] * 2000)}"))
    assert isinstance(found, Reason)
    assert (found.code, found.text) == ("SYNTAX", "expressions are nested too deeply")


def test_notes_of_what_is_gone_name_lines_of_the_file() -> None:
    found = rewrite(JOB.replace("lines.pprint()", "a = 1; b = 2\nprint(lines)\nlines.pprint()"))
    assert isinstance(found, Rewritten), found
    (note,) = [each for each in found.differences if "is printed or displayed" in each]
    assert note.startswith("line 10: ")
