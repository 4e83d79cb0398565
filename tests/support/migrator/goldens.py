"""The golden projects, and the options with which all fixes are made."""

from __future__ import annotations

from tests.support.fenced import ROOT

TESTS = ROOT / "tests" / "migrator"
GOLDEN = [TESTS / "golden", ROOT / "legacy_examples"]
GOLDEN += sorted(p for p in TESTS.glob("*projects/*") if p.is_dir())
ALL_FIXES = [
    "--unsafe-fixes",
    *("--kafka-brokers", "broker-1:9092,broker-2:9092"),
    *("--submit", "dstream-compat"),
]
