"""What a job tells its workers before the first of them starts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat.python_start.sitecustomize import STATE
from tests.support.streaming.contexts import MakeContext

pytestmark = pytest.mark.slow


@pytest.fixture
def environment(sc: SparkContext) -> Iterator[None]:
    before = sc.environment
    # jobs of other tests may have said so
    sc.environment = {name: value for name, value in before.items() if name != STATE}
    yield
    sc.environment = before


@pytest.mark.parametrize(
    ("build", "has_state"),
    [
        (lambda pairs: pairs, False),
        (lambda pairs: pairs.groupByKey(), False),
        (lambda pairs: pairs.updateStateByKey(lambda new, old: len(new)), True),
    ],
)
def test_workers_hear_of_state(
    sc: SparkContext,
    make: MakeContext,
    environment: None,
    build: Callable[[Any], Any],
    has_state: bool,
) -> None:
    ssc = make()
    build(ssc.queueStream([[("a", 1)]])).pprint()
    ssc.start()
    assert (STATE in sc.environment) is has_state
    ssc.stop(stopSparkContext=False)
