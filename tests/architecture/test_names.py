"""Functions are named by what they do or give, never by a participle alone, such as ``found``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
IRREGULAR = re.compile(
    r"""
    become|begun|bent|bound|bought|bred|broken|brought|built|burnt|caught|chosen|
    clung|crept|dealt|done|drawn|driven|eaten|fallen|fed|felt|flown|forbidden|
    forgotten|fought|found|frozen|given|gone|gotten|ground|grown|heard|held|hidden|
    hung|kept|known|laid|lain|led|left|lent|lit|lost|made|meant|met|misspelt|
    mistaken|overridden|overwritten|paid|proven|ran|rebuilt|redone|ridden|risen|
    rewritten|said|seen|sent|sewn|shaken|shot|shown|shrunk|sold|sought|sown|spent|
    spoken|spun|stood|stolen|struck|stuck|sunk|sworn|swept|swung|taken|taught|
    thought|thrown|told|torn|undone|understood|unknown|unmade|unread|unseen|unwound|
    unwritten|withheld|won|worn|wound|woven|written
    """,
    re.VERBOSE,
)
# verbs and nouns that end as participles do
NO_PARTICIPLES = re.compile(
    r"""
    bed|binding|bring|ceiling|docstring|embed|encoding|exceed|feed|finding|heading|
    indeed|king|listing|meaning|need|opening|padding|ping|proceed|recording|rewriting|
    ring|seed|setting|shed|shred|sibling|sing|spacing|speed|spelling|spring|
    streaming|string|succeed|thing|timing|training|warning|wording|wrapping
    """,
    re.VERBOSE,
)
# of these, a name that has nothing but participles otherwise says no more
FUNCTION_WORDS = re.compile(
    r"""
    again|alike|alone|also|as|at|away|back|before|behind|below|beside|by|down|for|
    from|here|in|into|never|not|nothing|of|off|on|once|only|out|over|so|there|
    to|together|up|with
    """,
    re.VERBOSE,
)


def is_participle(word: str) -> bool:
    """Whether a word can only be a participle: verbs such as ``read`` and ``put`` are allowed."""
    ends_so = bool(re.fullmatch(r"\w+(ed|ing)", word) or IRREGULAR.fullmatch(word))
    return ends_so and not NO_PARTICIPLES.fullmatch(word)


def is_bare_participle(name: str) -> bool:
    """Whether a name is a participle, with nothing but function words: ``_kept``, ``left_out``."""
    # names of Java's and Spark's methods, such as `onBatchStarted`, are not ours
    if name.startswith("__") or name != name.lower():
        return False
    words = [word for word in name.split("_") if word]
    others = [word for word in words if not FUNCTION_WORDS.fullmatch(word)]
    return bool(others) and all(map(is_participle, others))


def bare_participles(package: str) -> Iterator[str]:
    """Every function of a package whose name says neither what it does nor what it gives."""
    for path in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            if is_function and is_bare_participle(node.name):
                yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"


@pytest.mark.parametrize(
    "name", ["found", "_kept", "told", "made_before", "left_out", "joined", "running", "taken_up"]
)
def test_bare_participles_are_detected(name: str) -> None:
    assert is_bare_participle(name)


@pytest.mark.parametrize(
    "name",
    [
        *("read", "_feed", "need", "embed", "put", "split", "cut", "cast", "run", "is_known", "_"),
        *("find_calls", "joined_text", "calls_of", "setting", "string", "onBatchStarted"),
    ],
)
def test_verbs_and_noun_phrases_are_allowed(name: str) -> None:
    assert not is_bare_participle(name)


@pytest.mark.slow
@pytest.mark.parametrize("package", ["migrator", "dstream_compat"])
def test_functions_are_no_participles(package: str) -> None:
    names = list(bare_participles(package))
    assert not names, f"name them by what they do or give: {', '.join(names)}"
