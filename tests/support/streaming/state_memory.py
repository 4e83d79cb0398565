"""State in memory, for stages without Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class Memory:
    """State in a dict."""

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}

    def get(self, name: str) -> bytes | None:
        return self.values.get(name)

    def put(self, name: str, value: bytes) -> None:
        self.values[name] = value

    def remove(self, name: str) -> None:
        self.values.pop(name, None)

    def get_many(self, names: Sequence[str]) -> list[bytes | None]:
        return [self.get(name) for name in names]

    def put_many(self, values: Mapping[str, bytes | None]) -> None:
        for name, value in values.items():
            if value is None:
                self.remove(name)
            else:
                self.put(name, value)
