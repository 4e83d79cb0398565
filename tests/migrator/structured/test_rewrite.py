"""What the rewriting writes: as the goldens have it, idempotent, clean, with all comments."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.result.imports import CONSTANTS_NOTE
from migrator.structured.result.layout import STATE_NOTE
from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.legacy.harness import ROOT
from tests.support.structured.texts import NAMES, comments, files_beside, golden, without_head

NOTES = (CONSTANTS_NOTE, STATE_NOTE)
FOLDER = Path(__file__).parent
REFUSED = {path.stem: path for path in sorted(FOLDER.glob("refused/*.py"))}
REFUSED |= {path.parent.name: path for path in sorted(FOLDER.glob("refused/*/before.py"))}
PROGRAMS = sorted(
    path
    for folder in ("legacy_examples", "tests/migrator/projects", "tests/migrator/structured")
    for path in (ROOT / folder).rglob("*.py")
    if b"StreamingContext" in path.read_bytes()
)


def complaints(texts: dict[str, str], folder: Path) -> dict[str, list[str]]:
    """What `ruff check` with its default settings says of each program."""
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache"]
    done = subprocess.run(
        [*command, "--output-format", "json", str(folder)], capture_output=True, text=True
    )
    found: dict[str, list[str]] = {name: [] for name in texts}
    for each in json.loads(done.stdout):
        found[Path(each["filename"]).stem].append(each["code"])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_result_is_the_golden_one(name: str) -> None:
    before, after, given = golden(name)
    found = rewrite(before, **given)
    assert isinstance(found, Rewritten)
    assert found.text == after
    assert found.differences or "unsafe" not in given


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_differs_needs_consent(name: str) -> None:
    before, _, given = golden(name)
    stays = given.pop("unsafe", False)
    assert isinstance(rewrite(before, **given), Reason if stays else Rewritten)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_each_call_is_explained(name: str) -> None:
    before, _, given = golden(name)
    found = rewrite(before, **given)
    assert isinstance(found, Rewritten)
    assert found.steps
    assert all(step.before and step.why for step in found.steps)
    lines = before.splitlines()
    # what PySpark makes of the methods of a model
    takes_code = "around" in given and given["around"].stream_lines is not None
    models = {"mapValues": "predictOnValues", "map": "predictOn", "foreachRDD": "trainOn"}
    for step in found.steps:
        # code of other files has no line here
        text = "".join(lines[: step.line]) if not takes_code else step.before
        method = step.before.partition("(")[0].lstrip(".")
        assert method in text or f".{models.get(method)}(" in text


@pytest.mark.slow
def test_none_of_our_names_is_in_a_result() -> None:
    for name in NAMES:
        assert "dstream_compat" not in golden(name)[1]


@pytest.mark.parametrize("name", NAMES)
def test_batches_with_state_are_computed_whole(name: str) -> None:
    """`show` reads some partitions only, and Spark saves the state of what is read."""
    _, after, _ = golden(name)
    stateful = after.count(".transformWithState(") + after.count('.outputMode("complete")')
    assert after.count(".persist().count()") == stateful
    assert after.count("batch.unpersist()") >= stateful


@pytest.mark.parametrize("name", REFUSED)
def test_a_job_that_stays(name: str) -> None:
    text = REFUSED[name].read_text(encoding="utf-8")
    code, _, words = text.partition("\n")[0].removeprefix("# ").partition(": ")
    found = rewrite(text, around=files_beside(REFUSED[name]))
    assert isinstance(found, Reason), "the job is rewritten"
    assert (found.code, words in found.text) == (code, True), found


def test_reasons_are_many() -> None:
    texts = {path.read_text(encoding="utf-8").partition("\n")[0] for path in REFUSED.values()}
    assert len(texts) == len(REFUSED)


@pytest.fixture(scope="module")
def results() -> dict[Path, tuple[str, Rewritten]]:
    """All programs that can be rewritten, and what they become."""
    found = {}
    for path in PROGRAMS:
        text = path.read_bytes().decode("utf-8", "replace")
        try:
            ast.parse(text)
        except SyntaxError:
            continue
        made = rewrite(text, unsafe=True)
        if isinstance(made, Rewritten):
            found[path] = text, made
    assert len(found) > 10
    return found


@pytest.mark.slow
def test_results_are_programs(results: dict[Path, tuple[str, Rewritten]]) -> None:
    for _, made in results.values():
        ast.parse(made.text)
        assert rewrite(made.text) is None


def test_comments_stay(results: dict[Path, tuple[str, Rewritten]]) -> None:
    for path, (text, made) in results.items():
        made_comments = comments(without_head(made.text))
        added = made_comments - comments(text)
        added = Counter({text: n for text, n in added.items() if text not in NOTES})
        assert (comments(text) - made_comments, added) == (Counter(), Counter()), path


def test_results_are_clean(results: dict[Path, tuple[str, Rewritten]], tmp_path: Path) -> None:
    for each in ("before", "after"):
        (tmp_path / each).mkdir()
    names = {path: f"p{number}" for number, path in enumerate(results)}
    before = complaints({names[p]: text for p, (text, _) in results.items()}, tmp_path / "before")
    after = complaints({names[p]: m.text for p, (_, m) in results.items()}, tmp_path / "after")
    worse = {p.name: after[n] for p, n in names.items() if Counter(after[n]) > Counter(before[n])}
    assert worse == {}
