"""Which binding a name means: scopes, and what binds names in them."""

from __future__ import annotations

import pytest

from tests.support.migrator.inference import value_of

CASES = [
    # assignments
    ("x = s\nx", "DStream"),
    ("x = y = s\ny", "DStream"),
    ("x = s\nx = 1\nx", "other"),
    ("x, y = s, 1\nx", "DStream"),
    ("(x, [y, z]) = (1, [2, s])\nz", "DStream | other"),
    ("x, *y = s, 1, s\ny", "[DStream | other]"),
    ("x: int = s\nx", "DStream"),
    ("x: DStream\nx", "nothing"),
    ("x", "unknown"),
    # `del` and names that nothing binds
    ("x = s\ndel x\nx = 1\nx", "other"),
    ("print", "builtins.print"),
    ("print = s\nprint", "DStream"),
    # functions see what is around them, whenever it is bound
    ("def f(): return x\nx = s\nf()", "DStream"),
    ("x = s\ndef f(): return x\nx = 1\nf()", "DStream | other"),
    ("x = s\ndef f(x): return x\nf(1)", "other"),
    ("x = s\ndef f():\n    x = 1\n    return x\nf()\nx", "DStream"),
    ("def f():\n    x = s\n    def g(): return x\n    return g\nf()()", "DStream"),
    ("x = 1\ndef f():\n    x = s\n    return lambda: x\nf()()", "DStream"),
    # global and nonlocal
    ("x = 1\ndef f():\n    global x\n    x = s\nf()\nx", "DStream | other"),
    ("def f():\n    global x\n    x = s\nf()\ndef g(): return x\ng()", "unknown"),
    ("x = 1\ndef f():\n    global x\n    x = s\n    def g(): return x\n    return g()\nf()",
     "DStream | other"),
    ("x = s\ndef f():\n    x = 1\n    def g():\n        global x\n        return x\n"
     "    return g()\nf()", "DStream"),
    ("def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = s\n    g()\n"
     "    return x\nf()", "DStream | other"),
    ("def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = s\n"
     "        def h(): return x\n        return h()\n    return g()\nf()", "DStream | other"),
    # class bodies
    ("x = s\nclass A:\n    x = 1\n    def m(self): return x\nA().m()", "DStream"),
    ("x = s\nclass A:\n    y = x\n    x = 1\nA.y", "DStream"),
    ("def f():\n    x = s\n    class A:\n        x = x\n    return A.x\nf()", "DStream"),
    ("class A:\n    x = s\n    y = x\nA.y", "DStream"),
    # comprehensions have their own targets
    ("x = s\n[x for x in [1]]\nx", "DStream"),
    ("x = s\n[x for x in [1]]", "[other]"),
    ("[y for x in [[s]] for y in x]", "[DStream]"),
    ("b = s\n[b for a, *b in [(1, 2, 3)]]", "[[other]]"),
    ("b = s\n[b for *a, b in [(1, s, 2)]]", "[DStream | other]"),
    ("x = s\n[lambda: x for x in [1]][0]()", "other"),
    ("x = 1\n[lambda: x for x in [s]][0]()", "DStream"),
    ("x = 1\n[lambda x: x for x in [s]][0](1)", "other"),
    ("x = 1\n[lambda y: (lambda: x) for x in [s]][0](1)()", "DStream"),
    # := binds around comprehensions, and may not be reached
    ("(x := s)\nx", "DStream"),
    ("[(x := y) for y in [s]]\nx", "DStream"),
    ("x = 1\nc and (x := s)\nx", "DStream | other"),
    ("x = 1\n(x := s) if c else 0\nx", "DStream | other"),
    ("x = 1\n[(x := s) for y in z]\nx", "DStream | other"),
    ("x = make()\nisinstance(x, DStream) and (x := 1) and x", "other | unknown"),
    # names of except
    ("x = s\ntry: f()\nexcept E as x: y = x\ny", "unknown"),
    ("x = s\ntry: f()\nexcept E as x: pass\nx", "DStream | unknown"),
    ("x = s\ndef g(): return x\ntry: f()\nexcept E as x: y = g()\ny", "DStream | unknown"),
    # patterns
    ("match s:\n    case x: pass\nx", "DStream"),
    ("match s:\n    case DStream() as x: pass\nx", "DStream"),
    ("x = s\nmatch f():\n    case [x]: y = x\ny", "unknown"),
    ("x = s\nmatch f():\n    case {'a': 1, **x}: y = x\ny", "unknown"),
    ("x = s\nmatch f():\n    case [*x]: y = x\ny", "unknown"),
    ("x = s\nmatch 1:\n    case x if c: pass\nx", "DStream | other"),
    ("x = s\nmatch f():\n    case [1, x]: x = s\nx", "DStream | unknown"),
    # imports and definitions
    ("x = s\nimport x\nx", "x"),
    ("import a.b\na", "a"),
    ("import a.b as x\nx", "a.b"),
    ("from a import b as x\nx", "a.b"),
    ("x = s\ndef x(): pass\nx", "x()"),
    ("x = s\nclass x: pass\nx", "x"),
    ("for x in [s]: pass\nx", "DStream"),
    ("with c as x: pass\nx", "unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "value"), CASES)
def test_scopes(source: str, value: str) -> None:
    assert value_of(source) == value


@pytest.mark.parametrize(
    ("name", "value"),
    [("sc", "SparkContext?"), ("spark", "SparkSession?"), ("ssc", "StreamingContext?"),
     ("sqlContext", "SQLContext?"), ("KafkaUtils", "pyspark.streaming.kafka.KafkaUtils?")],
)  # fmt: skip
def test_names_of_a_shell_are_probable(name: str, value: str) -> None:
    assert value_of(name, head="") == value
