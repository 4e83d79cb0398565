"""Finds DStream code in Python projects and moves it to `dstream_compat`.

`run` leads each run through the steps, one folder each: `discover` finds the files, `source` reads
Python and notebooks, `infer` finds the streams and contexts, `collect` makes events of what it
finds, `edit` plans and verifies the rewriting, `rules` makes findings of events, `select` applies
the user's choice, `output` writes the files and `report` the reports. `languages` does for all
other languages what the steps do for Python. `model` holds what the steps hand to each other, and
`spark` what is known of Spark. What a step may import is in pyproject.toml.
"""

__version__ = "0.2.0"
