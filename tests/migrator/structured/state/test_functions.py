"""The inferred type of a state is the type of what its function keeps, whatever it is given.

Integers of a state that may not fit into the 64 bits of Spark's need consent, others do not.
"""

from __future__ import annotations

import math
import operator
import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """\
import math
import time

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Job")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("checkpoint")
pairs = ssc.textFileStream("in").map(lambda line: (line[:1], {value}))
pairs.updateStateByKey({function}).pprint()
ssc.start()
ssc.awaitTermination()
"""
BOUNDED = [
    ("line", "lambda new, old: len(new[-1]) if new else old"),
    ("line", "lambda new, old: ord(new[-1][0]) if new else old"),
    ("line", "lambda new, old: new[-1].find('a') if new else old"),
    ("line", "lambda new, old: [len(each) for each in new] if new else old"),
    ("line", "lambda new, old: int(time.time()) if new else old"),
    ("len(line)", "lambda new, old: new[-1] if new else old"),
    ("len(line)", "lambda new, old: new[-1] * 1000 if new else old"),
    ("len(line)", "lambda new, old: int(new[-1]) if new else old"),
    ("len(line)", "lambda new, old: (old or 0) + sum(new) if new else old"),
    ("len(line)", "lambda new, old: abs(new[-1]) % 7 if new else old"),
    ("float(len(line))", "lambda new, old: new[-1] if new else old"),
    ("len(line) * 100000", "lambda new, old: new[-1] if new else old"),
    ("line", "lambda new, old: len(new[-1]) * 2 + len(new[-1]) * 3 if new else old"),
    ("line", "lambda new, old: (old or 0) + (1 if new else 0) * 5 if new else old"),
    ("line", "lambda new, old: (old or 0) + 1000 * len(new) if new else old"),
    ("line", "lambda new, old: min((old or 0) + 10, 10 ** 6) if new else old"),
    ("line", "lambda new, old: len(new) + 10 ** 9 if new else old"),
    ("line", "lambda new, old: len(new) + (1 << 20) - 60 * 60 * 24 if new else old"),
    ("line", "lambda new, old: int('12') if new else old"),
    ("line", "lambda new, old: int(len(new) / 2) + (old or 0) if new else old"),
    ("line", "lambda new, old: math.ceil(len(new) / 3) if new else old"),
    ("line", "lambda new, old: int(time.time() * 1000) if new else old"),
]
UNBOUNDED = [
    ("line", "lambda new, old: int(new[-1]) if new else old"),
    ("line", "lambda new, old: int(new[-1]) // 10 if new else old"),
    ("line", "lambda new, old: [int(each) for each in new] if new else old"),
    ("line", "lambda new, old: (int(new[-1]), len(new)) if new else old"),
    ("line", "lambda new, old: max(int(each) for each in new) if new else old"),
    ("len(line)", "lambda new, old: (old or 1) * 2 if new else old"),
    ("len(line)", "lambda new, old: new[-1] ** 3 if new else old"),
    ("line", "lambda new, old: (old or 1) * 5 * len(new) if new else old"),
    ("line", "lambda new, old: (len(new) + (old or 0)) * 3 * 3 if new else old"),
    ("line", "lambda new, old: int(len(new) / 0.001) if new else old"),
    ("line", "lambda new, old: int(float(new[-1]) / 2) if new else old"),
    ("line", "lambda new, old: int('12345678901234567890') if new else old"),
    ("line", "lambda new, old: int(time.time() * 10 ** 12) if new else old"),
    ("line", "lambda new, old: 10 ** 30 if new else old"),
    ("line", "lambda new, old: len(new) * 10 ** 6 + (old or 0) if new else old"),
    ("len(line)", "lambda new, old: 123456789012345678901 if new else old"),
    ("float(len(line))", "lambda new, old: int(new[-1]) if new else old"),
    ("float(len(line))", "lambda new, old: math.floor(new[-1]) if new else old"),
    ("float(len(line))", "lambda new, old: round(new[-1]) if new else old"),
]


def rewritten(value: str, function: str, unsafe: bool = False) -> Rewritten | Reason | None:
    return rewrite(JOB.format(value=value, function=function), unsafe)


@pytest.mark.parametrize(("value", "function"), BOUNDED)
def test_an_integer_that_fits(value: str, function: str) -> None:
    found = rewritten(value, function)
    assert isinstance(found, Rewritten), found


@pytest.mark.parametrize(("value", "function"), UNBOUNDED)
def test_an_integer_that_may_not_fit(value: str, function: str) -> None:
    found = rewritten(value, function)
    assert isinstance(found, Reason)
    assert found.code == "INT_RANGE", found
    freer = rewritten(value, function, unsafe=True)
    assert isinstance(freer, Rewritten), freer
    assert any("64 bits" in each for each in freer.differences)


BATCHES = {
    "line": st.lists(st.lists(st.sampled_from(["", "a", "b,c", "12", "-3", "1.5", "ab cd"]))),
    "len(line)": st.lists(st.lists(st.integers(0, 9))),
    "float(len(line))": st.lists(st.lists(st.integers(0, 9).map(float))),
    "(line, len(line))": st.lists(
        st.lists(st.tuples(st.sampled_from(["", "a", "bc"]), st.integers(0, 9)))
    ),
}
"""By the values of a job: what a key gets, batch by batch."""
KNOWN = {"math": math, "operator": operator, "re": re, "time": time, "STOP": ("a", "b")}
KEPT = [
    ("line", "return (old or []) + [len(v) for v in new]"),
    ("line", "words = list(old or [])\nwords.extend(new)\nwords.sort()\nreturn words"),
    ("line", "kept = old or []\nfor v in new:\n    kept.append(v)\nreturn kept[-3:]"),
    ("line", "kept = old or []\nkept += new\nreturn kept"),
    ("line", "kept = old or []\nfor v in new:\n    kept.append(len(v))\nreturn kept"),
    (
        "line",
        "rows = []\nfor v in new:\n    row = []\n    rows.append(row)\n"
        "    for each in v:\n        row.append(each)\nreturn rows",
    ),
    ("line", "count, words = old or (0, [])\nwords.append(str(len(new)))\nreturn count + 1, words"),
    ("line", "return sorted(set((old or []) + new))"),
    (
        "line",
        "total = old or 0.0\nfor v in new:\n    try:\n        total += float(v)\n"
        "    except ValueError:\n        total -= 1\nreturn total",
    ),
    ("line", "return sum(1 for v in new if re.match('a', v)) + (old or 0)"),
    ("line", "return '%s %d' % (','.join(new), len(new))"),
    ("line", "return chr(65 + len(new) % 26)"),
    ("line", "return max(new, key=len) if new else old"),
    (
        "line",
        "best, size = old or ('', 0)\nfor v in new:\n    if len(v) > size:\n"
        "        best, size = v, len(v)\nreturn best, size",
    ),
    ("line", "return [v for v in new if v in STOP] or ['none']"),
    ("line", "counts = old or [0, 0]\nfor v in new:\n    counts[v.isdigit()] += 1\nreturn counts"),
    ("line", "if not new:\n    return None\nreturn new[-1], bool(old)"),
    ("len(line)", "return int((sum(new) + (old or 0)) / 3)"),
    ("len(line)", "return round(sum(new) / (len(new) or 1)), abs(-len(new))"),
    (
        "len(line)",
        "mean = sum(new) / (len(new) or 1)\n"
        "return sorted(new, key=lambda v: abs(v - mean))[:2] if new else old",
    ),
    ("len(line)", "x = old or 7\nfor v in new:\n    x = (x * 31 + v) % 1000003\nreturn x"),
    ("len(line)", "a, b = old or (0, 1)\nfor v in new:\n    a, b = b, v\nreturn a, b"),
    (
        "len(line)",
        "xs = [1]\nys = []\nfor x in xs:\n    ys.append(x)\n    if len(xs) < 4:\n"
        "        xs.append(x + 1)\nreturn ys",
    ),
    ("len(line)", "return max(new) ** 2 - 2 ** 10 if new else old"),
    ("len(line)", "return (len(new) > 1) is True"),
    (
        "float(len(line))",
        "n, mean, m2 = old or (0, 0.0, 0.0)\nfor v in new:\n    n += 1\n"
        "    d = v - mean\n    mean += d / n\n    m2 += d * (v - mean)\n"
        "return n, mean, m2",
    ),
    ("float(len(line))", "return (old if old is not None else 1) * 0.5 + sum(new)"),
    ("float(len(line))", "return math.sqrt(sum(v ** 2 for v in new))"),
    ("(line, len(line))", "return [w for w, _ in sorted(new, key=operator.itemgetter(1))]"),
    ("(line, len(line))", "return max(new, key=operator.itemgetter(1, 0)) if new else old"),
    ("(line, len(line))", "def_ = dict.fromkeys\nreturn len(new)"),
]
"""Functions whose state has a type."""
NOT_KEPT = {
    "a = []\nb = a\nb.append('x')\na.append(1)\nreturn b": "int or str",
    "a = []\nb = a if new else ['x']\na.append(1)\nreturn b": "int or str",
    "a = []\nb = [a]\na.append(1)\na.append('x')\nreturn b": "int or str",
    "a = [[1]]\nfor each in a:\n    each.append('x')\nreturn a": "int or str",
    "a = []\nb, c = (a, 1)\na.append(1)\nb.append('x')\nreturn a": "int or str",
    "xs = [1]\nys = []\nfor x in xs:\n    ys.append(x)\n    xs.append('a')\nreturn ys": "or str",
    "xs = old or []\nt = (xs, 1)\nxs.append(len(new))\nreturn t": "xs",
    "k = 1\nf = lambda: k\nk = 'a'\nreturn f()": "around a lambda",
    "xs = []\nf = lambda: xs\nxs.append('a')\nreturn f()": "around a lambda",
    "return 1 if new else 1.5": "float or int",
    "return True if new else 0": "bool or int",
    "return [1, None]": "int or None",
    "return (old, old)": "other types in each batch",
    "return {}": "`{}`",
    "return new[0] is old": "compared by `is`",
    "return chr(len(new))": "`chr",
    "return time.strftime('%H')": "depends on the time",
    "return (v for v in new)": "iterator",
    "STOP.append(1)\nreturn 1": "STOP",
    "return len(new) + unknown": "`unknown`",
}
"""Functions of lengths whose state has none, and what the refusal says."""


def state_of(value: str, body: str) -> tuple[str, Rewritten | Reason | None]:
    """The source of a function of states, and what becomes of its job."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    source = f"def run_state(new, old):\n{lines}\n"
    head, _, tail = JOB.format(value=value, function="run_state").partition("\nsc = ")
    names = f"import operator\nimport re\n{head}\nSTOP = ('a', 'b')\n\n\n{source}\n\nsc = {tail}"
    return source, rewrite(names, unsafe=True)


def is_of(value: Any, kind: str) -> bool:
    """Whether Spark keeps a value in a column of a type."""
    if kind.startswith("array<"):
        return type(value) is list and all(is_of(each, kind[6:-1]) for each in value)
    if kind == "long":
        return type(value) is int and -(2**63) <= value < 2**63
    return type(value) is {"double": float, "string": str, "boolean": bool}[kind]


@pytest.mark.slow
@pytest.mark.parametrize(("value", "body"), KEPT)
def test_a_state_is_of_its_type(value: str, body: str) -> None:
    source, found = state_of(value, body)
    assert isinstance(found, Rewritten), found
    schema = re.search(r'getValueState\("\w+", "(.*)"\)', found.text)
    assert schema
    kinds = [each.split(" ")[1] for each in schema[1].split(", ")]
    space: dict[str, Any] = dict(KNOWN)
    exec(source, space)

    @settings(max_examples=60, deadline=None, database=None)
    @given(BATCHES[value])
    def check(batches: list[list[Any]]) -> None:
        state = None
        for batch in batches:
            if state is None and not batch:
                continue
            state = space["run_state"]([*batch], state)
            if state is None:
                continue
            values = state if len(kinds) > 1 else (state,)
            assert len(values) == len(kinds)
            assert all(map(is_of, values, kinds)), (state, kinds)

    check()


@pytest.mark.parametrize("body", NOT_KEPT)
def test_a_state_of_no_type(body: str) -> None:
    _, found = state_of("len(line)", body)
    assert isinstance(found, Reason), found
    assert found.code == "STATE_TYPE"
    assert NOT_KEPT[body] in found.text
