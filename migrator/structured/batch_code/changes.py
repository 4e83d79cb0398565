"""Whether functions of the job see in a batch what others have changed in it.

DStreams make the RDDs of a batch before its outputs run: functions of streams see what the driver
had then. Here an RDD is made where it is needed, behind the outputs that stand before it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrator.infer.scopes import locals_of

from ..builder.builder import Builder
from ..foreach.effects import CHANGES, changed_names, functions_behind, outer_names
from ..program.graph import Function, Node, Output
from ..program.modules import Block, SourceModule

_STEPS = ("transform", "transformWith")
_TEXT = (
    "`{0}` is changed by a function of `{1}`, and read by one of `{2}` behind it: DStreams called "
    "{3} before"
)


def check_changes(builder: Builder, outputs: Sequence[Output]) -> None:
    """Refuse functions of a query that would see other values than on DStreams, or say so.

    Parameters
    ----------
    builder : Builder
        of the job
    outputs : sequence of Output
        those of the query, in their order

    Raises
    ------
    NotExpressible
        if such a difference is not accepted
    """
    module = builder.module
    for place, output in enumerate(outputs):
        own = _names(module, output.block, output.call, changed=True)
        later = {node for output in outputs[place + 1 :] for node in output.node.path()}
        for node in sorted(later, key=lambda each: each.call.lineno):
            for name in sorted(own & _names(module, node.block, node.call)):
                text = _TEXT.format(name, output.method, node.operator, "the second")
                builder.differs("CHANGES", text, node.call)
    for place, output in enumerate(outputs):
        earlier = {node for output in outputs[:place] for node in output.node.path()}
        for node in {*output.node.path()} - earlier:
            if node.operator in _STEPS:
                _check_transform(builder, node, outputs[:place])


def _check_transform(builder: Builder, node: Node, before: Sequence[Output]) -> None:
    """Refuse outputs that read what a `transform` behind them changes."""
    module = builder.module
    own = _names(module, node.block, node.call, changed=True)
    for output in before:
        for name in sorted(own & _names(module, output.block, output.call)):
            text = _TEXT.format(name, node.operator, output.method, "the first")
            builder.differs("CHANGES", text, node.call)


def _names(module: SourceModule, block: Block, call: ast.Call, changed: bool = False) -> set[str]:
    """Return the names that the functions of a call read, or those that they change."""
    return {
        name
        for function in _functions(module, block, call)
        for one in functions_behind(module, block, function)
        for name in (_changed_names(module, one) if changed else _loaded_names(module, one))
    }


def _functions(module: SourceModule, block: Block, call: ast.Call) -> Iterator[Function]:
    """Yield the functions that a call is given."""
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        for node in ast.walk(argument):
            if isinstance(node, ast.Lambda | ast.Name):
                function, _ = module.function_given(block, node)
                if function is not None:
                    yield function


def _changed_names(module: SourceModule, function: Function) -> Iterator[str]:
    return (name for name, _ in changed_names(module, function, locals_of(function)))


def _loaded_names(module: SourceModule, function: Function) -> Iterator[str]:
    """Yield the names that a function reads for more than to change their objects, as one adds to
    an accumulator.
    """
    for node in outer_names(function, locals_of(function)):
        owner = module.parents.get(node)
        if not (isinstance(owner, ast.Attribute) and owner.attr in CHANGES):
            yield node.id
