"""Rewrites for an older Spark give on it, batch by batch, what the jobs gave on DStreams.

Each golden is rewritten for that Spark, in the first form that it has there.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from migrator.run.surroundings import surroundings
from migrator.spark.since import parsed
from migrator.structured.rewrite import Rewritten, rewrite
from scripts.test_versions import Skipped
from tests.support.programs import give_up
from tests.support.structured.pairs import OLDER_SPARKS, Golden, goldens, run
from tests.support.structured.texts import NAMES, golden

GOLDENS = {each.name: each for each in goldens() if each.name in NAMES}
# the others are for the long run: expressions, a UDF, code of batches, a state and a window of
# which Spark 3 has no class, files, Kafka, and a text that Spark 4 strips otherwise
SHORT = {
    *("filter_print", "udf_trades", "batch_code", "state_last", "reduce_window", "files_wordcount"),
    *("kafka_keys", "several_files"),
}

Results = dict[str, dict[str, Any]]


def for_spark(name: str, spark: str, folder: Path) -> dict[str, Any]:
    """Write a golden as it is for a Spark, with the files beside it; return the job."""
    before, _, given = golden(name)
    found = rewrite(before, **given, spark=parsed(spark))
    if not isinstance(found, Rewritten):
        around = surroundings(GOLDENS[name].folder / "before.py")
        given |= {"batch_code": True, "around": around}
        found = rewrite(before, **given, spark=parsed(spark))
    assert isinstance(found, Rewritten), found
    assert found.spark <= parsed(spark)
    shutil.copytree(GOLDENS[name].folder, folder)
    (folder / "after.py").write_text(found.text, encoding="utf-8")
    return Golden(folder).job("after.py")


@pytest.fixture(scope="module")
def results(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Results | Skipped]:
    """What the jobs of the selected tests did, by mode and by golden; why a mode cannot run."""
    tests = [item for item in request.session.items if item.path == request.path]
    names = [item.callspec.params for item in tests if "results" in item.fixturenames]
    folder = tmp_path_factory.mktemp("older")
    pairs = sorted({(one["spark"], one["name"]) for one in names})
    jobs: dict[str, dict[str, dict[str, Any]]] = {"original": {}}
    for spark, name in pairs:
        jobs["original"][name] = GOLDENS[name].job("before.py")
        jobs.setdefault(spark, {})[name] = for_spark(name, spark, folder / f"{spark}-{name}")
    found: dict[str, Results | Skipped] = {}
    for mode, own in jobs.items():
        try:
            found[mode] = dict(zip(own, run(mode, list(own.values()), folder), strict=True))
        except Skipped as reason:
            found[mode] = reason
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "spark"),
    [
        pytest.param(
            name, spark, marks=[] if spark == "3.5" and name in SHORT else pytest.mark.full
        )
        for spark in OLDER_SPARKS
        for name in GOLDENS
    ],
)
def test_rewrite_for_an_older_spark(
    name: str, spark: str, results: dict[str, Results | Skipped]
) -> None:
    originals, found = results["original"], results[spark]
    assert not isinstance(originals, Skipped)
    if isinstance(found, Skipped):
        give_up(str(found))
    original, result = originals[name], found[name]
    assert any(event["records"] for event in original["events"]), "the original gives nothing"
    wrong = GOLDENS[name].compare(original, result)
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "spark",
    [pytest.param(each, marks=[] if each == "3.5" else pytest.mark.full) for each in OLDER_SPARKS],
)
def test_each_golden_has_a_form(name: str, spark: str, tmp_path: Path) -> None:
    for_spark(name, spark, tmp_path / name)
