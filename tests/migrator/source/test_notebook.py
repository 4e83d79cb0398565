"""Notebooks: cells share a namespace, magics stay, the JSON changes only where it must."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from migrator.model.report import FileReport, Status
from migrator.source.magics import neutralise
from tests.support.migrator.notebooks import notebook, sources
from tests.support.migrator.reports import codes, report


def analysed(text: str) -> FileReport:
    return report(text.encode(), "a.ipynb")


def test_only_the_edited_strings_change() -> None:
    text = notebook("x = 1", "from pyspark.streaming import StreamingContext\nssc = 1\n")
    found = analysed(text)
    old = '"from pyspark.streaming import StreamingContext\\n"'
    new = '"from dstream_compat import StreamingContext\\n"'
    assert found.content == text.replace(old, new).encode()
    assert found.status is Status.REWRITTEN


@pytest.mark.parametrize("indent", [None, 0, 1, 4])
def test_any_indent_and_line_end(indent: int | None) -> None:
    text = notebook("import os\nimport pyspark\npyspark.streaming.DStream", indent=indent)
    for data in (text, text.replace("\n", "\r\n"), "\ufeff" + text):
        found = report(data.encode(), "a.ipynb")
        assert found.content is not None
        plain = found.content.decode("utf-8-sig")
        assert json.loads(plain)["cells"][1]["source"] == [
            "import os\n",
            "import pyspark\n",
            "import dstream_compat\n",
            "dstream_compat.DStream",
        ]
        # the layout of the file is that of the new line's neighbours
        assert plain.count("\r\n") == (plain.count("\n") if "\r" in data else 0)


def test_source_as_one_string() -> None:
    content = json.loads(notebook("x"))
    content["cells"][1]["source"] = "# é\nfrom pyspark.streaming import DStream\n"
    text = json.dumps(content)
    found = analysed(text)
    assert (
        found.content
        == text.replace("pyspark.streaming import D", "dstream_compat import D").encode()
    )


def test_nbformat_3() -> None:
    cell = {"cell_type": "code", "input": ["import pyspark.streaming as st\n"], "outputs": []}
    text = json.dumps({"worksheets": [{"cells": [cell]}], "nbformat": 3})
    found = analysed(text)
    assert found.content == text.replace("pyspark.streaming", "dstream_compat").encode()


def test_cells_share_one_namespace_and_findings_carry_the_cell() -> None:
    text = notebook(
        "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)",
        "\nlines = ssc.textFileStream('x')\nlines.toDF()",
    )
    found = analysed(text)
    finding = next(f for f in found.findings if f.code == "D301")
    assert (finding.at.cell, finding.at.line, finding.at.column) == (3, 3, 7)
    assert finding.confidence == "proven"
    assert finding.evidence[0] == "StreamingContext() (cell 2, line 2)"


def test_magics_are_kept() -> None:
    cell = (
        "%matplotlib inline\n"
        "!pip install x\n"
        "from pyspark.streaming import DStream  # %keep\n"
        "if True:\n"
        "    %time f()\n"
        "files = !ls\n"
        "DStream?\n"
        "x = 5 \\\n"
        "    % 3\n"
    )
    found = analysed(notebook(cell))
    assert sources(found) == [cell.replace("pyspark.streaming", "dstream_compat")]
    assert all(f.code == "D101" for f in found.findings)


@pytest.mark.parametrize(
    ("cell", "left"),
    [
        ("pip install pyspark==2.4.0", ["D905"]),
        ("cd ..\n", []),
        ("time ssc.start()", []),
        # Python, whatever the names mean
        ("env = 1", []),
        ("run (1)", []),
        # IPython asks for a cell of one line, and for a magic that it has
        ("pip install a\npip install b", ["D001"]),
        ("install pyspark", ["D001"]),
        ("run = = 1", ["D001"]),
    ],
)
def test_magics_without_a_sign(cell: str, left: list[str]) -> None:
    found = analysed(notebook("from pyspark.streaming import DStream", cell))
    assert sources(found) == ["from dstream_compat import DStream", cell]
    assert [f.code for f in found.findings if not f.is_fixed] == left


def test_python_cell_magics_are_read_and_others_are_searched() -> None:
    found = analysed(
        notebook(
            "%%time\nfrom pyspark.streaming import DStream\n",
            "%%bash\nspark-submit --conf spark.streaming.receiver.maxRate=5 x.py\n",
            '%%configure -f\n{"conf": {"spark.streaming.backpressure.enabled": "true"}}\n',
            "!spark-submit --packages org.apache.spark:spark-streaming-kafka_2.10:1.6.0 x.py\n",
        )
    )
    assert sources(found)[0] == "%%time\nfrom dstream_compat import DStream\n"
    left = [(f.at.cell, f.at.line, f.code) for f in found.findings if not f.is_fixed]
    assert left == [(3, 2, "D703"), (4, 2, "D702"), (5, 1, "D901")]


def test_a_broken_cell_does_not_hide_the_others() -> None:
    found = analysed(
        notebook("import pyspark.streaming\nprint('x'", "import pyspark.streaming as s")
    )
    assert sources(found)[1] == "import dstream_compat as s"
    assert [(f.at.cell, f.code) for f in found.findings if not f.is_fixed] == [(2, "D001")]
    assert found.error is not None


CONTEXT = (
    "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
    "lines = ssc.socketTextStream('a', 1)\n"
)


@pytest.mark.parametrize(
    "cells",
    [
        # it says nothing of streams by itself
        (CONTEXT, "lines.pprint("),
        (CONTEXT, "lines.map(f).pprint()", "f = = 1"),
        ("import pyspark.streaming as s", "print(s"),
    ],
)
def test_a_broken_cell_beside_streams_is_a_finding(cells: tuple[str, ...]) -> None:
    found = analysed(notebook(*cells))
    number = len(cells) + 1
    assert [(f.at.cell, f.code) for f in found.findings if not f.is_fixed] == [(number, "D001")]
    assert found.error is not None


@pytest.mark.parametrize(
    "cells",
    [
        ("print('x'", "sc.parallelize([1]).count()"),
        ("print('x'", "# pyspark.streaming"),
        ("print('x'", "%%bash\nls spark-streaming"),
        ("rdd = sc.textFile('a'", "rdd.collect()"),
        (CONTEXT, "print('x')", "!ls", "%matplotlib inline"),
        (CONTEXT, "%%html\n<b>x"),
    ],
)
def test_cells_that_are_no_finding(cells: tuple[str, ...]) -> None:
    found = analysed(notebook(*cells))
    assert "D001" not in [f.code for f in found.findings]
    assert found.error is None


def test_a_cell_in_python_2_is_not_broken() -> None:
    assert analysed(notebook("print 'x'", "import pyspark.streaming as s")).error is None


def test_what_parses_of_a_broken_cell_is_analysed() -> None:
    cell = "words = lines.map(f)\nwords.toDF()\nx = = 1\nwords.pprint()"
    found = analysed(notebook(CONTEXT, cell, "ssc.fileStream('x')"))
    left = [(f.at.cell, f.at.line, f.code) for f in found.findings if not f.is_fixed]
    assert left == [(3, 2, "D301"), (3, 3, "D001"), (4, 1, "D207")]
    sites = [(s.at.cell, s.at.line, s.name) for s in found.sites if s.use == "call"]
    assert sites == [
        *((2, 3, "socketTextStream"), (3, 1, "map"), (3, 2, "toDF"), (3, 4, "pprint")),
        (4, 1, "fileStream"),
    ]
    # the others are rewritten, the broken one stays
    assert sources(found)[1] == cell
    assert "dstream_compat" in sources(found)[0]


@pytest.mark.parametrize(
    "cell",
    [
        "import pyspark.streaming as s\ns.DStream\nx = = 1",
        "x = = 1\npyspark.streaming.DStream",
        "from pyspark.streaming import DStream\nprint(DStream",
        "x = = 1",
        "lines.pprint(",
    ],
)
def test_a_broken_cell_stays_as_it_is(cell: str) -> None:
    found = analysed(notebook("import pyspark\n" + CONTEXT, cell))
    assert "D004" not in [f.code for f in found.findings]
    assert [s.at.cell for s in found.sites if s.at.cell == 3] == []
    if found.content is not None:
        assert sources(found)[1] == cell


def test_a_broken_cell_may_have_the_output() -> None:
    found = analysed(notebook(CONTEXT, "lines.pprint(", "ssc.start()"))
    assert [(f.at.cell, f.code) for f in found.findings if not f.is_fixed] == [(3, "D001")]


def test_a_broken_cell_may_have_the_state() -> None:
    found = analysed(notebook(CONTEXT, "ssc.checkpoint('c')", "updated = lines.update("))
    assert "D401" not in [f.code for f in found.findings]


@pytest.mark.parametrize(
    ("cell", "codes"),
    [
        ("words.pprint(", ["D001"]),
        ("f(x, words", ["D001"]),
        # not the same name
        ("my_words.pprint(", ["D502", "D001"]),
        ("words2 = (", ["D502", "D001"]),
    ],
)
def test_a_broken_cell_may_read_a_stream(cell: str, codes: list[str]) -> None:
    found = analysed(notebook(CONTEXT, "words = lines.map(f)\nlines.pprint()", cell))
    assert [f.code for f in found.findings if not f.is_fixed] == codes


def test_whole_cells_decide_as_before() -> None:
    found = analysed(notebook(CONTEXT, "words = lines.map(f)", "ssc.start()"))
    assert [f.code for f in found.findings if not f.is_fixed] == ["D502", "D501"]


def test_top_level_await() -> None:
    found = analysed(notebook("from pyspark.streaming import DStream\nawait x\n"))
    assert sources(found) == ["from dstream_compat import DStream\nawait x\n"]


@pytest.mark.parametrize(
    "text",
    [
        "pyspark.streaming",
        '{"cells": "pyspark.streaming"}',
        '{"cells": [1], "x": "pyspark.streaming"}',
        '{"cells": [{"cell_type": "code", "source": [1]}], "x": "pyspark.streaming"}',
        '["pyspark.streaming"]',
        notebook("import pyspark.streaming")[:-20],
        '{"x": "pyspark.streaming", "cells": ' + "[" * 100_000,
    ],
)
def test_broken_notebooks(text: str) -> None:
    assert codes(text.encode(), "a.ipynb") == ["1:D005"]
    assert report(text.encode(), "a.ipynb").status is Status.UNREADABLE


def test_other_kernels_are_searched_as_text() -> None:
    text = notebook(
        'import org.apache.spark.streaming._\nconf.set("spark.streaming.receiver.maxRate", "5")',
        metadata={"kernelspec": {"language": "R"}},
    )
    found = analysed(text)
    assert found.content is None
    assert [f.code for f in found.findings] == ["D703"]


@pytest.mark.parametrize(
    "source",
    ["x = 1\n", "x = (5\n%y)\n", "'''\n%time\n!ls\n'''\n", "", "# %%bash\n", "x %= 3\n"],
)
def test_python_is_not_neutralised(source: str) -> None:
    found = neutralise(source)
    assert found is not None
    assert (found.text, found.kept) == (source, ())


def test_neutral_lines_keep_their_numbers() -> None:
    source = "%%time\r\n%a\r\nx = 1\r\n  !ls\r\ny?"
    found = neutralise(source)
    assert found is not None
    assert found.text.count("\n") == source.count("\n")
    assert found.restore(found.text) == source
    assert found.restore(found.text.replace("migrate-keeps-line-1", "")) is None


def test_written_notebook_is_stable(tmp_path: Path) -> None:
    found = analysed(notebook("%a\nimport pyspark\npyspark.streaming.DStream"))
    assert found.content is not None
    again = report(found.content, "a.ipynb")
    assert again.content is None
