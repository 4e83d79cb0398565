"""Functions of Python and of its library that pass streams on or call what they get."""

from __future__ import annotations

import pytest

from tests.support.migrator.inference import HEAD, KNOWN_FUNCTIONS, value_of

IMPORTS = HEAD + (
    "import attr, attrs, collections, contextlib, copy, dataclasses, functools, itertools\n"
    "import multiprocessing, threading, typing\n"
)
THREAD = "y = []\ndef f(a, b=None): y.append((a, b))\n{}.{}(target=f, {})\ny[0]"
PLAIN = ("len", "int", "float", "str", "bool", "isinstance", "range", "repr")
CASES = {
    "builtins.list": [("list((s, 1))", "[DStream | other]"), ("list()", "[nothing]")],
    "builtins.set": [("set([s])", "[DStream]")],
    "builtins.sorted": [("sorted([s], key=len)", "[DStream]")],
    "builtins.reversed": [("reversed([s])", "[DStream]")],
    "builtins.frozenset": [("frozenset([s])", "[DStream]")],
    "builtins.iter": [("iter({'a': s})", "[other]")],
    "builtins.tuple": [("tuple((s, 1))", "(DStream, other)"), ("tuple([s])", "[DStream]")],
    "builtins.next": [("next(iter([s]))", "DStream"), ("next(x, s)", "DStream | unknown")],
    "builtins.enumerate": [("enumerate([s])", "[(other, DStream)]")],
    "builtins.zip": [("zip([s], (1,))", "[(DStream, other)]"), ("zip(*x)", "unknown")],
    "builtins.map": [
        ("map(lambda x: (x, 1), [s])", "[(DStream, other)]"),
        ("map(lambda x, y: y, [1], [s])", "[DStream]"),
        ("map(ssc.textFileStream, names)", "[DStream]"),
        ("map()", "unknown"),
    ],
    "builtins.filter": [
        ("filter(None, [s, None])", "[DStream | None]"),
        ("y = []\nfilter(lambda x: y.append(x), [s])\ny", "[DStream]"),
        ("filter()", "unknown"),
    ],
    "builtins.sum": [("sum([[s], [1]], [])", "[DStream | other]"),
                     ("sum(make())", "unknown"), ("sum([rdd], sc.emptyRDD())", "RDD")],
    "builtins.dict": [
        ("dict(a=s)", "{'a': DStream}"),
        ("dict({'a': s}, b=1)", "{'a': DStream, 'b': other}"),
        ("dict([('a', s)])", "{...DStream}"),
        ("dict(zip(names, [s]))", "{...DStream}"),
        ("dict(make())", "{...unknown}"),
        ("dict(**make())", "{...unknown}"),
    ],
    "builtins.print": [("print(s)", "None")],
    **{f"builtins.{name}": [(f"{name}(s)", "other")] for name in PLAIN},
    "collections.deque": [("collections.deque([s])", "[DStream]")],
    "collections.OrderedDict": [("collections.OrderedDict(a=s)", "{'a': DStream}")],
    "collections.defaultdict": [
        ("collections.defaultdict(list)", "{...[nothing]}"),
        ("collections.defaultdict(lambda: s)['a']", "DStream"),
        ("collections.defaultdict(None, {'a': s})", "{'a': DStream}"),
        ("d = collections.defaultdict(list)\nd['a'].append(s)\nd['a']", "[DStream]"),
    ],
    "functools.reduce": [
        ("functools.reduce(lambda a, b: a.union(b), [s])", "DStream"),
        ("functools.reduce(lambda a, b: b, [1], s)", "DStream | other"),
        ("y = []\nfunctools.reduce(lambda a, b: y.append(a) or 1, [s])\ny[0]",
         "DStream | other"),
        ("functools.reduce()", "unknown"),
    ],
    "functools.partial": [
        ("functools.partial(s.map, len)", "partial(DStream.map, builtins.len)"),
        ("functools.partial(f, *x)", "unknown"),
    ],
    **{f"{module}.{cls}": [
        (THREAD.format(module, cls, "args=(s, 1)"), "(DStream, other)"),
        (THREAD.format(module, cls, "args=[s]"), "(DStream, DStream)"),
        (THREAD.format(module, cls, "args=(1,), kwargs={'b': s}"), "(other, DStream)"),
    ] for module, cls in (("threading", "Thread"), ("multiprocessing", "Process"))},
    "copy.copy": [("copy.copy([s])", "[DStream]")],
    "typing.cast": [("typing.cast(int, s)", "DStream")],
    "contextlib.closing": [("with contextlib.closing(ssc) as c: pass\nc", "StreamingContext")],
    "contextlib.nullcontext": [("with contextlib.nullcontext(s) as c: pass\nc", "DStream"),
                               ("contextlib.nullcontext()", "None")],
    "itertools.chain": [("itertools.chain([s], (1,))", "[DStream | other]"),
                        ("itertools.chain(*[[s]])", "[DStream]")],
    "itertools.chain.from_iterable": [("itertools.chain.from_iterable([[s]])", "[DStream]")],
    "itertools.cycle": [("itertools.cycle([s])", "[DStream]")],
    "itertools.islice": [("itertools.islice([s], 1)", "[DStream]")],
    "itertools.zip_longest": [
        ("itertools.zip_longest([1], [s])", "[(None | other, DStream | None)]"),
        ("itertools.zip_longest([1], [2], fillvalue=s)", "[(DStream | other, DStream | other)]"),
    ],
    **{f"itertools.{name}": [(f"itertools.{name}(lambda x: x, [s])", "[DStream]")]
       for name in ("dropwhile", "filterfalse", "takewhile")},
    "dataclasses.field": [("dataclasses.field(default_factory=lambda: s)", "DStream"),
                          ("dataclasses.field(default=s)", "DStream")],
    **{path: [(f"{path}(factory=list)", "[nothing]"), (f"{path}()", "unknown")]
       for path in ("attr.ib", "attr.field", "attrs.field")},
    **{path: [(f"{path}(lambda: s)", "DStream")] for path in ("attr.Factory", "attrs.Factory")},
}  # fmt: skip


@pytest.mark.parametrize(("source", "value"), [case for cases in CASES.values() for case in cases])
def test_functions(source: str, value: str) -> None:
    assert value_of(source, IMPORTS) == value


def test_every_known_function_has_a_case() -> None:
    assert set(CASES) == KNOWN_FUNCTIONS


@pytest.mark.parametrize("path", [path for path in CASES if path.startswith("builtins.")])
def test_a_function_of_the_program_hides_a_builtin_one(path: str) -> None:
    name = path.removeprefix("builtins.")
    assert value_of(f"def {name}(*a): return s\n{name}(1)") == "DStream"
