"""READMEs and other texts for people: the lines that are commands for a shell."""

from __future__ import annotations

import re

_FENCE = re.compile(r"^\s*(```|~~~)")
_COMMAND = re.compile(
    r"(?:^|[\s`$\"'>/])(?:spark-submit|spark-shell|pyspark|spark-class)(?=\s+-|\s+\S+\.\w|\s*\\\s*$)"
    r"|(?:^|[\s`\"'])--(?:packages|jars|conf|py-files)[\s=]|PYSPARK_SUBMIT_ARGS|\bpip3? install\s"
)


def commands(lines: list[str], blocks: bool) -> list[str]:
    """The lines of a text with everything but commands blanked out.

    Prose that only names a package asks for nothing.

    Parameters
    ----------
    lines
        The lines of the text.
    blocks
        Whether fenced blocks stay as a whole, as in a README; elsewhere they often hold output.
    """
    kept = []
    fenced = continued = False
    for line in lines:
        if _FENCE.match(line):
            fenced = not fenced
            kept.append("")
            continued = False
            continue
        keeps = (fenced and blocks) or continued or _COMMAND.search(line) is not None
        kept.append(line if keeps else "")
        continued = keeps and line.endswith("\\")
    return kept
