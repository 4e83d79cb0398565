"""Every rule has documentation, a page, a test; every table matches Spark."""

from __future__ import annotations

import ast
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyspark
import pytest

import dstream_compat
from migrator.model.report import Safety
from migrator.rules.base import FAMILIES, HEADINGS
from migrator.rules.docs import index_page, main, pages
from migrator.rules.registry import page_text, rule_modules, rules, rules_of_page
from migrator.run.scan import scan
from migrator.spark import api
from migrator.spark.settings import SETTINGS
from migrator.spark.versions import installed_spark
from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]
ROOT = Path(__file__).parents[3]
INPUT = ROOT / "tests" / "migrator" / "input_projects"
PROJECTS = [*INPUT.iterdir(), *(ROOT / "tests" / "migrator" / "projects").iterdir()]
DOCS = ROOT / "docs" / "rules"
SPARK = Path(pyspark.__path__[0])
CODES = sorted(rules())


@pytest.mark.parametrize("code", CODES)
def test_documentation(code: str) -> None:
    module = rule_modules()[code]
    text = module.__doc__
    assert text is not None
    headings = re.findall(r"^## (.*)$", text, re.M)
    assert tuple(headings) == HEADINGS
    assert text.strip().partition("\n")[0].endswith(".")
    first = rules_of_page(rules()[code])[0].code
    assert module.__name__.rpartition(".")[2].startswith(first.lower() + "_")
    assert code[:2] in FAMILIES


@pytest.mark.parametrize("code", CODES)
def test_test_file(code: str) -> None:
    first = rules_of_page(rules()[code])[0].code
    assert (Path(__file__).parent / f"test_{first.lower()}.py").is_file()


FIXED = [code for code in CODES if rules()[code].safety is not None]
NAMES = {
    "python": "example.py",
    "shell": "run.sh",
    "text": "requirements.txt",
    "properties": "spark-defaults.conf",
    "dockerfile": "Dockerfile",
}
# what a user gives with an option that takes a value
VALUES = {"--kafka-brokers": ["broker:9092"]}


def migrated(migrate: Migrate, root: Path, code: str, *options: str) -> str:
    """What becomes of the example of a rule, in a project with DStream code."""
    language, before = _examples(code)[0]
    path = root / NAMES[language]
    path.write_text(before)
    (root / "job.py").write_text(JOB)
    assert migrate(root, "--in-place", "--format", "json", *options).code in (0, 1)
    return path.read_text()


def _examples(code: str) -> list[tuple[str, str]]:
    return re.findall(r"```(\w+)\n(.*?)```", page_text(rules()[code]), re.S)


@pytest.mark.parametrize("code", FIXED)
def test_before_becomes_after_as_the_rule_says(migrate: Migrate, tmp_path: Path, code: str) -> None:
    rule = rules()[code]
    before, after = (text for _, text in _examples(code))
    after = after.replace(":4.3.0 ", f":{installed_spark()} ")
    options = rule.option.split() + VALUES.get(rule.option, [])
    if rule.safety is Safety.UNSAFE:
        options.append("--unsafe-fixes")
    if options:
        # other rules may fix what they can
        assert migrated(migrate, tmp_path, code) != after
        assert (tmp_path / "job.py").read_text() != JOB
    shown = migrated(migrate, tmp_path, code, *options)
    assert (shown == after) is (rule.safety is not Safety.DISPLAY)
    assert before != after


@pytest.mark.parametrize("code", CODES)
def test_documentation_says_how_safe_a_fix_is(code: str) -> None:
    rule, text = rules()[code], page_text(rules()[code])
    section = text.partition("## Fix safety\n\n")[2].partition("\n\n## ")[0]
    starts = {
        Safety.SAFE: "Safe",
        Safety.UNSAFE: "Unsafe",
        Safety.DISPLAY: "Display",
        None: "There is no fix",
    }
    assert section.startswith(starts[rule.safety]), section
    if rule.option:
        assert section.startswith(f"Safe, with `{rule.option}"), section
    named = "Unsafe" in section
    assert named is (Safety.UNSAFE in (rule.safety, rule.other_safety)), section
    if named:
        assert "`--unsafe-fixes`" in section


@pytest.mark.slow
def test_fixes_are_as_safe_as_their_rules_say() -> None:
    found = [f for path in sorted(PROJECTS) for _, f in scan(path, "check").findings()]
    fixes = [(rules()[f.code], f) for f in found if f.fix is not None]
    assert {rule.code for rule, _ in fixes} >= {"D201", "D901", "D902"}
    for rule, finding in fixes:
        assert finding.fix is not None
        assert finding.fix.safety in (rule.safety, rule.other_safety), finding
        assert bool(finding.fix.asks) == bool(rule.option), finding
        assert finding.safety is (Safety.DISPLAY if finding.fix.asks else finding.fix.safety)
    for finding in found:
        if finding.fix is None:
            assert finding.safety is (rules()[finding.code].safety if finding.is_fixed else None)


def test_pages_are_up_to_date(tmp_path: Path) -> None:
    """If this fails, run `python -m migrator.rules.docs docs/rules`."""
    found = {p.name: p.read_text("utf-8") for p in DOCS.iterdir()}
    index = found.pop("README.md")
    assert found == pages()
    assert index == index_page(index)
    (tmp_path / "README.md").write_text("# Title\n\n## Rules\n\nan old table\n")
    main(str(tmp_path))
    written = {p.name: p.read_text("utf-8") for p in tmp_path.iterdir()}
    tables = index.partition("## Rules\n")[2]
    assert written.pop("README.md") == f"# Title\n\n## Rules\n{tables}"
    assert written == found


def public_methods(module: str, name: str) -> set[str]:
    tree = ast.parse((SPARK / "streaming" / f"{module}.py").read_text("utf-8"))
    body = next(n.body for n in tree.body if isinstance(n, ast.ClassDef) and n.name == name)
    found = {n.name for n in body if isinstance(n, ast.FunctionDef)}
    return {n for n in found if not n.startswith("_")}


def public_names(thing: type) -> set[str]:
    return {name for name in dir(thing) if not name.startswith("_")}


def test_every_method_of_dstream_is_known() -> None:
    """What `migrator.spark.api` does not have is reported as a mistake, ours too."""
    known = {n for n in api.DSTREAM if not n.startswith("_")}
    # Spark 1.x had foreach; a stream of mapWithState alone has the other
    streams = public_methods("dstream", "DStream") | public_names(dstream_compat.DStream)
    assert known - {"foreach", "stateSnapshots"} == streams


def test_every_method_of_the_context_is_known() -> None:
    known = {n for n in api.STREAMING_CONTEXT if not n.startswith("_")}
    contexts = public_names(dstream_compat.StreamingContext)
    assert known == public_methods("context", "StreamingContext") | contexts


@pytest.mark.parametrize("module", ["", "context", "dstream", "listener", "kinesis"])
def test_star_names(module: str) -> None:
    path = SPARK / "streaming" / f"{module or '__init__'}.py"
    tree = ast.parse(path.read_text("utf-8"))
    listed = next(
        ast.literal_eval(n.value)
        for n in tree.body
        if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__"
    )
    name = f"pyspark.streaming.{module}" if module else "pyspark.streaming"
    assert set(api.star_names(name)) == set(listed)


def test_every_setting_of_spark_is_known() -> None:
    """The names stand as constants in the classes of Spark Streaming."""
    (jar,) = (SPARK / "jars").glob("spark-streaming_*.jar")
    pattern = re.compile(rb"spark\.streaming\.[a-z][A-Za-z0-9]*(?:\.[a-zA-Z][A-Za-z0-9]*)*")
    found: set[str] = set()
    with zipfile.ZipFile(jar) as archive:
        for name in archive.namelist():
            if name.endswith(".class"):
                content = archive.read(name)
                # paths of packages are written with slashes, so these are settings and logs
                found |= {m.decode() for m in pattern.findall(content)}
    packages = ("api", "dstream", "rdd", "scheduler", "util", "StreamingContext")
    settings = {k for k in found if k.split(".")[2] not in packages}
    settings = {k for k in settings if not any(p[:1].isupper() for p in k.split(".")[2:])}
    settings -= {k for k in settings if any(other.startswith(k + ".") for other in settings)}
    assert "spark.streaming.concurrentJobs" in settings
    assert settings <= set(SETTINGS)
