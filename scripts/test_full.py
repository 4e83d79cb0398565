"""Runs every test, the long ones too, and writes the result to docs/test-full.md."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REPORT = ROOT / "docs" / "test-full.md"


def main(args: list[str]) -> int:
    started = time.monotonic()
    command = [sys.executable, "-m", "pytest", "--durations=15", "--color=no", *args]
    lines: list[str] = []
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "DSTREAM_COMPAT_FULL": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as pytest:
        assert pytest.stdout is not None
        for line in pytest.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            lines.append(line.rstrip())
    if args:
        # a selection is not the full run, so it must not replace the result of one
        print(f"{REPORT.relative_to(ROOT)} is left as it is: only a part was run")
    else:
        REPORT.parent.mkdir(exist_ok=True)
        REPORT.write_text(report(lines, pytest.returncode, time.monotonic() - started))
        print(f"written to {REPORT.relative_to(ROOT)}")
    return pytest.returncode


def report(lines: list[str], code: int, seconds: float) -> str:
    summary = next((line.strip("= ") for line in reversed(lines) if " in " in line), "no summary")
    failed = [line for line in lines if re.match(r"(FAILED|ERROR|SKIPPED|XFAIL|XPASS) ", line)]
    slowest = [line for line in lines if re.match(r"\d+\.\d+s (call|setup|teardown) ", line)]
    parts = [
        "# The last full test run",
        "",
        "Written by `make test-full`.",
        "",
        f"- result: **{summary}** (exit code {code})",
        f"- when: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {seconds / 60:.1f} minutes",
        f"- commit: {commit()}",
        f"- Python {platform.python_version()}, pyspark {version('pyspark')}, "
        f"pyarrow {version('pyarrow')}, {java()}",
        f"- {platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "",
    ]
    for title, found in (("Not passed", failed), ("Slowest", slowest)):
        if found:
            parts += [f"## {title}", "", "```", *found, "```", ""]
    return "\n".join(parts)


def commit() -> str:
    def git(*args: str) -> str:
        done = subprocess.run(["git", *args], cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    name = git("rev-parse", "--short=12", "HEAD") or "none"
    return f"{name}, with local changes" if git("status", "--porcelain") else name


def java() -> str:
    home = os.environ.get("JAVA_HOME")
    command = os.path.join(home, "bin", "java") if home else shutil.which("java")
    if not command:
        return "no Java"
    done = subprocess.run([command, "-version"], capture_output=True, text=True, check=False)
    return (done.stderr.splitlines() or ["unknown Java"])[0]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
