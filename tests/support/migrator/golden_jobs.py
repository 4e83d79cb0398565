"""Copies golden projects, migrates the copies with one command, and runs both."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from migrator.cli.main import main
from tests.support.legacy.driven import drive
from tests.support.migrator.plans.golden import Golden

TESTS = Path(__file__).parents[2] / "migrator"
Outcome = dict[str, Any]


def migrate(root: Path, *options: str) -> str:
    """Migrate a project in place, as its owner would; return the report."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(root), "--in-place", *options])
    assert code in (0, 1), err.getvalue()
    return out.getvalue()


def copy(project: str, folder: Path) -> Path:
    """Return a copy of a project; its notebooks are there as scripts, too."""
    root = folder / project.replace("/", "-")
    return root if root.exists() else copy_of(TESTS / project, root)


def copy_of(project: Path, root: Path) -> Path:
    """Copy a project, and return where."""
    shutil.copytree(project, root, ignore=shutil.ignore_patterns("__pycache__"))
    return root


def as_scripts(root: Path) -> None:
    """Write each notebook's cells as a script beside it, as a kernel runs them, without magics."""
    for notebook in root.rglob("*.ipynb"):
        cells = json.loads(notebook.read_text("utf-8"))["cells"]
        texts = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
        python = [text for text in texts if not text.startswith("%%") or text.startswith("%%time")]
        lines = [line for text in python for line in [*text.splitlines(), ""]]
        kept = [line for line in lines if not line.startswith(("%", "!"))]
        notebook.with_suffix(".py").write_text("\n".join(kept), "utf-8")


def rewrite(script: Path, addresses: dict[str, str], servers: dict[str, str]) -> None:
    """Replace what a script names, as its owner does when it moves to other machines."""
    text = script.read_text("utf-8", "surrogateescape")
    for old, new in addresses.items():
        text = text.replace(old, new.format_map(servers))
    script.write_text(text, "utf-8", "surrogateescape")


def run_all(
    jobs: Sequence[Golden], folder: Path, servers: dict[str, str], jars: Sequence[Path]
) -> dict[str, list[Outcome | None]]:
    """Run all jobs: as they were on DStreams, where these can, and migrated.

    Parameters
    ----------
    jobs : sequence of Golden
        those of one project share its folder, one after another
    folder : Path
        for the copies
    servers : dict
        their addresses by the variables that name them; ``TEST_KAFKA`` is the broker that projects
        are migrated for
    jars : sequence of Path
        of Spark's Kafka connector
    """
    for project, options in {one.project: one.options for one in jobs}.items():
        root = copy(project, folder / "migrated")
        migrate(root, "--kafka-brokers", servers["TEST_KAFKA"], *options)

    def engine(name: str) -> list[Outcome | None]:
        planned = [one for one in jobs if name == "migrated" or one.on_dstreams]
        plans = []
        for one in planned:
            root = str(copy(one.project, folder / name))
            as_scripts(Path(root))
            for script in Path(root).rglob("*.py") if one.addresses else ():
                rewrite(script, one.addresses, servers)
            # the JVM of all jobs stays where it was started
            plans.append({**one.plan, "root": root, "folder": str(folder / f"{name}-process")})
            if name == "spark":
                plans[-1] |= {"end": "stop"} if one.by_hand else {}
                for file, text in one.stand_ins.items():
                    Path(root, file).write_text(text, encoding="utf-8")
        plan = folder / f"{name}.plan.json"
        plan.write_text(json.dumps(plans), encoding="utf-8")
        found = iter(drive(name, plan, folder, jars if name == "migrated" else (), **servers))
        return [next(found) if one in planned else None for one in jobs]

    names = ("spark", "migrated")
    with ThreadPoolExecutor() as pool:
        return dict(zip(names, pool.map(engine, names), strict=True))
