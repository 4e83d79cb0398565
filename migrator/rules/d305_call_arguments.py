"""Calls whose arguments no version of Spark accepts.

## What

A method of a stream or context is called without an argument that it needs, with too many, with a
keyword that it does not have, such as `filter()` without a function, or with an argument of the
wrong type, such as a text for the topics of `createDirectStream`.

## Why it matters

The call raises `TypeError` when the job is defined, with DStreams as with `dstream_compat`.
`ssc.union` with a list gives back the list, which is no stream.

## Before

```python
words = lines.filter()
```

## After

```python
words = lines.filter(lambda line: line)
```

## Fix safety

There is no fix: what was meant cannot be known.

## By hand

Give the argument, or remove the call.
"""

from migrator.model.events import Use
from migrator.rules.base import Category, Confidence, Findings, Rule, Severity
from migrator.spark.signatures import SIGNATURES, problem

rule = Rule("D305", "call-arguments", Severity.ERROR, effort=15, category=Category.BUG)


@rule.on(Use, *SIGNATURES)
def arguments(event: Use) -> Findings:
    """Report that a method of the API is called."""
    call = event.call
    if call is None or event.confidence is not Confidence.PROVEN:
        return
    # `DStream.map(stream, f)` has one more argument; class methods have not
    if not event.kinds and event.name not in ("getOrCreate", "getActiveOrCreate", "getActive"):
        return
    problem_text = problem(event.key, call)
    if problem_text is not None:
        names = ", ".join(SIGNATURES[event.key].names)
        yield rule.finding(
            event,
            f"{event.name}() {problem_text}: the call raises TypeError",
            f"its parameters are ({names})",
        )


@rule.on(
    Use,
    *("KafkaUtils.createDirectStream", "KafkaUtils.createStream", "KafkaUtils.createRDD"),
    *("StreamingContext.union", "DStream.union"),
)
def types(event: Use) -> Findings:
    """Report that a method is called that looks at the types of its arguments."""
    wrong = event.wrong_type
    if wrong is None or event.confidence is not Confidence.PROVEN:
        return
    if wrong.wanted == "streams":
        message = f"{event.name}() is given a {wrong.given}: it takes streams, and makes none of it"
        yield rule.finding(event, message, "give each stream: ssc.union(*streams)")
    else:
        yield rule.finding(
            event,
            f"{event.name}() is given a {wrong.given} as `{wrong.name}`: the call raises TypeError",
            f"give a {wrong.wanted}",
        )
