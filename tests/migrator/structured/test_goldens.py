"""Rewrites to Structured Streaming give what the jobs gave on DStreams, batch by batch.

Each golden runs on Spark's DStreams, and its rewrite on Structured Streaming, classic and over
Spark Connect. Rewrites by hand, each with a planted fault, show that a difference is found.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.structured.pairs import MODES, Golden, goldens, run

GOLDENS = {golden.name: golden for golden in [*goldens(), *goldens("ipynb")]}
# the others are for the long run
SHORT = {
    "classic": {
        *("batch_code", "batch_states", "network_wordcount", "two_queries", "udf_trades"),
    },
    "connect": {"two_queries"},
}
SHORT_FAULTS = {"records", "crash"}
BY_HAND = Path(__file__).parent / "by_hand"
# by name: the job, what is replaced in its rewrite and with what, what the comparison says
FAULTS = {
    "records": (
        "network_wordcount",
        '.agg(F.count("*").alias("count"))',
        '.agg((F.count("*") + 1).alias("count"))',
        "batch 1, shown 1:",
    ),
    "type": (
        "network_wordcount",
        '.agg(F.count("*").alias("count"))',
        '.agg(F.count("*").cast("double").alias("count"))',
        "+ Row(word='spark', count=3.0)",
    ),
    "length": ("network_wordcount", "show(10,", "show(9,", "are shown, by the rewrite 9"),
    "batches": ("network_wordcount", '"1 second"', '"2 seconds"', "the trigger is"),
    "output": ("filter_print", "    batch.show(3, truncate=False)\n", "", "batch 4, shown 1:"),
    "lines": ("filter_print", "rows[:2]", "rows[1:2]", "batch 4, printed lines:"),
    "idle": ("reduce_window", "at <= interval", "at < interval", "batch 4, shown 1:"),
    "saved": ("kafka_save", 'users.where("user IS NOT NULL")', "users", "batch 2, saved 1:"),
    "files": ("kafka_save", 'where("user IS NULL")', 'where("true")', "file without.log:"),
    "crash": ("network_wordcount", 'groupBy("word")', 'groupBy("nobody")', "the rewrite:"),
}

Results = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def results(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Results]:
    """What the jobs of the selected tests did, by mode and by golden or fault."""
    own = [item for item in request.session.items if item.path == request.path]
    names = [item.callspec.params for item in own if hasattr(item, "callspec")]
    folder = tmp_path_factory.mktemp("structured")
    pairs = {(one["mode"], one["golden"]) for one in names if "golden" in one}
    faults = sorted({one["fault"] for one in names if "fault" in one})
    jobs: dict[str, dict[str, dict[str, Any]]] = {"original": {}}
    for fault in faults:
        name = FAULTS[fault][0]
        jobs["original"][name] = GOLDENS[name].job("before.py")
        jobs.setdefault("classic", {})[fault] = planted(fault, folder / fault).job("after.py")
    for mode, name in sorted(pairs):
        jobs["original"][name] = GOLDENS[name].job("before.py")
        jobs.setdefault(mode, {})[name] = GOLDENS[name].job("after.py")
    return {
        mode: dict(zip(own, run(mode, list(own.values()), folder), strict=True))
        for mode, own in jobs.items()
    }


def planted(fault: str, folder: Path) -> Golden:
    name, text, other, _ = FAULTS[fault]
    folder.mkdir()
    batches = (GOLDENS[name].folder / "batches.json").read_text(encoding="utf-8")
    (folder / "batches.json").write_text(batches, encoding="utf-8")
    code = (BY_HAND / f"{name}.py").read_text(encoding="utf-8")
    assert text in code
    (folder / "after.py").write_text(code.replace(text, other), encoding="utf-8")
    return Golden(folder)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("golden", "mode"),
    [
        pytest.param(name, mode, marks=[] if name in SHORT[mode] else pytest.mark.full)
        for name in GOLDENS
        for mode in MODES
        if mode == "classic" or GOLDENS[name].on_connect
    ],
)
def test_rewrite_gives_what_the_job_gave(
    golden: str, mode: str, results: dict[str, Results]
) -> None:
    original, result = results["original"][golden], results[mode][golden]
    assert GOLDENS[golden].gives_something(original), "the original gives nothing"
    found = GOLDENS[golden].compare(original, result)
    if found:
        pytest.fail("\n".join(found), pytrace=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(fault, marks=[] if fault in SHORT_FAULTS else pytest.mark.full)
        for fault in FAULTS
    ],
)
def test_fault_is_found(fault: str, results: dict[str, Results]) -> None:
    name, _, _, message = FAULTS[fault]
    found = GOLDENS[name].compare(results["original"][name], results["classic"][fault])
    assert re.search(re.escape(message), "\n".join(found))
