"""SQL that raises since Spark 4, where it gave NULL.

## What

The program has SQL with casts, arithmetic or conversions of dates, or casts a column to a number,
date or boolean. It is reported once for a project, at the first place; `--verbose` and the JSON
report list the others. Queries without any of that are not reported, and neither is a project of
which a file names `spark.sql.ansi.enabled`.

## Why it matters

Spark 4 switches ANSI SQL on. A cast of a text that is no number, an overflow and a division by zero
gave NULL before, and raise now: one bad record fails the batch.

## Before

```python
clicks = spark.sql("SELECT CAST(price AS INT) FROM clicks")
```

## After

```python
clicks = spark.sql("SELECT TRY_CAST(price AS INT) FROM clicks")
```

## Fix safety

There is no fix: whether bad records are to fail is for the owner to say.

## By hand

To keep the old results, set `spark.sql.ansi.enabled` to `false` in the session or with `--conf`.
Else use `try_cast`, `try_divide` and their like where a value may be bad.
"""

from migrator.model.events import AnsiUse
from migrator.model.projects import ProjectFacts
from migrator.rules.base import Findings, Rule, Severity

rule = Rule(
    "D808",
    "ansi-sql",
    Severity.WARNING,
    effort=10,
    task="check SQL under ANSI mode",
    needs_streams=True,
)

# more are counted, not listed
_LISTED = 50


@rule.with_facts(AnsiUse)
def use(event: AnsiUse, facts: ProjectFacts) -> Findings:
    """Report the first place of a project with SQL that may raise now."""
    if event is not facts.ansi:
        return
    count = len(facts.ansi_places) - 1
    more = f", as {count} other place{'s' * (count > 1)} of this project" if count else ""
    listed = facts.ansi_places[1 : _LISTED + 1]
    if count > _LISTED:
        listed = (*listed, f"and {count - _LISTED} more")
    yield rule.finding(
        event,
        f"`{event.text}` raises since Spark 4 where it gave NULL{more}: bad casts, overflows, "
        "division by zero",
        "set spark.sql.ansi.enabled=false, or use try_cast and its like",
        evidence=listed,
    )
