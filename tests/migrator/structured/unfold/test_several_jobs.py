"""Jobs of a file are apart, if none uses what another one has."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.program.modules import SourceModule
from migrator.structured.rewrite import Rewritten, rewrite
from migrator.structured.unfold.several_jobs import jobs_apart

HEAD = """import sys
from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext


def show(rdd):
    print(rdd.count())


def upper(line):
    return line.upper()


"""
SHARED = "sc = SparkContext(appName='Jobs')\n"
ONE = """ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("one", 1)
lines.map(upper).pprint()
ssc.start()
ssc.awaitTermination(5)
ssc.stop(stopSparkContext=False)
"""
TWO = ONE.replace("one", "two").replace("sc, 1", "sc, 2")


def texts(body: str) -> list[str]:
    text = HEAD + body
    return [each.text for each in jobs_apart(SourceModule(text, ast.parse(text))) or []]


@pytest.mark.parametrize(
    "body",
    [
        SHARED + ONE + TWO,
        SHARED + ONE + "print('next')\nimport json\n" + TWO,
        f"{SHARED}{ONE}sc.stop()\nsc = SparkContext()\n{TWO}",
        "conf = SparkConf()\nsc = SparkContext(conf=conf)\n"
        f"{ONE}conf = SparkConf()\nsc = SparkContext(conf=conf)\n{TWO}",
    ],
)
def test_jobs_are_apart(body: str) -> None:
    one, two = texts(body)
    assert '"one"' in one and '"two"' not in one
    assert '"two"' in two and '"one"' not in two
    for each in (one, two):
        assert each.count("= StreamingContext(") == 1
        assert each.count("= SparkContext(") == 1
        assert "def show(rdd):" in each


@pytest.mark.parametrize(
    "body",
    [
        SHARED + ONE,
        # one goes on while the other one begins
        SHARED + ONE.replace("ssc", "first") + TWO + "first.stop()\n",
        SHARED + ONE + TWO.replace("lines = ssc.socketTextStream", "other = ssc.socketTextStream"),
        f"{SHARED}for port in sys.argv:\n    ssc = StreamingContext(sc, 1)\n",
        f"{SHARED}pair = StreamingContext(sc, 1), StreamingContext(sc, 2)\n",
        SHARED + ONE.replace("ssc.stop", "seen = 1\nssc.stop") + TWO + "print(seen)\n",
    ],
)
def test_jobs_are_not(body: str) -> None:
    assert texts(body) == []


def rewritten(body: str) -> Rewritten:
    found = rewrite(HEAD + body)
    assert isinstance(found, Rewritten), found
    return found


def test_the_results_are_one_module() -> None:
    found = rewritten(SHARED + ONE + "# two\n" + TWO)
    assert found.text.count("readStream") == 2
    assert found.text.count("SparkSession.builder") == 1
    assert found.text.count("from pyspark.sql import SparkSession") == 1
    assert "def upper" not in found.text and "pyspark.streaming" not in found.text
    assert found.text.index('"one"') < found.text.index("# two") < found.text.index('"two"')
    names = [each.name for each in ast.parse(found.text).body if isinstance(each, ast.FunctionDef)]
    assert names == ["show", "process_batch", "process_batch2"]
    lines = (HEAD + SHARED + ONE + "# two\n" + TWO).splitlines()
    assert all(each.before.partition("(")[0] in lines[each.line - 1] for each in found.steps)


def test_what_another_job_changes_is_no_constant() -> None:
    wanted = TWO.replace("map(upper)", "filter(lambda line: line not in WORDS)")
    for change, kept in (("", False), ("WORDS.append('c')\n", True)):
        body = f"WORDS = ['a', 'b']\n{SHARED}{ONE}".replace("ssc.stop", f"{change}ssc.stop")
        found = rewrite(HEAD + body + wanted)
        assert isinstance(found, Rewritten) != kept or ".isin(" not in found.text


def test_no_mark_is_left() -> None:
    assert "migrate" not in rewritten(SHARED + ONE + TWO).text


def test_a_function_of_one_job() -> None:
    found = rewritten(
        SHARED + ONE + TWO.replace("lines.map(upper).pprint()", "lines.foreachRDD(show)")
    )
    assert "def show(batch, batch_id):" in found.text


def test_a_function_of_both() -> None:
    code = SHARED + (ONE + TWO).replace("lines.map(upper).pprint()", "lines.foreachRDD(show)")
    assert rewritten(code).text.count("def show(batch, batch_id):") == 1


def test_a_function_that_they_use_in_other_ways() -> None:
    body = SHARED + ONE.replace("lines.map(upper).pprint()", "lines.foreachRDD(show)")
    body += TWO.replace("lines.map(upper).pprint()", "show(lines.pprint())")
    assert not isinstance(rewrite(HEAD + body), Rewritten)


@pytest.mark.slow
def test_jobs_share_the_helpers_of_their_states() -> None:
    def total(values: str) -> str:
        return f"lines.map(lambda line: (line, 1)).{values}.pprint()"

    one = ONE.replace("lines.map(upper).pprint()", total("updateStateByKey(lambda new, old: 1)"))
    two = TWO.replace("lines.map(upper).pprint()", total("groupByKeyAndWindow(10, 2)"))
    found = rewrite(HEAD + SHARED + one + two, batch_code=True)
    assert isinstance(found, Rewritten), found
    defined = [e.name for e in ast.parse(found.text).body if isinstance(e, ast.FunctionDef)]
    assert sorted({*defined}) == sorted(defined)
    assert {"save_batch", "saved_batches", "update_state", "reduce_window"} <= {*defined}
    assert found.text.count("tempfile.mkdtemp()") == 2


def test_a_reason_is_where_the_code_is() -> None:
    body = SHARED + ONE + TWO.replace("upper", "bytes")
    found = rewrite(HEAD + body)
    assert not isinstance(found, Rewritten) and found is not None
    assert "map(bytes)" in (HEAD + body).splitlines()[found.line - 1]


def in_functions(end: str, more: str = "") -> str:
    """Return jobs each in a function, with one SparkContext."""
    one, two = (each.replace("\n", "\n    ").rstrip(" ") for each in (ONE, TWO + more))
    return f"{SHARED}\n\ndef first():\n    {one}\n\ndef second():\n    {two}\n\n{end}"


@pytest.mark.parametrize("batch_code", [False, True])
def test_functions_share_a_context(batch_code: bool) -> None:
    found = rewrite(HEAD + in_functions("first()\nsecond()\n"), batch_code=batch_code)
    assert isinstance(found, Rewritten), found
    assert found.text.count("SparkSession.builder") == 1
    assert found.text.count("readStream") == 2
    assert found.text.index('"one"') < found.text.index("query.stop()")
    assert found.text.index("query.stop()") < found.text.index('"two"')
    assert "def first" not in found.text and "first()" not in found.text


def test_names_of_a_function_that_another_job_has_from_python() -> None:
    for name, apart in (("seen", True), ("len", False)):
        code = in_functions("first()\nsecond()\n", "print(len([1]))\n")
        code = code.replace("def first():\n", f"def first():\n    {name} = 1\n    print({name})\n")
        assert bool(texts(code)) is apart


def test_the_reason_of_functions_that_share_a_context() -> None:
    end = "if __name__ == '__main__':\n    first()\n    second()\n"
    found = rewrite(HEAD + in_functions(end))
    assert not isinstance(found, Rewritten) and found is not None
    assert found.text == "its SparkContext is made outside of the code that builds the job"
