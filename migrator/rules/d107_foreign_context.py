"""Streaming contexts that code outside of the project makes.

## What

The program uses a StreamingContext that it is given: by a decorator or base class of a framework,
or by a function of another package. Nothing in the project makes one.

## Why it matters

That code makes PySpark's own context, whatever is rewritten here. The job runs on Spark's DStreams
then, as long as there are any, and streams of `dstream_compat` cannot be mixed with its own.

## Before

```python
@streaming_job("clicks")
def clicks(ssc):
    ssc.socketTextStream("localhost", 9999).pprint()
```

## After

```python
def clicks(ssc):
    ssc.socketTextStream("localhost", 9999).pprint()

ssc = StreamingContext(SparkContext.getOrCreate(), 5)
clicks(ssc)
ssc.start()
ssc.awaitTermination()
```

## Fix safety

There is no fix: the code that makes the context is not here.

## By hand

Migrate the code that makes the context, too, and give both to `migrate` together. Where that is not
possible, make the context in the job. `dstream_compat.install()`, called before the framework is
imported, gives `pyspark.streaming` the classes of `dstream_compat`.
"""

from migrator.model.events import ForeignContext
from migrator.model.projects import ProjectFacts
from migrator.rules.base import Findings, Rule, Severity

rule = Rule(
    "D107", "foreign-context", Severity.ERROR, effort=30, task="migrate what makes the context"
)


@rule.with_facts(ForeignContext)
def context(event: ForeignContext, facts: ProjectFacts) -> Findings:
    """Report that a job is given its context by code that is not seen."""
    if not (facts.may_make_context if event.by_others else facts.makes_context):
        yield rule.finding(
            event,
            f"`{event.name}` is made outside of this project: it is still PySpark's context",
            "migrate the code that makes it, too, or make the context here",
        )
