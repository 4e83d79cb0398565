"""Functions of texts that are refused, each for its reason."""

from __future__ import annotations

import pytest

from dstream_compat.native.refusals import Code
from tests.support.native import refuse
from tests.support.native_values import TEXT, TEXT_PAIR

REFUSED = {
    Code.SYNTAX: [
        "lambda x: {x: 1}",
        "lambda x: {x}",
        "lambda x: (*x,)",
        "lambda x: [*x]",
        "lambda x: ()",
        "lambda x: {w: 1 for w in x}",
        "lambda x: {w for w in x}",
        "lambda x: (y := x)",
        "lambda x: x is 'a'",
        "lambda x: print(*x)",
        "lambda x: len(**x)",
        "lambda x: [a + b for a in x.split() for b in x.split()]",
        "lambda x: (yield x)",
        "lambda x: x @ x",
    ],
    Code.UNKNOWN_NAME: [
        "lambda x: y",
        "lambda x: x + suffix",
        "lambda x: helper(x)",
        "lambda x: np.mean(x)",
        "lambda x: [w for w in words]",
    ],
    Code.UNKNOWN_FUNCTION: [
        "lambda x: x.title()",
        "lambda x: x.capitalize()",
        "lambda x: x.splitlines()",
        "lambda x: x.isdigit()",
        "lambda x: x.isalpha()",
        "lambda x: x.encode()",
        "lambda x: x.index('a')",
        "lambda x: x.rsplit(',')",
        "lambda x: x.partition(',')",
        "lambda x: x.zfill(3)",
        "lambda x: x.casefold()",
        "lambda x: eval(x)",
        "lambda x: hash(x)",
        "lambda x: ord(x)",
        "lambda x: print(x)",
        "lambda x: open(x)",
        "lambda x: json.dumps(x)",
        "lambda x: math.sqrt(len(x))",
        "lambda x: x()",
        "print",
        "str.title",
    ],
    Code.ARGUMENTS: [
        "lambda x: x.split(x)",
        "lambda x: x.split(',', len(x))",
        "lambda x: x.split(None, 1)",
        "lambda x: x.split(' ', 2147483647)",
        "lambda x: x.replace('', '-')",
        "lambda x: x.replace(x, '-')",
        "lambda x: x.replace('a', 'b', 1)",
        "lambda x: x.strip(x)",
        "lambda x: x.find(x)",
        "lambda x: x.find('a', 1)",
        "lambda x: x.startswith('a', 1)",
        "lambda x: x.join(['a', 'b'])",
        "lambda x: x[::2]",
        "lambda x: x[len(x):]",
        "lambda x: x[-2:1]",
        "lambda x: x.split(',')[-2:]",
        "lambda x: x.split(',')[:-1]",
        "lambda x: x.split(',')[len(x) - 1]",
        "lambda x: x % 1",
        "lambda x: x.format(1)",
        "lambda x: len(x, x)",
        "lambda x: x.strip(chars='a', more=1)",
        "lambda x: (lambda *a: a)(x)",
    ],
    Code.TYPE: [
        "lambda x: x * 2",
        "lambda x: x + 1",
        "lambda x: 1 + x",
        "lambda x: x < 1",
        "lambda x: x in 1",
        "lambda x: 1 in x",
        "lambda x: -x",
        "lambda x: abs(x)",
        "lambda x: x[len(x)]",
        "lambda x: x.length",
        "lambda x: [w for w in x]",
        "lambda x: len(len(x))",
        "lambda x: b'a'",
        "lambda x: ...",
        "lambda x: 1j",
        "lambda x: lambda y: y",
        "lambda x: str",
        "lambda x: ','.join([1])",
        "lambda x: str([x])",
        "lambda x: str((x, 1))",
        "lambda x: (w for w in x.split())",
        "lambda x: sum(x.split())",
        "lambda x: (lambda w: w)(w for w in x.split())",
    ],
    Code.MIXED_TYPES: [
        "lambda x: x or 0",
        "lambda x: x and len(x)",
        "lambda x: 1 if x else 'a'",
        "lambda x: 1 if x else 1.0",
        "lambda x: True if x else 0",
        "lambda x: (x, 1) if x else x",
        "lambda x: (x, 1) if x else (x, 1, 2)",
        "lambda x: x == 1",
        "lambda x: x in (1, 2)",
        "lambda x: x in ('a', 1)",
        "lambda x: max(x, 1)",
        "lambda x: len(x) == 'a'",
        "lambda x: [x, len(x)]",
        "lambda x: x == len(x)",
    ],
    Code.ALWAYS_RAISES: [
        "lambda x: x.split('')",
        "lambda x: (x, 1)[2]",
        "lambda x: (x, 1)[-3]",
        "lambda x: 'a %s' % (x, x)",
        "lambda x: '%s %s' % x",
        "lambda x: '{} {}'.format(x)",
        "lambda x: '{'.format(x)",
        "lambda x: 1 // 0",
        "lambda x: len(w for w in x.split())",
        "lambda: 1",
        "lambda a, b: a",
        "lambda x, *, y: x",
        "lambda x: (lambda a: a)(b=x)",
        "lambda x: []",
    ],
    Code.EVALUATION: [
        "lambda x: (x.split(',')[1], 1)[1]",
        "lambda x: (lambda a: 1)(x[3])",
        "lambda x: (lambda a: a if x else 'b')(x[3])",
        "lambda x: len((x[5], x))",
        "lambda x: (x[5],) == (x,)",
        "lambda x: x[5] is None",
        "lambda x: x[5] in ()",
        "lambda x: any([w[0] == 'a' for w in x.split(',')])",
        "lambda x: '{0}'.format(x, x[3])",
    ],
    Code.FORMAT: [
        "lambda x: f'{x:>10}'",
        "lambda x: f'{x!r}'",
        "lambda x: f'{len(x):05d}'",
        "lambda x: f'{len(x):{len(x)}}'",
        "lambda x: f'{x:d}'",
        "lambda x: f'{len(x):s}'",
        "lambda x: '%5d' % len(x)",
        "lambda x: '%r' % x",
        "lambda x: '%d' % x",
        "lambda x: '%(a)s' % x",
        "lambda x: '50%' % x",
        "lambda x: '{a}'.format(x)",
        "lambda x: '{0[0]}'.format(x)",
        "lambda x: '{} {0}'.format(x)",
        "lambda x: '{:>5}'.format(x)",
    ],
    Code.SURROGATE: [
        "lambda x: x + '\\ud800'",
        "lambda x: x == '\\udfff'",
        "lambda x: '\\ud83d' in x",
    ],
    Code.INT_RANGE: ["lambda x: len(x) + 9223372036854775807"],
    Code.FLOAT_TEXT_FORM: [
        "lambda x: str(len(x) / 2)",
        "lambda x: f'{1.5}'",
        "lambda x: '%s' % 0.1",
    ],
    Code.JSON_SHAPE: ["lambda x: json.loads(x)"],
}


@pytest.mark.parametrize("code", REFUSED, ids=lambda code: code.name)
def test_refused(code: Code) -> None:
    refuse(TEXT, code, *REFUSED[code])


def test_refused_as_records_of_flat_map() -> None:
    refuse(TEXT, Code.TYPE, "lambda x: x", "lambda x: len(x)", "len", purpose="flat_map")
    refuse(TEXT, Code.TYPE, "lambda x: [map(len, x.split())]", purpose="flat_map")
    refuse(TEXT, Code.MIXED_TYPES, "lambda x: (x, 1)", purpose="flat_map")
    refuse(TEXT, Code.ALWAYS_RAISES, "lambda x: []", purpose="flat_map")


def test_refused_pairs() -> None:
    refuse(TEXT_PAIR, Code.TYPE, "lambda x: x[0] + x", "lambda x: x['a']", "lambda x: x.a")
    refuse(TEXT_PAIR, Code.ARGUMENTS, "lambda x: x[0].split(x[1])", "lambda x: x[0].strip(x[1])")
