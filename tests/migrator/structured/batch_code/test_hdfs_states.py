"""States of code of batches on HDFS: a job that is killed goes on with exactly what it had."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.components.hadoop import Hadoop
from tests.support.structured.processes import running, wait_for
from tests.support.structured.state_job import JOB, has_printed

TEXTS = ["a b a\n", "b c\nb c\n", "a\n", "c a\n"]


@pytest.mark.slow
@pytest.mark.full
def test_states_survive_sigkill(hadoop: Hadoop, tmp_path: Path) -> None:
    made = rewrite(JOB, batch_code=True)
    assert isinstance(made, Rewritten), made
    script = tmp_path / "job.py"
    script.write_text(made.text, encoding="utf-8")
    folder, checkpoint = f"/in-{tmp_path.name}", f"/ck-{tmp_path.name}"
    hadoop.command("fs", "-mkdir", folder)
    # Spark opens no checkpoint without the host
    arguments, known = [f"hdfs://{folder}", hadoop.uri + checkpoint], Counter[str]()
    for run, text in enumerate(TEXTS):
        with running(script, arguments, tmp_path, run, hadoop.environment()) as process:
            known.update(text.split())
            file = tmp_path / f"{run}.txt"
            file.write_text(text, encoding="utf-8")
            hadoop.put(file, f"{folder}/{run}.txt")
            output = tmp_path / f"output-{run}"
            for kind in ("window", "totals"):
                line = f"{kind} {sorted(known.items())}"
                wait_for(line, process, partial(has_printed, output, line))
    states = hadoop.command("fs", "-ls", f"{checkpoint}/job/states/updateStateByKey")
    # those of the last batches
    assert 1 <= states.count("states/updateStateByKey/") <= 3, states
