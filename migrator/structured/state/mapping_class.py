"""Writes the class for a function of `mapWithState`: the function becomes a method."""

from __future__ import annotations

import ast
import textwrap

from ..builder.builder import Builder
from ..builder.standard import datetime_class
from ..checks import uses_locals
from ..refusals import NotExpressible
from ..windows.durations import duration
from .processors import OWN, StoredValue, refuse_names


def mapping_class(
    builder: Builder,
    name: str,
    function: ast.FunctionDef,
    state: StoredValue,
    key: str,
    value: str,
    results: tuple[str, ...],
    is_tuple: bool,
    timeout: ast.expr | None,
) -> str:
    """Return the class for a function of `mapWithState`."""
    refuse_names(function, {function.name}, (*OWN, state.name))
    *parameters, _ = (argument.arg for argument in function.args.args)
    has_time = len(parameters) == 3
    arguments = [key, value]
    columns = ", ".join(f'"{result}"' for result in results)
    # a Row needs the names of its columns
    row_text = f"Row({columns})(*" if is_tuple else f"Row({results[0]}="
    lines = [
        f"class {name}(StatefulProcessor):",
        "    def init(self, handle):",
        "        self.handle = handle" if timeout is not None else "",
        f'        self.{state.name} = handle.getValueState("{state.name}", "{state.schema}")',
        "",
        "    def handleInputRows(self, key, rows, timerValues):",
    ]
    if has_time:
        arguments.insert(0, "batch_time")
        lines.append(_time(builder))
    lines.append("        for row in rows:")
    lines += _call_statements(function.name, arguments, row_text, has_time, 12)
    if timeout is not None:
        lines += _timer(builder, state, timeout)
        late = [*arguments[:-1], "None"]
        if _uses_timing_out(function):
            late.append("True")
        lines += [
            "",
            "    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):",
            *([_time(builder)] if has_time else []),
            *_call_statements(function.name, late, row_text, has_time, 8),
            f"        self.{state.name}.clear()",
        ]
    if _uses_timing_out(function):
        parameters.append("timing_out=False")
    lines += ["", f"    def {function.name}(self, {', '.join(parameters)}):"]
    body = textwrap.indent(_body(builder, function, state), "        ")
    return "\n".join(line for line in [*lines, body] if line or line == "").replace(
        "    def init(self, handle):\n\n", "    def init(self, handle):\n"
    )


def _time(builder: Builder) -> str:
    now = "timerValues.getCurrentProcessingTimeInMs() / 1000"
    return f"        batch_time = {datetime_class(builder)}.fromtimestamp({now})"


def _call_statements(
    name: str, arguments: list[str], row_text: str, optional: bool, indent: int
) -> list[str]:
    """Return the statements that put out what the function returns."""
    pad = " " * indent
    call = f"self.{name}({', '.join(arguments)})"
    if not optional:
        return [f"{pad}yield {row_text}{call})"]
    return [
        f"{pad}result = {call}",
        f"{pad}if result is not None:",
        f"{pad}    yield {row_text}result)",
    ]


def _timer(builder: Builder, state: StoredValue, timeout: ast.expr) -> list[str]:
    """Return the statements that have a key time out: in the first batch later than its timeout."""
    before, after = _until(builder, timeout)
    return [
        "        for timer in list(self.handle.listTimers()):",
        "            self.handle.deleteTimer(timer)",
        f"        if self.{state.name}.exists():",
        "            now = timerValues.getCurrentProcessingTimeInMs()",
        "            # the first batch that is later than the timeout",
        f"            self.handle.registerTimer(now - now % {before} + {after})",
    ]


def _until(builder: Builder, timeout: ast.expr) -> tuple[str, str]:
    """Return the batch interval, and the time from a batch to
    the one in which a key times out, in ms.
    """
    module, block, interval = builder.module, builder.job.block, builder.job.interval
    assert interval is not None
    length, batch = duration(module, block, timeout), duration(module, block, interval)
    if length.value is not None and batch.value is not None:
        milliseconds = round(batch.value * 1000)
        return str(milliseconds), str(
            (round(length.value * 1000) // milliseconds + 1) * milliseconds
        )
    text = f"({length.text}, {batch.text})"
    if not (length.whole and batch.whole) or uses_locals(builder.job, text):
        raise NotExpressible(
            "TIMEOUT",
            "the timeout and the batch interval must be whole seconds that are given outside of "
            "functions",
            timeout,
        )
    after = f"({length.operand} // {batch.operand} + 1) * {batch.operand} * 1000"
    return f"({batch.operand} * 1000)", after


def _uses_timing_out(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(node, ast.Attribute) and node.attr == "isTimingOut"
        for node in ast.walk(function)
    )


def _body(builder: Builder, function: ast.FunctionDef, state: StoredValue) -> str:
    """Return the body of the function, with the methods of a value state."""
    module = builder.module
    last = function.args.args[-1]
    first = (last.end_lineno or last.lineno) + 1
    if function.body[0].lineno < first:
        raise NotExpressible("STATE_FUNCTION", "the function is written on one line", function)
    start = module.starts[first - 1]
    end = module.starts[function.end_lineno or function.lineno]
    text = module.text[start:end]
    spans = []
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if (
                name == last.arg
            ):
                spans.append(_state_edit(builder, node, method, state))
    for begin, stop, new in sorted(spans, reverse=True):
        text = text[: begin - start] + new + text[stop - start :]
    uses = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == last.arg]
    if len(uses) != len(spans):
        raise NotExpressible("STATE_FUNCTION", "the state is passed on", function)
    return textwrap.dedent(text).rstrip("\n") + "\n"


def _state_edit(
    builder: Builder, call: ast.Call, method: str, state: StoredValue
) -> tuple[int, int, str]:
    module, state_text = builder.module, f"self.{state.name}"
    start, end = module.span(call)
    assert isinstance(call.func, ast.Attribute)
    whole = state.is_tuple
    texts = {
        "exists": f"{state_text}.exists()",
        "remove": f"{state_text}.clear()",
        "get": f"{state_text}.get()" if whole else f"{state_text}.get()[0]",
        "getOption": f"{state_text}.get()" if whole else f"({state_text}.get() or (None,))[0]",
        "isTimingOut": "timing_out",
    }
    if method in texts:
        return start, end, texts[method]
    # the argument of `update` may have calls of the state itself
    inner = call.args[0] if method == "update" and len(call.args) == 1 else call
    if any(isinstance(node, ast.Call) for node in ast.walk(inner)):
        text = "this call of the state is not rewritten"
        raise NotExpressible("STATE_FUNCTION", text, call)
    text = module.source(inner)
    return start, end, f"{state_text}.update({text if whole else f'({text},)'})"
