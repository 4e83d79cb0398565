"""The pytest plugin: what it has, and that it costs nothing until a test asks for it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support.fenced import DOCS, ROOT, blocks
from tests.support.page_commands import environment

pytestmark = pytest.mark.slow

PLUGIN = "dstream_compat.testing.pytest_plugin"


def run_pytest(folder: Path, *tests: str) -> subprocess.CompletedProcess[str]:
    """Run tests as a project does that has installed the package."""
    for number, code in enumerate(tests):
        (folder / f"test_{number}.py").write_text(code, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n")
    env = environment(folder) | {"PYTEST_PLUGINS": PLUGIN, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_the_entry_point_is_the_plugin() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"dstream_compat": PLUGIN}


@pytest.mark.parametrize(
    "module",
    [
        PLUGIN,
        "dstream_compat.testing.recordings",
        "dstream_compat.testing.results",
        "dstream_compat.testing.comparison",
    ],
)
def test_spark_is_not_imported(module: str) -> None:
    code = f"import sys, {module}; sys.exit('pyspark' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], env=environment(ROOT), check=False)
    assert done.returncode == 0


def test_fixtures_of_a_conftest_come_first(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "import pytest\n\n@pytest.fixture\ndef spark():\n    return 'own'\n"
    )
    done = run_pytest(tmp_path, "def test_own(spark):\n    assert spark == 'own'\n")
    assert "1 passed" in done.stdout, done.stdout


def test_the_page(tmp_path: Path) -> None:
    first, _, clock = blocks(DOCS / "testing.md", "python")
    wrong = first.replace('("be", 1)]]', '("be", 2)]]').replace("test_words", "test_wrong_words")
    assert wrong != first
    done = run_pytest(tmp_path, first, clock, wrong)
    assert "1 failed, 2 passed" in done.stdout, done.stdout
    assert "BatchesDiffer: batch 3, result 1, after reduceByKey at test_2.py:6: " in done.stdout
    assert "only left (1):" in done.stdout
    # what is shown is the test, not how the comparison is made
    assert "test_2.py:" in done.stdout
    assert "assertions.py" not in done.stdout
    assert "('be', 1)" in done.stdout


@pytest.mark.full
def test_jobs_of_the_page(tmp_path: Path) -> None:
    _, compared, _ = blocks(DOCS / "testing.md", "python")
    job = (ROOT / "legacy_examples" / "network_wordcount.py").read_text()
    (tmp_path / "wordcount.py").write_text(job)
    line = job[: job.index(".pprint(")].count("\n") + 1
    (tmp_path / "compare.py").write_text(
        compared.replace("wordcount.py:12", f"wordcount.py:{line}")
    )
    done = subprocess.run(
        [sys.executable, "compare.py"],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "('be', 2)" in done.stdout
