"""Notebooks that cannot be read.

## What

The file ends in `.ipynb` and mentions DStreams, but it is not the JSON of a notebook.

## Why it matters

Nothing in it was analysed.

## Before

A notebook with the markers of a merge conflict in its JSON.

## After

The same notebook with the conflict resolved.

## Fix safety

There is no fix.

## By hand

Open it in Jupyter, repair and save it, then run `migrate` again.
"""

from migrator.model.events import FileProblem
from migrator.rules.base import Rule, Severity

rule = Rule("D005", "broken-notebook", Severity.ERROR, effort=10, task="repair the notebook")
rule.reports(
    FileProblem,
    "notebook",
    message="cannot be read as a notebook: {event.detail}",
    advice="repair the notebook (open and save it in Jupyter), then run migrate again",
)
