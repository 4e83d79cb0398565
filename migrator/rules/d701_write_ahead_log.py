"""Write-ahead log of receivers and of the driver.

## What

`spark.streaming.receiver.writeAheadLog.*` and `spark.streaming.driver.writeAheadLog.*` made what
receivers had taken survive a crash.

## Why it matters

With `spark.streaming.receiver.writeAheadLog.enable` and a checkpoint folder, `dstream_compat` logs
what sockets and MQTT deliver before it enters a batch, so nothing that was received is lost (at
least once, as before). Kafka, Kinesis and files can be read again and need no log. The message
says for each job which of the two it is. The other keys tuned a log of Spark's and have no effect.
Logs of the old job are not read: what is in them when you switch has to be processed by the old job
first.

## Before

```properties
spark.streaming.receiver.writeAheadLog.enable       true
spark.streaming.receiver.writeAheadLog.maxFailures  5
```

## After

```properties
spark.streaming.receiver.writeAheadLog.enable       true
```

## Fix safety

There is no fix: settings files are not edited.

## By hand

Stop the old job gracefully (`stopGraceFully=True`) so that its logs are drained, and give the new
job a new checkpoint directory.
"""

from migrator.model.events import Setting
from migrator.model.projects import JobSources, ProjectFacts, is_receiver_log
from migrator.rules.base import Findings, Rule, Severity, setting_finding

rule = Rule("D701", "write-ahead-log", Severity.WARNING, effort=15, task="drain the old job")

_WHERE = "sockets and MQTT log what they receive in the checkpoint folder"
_ADVICE = "drain the old job before the switch, and start with a new checkpoint directory"


@rule.with_facts(Setting, "write-ahead-log")
def setting(event: Setting, facts: ProjectFacts) -> Findings:
    """Report that a key of the write-ahead log is set, and what the log of receivers does."""
    # a setting in a program is its own; one in a file of settings is that of all jobs
    jobs = [job for job in facts.jobs if job.path == facts.path] or facts.jobs
    details = (_WHERE, *map(_effect, jobs)) if is_receiver_log(event) else ()
    yield setting_finding(rule, event, _ADVICE, details)


def _effect(job: JobSources) -> str:
    """Return what the log means for the sources of a file."""
    if job.logged:
        return (
            f"{job.path} ({', '.join(job.logged)}): dstream_compat logs what it receives and "
            "processes it at least once"
        )
    return f"{job.path} ({', '.join(job.repeatable)}): needs no log, its sources can be read again"
