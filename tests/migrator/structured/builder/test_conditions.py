"""What Spark may compute before the condition of a UDF is refused, if it may raise."""

from __future__ import annotations

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import rewrite
from tests.support.structured.udf_jobs import PRICE, job, result


def test_the_condition_of_a_udf_before_what_raises() -> None:
    body = "lines.filter(lambda line: line.isdecimal()){0}.filter(lambda x: x > 1.0).pprint()"
    raising = job("", body.format(".map(lambda line: float(line))"))
    found = rewrite(raising)
    assert isinstance(found, Reason)
    assert found.code == "EVALUATION"
    assert any("condition of a Python UDF" in d for d in result(raising, unsafe=True).differences)
    safe = PRICE.replace("None", "0.5")
    assert "udf" in result(job(safe, body.format(".map(price)"))).text


def test_the_condition_of_a_udf_before_a_list() -> None:
    # Spark moves no condition of `explode`
    body = (
        "lines.filter(lambda line: line.isdecimal()).flatMap(lambda line: [float(line)]).pprint()"
    )
    assert "F.explode" in result(job("", body)).text


def test_the_condition_of_a_udf_before_a_join() -> None:
    static = 'names = sc.textFile("names").map(lambda line: (line, line))'
    join = ".transform(lambda rdd: rdd.join(names)).pprint()"
    body = f"{static}\nlines.filter(lambda line: line.isdecimal()){{0}}{join}"
    refused = rewrite(job("", body.format(".map(lambda line: (line.split(' ')[1], line))")))
    assert isinstance(refused, Reason)
    assert "condition of a Python UDF" in refused.text
    assert ".join(" in result(job("", body.format(".map(lambda line: (line, 1))"))).text


def test_a_condition_on_what_a_udf_gives_is_as_good() -> None:
    defined = PRICE.replace("float(line)", "line.strip(), float(line)")
    body = "lines.map(price).filter(lambda t: t is not None){0}.pprint()"
    fields = body.format(".filter(lambda t: t[1] > 1.0)")
    assert "isNotNull" in result(job(defined, fields)).text
    split = body.format(".filter(lambda t: t[0].split(' ')[3] == 'x')")
    assert isinstance(rewrite(job(defined, split)), Reason)
