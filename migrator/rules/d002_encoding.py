"""Python sources whose bytes are not text in their encoding.

## What

Python reads a source as UTF-8 unless its first two lines name another encoding. This file holds
bytes that are not valid in that encoding, for example `0xe9`, an "é" of Windows-1252.

## Why it matters

Python refuses to run the file. It was read as Windows-1252 (or as UTF-16, if it starts with
its mark) to find DStream code, and nothing in it was rewritten.

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

There is no fix: which encoding was meant cannot be known from the bytes.

## By hand

Add a coding cookie as the first or second line, or convert the file to UTF-8
(`iconv -f WINDOWS-1252 -t UTF-8 old.py > new.py`). With a cookie `migrate` keeps the bytes.
"""

from migrator.model.events import FileProblem
from migrator.rules.base import Rule, Severity

rule = Rule("D002", "encoding", Severity.ERROR, effort=5, task="name the encoding")
rule.reports(
    FileProblem,
    "encoding",
    message="cannot be decoded: {event.detail}; nothing in it was rewritten",
    advice="name it in the first line, `# -*- coding: windows-1252 -*-`, or convert it to UTF-8",
)
