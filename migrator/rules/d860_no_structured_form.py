"""A job that has no proven form in Structured Streaming.

## What

With `--target structured`, `migrate` rewrites a job as plain Structured Streaming if every step of
it has a form that gives the same output for every batch. Else the code of its batches may stay as
it is, in the function of a batch. This job has neither form, and stays on `dstream_compat` as a
whole. Each step without a form has a finding, as far as the steps before it can be read; the
finding says with which option the step has a form.

## Why it matters

The job runs, as it does with `--target compat`. It keeps its RDDs, so it runs neither on Spark
Connect nor on serverless platforms.

## Before

```python
events = FlumeUtils.createStream(ssc, "localhost", 4141)
```

## After

```python
events = FlumeUtils.createStream(ssc, "localhost", 4141)
```

## Fix safety

There is no fix. If the job would change in a known way only, `--unsafe-fixes` rewrites it; the
finding says what differs.

## By hand

Nothing has to be done, unless `--spark` names a Spark before 4.1: `dstream_compat` does not run
there, so the job is left as it was. To free the job, replace the steps that are named with some
that have a form, and run `migrate` again. A step with `[SPARK]` has a form with the later version
in `--spark`, and maybe without `--portable`.
"""

from migrator.model.events import NoStructuredForm
from migrator.model.projects import ProjectFacts
from migrator.rules.base import Findings, Rule, Severity

# where the job stays as it is
_MINUTES = 60

rule = Rule("D860", "no-structured-form", Severity.INFO, effort=0)


@rule.with_facts(NoStructuredForm)
def job(event: NoStructuredForm, facts: ProjectFacts) -> Findings:
    """Report a step for which a job stays on this package, or as it is."""
    target = facts.target
    steps = f"{event.others} other step{'' if event.others == 1 else 's'}"
    rest = f"gives this step a form, but not {steps}" if event.others else "rewrites it"
    advice = "nothing to do: the job runs on dstream_compat"
    if not target.runs_compat:
        advice = "write the step in another way, or give the job a Spark 4.1 for dstream_compat"
    if event.unsafe:
        advice = f"--unsafe-fixes rewrites it; then {'; '.join(event.unsafe)}"
    elif event.option == "--kafka-brokers":
        advice = f"--kafka-brokers HOST:9092 {rest}"
    elif event.option == "--json-shape":
        shape = event.shape or "KEY TYPE, ..."
        advice = f"--unsafe-fixes with --json-shape '{shape}' {rest}, if its uses agree with it"
    elif event.option:
        advice = f"{event.option} {rest}"
    if target.runs_compat:
        message = f"stays on dstream_compat: {event.text} [{event.code}]"
        yield rule.finding(event, message, advice, task=event.code)
        return
    message = f"stays as it is on Spark {target.spark_name}: {event.text} [{event.code}]"
    yield rule.finding(
        event, message, advice, task=event.code, severity=Severity.WARNING, effort=_MINUTES
    )
