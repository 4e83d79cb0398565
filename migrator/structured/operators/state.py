"""`updateStateByKey` with a running sum or count: a streaming aggregation."""

from __future__ import annotations

from dstream_compat.native.expressions import Call
from dstream_compat.native.reducers import Reduction
from dstream_compat.native.refusals import Code
from dstream_compat.native.types import Double, Long, words

from ..build import Builder
from ..frames import Frame
from ..graph import Node, Stage
from ..refusals import NotExpressible
from ..registry import operator
from ..updates import running_form
from .aggregations import COUNT, grouped


@operator(
    "updateStateByKey",
    Stage.STATE,
    "updateFunc",
    "numPartitions=",
    reason="the state is an aggregate of all values so far; complete mode gives every key",
)
def update_state_by_key(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    key, value = builder.pair(frame, node)
    function = builder.function(node, builder.arguments(node)["updateFunc"])
    form = running_form(function)
    match form, value.type:
        case "sum", Long(lo=1, hi=1):
            made = Reduction((COUNT,), COUNT.type)
        case "sum", (Long() | Double()) as kind:
            code = Code.INT_RANGE if isinstance(kind, Long) else Code.FLOAT_ORDER
            if code not in builder.accept and not (isinstance(kind, Long) and kind.bits == 32):
                raise NotExpressible(code.name, code.meaning, node.call)
            total = Long() if isinstance(kind, Long) else kind
            made = Reduction((Call(total, "sum", (value,)),), total)
        case "count", _:
            made = Reduction((COUNT,), COUNT.type)
        case "sum", kind:
            raise NotExpressible("TYPE", f"a running sum of {words(kind)}", node.call)
        case _:
            raise NotExpressible(
                "STATE_FUNCTION", "the function is no running sum or count", node.call
            )
    builder.keeps(frame, node, key, value)
    return grouped(builder, node, frame, key, made)
