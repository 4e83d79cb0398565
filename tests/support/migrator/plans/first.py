"""The jobs of the first golden projects, most of which show what never worked."""

from __future__ import annotations

import json

from tests.support.migrator.plans.golden import Golden, golden

WORDS = [["to be or", "not to be"], [], ["that is", "be"]]
PAGES = [
    ["ann /a 1", "bob /b 2", "short line"],
    ["ann /a 3"],
    [],
    ["eve /b 4 x"],
]
FILES = {"files": {"in/one.txt": "to be\nor not\n"}}
MORE_FILES = {"files": {"in/two.txt": "to be\n"}}


def config(**values: object) -> dict[str, str]:
    """Return the file that a job reads its settings from."""
    return {"config.json": json.dumps(values)}


FIRST: list[Golden] = [
    golden("airflow_submit", "jobs/events.py", [FILES, {}, MORE_FILES], ["in"]),
    golden("class_based", "jobs.py", [], error="AttributeError", interval=10),
    golden(
        "config_driven",
        "run.py",
        [FILES, MORE_FILES],
        ["config.json"],
        files=config(
            interval=1,
            pipeline="Files",
            folder="in",
            steps=[
                {"op": "map", "function": "str.upper"},
                {"op": "keep", "function": "lambda line: 'TO' in line"},
            ],
            late=[{"op": "repartition", "argument": 2}],
            plugin="printer",
        ),
    ),
    golden(
        "config_driven",
        "run.py",
        [{"lines": {"7001": ["a", "b"], "7002": ["c"]}}, {"lines": {"7002": ["d"]}}],
        ["config.json"],
        files=config(
            interval=1,
            pipeline="Sockets",
            hosts=[["localhost", 7001], ["localhost", 7002]],
            steps=[{"op": "map", "function": "lambda line: line * 2"}],
            late=[],
            plugin="printer",
        ),
    ),
    golden(
        "config_driven",
        "run.py",
        [],
        ["config.json"],
        files=config(interval=1, pipeline="Files", folder="in", steps=[], late=[], plugin="files"),
        error="AttributeError",
    ),
    golden("decorator_injected", "clicks.py", [], error="TypeError", interval=5),
    golden("empty_job", "start.py", [], error="No output operations registered"),
    golden("ends", "poll.py", [{}] * 6, interval=0.01, end="itself", ignored="alive"),
    golden("isinstance_dispatch", "main.py", [], files={"table": "x\n"}, error="AttributeError"),
    golden(
        "learning",
        "train.py",
        [
            {"files": {"train/a": "0,0.1\n9,9.1\n"}},
            {"files": {"train/b": "0.2,0.1\n", "test/a": "0,0\n8,8\n"}},
            {"files": {"test/b": "7,9\n"}},
        ],
        interval=5,
    ),
    golden("local_names", "job.py", [{}, {}], files={"x": "one\ntwo\n"}),
    golden("monkeypatched", "job.py", [], by_hand="D601"),
    golden(
        "multi_module",
        "main.py",
        PAGES,
        ["config.json"],
        interval=10,
        files=config(
            name="views",
            interval=10,
            source="socket",
            host="localhost",
            port=7000,
            checkpoint="checkpoint",
        ),
    ),
    golden("never_worked", "job.py", [], error="TypeError"),
    golden("notebook", "wordcount.py", WORDS, shell=True, interval=5),
    golden("recoverable", "early.py", [{"files": {"data/a": "one\ntwenty\n"}}, {}]),
    golden("recoverable", "early.py", [{"files": {"data/b": "fifteen\n"}}], since=2, again=True),
    golden(
        "recoverable",
        "late.py",
        [["a"], {"lines": ["b"], "files": {"data/c": "c\n"}}],
        ["checkpoint-late"],
    ),
    golden(
        "recoverable",
        "late.py",
        [],
        ["checkpoint-late"],
        again=True,
        error="not been initialized|after recovering a context",
    ),
    golden("sql_singleton", "job.py", WORDS, unordered=True),
    golden(
        "stateful", "needless.py", [FILES, {}, {}, MORE_FILES, {}, {}, {}, {}, {}, {}], interval=2
    ),
    golden("stateful", "sessions.py", [], error="TypeError"),
    golden("submit_args", "job.py", [FILES, MORE_FILES], interval=2),
    golden("input_projects/java_and_python", "jobs/views.py", [["a", "b"], [], [], ["c"], [], []]),
]
