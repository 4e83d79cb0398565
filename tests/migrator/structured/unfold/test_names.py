"""Streams get names of their own where they share one."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.program.modules import SourceModule
from migrator.structured.refusals import Reason
from migrator.structured.rewrite import rewrite
from migrator.structured.unfold.unfold import unfold

HEAD = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(appName="Job"), 1)
a = ssc.socketTextStream("localhost", 9999)
"""
END = "ssc.start()\nssc.awaitTermination()\n"


def after(body: str) -> str:
    text = HEAD + body + END
    return unfold(SourceModule(text, ast.parse(text))).text.removeprefix(HEAD).removesuffix(END)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "a.pprint()\na = a.map(len)\na.pprint()\n",
            "a.pprint()\na_2 = a.map(len)\na_2.pprint()\n",
        ),
        ("b = a\nb.pprint()\n", "a.pprint()\n"),
        ("b = a  # again\nb.pprint()\n", "# again\na.pprint()\n"),
        (
            "b = a\nb = b.map(len)\nb.pprint()\na.pprint()\n",
            "b_2 = a.map(len)\nb_2.pprint()\na.pprint()\n",
        ),
        # steps of one stream
        ("a = a.map(len)\na.pprint()\n", "a = a.map(len)\na.pprint()\n"),
    ],
)
def test_names(body: str, expected: str) -> None:
    assert after(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "if HOST:\n    a = a.map(len)\na.pprint()\n",
        "a.pprint()\nfor n in NAMES:\n    a = a.map(len)\na.pprint()\n",
        "b = a\nif HOST:\n    b = a.count()\nb.pprint()\n",
    ],
)
def test_names_that_depend_on_something_stay(body: str) -> None:
    assert after(body) == body
    assert isinstance(rewrite(HEAD + body + END), Reason)


@pytest.mark.parametrize(
    "body",
    [
        "a.pprint()\ndel a\n",
        "a.pprint()\nfor a in NAMES:\n    print(a)\n",
        "a.pprint()\nwith open('x') as a:\n    print(a)\n",
        "a.pprint()\n[a for a in NAMES]\n",
        "a.pprint()\nimport a\n",
    ],
)
def test_other_bindings_of_a_name_stay(body: str) -> None:
    assert after(body) == body


def test_names_in_f_strings() -> None:
    """Python 3.11 does not say where they are."""
    body = 'a.pprint()\na = a.map(len)\na.pprint()\nname = f"{a} and {a!r}"\n'
    assert after(body) == body or 'f"{a_2} and {a_2!r}"' in after(body)


def test_functions_of_batches_bind_their_rdd_again() -> None:
    body = (
        "def save(rdd):\n"
        "    rdd = rdd.filter(len)\n"
        "    print(rdd.count())\n"
        "    rdd = rdd.map(len)\n"
        "    print(rdd.collect())\n\n\n"
        "a.foreachRDD(save)\n"
    )
    assert after(body) == body
    # those that streams are given are put in the place of their calls
    stream = body.replace("print(rdd.count())", "rdd.pprint()")
    stream = stream.replace("print(rdd.collect())", "rdd.pprint()").replace(
        "a.foreachRDD(save)", "save(a)"
    )
    assert "_2 = " in after(stream)
