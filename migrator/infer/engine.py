"""Runs a module abstractly.

A run executes the module and every function met so far once, with what is known of parameters,
results, attributes and names. These summaries only grow, so runs repeat until none did (see
`project`). Functions that nobody calls are then given unknown arguments, and it goes on. What the
last run saw at each node are the facts.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from migrator.infer.expressions import evaluate
from migrator.infer.program import ExecutionState, FunctionInfo, FunctionNode, Program
from migrator.infer.scopes import parameter_names
from migrator.infer.statements import execute
from migrator.infer.values import (
    BOTTOM,
    NONE,
    OTHER,
    UNKNOWN,
    LocalClass,
    LocalObj,
    Ref,
    Step,
    Value,
    join,
    obj,
    one,
    seq,
)
from migrator.spark import api
from migrator.spark.kinds import STREAMING, Kind

# What a parameter that no call sets is, by the methods that its function certainly calls on it.


_SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.Return)
_ENDS = (ast.Return, ast.Raise, ast.Assert)
# what is in them runs later or not at all
_LATER = (
    *(ast.Lambda, ast.IfExp, ast.BoolOp),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


class Evidence(NamedTuple):
    """A kind, and the call that only objects of that kind have."""

    kind: Kind
    method: str
    line: int


def kind_by_use(node: FunctionNode, name: str) -> Evidence | None:
    """Return the kind of a parameter, or None if no call that is always reached tells it."""
    if isinstance(node, ast.Lambda):
        return None
    for statement in node.body:
        if isinstance(statement, _SIMPLE):
            for call in _calls(statement):
                evidence = _evidence(call, name)
                if evidence is not None:
                    return evidence
        if _may_leave(statement) or _binds(statement, name):
            return None
    return None


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """Yield the calls that a statement makes whenever it runs."""
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Call):
            yield node
        if not isinstance(node, _LATER):
            pending += ast.iter_child_nodes(node)


def _evidence(call: ast.Call, name: str) -> Evidence | None:
    """Return what a call says about a name: `name.foreachRDD(f)`, `name.map(f).foreachRDD(g)`."""
    if not isinstance(call.func, ast.Attribute):
        return None
    method, line = call.func.attr, call.lineno
    kind = api.TELLTALE.get(method)
    base = call.func.value
    while kind is Kind.DSTREAM:
        match base:
            # what gives a stream is called on one, even if RDDs have the method too
            case ast.Call(func=ast.Attribute(value=inner, attr=attr)) if _keeps(attr):
                base = inner
            case _:
                break
    if kind is None or not isinstance(base, ast.Name) or base.id != name:
        return None
    return Evidence(kind, method, line)


def _keeps(method: str) -> bool:
    """Return whether a method of a stream gives a stream."""
    method_spec = api.DSTREAM.get(method)
    return method_spec is not None and method_spec.gives in (Kind.DSTREAM, "self")


def _may_leave(statement: ast.stmt) -> bool:
    return any(isinstance(node, _ENDS) for node in ast.walk(statement))


def _binds(statement: ast.stmt, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
        for node in ast.walk(statement)
    )


# Gives functions the types that only their docstrings name; what is made of them is probable.


_FIELD = re.compile(
    r"[ \t]*[:@](?:(?P<type>type|rtype)|param|parameter|arg|argument|key|keyword)\b"
    r"(?P<rest>[^:\n]*):[ \t]*(?P<text>.*)"
)
_UNDERLINE = re.compile(r"[ \t]*-{3,}[ \t]*")
_NUMPY = re.compile(r"(?P<names>\*{0,2}\w+(?:, *\*{0,2}\w+)*) *: *(?P<text>\S.*)")
_GOOGLE = re.compile(r"(?P<names>\*{0,2}\w+) *\((?P<text>.+?)\) *:")
_PARAMETERS = frozenset(
    {"parameters", "other parameters", "args", "arguments", "params", "keyword args"}
)
_RESULTS = frozenset({"returns", "return"})
_ROLE = re.compile(r":[\w:]+:(?=`)")
_MORE = re.compile(r",\s*(?:optional|default\b.*)$|\s+of\s+\S.*$|\.$")
# a name alone counts where the module does not bind it
_CLASSES = {path.rpartition(".")[2]: path for path, k in api.INSTANCES.items() if k in STREAMING}


@dataclass(slots=True)
class DocumentedTypes:
    """The texts that stand for types: of parameters by their names, and of the result."""

    parameters: dict[str, str] = field(default_factory=dict)
    result: str | None = None


def documented_types(text: str) -> DocumentedTypes:
    """Return what a docstring says about types."""
    types = DocumentedTypes()
    lines = text.expandtabs().splitlines()
    for number, line in enumerate(lines):
        match = _FIELD.match(line)
        if match is not None:
            _add_field(types, match)
            continue
        title = line.strip().lower()
        if title.rstrip(":") not in _PARAMETERS | _RESULTS:
            continue
        underlined = number + 1 < len(lines) and _UNDERLINE.fullmatch(lines[number + 1])
        if underlined:
            _add_section(types, title, _of_indent(lines[number + 2 :], _indent(line)), True)
        elif title.endswith(":"):
            _add_section(types, title[:-1], _first_level(lines[number + 1 :], line), False)
    return types


def _add_field(types: DocumentedTypes, match: re.Match[str]) -> None:
    """Add what one of Sphinx's fields says: `:type x: T`, `:param T x:`, `:rtype: T`."""
    words = match["rest"].split()
    if match["type"] == "rtype":
        if not words:
            types.result = match["text"]
    elif match["type"] is not None:
        if len(words) == 1:
            types.parameters[words[0].lstrip("*")] = match["text"]
    elif len(words) > 1:
        types.parameters.setdefault(words[-1].lstrip("*"), " ".join(words[:-1]))


def _add_section(types: DocumentedTypes, title: str, lines: Iterator[str], is_numpy: bool) -> None:
    for line in lines:
        match = (_NUMPY if is_numpy else _GOOGLE).match(line)
        if title in _RESULTS:
            if types.result is None:
                whole = line if match is None or not is_numpy else match["text"]
                types.result = whole if is_numpy else line.partition(":")[0]
        elif match is not None:
            for name in match["names"].split(","):
                types.parameters.setdefault(name.strip().lstrip("*"), match["text"])


def _of_indent(lines: list[str], indent: int) -> Iterator[str]:
    """Yield the lines of numpydoc's section that name something, up to the next section."""
    for number, line in enumerate(lines):
        if number + 1 < len(lines) and _UNDERLINE.fullmatch(lines[number + 1]):
            return
        if line.strip() and _indent(line) <= indent:
            yield line.strip()


def _first_level(lines: list[str], title: str) -> Iterator[str]:
    """Yield the least indented lines of one of Google's sections."""
    level = None
    for line in lines:
        if not line.strip():
            continue
        indent = _indent(line)
        if indent <= _indent(title):
            return
        level = indent if level is None else level
        if indent == level:
            yield line.strip()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def type_names(text: str) -> list[str]:
    """Return the names of which one is the type, without None; none if there is more than names.

    `DStream or None`, `Optional[DStream]`, `` :class:`DStream` ``, and `DStream of str` are read.
    """
    text = _ROLE.sub("", text.strip()).replace("`", "").replace("~", "").strip("\"' ")
    while (shorter := _MORE.sub("", text)) != text:
        text = shorter
    optional = re.fullmatch(r"(?:typing\.)?Optional\[(.*)\]", text)
    names = re.split(r"\s+or\s+|\s*\|\s*", text if optional is None else optional[1])
    # what is in a stream does not matter
    names = [re.sub(r"\[.*\]$", "", name) for name in names if name != "None"]
    return names if all(re.fullmatch(r"\w+(?:\.\w+)*", name) for name in names) else []


def add_documented(info: FunctionInfo) -> None:
    """Add the types that docstrings name to parameters and results of which nothing is known."""
    text = _docstring(info.node)
    of_class = ""
    if info.owner is not None and info.name == "__init__":
        of_class = _docstring(info.owner.node)
    # few texts name such a class, and all of them have this in their names
    both_types = [documented_types(t) for t in (text, of_class) if "Stream" in t]
    for types in both_types:
        _add_parameters(info, types)
    if "Stream" in text:
        _add_result(info, both_types[0])


def _docstring(node: ast.AST) -> str:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return (ast.get_docstring(node, clean=False) or "") if isinstance(node, kinds) else ""


def _add_parameters(info: FunctionInfo, types: DocumentedTypes) -> None:
    args = info.node.args
    annotated = {a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs) if a.annotation}
    for name in parameter_names(info.node):
        text = types.parameters.get(name)
        parameter = info.params.get(name)
        if text is None or name in annotated or (parameter is not None and parameter.atoms):
            continue
        value = _instance(info, text)
        if value is not None:
            info.documented.add(name)
            info.program.grow(info.params, name, value)


def _add_result(info: FunctionInfo, types: DocumentedTypes) -> None:
    if types.result is None or getattr(info.node, "returns", None) is not None:
        return
    if info.result.atoms and not (info.result == NONE and _is_stub(info.node)):
        return
    # what derived classes give is known better
    family = info.owner.descendants() if info.owner is not None else []
    if any(info.name in derived.attrs for derived in family):
        return
    value = _instance(info, types.result)
    if value is not None:
        info.documented.add("return")
        info.program.grow_result(info, value)


def _is_stub(node: ast.AST) -> bool:
    body = getattr(node, "body", [])
    return all(isinstance(statement, ast.Pass | ast.Expr) for statement in body)


def _instance(info: FunctionInfo, text: str) -> Value | None:
    """Return an instance of what a text names, None if it is not certainly of Spark Streaming."""
    values = []
    frame = ExecutionState(info.program, info.program.module, {})
    for name in type_names(text):
        path = _path(frame, name)
        kind = None if path is None else api.INSTANCES.get(api.canonical(path))
        if kind is None or kind not in STREAMING:
            return None
        step = Step(info.node.lineno, f"documented as {kind}", info.program)
        values.append(obj(kind, step, probable=True))
    return join(*values) if values else None


def _path(frame: ExecutionState, name: str) -> str | None:
    """Return the full path that a name stands for in a module, None if it is the module's own."""
    head, dot, rest = name.partition(".")
    bound = frame.program.module.bound.get(head)
    if bound is None:
        return name if dot else _CLASSES.get(name)
    match list(bound.atoms):
        case [Ref(path=path)] if not bound.unknown:
            return f"{path}{dot}{rest}"
    return None


# functions that call each other run at once when they are first called, down to that depth
MAX_CALLS = 20


class World(Enum):
    """Which functions code outside the program may call.

    Attributes
    ----------
    OPEN
        The functions that it never calls.
    REST
        What is still unknown then too.
    """

    OPEN = 1
    REST = 2


def run_module(program: Program) -> None:
    """Execute a module and the functions of interest in it once, with what is known by now."""
    done: set[FunctionInfo] = set()
    depth = 0

    def enter(info: FunctionInfo) -> None:
        nonlocal depth
        if info not in done and depth < MAX_CALLS:
            done.add(info)
            depth += 1
            _run_function(program, info)
            depth -= 1

    program.enter = enter
    execute(ExecutionState(program, program.module, {}), program.tree.body)
    # functions that run may make and call others
    while left := [
        info
        for info in program.functions.values()
        if info not in done and (program.full or info.called)
    ]:
        for info in left:
            enter(info)
    program.enter = None


def _run_function(program: Program, info: FunctionInfo) -> None:
    env = {name: _parameter(info, name) for name in parameter_names(info.node)}
    for name, value in env.items():
        program.grow(info.scope.bound, name, value)
    frame = ExecutionState(program, info.scope, env, info)
    if isinstance(info.node, ast.Lambda):
        program.grow_result(info, evaluate(frame, info.node.body))
    elif execute(frame, info.node.body):
        program.grow_result(info, NONE)


def _parameter(info: FunctionInfo, name: str) -> Value:
    info.program.reads.add((id(info.params), name))
    value = info.params.get(name, BOTTOM)
    if name in info.documented:
        # as far as it is known, it is what the docstring says
        value = Value(value.atoms)
    if info.owner is not None and name == _self_name(info):
        own = LocalClass if "classmethod" in info.flags else LocalObj
        return join(value, one(own(info.owner)))
    return value


def _self_name(info: FunctionInfo) -> str | None:
    """Return the parameter of a method that is the instance or the class."""
    if info.owner is None or "staticmethod" in info.flags:
        return None
    return next(iter(info.positional()), None)


def open_parameters(program: Program, info: FunctionInfo, world: World) -> None:
    """Give unknown values to parameters that no call of the program sets."""
    if not program.full and not info.called:
        return
    args = info.node.args
    add_documented(info)
    for name in parameter_names(info.node):
        if name in info.declared or info.params.get(name, BOTTOM) != BOTTOM:
            continue
        if name == _self_name(info):
            continue
        if info.called and name in info.params and world is not World.REST:
            continue
        # an optional parameter that no call gives keeps its default
        value = OTHER if info.called and name not in info.params else _by_use(program, info, name)
        is_vararg = args.vararg is not None and name == args.vararg.arg
        program.grow(info.params, name, seq(value) if is_vararg else value)


def _by_use(program: Program, info: FunctionInfo, name: str) -> Value:
    """Return what a parameter probably is if code that is not known calls the function."""
    kind = kind_by_use(info.node, name)
    if kind is None:
        return UNKNOWN
    step = Step(kind.line, f"only a {kind.kind} has {kind.method}()", program)
    return obj(kind.kind, step, probable=True)
