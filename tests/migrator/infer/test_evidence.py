"""The chain of steps that shows why a value is what it is."""

from __future__ import annotations

from migrator.infer.values import MAX_EVIDENCE, Obj
from tests.support.migrator.inference import HEAD, infer_text, value_at_end


def evidence(source: str) -> list[str]:
    """`line text` of each step of the value of the last expression, lines counted behind HEAD."""
    (atom,) = value_at_end(infer_text(source)).atoms
    assert isinstance(atom, Obj)
    return [f"{step.line - HEAD.count(chr(10))} {step.text}" for step in atom.why]


def test_each_step_has_its_line() -> None:
    source = "def f(x):\n    return x.map(len)\nf(s)"
    assert evidence(source)[1:] == [
        "-1 textFileStream", "3 passed to f()", "2 map", "3 f()",
    ]  # fmt: skip


def test_a_long_chain_keeps_its_first_step_and_its_last_ones() -> None:
    steps = evidence("x = s" + "".join(f"\nx = x.map({n})" for n in range(20)) + "\nx")
    assert len(steps) == MAX_EVIDENCE
    assert steps[0] == "-2 StreamingContext()"
    assert steps[-1] == "21 map"


def test_what_speaks_for_a_guess() -> None:
    assert evidence("x = make()\nx.foreachRDD(f)\nx") == ["2 only a DStream has foreachRDD()"]
    assert evidence("class My(DStream): pass\nMy().map(f)") == ["1 class My", "2 map"]
    assert evidence("def f(x: DStream): return x\nf(1)")[0] == "1 declared as DStream"
