"""What this version of dstream_compat refuses or lacks, and what to do instead.

A version that does it takes the line out. Tests compare these tables with the runtime.
"""

from __future__ import annotations

_FLUME = "let the agent write to Kafka or to files for textFileStream, or keep the old Spark"

# functions that make streams, and classes whose constructors raise
SOURCES: dict[str, str] = {
    "FlumeUtils.createStream": _FLUME,
    "FlumeUtils.createPollingStream": _FLUME,
}

# methods of contexts and streams
METHODS: dict[str, str] = {
    "DStream.foreach": "use foreachRDD(), its newer name",
}
