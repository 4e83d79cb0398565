"""The example that only runs on ours: what it prints, against the same rules in plain Python."""

from __future__ import annotations

import json
import random
import subprocess
from collections import Counter, defaultdict, deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.support.legacy.driven import drive
from tests.support.legacy.harness import blocks, command, environment
from tests.support.legacy.plans import SOCKET, job

SCRIPT = "rolling_statistics.py"
WINDOW, SLIDE = 10, 2
SYMBOLS = ["ACME", "INIT", "OMEGA"]


def ticks() -> list[list[str]]:
    """Return lines by second; some seconds are idle, some lines are nonsense."""
    dice = random.Random(7)
    price = dict.fromkeys(SYMBOLS, 100.0)
    seconds = []
    for second in range(16):
        lines = []
        for _ in range(0 if second in (3, 9, 10) else dice.randrange(1, 12)):
            symbol = dice.choice(SYMBOLS[: 2 + (second > 5)])
            price[symbol] = round(price[symbol] + dice.uniform(-2.5, 2.5), 2)
            lines.append(f"{dice.choice([symbol, symbol.lower()])} {price[symbol]:.2f}")
        seconds.append([*lines, "", "ACME", "ACME n/a", "a b c"] if second % 5 == 2 else lines)
    return seconds


def parsed(lines: Iterable[str]) -> list[tuple[str, float]]:
    found = [line.split() for line in lines]
    good = [f for f in found if len(f) == 2 and f[1].replace(".", "").isdigit()]
    return [(symbol.upper(), float(price)) for symbol, price in good]


def expected(seconds: list[list[str]]) -> dict[str, list[Counter[str]]]:
    """Return what each of the three outputs prints, batch by batch."""
    last: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=5))
    warned: dict[str, float] = {}
    by_second: list[Counter[str]] = []
    result: dict[str, list[Counter[str]]] = {"statistics": [], "warnings": [], "counts": []}
    for second, lines in enumerate(seconds, 1):
        statistics: Counter[str] = Counter()
        warnings: Counter[str] = Counter()
        symbols: Counter[str] = Counter()
        for symbol, price in parsed(lines):
            prices = last[symbol]
            prices.append(price)
            mean = round(sum(prices) / len(prices), 2)
            statistics[str((symbol, min(prices), max(prices), mean))] += 1
            move = round(price - warned.setdefault(symbol, price), 2)
            if abs(move) > 2:
                warned[symbol] = price
                warnings[f"warning: {symbol} {move:+.2f} at :{second:02d}"] += 1
                symbols[symbol] += 1
        result["statistics"].append(statistics)
        result["warnings"].append(warnings)
        by_second.append(symbols)
        if second % SLIDE == 0:
            window = sum(by_second[-WINDOW:], Counter[str]())
            text = f"warnings of the last {WINDOW} seconds"
            result["counts"].append(Counter(f"{text}: {s} {n}" for s, n in window.items()))
    return result


def printed(stdout: str) -> dict[str, list[Counter[str]]]:
    """Return the same of what a job printed: three outputs, the last in every second batch."""
    found: dict[str, list[Counter[str]]] = {"statistics": [], "warnings": [], "counts": []}
    batches: dict[str, list[Any]] = {}
    for block in blocks(stdout.splitlines()):
        assert not block.cut
        batches.setdefault(block.time, []).append(Counter(block.elements))
    for outputs in batches.values():
        for name, content in zip(found, outputs, strict=False):
            found[name].append(content)
    return found


@pytest.mark.slow
@pytest.mark.full
def test_prints_what_plain_python_computes(tmp_path: Path) -> None:
    seconds = ticks()
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps([job(SCRIPT, [*SOCKET, WINDOW, SLIDE], seconds)]), encoding="utf-8")
    (ran,) = drive("compat", plan, tmp_path)
    assert ran["problems"] == []
    rules = expected(seconds)
    assert sum(map(len, rules["warnings"])) > 10, "the ticks cause warnings"
    assert rules["counts"][-1] != rules["counts"][-3], "the window moves"
    assert printed(ran["stdout"]) == rules


def test_usage(tmp_path: Path) -> None:
    result = subprocess.run(
        command("compat", SCRIPT, []),
        cwd=tmp_path,
        env=environment("compat"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode not in (0, 126, 127)
    assert result.stderr.strip().splitlines()[-1].startswith(f"Usage: {SCRIPT} ")
    assert list(tmp_path.iterdir()) == []
