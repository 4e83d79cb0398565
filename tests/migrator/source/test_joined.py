"""The cells of a notebook as one program, and back."""

from __future__ import annotations

import pytest

from migrator.discover.filetypes import FileType
from migrator.model.report import Spot
from migrator.source.document import read_document
from migrator.source.joined import JoinedParts, joined_parts
from migrator.source.problems import RewriteProblem
from tests.support.migrator.notebooks import cells, notebook

FILE = "import os\n\n\ndef f():\n    return 1\n"
DATABRICKS = cells("import os\n", "%md\n# hello", "x = 1\n", "%python\ny = 2\n", "z = 3\n")


def parts_of(*sources: str) -> JoinedParts:
    parts = joined_parts(read_document(FileType.NOTEBOOK, notebook(*sources).encode()))
    assert parts is not None
    return parts


def parts_of_file(text: str) -> JoinedParts:
    parts = joined_parts(read_document(FileType.PYTHON, text.encode()))
    assert parts is not None
    return parts


@pytest.mark.parametrize(
    "sources",
    [
        ("import os", "x = 1\n", ""),
        ("", "\n\nx = 1\n\n", "if x:\n    y\n"),
        ("%pip install a\nx = 1", "%%time\nx = 2\n", "!ls\n"),
        ("x = 1", "from __future__ import division\ny = 2"),
    ],
)
def test_nothing_changes(sources: tuple[str, ...]) -> None:
    parts = parts_of(*sources)
    document = read_document(FileType.NOTEBOOK, notebook(*sources).encode())
    assert parts.split(parts.text) == document.texts
    assert document.render(parts.split(parts.text)) == notebook(*sources).encode()


@pytest.mark.parametrize("text", [FILE, "\n\n" + FILE, "x = 1", DATABRICKS])
def test_nothing_changes_in_a_file(text: str) -> None:
    parts = parts_of_file(text)
    document = read_document(FileType.PYTHON, text.encode())
    assert document.render(parts.split(parts.text)) == text.encode()


def test_a_file_without_cells_is_the_program() -> None:
    parts = parts_of_file(FILE)
    assert parts.text == FILE
    assert parts.split("\n\nnew\n\n") == {None: "\n\nnew\n\n"}


def test_cells_are_in_their_order() -> None:
    parts = parts_of("a = 1", "b = (\n", "c = 3\n\nd = 4")
    assert [line for line in parts.text.split("\n") if "pass" not in line and line] == [
        *("a = 1", "c = 3", "d = 4")
    ]
    assert parts.unread == {3: "b = (\n"}


def test_places_are_in_the_cells() -> None:
    parts = parts_of("a = 1\nb = 2", "é = 'é'; c = 3\n", "d = 4")
    lines = parts.text.split("\n")
    for name, spot in (("b", Spot(2, 1, 2)), ("c", Spot(1, 10, 3)), ("d", Spot(1, 1, 4))):
        line, column = next(
            (n, each.find(f"{name} =")) for n, each in enumerate(lines) if f"{name} =" in each
        )
        assert parts.spot(line + 1, len(lines[line][:column].encode())) == spot


def test_a_cell_gets_what_is_written_in_it() -> None:
    parts = parts_of("a = 1", "b = 2\n", "c = 3")
    edited = parts.text.replace("b = 2", "\n\nb = 5\nb = 6\n\n\n").replace("c = 3", "")
    assert parts.split(edited) == {2: "a = 1", 3: "b = 5\nb = 6\n", 4: ""}


def test_empty_lines_of_a_cell_stay() -> None:
    parts = parts_of("\n\na = 1\n\n", "b = 2")
    assert parts.split(parts.text.replace("a = 1", "a = 2")) == {2: "\n\na = 2\n\n", 3: "b = 2"}


def test_cells_of_databricks_stay_where_they_are() -> None:
    parts = parts_of_file(DATABRICKS)
    assert "MAGIC" not in parts.text and "COMMAND" not in parts.text
    edited = parts.text.replace("y = 2", "\n\nif y:\n\n    y = 3\n\n")
    document = read_document(FileType.PYTHON, DATABRICKS.encode())
    found = document.render(parts.split(edited)).decode()
    assert found == DATABRICKS.replace(
        "# MAGIC y = 2\n", "# MAGIC if y:\n# MAGIC \n# MAGIC     y = 3\n"
    )


@pytest.mark.parametrize("change", ["lost", "moved", "twice"])
def test_a_cell_that_loses_its_place_is_refused(change: str) -> None:
    parts = parts_of("a = 1", "b = 2", "c = 3")
    first, second = (line for line in parts.text.split("\n") if line.startswith("pass"))
    edited = {
        "lost": parts.text.replace(first + "\n", ""),
        "moved": parts.text.replace(first, "x").replace(second, first).replace("x", second),
        "twice": parts.text.replace(first, f"{first}\n{first}"),
    }[change]
    with pytest.raises(RewriteProblem, match="lose its place"):
        parts.split(edited)


def test_a_file_of_another_language_has_none() -> None:
    text = notebook("val x = 1", metadata={"language_info": {"name": "scala"}})
    assert joined_parts(read_document(FileType.NOTEBOOK, text.encode())) is None
