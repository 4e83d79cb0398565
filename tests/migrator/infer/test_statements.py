"""What names are after statements, in the order of the language reference."""

from __future__ import annotations

import pytest

from tests.support.migrator.inference import value_of

BLOCK = "class Block:\n    def __enter__(self): return s\n    def __exit__(self, *a): {}\n"
CASES = [
    # augmented assignment
    ("x = 1\nx += 1\nx", "other"),
    ("x = [1]\nx += [s]\nx", "[DStream | other]"),
    ("x = (1,)\nx += (s,)\nx", "[DStream | other]"),
    ("x = {'a': 1}\nx |= {'b': s}\nx", "{'a': other, 'b': DStream}"),
    ("x = {1}\nx |= {s}\nx", "[DStream | other]"),
    ("x = [s]\nx *= 2\nx", "[DStream]"),
    ("x = s\nx += 1\nx", "other"),
    ("class A: x = [1]\nA.x += [s]\nA.x", "[DStream | other]"),
    # assert and unreachable code
    ("x = s if c else 1\nassert isinstance(x, DStream)\nx", "DStream"),
    ("def f():\n    return 1\n    return s\nf()", "DStream | other"),
    ("x = 1\nif c:\n    x = s\n    raise E\nx", "other"),
    # if
    ("if c: x = s\nelse: x = 1\nx", "DStream | other"),
    ("x = 1\nif c: x = s\nx", "DStream | other"),
    ("if c: x = s\nelif d: x = 1\nelse: x = None\nx", "DStream | None | other"),
    # while and for, with break, continue and else
    ("x = 1\nwhile c: x = s\nx", "DStream | other"),
    ("for x in [s]: y = x\ny", "DStream"),
    ("x = [s]\nfor x in x: y = x\ny", "DStream"),
    ("x = [s]\nfor y in x:\n    x.append(1)\n    z = y\nz", "DStream | other"),
    ("x = s\nwhile True:\n    x = 1\n    if c: break\n    x = s\nx", "DStream | other"),
    ("x = s\nfor i in y:\n    x = 1\n    if c: continue\n    x = s\nx", "DStream | other"),
    ("x = s\nfor i in y:\n    x = 1\n    break\nelse:\n    x = None\nx", "None | other"),
    ("x = s\nfor i in y: break\nelse: raise E\nx", "DStream"),
    ("x = s\nfor i in y:\n    x = 1\n    raise E\nx", "DStream"),
    ("for i in y:\n    for j in z: break\n    x = s\nx", "DStream"),
    ("a = b = d = s\nfor i in y:\n    a = b\n    b = d\n    d = 1\na", "DStream | other"),
    ("async def f():\n    async for x in [s]: return x\nf()", "DStream | None"),
    # try
    ("try: x = s\nexcept E: raise\nx", "DStream"),
    ("x = 1\ntry: x = s\nexcept E: pass\nx", "DStream | other"),
    ("x = s\ntry:\n    x = 1\n    f()\n    x = s\nexcept E: pass\nx", "DStream | other"),
    ("try: x = 1\nexcept E: x = 2\nelse: x = s\nx", "DStream | other"),
    ("try: x = 1\nfinally: x = s\nx", "DStream"),
    ("x = None\ntry:\n    x = 1\n    f()\n    x = s\nfinally: y = x\ny", "DStream"),
    ("x = s\ntry:\n    try:\n        x = 1\n        f()\n    finally: x = s\n"
     "except E: pass\nx", "DStream | other"),
    ("x = s\nwhile True:\n    try: break\n    finally: x = 1\nx", "DStream | other"),
    ("def f():\n    try: return s\n    except E: return 1\nf()", "DStream | other"),
    ("x = 1\ntry: x = s\nexcept* E: pass\nx", "DStream | other"),
    # with
    ("with make() as x: pass\nx", "unknown"),
    ("from contextlib import contextmanager\n@contextmanager\ndef f(): yield s\n"
     "with f() as x: pass\nx", "DStream"),
    (BLOCK.format("pass") + "with Block() as x: pass\nx", "DStream"),
    (BLOCK.format("pass") + "x = s\nif c:\n    with Block():\n        x = 1\n        raise E\nx",
     "DStream"),
    (BLOCK.format("return 1")
     + "x = s\nif c:\n    with Block():\n        x = 1\n        raise E\nx",
     "DStream | other"),
    ("import contextlib\nx = s\nwith contextlib.suppress(E):\n    x = 1\n    f()\n    x = s\nx",
     "DStream | other"),
    ("async def f():\n    async with c as x: return s\nf()", "DStream"),
    # match
    ("match c:\n    case 1: x = s\n    case _: x = 1\nx", "DStream | other"),
    ("x = s\nmatch c:\n    case 1: x = 1\n    case _: x = 2\nx", "other"),
    ("x = s\nmatch c:\n    case 1: x = 1\nx", "DStream | other"),
    ("x = s if c else rdd\nmatch x:\n    case RDD(): y = x\n    case DStream() | int(): y = 1\ny",
     "RDD | other"),
    ("x = s if c else rdd\nmatch x:\n    case RDD() as y: pass\ny", "RDD"),
    # functions, classes
    ("if c:\n    def f(): return s\nelse:\n    def f(): return 1\nf()", "DStream | other"),
    ("def f():\n    if c: return s\nf()", "DStream | None"),
    ("def f():\n    raise E\nf()", "nothing"),
    ("def f():\n    return\nf()", "None"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "value"), CASES)
def test_statements(source: str, value: str) -> None:
    assert value_of(source) == value
