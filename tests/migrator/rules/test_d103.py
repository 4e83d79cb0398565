"""Names without a counterpart."""

from __future__ import annotations

import pytest

from migrator.spark.names import LACKING
from tests.support.migrator.reports import codes

FIRES = [
    "from pyspark.streaming import _private\n",
    "from pyspark.streaming.context import StorageLevel\n",
    "from pyspark.streaming.kafka import KafkaTestUtils\n",
    "from pyspark.streaming.tests import StreamingTests\n",
    "import pyspark.streaming.tests\n",
    "from dstream_compat import Foo\n",
    "from dstream_compat.kafka import KafkaTestUtils\n",
    "import pyspark.streaming as st\nst.Foo\n",
    "import pyspark.streaming\npyspark.streaming.Foo()\n",
]
SILENT = [
    "from pyspark.streaming.dstream import DStream, TransformedDStream\n",
    "from pyspark.streaming.util import rddToFileName, TransformFunction\n",
    "from pyspark.streaming import StreamingContext, DStream, StreamingListener, kafka\n",
    "from pyspark.streaming.kafka import KafkaUtils, OffsetRange, TopicAndPartition, Broker\n",
    "from pyspark.streaming.kafka import KafkaMessageAndMetadata, utf8_decoder\n",
    "from pyspark.streaming.kafka import KafkaDStream, KafkaTransformedDStream\n",
    "import pyspark.streaming.kafka\npyspark.streaming.kafka.KafkaRDD\n",
    "from pyspark.streaming.kinesis import KinesisUtils, InitialPositionInStream, MetricsLevel\n",
    "from pyspark.streaming.dstream import DStream\n",
    "from pyspark.streaming.util import rddToFileName\n",
    "from dstream_compat import State, StateSpec, install, exceptions\n",
    "from dstream_compat.dstream import MapWithStateDStream\n",
    "from dstream_compat.exceptions import UnsupportedSourceError\n",
    "import dstream_compat.clock\n",
    "from pyspark.streaming.listener import StreamingListener\n",
    "import pyspark.streaming as st\nst.kafka.KafkaUtils\n",
    "st = 1\nimport pyspark.streaming as st2\nst.Foo\n",
]


def test_what_is_only_lacking_yet_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.support.migrator.reports import report

    monkeypatch.setitem(LACKING, "kafka.Thing", "use another thing")
    finding = report("from pyspark.streaming.kafka import Thing\n").findings[0]
    assert finding.message.startswith("this version of dstream_compat has no `kafka.Thing`;")
    assert finding.advice == "use another thing, then run migrate again"


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D103" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D103" not in [c.partition(":")[2] for c in codes(source)]
