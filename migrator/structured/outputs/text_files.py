"""`saveAsTextFiles`: a folder of text files for each batch."""

from __future__ import annotations

import ast

from dstream_compat.native.types import String

from ..builder.builder import Builder
from ..builder.standard import datetime_class
from ..checks import check_late
from ..foreach.actions import text_of_record
from ..program.arguments import bind_arguments, is_none
from ..program.graph import TICK_SOURCE, Output
from ..refusals import NotExpressible
from ..registry import output

IDLE = "; there is no folder for an interval without input"


@output(
    "saveAsTextFiles",
    "prefix",
    "suffix=",
    reason="the same lines, in a folder for each batch",
)
def save_as_text_files(builder: Builder, output: Output) -> list[str]:
    frame = builder.frame(output.node)
    if not isinstance(frame.element.type, String):
        frame = text_of_record(builder, frame, output.call)
    code = frame.only_record_columns().code.attribute("write")
    if builder.job.is_recovered:
        # Spark repeats a batch that was not committed, under the same number
        code = code.call("mode", '"overwrite"')
    code = code.call("text", file_name(builder, output))
    return [builder.printer.statement("", code, builder.indent)]


def file_name(builder: Builder, output: Output, has_ticks: bool = False) -> str:
    """Return the name of the folder of a batch, as source.

    Parameters
    ----------
    builder : Builder
        of the job
    output : Output
        the output
    has_ticks : bool
        whether its query has a batch at each trigger, as it has in any case if it reads a queue
    """
    arguments = bind_arguments(output.call, ("prefix", "suffix="))
    assert arguments is not None
    for each in arguments.values():
        check_late(builder.job, each)
    where = f"line {output.call.lineno}: the names of `saveAsTextFiles`"
    has_ticks = has_ticks or any(step.operator == TICK_SOURCE for step in output.node.path())
    idle = "" if has_ticks else IDLE
    start, end = _part(builder, arguments["prefix"]), ""
    if "suffix" in arguments and not is_none(arguments["suffix"]):
        end = "." + _part(builder, arguments["suffix"])
    if builder.job.is_recovered:
        moment = builder.batch_id
        builder.note(f"{where} have the number of the batch in the place of its time{idle}")
    else:
        # numbers begin at 0 at each start
        number = builder.builtin("int")
        moment = f"{number}({datetime_class(builder)}.now().timestamp() * 1000)"
        builder.note(f"{where} have the time at which they are written{idle}")
    return f'f"{start}-{{{moment}}}{end}"'


def _part(builder: Builder, node: ast.expr) -> str:
    """Return a part of an f-string."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return repr(node.value)[1:-1].replace("{", "{{").replace("}", "}}").replace('"', '\\"')
    if not isinstance(node, ast.Name | ast.Attribute):
        raise NotExpressible("PATH", "the path is computed", node)
    return f"{{{builder.source(node)}}}"
