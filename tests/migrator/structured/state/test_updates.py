"""Which functions of `updateStateByKey` are running values, and which leave a state as it is."""

from __future__ import annotations

import ast

import pytest

from dstream_compat.native.names import Local, module_environment
from dstream_compat.native.types import Array, Double, Long, String, Type, tuple_of
from migrator.structured.program.graph import Node, Stage
from migrator.structured.program.modules import Block, SourceModule
from migrator.structured.state.cases import RunningValue, keeps_idle_state, running_values
from migrator.structured.udfs.names import JobNames


def parsed(text: str) -> tuple[Local, JobNames]:
    """A function, and the names around it."""
    if text.startswith("lambda"):
        text = f"f = {text}"
    text = f"from functools import reduce\nfrom operator import add\n{text}\npairs.map(f)"
    tree = ast.parse(text)
    found = tree.body[-2]
    function = found.value if isinstance(found, ast.Assign) else found
    call = tree.body[-1]
    assert isinstance(function, ast.Lambda | ast.FunctionDef)
    assert isinstance(call, ast.Expr) and isinstance(call.value, ast.Call)
    node = Node("updateStateByKey", call.value, (), Stage.STATE, Block(tree.body))
    local = Local(function, module_environment(tree), {})
    return local, JobNames(SourceModule(text, tree), node)


SUM, COUNT, MAX, MIN = (RunningValue(name) for name in ("sum", "count", "max", "min"))
RUNNING = {
    "lambda new, old: sum(new) + (old or 0)": (SUM,),
    "lambda new, old: sum(new, old or 0)": (SUM,),
    "lambda new, old: sum([old or 0] + new)": (SUM,),
    "lambda new, old: reduce(add, new, old or 0)": (SUM,),
    "lambda new, old: reduce(lambda a, b: a + b, new, 0) + (old if old is not None else 0)": (SUM,),
    "lambda new, old: len(new) + (0 if old is None else old)": (COUNT,),
    "lambda new, old: sum(1 for _ in new) + (old or 0)": (COUNT,),
    "lambda new, old: sum(v[1] for v in new) + (old or 0)": (RunningValue("sum", (1,)),),
    "lambda new, old: sum(map(lambda v: v[0], new)) + (old or 0)": (RunningValue("sum", (0,)),),
    "lambda new, old: max(new + [old]) if old is not None else max(new)": (MAX,),
    "lambda new, old: old if not new else min(new) if old is None else min(old, min(new))": (MIN,),
    "lambda v, s: (s[0] + sum(v), s[1] + len(v)) if s else (sum(v), len(v))": (SUM, COUNT),
    "def f(v, s):\n if s is None:\n  s = 0\n for n in v:\n  s += n\n return s": (SUM,),
    "def f(v, s):\n if not s:\n  s = 0\n return s + sum(v)": (SUM,),
    "def f(v, s):\n t, n = s or (0, 0)\n for a, b in v:\n  t += a\n  n = n + b\n return t, n": (
        RunningValue("sum", (0,)),
        RunningValue("sum", (1,)),
    ),
    "def f(v, s):\n m = s\n for n in v:\n  if m is None or n < m:\n   m = n\n return m": (MIN,),
    "def f(v, s):\n if not v:\n  return s\n if s is None:\n  return max(v), min(v)\n"
    " return max(s[0], max(v)), min([s[1]] + v)": (MAX, MIN),
}
OTHER = [
    "lambda new, old: sum(new)",
    "lambda new, old: max(new)",
    "lambda new, old: max(max(new), old or 0)",
    "lambda new, old: (old or 0) + 1",
    "lambda new, old: sum(new) + (old or 1)",
    "lambda new, old: sum(new) - (old or 0)",
    "lambda new, old: sum(new) + 2 * (old or 0)",
    "lambda new, old: sum(new) + old",
    "lambda new, old: sum(new[1:]) + (old or 0)",
    "lambda new, old: sum(n for n in new if n) + (old or 0)",
    "lambda new, old: sum(set(new)) + (old or 0)",
    "lambda new, old: len(set(new)) + (old or 0)",
    "lambda new, old: total(new) + (old or 0)",
    "lambda new, old=0: sum(new) + old",
    "lambda new: sum(new)",
    "lambda *new: 0",
    "lambda v, s: (s[1] + sum(v), s[0] + len(v)) if s else (sum(v), len(v))",
    "lambda v, s: [s[0] + sum(v)] if s else [sum(v)]",
    "lambda new, old: None",
    "lambda new, old: (sum(new) + (old or 0)) or None",
    "lambda new, old: min(new + [old]) if old is not None else max(new)",
    "def f(v, s):\n t = (s or 0) + sum(v)\n if t == 0:\n  return None\n return t",
    "def f(v, s):\n for n in v:\n  s = n\n return s",
    "def f(v, s):\n s = s or 0\n for n in v:\n  s += s\n return s",
    "def f(v, s):\n s = s or 0\n for n in v:\n  s += n\n  s += 1\n return s",
    "def f(v, s):\n s = s or 0\n for n in v:\n  s -= n\n return s",
    "def f(v, s):\n s = s or 0\n for n in v:\n  if n > 0:\n   s += n\n return s",
    "def f(v, s):\n s = s or 0\n for n in v:\n  s += n\n else:\n  s += 1\n return s",
    "def f(v, s):\n s = s or 0\n while v:\n  s += v.pop()\n return s",
    "def f(v, s):\n print(v)\n return sum(v) + (s or 0)",
    "def f(v, s):\n m = s\n for n in v:\n  if n < m:\n   m = n\n return m",
    "def f(v, s):\n m = s or 0\n for n in v:\n  if n > m:\n   n = m\n return m",
    "def f(v, s):\n if v:\n  return sum(v) + (s or 0)",
    "def f(v, s):\n global t\n t = sum(v) + (s or 0)\n return t",
    "def f(v, s):\n n = 0\n if n == 0:\n  return 5\n return sum(v) + (s or 0)",
    "def f(v, s):\n if len(v) > 9:\n  raise ValueError\n return sum(v) + (s or 0)",
    "def f(v, s):\n g = (n for n in v)\n t = sum(g)\n return sum(g) + (s or 0)",
    "def f(v, s):\n g = map(lambda n: n, v)\n if g:\n  return sum(g) + (s or 0)\n return s",
    "lambda v, s: len(n for n in v) + (s or 0)",
    "lambda v, s: sum((lambda g: [0] * len(list(g)) + g)(n for n in v)) + (s or 0)",
    "def f(v, s):\n assert v\n return sum(v) + (s or 0)",
    "lambda v, s: sum(v[1:] or [0]) + (s or 0)",
    "lambda v, s: sum(sorted(v)[:1]) + (s or 0)",
    "lambda v, s: len(v * 2) + (s or 0)",
    "lambda v, s: sum([n for n in v if n > 1]) + (s or 0)",
    "def sum(v, s):\n return sum(v) + (s or 0)",
    "def len(x): return 0\ndef f(v, s):\n return len(v) + (s or 0)",
]


@pytest.mark.parametrize("text", RUNNING)
def test_running_values(text: str) -> None:
    found = running_values(*parsed(text))
    assert found is not None
    assert found.parts == RUNNING[text]


@pytest.mark.parametrize("text", OTHER)
def test_other_functions(text: str) -> None:
    assert running_values(*parsed(text)) is None


def test_a_float_is_noted() -> None:
    found = running_values(*parsed("lambda new, old: sum(new) + (old or 0.0)"))
    assert found is not None and found.has_float


INT, FLOAT, STR = Long(), Double(), String()
LIST, PAIR = Array(INT), tuple_of(INT, INT)
IDLE: dict[str, Type] = {
    "lambda v, s: sum(n * n for n in v) + (s or 0) if v else s": INT,
    "lambda v, s: ((s or []) + v)[-3:]": LIST,
    "lambda v, s: sorted((s or []) + v)": LIST,
    "lambda v, s: v[-1] if v else s": FLOAT,
    "def f(v, s):\n if not v:\n  return s\n return len(v)": INT,
    "def f(v, s):\n s = s or 0\n for n in v:\n  s = n if n < s else s * 2\n"
    " return s if s > 0 else None": INT,
    "def f(v, s):\n for w in v:\n  if s is None or len(w) > len(s):\n   s = w\n return s": STR,
    "def f(v, s):\n a, b = s or (0, 0)\n for n in v:\n  a, b = b, n\n return a, b": PAIR,
}
NOT_IDLE: dict[str, Type] = {
    "lambda v, s: (s or 0) // 2 + sum(v)": INT,
    "lambda v, s: (s or 0) + 1": INT,
    "lambda v, s: sum(v)": INT,
    "lambda v, s: None if not v else 1": INT,
    "lambda v, s: v[-1] if v else None": INT,
    "lambda v, s: (s or []) + [0]": LIST,
    "lambda v, s: v[-3:]": LIST,
    "lambda v, s: (s or '') + ''.join(v)": STR,
    "lambda v, s: s or ''": STR,
    "lambda v, s: (s[1], s[0]) if s else (0, 0)": PAIR,
    "lambda v, s: min(sum(v) + (s or 0), 7)": INT,
    "def f(v, s):\n s = (s or 0) - 1\n for n in v:\n  s += n\n return s if s > 0 else None": INT,
    "def f(v, s):\n if len(v) > 3:\n  return 9\n s = s or 0\n return s if s < 5 else None": INT,
    "def f(v, s):\n s = s or 0\n return s if s > limit else None": INT,
    "def f(v, s):\n import random\n return s": INT,
    "def f(v, s):\n s = unknown(s)\n return s": INT,
}


@pytest.mark.parametrize("text", IDLE)
def test_states_that_stay(text: str) -> None:
    function, names = parsed(text)
    assert keeps_idle_state(function, IDLE[text], names)


@pytest.mark.parametrize("text", NOT_IDLE)
def test_states_that_may_change(text: str) -> None:
    function, names = parsed(text)
    assert not keeps_idle_state(function, NOT_IDLE[text], names)
