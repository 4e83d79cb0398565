"""Keys under `spark.streaming.` that Spark never had.

## What

No version of Spark reads this key: it is misspelt, or it belongs to some other program. That
includes a misspelt beginning, such as `spark.steaming.`. A key that is put together while the
program runs is reported as well.

A name counts where a key stands: in `set` or `config`, in a dict of settings, behind `--conf` or
`-D`, or as the key of a file of settings. Elsewhere it may be a topic or a metric, and is reported
only if it hardly differs from a key of Spark.

## Why it matters

Spark ignores unknown keys silently, so whoever wrote it believes in a limit or a guarantee that
the job never had.

## Before

```properties
spark.streaming.kafka.maxRatePerPartion  500
```

## After

```properties
spark.streaming.kafka.maxRatePerPartition  500
```

## Fix safety

There is no fix: correcting the key switches something on that was off until now.

## By hand

Correct or remove the key. If you correct it, treat it as a change of behaviour.
"""

from migrator.model.events import Setting
from migrator.rules.base import Category, Findings, Rule, Severity
from migrator.spark.settings import suggestion

rule = Rule(
    "D705",
    "unknown-setting",
    Severity.WARNING,
    effort=10,
    category=Category.BUG,
    task="check keys made at run time",
)


_EFFECT = "it has been without effect until now"


@rule.on(Setting, "unknown")
def report_unknown_key(event: Setting) -> Findings:
    """Report that Spark has no such key."""
    advice = "remove it, or check which program reads it"
    meant = suggestion(event.name)
    if meant is not None:
        advice = f"did you mean {meant}?"
    yield rule.finding(event, f"no Spark has the key {event.name}", advice, details=(_EFFECT,))


rule.reports(
    Setting,
    "prefix",
    message="a key that starts with {event.name} is put together at run time",
    advice="check its full names against the rules D701 to D704",
    category=Category.MIGRATION,
)
