"""A checkpoint that nothing needs.

## What

The job calls `ssc.checkpoint(directory)`, but has no stateful operator, no window that needs one,
and no `getOrCreate` that would ever read it. Nothing is reported where the write-ahead log of
receivers is on, which lies in that folder.

## Why it matters

It costs time and disk in every batch and gives nothing back: without `getOrCreate` the job starts
anew whatever stands there. `dstream_compat` accepts it and does the same.

## Before

```python
ssc.checkpoint("/tmp/checkpoint")
lines.pprint()
```

## After

```python
lines.pprint()
```

## Fix safety

There is no fix: the folder may be meant for a later version of the job.

## By hand

Remove the call, or create the context with `StreamingContext.getOrCreate`.
"""

from migrator.model.events import MissingFromJob
from migrator.model.projects import ProjectFacts
from migrator.rules.base import Category, Findings, Rule, Severity

rule = Rule("D401", "checkpoint-without-state", Severity.INFO, effort=5, category=Category.NOTE)


@rule.with_facts(MissingFromJob, "state")
def checkpoint(event: MissingFromJob, facts: ProjectFacts) -> Findings:
    """Report that a checkpoint directory is set; the log of receivers lies in it."""
    if facts.has_receiver_log:
        return
    yield rule.finding(
        event,
        "nothing in this job keeps state or recovers from this checkpoint",
        "remove the call, or create the context with StreamingContext.getOrCreate()",
        effort=0,
    )
