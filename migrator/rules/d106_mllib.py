"""Streaming models of `pyspark.mllib`.

## What

The program uses a streaming model of `pyspark.mllib`. These check that what they are given is a
`DStream` of `pyspark.streaming`, the class they imported themselves.

## Why it matters

`trainOn` and `predictOn` raise `TypeError: dstream should be a DStream object` for a stream of
`dstream_compat`.

## Before

```python
from pyspark.mllib.clustering import StreamingKMeans
```

## After

```python
import dstream_compat

dstream_compat.install()
from pyspark.mllib.clustering import StreamingKMeans
```

## Fix safety

There is no fix: `install()` acts on the whole process and has to come before every import of
`pyspark.mllib`.

## By hand

Call `dstream_compat.install()` first in the main program, or start it with
`python -m dstream_compat run job.py`.
"""

from collections.abc import Iterator

from migrator.model.events import ImportedName
from migrator.model.report import Finding, Severity
from migrator.rules.base import Rule

rule = Rule("D106", "mllib-streaming-model", Severity.WARNING, effort=10)


@rule.on(
    ImportedName,
    "pyspark.mllib.clustering.StreamingKMeans",
    "pyspark.mllib.regression.StreamingLinearAlgorithm",
    "pyspark.mllib.regression.StreamingLinearRegressionWithSGD",
    "pyspark.mllib.classification.StreamingLogisticRegressionWithSGD",
)
def model(event: ImportedName) -> Iterator[Finding]:
    """A streaming model is imported."""
    name = event.path.rpartition(".")[2]
    yield rule.finding(
        event,
        f"{name} takes only streams of the class that pyspark.mllib imported itself",
        "call dstream_compat.install() before pyspark.mllib is imported",
    )
