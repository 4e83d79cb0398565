"""Files of results are read as far as they are whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dstream_compat.testing.results import Results
from migrator.errors import MigrateError
from migrator.verify.outcome import outcome_of, read_outcome

HEAD = {"format": 1, "engine": "compat", "job": "job.py", "interval": 1}
OUTPUT = {"name": "pprint at job.py:1", "kind": "pprint", "operator": "map", "ordered": False}
ROWS = {"batch": 2, "output": 0, "rows": [["int", "1"]]}


def written(folder: Path, *lines: object, rest: str = "") -> Path:
    path = folder / "results.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + rest)
    return path


def test_a_whole_file(tmp_path: Path) -> None:
    end = {"end": "failed", "error": "ValueError: x", "seconds": 2.5, "peak_bytes": 7}
    late = {"outputs": [OUTPUT | {"name": "out.txt", "kind": "files"}]}
    more = ROWS | {"output": 1, "ordered": True}
    found = read_outcome(
        written(tmp_path, HEAD | {"outputs": [OUTPUT]}, ROWS, late, ROWS, more, end)
    )
    assert [output.kind for output in found.outputs] == ["pprint", "files"]
    assert found.runs[0] == {2: [[["int", "1"]], [["int", "1"]]]}
    assert [output.ordered for output in found.outputs] == [False, True]
    assert (found.end, found.error, found.seconds) == ("failed", "ValueError: x", 2.5)
    assert found.last() == 2


def test_the_first_batch_that_failed(tmp_path: Path) -> None:
    lines = [ROWS | {"batch": 5}, {"failed": 4}, {"failed": 3}, {"failed": 5}]
    found = read_outcome(written(tmp_path, HEAD | {"outputs": [OUTPUT]}, ROWS, *lines))
    assert (found.last(), found.failed, found.last_complete()) == (5, 3, 2)


def test_a_cut_line_is_left_out_with_a_warning(tmp_path: Path) -> None:
    found = read_outcome(written(tmp_path, HEAD | {"outputs": [OUTPUT]}, ROWS, rest='{"batch": 3'))
    assert found.last() == 2
    assert found.end == ""
    assert len(found.warnings) == 1


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [{"format": 2}],
        [HEAD],
        [[1]],
        [HEAD | {"outputs": [OUTPUT]}, {"batch": 1}],
        [HEAD | {"outputs": [OUTPUT]}, {"batch": 1, "output": 1, "rows": []}],
        [HEAD | {"outputs": [OUTPUT]}, {"batch": 1, "output": -1, "rows": []}],
        [HEAD | {"outputs": [OUTPUT]}, {"batch": 1, "output": 0, "rows": "x"}],
        [HEAD | {"outputs": [OUTPUT]}, 7],
    ],
)
def test_what_is_no_file_of_results(tmp_path: Path, lines: list[object]) -> None:
    with pytest.raises(MigrateError, match=r"results\.jsonl"):
        read_outcome(written(tmp_path, *lines))


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(MigrateError, match="No such file"):
        read_outcome(tmp_path / "no.jsonl")
    assert outcome_of(tmp_path / "no.jsonl") is None
    assert outcome_of(written(tmp_path)) is None


TRACEBACK = """\
Traceback (most recent call last):
  File "job.py", line 1, in <module>
    f()
  File "job.py", line 2, in f
    raise KeyError("a")
KeyError: 'a'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "job.py", line 9, in <module>
    g()
pyspark.errors.exceptions.ValueError: first line
 at a place of Java
last line
"""


@pytest.mark.parametrize(
    ("error", "line", "kind"),
    [
        ("", "", ""),
        ("ValueError: x", "ValueError: x", "ValueError"),
        (TRACEBACK, "pyspark.errors.exceptions.ValueError: first line", "ValueError"),
        ("the job called sys.exit(3)", "the job called sys.exit(3)", "the job called sys.exit(3)"),
    ],
)
def test_the_line_of_an_error(error: str, line: str, kind: str) -> None:
    found = Results(error=error)
    assert (found.error_line(), found.error_kind()) == (line, kind)
