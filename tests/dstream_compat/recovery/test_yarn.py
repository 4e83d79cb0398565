"""Jobs on YARN with files and checkpoints on HDFS, whose processes are killed."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.support.components.hadoop import Hadoop
from tests.support.streaming.submitted import TOTALS, YARN, submitted

pytestmark = pytest.mark.slow

WORDS = 1_000


class Feed:
    """Puts files into a folder of HDFS."""

    def __init__(self, hadoop: Hadoop, scratch: Path, folder: str) -> None:
        self._hadoop, self._scratch, self.folder = hadoop, scratch, folder
        self._numbers = itertools.count()
        self.words = 0
        hadoop.command("fs", "-mkdir", "-p", folder)

    def put(self, files: int) -> None:
        """Put some files, with 1,000 words each."""
        for number in itertools.islice(self._numbers, files):
            file = self._scratch / f"words-{number}"
            file.write_text("a b c d\n" * (WORDS // 4))
            self._hadoop.put(file, f"{self.folder}/{file.name}")
            self.words += WORDS

    def totals(self) -> dict[str, int]:
        return dict.fromkeys("abcd", self.words // 4)


@pytest.fixture
def feed(hadoop: Hadoop, tmp_path: Path) -> Feed:
    return Feed(hadoop, tmp_path, f"/in-{tmp_path.name}")


def test_client_mode_goes_on_after_its_driver_was_killed(
    hadoop: Hadoop, feed: Feed, tmp_path: Path
) -> None:
    script = [TOTALS, f"hdfs:///ck-{tmp_path.name}", f"hdfs://{feed.folder}", "4000"]
    with submitted(hadoop, tmp_path / "first", YARN, script) as job:
        job.wait_until_started()
        feed.put(2)
        job.wait_for(lambda _: bool(job.totals()))
        job.kill()
    feed.put(1)
    with submitted(hadoop, tmp_path / "second", YARN, script) as job:
        feed.put(1)
        assert job.wait() == 0, job.tail()
        assert job.totals() == feed.totals()
