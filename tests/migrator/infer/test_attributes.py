"""Attributes of objects and classes of the program."""

from __future__ import annotations

import pytest

from tests.support.migrator.inference import value_of

A, B = "class A:\n    x = s\n", "class B:\n    x = 1\n"
CASES = [
    # of instances and classes
    (A + "A.x", "DStream"),
    (A + "A().x", "DStream"),
    (A + "A.y", "unknown"),
    ("class A: pass\nA.x = s\nA().x", "DStream"),
    ("class A: pass\na = A()\na.x = s\na.x", "DStream"),
    (A + "a = A()\na.x = 1\nA().x", "DStream | other"),
    ("class A:\n    def __init__(self): self.x = None\n    def go(self): self.x = s\nA().x",
     "DStream | None"),
    ("class A:\n    def m(self): return self.x\nA().x = s\nA().m()", "DStream"),
    ("class A: x = None\nA().x.y", "unknown"),
    ("class A:\n    x: DStream\nA().x", "DStream"),
    # inheritance, in the order in which Python looks
    (A + "class C(A): pass\nC().x", "DStream"),
    (A + "class C(A): x = 1\nC().x", "other"),
    (A + B + "class C(A, B): pass\nC().x", "DStream"),
    (B + A + "class C(A, B): pass\nC().x", "DStream"),
    (A + B + "class C(B, A): pass\nC().x", "other"),
    ("class O: x = 1\nclass A(O): pass\nclass B(O): x = s\nclass C(A, B): pass\nC().x", "DStream"),
    ("class O: x = s\nclass A(O): pass\nclass B: x = 1\nclass C(A, B): pass\nC().x", "DStream"),
    (A + B + "class C(A if c else B): pass\nC().x", "DStream | other"),
    ("class A:\n    def __init__(self): self.x = s\nclass C(A): x = 1\nC().x", "DStream | other"),
    ("class A(A): x = s\nA().x", "DStream"),
    ("class A(make()): pass\nA().x", "unknown"),
    # self may be of any derived class
    ("class A:\n    def go(self): return self.m()\n    def m(self): return 1\n"
     "class C(A):\n    def m(self): return s\nA().go()", "DStream | other"),
    # super
    ("class A:\n    def m(self): return s\nclass C(A):\n"
     "    def m(self): return super().m()\nC().m()", "DStream"),
    ("class A:\n    def m(self): return s\nclass C(A):\n"
     "    def m(self): return super(C, self).m()\nC().m()", "DStream"),
    ("class O:\n    def m(self): return 1\nclass A(O):\n    def m(self): return super().m()\n"
     "class B(O):\n    def m(self): return s\nclass C(A, B): pass\nC().m()", "DStream | other"),
    ("class A:\n    def m(self): return super().m()\nA().m()", "unknown"),
    # properties
    ("class A:\n    @property\n    def x(self): return s\nA().x", "DStream"),
    ("class A:\n    @property\n    def x(self): return s\nA.x", "x()"),
    ("import functools\nclass A:\n    @functools.cached_property\n    def x(self): return s\nA().x",
     "DStream"),
    # names in texts
    ("getattr(s, 'map')", "DStream.map"),
    (A + "getattr(A(), 'x')", "DStream"),
    (A + "getattr(A(), 'x', 1)", "DStream | other"),
    ("getattr(s, name)", "unknown"),
    ("class A:\n    def m_x(self): return s\ngetattr(A(), 'm_' + c)()", "DStream | unknown"),
    ("class A: pass\na = A()\nsetattr(a, 'x', s)\na.x", "DStream"),
    ("hasattr(s, 'map')", "unknown"),
    # classes that are Spark's too
    ("class My(DStream): pass\nMy().map(f)", "DStream"),
    ("class My(DStream):\n    def map(self, f): return 1\nMy().map(f)", "other"),
    ("def show(self): return self\nDStream.show = show\nshow(1)", "DStream | other"),
    # functions have attributes of their own
    ("def f(): pass\nf.x = s\nf.x", "unknown"),
    # classes that register themselves
    ("class A:\n    all = []\n    def __init_subclass__(cls): A.all.append(cls)\n"
     "class C(A): x = s\nA.all[0].x", "DStream | unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "value"), CASES)
def test_attributes(source: str, value: str) -> None:
    assert value_of(source) == value
