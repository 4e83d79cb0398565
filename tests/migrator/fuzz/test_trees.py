"""Trees, through the command line: nothing outside the output is written, nothing is run."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrator.cli.main import main
from tests.support.migrator.fuzz_inputs import share, trees
from tests.support.migrator.reports import tree_hash
from tests.support.migrator.watch import watched

pytestmark = pytest.mark.slow

MODES = [["--check"], ["--check", "--format", "json"], ["--no-cache"], []]
CANARY = """
import os, pathlib
open("CANARY", "w"); os.system("touch CANARY"); pathlib.Path("CANARY").touch(); exec("1/0"); 1/0
"""


@contextmanager
def written(files: dict[str, bytes]) -> Iterator[Path]:
    """A folder with a tree of these files in it, each program with a trap at its end."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name, "tree")
        root.mkdir()
        (Path(name) / "outside.py").write_text("import pyspark.streaming\n")
        (root / "out.py").symlink_to(Path(name) / "outside.py")
        (root / "loop").symlink_to(root)
        for relative, data in files.items():
            path = root / relative
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data + CANARY.encode() if path.suffix == ".py" else data)
        yield root


def run(arguments: list[str]) -> int:
    out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    assert "Traceback" not in err.getvalue()
    return code


@pytest.fixture(autouse=True, scope="module")
def warm() -> None:
    with written(
        {"a.py": b"import pyspark.streaming\n", "b.py": b"pyspark.streaming\nprint 1"}
    ) as root:
        for mode in MODES:
            run([str(root), *mode])


@share(0.15)
@given(trees(), st.sampled_from(MODES))
def test_trees(files: dict[str, bytes], mode: list[str]) -> None:
    with written(files) as root:
        before = tree_hash(root)
        outside = root.with_name("outside.py").read_bytes()
        with watched(root.parent, Path(os.environ["MIGRATE_CACHE_DIR"])):
            code = run([str(root), *mode])
        assert code in (0, 1)
        assert tree_hash(root) == before
        assert root.with_name("outside.py").read_bytes() == outside
        made = {p.name for p in root.parent.iterdir()} - {"tree", "outside.py"}
        assert made <= ({"tree-migrated"} if "--check" not in mode else set())
        assert not list(root.parent.rglob("CANARY"))
        assert not Path("CANARY").exists()
