"""What is known of one project of a tree, and for which others it counts."""

from __future__ import annotations


def concern(one: str, other: str) -> bool:
    """Return whether what is known of a project counts for another: one lies inside the other.

    Both are named by their folders, "" for the whole tree.
    """
    inner, outer = (one, other) if len(one) >= len(other) else (other, one)
    if not outer:
        # what lies between projects is no part of one
        return not inner.endswith("/*")
    return inner == outer or inner.startswith(f"{outer}/")
