"""Where the parts of a result stand, and what is read where."""

from __future__ import annotations

import ast

from migrator.structured.rewrite import Rewritten, rewrite

HEAD = """\
import sys
from operator import add

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Places")
ssc = StreamingContext(sc, 5)
lines = ssc.socketTextStream("localhost", 9999)
"""


def result(body: str, end: str = "ssc.start()\nssc.awaitTermination()\n") -> str:
    found = rewrite(HEAD + body + end)
    assert isinstance(found, Rewritten), found
    ast.parse(found.text)
    return found.text


def test_types_of_all_static_records_count() -> None:
    text = result(
        'prices = sc.parallelize([("a", 1), ("b", 5)])\n'
        "pairs = lines.map(lambda line: (line, 1))\n"
        "named = pairs.transform(lambda rdd: rdd.join(prices))\n"
        "named.map(lambda kv: (kv[0], kv[1][1])).reduceByKey(max).pprint()\n"
    )
    assert "F.max(" in text
    assert ".count()" not in text


def test_a_sum_of_ones_is_no_record_of_an_empty_batch() -> None:
    text = result(
        'lines.filter(lambda line: "x" in line).map(lambda line: 1).reduce(add).pprint()\n'
    )
    assert '.where(F.col("count") > 0)' in text
    assert "dropna" not in text


def test_other_reductions_drop_the_row_of_an_empty_batch() -> None:
    assert ".dropna()" in result("lines.reduce(max).pprint()\n")


def test_the_session_gives_each_query_a_new_folder() -> None:
    text = result(
        'ssc.checkpoint(sys.argv[1] or "cp")\n'
        "pairs = lines.map(lambda line: (line, 1))\npairs.reduceByKey(add).pprint()\n"
        "pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0)).pprint()\n"
    )
    assert 'spark.conf.set("spark.sql.streaming.checkpointLocation", sys.argv[1] or "cp")' in text
    assert "option(" not in text.partition("writeStream")[2]


def test_a_result_of_waiting_is_used() -> None:
    text = result("lines.pprint()\n", "ssc.start()\nover = ssc.awaitTerminationOrTimeout(5)\n")
    assert "over = query.awaitTermination(5)" in text
    assert "ssc" not in text


def test_functions_of_batches_stand_above_decorators() -> None:
    job = HEAD.partition("sc = ")
    body = (
        "    " + (job[1] + job[2] + "lines.pprint()\nssc.start()\n").replace("\n", "\n    ").strip()
    )
    found = rewrite(
        f"{job[0]}import click\n\n\n@click.command()\ndef main():\n{body}\n\n\nmain()\n"
    )
    assert isinstance(found, Rewritten)
    assert "@click.command()\ndef main():" in found.text


def test_a_socket_of_several_queries_is_said() -> None:
    found = rewrite(
        HEAD + "pairs = lines.map(lambda line: (line, 1))\npairs.reduceByKey(add).pprint()\n"
        "pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0)).pprint()\nssc.start()\n"
    )
    assert isinstance(found, Rewritten)
    assert any("connection of its own" in text for text in found.differences)


def test_empty_lines_of_texts_stay() -> None:
    text = result('print("""usage\n\n\n\nend""")\nlines.pprint()\n')
    assert '"""usage\n\n\n\nend"""' in text
