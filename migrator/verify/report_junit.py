"""The report of a verification as JUnit, a test for each output."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from dstream_compat.testing.values import readable
from migrator.verify.comparison import Comparison, Difference
from migrator.verify.pairing import Pair
from migrator.verify.report_text import facts, headline
from migrator.verify.verdict import Verdict

# what XML 1.0 cannot hold, not even as a reference
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ROWS = 50


def as_junit(verdict: Verdict) -> str:
    """Return the report; what cannot be compared is an error."""
    cases, failures, errors = [], 0, 0
    comparison = verdict.comparison
    if verdict.obstacle is not None or comparison is None:
        errors = 1
        text = "\n".join([headline(verdict), *facts(verdict)])
        cases.append(case("the jobs are comparable", "error", headline(verdict), text))
    else:
        for pair in comparison.pairs:
            first = _first(comparison, pair)
            failures += first is not None
            cases.append(_output(pair, first, verdict))
        if verdict.failure:
            failures += 1
            cases.append(case("the jobs end alike", "failure", verdict.failure, verdict.failure))
    seconds = verdict.old.seconds + verdict.new.seconds
    return suite(f"migrate verify {verdict.job}", cases, (failures, errors, 0), seconds)


def suite(name: str, cases: Sequence[str], counts: tuple[int, int, int], seconds: float) -> str:
    """Return a report of one suite.

    Parameters
    ----------
    cases : sequence of str
        Its tests, as `case` returns them.
    counts : tuple of int
        How many of them are failures, errors, and skipped.
    """
    failures, errors, skipped = counts
    head = (
        f'<testsuite name={quoteattr(_clean(name))} tests="{len(cases)}" failures="{failures}" '
        f'errors="{errors}" skipped="{skipped}" time="{seconds:.3f}">'
    )
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            "<testsuites>",
            head,
            *cases,
            "</testsuite>",
            "</testsuites>",
            "",
        ]
    )


def _first(comparison: Comparison, pair: Pair) -> Difference | None:
    own = [difference for difference in comparison.differences if difference.pair == pair]
    return min(own, key=Difference.place, default=None)


def _output(pair: Pair, first: Difference | None, verdict: Verdict) -> str:
    if first is None:
        return case(pair.name)
    lines = [f"operator: {verdict.operator}"] if verdict.operator else []
    lines += [f"- {readable(row)}" for row in first.only_old[:_ROWS]]
    lines += [f"+ {readable(row)}" for row in first.only_new[:_ROWS]]
    return case(pair.name, "failure", f"batch {first.batch}: {first.what}", "\n".join(lines))


def case(
    name: str, kind: str = "", message: str = "", text: str = "", seconds: float | None = None
) -> str:
    """Return a test; kind is ``failure``, ``error`` or ``skipped`` if it did not pass."""
    start = f'<testcase classname="migrate.verify" name={quoteattr(_clean(name))}'
    if seconds is not None:
        start += f' time="{seconds:.3f}"'
    if not kind:
        return f"{start}/>"
    inner = f"<{kind} message={quoteattr(_clean(message))}>{escape(_clean(text))}</{kind}>"
    return f"{start}>{inner}</testcase>"


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
