"""The commands of the page on switching a running job."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from dstream_compat.api.stateful import StatefulOperators
from tests.dstream_compat.old_checkpoint.conftest import FIXTURES
from tests.support.fenced import ROOT
from tests.support.old_engine.running import TAKE_OVER
from tests.support.page_commands import run, words

PAGE = (ROOT / "docs" / "switching.md").read_text()
SHOW = "python -m dstream_compat checkpoint show old-checkpoint"
CHANGING = re.compile(r"written [\d.]+ s|\(\d{4}-.*?\)")


@pytest.mark.slow
def test_show_prints_what_the_page_says(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "lz4", tmp_path / "old-checkpoint")
    assert f"    {SHOW}\n" in PAGE
    printed = run(words(SHOW), tmp_path)
    assert printed.returncode == 0, printed.stderr
    block = PAGE.partition(f"$ {SHOW}\n")[2].partition("...\n")[0]
    shown = CHANGING.sub("", block).splitlines()
    assert len(shown) > 8
    assert CHANGING.sub("", printed.stdout).splitlines()[: len(shown)] == shown


def test_the_command_that_takes_over_is_the_one_that_jobs_are_tested_with() -> None:
    command = " ".join([*TAKE_OVER, "job.py"]).format("old-checkpoint")
    assert f"    {command}\n" in PAGE


def test_the_text_that_names_a_state() -> None:
    assert 'initialRDD="checkpoint:old-checkpoint#1"' in PAGE
    assert "checkpoint:FOLDER#2" in (StatefulOperators.updateStateByKey.__doc__ or "")
