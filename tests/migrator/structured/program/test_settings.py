"""Settings and sessions in the result: those that the job has, when it has them."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """import sys
from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession, SQLContext
from pyspark.streaming import StreamingContext
{head}
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
{code}
ssc.start()
ssc.awaitTermination()
"""
PRINT = "lines.glom().pprint()"


def result(head: str, code: str = PRINT, batch_code: bool = True) -> str:
    made = rewrite(JOB.format(head=head, code=code), batch_code=batch_code)
    assert isinstance(made, Rewritten), made
    return made.text


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("conf = SparkConf().setAppName('a')\nsc = SparkContext(conf=conf)", ".appName('a')"),
        # the context has what it was given
        (
            "conf = SparkConf().setMaster('a')\nsc = SparkContext(conf=conf)\nconf.setMaster('b')",
            "conf = SparkConf().setMaster('a')\n"
            "spark = SparkSession.builder.config(conf=conf).getOrCreate()\n",
        ),
        # a name that is something else by then
        (
            "n = 'a'\nconf = SparkConf().setAppName(n)\nn = 'b'\nsc = SparkContext(conf=conf)",
            "spark = SparkSession.builder.config(conf=conf).getOrCreate()\n",
        ),
        # a value that is asked for, or is in an object that changes
        (
            "conf = SparkConf().setAppName(input())\nhost = input()\nsc = SparkContext(conf=conf)",
            "conf = SparkConf().setAppName(input())\nhost = input()\n"
            "spark = SparkSession.builder.config(conf=conf).getOrCreate()\n",
        ),
        (
            "n = ['a']\nconf = SparkConf().setAppName(n[0])\nn[0] = 'b'\n"
            "sc = SparkContext(conf=conf)",
            "spark = SparkSession.builder.config(conf=conf).getOrCreate()\n",
        ),
        (
            "conf = SparkConf().setAppName('%s-a' % str(sys.argv[1]))\n"
            "sc = SparkContext(conf=conf)",
            ".appName('%s-a' % str(sys.argv[1]))",
        ),
        # nothing is between
        ("sc = SparkContext(conf=SparkConf().setAppName(input()))", ".appName(input())"),
        ("sc = SparkContext.getOrCreate(SparkConf().setAppName(input()))", ".appName(input())"),
        (
            "conf = SparkConf()\nconf.setMaster('a')\nprint(conf.get('b'))\n"
            "sc = SparkContext(appName='c', conf=conf)",
            "spark = SparkSession.builder.config(conf=conf).appName('c').getOrCreate()\n",
        ),
        # another function has the name for itself
        (
            "def show(conf):\n    print(conf)\n\n"
            "conf = SparkConf().setMaster('a')\nsc = SparkContext(conf=conf)",
            "spark = SparkSession.builder.master('a').getOrCreate()\n",
        ),
        # a default is computed outside
        (
            "conf = SparkConf().setMaster('a')\nsc = SparkContext(conf=conf)\n"
            "def show(conf=conf):\n    print(conf)\n",
            "spark = SparkSession.builder.config(conf=conf).getOrCreate()\n",
        ),
        (
            "conf = SparkConf().setExecutorEnv('A', '1')\nsc = SparkContext(conf=conf)",
            """.config("spark.executorEnv.A", '1')""",
        ),
        (
            "sc = SparkContext(environment={'A': '1'})",
            """.config("spark.executorEnv.A", '1')""",
        ),
        (
            "conf = SparkConf().setMaster('a')\n"
            "spark = SparkSession.builder.config(conf=conf).getOrCreate()\n"
            "sc = spark.sparkContext",
            "conf = SparkConf().setMaster('a')\n"
            "spark = SparkSession.builder.config(conf=conf).getOrCreate()\n",
        ),
    ],
)
def test_settings(head: str, expected: str) -> None:
    assert expected in result(head)


KEPT = """def session(context):
    if 'kept' not in globals():
        globals()['kept'] = SQLContext(context)
    return globals()['kept']

sc = SparkContext()"""


@pytest.mark.parametrize(("more", "is_kept"), [("", False), ("print(session(sc).tables())", True)])
def test_a_session_that_a_function_keeps(more: str, is_kept: bool) -> None:
    code = "lines.foreachRDD(lambda rdd: session(rdd.context).createDataFrame(rdd.map(len)))"
    made = rewrite(JOB.format(head=f"{KEPT}\n{more}", code=code), unsafe=True)
    if isinstance(made, Rewritten):
        assert ("def session(" in made.text) is is_kept


def test_a_name_that_is_deleted() -> None:
    made = rewrite(JOB.format(head="sc = SparkContext()", code=f"{PRINT}\ndel sc"), batch_code=True)
    assert isinstance(made, Reason)
    assert made.code == "USE"


@pytest.mark.parametrize("default", ["lambda x, n=n: x * n", "repeat"])
def test_defaults_are_of_the_code_around(default: str) -> None:
    head = f"""n = 5
def build(lines, n):
    def repeat(x, n=n):
        return x * n
    lines.map({default}).pprint()

sc = SparkContext()"""
    made = rewrite(JOB.format(head=head, code="build(lines, 3)"), batch_code=True)
    if isinstance(made, Rewritten):
        assert "n=n" not in made.text
