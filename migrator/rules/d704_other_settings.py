"""Other `spark.streaming.*` settings.

## What

The key is one that Spark Streaming knows. The message says what becomes of it: it is honoured, it
is not honoured yet, it has no effect, or something else takes its place.

## Why it matters

A key without effect is harmless but misleads whoever reads it next. A key that is replaced may
have to be set under its new name.

## Before

```properties
spark.streaming.blockInterval  100ms
spark.streaming.unpersist      true
```

## After

```properties
spark.streaming.blockInterval  100ms
```

## Fix safety

There is no fix: settings files are not edited.

## By hand

Remove keys without effect when the old job is gone, and set the replacements that you need.
"""

from migrator.rules.base import Rule, Severity, report_settings

rule = Rule("D704", "streaming-setting", Severity.WARNING, effort=5, task="review a setting")
report_settings(rule, "other", "move to what replaces it if you need its effect")
