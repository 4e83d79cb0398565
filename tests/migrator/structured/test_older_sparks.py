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
) -> dict[str, Results]:
    """What the jobs of the selected tests did, by mode and by golden."""
    own = [item for item in request.session.items if item.path == request.path]
    names = [item.callspec.params for item in own if hasattr(item, "callspec")]
    folder = tmp_path_factory.mktemp("older")
    pairs = sorted({(one["spark"], one["name"]) for one in names if "name" in one})
    jobs: dict[str, dict[str, dict[str, Any]]] = {"original": {}}
    for spark, name in pairs:
        jobs["original"][name] = GOLDENS[name].job("before.py")
        jobs.setdefault(spark, {})[name] = for_spark(name, spark, folder / f"{spark}-{name}")
    try:
        return {
            mode: dict(zip(own, run(mode, list(own.values()), folder), strict=True))
            for mode, own in jobs.items()
        }
    except Skipped as error:
        pytest.skip(str(error))


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
def test_rewrite_for_an_older_spark(name: str, spark: str, results: dict[str, Results]) -> None:
    original, result = results["original"][name], results[spark][name]
    assert any(event["records"] for event in original["events"]), "the original gives nothing"
    found = GOLDENS[name].compare(original, result)
    if found:
        pytest.fail("\n".join(found), pytrace=False)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("spark", OLDER_SPARKS)
def test_each_golden_has_a_form(name: str, spark: str, tmp_path: Path) -> None:
    for_spark(name, spark, tmp_path / name)
