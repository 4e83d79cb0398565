"""The state of one slot in memory, where state is moved without a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class DictState(dict[str, bytes]):
    """Values by name, with the methods that operators use."""

    def put(self, name: str, value: bytes) -> None:
        """Set a value."""
        self[name] = value

    def remove(self, name: str) -> None:
        """Remove a value if it is there."""
        self.pop(name, None)

    def get_many(self, names: Sequence[str]) -> list[bytes | None]:
        """Return several values."""
        return [self.get(name) for name in names]

    def put_many(self, values: Mapping[str, bytes | None]) -> None:
        """Set several values; None removes one."""
        for name, value in values.items():
            if value is None:
                self.remove(name)
            else:
                self.put(name, value)
