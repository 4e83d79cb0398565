"""`spark-submit` becomes our own submit, where it starts a job with DStream code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]
NEW = "python -m dstream_compat submit"
CHANGED = [
    ("a.sh", "spark-submit job.py\n", f"{NEW} job.py\n"),
    ("a.sh", "exec spark-submit --master yarn jobs/job.py $@  # c\n", None),
    ("a.sh", "spark-submit \\\n  --x y \\\n  job.py 1 \\\n  2\n", None),
    ("a.sh", "spark-submit \\\r\n  job.py\r\n", None),
    ("a.sh", "$SPARK_HOME/bin/spark-submit job.py\n", f"{NEW} job.py\n"),
    ("a.sh", '"${SPARK_HOME}/bin/spark-submit" "$here/job.py"\n', f'{NEW} "$here/job.py"\n'),
    ("a.sh", '"${SPARK_HOME}"/bin/spark-submit job.py\n', f"{NEW} job.py\n"),
    ("a.sh", "spark2-submit job.py\n", f"{NEW} job.py\n"),
    ("Makefile", "run:\n\t$(SPARK)/bin/spark-submit job.py\n", f"run:\n\t{NEW} job.py\n"),
    ("a.sh", "a && ./bin/spark-submit --py-files lib.py job.py\n", None),
    ("a.sh", "x=$(spark-submit job.py)\n", f"x=$({NEW} job.py)\n"),
    ("Dockerfile", 'CMD ["spark-submit", "/app/job.py"]\n', None),
    ("Makefile", "run:\n\tspark-submit job.py\n", None),
    (
        "a.json",
        '{"Args": ["spark-submit",\n "s3://x/job.py"]}\n',
        '{"Args": ["python", "-m", "dstream_compat", "submit",\n "s3://x/job.py"]}\n',
    ),
    (
        "a.yaml",
        "a:\n  - spark-submit\n  - job.py\n",
        "a:\n  - python\n  - -m\n  - dstream_compat\n  - submit\n  - job.py\n",
    ),
    ("a.yaml", "run: spark-submit job.py\n", f"run: {NEW} job.py\n"),
    ("a.conf", "command=/x/bin/spark-submit job.py\n", f"command={NEW} job.py\n"),
    ("a.sh", "${SPARK_HOME:=/opt/spark}/bin/spark-submit job.py\n", f"{NEW} job.py\n"),
    ("README.md", "Run `spark-submit job.py`.\n", f"Run `{NEW} job.py`.\n"),
    ("notes.md", "```\nbin/spark-submit job.py\n```\n", f"```\n{NEW} job.py\n```\n"),
]
UNCHANGED = [
    ("a.sh", "spark-submit other.py\n"),
    ("a.sh", "spark-submit --py-files job.py other.py\n"),
    ("a.sh", "spark-submit --py-files=job.py --class a.B a.jar\n"),
    ("a.sh", "spark-submit $JOB\n"),
    ("a.sh", "spark-submit --class a.B a.jar\n\npython job.py\n"),
    ("a.sh", "# spark-submit job.py\n"),
    ("a.sh", "my-spark-submit job.py\n"),
    ("a.sh", "spark-submit.sh job.py\n"),
    ("a.sh", "which spark-submit\n"),
    ("a.sh", f"{NEW} job.py\n"),
    ("a.yaml", "# - spark-submit job.py\n"),
    ("a.sh", "spark-submit job.py  # migrate: ignore[D907]\n"),
    ("README.md", "Spark has spark-submit and job.py.\n"),
    ("other.py", "import os\nos.system('spark-submit job.py')\n"),
    ("build.gradle", "exec 'spark-submit job.py'\n"),
    ("a.csv", "spark-submit job.py\n"),
    ("job.service", "[Service]\nExecStart=/x/bin/spark-submit job.py\n"),
    ("job.service", "[Service]\nExecStartPre=-/x/bin/spark-submit job.py\n"),
    ("job.service", "[Service]\nExecStart=spark-submit job.py\n"),
]


def commented(text: str) -> str:
    return "".join(f"# {line}" for line in text.splitlines(keepends=True))


# other jobs, and what is only said
UNCHANGED += [(name, text.replace("job.py", "other.py")) for name, text, _ in CHANGED]
UNCHANGED += [
    (name, commented(text)) for name, text, _ in CHANGED if not name.endswith((".md", ".json"))
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "job.py").write_text(JOB)
    return root


@pytest.mark.parametrize(("name", "before", "after"), CHANGED)
def test_changed(migrate: Migrate, root: Path, name: str, before: str, after: str | None) -> None:
    words = '"' + '", "'.join(NEW.split()) + '"'
    short = words if name == "Dockerfile" else NEW
    old = '"spark-submit"' if name == "Dockerfile" else "./bin/spark-submit"
    old = old if old in before else "spark-submit"
    expected = before.replace(old, short) if after is None else after
    (root / name).write_bytes(before.encode())
    assert migrate(root, "--in-place", "--submit", "dstream-compat").code == 0
    assert (root / name).read_bytes() == expected.encode()
    again = migrate(root, "--check", "--submit", "dstream-compat")
    assert "0 files would be rewritten" in again.out


@pytest.mark.parametrize(("name", "text"), UNCHANGED)
def test_unchanged(migrate: Migrate, root: Path, name: str, text: str) -> None:
    (root / name).write_bytes(text.encode())
    migrate(root, "--in-place", "--submit", "dstream-compat")
    assert (root / name).read_bytes() == text.encode()


def test_only_if_it_is_asked_for(migrate: Migrate, root: Path) -> None:
    (root / "a.sh").write_text("spark-submit job.py\n")
    assert "D907" not in migrate(root, "--check").out
    run = migrate(root, "--check", "--submit", "dstream-compat", "--format", "json").json
    assert [(f["path"], f["code"], f["fixed"]) for f in run["findings"]] == [
        ("a.sh", "D907", True),
        ("job.py", "D101", True),
    ]
    assert migrate(root, "--check", "--submit", "spark").code == 2


def test_without_jobs(migrate: Migrate, root: Path) -> None:
    (root / "job.py").write_text("print(1)\n")
    (root / "a.sh").write_text("spark-submit job.py\n")
    assert "D907" not in migrate(root, "--check", "--submit", "dstream-compat").out


def test_beside_other_fixes(migrate: Migrate, root: Path) -> None:
    package = "org.apache.spark:spark-streaming-flume_2.11:2.4.8"
    (root / "a.sh").write_text(f"spark-submit --packages {package} job.py\n")
    migrate(root, "--in-place", "--submit", "dstream-compat")
    assert (root / "a.sh").read_text() == f"{NEW} job.py\n"


def test_a_comment_that_ignores_it_is_of_use(migrate: Migrate, root: Path) -> None:
    text = "# migrate: ignore[D907] ours\nspark-submit job.py\n"
    (root / "a.sh").write_text(text)
    run = migrate(root, "--in-place", "--submit", "dstream-compat", "--format", "json").json
    found = [f for f in run["findings"] if f["path"] == "a.sh"]
    assert [(f["code"], f["fixed"], f["suppression"]["reason"]) for f in found] == [
        ("D907", False, "ours")
    ]
    assert (root / "a.sh").read_text() == text
