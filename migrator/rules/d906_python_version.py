"""Settings and requirements that run a job with an old Python.

## What

`PYSPARK_PYTHON`, `spark.pyspark.python`, a Docker image or the `pythonVersion` of a
Kubernetes application names Python 2 or another Python that is too old, or `requires-python`,
`python_requires`, a Pipfile, poetry or conda let no Python 3.11 in, or tests run with none
(`python-version` of GitHub, `versionSpec` of `UsePythonVersion` in Azure Pipelines, `python` of
Travis CI, `envlist` and `basepython` of tox). An image may be an argument of a program
(`DockerOperator(image="python:2.7")`), and its tag may stand apart, as in the values of Helm. It is
reported only in projects with DStream code.

## Why it matters

`dstream_compat` needs Python 3.11, on the driver and on the workers. A Spark that `--spark` names
needs Python 3.7 (3.3, 3.4), 3.8 (3.5), 3.9 (4.0) or 3.11.

## Before

```dockerfile
FROM python:2.7-slim
```

## After

```dockerfile
FROM python:3.11-slim
```

## Fix safety

Safe for what asks for a Python to install: `FROM python:2.7` and `image: python:2.7` (also `-slim`,
`-alpine` and names of Debian from Buster on), `requires-python`, `python_requires`, a Pipfile,
poetry, conda, a `python-version` of GitHub and a `versionSpec` then name 3.11. There is no fix for
settings that name a Python of the machines, such as `PYSPARK_PYTHON`, `basepython` and
`pythonVersion`, since which ones they have is not known, nor for lists of versions and images of
others.

## By hand

Name a Python of version 3.11 or later. D001 lists the files that are still Python 2.
"""

import re

from migrator.model.events import Requirement
from migrator.model.projects import ProjectFacts
from migrator.rules.base import Findings, Rule, Safety, Severity
from migrator.rules.package_edits import python_fix
from migrator.spark.since import version_name
from migrator.spark.versions import Target, excludes

# one version, not a range
_PYTHON2 = re.compile(r"\D*2[\d.*]*")
_IMAGE = re.compile(r"FROM[ \t]|image=")
_PROGRAM = re.compile(r"(?<![\w*.-])[\w-]+\.(?:py|ipynb)\b")

rule = Rule(
    "D906", "python-version", Severity.ERROR, effort=5, safety=Safety.SAFE, task="name Python 3.11"
)


@rule.with_facts(Requirement, "python")
def version(event: Requirement, facts: ProjectFacts) -> Findings:
    """Report that a version of Python is required."""
    target = facts.target
    oldest = version_name(target.python)
    if not facts.programs or not excludes(event.version, target.python):
        return
    problem = f"lets no Python {oldest} in, which {target.what_needs_it} needs"
    if _PYTHON2.fullmatch(event.version):
        problem = f"is Python 2; {target.what_needs_it} needs Python {oldest} or later"
    yield rule.finding(
        event,
        f"`{event.text}` {problem}",
        _advice(target),
        fix=None if _is_for_others(event, facts.programs) else python_fix(event, target),
        task=f"name Python {version_name(target.named_python)}",
    )


def _advice(target: Target) -> str:
    named = version_name(target.named_python)
    return f"name a Python {named}" + (" or later" if target.runs_compat else "")


def _is_for_others(event: Requirement, programs: frozenset[str]) -> bool:
    """Return whether the image with a Python is seen to run programs without DStreams only."""
    if event.around is None or not _IMAGE.match(event.text):
        return False
    named = {name for name in _PROGRAM.findall(event.around.text) if name != "setup.py"}
    return bool(named) and not named & programs
