"""Loops that yield or append give what Python gives."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from dstream_compat.native.refusals import Code
from tests.support.native import compare, flat_maps, maps, refuse
from tests.support.native_values import WORDS

LOOPS = [
    *flat_maps(
        "def f(x):\n for w in x[0]:\n  yield w",
        "def f(x):\n for w in x[0]:\n  if w:\n   yield w",
        "def f(x):\n for w in x[0]:\n  if not w:\n   continue\n  yield (w, len(w))",
        "def f(x):\n for w in x[0]:\n  if w.endswith('a'):\n   yield (w[:-1], None)\n"
        "  else:\n   yield (w, 1)",
        "def f(x):\n for n in x[1]:\n  if n > 3:\n   yield n\n  elif n < -3:\n   yield -n",
        "def f(x):\n for n in x[1]:\n  m = n % 7\n  if m == 2:\n   yield (m, n)",
        "def f(x):\n if not x[0]:\n  return\n for w in x[0]:\n  yield w + '!'",
        "def f(x):\n if x[0]:\n  yield x[0][0]\n else:\n  yield ''",
        "def f(x):\n yield len(x[0])",
        "def f(x):\n yield from x[0]",
        "def f(x):\n words = [w.strip() for w in x[0]]\n for w in words:\n  yield w",
        "def f(x):\n for w in x[0]:\n  for_a = w.split('a')\n  yield for_a[0]",
        "def f(x):\n for w in x[0]:\n  if w[0] == 'a':\n   yield w",
        "def f(x):\n found = []\n for w in x[0]:\n  if w:\n   found.append(w)\n return found",
        "def f(x):\n found = []\n for n in x[1]:\n  found.append((n, n + 1))\n return found",
        "def f(x):\n found = []\n for w in x[0]:\n  if len(w) < 2:\n   continue\n"
        "  found.append(w)\n return found + ['end']",
    ),
    *maps(
        "def f(x):\n found = []\n for n in x[1]:\n  if n > 0:\n   found.append(n)\n"
        " return len(found), found",
        "def f(x):\n parts = []\n for w in x[0]:\n  parts.append(w.strip())\n"
        " return ','.join(parts)",
    ),
]

REFUSED = {
    Code.SYNTAX: [
        "def f(x):\n for w in x[0]:\n  yield w\n  yield w",
        "def f(x):\n for w in x[0]:\n  yield w\n yield 'end'",
        "def f(x):\n for w in x[0]:\n  for v in x[0]:\n   yield w + v",
        "def f(x):\n for w in x[0]:\n  if w:\n   break\n  yield w",
        "def f(x):\n for w in x[0]:\n  yield w\n else:\n  yield ''",
        "def f(x):\n for x in x[0]:\n  yield x",
        "def f(x):\n n = 0\n for w in x[0]:\n  n = n + 1\n  yield n",
        "def f(x):\n for w in x[0]:\n  pass",
        "def f(x):\n found = []\n for w in x[0]:\n  if w not in found:\n   found.append(w)\n"
        " return found",
        "def f(x):\n found = []\n other = found\n for w in x[0]:\n  found.append(w)\n return other",
        "def f(x):\n found = ['a']\n for w in x[0]:\n  found.append(w)\n return found",
        "def f(x):\n found = []\n for w in x[0]:\n  found.append(w)\n  found.append(w)\n"
        " return found",
        "def f(x):\n n = 0\n for w in x[0]:\n  n += 1\n return [n]",
        "def f(x):\n while x:\n  yield 1",
    ],
    Code.EVALUATION: [
        "def f(x):\n for w in x[0]:\n  first = w[0]\n  if len(w) > 2:\n   yield first",
        "def f(x):\n for w in x[0]:\n  first = w[0]\n  yield w",
        "def f(x):\n found = []\n for w in x[0]:\n  found.append(w[0])\n return [1]",
    ],
    Code.MIXED_TYPES: ["def f(x):\n for w in x[0]:\n  if w:\n   yield w\n  else:\n   yield 1"],
    Code.TYPE: ["def f(x):\n for c in x:\n  yield c"],
    Code.SIDE_EFFECT: [
        "def f(x):\n found = []\n for w in x[0]:\n  found.append(w)\n found.append('')\n"
        " return found"
    ],
}


@pytest.mark.slow
def test_loops(spark: SparkSession) -> None:
    compare(spark, WORDS, LOOPS)


@pytest.mark.parametrize("code", REFUSED)
def test_refused_loops(code: Code) -> None:
    sources = REFUSED[code]
    refuse(WORDS, code, *sources, purpose="flat_map")


def test_a_generator_is_read_once() -> None:
    refuse(WORDS, Code.TYPE, "def f(x):\n for w in x[0]:\n  yield w", purpose="map")
    refuse(WORDS, Code.TYPE, "def f(x):\n for w in x[0]:\n  yield w", purpose="filter")
