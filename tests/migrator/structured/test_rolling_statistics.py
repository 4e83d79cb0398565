"""The rewritten example of rolling statistics shows what the same rules give in plain Python."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.legacy.harness import EXAMPLES
from tests.support.legacy.rolling import WINDOW, expected, ticks
from tests.support.structured.compare import channels
from tests.support.structured.pairs import run
from tests.support.structured.values import plain


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize(("mode", "slide"), [("classic", 1), ("connect", 2)])
def test_shows_what_plain_python_computes(mode: str, slide: int, tmp_path: Path) -> None:
    text = (EXAMPLES / "rolling_statistics.py").read_text(encoding="utf-8")
    rewritten = rewrite(text, unsafe=True)
    assert isinstance(rewritten, Rewritten)
    root = tmp_path / "job"
    root.mkdir()
    (root / "after.py").write_text(rewritten.text, encoding="utf-8")
    seconds = ticks()
    # Spark reads the larger of two files first: two intervals in one batch would be exchanged
    assert any(len(one) < len(other) for one, other in pairwise(seconds) if one)
    plan = {
        "script": "after.py",
        "root": str(root),
        "args": ["localhost", "{PORT}", str(WINDOW), str(slide)],
        "interval": 1,
        "triggers": [1, slide],
        "end": "stop",
        "queries": 3,
        "steps": [{"lines": lines} for lines in seconds],
    }
    (result,) = run(mode, [plan], tmp_path)
    assert not result["problems"], result["problems"]
    found = channels(result["events"], [*range(1, len(seconds) + 1)])
    rules = expected(seconds, slide)
    assert len(found) == len(rules)
    assert rules["counts"][-1] != rules["counts"][-3], "the window moves"
    for place, name in enumerate(("statistics", "warnings"), 1):
        for second, records in enumerate(rules[name], 1):
            assert shown(found, place, second) == records, (name, second)
    for number, records in enumerate(rules["counts"], 1):
        assert shown(found, 3, number * slide) == records, number


def shown(found: dict[str, dict[int, Any]], place: int, second: int) -> Counter[str]:
    """What an output shows in a second."""
    events = found[f"shown {place}"].get(second, [])
    return Counter(str(plain(each)) for event in events for each in event["records"])
