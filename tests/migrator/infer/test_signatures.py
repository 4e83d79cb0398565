"""Annotations, and what they say of parameters, results and names."""

from __future__ import annotations

import pytest

from tests.support.migrator.inference import HEAD, value_of

IMPORTS = HEAD + "import typing\nfrom typing import List, Optional, Union\n"
ANNOTATIONS = [
    ("DStream", "DStream"),
    ("'DStream'", "DStream"),
    ("pyspark.streaming.DStream", "unknown"),
    ("Optional[DStream]", "DStream"),
    ("typing.Optional[DStream]", "DStream"),
    ("DStream | None", "DStream"),
    ("DStream | RDD", "DStream | RDD"),
    ("DStream | str", "DStream | unknown"),
    ("'DStream | None'", "DStream"),
    ("DStream[str]", "DStream"),
    ("Union[DStream, RDD]", "unknown"),
    ("List[DStream]", "unknown"),
    ("str", "unknown"),
    ("'not a type'", "unknown"),
    ("Mine", "Mine()"),
]


@pytest.mark.parametrize(("annotation", "value"), ANNOTATIONS)
def test_parameters_and_names(annotation: str, value: str) -> None:
    mine = "class Mine: pass\n"
    assert value_of(f"{mine}y = []\ndef f(x: {annotation}): y.append(x)\ny[0]", IMPORTS) == value
    assert value_of(f"{mine}x: {annotation} = make()\nx", IMPORTS) == value


CASES = [
    ("def f() -> DStream: return make()\nf()", "DStream | unknown"),
    ("def f() -> DStream: raise E\nf()", "DStream"),
    ("def f() -> str: return s\nf()", "DStream"),
    ("def f(x: DStream = None): return x\nf()", "DStream"),
    ("class A:\n    def m(self, x: DStream): return x\nA().m(1)", "DStream"),
    ("class A:\n    x: DStream\nA().x", "DStream"),
    ("class A:\n    def __init__(self, x): self.x: DStream = x\nA(1).x", "DStream"),
    ("class A:\n    def __init__(self): self.x: DStream\nA().x", "DStream"),
    # calls may know more of the same thing
    ("y = []\ndef f(r: RDD): y.append(r)\ns.foreachRDD(f)\ny[0]", "RDD | RDD (batch)"),
]


@pytest.mark.parametrize(("source", "value"), CASES)
def test_annotations(source: str, value: str) -> None:
    assert value_of(source, IMPORTS) == value
