"""What is known of the durations and functions of windows, and the classes that are written."""

from __future__ import annotations

import ast

import pytest

from dstream_compat.native.names import module_environment
from migrator.structured.program.modules import Block, Module
from migrator.structured.refusals import NotExpressible
from migrator.structured.rewrite import Rewritten, rewrite
from migrator.structured.windows.durations import Duration, duration, is_multiple
from migrator.structured.windows.inverses import drops_zeros, is_inverse
from migrator.structured.windows.window_classes import Slices, Value

JOB = """import operator
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

{top}
sc = SparkContext(appName="Windows")
ssc = StreamingContext(sc, {interval})
lines = ssc.socketTextStream("localhost", 9999)
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
{body}
ssc.start()
ssc.awaitTermination()
"""
ADD = "lambda a, b: a + b"


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def read(text: str, name: str = "length") -> Duration:
    """The duration that a module gives to a name."""
    module = Module(text, ast.parse(text))
    last = module.tree.body[-1]
    body = last.body if isinstance(last, ast.FunctionDef) else module.tree.body
    functions = (last,) if isinstance(last, ast.FunctionDef) else ()
    return duration(module, Block(body, functions), ast.Name(name, ast.Load(), **_place(text)))


def _place(text: str) -> dict[str, int]:
    """Where a module has the name for the first time."""
    line = next(i for i, each in enumerate(text.splitlines(), 1) if "length" in each)
    column = text.splitlines()[line - 1].index("length")
    return {
        "lineno": line,
        "col_offset": column,
        "end_lineno": line,
        "end_col_offset": column + len("length"),
    }


def rewritten(body: str, interval: object = 5, top: str = "") -> str:
    found = rewrite(JOB.format(body=body, interval=interval, top=top))
    assert isinstance(found, Rewritten), found
    return found.text


def refused(body: str, interval: object = 5, top: str = "") -> str:
    found = rewrite(JOB.format(body=body, interval=interval, top=top))
    assert found is not None and not isinstance(found, Rewritten)
    return f"{found.code}: {found.text}"


@pytest.mark.parametrize(
    ("text", "value", "whole"),
    [
        ("length = 60", 60, True),
        ("length = 5 * 60", 300, True),
        ("MINUTE = 60\nlength = 2 * MINUTE", 120, True),
        ("length = 0.5", 0.5, False),
        ("length = int(x)", None, True),
        ("length = int(x) if x else 60", None, True),
        ("length, slide = (int(x), 10) if x else (60, 20)", None, True),
        ("length, slide = 60, 10", 60, True),
        ("length = float(x)", None, False),
        ("length = x", None, False),
        ("length = int(x) if x else 1.5", None, False),
        ("length = 60\nlength = 70", None, False),
        ("length = 60\nlength += 1", None, False),
        ("for length in range(3): pass", None, False),
        ("length = 60\ndef f(length): pass", None, False),
        ("length = 60\ndef f():\n    length = int(x)", None, True),
        ("length = 60\ndef f():\n    pass", 60, True),
        ("length = int(x)\nint = float", None, False),
        ("length = length", None, False),
    ],
)
def test_a_name_has_the_value_that_it_is_given_once(
    text: str, value: float | None, whole: bool
) -> None:
    found = read(text)
    assert (found.value, found.whole) == (value, whole)
    assert not found.literal


@pytest.mark.parametrize("text", ["f(60)", "x[0]", "60 if x else 30", "-1", "0", "'60'", "1 - 1"])
def test_a_duration_that_is_no_plain_number_is_refused(text: str) -> None:
    module = Module(text, ast.parse(text))
    statement = module.tree.body[0]
    assert isinstance(statement, ast.Expr)
    with pytest.raises(NotExpressible):
        duration(module, Block(module.tree.body), statement.value)


@pytest.mark.parametrize(
    ("length", "of", "multiple"),
    [
        (Duration("60", 60, True, True), Duration("10", 10, True, True), True),
        (Duration("60", 60, True, True), Duration("25", 25, True, True), False),
        (Duration("1.5", 1.5, False, True), Duration("0.5", 0.5, False, True), True),
        (Duration("0.3", 0.3, False, True), Duration("0.1", 0.1, False, True), True),
        (Duration("n", None, True, False), Duration("n", None, True, False), True),
        (Duration("n", None, True, False), Duration("10", 10, True, True), None),
        (Duration("10", 10, True, True), Duration("30", 30, True, True), False),
    ],
)
def test_multiples(length: Duration, of: Duration, multiple: bool | None) -> None:
    assert is_multiple(length, of) is multiple


@pytest.mark.parametrize(
    ("text", "trigger"),
    [("1", '"1 second"'), ("60", '"60 seconds"'), ("0.5", '"500 milliseconds"')],
)
def test_the_trigger_of_a_number(text: str, trigger: str) -> None:
    assert Duration(text, float(text), True, True).trigger == trigger


@pytest.mark.parametrize(
    ("add", "subtract", "found"),
    [
        (ADD, "lambda a, b: a - b", True),
        (ADD, "lambda x, y: x - y", True),
        ("operator.add", "operator.sub", True),
        ("operator.add", "lambda a, b: a - b", True),
        (
            "lambda a, b: (a[0] + b[0], a[1] + b[1])",
            "lambda a, b: (a[0] - b[0], a[1] - b[1])",
            True,
        ),
        (ADD, "lambda a, b: b - a", False),
        (ADD, "lambda a, b: a + b", False),
        (ADD, "lambda a, b: a - 2 * b", False),
        (ADD, "lambda a, b: max(a - b, 0)", False),
        (ADD, "lambda a, b=0: a - b", False),
        (ADD, "operator.add", False),
        (ADD, "operator.mul", False),
        ("lambda a, b: (a[0] + b[0], a[1] + b[1])", "lambda a, b: (a[0] - b[0], a[1])", False),
        (
            "lambda a, b: (a[0] + b[0], a[1] + b[1])",
            "lambda a, b: (a[1] - b[1], a[0] - b[0])",
            False,
        ),
    ],
)
def test_an_inverse_takes_away_what_was_added(add: str, subtract: str, found: bool) -> None:
    names = module_environment(ast.parse("import operator"))
    assert is_inverse(expression(add), expression(subtract), names) is found


def test_a_name_that_may_be_another_function_is_no_inverse() -> None:
    names = module_environment(ast.parse("import operator\noperator = other"))
    assert not is_inverse(expression("operator.add"), expression("operator.sub"), names)


@pytest.mark.parametrize(
    ("function", "found"),
    [
        ("lambda kv: kv[1] > 0", True),
        ("lambda pair: pair[1] != 0", True),
        ("lambda kv: kv[1]", True),
        ("lambda kv: kv[1] >= 1", True),
        ("lambda kv: kv[1] > 1", False),
        ("lambda kv: kv[1] >= 0", False),
        ("lambda kv: kv[0] > 0", False),
        ("lambda kv: kv[1] == 0", False),
        ("lambda kv, n=0: kv[1] > n", False),
        ("keep", False),
    ],
)
def test_filters_that_drop_zeros_only(function: str, found: bool) -> None:
    assert drops_zeros(expression(function)) is found


COUNT = Value("count", "LONG", "count")
TOTAL = Value("total", "LONG", "sum", "bytes")


@pytest.mark.parametrize("values", [(COUNT,), (TOTAL,), (TOTAL, COUNT)])
@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("panes", [True, False])
def test_classes_are_programs(values: tuple[Value, ...], keeps: bool, panes: bool) -> None:
    slices = Slices(values, False, keeps, panes, False)
    tree = ast.parse(slices.source(slices.name))
    (made,) = tree.body
    assert isinstance(made, ast.ClassDef)
    methods = [each.name for each in made.body if isinstance(each, ast.FunctionDef)]
    assert methods == ["__init__", "init", "handleInputRows", "handleExpiredTimer"]
    text = slices.source(slices.name)
    assert ("keep_empty" in text, "math.gcd" in text) == (keeps, panes)
    assert all(len(line) <= 100 for line in text.splitlines())


@pytest.mark.parametrize("name", ["end", "key", "sum", "max", "class", "slices"])
def test_names_of_columns_hide_no_names_of_a_class(name: str) -> None:
    slices = Slices((Value(name, "LONG", "sum", "n"),), False, False, False, False)
    assert "sum(each for _, each in slices)" in slices.source("Windowed")


def test_an_inverse_keeps_keys_in_windows_of_five_slides() -> None:
    call = f"pairs.reduceByKeyAndWindow({ADD}, lambda a, b: a - b, {{}}, 10).pprint()"
    assert ", 50, 10, keep_empty=True)" in rewritten(call.format(50))
    assert ", 40, 10)" in rewritten(call.format(40))


def test_variables_say_whether_keys_stay() -> None:
    body = f"pairs.reduceByKeyAndWindow({ADD}, lambda a, b: a - b, length, slide).pprint()"
    text = rewritten(body, top="length, slide = int(sys.argv[1]), int(sys.argv[2])")
    assert "length, slide, keep_empty=length >= 5 * slide)" in text
    assert 'processingTime=f"{math.gcd(length, slide)} seconds"' in text


def test_without_a_slide_the_interval_is_the_slide() -> None:
    body = f"pairs.reduceByKeyAndWindow({ADD}, None, 60).pprint()"
    assert ", 60, 5)" in rewritten(body)
    text = rewritten(body, interval="SECONDS", top="SECONDS = 5")
    assert ", 60, SECONDS)" in text
    assert 'processingTime=f"{SECONDS} seconds"' in text


def test_fractions_of_a_second_become_milliseconds() -> None:
    text = rewritten(f"pairs.reduceByKeyAndWindow({ADD}, None, 1.5, 0.5).pprint()", interval=0.5)
    assert "self.length = int(length * 1000)" in text
    assert 'processingTime="500 milliseconds"' in text


def test_windows_of_one_form_share_a_class() -> None:
    body = f"""pairs.reduceByKeyAndWindow({ADD}, None, 60, 10).pprint()
lines.countByWindow(20, 10).pprint()"""
    text = rewritten(body)
    assert text.count("(StatefulProcessor):") == 1
    assert text.count("writeStream") == 2


def test_a_class_has_a_name_that_the_job_does_not_use() -> None:
    text = rewritten("lines.countByWindow(20, 10).pprint()", top="WindowedCounts = sys.argv")
    assert "class WindowedCounts2(StatefulProcessor):" in text


def test_constants_are_not_kept_in_the_window_of_records() -> None:
    text = rewritten("pairs.window(20, 10).reduceByKey(lambda a, b: a + b).pprint()")
    assert 'Row("key"), 20, 10)' in text


@pytest.mark.parametrize(
    "body",
    [
        "length = float(sys.argv[1])\nlines.countByWindow(length, 10).pprint()",
        "length = int(sys.argv[1])\nlines.window(length, 10).count().pprint()",
        "length = int(sys.argv[1])\nlines.window(length, 10).saveAsTextFiles('out')",
        "lines.window(30, 20).count().pprint()",
    ],
)
def test_what_would_also_be_given_between_slides_is_refused(body: str) -> None:
    assert refused(body).startswith("DURATION: ")


def test_notes_say_what_differs() -> None:
    found = rewrite(JOB.format(body="lines.countByWindow(20, 10).pprint()", interval=5, top=""))
    assert isinstance(found, Rewritten)
    assert any("event time" in each for each in found.differences)


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        ("from __future__ import division\n", "from __future__ import division\n\nimport math\n\n"),
        ("import math\nimport sys\n", "import math\nimport sys\n\n"),
        ("import json\nfrom os import path\n", "import json\nimport math\nfrom os import path\n\n"),
        ("from os import path\n", "import math\nfrom os import path\n\n"),
        ("", "import math\n\n"),
    ],
)
def test_modules_are_imported_where_formatters_have_them(imports: str, expected: str) -> None:
    text = JOB.format(
        body="lines.countByWindow(50, 20).pprint()", interval=10, top="print(sys, json, path)"
    )
    found = rewrite(imports + "\n" * bool(imports) + text.partition("\n\n")[2].lstrip())
    assert isinstance(found, Rewritten), found
    compile(found.text, "job", "exec")
    assert found.text.startswith(expected)
