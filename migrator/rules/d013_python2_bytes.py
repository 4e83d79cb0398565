"""Strings of Python 2 that are bytes on one side only.

## What

In a file that was Python 2: what is given to `hashlib`, `base64`, `binascii`, `zlib`, `hmac`,
`struct` and to sockets, what sockets and processes give, files that are opened as binary,
`.encode()` and `.decode()`, codecs such as `hex`, and literals with bytes such as `"\\xe9"`.

## Why it matters

A string of Python 2 is bytes and text at once. Python 3 has two types and converts neither into the
other: such a call raises a TypeError, or `b'...'` gets into the output.

## Before

```python
key = hashlib.md5(line).hexdigest()
```

## After

```python
key = hashlib.md5(line.encode("utf-8")).hexdigest()
```

## Fix safety

There is no fix: what is right is not to be seen in the source.

## By hand

Decide for each place whether the value is text or bytes; `.encode("utf-8")` makes bytes of text
where they are needed, `.decode("utf-8")` makes text of bytes where they come in. Records of
`socketTextStream`, `textFileStream` and Kafka are text already.
"""

from migrator.model.python2_events import Python2Doubt
from migrator.model.report import Severity
from migrator.rules.base import Rule

rule = Rule("D013", "python2-bytes", Severity.WARNING, effort=10, task="separate bytes and text")
rule.reports(
    Python2Doubt,
    "bytes",
    message="`{event.text}`: {event.detail}",
    advice="make bytes with .encode(), or text with .decode(), where the value needs it",
)
