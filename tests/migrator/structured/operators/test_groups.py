"""Which functions of groups become aggregations."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.structured.udf_jobs import job

DEFINED = """
def total(values):
    found = 0
    for n in values:
        found += n
    return found

"""
AGGREGATES = {
    "mapValues(len)": ".count()",
    "mapValues(lambda v: sum(1 for _ in v))": ".count()",
    "mapValues(lambda v: len([n for n in v]))": ".count()",
    "mapValues(sum)": "F.sum(",
    "mapValues(lambda v: sum(list(v)))": "F.sum(",
    "mapValues(lambda v: sum([n for n in v], 0))": "F.sum(",
    "mapValues(total)": "F.sum(",
    "mapValues(lambda v: total(v))": "F.sum(",
    "map(lambda pair: (pair[0], max(pair[1])))": "F.max(",
    "map(lambda pair: (pair[0], total(pair[1])))": "F.sum(",
    "mapValues(lambda v: min(v) if v else 0)": "F.min(",
    "mapValues(sorted)": "F.array_sort(",
    "mapValues(lambda v: len(set(v)))": "F.count_distinct(",
}
OTHER = [
    "mapValues(list)",
    "mapValues(set)",
    "mapValues(lambda v: max(sorted(v)))",
    "mapValues(lambda v: sorted(v, reverse=True))",
    "mapValues(lambda v: sorted(v)[0])",
    "mapValues(lambda v: sum(set(v)))",
    "mapValues(lambda v: sum(v, 0.0))",
    "mapValues(lambda v: sum(v, 1))",
    "mapValues(lambda v: sum(v) / len(v))",
    "mapValues(lambda v: len(v) if len(v) > 1 else 0)",
    "mapValues(lambda v: [n for n in v][0])",
    "map(lambda pair: (sum(pair[1]), pair[0]))",
    "map(lambda pair: sum(pair[1]))",
    "map(lambda pair: (pair[0], sum(pair[0])))",
]


def rewritten(step: str) -> Rewritten | Reason | None:
    pairs = "lines.map(lambda line: (line[:1], len(line)))"
    return rewrite(job(DEFINED, f"{pairs}.groupByKey().{step}.pprint()"), unsafe=True)


@pytest.mark.parametrize("step", AGGREGATES)
def test_an_aggregation(step: str) -> None:
    found = rewritten(step)
    assert isinstance(found, Rewritten), found
    assert AGGREGATES[step] in found.text


@pytest.mark.parametrize("step", OTHER)
def test_something_else(step: str) -> None:
    found = rewritten(step)
    assert isinstance(found, Reason)
    assert found.code == "GROUPS"
