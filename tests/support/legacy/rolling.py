"""Ticks for the example of rolling statistics, and what it prints for them, in plain Python."""

from __future__ import annotations

import random
from collections import Counter, defaultdict, deque
from collections.abc import Iterable

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


def expected(seconds: list[list[str]], slide: int = SLIDE) -> dict[str, list[Counter[str]]]:
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
        if second % slide == 0:
            window = sum(by_second[-WINDOW:], Counter[str]())
            text = f"warnings of the last {WINDOW} seconds"
            result["counts"].append(Counter(f"{text}: {s} {n}" for s, n in window.items()))
    return result
