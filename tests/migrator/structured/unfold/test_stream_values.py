"""What is no stream any more is neither tested nor printed; other code stays."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.program.modules import SourceModule
from migrator.structured.unfold.unfold import unfold

HEAD = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(appName="Job"), 1)
a = ssc.socketTextStream("localhost", 9999)
"""


def after(body: str) -> tuple[str, tuple[str, ...]]:
    text = HEAD + body
    module = unfold(SourceModule(text, ast.parse(text)))
    return module.text.removeprefix(HEAD), module.notes


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if a:\n    # yes\n    a.pprint()\n", "# yes\na.pprint()\n"),
        ("if a is not None:\n    a.pprint()\nelse:\n    print(1)\n", "a.pprint()\n"),
        # a stream without an output, which is never computed
        ("if a.transform(lambda rdd: rdd.first()):\n    a.pprint()\n", "a.pprint()\n"),
        ("b = a.pprint()\n", "a.pprint()\n"),
        ("b = c = a.pprint()\nprint(b)\n", "a.pprint()\nb = c = None\nprint(b)\n"),
    ],
)
def test_values(body: str, expected: str) -> None:
    assert after(body) == (expected, ())


@pytest.mark.parametrize(
    "code", ["print(a)", "print(type(a), 1)", "print('-' * 9, a.map(len))", "a", "type(a)"]
)
def test_a_printed_object_is_said(code: str) -> None:
    text, notes = after(f"{code}\na.pprint()\n")
    assert text == "a.pprint()\n"
    assert notes == ("line 6: an object is printed or displayed that is none any more",)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "if HOST:\n    keep(1)\nelse:\n    print(a)\n",
            "if HOST:\n    keep(1)\nelse:\n    pass\n",
        ),
        ("try:\n    keep(1)\nfinally:\n    print(a)\n", "try:\n    keep(1)\nfinally:\n    pass\n"),
        ("if HOST:\n    print(a)\n    keep(1)\n", "if HOST:\n    keep(1)\n"),
    ],
)
def test_a_block_of_nothing_else_stays(body: str, expected: str) -> None:
    assert after(body)[0] == expected


@pytest.mark.parametrize(
    "body",
    [
        "if not a:\n    keep(1)\n",
        "if a and HOST:\n    keep(1)\n",
        "if HOST:\n    keep(1)\n",
        "if a == HOST:\n    keep(1)\n",
        "if a.map(keep(1)):\n    a.pprint()\n",
        "if ssc.socketTextStream('localhost', 1):\n    a.pprint()\n",
        "print(keep(a))\n",
        "keep\n",
        "type(keep)\n",
        "print(1)\n",
    ],
)
def test_other_code_stays(body: str) -> None:
    assert after(body)[0] == body
