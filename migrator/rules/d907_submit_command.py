"""`spark-submit` of a job that `dstream_compat` can submit.

## What

A command starts a file with DStream code with `spark-submit`. It is looked for with
`--submit dstream-compat` only.

## Why it matters

`python -m dstream_compat submit` takes the options of `spark-submit`, and adds what a job needs:
the package itself, for the workers too, and Spark's Kafka connector. With it, even an unchanged
file runs on Structured Streaming.

## Before

```shell
spark-submit --master yarn job.py
```

## After

```shell
python -m dstream_compat submit --master yarn job.py
```

## Fix safety

Safe, with `--submit dstream-compat`: only the name of the command changes, in shell scripts,
Dockerfiles, Makefiles, YAML, JSON and texts, and only where the command names a file with DStream
code. The `python` that runs it needs `dstream_compat`. Commands in programs and notebooks, those
whose job is in a variable, and `ExecStart=` of systemd units, which does not search the `PATH` of a
virtual environment, stay.

## By hand

Write `python -m dstream_compat submit` in the place of `spark-submit`.
"""

from migrator.model.events import SubmitCommand
from migrator.rules.base import Fix, Rule, Safety, Severity

rule = Rule(
    "D907",
    "submit-command",
    Severity.INFO,
    effort=1,
    safety=Safety.SAFE,
    option="--submit dstream-compat",
    task="use dstream_compat submit",
)


def _fix(event: SubmitCommand) -> Fix:
    """Return the fix: another command takes the options and the job."""
    return Fix(Safety.SAFE, (event.edit,), f"`{event.job}` is started with dstream_compat submit")


rule.reports(
    SubmitCommand,
    message="`{event.job}` is started with spark-submit",
    advice="start it with `python -m dstream_compat submit`",
    fix=_fix,
)
