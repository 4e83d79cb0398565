"""The process of one engine: opens a session, then runs the steps that it is told.

Commands come as lines of JSON on standard input, answers go to the standard output that the
process was started with; what Spark and user code print goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

from .job import Place, Scale, load


def main() -> None:
    """Serve one session until standard input ends."""
    given: dict[str, Any] = json.loads(sys.argv[1])
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(found: dict[str, Any]) -> None:
        answers.write(json.dumps(found) + "\n")
        answers.flush()

    try:
        place = Place(
            given["engine"], Path(given["folder"]), Scale(**given["scale"]), given["resources"]
        )
        session = load(given["job"]).open(place)
        for line in sys.stdin:
            answer({"measured": session.step(line.strip()).to_json()})
    except BaseException:
        answer({"error": traceback.format_exc()})
        raise


if __name__ == "__main__":
    main()
