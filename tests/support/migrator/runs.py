"""A job, and the result of a run of the command line over a tree."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

JOB = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(), 1)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
"""


@dataclass
class Run:
    """The result of a run of the command line."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)
