"""The jobs of the golden projects in the shapes of public ones, but for those that read Kafka."""

from __future__ import annotations

import json

from tests.support.migrator.plans.golden import Golden, golden

LOG = "01:00 ERROR disk full\n01:01 INFO ok\n01:02 ERROR disk full\n"
VISITS = ["ann,/a,120", "bob,/a,60", "ann,/b,30"]
USERS = [("ann", 3), ("bob", 1), ("zoe", 9), ("cy", 2)]


def appearing(folder: str, *texts: str) -> list[dict[str, dict[str, str]]]:
    """Return steps in each of which a file appears, but where its text is empty."""
    return [{"files": {f"{folder}/{n}": text}} if text else {} for n, text in enumerate(texts)]


def visits(*users: tuple[str, int]) -> str:
    """Return lines of JSON."""
    return "".join(json.dumps({"user": user, "pages": pages}) + "\n" for user, pages in users)


SHAPES: list[Golden] = [
    golden(
        "spark_homes",
        "wordcount.py",
        [["to be or", "not to be"], [], ["be"]],
        stand_ins={"findspark.py": "def init(home):\n    assert home.startswith('/opt/spark-2')\n"},
    ),
    golden(
        "pinned",
        "src/main.py",
        appearing("in", "\n".join(VISITS), "", VISITS[2], "", ""),
        ["in"],
        interval=2,
    ),
    golden("online_learning", "job.py", [["0 0.1", "9 9.1"], [], ["8.8 9", "0.1 0", "9.2 9.1"]]),
    golden("patched_tests", "job.py", [["a b a"], ["b"]]),
    golden("patched_tests", "test_job.py", [], end="exits", again=True),
    golden("class_contexts", "main.py", appearing("logs", LOG, "", LOG), ["logs"], interval=2),
    golden("polling_ends", "job.py", [["a=1", "b=2", "a=5"], [], ["b=1", "quit=0"]], end="itself"),
    golden("late_streams", "job.py", appearing("in", "a b a", "b")),
    golden("late_streams", "job.py", appearing("in", "", "", "a c")[2:], again=True, since=2),
    golden(
        "late_streams",
        "job.py",
        [],
        ["--always"],
        again=True,
        error="not been initialized|after recovering a context",
    ),
    golden(
        "static_joins",
        "job.py",
        appearing("visits", visits(*USERS), "", visits(("bob", 4), ("zoe", 1))),
        interval=3,
    ),
    golden("spark1_sql", "job.py", [["a:1", "b:2", "a:3", "bad"], [], ["c:5", "a:0"]], interval=2),
]
