"""Places are shown in words, and sort as a reader meets them."""

from __future__ import annotations

from migrator.model.findings import Spot, shown_place


def test_a_place_in_a_file_and_in_a_cell() -> None:
    assert shown_place(Spot(7, 3)) == "line 7"
    assert shown_place(Spot(7, 3, 2)) == "cell 2, line 7"


def test_cells_come_before_lines() -> None:
    spots = [Spot(1, 5, 2), Spot(9, 1, 1), Spot(2, 1, 2), Spot(1, 2, 2)]
    ordered = [Spot(9, 1, 1), Spot(1, 2, 2), Spot(1, 5, 2), Spot(2, 1, 2)]
    assert sorted(spots, key=lambda spot: spot.order) == ordered
