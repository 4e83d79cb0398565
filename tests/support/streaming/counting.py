"""A state store that knows what was read and written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class Counting:
    """State in a dict that knows what was read and written."""

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}
        self.forget()

    def forget(self) -> None:
        self.read: list[str] = []
        self.wrote: dict[str, bytes | None] = {}

    def get(self, name: str) -> bytes | None:
        return self.get_many([name])[0]

    def put(self, name: str, value: bytes) -> None:
        self.put_many({name: value})

    def remove(self, name: str) -> None:
        self.put_many({name: None})

    def get_many(self, names: Sequence[str]) -> list[bytes | None]:
        self.read.extend(names)
        return [self.values.get(name) for name in names]

    def put_many(self, values: Mapping[str, bytes | None]) -> None:
        self.wrote.update(values)
        for name, value in values.items():
            if value is None:
                self.values.pop(name, None)
            else:
                self.values[name] = value
