"""Nodes are numbered alike in `ast` and in libcst, for any syntax."""

from __future__ import annotations

import ast
import asyncio
import dataclasses
import enum
import inspect
import typing
from types import ModuleType

import libcst as cst
import pytest

from migrator.edit.node_order import in_source_order

SYNTAX = """
@a.b(c.d, *e.f, g=h.i, **j.k)
async def f(p: q.r = s.t, /, *u: v.w, x: y.z = aa.bb, **cc: dd.ee) -> ff.gg:
    async with hh.ii as jj.kk, ll.mm: await nn.oo
    return {pp.qq: rr.ss, **tt.uu} if vv.ww else [xx.yy async for zz.a in b.c if d.e]
class A(b.c, *d.e, metaclass=f.g): h.i: j.k = l.m
x = lambda a=b.c, *d, e=f.g: h.i
match a.b:
    case {c.d: E.F(g=h.i), "k": J.K(l)} if m.n: o.p
    case q.r | [s.t, *_]: pass
f"{a.b!r:{c.d}} {e.f:>{g.h}}" f"{i.j}"
call(a.b, *c.d, e.f, g=h.i, *j.k, **l.m)
del a.b, c[d.e:f.g:h.i]
for a.b in c.d: e.f
else: g.h
while a.b: c.d
try: a.b
except (c.d, e.f) as g: h.i
else: j.k
finally: l.m
raise a.b from c.d
assert a.b, c.d
a.b += c.d
x = {a.b: c.d for e.f in g.h}, {a.b for c in d.e}, (a.b for c in d.e)
(y := a.b), a.b < c.d <= e.f, not g.h, -i.j, a.b and c.d or e.f
global z
print(a.b, sep=c.d)
"""


class _Attributes(cst.CSTVisitor):
    def __init__(self) -> None:
        self.names: list[str] = []

    def visit_Import(self, node: cst.Import) -> bool:
        return False

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        return False

    def visit_Attribute(self, node: cst.Attribute) -> None:
        self.names.append(node.attr.value)


def attributes(source: str) -> tuple[list[str], list[str]]:
    ours = [n.attr for n in in_source_order(ast.parse(source)) if isinstance(n, ast.Attribute)]
    visitor = _Attributes()
    cst.parse_module(source).visit(visitor)
    return ours, visitor.names


def test_syntax() -> None:
    ours, theirs = attributes(SYNTAX)
    assert ours == theirs


@pytest.mark.parametrize("module", [asyncio.tasks, dataclasses, enum, inspect, typing])
def test_real_modules(module: ModuleType) -> None:
    ours, theirs = attributes(inspect.getsource(module))
    assert ours == theirs
