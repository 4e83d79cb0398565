"""The jobs of the golden projects in Python 2, whose outputs are those of Python 2.7."""

from __future__ import annotations

import json

from tests.support.migrator.plans.golden import Golden, golden

EVENTS = [
    json.dumps({"url": "http://b.example.org/x", "bytes": 7}),
    json.dumps({"url": "http://a.example.org/y?z", "bytes": "5"}),
    "no JSON",
    json.dumps({"url": "http://b.example.org/", "bytes": 1}),
]

VISITS = [
    json.dumps({"user": "ann", "url": "http://B.example.org/x?p=1&q=2"}),
    json.dumps({"url": "http://a.example.org/"}),
    "no JSON",
    json.dumps({"user": "bob", "url": "http://b.EXAMPLE.org/y?p=3"}),
]

PYTHON2: list[Golden] = [
    golden(
        "python2_projects/words",
        "job.py",
        [["a=1", "B=2", "a=3"], [], ["none", "c=0", "b=5"]],
        ["{PORT}"],
        python2=True,
    ),
    golden(
        "python2_projects/names",
        "job.py",
        [EVENTS, [], [json.dumps({"url": "http://quit.example.org", "bytes": 2.5})]],
        ["{PORT}"],
        python2=True,
    ),
    golden(
        "python2_calls",
        "job.py",
        [VISITS, VISITS[1:2], ["{}", *VISITS[2:]]],
        ["localhost", "{PORT}"],
        interval=5,
        python2=True,
        options=("--unsafe-fixes",),  # nothing proves that the receiver of has_key() is a dict
    ),
    golden(
        "input_projects/python2_airflow",
        "notebooks/explore.py",
        [],
        shell=True,
        python2=True,
        by_hand="D601",  # and it never starts the context
    ),
    golden(
        "input_projects/python2_kafka",
        "jobs/clicks.py",
        [],
        lines=["caf\u00e9"],  # of a module in windows-1252
        error="AttributeError",  # DStreams have no toDF()
        paths=["."],  # as --py-files in its submit script
        addresses={"hdfs:///checkpoints": "checkpoints"},
        kafka={"clicks": 2},
    ),
]
