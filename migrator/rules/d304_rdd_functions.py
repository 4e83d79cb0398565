"""Functions that Spark could not call in `foreachRDD` and `transform`.

## What

`foreachRDD` and `transform` are given a partial, a built-in function, a callable object, a method,
bound or taken from its class, a coroutine function (`async def`), or a function whose number of
parameters does not fit.

## Why it matters

Spark looks at `f.__code__.co_argcount` only: one parameter means `(rdd)`, any other number
`(time, rdd)`, and defaults and `self` count. `dstream_compat` does the same for plain functions,
and goes by the real signature for everything else. So some of these work now that never worked
(info), and some are given the time where they expect the RDD, or fail in every batch (warning). A
call of a coroutine function only makes a coroutine: nothing of its body runs, with Spark or with
`dstream_compat`.

## Before

```python
def save(rdd, table="events"):
    ...

stream.foreachRDD(save)
```

## After

```python
stream.foreachRDD(lambda rdd: save(rdd))
```

## Fix safety

There is no fix: what the parameters are for is not in the code.

## By hand

Give a function of one parameter, `(rdd)`, or of two, `(time, rdd)`.
"""

import re

from migrator.model.events import RddFunction, Use
from migrator.rules.base import Category, Confidence, Finding, Findings, Rule, Severity

rule = Rule("D304", "rdd-function", Severity.WARNING, effort=10, task="give a function that fits")

_TIME = re.compile(r"time|date|stamp|batch|when|\At\Z|\Ats\Z|\A_+\Z", re.IGNORECASE)
_KINDS = {
    "method": "a bound method",
    "unbound": "a method of a class, without an object,",
    "partial": "a partial",
    "object": "a callable object",
    "builtin": "a built-in function",
}


@rule.on(Use, "DStream.foreachRDD", "DStream.transform")
def function(event: Use) -> Findings:
    """Report that something is to be called with the RDD of each batch."""
    func = event.function
    if func is None or event.confidence is not Confidence.PROVEN:
        return
    if func.awaits:
        yield _warning(event, "only makes a coroutine, which nobody awaits: its body never runs")
    elif func.kind == "unbound":
        called = "(time, rdd)" if takes_time(func) else "(rdd)"
        first = func.parameters[0] if func.parameters else "nothing"
        yield _warning(event, f"is called with {called}: `{first}` is not an object of its class")
    elif (
        func.kind == "function" and event.name == "transform" and len(func.parameters) not in (1, 2)
    ):
        yield _warning(event, f"takes {_number(func)}: transform() asserts one or two")
    elif not _fits(func):
        called = "(time, rdd)" if takes_time(func) else "(rdd)"
        yield _warning(event, f"takes {_number(func)} but is called with {called}: no batch works")
    elif func.kind == "function":
        if _gets_time_first(func):
            yield _warning(
                event,
                f"has a default, which counts as a parameter, so it is called with (time, rdd): "
                f"`{func.parameters[0]}` is the time",
            )
    elif func.kind == "method" and event.name == "foreachRDD" and len(func.parameters) > 1:
        if not takes_time(func) and _TIME.search(func.parameters[0]):
            yield _warning(
                event, "is called with (rdd), as the others have defaults; Spark gave (time, rdd)"
            )
    else:
        called = "(time, rdd)" if takes_time(func) else "(rdd)"
        yield rule.finding(
            event,
            f"{event.name} is given {_KINDS[func.kind]}: Spark could not call it, dstream_compat "
            f"calls it with {called}",
            "",
            severity=Severity.INFO,
            effort=0,
            category=Category.NOTE,
        )


def takes_time(function: RddFunction) -> bool:
    """Return whether dstream_compat calls it with (time, rdd); tests look into its `arity.py`."""
    count = len(function.parameters)
    if function.kind in ("function", "unbound"):
        return count != 1
    return function.required == 2 or (function.required == 0 and count >= 2)


def _fits(function: RddFunction) -> bool:
    """Return whether the call that dstream_compat makes is one that the function takes."""
    return function.required <= (2 if takes_time(function) else 1) <= len(function.parameters)


def _gets_time_first(function: RddFunction) -> bool:
    """Return whether a function that wants (rdd) gets the time first."""
    return (
        takes_time(function) and function.required < 2 and not _TIME.search(function.parameters[0])
    )


def _number(function: RddFunction) -> str:
    count = function.required if function.required > 2 else len(function.parameters)
    return {0: "no argument", 1: "one argument"}.get(count, f"{count} arguments")


def _warning(event: Use, text: str) -> Finding:
    assert event.function is not None
    what = _KINDS.get(event.function.kind, "a function")
    return rule.finding(
        event,
        f"{event.name} is given {what} that {text}",
        "give a function of (rdd), such as lambda rdd: f(rdd, x), or of (time, rdd)",
    )
