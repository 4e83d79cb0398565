"""Rewrites for an older Spark give on it, batch by batch, what the jobs gave on DStreams.

Each golden is rewritten for that Spark, in the first form that it has there.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from migrator.run.taken_code import surroundings
from migrator.spark.since import OLDEST, version_name, version_of
from migrator.structured.rewrite import Rewritten, rewrite
from scripts.test_versions import Skipped
from tests.support.programs import give_up
from tests.support.structured.pairs import OLDER_SPARKS, Golden, goldens, run
from tests.support.structured.texts import NAMES, golden

GOLDENS = {each.name: each for each in goldens() if each.name in NAMES}
# the others are for the long run: a UDF, code of batches, a state and a window of which Spark 3 has
# no class, and Kafka
SHORT = {"udf_trades", "batch_code", "state_last", "reduce_window", "kafka_keys"}

Results = dict[str, dict[str, Any]]


def for_spark(name: str, spark: str, folder: Path) -> dict[str, Any]:
    """Write a golden as it is for a Spark, with the files beside it; return the job."""
    before, _, given = golden(name)
    given["spark"] = version_of(spark)
    found = rewrite(before, **given)
    is_dataframes = isinstance(found, Rewritten)
    if not is_dataframes:
        around = surroundings(GOLDENS[name].folder / "before.py")
        found = rewrite(before, **{"around": around} | given | {"batch_code": True})
    if not isinstance(found, Rewritten):
        # its SQL has ANSI on DStreams of Spark 4, too
        found, is_dataframes = rewrite(before, **given | {"unsafe": True}), True
    assert isinstance(found, Rewritten), found
    assert found.spark <= version_of(spark)
    shutil.copytree(GOLDENS[name].folder, folder)
    (folder / "after.py").write_text(found.text, encoding="utf-8")
    job = Golden(folder).job("after.py")
    if is_dataframes or not job.get("portable", True):
        return job
    # code of batches prints what DataFrames show, and has the trigger of the job
    job.pop("triggers", None)
    return job | {"portable": False, "queries": found.text.count(".writeStream")}


@pytest.fixture(scope="module")
def results(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Results | Skipped]:
    """What originals did, by name and whether that is printed; and the rewrites, by Spark and
    name, or why that Spark cannot run.
    """
    tests = [item for item in request.session.items if item.path == request.path]
    names = [item.callspec.params for item in tests if "results" in item.fixturenames]
    folder = tmp_path_factory.mktemp("older")
    jobs: dict[str, dict[str, dict[str, Any]]] = {"original": {}}
    for spark, name in sorted({(one["spark"], one["name"]) for one in names}):
        job = for_spark(name, spark, folder / f"{spark}-{name}")
        jobs.setdefault(spark, {})[name] = job
        portable = job.get("portable", True)
        original = GOLDENS[name].job("before.py") | {"portable": portable}
        jobs["original"][original_key(name, job)] = original
    found: dict[str, Results | Skipped] = {}
    for mode, own in jobs.items():
        try:
            made = run(mode, list(own.values()), folder)
        except Skipped as reason:
            found[mode] = reason
        else:
            found[mode] = {
                key: one | {"plan": job} for (key, job), one in zip(own.items(), made, strict=True)
            }
    return found


def original_key(name: str, job: dict[str, Any]) -> str:
    """What the original of a job is called: it is another run for a result that prints."""
    return name if job.get("portable", True) else f"{name}, printed"


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
    result = found[name]
    original = originals[original_key(name, result["plan"])]
    assert GOLDENS[name].gives_something(original), "the original gives nothing"
    wrong = GOLDENS[name].compare(original, result)
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "spark",
    [
        pytest.param(each, marks=[] if each == "3.5" else pytest.mark.full)
        for each in (version_name(OLDEST), *OLDER_SPARKS)
    ],
)
def test_each_golden_has_a_form(name: str, spark: str, tmp_path: Path) -> None:
    for_spark(name, spark, tmp_path / name)
