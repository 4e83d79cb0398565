"""Reports files that are not Python: Scala, Java, SQL, settings, scripts, builds, READMEs."""

from __future__ import annotations

from migrator.discover.filetypes import FileType
from migrator.languages.embedded_programs import report_embedded
from migrator.languages.text import text_events
from migrator.model.report import FileReport
from migrator.source.databricks import commented_cells, notebook_mark


def report_text_file(report: FileReport, kind: FileType, text: str) -> None:
    """Add the events of a file that is not Python to its report."""
    if kind in (FileType.SCALA, FileType.JAVA):
        # few projects have such sources
        from migrator.languages.jvm.report import report_source

        report_source(report, text, kind.value)
    if kind in (FileType.SCALA, FileType.JAVA, FileType.SQL):
        mark = notebook_mark(text)
        if mark is not None:
            report.events += report_embedded(report, commented_cells(text, mark))
    else:
        report.events += text_events(text, kind.value)
