"""Uses of streams and contexts, as reports show what was inferred."""

from __future__ import annotations

from tests.support.migrator.reports import report

HEAD = (
    "from pyspark import SparkContext\n"
    "from pyspark.streaming import StreamingContext, DStream\n"
    "from pyspark.streaming.kafka import KafkaUtils\n"
    "sc = SparkContext()\n"
    "ssc = StreamingContext(sc, 1)\n"
)


def receivers(source: str, name: str) -> list[str]:
    """Receiver and confidence of every use of a name, in order."""
    return [f"{s.receiver} {s.confidence}" for s in report(source).sites if s.name == name]


def test_a_name_in_a_text_has_its_place_and_its_inputs() -> None:
    source = HEAD + "s = ssc.textFileStream('x')\ngetattr(s, \"map\")(f).pprint()\n"
    sites = {s.name: s for s in report(source).sites}
    assert (sites["map"].at.line, sites["map"].at.column) == (7, 13)
    assert [o.at for o in sites["map"].inputs] == [sites["textFileStream"].at]
    assert [o.at for o in sites["pprint"].inputs] == [sites["map"].at]


def test_contexts_and_threads_are_distinguished() -> None:
    source = HEAD + (
        "import threading\nstream = StreamingContext(sc, 1)\nt = threading.Thread()\n"
        "for x in (t, q):\n    x.start()\nstream.start()\nt.start()\nt.join()\nstream.stop()\n"
    )
    assert receivers(source, "start") == ["StreamingContext proven"]
    assert receivers(source, "join") == []
    assert receivers(source, "stop") == ["StreamingContext proven"]


def test_the_ways_to_structured_streaming_and_back() -> None:
    found = report(
        """
        from dstream_compat import DStream, StreamingContext
        ssc = StreamingContext(sc, 1)
        lines = DStream.from_dataframe(spark.readStream.load())
        lines.map(str).to_dataframe("value string")
        ssc.start()
        """
    )
    sites = {s.name: (s.receiver, s.confidence.value) for s in found.sites}
    assert sites["map"] == sites["to_dataframe"] == ("DStream", "proven")
    # it is an output
    assert {f.code for f in found.findings} & {"D301", "D501", "D502"} == set()


def test_sites_point_at_the_name_in_a_long_chain() -> None:
    source = HEAD + "(ssc.textFileStream('x')\n   .map(f)\n   .pprint())\n"
    places = {s.name: (s.at.line, s.at.column) for s in report(source).sites}
    assert places["textFileStream"] == (6, 6)
    assert places["map"] == (7, 5)
    assert places["pprint"] == (8, 5)


IMITATION = (
    HEAD + "class Impl:\n    def filter(self, values, name=None):\n        return Impl()\n"
    "class Frame:\n    def __init__(self, impl=None):\n        self._impl = impl or Impl()\n"
    "    def filter(self, values, name):\n        return Frame(self._impl.filter({}))\n"
    "def wrap(stream):\n    if isinstance(stream, DStream):\n        return Frame(stream)\n"
)


def test_a_class_that_imitates_the_api_is_no_stream() -> None:
    # what does not fit the API's method
    assert receivers(IMITATION.format("values, name, True"), "filter") == []
    assert receivers(IMITATION.format("values=values"), "filter") == []
    # what fits may be one
    assert receivers(IMITATION.format("values"), "filter") == ["DStream probable"]
    # what nothing else can be is a wrong call of the API
    alone = HEAD + "ssc.textFileStream('x').filter(values, name, True)\n"
    assert receivers(alone, "filter") == ["DStream proven"]
