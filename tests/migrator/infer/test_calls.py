"""What parameters get, and what calls give."""

from __future__ import annotations

import pytest

from tests.support.migrator.inference import value_of

PARAMETERS = [
    # signature, call, value of x
    ("x", "f(s)", "DStream"),
    ("x", "f(x=s)", "DStream"),
    ("x", "f(s)\nf(1)", "DStream | other"),
    ("a, x", "f(1, s)", "DStream"),
    ("x", "f(*[s])", "DStream"),
    ("a, x", "f(*(1, s))", "DStream"),
    ("a, x", "f(1, *make())", "unknown"),
    ("x", "f(**{'x': s})", "DStream"),
    ("x", "f(**make())", "unknown"),
    ("x", "f(**({'x': s} if c else make()))", "DStream | unknown"),
    ("x=1", "f()", "other"),
    ("x=s", "f()", "DStream"),
    ("x=s", "f(1)", "DStream | other"),
    # a default counts where a call leaves it out
    ("x=1", "f(s)", "DStream"),
    ("x=1", "f(s)\nf()", "DStream | other"),
    ("x=1", "f(*[s])", "DStream | other"),
    ("x=None", "f(s)\nf()", "DStream"),
    ("*, x", "f(x=s)", "DStream"),
    ("*, x=1", "f(x=s)\nf()", "DStream | other"),
    ("*, x", "f(**make())", "unknown"),
    ("*x", "f(s, 1)", "[DStream | other]"),
    ("a, *x", "f(1, s)", "[DStream]"),
    ("a, *x", "f(1)", "[nothing]"),
    ("*x", "f(*make())", "[unknown]"),
    ("**x", "f(a=s)", "{'a': DStream}"),
    ("a, **x", "f(1, b=s)", "{'b': DStream}"),
    ("a, /, **x", "f(1, a=s)", "{'a': DStream}"),
    ("**x", "f(**make())", "{...unknown}"),
    ("x, /", "f(s)", "DStream"),
    # annotations settle what they name
    ("x: DStream", "f(1)", "DStream"),
    ("x: DStream | str", "f(1)", "DStream | unknown"),
    # nobody calls it, or code that is not known
    ("x", "1", "unknown"),
    ("x=1", "1", "unknown"),
    ("*x", "1", "[unknown]"),
    ("x", "make(f)", "unknown"),
]


@pytest.mark.parametrize(("signature", "call", "value"), PARAMETERS)
def test_parameters(signature: str, call: str, value: str) -> None:
    assert value_of(f"y = []\ndef f({signature}):\n    y.append(x)\n{call}\ny[0]") == value


CASES = [
    # results
    ("def f(x): return x\nf(s)", "DStream"),
    ("def f(x): return [x]\nf(s)", "[DStream]"),
    ("def f(): pass\nf()", "None"),
    ("(lambda x, y=s: y)(1)", "DStream"),
    ("(lambda *a, **k: (a, k))(s, b=1)", "([DStream], {'b': other})"),
    # a function gets what any call gives
    ("def f(x): return x\nf(1)\nf(s)", "DStream | other"),
    # recursion
    ("def f(n, x): return x if n == 0 else f(n - 1, x)\nf(3, s)", "DStream"),
    ("def f(n): return g(n)\ndef g(n): return s if n else f(n)\nf(3)", "DStream"),
    ("def f(x): return f(x)\nf(s)", "nothing"),
    # partial
    ("from functools import partial\ndef f(a, x): return x\npartial(f, 1)(s)", "DStream"),
    ("from functools import partial\ndef f(a, x): return x\npartial(f, x=s)(1)", "DStream"),
    ("from functools import partial\npartial(s.map, len)()", "DStream"),
    ("from functools import partial\ndef f(x): return 1\ng = f if c else make()\npartial(g, 1)()",
     "other | unknown"),
    ("from functools import partial\nclass A: pass\ndef f(): return s\n"
     "partial(f if c else A)()", "DStream | unknown"),
    ("from functools import partial\ndef f(x=1): return x\nf()\npartial(f, **make())()",
     "unknown"),
    # methods
    ("class A:\n    def m(self, x): return x\nA().m(s)", "DStream"),
    ("class A:\n    def m(self, x): return x\nA.m(A(), s)", "DStream"),
    ("class A:\n    def m(self, x): return x\nm = A().m\nm(s)", "DStream"),
    ("class A:\n    @classmethod\n    def m(cls, x): return cls, x\nA.m(s)", "(A, DStream)"),
    ("class A:\n    @staticmethod\n    def m(x): return x\nA().m(s)", "DStream"),
    ("class A:\n    def __call__(self, x): return x\nA()(s)", "DStream"),
    ("class A:\n    def __init__(self, x): self.x = x\nA(s).x", "DStream"),
    ("def m(self, x): return x\nclass A: pass\nA.m = m\nA().m(s)", "DStream"),
    ("def g(self, x): return x\nclass A: m = g\nA().m(s)", "DStream"),
    ("class A: m = lambda self, x: x\nA().m(s)", "DStream"),
    ("def g(x): return x\nclass A:\n    m = None\n    def __init__(self): self.m = g\nA().m(s)",
     "DStream"),
    # decorators
    ("def d(f): return f\n@d\ndef f(): return s\nf()", "DStream"),
    ("def d(f): return lambda *a: f(s, *a)\n@d\ndef f(x, y): return x\nf(1)", "DStream"),
    ("def d(n):\n    def e(f): return f\n    return e\n@d(1)\ndef f(): return s\nf()", "DStream"),
    ("class D:\n    def __init__(self, f): self.f = f\n    def __call__(self): return self.f()\n"
     "@D\ndef f(): return s\nf()", "DStream"),
    ("@make\ndef f(): return s\nf()", "DStream?"),
    ("@make\ndef f(): return [s], {'a': s}, rdd\nf()", "([DStream?], {'a': DStream?}, RDD?)"),
    ("import functools\n@functools.cache\ndef f(): return s\nf()", "DStream"),
    ("class A:\n    @make\n    def m(self): return s\nA().m()", "DStream?"),
    ("def d(f): return lambda self: s\nclass A:\n    @d\n    def m(self): pass\nA().m()",
     "DStream"),
    # what a call puts into its arguments
    ("def f(x): x.append(s)\ny = [1]\nf(y)\ny", "[DStream | other]"),
    ("def f(x): x['a'] = s\ny = {}\nf(x=y)\ny", "{'a': DStream}"),
    ("class A:\n    def __init__(self, x): x.append(s)\ny = [1]\nA(y)\ny", "[DStream | other]"),
    ("class A:\n    def add(self, x): x.append(s)\ny = [1]\nA().add(y)\ny", "[DStream | other]"),
    # functions given to the API get what Spark gives them
    ("y = []\ns.foreachRDD(lambda r: y.append(r))\ny[0]", "RDD (batch)"),
    ("y = []\ns.foreachRDD(lambda t, r: y.append((t, r)))\ny[0]", "(other, RDD (batch))"),
    ("y = []\ns.transformWith(lambda a, b: y.append(b), s)\ny[0]", "RDD (batch)"),
    ("y = []\nssc.transform([s], lambda rs: y.append(rs))\ny[0]", "[RDD (batch)]"),
    ("y = []\ns.map(lambda x: y.append(x))\ny[0]", "other"),
    ("y = []\nclass A:\n    def __call__(self, r): y.append(r)\ns.foreachRDD(A())\ny[0]",
     "RDD (batch)"),
    ("y = []\ndef make():\n    y.append(1)\n    return ssc\n"
     "StreamingContext.getOrCreate('x', make)\ny[0]", "other"),
    ("y = []\nfrom functools import partial\ndef f(n, r): y.append(r)\n"
     "s.foreachRDD(partial(f, 1))\ny[0]", "RDD (batch)"),
    ("import functools\n@functools.singledispatch\ndef f(x): return x\nf(s)", "DStream? | unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "value"), CASES)
def test_calls(source: str, value: str) -> None:
    assert value_of(source) == value
