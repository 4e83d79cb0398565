"""Random programs of Python 2: converted as a whole or not at all, and never twice."""

from __future__ import annotations

import ast
import io
import random
from collections import Counter
from pathlib import Path

import pytest
from fissix.pgen2.tokenize import COMMENT, generate_tokens

from migrator.model.report import FileReport
from tests.support.migrator.python2 import HEAD
from tests.support.migrator.python2_cases import CHANGED, UNCHANGED
from tests.support.migrator.reports import report

FOLDER = Path(__file__).parent / "behaviour"
MODULES = [path.read_text("utf-8").split("\n") for path in sorted(FOLDER.glob("*.py2"))]
LINES = [line for module in MODULES for line in module]
SNIPPETS = [*(before for before, _ in CHANGED), *UNCHANGED]


def mixed(chance: random.Random) -> str:
    return HEAD + "".join(chance.choices(SNIPPETS, k=chance.randint(2, 8)))


def mutated(chance: random.Random) -> str:
    lines = list(chance.choice(MODULES))
    for _ in range(chance.randint(0, 2)):
        index = chance.randrange(len(lines))
        match chance.randrange(4):
            case 0:
                lines[index] = chance.choice(LINES)
            case 1:
                del lines[index]
            case 2:
                lines[index] += "  # c"
            case _:
                place = chance.randint(0, len(lines[index]))
                part = chance.choice(" \t()[],:.#'\"\\é`x1")
                lines[index] = lines[index][:place] + part + lines[index][place:]
    return HEAD + "\n".join(lines)


def comments(text: str) -> Counter[str]:
    tokens = generate_tokens(io.StringIO(text + "\n").readline)
    return Counter(token[1].rstrip() for token in tokens if token[0] == COMMENT)


def check(source: str) -> FileReport:
    found = report(source.encode())
    if found.conversion is not None:
        assert found.content is not None
        text = found.content.decode()
        ast.parse(text)
        assert comments(source) == comments(text)
        again = report(found.content)
        assert again.content is None and again.conversion is None
        assert not any(f.is_fixed for f in again.findings)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("make", [mixed, mutated])
def test_random_programs(make: object) -> None:
    assert callable(make)
    chance = random.Random(11)
    found = [check(make(chance)) for _ in range(80)]
    converted = [file for file in found if file.conversion is not None]
    assert len(converted) > 30
    for file in found:
        if file.conversion is None:
            assert "D010" not in {f.code for f in file.findings}


@pytest.mark.full
@pytest.mark.parametrize("seed", range(40))
def test_many_random_programs(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(100):
        check(chance.choice([mixed, mutated])(chance))
