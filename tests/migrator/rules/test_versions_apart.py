"""Versions that stand apart from what they are of: images of Helm, tasks of Azure Pipelines."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from migrator.languages.text import split_images, task_versions
from migrator.run.scan import scan
from tests.support.migrator.fixes import fixed_report, fixed_text
from tests.support.migrator.reports import codes
from tests.support.migrator.runs import JOB

TASK = "steps:\n- task: UsePythonVersion@0\n  inputs:\n    versionSpec: {}\n"
IMAGE = "image:\n  repository: {}\n  tag: {}\n"

CHANGED = [
    # Azure Pipelines
    ("a.yml", TASK.format("'2.7'  # c"), TASK.format("'3.11'  # c")),
    ("a.yml", TASK.format("2.7"), TASK.format("3.11")),
    ("a.yml", TASK.format('"3.6.x"'), TASK.format('"3.11"')),
    ("a.yml", TASK.format("'2.x'"), TASK.format("'3.11'")),
    (
        "a.yml",
        "- inputs: {addToPath: true, versionSpec: '2.7'}\n\n  task: UsePythonVersion@0\n",
        "- inputs: {addToPath: true, versionSpec: '3.11'}\n\n  task: UsePythonVersion@0\n",
    ),
    (
        "a.yml",
        f"variables:\n  python.version: '2.7'\n{TASK.format('$(python.version)')}",
        f"variables:\n  python.version: '3.11'\n{TASK.format('$(python.version)')}",
    ),
    # GitHub
    ("a.yml", "- with: {python-version: 2.7}\n", "- with: {python-version: 3.11}\n"),
    ("a.yml", "python-version: '2.7.x'\n", "python-version: '3.11'\n"),
    (
        "a.yml",
        "  with: { cache: pip, python-version: '3.6' }\n",
        "  with: { cache: pip, python-version: '3.11' }\n",
    ),
    # images
    ("values.yaml", IMAGE.format("python", '"2.7" # c'), IMAGE.format("python", '"3.11" # c')),
    ("values.yaml", IMAGE.format("'python'", "2-slim"), IMAGE.format("'python'", "3.11-slim")),
    (
        "values.yaml",
        "jobImage:\n  tag: 2.7.18-slim-buster\n\n  pullPolicy: Always\n  repository: python\n",
        "jobImage:\n  tag: 3.11-slim-buster\n\n  pullPolicy: Always\n  repository: python\n",
    ),
    (
        "values.yaml",
        'a:\n  image: {repository: python, tag: "2.7"}\n',
        'a:\n  image: {repository: python, tag: "3.11"}\n',
    ),
    (
        "values.yaml",
        "images:\n  job:\n    repository: python\n    tag: '2.7'\n",
        "images:\n  job:\n    repository: python\n    tag: '3.11'\n",
    ),
    (
        "values.yaml",
        "imageRepository: python\nimageTag: '2.7'\n",
        "imageRepository: python\nimageTag: '3.11'\n",
    ),
    (
        "values.json",
        '{\n  "image": {\n    "repository": "python",\n    "tag": "2.7"\n  }\n}\n',
        '{\n  "image": {\n    "repository": "python",\n    "tag": "3.11"\n  }\n}\n',
    ),
    (
        "values.json",
        '{"images": [\n  {\n    "tag": "2.7",\n    "repository": "python"\n  }\n]}\n',
        '{"images": [\n  {\n    "tag": "3.11",\n    "repository": "python"\n  }\n]}\n',
    ),
    (
        "kustomization.yaml",
        "images:\n- name: python\n  newTag: '2.7'\n- name: a\n  newName: python\n  newTag: '2.7'\n",
        "images:\n- name: python\n  newTag: '3.11'\n- name: a\n  newName: python\n"
        "  newTag: '3.11'\n",
    ),
    (
        "values.yaml",
        "image:\n  name: python\n  tag: '2.7'\n",
        "image:\n  name: python\n  tag: '3.11'\n",
    ),
    (
        "a.yml",
        f"matrix:\n  a: {{x: 1, v: '2.7'}}\n{TASK.format('$(v)')}",
        f"matrix:\n  a: {{x: 1, v: '3.11'}}\n{TASK.format('$(v)')}",
    ),
    ("main.tf", 'a {\n  image = "python:2.7"\n}\n', 'a {\n  image = "python:3.11"\n}\n'),
]

REPORTED = [
    (
        "a.yml",
        "D906",
        "matrix:\n  a:\n    v: '2.7'\n  b:\n    v: '3.6'\n" + TASK.format("$(v)"),
    ),
    ("values.yaml", "D909", IMAGE.format("openjdk", "8-slim")),
    ("values.yaml", "D905", IMAGE.format("bitnami/spark", "2.4.5")),
    ("values.yaml", "D905", IMAGE.format("gcr.io/spark-operator/spark-py", "v2.4.5")),
    (
        "values.yaml",
        "D905",
        "image:\n  registry: docker.io\n  repository: bitnami/spark\n  tag: 2.4.5-debian-10-r0\n",
    ),
    ("values.yaml", "D905", 'image: {"repository": "bitnami/spark", "tag": "2.4.5"}\n'),
    ("values.yaml", "D906", IMAGE.format("acme/python", "2.7")),
    ("values.yaml", "D906", IMAGE.format("python", "2.7-jessie")),
    ("values.yaml", "D906", "image:\n  registry: a.b\n  repository: python\n  tag: '2.7'\n"),
    ("values.yaml", "D909", IMAGE.format("openjdk", "8-jre-alpine")),
    ("main.tf", "D905", 'image = "bitnami/spark:2.4.5"\n'),
]

SILENT = [
    # Azure Pipelines
    ("a.yml", TASK.format("'3.11'")),
    ("a.yml", TASK.format("'3.12'")),
    ("a.yml", TASK.format("'3.x'")),
    ("a.yml", TASK.format("'>=2.7'")),
    ("a.yml", TASK.format("'pypy2'")),
    ("a.yml", TASK.format("$(python.version)")),
    ("a.yml", TASK.format("${{ parameters.python }}")),
    ("a.yml", "v: '2.7'\n" + TASK.format("$(w)")),
    ("a.yml", "a:\n  v: '2.7'\nb:\n  v: '3.11'\n" + TASK.format("$(v)")),
    ("a.yml", "a:\n  v: '2.7'\nb:\n  v: $[ x ]\n" + TASK.format("$(v)")),
    ("a.yml", "v: '2.7'\n" + TASK.format("$(v)").replace("UsePython", "UseRuby")),
    ("a.yml", TASK.format("'2.7'").replace("UsePythonVersion", "NodeTool")),
    ("a.yml", TASK.format("'2.7'").replace("UsePythonVersion", "UseRubyVersion")),
    ("a.yml", TASK.format("'2.7'").replace("versionSpec", "version")),
    ("a.yml", TASK.format("'2.7'").replace("versionSpec", "myversionSpec")),
    ("a.yml", "".join(f"# {line}\n" for line in TASK.format("'2.7'").splitlines())),
    ("a.yml", TASK.format("'3.11'  # versionSpec: '2.7'")),
    ("a.yml", "- task: UsePythonVersion@0\n- task: NodeTool@0\n  inputs:\n    versionSpec: '2'\n"),
    ("a.yml", "- task: NodeTool@0\n  inputs:\n    versionSpec: '2'\n- task: UsePythonVersion@0\n"),
    ("a.yml", "- script: echo UsePythonVersion@0 versionSpec: '2.7'\n"),
    ("a.yml", "- inputs:\n    versionSpec: '2.7'\n"),
    ("README.md", TASK.format("'2.7'")),
    ("a.yml", "- task: JavaToolInstaller@0\n  inputs:\n    versionSpec: '8'\n    jdk: x\n"),
    # GitHub
    ("a.yml", "- with: {python-version: 3.12}\n"),
    ("a.yml", "- with: {python-version: 3.x}\n"),
    ("a.yml", "- with: {node-version: 2.7}\n"),
    ("a.yml", "- with: {my-python-version: 2.7}\n"),
    ("a.yml", "- with: {python-version: 'pypy2.7'}\n"),
    ("a.yml", "- run: echo python-version 2.7\n"),
    ("a.yml", "# - with: {python-version: 2.7}\n"),
    # images
    ("values.yaml", IMAGE.format("python", "3.11")),
    ("values.yaml", IMAGE.format("python", "3.12-slim")),
    ("values.yaml", IMAGE.format("python", "latest")),
    ("values.yaml", IMAGE.format("python", "{{ .Values.tag }}")),
    ("values.yaml", IMAGE.format("{{ .Values.name }}", "2.7")),
    ("values.yaml", IMAGE.format("redis", "2.7")),
    ("values.yaml", IMAGE.format("acme/job", "2.7")),
    ("values.yaml", IMAGE.format("acme/spark", "2.4.5")),
    ("values.yaml", IMAGE.format("bitnami/spark", "4.1.0")),
    ("values.yaml", IMAGE.format("bitnami/spark", "latest")),
    ("values.yaml", IMAGE.format("bitnami/kafka", "2.4.5")),
    ("values.yaml", IMAGE.format("my-python", "2.7")),
    ("values.yaml", IMAGE.format("openjdk", "17-slim")),
    ("values.yaml", "image:\n  repository: python\n  # tag: '2.7'\n"),
    ("values.yaml", "# image:\n#   repository: python\n#   tag: '2.7'\n"),
    ("values.yaml", "image:\n  repository: python\nother:\n  tag: '2.7'\n"),
    ("values.yaml", "image:\n  repository: python\n  x:\n    tag: '2.7'\n"),
    ("values.yaml", "images:\n- repository: python\n- tag: '2.7'\n"),
    ("values.yaml", "source:\n  repository: python\n  tag: '2.7'\n"),
    ("values.yaml", "image:\n  name: python\n  repository: acme/job\n  tag: '2.7'\n"),
    ("values.yaml", "image:\n  name: redis\n  tag: '2.7'\n"),
    ("values.yaml", "release:\n  name: python\n  tag: '2.7'\n"),
    ("a.yml", "a: {v: '2.7'}\nb: {v: '3.12'}\n" + TASK.format("$(v)")),
    (
        "values.json",
        '{"images": [\n  {\n    "repository": "python"\n  },\n  {\n    "tag": "2.7"\n  }\n]}\n',
    ),
    ("values.yaml", "chart: python\nimage: x\ntag: '2.7'\n"),
    ("values.yaml", "image: {repository: python, digest: '2.7'}\n"),
    ("values.yaml", "image: {repository: python}\ntag: '2.7'\n"),
    ("values.yaml", "git: {repository: python, tag: '2.7'}\n"),
    ("kustomization.yaml", "images:\n- name: python\n  newName: other\n  newTag: '2.7'\n"),
    ("kustomization.yaml", "images:\n- name: other\n  newTag: '2.7'\n"),
    ("kustomization.yaml", "labels:\n- name: python\n  newTag: '2.7'\n"),
    ("README.md", "The image has the repository: python, and the tag: 2.7.\n"),
    # no YAML, or one that has no end
    ("values.yaml", IMAGE.format("python", "'2.7'") + "x: [\n"),
    ("values.yaml", "{{- if .Values.x }}\n" + IMAGE.format("python", "'2.7'")),
    ("values.yaml", "image: &a\n  x: *a\n  repository: python\n  tag: '3.11'\n"),
    ("values.yaml", "image:\n  tag: '3.11'\n  x: " + "[" * 5000 + "]" * 5000 + "\n"),
    ("main.tf", 'image = "python:3.11"\n'),
    ("main.tf", 'image = "redis:2.7"\n'),
    ("main.tf", 'my_image = "python:2.7"\n'),
    ("main.tf", '# image = "python:2.7"\n'),
    ("main.tf", 'description = "image = python:2.7"\n'),
]


def test_there_are_twice_as_many_silent_cases() -> None:
    assert len(SILENT) >= 2 * (len(CHANGED) + len(REPORTED))


@pytest.mark.parametrize(("name", "before", "after"), CHANGED)
def test_changed(name: str, before: str, after: str) -> None:
    assert fixed_text(name, before) == after
    assert all(finding.is_fixed for finding in fixed_report(name, before).findings)


@pytest.mark.parametrize(("name", "code", "text"), REPORTED)
def test_reported(name: str, code: str, text: str) -> None:
    assert [c.partition(":")[2] for c in codes(text.encode(), name)] == [code]
    assert fixed_report(name, text).content is None


@pytest.mark.parametrize(("name", "text"), SILENT)
def test_silent(name: str, text: str) -> None:
    assert codes(text.encode(), name) == []


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, text, _ in CHANGED])
def test_such_files_are_read_where_there_are_streams(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert scan(tmp_path, "check").files == []
    (tmp_path / "job.py").write_text(JOB)
    assert name in [f.path for f in scan(tmp_path, "check").files]


def test_message() -> None:
    (finding,) = fixed_report("values.yaml", IMAGE.format("python", "2.7-slim")).findings
    assert finding.message == "`python:2.7-slim` asks for `3.11-slim` now, instead of `2.7-slim`"
    assert (finding.at.line, finding.at.column) == (3, 8)


TEMPLATE = TASK.format("{{ cookiecutter.python }}")
# each level of a key holds the one before four times
KEYS = "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 4) if n else 'tag: x'}]\n" for n in range(14)
)


@pytest.mark.parametrize("name", ["CSafeLoader", "SafeLoader"])
@pytest.mark.parametrize(
    ("text", "versions"),
    [
        (f"{TASK.format('2.7')}{TEMPLATE.removeprefix('steps:')}", [("2.7",)]),
        (TASK.format("[2.7]"), []),
        (f"variables: {{v: {{a: 2.7}}}}\n{TASK.format('$(v)')}", []),
        (f'{TASK.format("2.7")}tag: "\\UFFFFFFFF"\n', []),
        (f"%YAML 1.{'9' * 5000}\n---\n{TASK.format('2.7')}", []),
        (f"{TASK.format('2.7')}{KEYS}? *a13\n: 1\n", [("2.7",)]),
    ],
    ids=["template", "list", "variable", "escape", "directive", "key"],
)
def test_any_yaml_is_read(
    name: str, text: str, versions: list[tuple[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("migrator.languages.text._LOADER", getattr(yaml, name))
    lines = text.splitlines()
    assert [one.versions for one in task_versions(lines)] == versions
    assert [*split_images(lines)] == []
