"""The printed source is what a person would write: few brackets, names, lines that are not long."""

from __future__ import annotations

import ast
import re
import unicodedata
from types import SimpleNamespace

import pytest

from dstream_compat.native import Translation, Translator, column, row, to_source
from dstream_compat.native.expressions import Call, Cast, Expression, Given, Literal, text
from dstream_compat.native.refusals import ACCEPTABLE
from dstream_compat.native.types import Array, Long, Nullable, String
from dstream_compat.native.whitespace import CHARACTERS, RANGES


def _expression(source: str, argument: Expression) -> Expression:
    node = ast.parse(source, mode="eval").body
    found = Translator(accept=ACCEPTABLE).map(node, argument)
    assert isinstance(found, Translation), found
    return found.expression


LINE = column("line", String())
PAIR = row({"word": String(), "n": Long(0, 1000)})


@pytest.mark.parametrize(
    ("source", "argument", "written"),
    [
        ("lambda x: x", LINE, 'F.col("line")'),
        ("lambda x: 1", LINE, "F.lit(1)"),
        ("lambda x: 'a\"b'", LINE, "F.lit('a\"b')"),
        ("lambda x: 'it\\'s'", LINE, 'F.lit("it\'s")'),
        ("lambda x: None", LINE, "F.lit(None)"),
        ("lambda x: x", column("a b.c", String()), 'F.col("`a b.c`")'),
        ("lambda x: x", column("a`b", String()), 'F.col("`a``b`")'),
        ("lambda x: x.split('|')", LINE, r'F.split(F.col("line"), r"\|")'),
        ("lambda x: x.split('\\\\')", LINE, r'F.split(F.col("line"), "\\\\")'),
        ("lambda x: x[1] + 2 * (x[1] + 3)", PAIR, 'F.col("n") + 2 * (F.col("n") + 3)'),
        ("lambda x: x[1] - (x[1] - 1)", PAIR, 'F.col("n") - (F.col("n") - 1)'),
        ("lambda x: x[1] - 1 - 1", PAIR, 'F.col("n") - 1 - 1'),
        ("lambda x: -(x[1] + 1)", PAIR, '-(F.col("n") + 1)'),
        ("lambda x: (x[1] > 1) == (x[1] < 5)", PAIR, '(F.col("n") > 1) == (F.col("n") < 5)'),
        ("lambda x: 1 < x[1] < 5", PAIR, '(1 < F.col("n")) & (F.col("n") < 5)'),
        (
            "lambda x: not (x[1] > 1)",
            PAIR,
            '~(F.col("n") > 1)',
        ),
        ("lambda x: x[0] is None", row({"k": Nullable(String())}), 'F.col("k").isNull()'),
        ("lambda x: str(x[1] + 1)", PAIR, '(F.col("n") + 1).cast("string")'),
        ("lambda x: x[0].strip('a')", PAIR, 'F.btrim(F.col("word"), F.lit("a"))'),
        (
            "lambda x: x",
            PAIR,
            'F.struct(F.col("word"), F.col("n"))',
        ),
        (
            "lambda F: [F_ + '!' for F_ in F.split(',')]",
            LINE,
            'F.transform(F.split(F.col("line"), ","), lambda F_: F.concat(F_, F.lit("!")))',
        ),
        (
            "lambda x: [F + '!' for F in x.split(',')]",
            LINE,
            'F.transform(F.split(F.col("line"), ","), lambda F_: F.concat(F_, F.lit("!")))',
        ),
        (
            "lambda x: [[w for v in x if v == w] for w in x]",
            column("words", Array(String())),
            'F.transform(F.col("words"), lambda w: '
            'F.transform(F.filter(F.col("words"), lambda v: v == w), lambda v: w))',
        ),
    ],
)
def test_one_line(source: str, argument: Expression, written: str) -> None:
    text = to_source(_expression(source, argument), width=200).text
    assert text == written
    ast.parse(text)


def test_constants_have_names() -> None:
    found = to_source(_expression("lambda x: x.split()[0].strip()", LINE))
    assert found.text == (
        'F.btrim(F.array_remove(F.split(F.col("line"), WHITESPACE), "")[0], '
        "F.lit(WHITESPACE_CHARACTERS))"
    )
    assert sorted(found.constants) == ["WHITESPACE", "WHITESPACE_CHARACTERS"]
    assert ast.literal_eval(found.constants["WHITESPACE"]) == f"[{RANGES}]+"
    assert ast.literal_eval(found.constants["WHITESPACE_CHARACTERS"]) == CHARACTERS


def test_names_are_those_of_the_caller() -> None:
    expression = _expression("lambda x: x[0].upper() if x[0] == 'a' else x[0] + 'F'", PAIR)
    functions = to_source(expression, functions="functions", name="word", width=999).text
    assert functions.endswith('.alias("word")')
    assert "F." not in functions.replace('"F"', "")
    assert to_source(PAIR.fields[0], name="word").text == 'F.col("word")'
    assert to_source(PAIR.fields[0], name="other").text == 'F.col("word").alias("other")'


def test_long_lines_are_broken() -> None:
    source = (
        "lambda line: [(w.strip('#'), len(w), 'long' if len(w) > 20 else 'short') "
        "for w in line.split(',') if w and not w.startswith('ignored') and 'error' not in w]"
    )
    expression = _expression(source, LINE)
    for width in (60, 80, 100):
        text = to_source(expression, width=width, indent=4, used=12).text
        assert ast.dump(ast.parse(text)) == ast.dump(
            ast.parse(to_source(expression, width=999).text)
        )
        assert max(map(len, text.split("\n"))) <= width + 20
        assert text.count("\n") > 3


def test_white_space_is_that_of_python() -> None:
    spaces = "".join(chr(code) for code in range(0x110000) if chr(code).isspace())
    assert sorted(spaces) == sorted(CHARACTERS)
    assert "".join(re.findall(f"[{RANGES}]", "".join(map(chr, range(0x10000))))) == spaces
    assert unicodedata.category("\u180e") != "Zs"


@pytest.mark.parametrize(
    "start", ["last ", "{n} ", "it's ", "'\"", "\\\\ ", "\n{}", "\\N{DIGIT ONE}"]
)
def test_texts_and_numbers_of_variables_become_one_text(start: str) -> None:
    number = Cast(String(True), Given(Long(), "n"), "string")
    whole = Call(String(), "concat", (text(start), number, text("}"), PAIR.fields[0], number))
    printed = ast.parse(to_source(whole).text, mode="eval").body
    assert isinstance(printed, ast.Call)
    first, column_, last = map(ast.unparse, printed.args)
    assert eval(first, {"F": SimpleNamespace(lit=str), "n": 2**70}) == f"{start}{2**70}}}"
    assert (column_, last) == ("F.col('word')", "F.lit(str(n))")
    assert to_source(number.operand).text == 'F.lit(n).cast("long")'


def test_constant_texts_are_no_f_string() -> None:
    whole = Call(String(), "concat", (text("a"), text("{b}")))
    assert to_source(whole).text == 'F.concat(F.lit("a"), F.lit("{b}"))'


def test_equal_constants_of_different_types_differ() -> None:
    values = [Literal(Long(1, 1), 1), _expression("lambda x: True", LINE)]
    assert len(set(values)) == 2
