"""Spans of a text: what fits together, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrator.discover.filetypes import FileType
from migrator.edit.text_edits import FileEditor, differences, file_texts
from migrator.model.report import Fix, Safety, Spot, TextEdit
from tests.support.migrator.notebooks import notebook

TEXT = "one two\r\nthree four\nfive"


def fix(*edits: tuple[int, int, str, str]) -> Fix:
    found = tuple(TextEdit(Spot(line, column), old, new) for line, column, old, new in edits)
    return Fix(Safety.SAFE, found, "")


@pytest.mark.parametrize(
    ("edits", "after"),
    [
        ([(1, 1, "one", "1")], "1 two\r\nthree four\nfive"),
        ([(1, 5, "two\r\nthree", "")], "one  four\nfive"),
        ([(3, 5, "", "!")], TEXT + "!"),
        ([(2, 1, "three", "3"), (2, 6, " four", "")], "one two\r\n3\nfive"),
        ([(2, 1, "", "a "), (2, 1, "three", "3")], "one two\r\na 3 four\nfive"),
    ],
)
def test_edits(edits: list[tuple[int, int, str, str]], after: str) -> None:
    editor = FileEditor({None: TEXT})
    assert editor.add(fix(*edits))
    assert editor.result() == {None: after}


@pytest.mark.parametrize(
    "edit",
    [(1, 1, "two", ""), (4, 1, "five", ""), (1, 50, "", "x"), (3, 1, "five and more", "")],
)
def test_another_text_is_refused(edit: tuple[int, int, str, str]) -> None:
    editor = FileEditor({None: TEXT})
    assert not editor.add(fix((3, 1, "five", "5"), edit))
    assert editor.result() == {None: TEXT}


@pytest.mark.parametrize(
    ("edit", "fits"),
    [
        ((1, 1, "one", "1"), True),  # the same again
        ((1, 1, "one", "x"), False),
        ((1, 2, "ne two", ""), False),
        ((1, 2, "", "x"), False),
        ((1, 4, " two", ""), True),
        ((1, 1, "", "x"), True),
        ((1, 4, "", "x"), True),
    ],
)
def test_overlaps(edit: tuple[int, int, str, str], fits: bool) -> None:
    editor = FileEditor({None: TEXT})
    assert editor.add(fix((1, 1, "one", "1")))
    assert editor.add(fix(edit)) is fits


def test_two_texts_at_one_place_are_refused() -> None:
    editor = FileEditor({None: TEXT})
    assert editor.add(fix((1, 1, "", "a")))
    assert not editor.add(fix((1, 1, "", "b")))


def test_beside_moved_imports() -> None:
    moved = TEXT.replace("two", "2\r\n2b")
    editor = FileEditor({None: TEXT}, {None: moved})
    assert editor.add(fix((1, 1, "one", "1"), (2, 1, "three", "3")))
    assert not editor.add(fix((1, 5, "two", "x")))
    assert editor.result() == {None: "1 2\r\n2b\r\n3 four\nfive"}


@given(st.text("ab\r\n"), st.text("ab\r\n"))
def test_differences_turn_one_text_into_the_other(before: str, after: str) -> None:
    editor = FileEditor({None: before}, {None: after})
    assert editor.result() == {None: after}
    assert (differences(before, after) == []) is (before == after)


@given(st.binary())
def test_any_bytes_are_written_back(data: bytes) -> None:
    found = file_texts(FileType.SHELL, data)
    assert found.render(found.texts) == data


def test_other_cells_of_a_notebook_stay() -> None:
    data = notebook("a = 1\nb = 2\n", "c = 3\n").encode()
    found = file_texts(FileType.NOTEBOOK, data)
    assert found.render(found.texts) == data
    editor = FileEditor(found.texts)
    assert editor.add(Fix(Safety.SAFE, (TextEdit(Spot(2, 5, 2), "2", "5"),), ""))
    assert found.render(editor.result()) == data.replace(b"b = 2", b"b = 5")
