"""How many batches are between two RDDs of a stream, and how many a window has."""

from __future__ import annotations

import ast

from ..builder.builder import Builder
from ..program.graph import TICK_SOURCE, Node
from ..refusals import NotExpressible
from ..windows.durations import Duration, duration, is_multiple
from .methods import WINDOWS, arguments

EACH = "1"
"""The slide of a stream that has an RDD in each batch."""


class Slides:
    """The slides of the streams of a job, in batches, as source.

    Parameters
    ----------
    builder : Builder
        of the job
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._known: dict[Node, str] = {}

    def of(self, node: Node) -> str:
        """Return the slide of a stream.

        Raises
        ------
        NotExpressible
            if it is made of streams with several ones, or if a duration is no multiple
        """
        if node not in self._known:
            slides = {self.of(parent) for parent in node.parents} or {EACH}
            if len(slides) > 1:
                text = "DStreams put no streams together that have different slides"
                raise NotExpressible("DURATION", text, node.call)
            (slide,) = slides
            self._known[node] = slide
            if node.operator in WINDOWS:
                self._known[node] = _product(slide, self.window(node)[1])
        return self._known[node]

    def window(self, node: Node) -> tuple[str, str]:
        """Return the length and the slide of a window, in RDDs of the stream before it."""
        arguments_by_name = arguments(node)
        before = self.of(node.parents[0])
        length = self._batches(node, arguments_by_name["windowDuration"], before)
        if "slideDuration" not in arguments_by_name:
            return length, EACH
        return length, self._batches(node, arguments_by_name["slideDuration"], before)

    def _batches(self, node: Node, argument: ast.expr, before: str) -> str:
        """Return a duration in RDDs of a stream that has a slide itself."""
        module, interval = self._builder.module, self._builder.job.interval
        assert interval is not None
        whole = duration(module, node.block, argument)
        batch = duration(module, self._builder.job.block, interval)
        if before != EACH and (whole.value is None or batch.value is None or not before.isdigit()):
            text = "a window of a window needs durations that are written as numbers"
            raise NotExpressible("DURATION", text, node.call)
        if is_multiple(whole, batch) is False:
            text = "Spark refuses durations that are no multiples of the batch"
            raise NotExpressible("DURATION", text, node.call)
        if before == EACH and whole.text == batch.text:
            return EACH
        if whole.value is None or batch.value is None:
            return self._quotient(whole, batch)
        number, rest = divmod(round(whole.value * 1000), round(batch.value * 1000) * int(before))
        if rest:
            text = "Spark refuses durations that are no multiples of the slide of the stream"
            raise NotExpressible("DURATION", text, node.call)
        return str(number)

    def _quotient(self, whole: Duration, part: Duration) -> str:
        """Return how often a duration has another one, as source."""
        if part.value == 1 and whole.whole:
            return whole.operand
        if whole.whole and part.whole:
            return f"{whole.operand} // {part.operand}"
        # functions of Spark and NumPy, which many jobs import, hide `round`
        return f"{self._builder.builtin('int')}({whole.operand} / {part.operand} + 0.5)"


def counts_intervals(node: Node) -> bool:
    """Return whether each batch of a stream is one of an interval: those of queues are, others
    begin with the batch that Spark runs when the query starts.
    """
    return any(step.operator == TICK_SOURCE for step in node.path())


def interval_of(builder: Builder, node: Node) -> str:
    """Return the number of the interval of a batch, from 1, as source."""
    return f"({builder.batch_id} + 1)" if counts_intervals(node) else builder.batch_id


def _product(first: str, second: str) -> str:
    """Return the product of two numbers of which one may be known only when the job runs."""
    if first.isdigit() and second.isdigit():
        return str(int(first) * int(second))
    return second if first == EACH else first


def before(number: str, batches: str) -> str:
    """Return the number of the first of some last batches, as source."""
    if batches.isdigit():
        return f"{number} - {int(batches) - 1}" if int(batches) > 1 else number
    return f"{number} - {operand(batches)} + 1"


def operand(text: str) -> str:
    """Return a number as a part of a larger expression."""
    is_one = text.replace("_", "").isalnum() or text.startswith("int(")
    return text if is_one else f"({text})"
