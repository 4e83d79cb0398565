"""Files that cannot be read.

## What

- D002: Python reads a source as UTF-8 unless its first two lines name another encoding. This file
  holds bytes that are not valid in that encoding, for example `0xe9`, an "é" of Windows-1252.
- D003: the file could not be opened, is binary, is too large, or is nested too deeply to be walked;
  or it is Scala or Java, and the parser for that is not installed
  (`pip install 'dstream-compat[jvm]'`) or did not understand all of it.
- D005: the file ends in `.ipynb` and mentions DStreams, but it is not the JSON of a notebook.

## Why it matters

It may hold DStream code or settings that this report does not show. A source in another encoding
was read as Windows-1252 (or as UTF-16, if it starts with its mark) to find DStream code, and
nothing in it was rewritten; Python refuses to run it.

## Before

```python
# a comment in Windows-1252, without a coding cookie
```

## After

```python
# -*- coding: windows-1252 -*-
# the same bytes, now with a coding cookie
```

## Fix safety

There is no fix: which encoding was meant, for example, cannot be known from the bytes.

## By hand

- D002: add a coding cookie as the first or second line, or convert the file to UTF-8
  (`iconv -f WINDOWS-1252 -t UTF-8 old.py > new.py`). With a cookie `migrate` keeps the bytes.
- D003: make the file readable, or look through it yourself. A Python source of more than 5 MB is
  usually generated: migrate what generates it.
- D005: open it in Jupyter, repair and save it, then run `migrate` again.
"""

from migrator.model.events import FileProblem
from migrator.rules.base import Rule, Severity

SUBJECT = "Files that cannot be read"
_ENCODING = Rule("D002", "encoding", Severity.ERROR, effort=5, task="name the encoding")
_UNREADABLE = Rule("D003", "unreadable", Severity.ERROR, effort=10, task="see why it was not read")
_NOTEBOOK = Rule("D005", "broken-notebook", Severity.ERROR, effort=10, task="repair the notebook")
rules = (_ENCODING, _UNREADABLE, _NOTEBOOK)

_ENCODING.reports(
    FileProblem,
    "encoding",
    message="cannot be decoded: {event.detail}; nothing in it was rewritten",
    advice="name it in the first line, `# -*- coding: windows-1252 -*-`, or convert it to UTF-8",
)
_NOT_READ = "was not read: {event.detail}"
_UNREADABLE.reports(
    FileProblem,
    *("permission", "binary", "nested", "internal"),
    message=_NOT_READ,
    advice="{event.advice}",
)
for kind, problem in {
    "parser": "was only searched for settings and connectors: {event.detail}",
    "partial": "was analysed only in part: {event.detail}",
    "large": _NOT_READ,
}.items():
    _UNREADABLE.reports(
        FileProblem, kind, message=problem, advice="{event.advice}", severity=Severity.WARNING
    )
_NOTEBOOK.reports(
    FileProblem,
    "notebook",
    message="cannot be read as a notebook: {event.detail}",
    advice="repair the notebook (open and save it in Jupyter), then run migrate again",
)
