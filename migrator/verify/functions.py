"""Finds the functions of queries that are given what functions of DStreams were given."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dstream_compat.testing.results import Results


def same_functions(
    old: Results,
    new: Results,
    mine: Sequence[int],
    others: Sequence[int],
    alike: Callable[[int, int], bool],
) -> list[tuple[int, int]]:
    """Return the functions whose records say something about the jobs.

    A rewrite may do in its function what the stream did before, so records that differ are no
    fault: what the function makes of them is compared. Records are compared where they are equal,
    and where nothing else can be: the functions of both jobs use them as they are given, and all
    that they do with them is done by other means, as with a client of a database.

    Parameters
    ----------
    mine, others : sequence of int
        The numbers of what their functions were given.
    alike : callable
        Whether the records of two functions are the same in all batches.
    """
    pairs_found: dict[int, int] = {}
    for number in mine:
        for other in others:
            if (
                number not in pairs_found
                and other not in pairs_found.values()
                and alike(number, other)
            ):
                pairs_found[number] = other
    silent = [
        [number for number in numbers if _is_silent(outcome, number)]
        for outcome, numbers in (
            (old, [number for number in mine if number not in pairs_found]),
            (new, [other for other in others if other not in pairs_found.values()]),
        )
    ]
    if len(silent[0]) == len(silent[1]):
        pairs_found |= zip(*silent, strict=True)
    return list(pairs_found.items())


def gives_out(outcome: Results, number: int) -> bool:
    """Return whether a function gives out something that is an output of its own.

    Parameters
    ----------
    outcome : Results
        What its job gave.
    number : int
        Of what the function was given.
    """
    place = outcome.outputs[number].place[:1]
    return any(
        other.place[:1] == place and other.kind not in ("state", "stream")
        for at, other in enumerate(outcome.outputs)
        if at != number
    )


def _is_silent(outcome: Results, number: int) -> bool:
    """Return whether a function uses its records itself, and gives out nothing recorded."""
    return outcome.outputs[number].direct and not gives_out(outcome, number)
