"""`pprint`: `show` of the batch."""

from __future__ import annotations

from ..build import Builder
from ..checks import check_late
from ..graph import Output
from ..registry import bound, output


@output(
    "pprint",
    "num=",
    reason="the same records, as a table; a batch without input prints nothing",
)
def pprint(builder: Builder, output: Output) -> list[str]:
    given = bound(output.call, ("num=",))
    assert given is not None
    if "num" in given:
        check_late(builder.job, given["num"])
    number = builder.source(given["num"]) if "num" in given else "10"
    frame = builder.frame(output.node).selected()
    code = frame.code.call("show", number, "truncate=False")
    return [builder.printer.statement("", code, builder.indent)]
