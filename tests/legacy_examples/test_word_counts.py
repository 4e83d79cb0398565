"""Jobs that count each batch on its own: the sums over all batches are the counts of the text."""

from __future__ import annotations

import ast
import signal
from collections import Counter
from pathlib import Path

import pytest

from tests.legacy_examples.harness import (
    Job,
    Lines,
    LineServer,
    add_up,
    blocks,
    run_job,
    settled,
    values,
)

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
def test_sql_network_wordcount(engine: str, server: LineServer, tmp_path: Path) -> None:
    expected = Counter(word for line in TEXT for word in line.split() if len(word) > 1)
    server.send(TEXT)

    with run_job(engine, "sql_network_wordcount.py", ["127.0.0.1", server.port], tmp_path) as job:
        job.wait_until(
            lambda lines: (
                sum(total for _, total, _ in tables(lines)) >= expected.total()
                # an empty batch after the last table shows that the table is complete
                and lines[-1] == "no words"
            ),
            "every word is counted",
        )

        rows = tables(job.stdout)
        assert add_up((word, total) for word, total, _ in rows) == expected
        assert all(length == len(word) for word, _, length in rows)
        assert "Traceback" not in "\n".join(job.stderr)
        assert job.stdout.count("opening a SQL session") == 1


def tables(lines: Lines) -> list[tuple[str, int, int]]:
    """The rows of everything that DataFrame.show() printed."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("|")
    ]
    return [(word, int(total), int(length)) for word, total, length in rows if word != "word"]


@pytest.mark.slow
def test_save_to_files(engine: str, server: LineServer, tmp_path: Path) -> None:
    expected = Counter(word for line in TEXT for word in line.split())
    prefix = tmp_path / "out" / "counts"
    server.send(TEXT)

    with run_job(engine, "save_to_files.py", ["127.0.0.1", server.port, prefix], tmp_path) as job:
        job.wait_until(
            settled(lambda _: saved(prefix).total() >= expected.total(), 1), "every word is saved"
        )

        assert saved(prefix) == expected
        # a folder per batch, also without data, named by the batch time
        folders = sorted(prefix.parent.glob("counts-*.txt"))
        stamps = [
            int(folder.name.removeprefix("counts-").removesuffix(".txt")) for folder in folders
        ]
        assert stamps == list(range(stamps[0], stamps[-1] + 1, 2000))
        assert all(stamp % 2000 == 0 for stamp in stamps)
        # the screen shows the most frequent words first
        for block in blocks(job.stdout):
            shown = block.values()
            assert shown == sorted(shown, key=lambda kv: (-kv[1], kv[0]))


def saved(prefix: Path) -> Counter[str]:
    total: Counter[str] = Counter()
    for done in prefix.parent.glob(f"{prefix.name}-*.txt/_SUCCESS"):
        for part in done.parent.glob("part-*"):
            for line in part.read_text(encoding="utf-8").splitlines():
                word, count = ast.literal_eval(line)
                total[word] += count
    return total


@pytest.mark.slow
def test_directory_wordcount(engine: str, tmp_path: Path) -> None:
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

    with run_job(engine, "directory_wordcount.py", [folder], tmp_path) as job:
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
def test_blacklist_filter(engine: str, server: LineServer, tmp_path: Path) -> None:
    blacklist = tmp_path / "blacklist.txt"
    blacklist.write_text("mallory\n  eve\nnobody\n")
    requests = [
        f"{user} /page/{i}"
        for i in range(10)
        for user in ("alice", "bob", "eve", "alice", "mallory")
    ]
    server.send(requests[:30])

    with run_job(
        engine, "blacklist_filter.py", ["127.0.0.1", server.port, blacklist], tmp_path
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


@pytest.mark.slow
def test_queue_stream(engine: str, tmp_path: Path) -> None:
    with run_job(engine, "queue_stream.py", [4], tmp_path) as job:
        assert job.wait_exit() == 0

    means, warmest = queue_results(4)
    printed = blocks(job.stdout)
    assert [
        dict(map(ast.literal_eval, block.elements))
        for block in printed
        if block.elements and block.elements[0].startswith("(")
    ] == means
    assert [
        block.elements[0]
        for block in printed
        if block.elements and block.elements[0].startswith("warmest")
    ] == warmest
    assert job.stdout[-1] == "4 batches seen"
    # one item of the queue per batch, a batch every half second
    assert any(block.time.endswith(".500000") for block in printed)


def queue_results(batches: int) -> tuple[list[dict[str, float]], list[str]]:
    means: list[dict[str, float]] = []
    warmest: list[str] = []
    for start in range(0, batches * 10, 10):
        rooms: dict[str, list[float]] = {}
        for i in range(start, start + 10):
            rooms.setdefault(["attic", "cellar", "kitchen"][i % 3], []).append(15.0 + i % 8)
        means.append({room: round(sum(ts) / len(ts), 2) for room, ts in rooms.items()})
        warmest.append(f"warmest: {max(t for ts in rooms.values() for t in ts):.1f}")
    return means, warmest
