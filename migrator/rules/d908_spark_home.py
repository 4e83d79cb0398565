"""An old Spark that a program or command names by its folder.

## What

`findspark.init("/opt/spark-2.4.4")`, `SPARK_HOME`, an entry of `sys.path` or `PYTHONPATH` with
Spark's Python folder or its Py4J, the path of a `spark-submit`, `spark2-submit`, or
`SPARK_MAJOR_VERSION` names a Spark. It is reported where that Spark is older than Spark 4, or where
its version is not to be seen, in projects with DStream code only, there also in programs that only
start jobs. What names a Spark 4, and homes of Kafka and Hadoop, are not.

## Why it matters

PySpark starts the Spark of `SPARK_HOME`, whatever its own version is, and Python imports PySpark
and Py4J from the first folder of its path that has them. With an old one the job fails.
`dstream_compat` needs the PySpark that pip has installed, which brings its Spark.

## Before

```python
import findspark
findspark.init("/opt/spark-2.4.4-bin-hadoop2.7")
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
```

## After

```python
from pyspark import SparkContext
from dstream_compat import StreamingContext
```

## Fix safety

Safe where a version older than 4 stands in the path, in the name of Py4J's archive, or where the
platform has no newer one (`/usr/hdp`). In a program, calls of `findspark.init`, assignments to
`os.environ[...]`, and `append` and `insert` of `sys.path` that name an old Spark are dropped
together, with the import of findspark; names of paths and imports of `os` or `sys` stay. In a
script, lines that only export `SPARK_HOME`, or a `PYTHONPATH` of the old Spark, are dropped.
Nothing is dropped if something else reads `SPARK_HOME`, such as a command that begins with it, or
if the statement does more than that.

Unsafe, with `--unsafe-fixes` only, where a program names a path without a version, such as
`/usr/local/spark`: a Spark 4 there would not be used either. Unsafe, too, is a fix that drops
`findspark.init` from a program that names a cluster and no `PYSPARK_PYTHON`: the call sets it to
the driver's Python.

There is no fix for what else names a Spark: commands, Dockerfiles, Makefiles, YAML, JSON, magics of
notebooks, strings that programs hand on, or in Python 2. With `--submit dstream-compat`, D907
rewrites the commands, and with them nothing needs `SPARK_HOME` any more.

## By hand

Drop what names the Spark, and install `pyspark>=4.1,<5`. If a Spark 4 has to be named, let
`SPARK_HOME` be the folder of one with PySpark's version. `findspark.init()` without a path takes
the Spark of `SPARK_HOME`, or one in `/usr/local/spark`, `/usr/lib/spark` or `/opt/spark`, before
that of PySpark; it is a note.
"""

from migrator.model.events import SparkHome
from migrator.model.projects import ProjectFacts
from migrator.rules.base import Category, Findings, Fix, Rule, Safety, Severity

rule = Rule(
    "D908",
    "spark-home",
    Severity.ERROR,
    effort=5,
    safety=Safety.SAFE,
    other_safety=Safety.UNSAFE,
    task="drop an old Spark",
    needs_streams=True,
)

_ADVICE = "drop it: dstream_compat runs on the Spark that the installed PySpark brings"
_COMMAND = "name the spark-submit that the installed PySpark brings"
_UNKNOWN = "drop it, or let it name a Spark of the version of the installed PySpark"


@rule.with_facts(SparkHome, "findspark", "variable", "path", "command", "setting")
def home_by_name(event: SparkHome, facts: ProjectFacts) -> Findings:
    """Report that a Spark is named, which is old or may be."""
    problem = f"names {event.spark}" if event.is_old else "names a Spark whose version is not seen"
    yield rule.finding(
        event,
        f"`{event.text}` {problem}; dstream_compat needs Spark 4",
        _COMMAND if event.what == "command" else _ADVICE if event.is_old else _UNKNOWN,
        fix=fix(event, facts),
    )


rule.reports(
    SparkHome,
    "search",
    message="`{event.text}` takes the Spark of SPARK_HOME or of the usual folders before PySpark's",
    advice="",
    details=("it looks in /usr/local/spark, /usr/lib/spark and /opt/spark",),
    severity=Severity.INFO,
    effort=0,
    category=Category.NOTE,
)


def fix(event: SparkHome, facts: ProjectFacts) -> Fix | None:
    """Return what names the Spark is dropped, unless the file reads `SPARK_HOME` afterwards."""
    if not event.edits or (event.unsets and facts.path in facts.home_readers):
        return None
    safety = Safety.UNSAFE if event.caveat else Safety.SAFE
    caveat = f"; {event.caveat}" if event.caveat else ""
    return Fix(safety, event.edits, f"`{event.text}` is dropped{caveat}", after=event.after)
