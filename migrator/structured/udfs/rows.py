"""`map`, `filter`, `flatMap` and their kin by UDFs."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dstream_compat.native import Refusal
from dstream_compat.native.expressions import Column, Expression, GetField, Struct, struct
from dstream_compat.native.names import Known, Local
from dstream_compat.native.schemas import schema
from dstream_compat.native.types import (
    Array,
    Boolean,
    Double,
    Long,
    NoneType,
    String,
    Tuple,
    Type,
    present,
    words,
)
from migrator.spark.since import KEYWORDS

from ..builder.builder import after_conditions, check_order
from ..dataframes.frames import Aliased, Chain, Frame, columns_of, leaves_of, over_columns, unique
from ..dataframes.named_rows import has_names
from ..dataframes.naming import elements_name, is_telling, record_names, singular
from ..program.bindings import uses
from ..program.graph import Node
from ..program.modules import SourceModule
from ..refusals import NotExpressible, from_refusal
from .expressions import TypeInference
from .names import JobNames
from .types import ANY, UnknownTypeError, argument, elements, is_lazy, map_children, stored_type

if TYPE_CHECKING:
    from ..builder.builder import Builder

NAMES = ("key", "value")
FITS = "a Python UDF raises for an integer beyond 64 bits"


@dataclass(frozen=True)
class Udf:
    """The call of a UDF.

    Parameters
    ----------
    code : str
        its source
    type : Type
        of what it gives; for `flatMap` of an element
    raises : bool
        whether the function may raise
    name : str
        what the function is called, empty for a lambda
    """

    code: str
    type: Type
    raises: bool
    name: str


def udf(
    builder: Builder, node: Node, value: Expression, refusal: Refusal, flat: bool = False
) -> Udf:
    """Return the UDF of a function that has no expression.

    Raises
    ------
    NotExpressible
        if its type is not certain, or if it has effects
    """
    try:
        return _udf(builder, node, value, refusal, flat)
    except UnknownTypeError as error:
        refused = from_refusal(refusal, node.call)
        text = f"{refused.reason.text}; and it is no Python UDF, as {error.text}"
        refused.reason = replace(refused.reason, text=text)
        raise refused from None


def _udf(builder: Builder, node: Node, value: Expression, refusal: Refusal, flat: bool) -> Udf:
    function_node = builder.arguments(node)["f"]
    if has_names(value.type):
        raise UnknownTypeError("it would be given rows in place of named tuples")
    here = TypeInference(
        JobNames(builder.module, node).lookup, builder.module.environment_in(node.block)
    )
    function = here.function(function_node)
    _refuse_annotations(function)
    result_kind = here.call(function, [argument(value, rows=True)])
    wrapped = flat and (is_lazy(result_kind) or not isinstance(result_kind, Array))
    if flat:
        result_kind = Array(elements(here.here(result_kind)))
    if isinstance(result_kind, NoneType):
        raise UnknownTypeError("its result is always None")
    try:
        kind = stored_type(_with_field_names(result_kind), "its result")
        arrow = []
    except UnknownTypeError:
        # on Spark 3 the UDF gives NULL for a larger integer
        if not builder.unsafe or builder.spark < KEYWORDS["useArrow"]:
            raise
        kind = stored_type(_with_field_names(result_kind), "its result", ANY)
        arrow = ["useArrow=True"]
        builder.differs("INT_RANGE", FITS, node.call)
    ddl = [f'"{schema(kind)}"', *arrow]
    name = (
        function.name
        if isinstance(function, Local) and not isinstance(function_node, ast.Lambda)
        else ""
    )
    code = _callee(builder, node, function_node, function, ddl, wrapped)
    builder.reasons[node] = (
        f"a Python UDF of the same function, which has no expression: {refusal.text} "
        f"[{refusal.code.name}]"
    )
    builder.udfs.add(node)
    whole = f"{code}({_columns(builder, value)})"
    if flat:
        assert isinstance(kind, Array)
        kind = kind.element
    return Udf(whole, kind, bool(here.raised | here.uncaught), name)


def _refuse_annotations(function: Local | Known) -> None:
    """Refuse annotations by which Spark takes a function for one of whole columns."""
    if isinstance(function, Local) and isinstance(function.node, ast.FunctionDef):
        annotations = [argument.annotation for argument in function.node.args.args]
        texts = [
            ast.unparse(each) for each in (*annotations, function.node.returns) if each is not None
        ]
        if any("Series" in text or "Array" in text or "Frame" in text for text in texts):
            raise UnknownTypeError("its annotations are those of a function of whole columns")


def _with_field_names(kind: Type) -> Type:
    """Return a type whose tuples have names for all fields."""
    kind = map_children(kind, _with_field_names)
    if not isinstance(kind, Tuple):
        return kind
    pair = len(kind.fields) == len(NAMES)
    names: list[str] = []
    for place, name in enumerate(kind.names):
        plain = NAMES[place] if pair else f"field_{place + 1}"
        names.append(plain if name.startswith("_") or name in names else name)
    if len(set(names)) < len(names):
        names = [NAMES[i] if pair else f"field_{i + 1}" for i in range(len(kind.fields))]
    return replace(kind, names=tuple(names))


def _columns(builder: Builder, argument: Expression) -> str:
    """Return the columns that a UDF is given, as source."""
    if isinstance(argument, Column):
        return f'"{argument.name}"'
    if isinstance(argument, Struct):
        names = [field.name for field in argument.fields if isinstance(field, Column)]
        if len(names) == len(argument.fields) == len(set(names)):
            listed = ", ".join(f'"{name}"' for name in names)
            return f"{builder.printer.functions}.struct({listed})"
        argument = _renumber_fields(argument)
    return builder.printer.text(argument)


def _renumber_fields(argument: Struct) -> Struct:
    parts = (_renumber_fields(e) if isinstance(e, Struct) else e for e in argument.fields)
    return struct(tuple(parts))


def _callee(
    builder: Builder,
    node: Node,
    function_node: ast.expr,
    function: Local | Known,
    ddl: list[str],
    wrapped: bool,
) -> str:
    """Return what is called with columns."""
    functions, module = builder.printer.functions, builder.module
    name = "" if isinstance(function_node, ast.Lambda) else module.source(function_node)
    if isinstance(function_node, ast.Lambda):
        text = _lambda(module, function_node, wrapped)
    elif isinstance(function, Known):
        text = f"lambda value: {f'list({name}(value))' if wrapped else f'{name}(value)'}"
    elif wrapped:
        parameters = [argument.arg for argument in function.node.args.args] or ["value"]
        text = f"lambda {parameters[0]}: list({name}({parameters[0]}))"
    elif isinstance(function.node, ast.FunctionDef) and _is_decorated(
        builder, function_node, function.node
    ):
        start = module.starts[function.node.lineno - 1]
        pad = " " * function.node.col_offset
        edit = (start, start, f"{pad}@{functions}.udf({', '.join(ddl)})\n")
        if edit not in builder.edits:
            builder.edits.append(edit)
        return name
    else:
        text = name
    if not _has_place(builder, node):
        return f"{functions}.udf({', '.join((text, *ddl))})"
    if node not in builder.defined:
        base_name = f"{name}_udf" if isinstance(function, Local) and name else _variable(node, name)
        udf_name = module.free_name(base_name)
        builder.job.added.add(udf_name)
        builder.defined[node] = udf_name, Chain(functions).call("udf", text, *ddl)
    return builder.defined[node][0]


def _lambda(module: SourceModule, lambda_: ast.Lambda, wrapped: bool) -> str:
    """Return the source of a lambda on one line; as a list if it gives an iterator."""
    body = module.source(lambda_.body)
    text = module.source(lambda_)
    if wrapped:
        text = f"{text[: len(text) - len(body)]}list({body})" if text.endswith(body) else ""
    if not text or "\n" in text:
        whole = ast.unparse(lambda_.body)
        text = f"lambda {ast.unparse(lambda_.args)}: {f'list({whole})' if wrapped else whole}"
    return text


def _variable(node: Node, base_name: str) -> str:
    """Return a name for a UDF that has none."""
    if base_name.isidentifier():
        return f"to_{base_name}"
    name = singular(node.name)
    if node.operator == "filter":
        return f"is_{name or 'wanted'}"
    if node.operator.startswith("flatMap"):
        return f"to_{node.name}" if name else "to_items"
    return f"to_{name or 'value'}"


def _has_place(builder: Builder, node: Node) -> bool:
    """Return whether a statement can stand before the one of a node."""
    job = builder.job
    for outer in builder.module.around(node.call):
        if isinstance(outer, ast.FunctionDef | ast.Lambda):
            break
        if outer in job.statements:
            return outer in job.streams or any(outer is output.statement for output in job.outputs)
    return False


def _is_decorated(builder: Builder, function_node: ast.expr, function: ast.FunctionDef) -> bool:
    """Return whether a function can be a UDF itself: nothing
    else uses it, and there is a session then.

    A UDF reads its schema when it is made, which needs a session.
    """
    module, job = builder.module, builder.job
    texts = {n.value for n in ast.walk(module.tree) if isinstance(n, ast.Constant)}
    alone = uses(module.tree, function.name) == [function_node] and function.name not in texts
    after = job.session is not None and job.session.lineno < function.lineno
    return alone and after and function in job.statements


VERBS = ("parse_", "to_", "get_", "extract_", "make_", "as_", "read_", "split_", "find_")
EMPTY: dict[type[Type], str] = {String: '""', Long: "0", Double: "0.0"}


def beside_key(
    frame: Frame, key: Expression | None, udf_code: str | Expression, column: Column
) -> Frame:
    """Return a frame with a column that is made of each row, beside its key.

    Parameters
    ----------
    key : Expression or None
        the key, if records have one that stays
    udf_code : str or Expression
        what the column is made by, which may give several rows
    column : Column
        the type of the column, and the name that it gets if no part of the key has it
    """
    keys = () if key is None else leaves_of(key)
    *key_names, name = names = unique((*frame.names[: len(keys)], column.name))
    columns = [Aliased(*key) for key in zip(keys, key_names, strict=True)]
    last = f'{udf_code}.alias("{name}")' if isinstance(udf_code, str) else Aliased(udf_code, name)
    element, inner = of_column(Column(column.type, name))
    if key is not None:
        element = struct((over_columns(key, key_names), element))
    raising = {n for key, n in zip(keys, key_names, strict=True) if frame.may_raise(key)}
    code = frame.code.call("select", *columns, last)
    return Frame(code, element, unique((*key_names, *inner)), names, frozenset(raising))


def map_frame(
    builder: Builder,
    node: Node,
    frame: Frame,
    refusal: Refusal,
    key: Expression | None,
    value: Expression,
) -> Frame:
    """Return the frame of `map`; of `mapValues`, if there is a key."""
    builder.keeps(frame, node, *([] if key is None else [key]), value)
    udf_code = udf(builder, node, value, refusal)
    result = beside_key(frame, key, udf_code.code, Column(udf_code.type, _name(node, udf_code)))
    if udf_code.raises or frame.may_raise(value):
        result = replace(result, raising=result.raising | {result.columns[-1]})
    return result


def filter_frame(builder: Builder, node: Node, frame: Frame, refusal: Refusal) -> Frame:
    """Return the frame of `filter`."""
    builder.keeps(frame, node, frame.element)
    udf_code = udf(builder, node, frame.element, refusal)
    check_order(builder, node, frame, (frame.element,), udf_code.raises)
    kind = present(udf_code.type)
    code = udf_code.code
    if type(kind) in EMPTY:
        code = f"{code} != {EMPTY[type(kind)]}"
    elif not isinstance(kind, Boolean):
        text = f"the function of a filter gives {words(udf_code.type)}, and has no expression"
        raise NotExpressible("TYPE", text, node.call)
    return after_conditions(
        replace(frame, code=frame.code.call("where", code)), *leaves_of(frame.element)
    )


def flat_map_frame(
    builder: Builder,
    node: Node,
    frame: Frame,
    refusal: Refusal,
    key: Expression | None,
    value: Expression,
) -> Frame:
    """Return the frame of `flatMap`; of `flatMapValues`, if there is a key."""
    builder.keeps(frame, node, *([] if key is None else [key]), value)
    udf_code = udf(builder, node, value, refusal, flat=True)
    functions = builder.printer.functions
    if not isinstance(udf_code.type, Tuple):
        item = elements_name(node, Column(Array(udf_code.type), ""))
        code = f"{functions}.explode({udf_code.code})"
        return beside_key(frame, key, code, Column(udf_code.type, item))
    if key is not None or any(isinstance(field, Tuple) for field in udf_code.type.fields):
        text = "the elements are tuples" + " of tuples" * (key is None)
        raise NotExpressible("NESTED", text, node.call)
    names = udf_code.type.names
    rows = frame.code.call("select", builder.printer.inline(udf_code.code, names))
    return Frame(rows, columns_of(udf_code.type, names), names, names)


def of_column(column: Column) -> tuple[Expression, tuple[str, ...]]:
    """Return a record that is a column, with the names of its
    values: those of a tuple are its fields.
    """
    element = _fields(column)
    leaves = [each for each in leaves_of(element) if isinstance(each, Column | GetField)]
    return element, unique(tuple(leaf.name for leaf in leaves))


def _fields(owner: Expression) -> Expression:
    if not isinstance(owner.type, Tuple):
        return owner
    pairs = zip(owner.type.fields, owner.type.names, strict=True)
    return struct(tuple(_fields(GetField(kind, owner, name)) for kind, name in pairs))


def _name(node: Node, udf_code: Udf) -> str:
    """Return the name of the column of a result."""
    plain = record_names(node, Column(udf_code.type, ""))[0]
    if plain != "value":
        return plain
    name = udf_code.name.lower()
    for verb in VERBS:
        if name.startswith(verb):
            name = name.removeprefix(verb)
            return name if is_telling(name) else plain
    return "record" if isinstance(present(udf_code.type), Tuple) else plain
