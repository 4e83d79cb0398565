"""What becomes of `spark.streaming.*` settings.

## What

The key is one that Spark Streaming knows. The message says what becomes of it: it is honoured, it
has no effect, or something else takes its place.

- D701: `receiver.writeAheadLog.*` and `driver.writeAheadLog.*` made what receivers had taken
  survive a crash.
- D702: `backpressure.*` let Spark lower the rate of receivers and of direct Kafka streams when
  batches were late.
- D703: `receiver.maxRate` and `kafka.maxRatePerPartition` bounded how many records a second each
  receiver or each Kafka partition gave.
- D704: all other keys.

## Why it matters

- D701: with `spark.streaming.receiver.writeAheadLog.enable` and a checkpoint folder,
  `dstream_compat` logs what sockets and MQTT deliver before it enters a batch, so nothing that was
  received is lost (at least once, as before). Kafka, Kinesis and files can be read again and need
  no log. The message says for each job which of the two it is. The other keys tuned a log of
  Spark's and have no effect. Logs of the old job are not read: what is in them when you switch has
  to be processed by the old job first.
- D702: `dstream_compat` does the same, with the same estimator, for sockets, MQTT, Kinesis and
  Kafka.
- D703: `dstream_compat` honours both. A micro-batch that carries several late intervals may take
  several times as much. The remaining keys (`kafka.minRatePerPartition`, `raw.maxBlockSizeBytes`)
  have no effect: those are the ones that ask for a decision.
- D704: a key without effect is harmless but misleads whoever reads it next. A key that is replaced
  may have to be set under its new name.

## Before

```properties
spark.streaming.receiver.writeAheadLog.enable       true
spark.streaming.receiver.writeAheadLog.maxFailures  5
spark.streaming.backpressure.enabled                true
spark.streaming.receiver.maxRate                    500
spark.streaming.kafka.minRatePerPartition           10
spark.streaming.blockInterval                       100ms
spark.streaming.unpersist                           true
```

## After

```properties
spark.streaming.receiver.writeAheadLog.enable       true
spark.streaming.backpressure.enabled                true
spark.streaming.receiver.maxRate                    500
spark.streaming.blockInterval                       100ms
```

## Fix safety

There is no fix: settings files are not edited.

## By hand

- D701: stop the old job gracefully (`stopGraceFully=True`) so that its logs are drained, and give
  the new job a new checkpoint directory.
- D702: nothing has to be done.
- D703: remove keys without effect. Watch the first batches after the switch, which may have a
  backlog to read.
- D704: remove keys without effect when the old job is gone, and set the replacements that you need.
"""

from migrator.model.events import Setting
from migrator.model.projects import JobSources, ProjectFacts, is_receiver_log
from migrator.rules.base import Category, Finding, Findings, Rule, Severity
from migrator.spark.settings import SETTINGS, is_harmless

SUBJECT = "Settings"
_LOG = Rule("D701", "write-ahead-log", Severity.WARNING, effort=15, task="drain the old job")
_BACKPRESSURE = Rule("D702", "backpressure", Severity.INFO, effort=0, category=Category.NOTE)
_RATE = Rule("D703", "rate-limit", Severity.WARNING, effort=10, task="bound the rate elsewhere")
_OTHERS = Rule("D704", "streaming-setting", Severity.WARNING, effort=5, task="review a setting")
rules = (_LOG, _BACKPRESSURE, _RATE, _OTHERS)

_WHERE = "sockets and MQTT log what they receive in the checkpoint folder"
_ADVICE = "drain the old job before the switch, and start with a new checkpoint directory"


@_LOG.with_facts(Setting, "write-ahead-log")
def report_log(event: Setting, facts: ProjectFacts) -> Findings:
    """Report that a key of the write-ahead log is set, and what the log of receivers does."""
    # a setting in a program is its own; one in a file of settings is that of all jobs
    jobs = [job for job in facts.jobs if job.path == facts.path] or facts.jobs
    details = (_WHERE, *map(_effect, jobs)) if is_receiver_log(event) else ()
    yield _finding(_LOG, event, _ADVICE, details)


def _effect(job: JobSources) -> str:
    """Return what the log means for the sources of a file."""
    if job.logged:
        return (
            f"{job.path} ({', '.join(job.logged)}): dstream_compat logs what it receives and "
            "processes it at least once"
        )
    return f"{job.path} ({', '.join(job.repeatable)}): needs no log, its sources can be read again"


def _finding(rule: Rule, event: Setting, advice: str, details: tuple[str, ...] = ()) -> Finding:
    """Return the finding for a known setting: a harmless value asks for nothing."""
    fact = SETTINGS[event.name]
    value = "" if event.value is None else f"={event.value}"
    needs_review = not is_harmless(event.name, event.value)
    return rule.finding(
        event,
        f"{event.name}{value}: {fact.effect}; {fact.note}",
        (fact.advice or advice) if needs_review else "",
        severity=None if needs_review else Severity.INFO,
        effort=None if needs_review else 0,
        category=None if needs_review else Category.NOTE,
        details=details,
    )


def _report(rule: Rule, group: str, advice: str) -> None:
    @rule.on(Setting, group)
    def setting(event: Setting) -> Findings:
        yield _finding(rule, event, advice)


_report(_BACKPRESSURE, "backpressure", "set a limit of the source")
_report(
    _RATE,
    "rate-limit",
    "check that the job does without; bound the rate where the records come from",
)
_report(_OTHERS, "other", "move to what replaces it if you need its effect")
