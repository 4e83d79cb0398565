"""Lists, sets, tuples and dicts: what is put into them, and what comes out."""

from __future__ import annotations

import pytest

from tests.support.migrator.inference import value_of

CASES = [
    # lists, sets and iterators
    ("x = [1]\nx.append(s)\nx", "[DStream | other]"),
    ("x = {1}\nx.add(s)\nx", "[DStream | other]"),
    ("x = [1]\nx.insert(0, s)\nx", "[DStream | other]"),
    ("x = [1]\nx.extend((s, 1))\nx", "[DStream | other]"),
    ("from collections import deque\nx = deque()\nx.appendleft(s)\nx", "[DStream]"),
    ("from collections import deque\nx = deque()\nx.extendleft([s])\nx", "[DStream]"),
    ("x = set()\nx.update([s], [1])\nx", "[DStream | other]"),
    ("x = [1]\nx[0] = s\nx", "[DStream | other]"),
    ("x = [1]\nx[0:1] = [s]\nx", "[DStream | other]"),
    ("x = [1] if c else None\nx.append(s)\nx", "None | [DStream | other]"),
    ("x = [1] if c else 1\nx.append(s)\nx", "[DStream | other] | other"),
    ("x = [1] if c else make()\nx.append(s)\nx[0]", "DStream | other | unknown"),
    ("x = [1]\ndef f(): x.append(s)\nf()\nx", "[DStream | other]"),
    ("class A: x = []\nA.x.append(s)\nA().x", "[DStream]"),
    ("[s].pop()", "DStream"),
    ("x = [s] if c else 1\nx.pop()", "DStream | other"),
    ("from collections import deque\ndeque([s]).popleft()", "DStream"),
    ("iter([s]).__next__()", "DStream"),
    ("[s].copy()", "[DStream]"),
    ("(s, 1).copy()", "(DStream, other)"),
    ("[s].index(s)", "other"),
    ("[s].pprint()", "other"),
    ("{s}.union([1])", "[DStream | other]"),
    ("{1}.symmetric_difference(*[[s]])", "[DStream | other]"),
    ("{s}.difference({1})", "[DStream]"),
    ("{s}.intersection({1})", "[DStream]"),
    ("f = [s].pop\nf()", "unknown"),
    # dicts
    ("d = {'a': 1}\nd['b'] = s\nd", "{'a': other, 'b': DStream}"),
    ("d = {'a': 1}\nd[k] = s\nd['a']", "DStream | other"),
    ("d = {}\nd[s] = 1\nd", "{...other} | unknown"),
    ("d = {'a': 1}\nd.update({'a': s})\nd", "{'a': DStream | other}"),
    ("d = {}\nd.update(a=s)\nd", "{'a': DStream}"),
    ("d = {}\nd.update([('a', s)])\nd", "{...DStream}"),
    ("d = {'a': s}\nd.update(make())\nd['a']", "DStream | unknown"),
    ("d = {}\nd.setdefault('a', s)\nd['a']", "DStream"),
    ("d = {}\nd.setdefault('a', []).append(s)\nd['a']", "[DStream]"),
    ("d = {'a': []}\nd.get('a').append(s)\nd['a']", "[DStream]"),
    ("{'a': s}.get('a')", "DStream | None"),
    ("{'a': s}.get('a', 1)", "DStream | other"),
    ("{'a': s}.pop('a')", "DStream"),
    ("{'a': s}.popitem()", "(other, DStream)"),
    ("{'a': s}.keys()", "other"),
    ("{'a': s}.values()", "[DStream]"),
    ("{'a': s}.items()", "[(other, DStream)]"),
    ("{'a': s}.copy()", "{'a': DStream}"),
    ("{'a': s}.pprint()", "other"),
    ("f = {'a': s}.get\nf('a')", "unknown"),
    # iteration and unpacking
    ("for k in {'a': s}: pass\nk", "other"),
    ("a, b = {'x': s, 'y': s}\na", "other"),
    ("[*{'a': s}]", "[other]"),
    ("for k, v in {'a': s}.items(): pass\nv", "DStream"),
    ("a, b = make()\na", "unknown"),
    ("a, b = [s, 1]\na", "DStream | other"),
    ("*a, b = s, 1\nb", "DStream | other"),
    # either kind
    ("[s] if c else (1,)", "[DStream | other]"),
    ("(s, 1) if c else (1, s)", "(DStream | other, DStream | other)"),
    ("(s, 1) if c else (1,)", "[DStream | other]"),
    ("{'a': s} if c else {'a': 1, 'b': s}", "{'a': DStream | other, 'b': DStream}"),
    # no deeper than five levels
    ("[[[[[s]]]]]", "[[[[[DStream]]]]]"),
    ("[[[[[[s]]]]]]", "[[[[[unknown]]]]]"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "value"), CASES)
def test_containers(source: str, value: str) -> None:
    assert value_of(source) == value
