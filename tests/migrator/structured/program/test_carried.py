"""States and positions of an export, in the code of a job that begins with them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from migrator.structured.program.carried import Carried, CarriedState, Position
from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.migrator.runs import Run

JOB = """\
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext
from pyspark.streaming.kafka import KafkaUtils


def add(new, total):
    return sum(new) + (total or 0)


def longest(new, known):
    count, most = known or (0, "")
    for word in new:
        count += 1
        if len(word) > len(most):
            most = word
    return count, most


def last(new, known):
    return ((known or []) + new)[-3:]


def track(key, value, state):
    state.update((state.getOption() or 0) + (value or 0))
    return key, state.get()


def create():
    sc = SparkContext(appName="job")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint("checkpoint")
    {body}
    return ssc


ssc = StreamingContext.getOrCreate("checkpoint", create)
ssc.start()
ssc.awaitTermination()
"""
FILES = 'words = ssc.textFileStream("in").map(lambda line: (line, {}))\n    '
COUNTS = FILES.format(1) + "words.updateStateByKey(add).pprint()"
KAFKA = """\
parameters = {"metadata.broker.list": "b:9092"}
    lines = KafkaUtils.createDirectStream(ssc, ["events"], parameters)
    lines.map(lambda record: (record[1], 1)).updateStateByKey(add).pprint()"""
COLUMNS: dict[str, Any] = {"key": "string", "value": "long"}
PAIR = [{"name": f"_{n}", "type": each} for n, each in enumerate(("long", "string"), 1)]
TUPLE = {"key": "string", "value": {"type": "struct", "fields": PAIR}}
CONDITION = Position(1, "condition", "out/positions.json")
OFFSETS = Position(1, "startingOffsets", "out/positions.json")
WHERE = '.where(spark.read.json("out/positions.json").where("number = 1").first().condition)'


def state(columns: dict[str, Any] = COLUMNS, operator: str = "updateStateByKey") -> CarriedState:
    return CarriedState(operator, "out/1-state", columns)


def carried(*states: CarriedState, position: Position = CONDITION) -> Carried:
    return Carried("out", states, (position,))


def text(body: str, given: Carried, batch_code: bool = False, unsafe: bool = False) -> str:
    found = rewrite(JOB.format(body=body), unsafe, batch_code=batch_code, carried=given)
    assert isinstance(found, Rewritten), found
    assert any("begins with the states and positions of out" in said for said in found.differences)
    return found.text


def reason(body: str, given: Carried, batch_code: bool = False) -> str:
    found = rewrite(JOB.format(body=body), batch_code=batch_code, carried=given)
    assert isinstance(found, Reason) and found.code == "CARRIED_STATE", found
    return found.text


def test_dataframes_of_counts() -> None:
    found = text(COUNTS, carried(state()))
    assert WHERE in found
    assert 'initialState=spark.read.parquet("out/1-state").groupBy("key")' in found
    assert "self.total.update((initialState.value,))" in found
    assert "out/" not in text_without(COUNTS)


def text_without(body: str) -> str:
    found = rewrite(JOB.format(body=body))
    assert isinstance(found, Rewritten)
    return found.text


def test_dataframes_of_tuples() -> None:
    body = FILES.format("line") + "words.updateStateByKey(longest).pprint()"
    found = text(body, carried(state(TUPLE)), unsafe=True)
    initial = 'spark.read.parquet("out/1-state").select("key", "value.*").groupBy("key")'
    assert f"initialState={initial}" in found
    assert ".update((initialState._1, initialState._2))" in found


def test_dataframes_of_tuples_as_keys() -> None:
    body = COUNTS.replace("(line, 1)", '((line, "x"), 1)')
    keys = {"type": "struct", "fields": [{"name": f"_{n}", "type": "string"} for n in (1, 2)]}
    found = text(body, carried(state({"key": keys, "value": "long"})))
    assert '.select("key.*", "value").groupBy("_1", "_2")' in found
    assert isinstance(rewrite(JOB.format(body=body), carried=carried(state())), Reason)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"pickled": "binary"}, "the states of out/1-state have no type that columns"),
        ({"key": "string", "value": "binary"}, "have no type that columns of a state have"),
        (TUPLE, "the exported states are long, string, those of the job"),
        ({"key": "long", "value": "long"}, ""),
    ],
)
def test_what_is_no_dataframe_is_code_of_batches(columns: dict[str, Any], said: str) -> None:
    given = carried(state(columns))
    found = rewrite(JOB.format(body=COUNTS), True, carried=given)
    assert isinstance(found, Reason)
    assert said in found.text or found.code in ("STATE_TYPE", "INITIAL_STATE")
    assert 'initial=exported_state(spark, "out/1-state", batch_id)' in text(COUNTS, given, True)


def test_code_of_batches() -> None:
    body = (
        FILES.format(1)
        + "words.updateStateByKey(last).pprint()\n    "
        + "words.mapWithState(StateSpec.function(track).timeout(30)).pprint()\n    "
        + "first = sc.parallelize([('a', 1)])\n    "
        + "words.updateStateByKey(add, initialRDD=first).pprint()"
    )
    states = (state(), state(operator="mapWithState"), state())
    found = text(body, carried(*states), batch_code=True)
    assert found.count('initial=exported_state(spark, "out/1-state", batch_id)') == 3
    # what the job began with is part of its state
    assert "initial=first" not in found and "timeout=30" in found
    assert found.count("def exported_state(") == 1 and "import pickle\n" in found
    assert WHERE in found


def test_a_state_that_batches_of_two_intervals_have() -> None:
    body = FILES.format(1) + "words.window(4, 2).updateStateByKey(last).pprint()"
    found = text(body, carried(state()), batch_code=True)
    assert 'exported_state(spark, "out/1-state", batch_id // 2)' in found


@pytest.mark.parametrize("batch_code", [False, True])
def test_offsets(batch_code: bool) -> None:
    found = text(KAFKA, carried(state(), position=OFFSETS), batch_code)
    read = 'spark.read.json("out/positions.json").where("number = 1").first().startingOffsets'
    assert '"startingOffsets",\n' in found or '"startingOffsets", spark' in found
    assert read in found


@pytest.mark.parametrize(
    ("body", "given", "said"),
    [
        (COUNTS, carried(), "the job has `updateStateByKey`, and out is of no operator with a"),
        (COUNTS, carried(state(operator="mapWithState")), "and out is of `mapWithState`, in the"),
        (
            FILES.format(1) + "words.pprint()",
            carried(state()),
            "the job has no operator with a state, and out is of `updateStateByKey`",
        ),
        (COUNTS, carried(state(), position=OFFSETS), "out has no position for source 1 of the job"),
        (KAFKA, carried(state()), "out has no position for source 1 of the job"),
        (
            COUNTS,
            Carried("out", (state(),), (CONDITION, Position(3, "condition", "p"))),
            "out has positions of 2 sources",
        ),
    ],
)
def test_another_job_is_refused(body: str, given: Carried, said: str) -> None:
    for batch_code in (False, True):
        assert said in reason(body, given, batch_code)


def test_a_job_that_begins_anew_at_each_start_is_refused() -> None:
    job = JOB.format(body=COUNTS).replace(
        'StreamingContext.getOrCreate("checkpoint", create)', "create()"
    )
    found = rewrite(job, carried=carried(state()))
    assert isinstance(found, Reason) and "begins anew at each start" in found.text


def test_several_jobs_of_a_file_are_refused() -> None:
    job = JOB.format(body=COUNTS)
    head, create, end = job.partition("def create()")
    lives = "\n\nif __name__ == '__main__':\n    create()\n"
    start, _, _ = end.partition("ssc = StreamingContext.getOrCreate")
    two = head + create + start + "\n\ndef second()" + start + lives
    found = rewrite(two, carried=carried(state()))
    assert (
        isinstance(found, Reason) and "the file has several jobs, and out is of one" in found.text
    )


def written(folder: Path, **changes: Any) -> Path:
    said = {
        "format": 1,
        "states": [
            {"operator": "updateStateByKey", "folder": "1-updateStateByKey", "columns": COLUMNS}
        ],
    }
    (folder / "export.json").write_text(json.dumps(said | changes))
    (folder / "positions.json").write_text('[{"number": 1, "condition": "true"}]')
    return folder


def test_an_export_is_read(tmp_path: Path) -> None:
    found = Carried.of(str(written(tmp_path)))
    path = f"{tmp_path}/1-updateStateByKey"
    assert found.states == (CarriedState("updateStateByKey", path, COLUMNS),)
    assert found.positions == (Position(1, "condition", f"{tmp_path}/positions.json"),)
    with pytest.raises(ValueError, match="format 2, and 1 is known"):
        Carried.of(str(written(tmp_path, format=2)))
    with pytest.raises(ValueError, match="a file has no 'operator'"):
        Carried.of(str(written(tmp_path, states=[{}])))


@pytest.mark.slow
def test_the_option(migrate: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "export").mkdir()
    written(tmp_path / "export")
    job = tmp_path / "job.py"
    job.write_text(JOB.format(body=COUNTS))
    out = str(tmp_path / "export")
    run = migrate(job, "--check", "--state", out)
    assert run.code == 2 and "--state is for --target structured" in run.err
    run = migrate(job, "--check", "--target", "structured", "--state", str(tmp_path))
    assert run.code == 2 and "has no export: " in run.err and "checkpoint export" in run.err
    (tmp_path / "other.py").write_text(job.read_text())
    run = migrate(tmp_path, "--in-place", "--target", "structured", "--state", out)
    assert run.code == 2 and "is of one job, and there are 2 (job.py, other.py, ...)" in run.err
    assert "spark" not in job.read_text().replace("pyspark", "")
    migrate(job, "--in-place", "--target", "structured", "--state", out)
    assert f'spark.read.parquet("{out}/1-updateStateByKey")' in job.read_text()
