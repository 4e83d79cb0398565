"""Takes the place of the process that runs a job: counts words of a socket, with planted faults.

What the program of the job says decides what happens: WRONG counts one word once more (WRONG IF
MIGRATED only in the migrated job), CLOCK gives the time of its process, OBJECTS something that has
only an address; FAILS, STALLS, LEAVES, EXITS, SLEEPS, EATS and NOTHING do that instead of running.
FAILS WITH KeyError AT x names the class of the error and the word; FAILS ONCE fails only without
streams. DIES IN THE SEARCH ends the process of the search for the smallest input.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import IO, Any

OUTPUTS = [
    {"name": "pprint at job.py:3", "kind": "pprint", "operator": "reduceByKey at job.py:2"},
    {"name": "flatMap at job.py:1", "kind": "stream", "operator": ""},
    {"name": "reduceByKey at job.py:2", "kind": "stream", "operator": ""},
]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser()
    for name in ("--engine", "--timeout", "--memory"):
        parser.add_argument(name)
    for name in ("--input", "--output"):
        parser.add_argument(name)
    for name in ("--state", "--streams"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("--real", action="append", default=[])
    parser.add_argument("job")
    parser.add_argument("args", nargs="*")
    found = parser.parse_args(arguments)
    program = Path(found.job).read_text(encoding="utf-8")
    print("this is the log", file=sys.stderr)
    if "REFUSES" in program:
        return 2
    memory = bytearray(2**28) if "EATS" in program else b""
    with open(found.output, "w", encoding="utf-8") as file:
        run(program, found, Path(found.input), file)
    if "SLEEPS" in program or memory:
        threading.Event().wait()
    return 0


def run(program: str, found: Any, recording: Path, file: IO[str]) -> None:
    recording = recording / "batches.jsonl" if recording.is_dir() else recording
    header, *lines = map(json.loads, recording.read_text(encoding="utf-8").splitlines())
    batches = {line["batch"]: line["input"] for line in lines}
    count = max([*batches, header.get("batches") or 0])
    outputs = [] if "NOTHING" in program else OUTPUTS if found.streams else OUTPUTS[:1]
    about = {"format": 1, "engine": found.engine, "job": found.job, "interval": 1}
    write(file, **about, outputs=outputs, real=found.real)
    if "EXITS" in program or "NOTHING" in program:
        error = "the job called sys.exit(255)" if "EXITS" in program else None
        write(file, end="failed" if error else "exited", error=error)
        return
    for batch in range(1, count + 1):
        words = [w for line in batches.get(batch, {}).get("socket:9999", []) for w in line.split()]
        if fails := re.search(r"FAILS(?: WITH (\w+))?(?: AT (\w))?", program):
            letter = fails[2] or "c"
            if letter in words and not ("ONCE" in program and found.streams):
                if found.streams:
                    write(file, batch=batch, output=1, rows=[["str", word] for word in words])
                write(file, failed=batch)
                write(file, end="failed", error=f"{fails[1] or 'ValueError'}: there is a {letter}")
                return
        if "LEAVES" in program and batch == 2:
            os._exit(7)
        if "STALLS" in program and batch == (1 if "AT ONCE" in program else 2):
            write(file, end="failed", error="Error: Python worker failed to connect back.")
            return
        if "CLOCK" in program:
            words.append(str(time.time_ns()))
        counts = Counter(words)
        is_wrong = "WRONG IF MIGRATED" not in program or found.engine != "dstreams"
        if "WRONG" in program and is_wrong and {"a", "c"} <= counts.keys():
            counts["c"] += 1
        pairs = [["tuple", [["str", word], ["int", str(n)]]] for word, n in counts.items()]
        if "OBJECTS" in program:
            pairs = [
                ["tuple", [word, ["not comparable", "Thing", os.urandom(8).hex()]]]
                for word in pairs
            ]
        write(file, batch=batch, output=0, rows=pairs)
        if found.streams:
            write(file, batch=batch, output=1, rows=[["str", word] for word in words])
            write(file, batch=batch, output=2, rows=pairs)
    write(file, end="stopped", error=None, seconds=1.5, peak_bytes=0)


def write(file: IO[str], **line: Any) -> None:
    file.write(json.dumps(line) + "\n")
    file.flush()


def serve() -> None:
    """Does what `run_jobs` does."""
    for line in sys.stdin:
        asked = json.loads(line)
        if "DIES IN THE SEARCH" in Path(asked["job"]).read_text(encoding="utf-8"):
            os._exit(9)
        given = ["--engine", asked["engine"], "--input", asked["input"]]
        code = main([*given, "--output", asked["output"], asked["job"], *asked["args"]])
        print(json.dumps({"code": code}), flush=True)


if __name__ == "__main__":
    sys.exit(serve() if sys.argv[1:2] == ["serve"] else main())
