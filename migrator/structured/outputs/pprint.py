"""`pprint`: `show` of the batch."""

from __future__ import annotations

from ..builder.builder import Builder
from ..checks import check_late
from ..dataframes.chains import INDENT, Chain
from ..dataframes.naming import plural
from ..foreach.guards import OTHERS
from ..program.arguments import bind_arguments
from ..program.graph import Output
from ..reading.arrival import is_in_order, is_shuffled
from ..registry import output


@output(
    "pprint",
    "num=",
    reason="the same records, as a table; a batch without input prints nothing",
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
            name = builder.module.free_name(plural(frame.names[0]), "records")
            lines.append(builder.printer.statement(f"{name} = ", code, indent))
            code = Chain(name)
        lines.append(f"{' ' * indent}if not {code.root}.isEmpty():")
        indent += len(INDENT)
    code = code.call("show", number, "truncate=False")
    return [*lines, builder.printer.statement("", code, indent)]
