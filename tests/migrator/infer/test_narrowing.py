"""What names are where a test has come out true, or false."""

from __future__ import annotations

import pytest

from tests.support.migrator.inference import value_of

# a stream, an RDD or a number
ANY = "x = s if c else rdd if d else 1\n"
TESTS = [
    # test, value where it is true, value where it is false
    ("isinstance(x, DStream)", "DStream", "RDD | other"),
    ("isinstance(x, (DStream, RDD))", "DStream | RDD", "other"),
    ("isinstance(x, int)", "DStream | RDD | other | unknown", "DStream | RDD | other"),
    ("isinstance(x, make())", "DStream | RDD | other | unknown", "DStream | RDD | other"),
    ("not isinstance(x, DStream)", "RDD | other", "DStream"),
    ("isinstance(x, DStream) and e", "DStream", "DStream | RDD | other"),
    ("isinstance(x, DStream) or e", "DStream | RDD | other", "RDD | other"),
    ("isinstance(x, DStream) or isinstance(x, RDD)", "DStream | RDD", "DStream | other"),
    # streams are of classes derived from DStream
    ("type(x) is RDD", "RDD", "DStream | RDD | other"),
    ("type(x) == DStream", "DStream", "DStream | RDD | other"),
    ("hasattr(x, 'pprint')", "DStream | RDD | other", "RDD | other"),
    ("hasattr(x, 'toDF')", "RDD | other", "DStream | RDD | other"),
    ("callable(x)", "DStream | RDD | other", "DStream | RDD | other"),
    ("x is None", "DStream | RDD | other", "DStream | RDD | other"),
    ("e", "DStream | RDD | other", "DStream | RDD | other"),
]


@pytest.mark.parametrize(("test", "yes", "no"), TESTS)
def test_tests(test: str, yes: str, no: str) -> None:
    assert value_of(f"{ANY}y = None\nif {test}: y = x\nelse: raise E\ny") == yes
    assert value_of(f"{ANY}def f(x):\n    if {test}: raise E\n    return x\nf(x)") == no


CASES = [
    ("x = make()\nif isinstance(x, DStream): y = x\ny", "DStream"),
    ("x = make()\nif hasattr(x, 'foreachRDD'): y = x\ny", "DStream? | unknown"),
    ("x = make()\nif hasattr(x, 'foreachRDD') or c: y = x\ny", "unknown"),
    ("DStream.mine = 1\nx = s if c else 1\nif hasattr(x, 'mine'): y = x\ny", "DStream | other"),
    ("x = s\nif not hasattr(x, 'map'): y = x\ny", "unknown"),
    # what was only probable may be something else
    ("x = make()\nx.foreachRDD(f)\ny = s\nif not isinstance(x, DStream): y = x\ny",
     "DStream | unknown"),
    # derived classes, and those of the program
    ("class A: pass\nclass B(A): pass\nx = B() if c else s\nif isinstance(x, A): y = x\ny", "B()"),
    ("class A: pass\nx = A() if c else s\nif not isinstance(x, A): y = x\ny", "DStream"),
    ("class My(DStream): pass\nx = My() if c else 1\nif isinstance(x, DStream): y = x\ny", "My()"),
    # names of other scopes and shadowed functions say nothing
    ("x = s if c else 1\ndef f():\n    if isinstance(x, DStream): return x\n    raise E\nf()",
     "DStream | other"),
    ("def isinstance(a, b): return True\nx = 1\nif isinstance(x, DStream): y = x\ny", "other"),
    ("def hasattr(a, b): return True\nx = s\nif not hasattr(x, 'map'): y = x\ny", "DStream"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "value"), CASES)
def test_narrowing(source: str, value: str) -> None:
    assert value_of(source) == value
