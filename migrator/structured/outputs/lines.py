"""`pprint` and `saveAsTextFiles`: `show` of a batch, and a folder of text files for each one."""

from __future__ import annotations

import ast

from dstream_compat.native.types import String

from ..builder.builder import Builder
from ..builder.standard import datetime_class
from ..checks import check_late
from ..dataframes.frames import INDENT, Chain, Frame
from ..dataframes.naming import plural
from ..foreach.actions import text_of_record
from ..foreach.guards import OTHERS
from ..program.arguments import bind_arguments, is_none
from ..program.graph import TICK_SOURCE, Output
from ..reading.arrival import is_in_order, is_shuffled
from ..refusals import NotExpressible
from ..registry import output


def named_frame(builder: Builder, frame: Frame) -> tuple[str, str]:
    """Return a variable for a frame, and the statement that gives it the frame."""
    name = builder.module.free_name(plural(frame.names[0]), "records")
    return name, builder.printer.statement(f"{name} = ", frame.code, builder.indent)


@output(
    "pprint", "num=", reason="the same records, as a table; a batch without input prints nothing"
)
def pprint(builder: Builder, output: Output) -> list[str]:
    arguments = bind_arguments(output.call, ("num=",))
    assert arguments is not None
    if "num" in arguments:
        check_late(builder.job, arguments["num"])
    if not (is_in_order(output.node) or is_shuffled(output.node)):
        builder.note(f"line {output.call.lineno}: {OTHERS}")
    number = builder.source(arguments["num"]) if "num" in arguments else "10"
    frame = builder.frame(output.node).only_record_columns()
    code, lines, indent = frame.code, [], builder.indent
    if not builder.between.isdisjoint(output.node.path()):
        if not code.is_name:
            name, statement = named_frame(builder, frame)
            lines.append(statement)
            code = Chain(name)
        lines.append(f"{' ' * indent}if not {code.root}.isEmpty():")
        indent += len(INDENT)
    code = code.call("show", number, "truncate=False")
    return [*lines, builder.printer.statement("", code, indent)]


IDLE = "; there is no folder for an interval without input"


@output("saveAsTextFiles", "prefix", "suffix=", reason="the same lines, in a folder for each batch")
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
    start, end = _text_part(builder, arguments["prefix"]), ""
    if "suffix" in arguments and not is_none(arguments["suffix"]):
        end = "." + _text_part(builder, arguments["suffix"])
    if builder.job.is_recovered:
        moment = builder.batch_id
        builder.note(f"{where} have the number of the batch in the place of its time{idle}")
    else:
        # numbers begin at 0 at each start
        number = builder.builtin("int")
        moment = f"{number}({datetime_class(builder)}.now().timestamp() * 1000)"
        builder.note(f"{where} have the time at which they are written{idle}")
    return f'f"{start}-{{{moment}}}{end}"'


def _text_part(builder: Builder, node: ast.expr) -> str:
    """Return a part of an f-string."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return repr(node.value)[1:-1].replace("{", "{{").replace("}", "}}").replace('"', '\\"')
    if not isinstance(node, ast.Name | ast.Attribute):
        raise NotExpressible("PATH", "the path is computed", node)
    return f"{{{builder.source(node)}}}"
