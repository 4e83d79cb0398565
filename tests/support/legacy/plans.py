"""What each example reads, interval by interval, when it runs under a manual clock."""

from __future__ import annotations

import json
from typing import Any

TEXT = ["spark storm flink", "flink spark", "a spark and a storm", "", "  beam   me up "]
CLICKS = [
    json.dumps({"user": user, "page": page, "ms": ms})
    for user, page, ms in [
        ("ann", "/shop/shoes", 120),
        ("ann", "/shop/cart", 900),
        ("bob", "/", 80),
        ("cy", "/help/", 700),
        ("bob", "/shop/cart", 501),
        ("bob", "/shop/cart", 500),
    ]
]


def job(script: str, args: list[object], steps: list[Any], **more: Any) -> dict[str, Any]:
    """Return the plan of one job.

    Parameters
    ----------
    script : str
        its path in ``legacy_examples``
    args : list
        its arguments; {PORT} is the port of the socket that it reads, {FOLDER}
        the folder in which it runs
    steps : list
        per interval the lines that it receives, or a dict of the files that appear
    more : dict
        ``interval`` (seconds); ``end`` (who stops it; ``fails`` and ``exits``: it never streams);
        ``files`` that are there from the start; ``paths`` below its ``root`` from which it imports,
        beside its own folder; ``shell`` (it is given a context as ``sc``); ``again`` (it goes on
        with what the job before has left) and ``since`` (seconds that this one had run)
    """
    entries = [{"files": s} if isinstance(s, dict) else {"lines": s} for s in steps]
    return {"script": script, "args": args, "steps": entries, "interval": 1, "end": "stop"} | more


SOCKET: list[object] = ["127.0.0.1", "{PORT}"]

PLANS = [
    job("network_wordcount.py", SOCKET, [TEXT, [], TEXT[1:], ["Spark SPARK"], []]),
    job(
        "stateful_network_wordcount.py",
        [*SOCKET, "{FOLDER}/checkpoint"],
        [TEXT, [], ["storm!"], ["storm spark"], [], ["nobody!"]],
    ),
    job(
        "windowed_wordcount.py",
        [*SOCKET, 3, 1],
        [TEXT, ["a"], [], [], TEXT, [], [], [], []],
    ),
    job("windowed_wordcount.py", [*SOCKET, 5, 2], [TEXT, ["a"], [], ["b b"], TEXT, [], [], []]),
    job("sql_network_wordcount.py", SOCKET, [TEXT, [], ["a b"], TEXT], interval=2),
    job(
        "directory_wordcount.py",
        ["{FOLDER}/incoming"],
        [
            {},
            {"incoming/one.txt": "to be\nor not to be\n", "incoming/.hidden": "never\n"},
            {},
            {"incoming/two.txt": "that is\n\nthe question"},
            {"incoming/empty.txt": ""},
        ],
    ),
    job(
        "recoverable_network_wordcount.py",
        [*SOCKET, "{FOLDER}/checkpoint", "{FOLDER}/counts.txt"],
        [TEXT, [], TEXT, ["the of a"], []],
    ),
    job(
        "blacklist_filter.py",
        [*SOCKET, "{FOLDER}/blacklist.txt"],
        [["ann /a", "eve /b", "bob /c", "ann /d"], [], ["eve /e"], ["mallory /f", "bob /g"]],
        files={"blacklist.txt": "mallory\n  eve\nnobody\n"},
        end="SIGTERM",
    ),
    job(
        "save_to_files.py",
        [*SOCKET, "{FOLDER}/out/counts"],
        [TEXT, [], [" ".join(f"w{i % 13}" for i in range(60))], TEXT],
        interval=2,
    ),
    job("queue_stream.py", [4], [[], [], [], []], interval=0.5, end="itself"),
    job(
        "clickstream/job.py",
        [*SOCKET, 3],
        [[*CLICKS, "", "not json", '{"user": "ann"}', "[1]"], CLICKS[:2], [], CLICKS, ["quit"]],
        end="itself",
    ),
]
"""Every example that DStreams can run; the two Kafka jobs need modules of Spark 2."""
