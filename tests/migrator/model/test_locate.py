"""Which module of a tree an import means."""

from __future__ import annotations

import pytest

from migrator.model.locate import ModuleIndex, ModulePlace

FILES = (
    "job.py",
    "kafka.py",
    "queue.py",
    "app/__init__.py",
    "app/main.py",
    "app/json.py",
    "app/sources/__init__.py",
    "app/sources/kafka.py",
    "app/sources/files.py",
    "scripts/run.py",
    "scripts/json.py",
    "scripts/helpers.py",
    "src/pkg/__init__.py",
    "src/pkg/io.py",
    "vendor/deep/tools/__init__.py",
    "vendor/deep/tools/text.py",
    "twice/a/same.py",
    "twice/b/same.py",
    "namespace/part/one.py",
    "both.py",
    "both/__init__.py",
    "pyspark/streaming/__init__.py",
)
INDEX = ModuleIndex(FILES)

FOUND = [
    ("job.py", 0, "kafka", "kafka"),
    ("job.py", 0, "app.sources.files", "app/sources/files"),
    ("app/main.py", 0, "app.sources", "app/sources"),
    ("app/sources/files.py", 0, "app", "app"),
    ("app/sources/files.py", 1, "", "app/sources"),
    ("app/sources/files.py", 1, "kafka", "app/sources/kafka"),
    ("app/sources/files.py", 2, "main", "app/main"),
    ("app/sources/__init__.py", 1, "files", "app/sources/files"),
    ("app/sources/files.py", 0, "kafka", "app/sources/kafka"),
    ("scripts/run.py", 0, "helpers", "scripts/helpers"),
    ("scripts/run.py", 0, "json", "scripts/json"),
    ("scripts/run.py", 0, "app.main", "app/main"),
    ("scripts/run.py", 0, "pkg.io", "src/pkg/io"),
    ("job.py", 0, "queue", "queue"),
    ("job.py", 0, "namespace.part.one", "namespace/part/one"),
    ("job.py", 0, "namespace", "namespace"),
]
NOT_FOUND = [
    ("job.py", 0, "os"),
    ("job.py", 0, "pyspark.streaming"),
    ("job.py", 0, "numpy"),
    ("job.py", 0, "same"),
    ("job.py", 0, "app.missing"),
    ("job.py", 0, ""),
    ("job.py", 1, "missing"),
    ("job.py", 2, "app"),
    ("job.py", 9, "app"),
    ("app/main.py", 0, "json"),
    ("scripts/run.py", 0, "queue"),
    ("scripts/run.py", 0, "text"),
]


@pytest.mark.parametrize(("importer", "level", "dotted", "path"), FOUND)
def test_found(importer: str, level: int, dotted: str, path: str) -> None:
    assert INDEX.find(importer, level, dotted) == ModulePlace(path)


@pytest.mark.parametrize(("importer", "level", "dotted"), NOT_FOUND[:-1])
def test_not_found(importer: str, level: int, dotted: str) -> None:
    assert INDEX.find(importer, level, dotted) is None


def test_found_by_its_name_only() -> None:
    """Something that is not in the tree may put the folder on the search path."""
    assert INDEX.find("job.py", 0, "tools.text") == ModulePlace(
        "vendor/deep/tools/text", sure=False
    )


def test_files() -> None:
    assert INDEX.file("both") == "both/__init__.py"
    assert INDEX.file("job") == "job.py"
    assert INDEX.file("namespace/part") is None
    assert INDEX.child("app", "main") == "app/main"
    assert INDEX.child("app", "nothing") is None
    assert INDEX.children("namespace") == ["namespace/part"]


def test_a_file_that_is_named_from_the_root_of_the_system() -> None:
    assert ModuleIndex(()).find("/a/b.py", 0, "x") is None
    found = ModuleIndex(("/a/b.py", "/a/lib/x.py")).find("/a/b.py", 0, "x")
    assert found is not None and found.path == "/a/lib/x"
