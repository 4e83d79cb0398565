"""Times `migrate` in CPU seconds: scanning, reporting, rewriting, a second run, and `--help`.

``python benchmarks/migrate.py [--quick]`` prints files per CPU second of one core and how they
compare with what is asked for. Every measurement runs in a process of its own, whose imports are
not counted; the median of three is shown.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 3
# files per CPU second, seconds for the last one; None where nothing is asked for
GOALS = {
    "scan": 3000.0,
    "report": 200.0,
    "rewrite": None,
    "structured": 30.0,
    "cached": 200.0,
    "help": 0.1,
}
WHAT = {
    "scan": "the standard library: no DStream code",
    "report": "copies of migrated examples: DStream code, nothing to rewrite",
    "rewrite": "copies of legacy_examples: edits made and proven",
    "structured": "the same with --target structured",
    "cached": "the same again, with the results of the first run",
    "help": "migrate --help, with the start of Python (seconds)",
}


def copies(folder: Path, source: Path, number: int) -> Path:
    for index in range(number):
        shutil.copytree(source, folder / f"project{index}")
    return folder


def measure(name: str, quick: bool) -> float:
    """Return files per CPU second of one measurement, in this process."""
    sys.path.insert(0, str(ROOT))
    from migrator.run.cache import Cache
    from migrator.run.options import Options
    from migrator.run.scan import scan
    from migrator.run.structured_jobs import rewrite_jobs

    number = 4 if quick else 20
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        os.environ["MIGRATE_CACHE_DIR"] = f"{folder}/cache"
        examples = ROOT / "legacy_examples"
        scan(examples, "check")  # imports and first calls
        if name == "scan":
            return rate(lambda: scan(Path(sysconfig.get_path("stdlib")), "check").scanned)
        if name == "report":
            examples = migrated(examples, Path(folder, "migrated"))
        tree = copies(Path(folder, "tree"), examples, number)

        def run() -> int:
            cache = Cache(tree) if name == "cached" else None
            report = scan(tree, "check", cache=cache)
            if name == "structured":
                rewrite_jobs(report, Options((tree,), portable=True))
            return len(report.files)

        if name == "cached":
            run()
        return rate(run)


def migrated(source: Path, target: Path) -> Path:
    from migrator.run.scan import scan

    shutil.copytree(source, target)
    for file in scan(target, "check").files:
        if file.content is not None:
            (target / file.path).write_bytes(file.content)
    return target


def rate(run: Callable[[], int]) -> float:
    before = time.process_time()
    files = run()
    return files / (time.process_time() - before)


def help_seconds() -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "migrator", "--help"]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def one(name: str, quick: bool) -> float:
    if name == "help":
        return help_seconds()
    command = [sys.executable, __file__, "--measure", name, *["--quick"] * quick]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stderr[-3000:]}")
    return float(json.loads(done.stdout))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a fifth of the files")
    parser.add_argument(
        "--measure", choices=[n for n in WHAT if n != "help"], help=argparse.SUPPRESS
    )
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.measure, options.quick)))
        return
    print(f"{'':8} {'files/s':>9} {'asked':>7}")
    for name, what in WHAT.items():
        found = statistics.median(one(name, options.quick) for _ in range(ROUNDS))
        goal = GOALS[name]
        form = "9.3f" if name == "help" else "9,.0f"
        asked = "" if goal is None else f"{goal:,g}"
        print(f"{name:8} {found:{form}} {asked:>7}   {what}", flush=True)


if __name__ == "__main__":
    main()
