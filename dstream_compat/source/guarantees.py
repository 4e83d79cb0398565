"""What each source promises; the tables of the documentation are written from here."""

from __future__ import annotations

from typing import Final, NamedTuple


class Guarantee(NamedTuple):
    """What a source promises in a job with a checkpoint folder that is killed at any moment.

    Parameters
    ----------
    source : str
        the function that makes the stream
    replayable : bool
        whether what no batch has taken yet is still there after a crash
    state : str
        how often state counts a record
    """

    source: str
    replayable: bool
    state: str


ONCE: Final = "exactly once"
RECEIVED: Final = (
    "once, if a batch has taken it; at least once with the write-ahead log, from its receipt on"
)

GUARANTEES: Final = (
    Guarantee("KafkaUtils.createDirectStream", True, ONCE),
    Guarantee("KafkaUtils.createStream", True, ONCE),
    Guarantee("KinesisUtils.createStream", True, ONCE),
    Guarantee("textFileStream", True, ONCE),
    Guarantee("binaryRecordsStream", True, ONCE),
    Guarantee("queueStream", True, ONCE),
    Guarantee("from_dataframe", True, "as the DataFrame's sources"),
    Guarantee("socketTextStream", False, RECEIVED),
    Guarantee("MQTTUtils.createStream", False, RECEIVED),
    Guarantee("MQTTUtils.createPairedStream", False, RECEIVED),
    Guarantee("MQTTUtils.createPickleStream", False, RECEIVED),
)
