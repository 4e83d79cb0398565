"""Python 2 that was converted to Python 3.

## What

The file is Python 2, and this line of it was converted. A file is converted if a job with DStreams
is in it, or if such a job imports it. The message ends with what has changed the line:

- `print`, `exec`, `repr` (backticks), `ne` (`<>`), `numliterals` (`0777` and `10L`), `strings`
  (`ur"..."`, and `\\u` in byte strings);
- `except` (`except E, e`), `raise` (`raise E, "text"`), `paren` (`for x in 1, 2` in a list);
- `tuple_params`: `lambda (k, v): v` and `def f((k, v)):`;
- `dictionaries`: `has_key`, `iteritems`, and `keys()` that has to be a list;
- `sequences`: `map`, `filter`, `zip` and `range`, if it matters that they were lists, or that their
  functions were called at once;
- `sorting`: `sorted(x, cmp=f)`, `x.sort(f)` and `cmp(a, b)`;
- `division`: `/` between two proven ints;
- `names`: `xrange`, `unicode`, `long`, `basestring`, `unichr`, `raw_input`, `input`, `reduce`,
  `sys.maxint`, `string.letters` and its like, `os.getcwdu`;
- `methods`: `__nonzero__`, `next` of iterators, `x.next()`.

With `--ignore D010` the file is not rewritten at all.

## Why it matters

`dstream_compat` needs Python 3.11.

## Before

```python
from pyspark.streaming import DStream

counts = pairs.map(lambda (word, n): (n, word))
if state.has_key(word):
    print "seen", word
```

## After

```python
from dstream_compat import DStream

counts = pairs.map(lambda word_n: (word_n[1], word_n[0]))
if word in state:
    print("seen", word)
```

## Fix safety

Safe: a change is made only where the result means the same, or differs in the way that the message
or a finding of its own names (D012 to D024). Names are changed only if the program binds them
nowhere. The result parses as Python 3, keeps every comment, and each line without a change is the
same byte for byte. All of a file is converted or nothing, and the other fixes follow: `--diff`
prints them as a patch of their own.

What no finding is about: `str(0.1 + 0.2)` has 12 digits in Python 2 and 17 in Python 3, dicts keep
their order in Python 3, and `hash()` of a string differs from process to process.

## By hand

Run the tests of the job under Python 3, and look through D012 to D024.
"""

from migrator.model.events import Python2Change
from migrator.rules.base import Findings, Rule, Safety, Severity

rule = Rule(
    "D010",
    "python2-converted",
    Severity.ERROR,
    effort=1,
    safety=Safety.SAFE,
    task="check the conversion",
)


@rule.on(Python2Change)
def report_conversion(event: Python2Change) -> Findings:
    """Report that a line was converted; tabs are for another rule."""
    if event.fixer != "tabs":
        yield rule.finding(event, f"Python 2: {event.text} ({event.fixer})", "", fixed=True)
