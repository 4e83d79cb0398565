"""Sources that do not parse."""

from __future__ import annotations

import pytest

from tests.migrator.helpers import codes

FIRES = [
    'from pyspark.streaming import StreamingContext\nprint "x"\n',
    "from pyspark.streaming import StreamingContext\nf = lambda (k, v): v\n",
    "from pyspark.streaming import StreamingContext\ntry:\n    pass\nexcept E, e:\n    pass\n",
    "from pyspark.streaming import StreamingContext\ndef f(:\n",
    "from pyspark.streaming import StreamingContext\nif x:\n\ty\n        z\n",
]
SILENT = [
    'print "no streams in this Python 2 file"\n',
    "from pyspark.streaming import StreamingContext\nprint('x')\n",
    "def f(:\n",
    "",
    "# StreamingContext\n",
]


@pytest.mark.parametrize("source", FIRES[:3])
def test_python2_is_named(source: str) -> None:
    from tests.migrator.helpers import report

    finding = report(source).findings[0]
    assert "Python 2" in finding.message
    assert "fissix" in finding.advice


def test_text_of_a_broken_file_is_still_searched() -> None:
    source = (
        "from pyspark.streaming.kafka import KafkaUtils\n"
        'print "x"\n'
        'conf.set("spark.streaming.backpressure.enabled=true")\n'
        "s = KafkaUtils.createStream(ssc, zk, g, {})\n"
        "ssc._jssc\n"
        "# KafkaUtils.createStream\n"
    )
    assert codes(source) == ["2:D001", "3:D702", "4:D201", "5:D601"]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D001" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D001" not in [c.partition(":")[2] for c in codes(source)]
