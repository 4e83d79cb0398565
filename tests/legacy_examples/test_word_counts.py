"""Jobs as processes in real time: the sums over all batches are the counts of the text.

``test_both_engines`` compares every job batch by batch; here are the clock, signals and files as an
owner has them.
"""

from __future__ import annotations

import ast
import signal
from collections import Counter
from pathlib import Path

import pytest

from tests.support.legacy.harness import Job, Lines, LineServer, add_up, blocks, run_job, settled, values

# at most ten different words, so that pprint() shows every count; blank lines are records too
TEXT = [
    "to be or not to be",
    "",
    "that is the question",
    "  to be   that is ",
    "Não é a questão",
] * 8


def counted(lines: Lines) -> Counter[str]:
    return Counter(add_up(values(lines)))


@pytest.mark.slow
def test_network_wordcount(engine: str, server: LineServer, tmp_path: Path) -> None:
    text = [line for line in TEXT if "ã" not in line]
    expected = Counter(word for line in text for word in line.split())
    server.send([line.upper() for line in text])

    with run_job(engine, "network_wordcount.py", ["127.0.0.1", server.port], tmp_path) as job:
        job.wait_until(
            lambda lines: counted(lines).total() >= expected.total(), "every word is counted"
        )
        # the second half is sure to come in later batches, and batches do not share counts
        server.send(text)
        job.wait_until(
            settled(lambda lines: counted(lines).total() >= 2 * expected.total()),
            "every word is counted again",
        )

        assert counted(job.stdout) == expected + expected
        assert not any(block.cut for block in blocks(job.stdout))
        batches = Counter(block.time for block in blocks(job.stdout))
        assert set(batches.values()) == {1}


@pytest.mark.slow
@pytest.mark.full  # test_both_engines.py runs it, too
def test_directory_wordcount(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "incoming", tmp_path / "elsewhere"
    elsewhere.mkdir()
    files = {
        "one.txt": ["to be", "or not to be"],
        "two.txt": ["that is", "the question"],
        ".hidden": ["never", "read"],
    }
    expected = Counter(
        word
        for name, text in files.items()
        for line in text
        for word in line.split()
        if not name.startswith(".")
    )

    with run_job("compat", "directory_wordcount.py", [folder], tmp_path) as job:
        job.wait_until(lambda lines: len(blocks(lines)) >= 2, "the first batch")
        for name, text in sorted(files.items()):
            (elsewhere / name).write_text("".join(line + "\n" for line in text))
            (elsewhere / name).rename(folder / name)
        job.wait_until(
            settled(lambda lines: word_counts(lines).total() >= expected.total()),
            "every word is counted",
        )
        assert word_counts(job.stdout) == expected
        assert line_count(job) == 4

        # a name that was seen is not read again, a new one is
        (elsewhere / "one.txt").write_text("never read\n")
        (elsewhere / "one.txt").rename(folder / "one.txt")
        (elsewhere / "three.txt").write_text("be\n")
        (elsewhere / "three.txt").rename(folder / "three.txt")
        job.wait_until(
            settled(lambda lines: word_counts(lines).total() > expected.total()),
            "the third file is counted",
        )
        assert word_counts(job.stdout) == expected + Counter(["be"])
        assert line_count(job) == 5


def word_counts(lines: Lines) -> Counter[str]:
    pairs = (e for block in blocks(lines) for e in block.elements if not e.endswith("line(s)"))
    return Counter(add_up(ast.literal_eval(pair) for pair in pairs))


def line_count(job: Job) -> int:
    return sum(
        int(element.split()[0])
        for block in blocks(job.stdout)
        for element in block.elements
        if element.endswith("line(s)")
    )


@pytest.mark.slow
@pytest.mark.full  # test_both_engines.py runs it, too
def test_blacklist_filter(server: LineServer, tmp_path: Path) -> None:
    blacklist = tmp_path / "blacklist.txt"
    blacklist.write_text("mallory\n  eve\nnobody\n")
    requests = [
        f"{user} /page/{i}"
        for i in range(10)
        for user in ("alice", "bob", "eve", "alice", "mallory")
    ]
    server.send(requests[:30])

    with run_job(
        "compat", "blacklist_filter.py", ["127.0.0.1", server.port, blacklist], tmp_path
    ) as job:
        job.wait_until(
            settled(lambda lines: counted(lines).total() >= 18), "the requests are counted"
        )
        server.send(requests[30:])
        server.wait_sent()
        job.wait_until(lambda lines: counted(lines).total() >= 30, "the rest is counted")

        job.signal(signal.SIGTERM)
        assert job.wait_exit() == 0
        assert counted(job.stdout) == {"alice": 20, "bob": 10}
        assert job.stdout[-1] == "stopped"
