"""Streaming models of `pyspark.mllib`.

## What

The program uses a streaming model of `pyspark.mllib`. These check that what they are given is a
`DStream` of `pyspark.streaming`.

## Why it matters

It runs as before: streams of `dstream_compat` pass that check, and each batch is predicted with the
model of the batches before it. Structured Streaming has no such models, so this is what has to
change before the job can leave DStreams for good.

## Before

```python
from pyspark.mllib.clustering import StreamingKMeans

model = StreamingKMeans(k=2, decayFactor=1.0).setRandomCenters(3, 1.0, 0)
model.trainOn(points)
```

## After

```python
from pyspark.ml.clustering import KMeans

points.writeStream.foreachBatch(lambda df, batch: KMeans(k=2).fit(df).save(path(batch))).start()
```

## Fix safety

There is no fix.

## By hand

Nothing has to be done to run the job with `dstream_compat`: its import of the model stays, and so
do the calls.
"""

from migrator.model.events import ImportedName
from migrator.rules.base import Category, Findings, Rule, Severity
from migrator.spark.api import MODELS

rule = Rule("D106", "mllib-streaming-model", Severity.INFO, effort=0, category=Category.NOTE)


@rule.on(ImportedName, *MODELS)
def model(event: ImportedName) -> Findings:
    """Report that a streaming model is imported."""
    name = event.path.rpartition(".")[2]
    yield rule.finding(
        event,
        f"{name} takes the streams of dstream_compat: it runs as before",
        "Structured Streaming has no such model; pyspark.ml can train one in foreachBatch",
    )
