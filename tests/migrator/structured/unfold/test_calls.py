"""Functions take the place of their calls, if the code means the same there."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.program.modules import SourceModule
from migrator.structured.unfold.unfold import unfold

HEAD = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext

"""
JOB = """
sc = SparkContext(appName="Job")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
"""


def after(top: str, body: str) -> str:
    """The code of a job after its contexts and its stream."""
    text = f"{HEAD}{top}{JOB}{body}"
    module = unfold(SourceModule(text, ast.parse(text)))
    assert len(module.origins or module.lines) == len(module.lines)
    before, _, rest = module.text.partition(JOB.strip() + "\n")
    return before.removeprefix(HEAD).strip() + "\n---\n" + rest


def test_a_function_takes_the_place_of_its_call() -> None:
    top = "def show(stream, number=5):\n    # some\n    stream.pprint(number)  # all\n"
    assert after(top, "show(lines)\n") == "\n---\n# some\nlines.pprint(5)  # all\n"


def test_a_statement_right_above_a_function_stays() -> None:
    top = "number = 3\ndef show(stream):\n    stream.pprint(number)\n"
    assert after(top, "show(lines)\n") == "number = 3\n---\nlines.pprint(number)\n"


def test_names_that_are_taken_get_others() -> None:
    top = "def split(stream):\n    words = stream.map(len)\n    return words.filter(bool)\n"
    body = "words = lines.map(str)\nsplit(words).pprint()\n"
    expected = "words = lines.map(str)\nwords_2 = words.map(len)\nwords_2.filter(bool).pprint()\n"
    assert after(top, body) == f"\n---\n{expected}"


def test_a_result_has_the_name_that_it_is_given() -> None:
    top = "def split(stream):\n    words = stream.map(len)\n    return words\n"
    body = "numbers = split(lines)\nnumbers.pprint()\n"
    assert after(top, body) == "\n---\nnumbers = lines.map(len)\nnumbers.pprint()\n"


def test_several_calls() -> None:
    top = "def some(stream):\n    return stream.filter(bool)\n"
    body = "some(lines).pprint()\nsome(lines.map(len)).pprint()\n"
    found = after(top, body)
    assert (
        found
        == (
            "\n---\nlines.filter(bool).pprint()\nstream = lines.map(len)\n"
            "stream.filter(bool).pprint()\n"
        )
        or "lines.map(len).filter(bool).pprint()" in found
    )


def test_arguments_are_computed_once_and_in_their_order() -> None:
    top = "def show(stream, a, b):\n    print(b, a, b)\n    stream.pprint(a)\n"
    body = "show(lines, int('1'), int('2'))\n"
    expected = "a = int('1')\nb = int('2')\nprint(b, a, b)\nlines.pprint(a)\n"
    assert after(top, body) == f"\n---\n{expected}"


def test_an_annotation_may_be_wrong() -> None:
    top = "from pyspark import RDD\ndef some(rdd: RDD) -> RDD:\n    return rdd.filter(bool)\n"
    assert "lines.filter(bool).pprint()" in after(top, "some(lines).pprint()\n")


def test_lines_are_those_of_the_file() -> None:
    text = f"{HEAD}def show(stream):\n    stream.pprint()\n{JOB}show(lines)\nssc.start()\n"
    module = unfold(SourceModule(text, ast.parse(text)))
    places = {module.lines[n].strip(): module.origin(n + 1) for n in range(len(module.lines))}
    lines = text.split("\n")
    assert lines[places["lines.pprint()"] - 1] == "    stream.pprint()"
    assert lines[places["ssc.start()"] - 1] == "ssc.start()"


@pytest.mark.parametrize(
    ("top", "body"),
    [
        # it may return earlier
        ("def f(s):\n    for n in N:\n        return s\n    return s\n", "f(lines).pprint()\n"),
        # it calls itself
        ("def f(s):\n    return f(s.count())\n", "f(lines).pprint()\n"),
        # it is a value, too
        ("def f(s):\n    return s.count()\ng = f\n", "f(lines).pprint()\n"),
        ("def f(s):\n    return s.count()\n", "globals()['f'](lines).pprint()\nf(lines)\n"),
        # it changes a global name
        ("n = 0\ndef f(s):\n    global n\n    n = 1\n    s.pprint()\n", "f(lines)\n"),
        # the names of the arguments are not known
        ("def f(*s):\n    s[0].pprint()\n", "f(lines)\n"),
        ("def f(s):\n    s.pprint()\n", "f(*[lines])\n"),
        # a decorator may do more
        ("def d(f):\n    return f\n@d\ndef f(s):\n    s.pprint()\n", "f(lines)\n"),
        # it yields
        ("def f(s):\n    yield s.count()\n", "[each.pprint() for each in f(lines)]\n"),
        # it has nothing to do with the job
        ("def f(s):\n    return s + 1\n", "f(1)\n"),
        # something is evaluated before it
        ("def f(s):\n    print(1)\n    return s\n", "print(print(2), f(lines))\n"),
    ],
)
def test_a_function_that_stays(top: str, body: str) -> None:
    assert "def f(" in after(top, body)


def test_a_global_name_that_the_place_of_the_call_hides() -> None:
    text = f"""{HEAD}limit = 5


def show(stream):
    stream.pprint(limit)


def main():
    limit = 1
    sc = SparkContext(appName="Job")
    ssc = StreamingContext(sc, limit)
    show(ssc.socketTextStream("localhost", 9999))


main()
"""
    assert "show(ssc" in unfold(SourceModule(text, ast.parse(text))).text


def test_a_function_without_a_result_gives_none() -> None:
    top = "def show(stream):\n    stream.pprint()\n"
    body = "x = show(lines)\nprint(x)\n"
    assert after(top, body) == "\n---\nlines.pprint()\nx = None\nprint(x)\n"


@pytest.mark.parametrize(
    "inner",
    [
        "    def g(lines):\n        return s, lines\n    keep(g)\n",
        "    keep(lambda lines: s.map(lines))\n",
        "    keep([s.map(lines) for lines in LINES])\n",
    ],
)
def test_a_name_that_is_another_one_inside(inner: str) -> None:
    assert "def f(" in after(f"def f(s):\n{inner}    s.pprint()\n", "f(lines)\n")


CONTEXTS = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def main(sc, host):
    {body}


if __name__ == "__main__":
    main(SparkContext(appName="Job"), "localhost")
"""


def test_a_function_that_is_given_a_spark_context() -> None:
    text = CONTEXTS.format(body="ssc = StreamingContext(sc, 1)\n    ssc.start()")
    found = unfold(SourceModule(text, ast.parse(text))).text
    assert "def main(" not in found
    assert 'sc = SparkContext(appName="Job")\n    ssc = StreamingContext(sc, 1)\n' in found


def test_a_function_with_a_spark_context_that_builds_no_job_stays() -> None:
    body = "print(sc.appName, host)\n\n\nssc = StreamingContext(SparkContext(), 1)"
    text = CONTEXTS.format(body=body)
    assert unfold(SourceModule(text, ast.parse(text))).text == text
