"""Events of Scala and Java sources."""

from __future__ import annotations

from dataclasses import dataclass

from migrator.model.events import Use


@dataclass(frozen=True, eq=False)
class JvmUse(Use):
    """A use of Spark Streaming's Scala or Java API; nothing of it runs with dstream_compat.

    Parameters
    ----------
    language : str
        "Scala" or "Java".
    """

    language: str = ""

    @property
    def call_text(self) -> str:
        """What is called, or made with `new`."""
        if self.use == "construct":
            return f"new {self.name}"
        return f"{self.receiver}.{self.name}"

    @property
    def key(self) -> str:
        """What is called; all that make streams of a system share one key, but for Kafka."""
        makes = self.receiver.endswith("Utils") and self.name.startswith("create")
        if makes and self.receiver != "KafkaUtils":
            return self.receiver
        return self.call_text
