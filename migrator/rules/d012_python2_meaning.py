"""What means something else in Python 3, and a conversion cannot know.

## What

The file was Python 2. What the conversion (D010) cannot prove to mean the same is reported where it
stands, as an error where it is known to fail or to differ:

- D012: `/` where neither value is proven to be a float. Between ints the conversion writes `//`.
- D013: strings that are bytes on one side only: what `hashlib`, `base64`, `binascii`, `zlib`,
  `hmac`, `struct` and sockets take, what sockets and processes give, binary files, `.encode()` and
  `.decode()`, and literals with bytes such as `"\\xe9"`.
- D014: `keys()`, `values()` and `items()` of what may be a dict or an RDD, `filter` of what may be
  a string or a tuple, and `map` of several values.
- D015: `sort` with a function that compares, for which the conversion cannot write a key. (`cmp`
  is D110, and `sorted` D115.)
- D016: `<`, `<=`, `>` and `>=` between values of different types, or with None.
- D017: `round()` of a value that is not proven to be an int.
- D018: `exec`, `eval` and `compile`, whose code is no part of the file.
- D021: a string that is raised, or `raise E, value` with a value of an unknown type.
- D022: a check for `unicode` or `long` alone, by their names or those of the module `types`, and
  `unicode(value, encoding)`.
- D023: `__cmp__`, `__div__`, `__unicode__`, `__getslice__` and the like, `__metaclass__`, and
  `__eq__` without `__hash__`.
- D024: `print x,`, which has become `print(x, end=' ')`.

Modules of the same package that are imported by their names alone, and variables that are read
behind the block which binds them, are not reported: Python 3 fails there with an error that names
them. The codes that they had, D019 and D020, are still understood.

## Why it matters

Some of it fails: Python 3 orders no values of different types, raises no strings, makes no text of
bytes, and sorts by keys only. Some of it goes on with another result: `404 / 100` is 4 in Python 2
and 4.04 in Python 3, so that `code / 100 == 4` is never true; `round(2.5)` is 3.0 and 2; a view has
no index; nothing calls the methods of D023, and without a hash objects are no keys of an RDD; a
blank may be left at the end of a line.

## Before

```python
is_error = code / 100 == 4
key = hashlib.md5(line).hexdigest()
names = settings.keys()
```

## After

```python
is_error = code // 100 == 4
key = hashlib.md5(line.encode("utf-8")).hexdigest()
names = list(settings.keys())
```

## Fix safety

There is no fix: what is right is not to be seen in the source.

## By hand

- D012: write `//` for ints, `float(a) / b` for what is not always a float.
- D013: decide for each place whether it is text or bytes. Records of `socketTextStream`,
  `textFileStream` and Kafka are text already.
- D014: write `list(...)` around it if it is about a dict; leave it if it is an RDD.
- D015: sort by a key; `functools.cmp_to_key` makes one of a function that compares.
- D016: convert one of the values, or ask for None first.
- D017: leave it if halves do not matter; else `math.floor(value + 0.5)`, or `ROUND_HALF_UP` of
  `decimal`.
- D018: convert the code that is run. In a function, `exec` sets no variables: give it a dict.
- D021: leave a text or a number; raise an exception itself; write `E(*value)` for a tuple.
- D022: decide whether the check is for text, or for bytes that have to be decoded.
- D023: define what the message names.
- D024: leave it if blanks at the ends of lines do not matter.
"""

from migrator.model.events import Python2Doubt
from migrator.rules.base import Rule, Severity

SUBJECT = "Python 2"


def _rule(code: str, kind: str, effort: int, task: str, advice: str) -> Rule:
    """Return the rule of one kind of doubt; each has had a code of its own from the start."""
    rule = Rule(code, f"python2-{kind}", Severity.WARNING, effort, task=task)
    rule.reports(Python2Doubt, kind, message="`{event.text}`: {event.detail}", advice=advice)
    return rule


rules = (
    _rule("D012", "division", 5, "choose / or //", "write // for ints; leave / for floats"),
    _rule(
        *("D013", "bytes", 10, "separate bytes and text"),
        "make bytes with .encode(), or text with .decode(), where the value needs it",
    ),
    _rule(
        *("D014", "lazy", 3, "check lists that are lazy now"),
        "write list(...) around it if a list is needed",
    ),
    _rule(
        *("D015", "cmp", 10, "replace cmp functions"), "sort by a key, or use functools.cmp_to_key"
    ),
    _rule(
        *("D016", "comparison", 10, "check comparisons of mixed types"),
        "convert one of the values, or ask for None first",
    ),
    _rule("D017", "round", 3, "check rounding", "leave it if halves do not matter"),
    _rule(
        *("D018", "code-in-text", 15, "convert code in texts"),
        "convert the code that it runs by hand",
    ),
    _rule("D021", "raise", 5, "check what is raised", "leave it if it is a text or a number"),
    _rule(
        *("D022", "types", 5, "choose text or bytes"),
        "decide whether it is about text or about bytes",
    ),
    _rule(
        *("D023", "special-method", 10, "define the methods of Python 3"),
        "define what Python 3 calls instead",
    ),
    _rule(
        *("D024", "print-space", 1, "check blanks that print writes"),
        "leave it if a blank at the end of a line does not matter",
    ),
)
