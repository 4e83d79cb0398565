"""The tool `remains`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.fenced import ROOT
from tests.support.migrator.assistant import Assistant, call, talk

pytestmark = pytest.mark.slow

REFUSED = ROOT / "tests" / "migrator" / "structured" / "refused"


def test_what_stays_and_why(tmp_path: Path) -> None:
    for name in ("two_sources", "source_mqtt", "last_value_of_a_key"):
        shutil.copy(REFUSED / f"{name}.py", tmp_path)

    async def work(assistant: Assistant) -> None:
        found = await assistant.result("remains", form="portable")
        codes = {(f["path"], f["code"]) for f in found["findings"]}
        assert ("two_sources.py", "D860") in codes
        assert ("source_mqtt.py", "D204") in codes
        assert found["codes"]["D860"] == 3
        assert found["reasons"]["TWO_SOURCES"] == found["reasons"]["ARRIVAL_ORDER"] == 1
        assert sum(found["reasons"].values()) == 3
        # in code of batches, the order of arrival is what it was
        classic = await assistant.result("remains", form="classic")
        assert "ARRIVAL_ORDER" not in classic["reasons"]
        compat = await assistant.result("remains")
        assert {f["code"] for f in compat["findings"]} == {"D204"}
        assert compat["reasons"] == {}
        assert compat["effort_minutes"] > 0

    talk(tmp_path, work)


def test_bugs_are_among_them_and_fixes_are_not() -> None:
    found = call(ROOT / "legacy_examples", "remains", limit=200).result
    assert all(not finding["fixed"] for finding in found["findings"])
    assert "D705" in [f["code"] for f in found["findings"] if f["category"] == "bug"]
    needed = [f for f in found["findings"] if f["needs_person"]]
    assert sum(f["effort_minutes"] for f in needed) == found["effort_minutes"]
