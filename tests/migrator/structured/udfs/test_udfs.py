"""What becomes a Python UDF, how it is written, and what is refused beside it."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import rewrite
from tests.support.structured.udf_jobs import HEAD, PRICE, START, job, result

NUMBER = """
def number(line):
    try:
        return int(line)
    except ValueError:
        return None

"""


def test_a_function_is_a_udf_where_there_is_a_session() -> None:
    found = result(job(PRICE, "lines.map(price).pprint()"))
    assert PRICE.strip() in found.text
    assert '\nprice_udf = F.udf(price, "double")\n' in found.text
    assert found.text.index("SparkSession.builder") < found.text.index("F.udf")
    assert 'lines.select(price_udf("value").alias("value"))' in found.text


def test_a_function_after_the_session_is_decorated() -> None:
    defined = PRICE.replace("\n", "\n    ").rstrip()
    body = START.replace("\n", "\n    ").rstrip()
    text = f"{HEAD}def main():{body}\n{defined}\n\n    lines.map(price).pprint()\n"
    found = result(f"{text}    ssc.start()\n    ssc.awaitTermination()\n\n\nmain()\n")
    assert '    @F.udf("double")\n    def price(line):\n' in found.text
    assert 'select(price("value")' in found.text


def test_a_function_of_the_module_after_the_session_is_decorated() -> None:
    body = f"{PRICE}\nlines.map(price).pprint()"
    assert '\n@F.udf("double")\ndef price(line):\n' in result(job("", body)).text


def test_a_library_that_may_be_another_one() -> None:
    imports = "try:\n    import regex as re\nexcept ImportError:\n    import re\n"
    for pattern in ("re.findall('a+', line)", "A.findall(line)"):
        body = f"A = re.compile('a+')\nlines.map(lambda line: {pattern}[-1]).pprint()"
        found = rewrite(job(imports, body))
        assert isinstance(found, Reason), found.text
        assert "re" in result(job("import re\n", body)).text


def test_the_truth_of_a_list() -> None:
    found = rewrite(job("", "lines.filter(lambda line: [line.title()]).pprint()"))
    assert isinstance(found, Reason)
    assert "gives list of str" in found.text


def test_a_function_that_is_used_elsewhere_stays_as_it_is() -> None:
    body = "lines.map(price).pprint()\nprint(price('1'))"
    assert '\nprice_udf = F.udf(price, "double")\n' in result(job(PRICE, body)).text


def test_each_step_says_why() -> None:
    (step,) = [
        s for s in result(job(PRICE, "lines.map(price).pprint()")).steps if "map" in s.before
    ]
    assert step.why.startswith("a Python UDF of the same function, which has no expression:")
    assert step.why.endswith("this statement is not translated [SYNTAX]")


def test_a_function_with_an_expression_stays_no_udf() -> None:
    body = "lines.map(lambda line: line.split(' ')[0]).filter(lambda word: word != '').pprint()"
    assert "udf" not in result(job("", body)).text


def test_large_integers_need_consent_and_raise() -> None:
    text = job(NUMBER, "lines.map(number).pprint()")
    refused = rewrite(text)
    assert isinstance(refused, Reason)
    assert "may not fit into 64 bits" in refused.text
    found = result(text, unsafe=True)
    # without Arrow, Spark gives NULL for an integer that is too large
    assert 'F.udf(number, "bigint", useArrow=True)' in found.text
    assert "a Python UDF raises for an integer beyond 64 bits" in found.differences


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("lambda line: line.title()", 'F.udf(lambda line: line.title(), "string")'),
        (
            "lambda line: (line.title(), len(line))",
            'F.udf(lambda line: (line.title(), len(line)), "struct<',
        ),
        ("lambda line: float(line) > 1", 'F.udf(lambda line: float(line) > 1, "boolean")'),
        ("float", 'F.udf(lambda value: float(value), "double")'),
    ],
)
def test_the_type_is_written(body: str, code: str) -> None:
    assert code in result(job("", f"lines.map({body}).pprint()")).text


@pytest.mark.parametrize(
    ("function", "code"),
    [
        ("lambda line: [line.title()]", '(lambda line: [line.title()], "array<string>")'),
        ("lambda line: map(float, [line])", "lambda line: list(map(float, [line])),"),
        ("lambda line: (line.title(), line)", "lambda line: list((line.title(), line)),"),
        ("lambda line: line.title()", "lambda line: list(line.title()),"),
        ("str.title", "(lambda value: list(str.title(value)),"),
    ],
)
def test_what_a_flat_map_gives_is_a_list(function: str, code: str) -> None:
    assert code in result(job("", f"lines.flatMap({function}).pprint()")).text


@pytest.mark.parametrize(
    ("function", "condition"),
    [
        ("lambda line: float(line) > 1", '("value")'),
        ("lambda line: line.title().strip()", '("value") != ""'),
        ("lambda line: len(line.title())", '("value") != 0'),
        ("lambda line: float(line)", '("value") != 0.0'),
    ],
)
def test_what_python_takes_as_true(function: str, condition: str) -> None:
    found = result(job("", f"lines.filter({function}).pprint()"))
    assert f"where(is_wanted{condition})" in found.text


def test_a_tuple_that_may_be_none() -> None:
    defined = PRICE.replace("float(line)", "line.strip(), float(line)")
    body = "trades = lines.map(price).filter(lambda trade: trade is not None)\ntrades.pprint()"
    found = result(job(defined, body))
    assert '.where(F.col("trade").isNotNull())' in found.text
    assert '.select("trade.*")' in found.text


def test_fields_of_one_result_raise_together() -> None:
    body = "pairs = lines.map(lambda line: (line.title(), float(line)))\npairs.keys().pprint()"
    assert 'select("key")' in result(job("", body)).text.replace('"line"', '"key"')


def test_records_of_a_tuple_are_given_as_one() -> None:
    body = "lines.map(lambda line: (line, 1)).map(lambda pair: '%s %05d' % pair).pprint()"
    found = result(job("", body))
    assert 'F.struct(F.col("value").alias("_1"), F.lit(1).alias("_2"))' in found.text


def test_the_dictionary_of_a_function_must_only_be_read() -> None:
    defined = "NAMES = {'a': 'b'}\n"
    body = "lines.map(lambda line: NAMES.get(line, line)).pprint()"
    assert "udf" in result(job(defined, body)).text
    assert isinstance(rewrite(job(defined, f"{body}\nNAMES['c'] = 'd'")), Reason)


def test_annotations_of_whole_columns() -> None:
    defined = PRICE.replace("(line)", "(line: 'pd.Series')", 1)
    assert isinstance(rewrite(job(defined, "lines.map(price).pprint()")), Reason)
