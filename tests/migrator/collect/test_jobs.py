"""What a job has is what all its modules have together."""

from __future__ import annotations

import pytest

from migrator.collect.job_code import Summary, job_of
from migrator.discover.filetypes import FileType
from migrator.infer.fixpoint import infer_alone
from migrator.source.document import read_document

HEAD = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(), 1)
lines = ssc.socketTextStream("localhost", 9999)
"""


def job(body: str) -> Summary:
    unit = read_document(FileType.PYTHON, (HEAD + body).encode()).unit
    assert unit is not None
    return job_of(infer_alone(unit))


@pytest.mark.parametrize(
    ("body", "outputs", "state", "escapes"),
    [
        ("", False, False, False),
        ("lines.map(len)\n", False, False, False),
        ("lines.pprint()\n", True, False, False),
        ("lines.countByWindow(2, 1)\n", False, True, False),
        ("lines._jdstream\n", True, True, False),
        ("print(lines)\n", False, False, False),
        ("import other\nother.run(lines)\n", False, False, True),
        ("name = input()\ngetattr(lines, name)()\n", False, False, True),
        ("getattr(lines, 'pprint')()\n", True, False, False),
        ("class Printer:\n    def pprint(self): pass\nPrinter().pprint()\n", False, False, False),
    ],
)
def test_what_a_job_has(body: str, outputs: bool, state: bool, escapes: bool) -> None:
    assert job(body) == Summary(outputs, state, escapes)
