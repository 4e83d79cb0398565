"""Tests of a rule with fixes over the cases that its test module lists.

A module has ``CODE`` and the lists ``CHANGED`` and ``UNSAFE`` (before and after), ``REPORTED`` and
``SILENT``; it runs them by a class of its own, a subclass of one of these.
"""

from __future__ import annotations

import sys

import pytest

from migrator.model.report import Safety
from tests.support.migrator.fixes import fixed_report, fixed_text
from tests.support.migrator.reports import report

_LISTS = {"changed": "CHANGED", "unsafe": "UNSAFE", "source": "REPORTED", "quiet": "SILENT"}


def messages(code: str, source: str) -> list[str]:
    """Return what a rule says of a file."""
    return [f.message for f in report(source).findings if f.code == code]


class FixCases:
    """Runs the lists of a module whose rule has safe fixes."""

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        for argument, name in _LISTS.items():
            if argument in metafunc.fixturenames:
                metafunc.parametrize(argument, getattr(metafunc.module, name))
        if "code" in metafunc.fixturenames:
            metafunc.parametrize("code", [metafunc.module.CODE])

    def test_twice_as_many_cases_stay(self) -> None:
        module = sys.modules[type(self).__module__]
        changed = [*module.CHANGED, *getattr(module, "UNSAFE", ())]
        assert len(module.SILENT) >= 2 * len(changed)

    def test_changed(self, changed: tuple[str, str]) -> None:
        before, after = changed
        assert fixed_text("job.py", before) == after
        compile(after, "job.py", "exec")

    def test_changed_with_other_line_ends(self, changed: tuple[str, str]) -> None:
        before, after = (text.replace("\n", "\r\n") for text in changed)
        assert fixed_text("job.py", before) == after

    def test_reported(self, code: str, source: str) -> None:
        made = fixed_report("job.py", source)
        assert made.content is None
        assert {f.code for f in made.findings} == {code}
        assert all(f.is_open and f.advice for f in made.findings)

    def test_silent(self, code: str, quiet: str) -> None:
        assert messages(code, quiet) == []


class UnsafeFixCases(FixCases):
    """The same for a rule that has unsafe fixes, too."""

    def test_unsafe(self, code: str, unsafe: tuple[str, str]) -> None:
        before, after = unsafe
        assert fixed_text("job.py", before) == before
        assert fixed_text("job.py", before, unsafe=True) == after
        fixes = [f.fix for f in report(before).findings if f.code == code and f.fix is not None]
        assert {fix.safety for fix in fixes} == {Safety.UNSAFE}
        # the message says what differs
        assert all(";" in fix.summary for fix in fixes)
