"""Write-ahead log of receivers and of the driver.

## What

`spark.streaming.receiver.writeAheadLog.*` and `spark.streaming.driver.writeAheadLog.*` made what
receivers had taken survive a crash.

## Why it matters

This version of `dstream_compat` has no such log yet. With a checkpoint, records that have entered a
micro-batch are on disk until it is done; records that were only received are lost when the process
dies. Nor are logs of the old job read: what is in them when you switch has to be processed by the
old job first.

## Before

```properties
spark.streaming.receiver.writeAheadLog.enable       true
spark.streaming.receiver.writeAheadLog.maxFailures  5
```

## After

The same lines, without effect; or neither of them.

## Fix safety

There is no fix: settings files are not edited.

## By hand

Stop the old job gracefully (`stopGraceFully=True`) so that its logs are drained, give the new job
a new checkpoint directory. A job that must not lose a record should read from something that can be
read again, such as files.
"""

from collections.abc import Iterator

from migrator.events import Setting
from migrator.model import Finding, Severity
from migrator.rules.base import Rule
from migrator.rules.settings_text import setting_finding

rule = Rule("D701", "write-ahead-log", Severity.WARNING, effort=15)


@rule.on(Setting, "write-ahead-log")
def setting(event: Setting) -> Iterator[Finding]:
    """A key of the write-ahead log is set."""
    yield setting_finding(
        rule,
        event,
        "drain the old job before the switch, start with a new checkpoint directory, and read from "
        "files if no record may be lost",
    )
