"""Finds the live sources of a job by its source code and its arguments, without running it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from migrator.spark.signatures import argument
from migrator.verify.live_sources import LiveSource, source

_UNKNOWN = object()


def sources_of(
    text: str, arguments: Sequence[str], make: Callable[[str], LiveSource] = source
) -> tuple[list[LiveSource], list[str]]:
    """Return the sources that can be recorded, and the calls whose sources cannot be told.

    Parameters
    ----------
    arguments : sequence of str
        Those that it gets.
    make : callable
        Makes a source of the text that names it.
    """
    sources: dict[str, LiveSource] = {}
    unknown = []
    values = Values(text, arguments)
    for call in values.calls():
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name not in _CALLS:
            continue
        named = _CALLS[name](values, call)
        if not named:
            unknown.append(f"{name} in line {call.lineno}")
        for live in named:
            if live not in sources:
                sources[live] = make(live)
    return list(sources.values()), unknown


def _socket(values: Values, call: ast.Call) -> list[str]:
    key = "StreamingContext.socketTextStream"
    host, port = values.argument(key, call, "hostname"), values.argument(key, call, "port")
    is_address = isinstance(host, str) and isinstance(port, int)
    return [f"socket:{host}:{port}"] if is_address else []


def _folder(values: Values, call: ast.Call) -> list[str]:
    folder = values.argument("StreamingContext.textFileStream", call, "directory")
    return [f"file:{folder}"] if isinstance(folder, str) else []


def _topics(values: Values, call: ast.Call) -> list[str]:
    """Return the topics of Kafka that a call reads; none if it is not clear."""
    if not isinstance(call.func, ast.Attribute) or "KafkaUtils" not in ast.unparse(call.func.value):
        return []
    key = f"KafkaUtils.{call.func.attr}"
    topics, params = values.argument(key, call, "topics"), values.argument(key, call, "kafkaParams")
    if not isinstance(topics, list | dict):
        return []
    settings = params if isinstance(params, dict) else {}
    servers = settings.get("metadata.broker.list") or settings.get("bootstrap.servers")
    if not isinstance(servers, str) or not all(isinstance(topic, str) for topic in topics):
        return []
    return [f"kafka:{servers}/{topic}" for topic in topics]


def _none(values: Values, call: ast.Call) -> list[str]:
    """Return None: there is no recorder of such a source."""
    return []


_CALLS: dict[str, Callable[[Values, ast.Call], list[str]]] = {
    "socketTextStream": _socket,
    "textFileStream": _folder,
    "createStream": _topics,
    "createDirectStream": _topics,
    "binaryRecordsStream": _none,
    "createPairedStream": _none,
}


def interval_of(text: str, arguments: Sequence[str]) -> float | None:
    """Return the batch interval of a job; None if it cannot be told."""
    values = Values(text, arguments)
    for call in values.calls():
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        name = call.func.attr if isinstance(call.func, ast.Attribute) else name
        if name == "StreamingContext":
            value = values.argument("StreamingContext", call, "batchDuration")
            if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
                return float(value)
    return None


class Values:
    """Evaluates the few expressions that jobs name their sources with.

    Constants, arguments of the program, `int`, `float` and `str` of them, texts that are split,
    lists and dictionaries of such values, and names that are bound once to one of these.
    """

    def __init__(self, text: str, arguments: Sequence[str]) -> None:
        try:
            self._tree: ast.AST = ast.parse(text)
        except (SyntaxError, ValueError):
            self._tree = ast.Module([], [])
        self._argv = ["job.py", *arguments]
        self._names: dict[str, Any] = {}
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._bind(target, self.of(node.value))

    def calls(self) -> Iterator[ast.Call]:
        """Yield all calls of the program, in the order of their lines."""
        calls = [node for node in ast.walk(self._tree) if isinstance(node, ast.Call)]
        yield from sorted(calls, key=lambda call: (call.lineno, call.col_offset))

    def argument(self, key: str, call: ast.Call, name: str) -> Any:
        """Return the value of the argument for a parameter, or something that is no value."""
        node_given = argument(key, call, name)
        return _UNKNOWN if node_given is None else self.of(node_given)

    def of(self, node: ast.expr) -> Any:
        """Return the value of an expression, or something that is no value."""
        match node:
            case ast.Constant(value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(int(value))):
                return -value
            case ast.Name(id=name):
                return self._names.get(name, _UNKNOWN)
            case ast.Attribute(value=ast.Name(id="sys"), attr="argv"):
                return self._argv
            case ast.Subscript(value=base, slice=index):
                return self._item(self.of(base), index)
            case ast.Call(func=ast.Name(id="int" | "float" | "str" as name), args=[one]):
                return self._convert(name, self.of(one))
            case ast.Call(
                func=ast.Attribute(value=base, attr="split"), args=[ast.Constant(str(by))]
            ):
                text = self.of(base)
                return text.split(by) if isinstance(text, str) and by else _UNKNOWN
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return [self.of(part) for part in parts]
            case ast.Dict(keys=keys, values=parts):
                names = [_UNKNOWN if key is None else self.of(key) for key in keys]
                if all(isinstance(name, str) for name in names):
                    return dict(zip(names, map(self.of, parts), strict=True))
        return _UNKNOWN

    def _item(self, base: Any, index: ast.expr) -> Any:
        if not isinstance(base, list):
            return _UNKNOWN
        try:
            if isinstance(index, ast.Slice):
                lower = 0 if index.lower is None else self.of(index.lower)
                upper = len(base) if index.upper is None else self.of(index.upper)
                return base[lower:upper]
            return base[self.of(index)]
        except (IndexError, TypeError):
            return _UNKNOWN

    @staticmethod
    def _convert(name: str, value: Any) -> Any:
        if not isinstance(value, str | int | float):
            return _UNKNOWN
        try:
            return {"int": int, "float": float, "str": str}[name](value)
        except ValueError:
            return _UNKNOWN

    def _bind(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            bound_value = self._names.get(target.id, value)
            self._names[target.id] = value if bound_value == value else _UNKNOWN
        elif isinstance(target, ast.Tuple | ast.List):
            several = isinstance(value, list) and len(value) == len(target.elts)
            for at, element in enumerate(target.elts):
                self._bind(element, value[at] if several else _UNKNOWN)
