"""Order of definitions, limits of depth and of rounds, and circles."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from migrator.infer import engine, statements
from tests.support.migrator.inference import infer_text, show, value_of

FUNCTIONS = [
    "def a(x): return b(x), x\n",
    "def b(x): return c2(x) if x else D().m(x)\n",
    "def c2(x, y=1): return [x, y, b(x)]\n",
    "class D(E0):\n    def m(self, x): self.x = x; return super().m(x)\n",
    "def e(*a, **k): return a[0] if a else k\n",
    "registry = {}\n",
    "def f(x): registry['f'] = x; return registry\n",
    "x, y = s, 1\n",
]
BASE = "class E0:\n    x = None\n    def m(self, x): return (self.x, x)\n"
USES = "(a(s), b(1), c2(ssc), D().x, e(s), e(k=x), f(y), f(s), D().m(1))\n"


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_definitions_does_not_matter(seed: int) -> None:
    shuffled = random.Random(seed).sample(FUNCTIONS, len(FUNCTIONS))
    assert value_of(BASE + "".join(shuffled) + USES) == value_of(BASE + "".join(FUNCTIONS) + USES)


def deep(depth: int) -> str:
    calls = "".join(f"def f{n}(x): return f{n + 1}(x)\n" for n in range(depth))
    return f"{calls}def f{depth}(x): return x\nf0(s)"


def test_calls_deeper_than_the_limit_are_run_later(monkeypatch: pytest.MonkeyPatch) -> None:
    assert value_of(deep(engine.MAX_CALLS + 5)) == "DStream"
    monkeypatch.setattr(engine, "MAX_CALLS", 2)
    assert value_of(deep(12)) == "DStream"


def test_loops_end_with_what_grows_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "x = s\nfor i in y: x = [x]\nx"
    assert value_of(source).startswith("DStream | [DStream | [")
    assert "unknown" in value_of(source)
    monkeypatch.setattr(statements, "MAX_ROUNDS", 2)
    names = "a = b = d = s\nwhile c:\n    a = b\n    b = d\n    d = 1\na"
    assert value_of(names) == "DStream | unknown"


@pytest.mark.parametrize(
    "source",
    [
        "def f(x): return f([x])\nf(s)\n",
        "def f(x): return g(x)\ndef g(x): return f((x, x))\ng(ssc)\n",
        "x = []\nwhile x: x = [x, {1: x}]\n",
        "class A(A): pass\nclass B(C): pass\nclass C(B): pass\nC().x\n",
        "from functools import partial as p\ndef f(*a): return p(f, f)\nx = f(1)\nx = p(x, x)\n",
        "f = lambda *a, **k: f(*a, **k)\nf(ssc, s=ssc)\n",
        "x = (1,)\nfor i in y:\n    x += (x,)\n    x = {'a': x, **x}\n",
    ],
)
def test_recursion_ends(source: str) -> None:
    assert infer_text(source).facts.converged


@pytest.mark.parametrize("make", [lambda p: p.facts.values, lambda p: p.facts.receivers])
def test_two_runs_give_the_same(make: Callable[..., dict[object, object]]) -> None:
    source = BASE + "".join(FUNCTIONS) + USES
    first, second = ([show(v) for v in make(infer_text(source)).values()] for _ in range(2))  # type: ignore[arg-type]
    assert first == second
