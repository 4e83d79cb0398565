"""The functions of ``map``, ``filter`` and ``flatMap`` that are computed on blocks of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MethodDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, Final, NamedTuple

from ...native import Refusal, Translation, Translator, column, to_source
from ...native.expressions import Expression
from ...native.refusals import Code
from ...native.types import String
from ..operators.constant_pairs import ConstantValue
from ..operators.record_functions import Filter, FlatMap, Map, RecordFunction
from . import kernels
from .kernels import Kernel, NoKernelError

_MOST_KNOWN: Final = 200
_DEEPEST: Final = 10


class Native(NamedTuple):
    """A function of texts that gives texts, as an expression.

    Parameters
    ----------
    kind : str
        the method of the translator: ``map``, ``filter`` or ``flat_map``
    expression : Expression
        computes what the function returns
    ascii : bool
        it is exact for texts of ASCII only
    """

    kind: str
    expression: Expression
    ascii: bool

    @property
    def kernel(self) -> Kernel:
        """What computes a block."""
        return _KERNELS[self.kind](self.expression)

    @property
    def text(self) -> str:
        """What it computes, for users to read."""
        return " ".join(to_source(self.expression).text.split())


_KERNELS: Final[dict[str, Callable[[Expression], Kernel]]] = {
    "map": kernels.texts,
    "filter": kernels.filter_kernel,
    "flat_map": kernels.elements,
}
_KINDS: Final[dict[type, str]] = {Map: "map", Filter: "filter", FlatMap: "flat_map"}
_known: dict[Any, Native | str] = {}


def makes_pairs(fn: Any) -> bool:
    """Return whether a function makes pairs of its record and a constant."""
    return isinstance(fn, Map) and isinstance(fn.pairs, ConstantValue) and fn.pairs.whole


def native_of(fn: Any) -> Native | str:
    """Return how an operator of texts is computed on blocks, or why it is not.

    Parameters
    ----------
    fn : RecordFunction or callable
        of the operator
    """
    kind = _KINDS.get(type(fn))
    if kind is None:
        return "only map, filter and flatMap are"
    assert isinstance(fn, RecordFunction)
    key = kind, tuple(_sees(fn.function, 0))
    native = _known.get(key)
    if native is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        native = _known[key] = _translate(kind, fn.function)
    return native


def _translate(kind: str, function: Callable[[Any], Any]) -> Native | str:
    refusal: Refusal | None = None
    for is_ascii in (False, True):
        translation = getattr(Translator(), kind)(function, column("x", String(is_ascii)))
        if isinstance(translation, Translation):
            return _native(kind, translation, is_ascii)
        refusal = refusal or translation
        if refusal.code is not Code.CASE_MAPPING:
            break
    return str(refusal)


def _native(kind: str, translation: Translation, is_ascii: bool) -> Native | str:
    if translation.may_raise:
        return "it may raise for some record"
    if kind != "filter" and not isinstance(translation.type, String):
        return "it does not give texts"
    needs = is_ascii or kernels.needs_ascii(translation.expression)
    native = Native(kind, translation.expression, needs)
    try:
        native.kernel  # noqa: B018
    except NoKernelError as error:
        return f"there is no kernel for {error}"
    return native


_NAMED: Final = (
    *(ModuleType, BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType),
    *(type, itemgetter, tuple, frozenset),
)
"""What the translator takes as it is now; these cannot change."""


class _Same:
    """Tells objects apart by their identity, and keeps them."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def _sees(value: Any, depth: int) -> Iterator[Any]:
    """Yield all that the translation of a function depends on, as hashable values."""
    if type(value) in (int, float, str, bool, bytes, type(None)):
        yield type(value), repr(value)
    elif isinstance(value, _NAMED):
        yield _Same(value)
    elif not isinstance(value, FunctionType) or depth > _DEEPEST:
        yield type(value)  # the translator knows nothing of it, and it may be large
    else:
        yield value.__code__
        seen = [*(value.__defaults__ or ()), *sorted((value.__kwdefaults__ or {}).items())]
        for cell in value.__closure__ or ():
            try:
                seen.append(cell.cell_contents)
            except ValueError:  # not assigned yet
                yield None
        for each in seen:
            yield from _sees(each, depth + 1)
        names = sorted(set(_names(value.__code__)) & value.__globals__.keys())
        for name in names:
            yield name
            yield from _sees(value.__globals__[name], depth + 1)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)
