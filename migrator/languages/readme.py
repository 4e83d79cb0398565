"""READMEs and other texts for people: the lines that are commands for a shell."""

from __future__ import annotations

import re

# what follows the backticks of a fence has none: the rest of the line would be inline code
_FENCE = re.compile(r"\s*(?P<mark>`{3,}(?=[^`]*\Z)|~{3,})(?P<info>.*)")
_COMMAND = re.compile(
    r"(?:^|[\s`$\"'>/])(?:spark[123]?-submit|spark-shell|pyspark|spark-class)(?=\s+-|\s+\S+\.\w|\s*\\\s*$)"
    r"|(?:^|[\s`\"'])--(?:packages|jars|conf|py-files)[\s=]|PYSPARK_SUBMIT_ARGS|\bpip3? install\s"
)


def commands(lines: list[str], blocks: bool) -> list[str]:
    """Return the lines of a text with everything but commands blanked out.

    Prose that only names a package asks for nothing.

    Parameters
    ----------
    blocks : bool
        Whether fenced blocks stay as a whole, as in a README; elsewhere they often hold output.
    """
    kept_lines = []
    fence = ""
    continued = False
    for line in lines:
        mark = _FENCE.match(line)
        if mark is not None and (not fence or _closes(mark, fence)):
            fence = "" if fence else mark["mark"]
            kept_lines.append("")
            continued = False
            continue
        keeps = (bool(fence) and blocks) or continued or _COMMAND.search(line) is not None
        kept_lines.append(line if keeps else "")
        continued = keeps and line.endswith("\\")
    return kept_lines


def _closes(mark: re.Match[str], fence: str) -> bool:
    """Return whether a line ends a block: it has at least its marks, and nothing else."""
    return mark["mark"].startswith(fence) and not mark["info"].strip()
