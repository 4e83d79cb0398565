"""Records as the lines that `saveAsTextFile` writes of them: `str` of each one."""

from __future__ import annotations

import ast

from dstream_compat.native.expressions import Cast, Column, Struct
from dstream_compat.native.types import Boolean, Double, Long, Nullable, String, Type, words

from ..dataframes.frames import Frame
from ..dataframes.named_rows import has_names
from ..refusals import NotExpressible
from .builder import Builder


def text_of_record(builder: Builder, frame: Frame, node: ast.AST) -> Frame:
    """Return a frame whose records are the texts of another one's.

    Raises
    ------
    NotExpressible
        if Python would write them otherwise
    """
    element = frame.element
    if isinstance(element.type, Long):
        cast = Cast(String(True), element, "string")
        return frame.with_element(cast, ("value",)).only_record_columns()
    if has_names(element.type):
        raise NotExpressible("TEXT_OF_RECORD", "the text of named tuples", node)
    fields = element.fields if isinstance(element, Struct) else (element,)
    if any(isinstance(field, Struct) for field in fields):
        raise NotExpressible("NESTED", "the text of tuples in tuples", node)
    for field in fields:
        _refuse(field.type, node)
    frame = frame.only_record_columns()
    names = ", ".join(f'"{name}"' for name in frame.names)
    function = "lambda *values: str(values)" if isinstance(element, Struct) else "str"
    functions = builder.printer.functions
    code = frame.code.call("select", f'{functions}.udf({function})({names}).alias("value")')
    return Frame(code, Column(String(), "value"), ("value",), ("value",))


def _refuse(kind: Type, node: ast.AST) -> None:
    inner = kind.inner if isinstance(kind, Nullable) else kind
    if not isinstance(inner, Long | Double | String | Boolean):
        raise NotExpressible("TEXT_OF_RECORD", f"the text of {words(kind)} is not known", node)
