"""A job that has no proven form in Structured Streaming.

## What

With `--target structured`, `migrate` rewrites a job as plain Structured Streaming if every step of
it has a form that gives the same output for every batch. This job has a step without such a form;
the finding names the first one. The job stays on `dstream_compat` as a whole.

## Why it matters

The job runs, as it does with `--target compat`. It keeps its RDDs, so it runs neither on Spark
Connect nor on serverless platforms.

## Before

```python
counts = words.glom().map(len)
```

## After

```python
counts = words.glom().map(len)
```

## Fix safety

There is no fix. If the job would change in a known way only, `--unsafe-fixes` rewrites it; the
finding says what differs.

## By hand

Nothing has to be done. To free the job, replace the step that is named with one that has a form,
and run `migrate` again.
"""

from collections.abc import Iterator

from migrator.model.report import Finding, Severity
from migrator.model.structured_events import NoStructuredForm
from migrator.rules.base import Rule

rule = Rule("D860", "no-structured-form", Severity.INFO, effort=0)


@rule.on(NoStructuredForm)
def job(event: NoStructuredForm) -> Iterator[Finding]:
    """Report a job that stays on this package."""
    advice = "nothing to do: the job runs on dstream_compat"
    if event.code == "BROKERS":
        advice = "--kafka-brokers HOST:9092 rewrites it, if no later step is in the way"
    elif event.code == "JSON_SHAPE" and not event.unsafe:
        shape = event.shape or "KEY TYPE, ..."
        advice = (
            f"--unsafe-fixes with --json-shape '{shape}' rewrites it, if no later step is in the "
            "way"
        )
    elif event.unsafe:
        advice = f"--unsafe-fixes rewrites it; then {'; '.join(event.unsafe)}"
    yield rule.finding(event, f"stays on dstream_compat: {event.text} [{event.code}]", advice)
