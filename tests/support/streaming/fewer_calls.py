"""Spares most of the calls into the JVM that py4j makes on PySpark's behalf; tests only.

The driver of DStreams spends much of its time on them. Names of packages and classes are looked
up anew each time, each part through the whole class path. And the end of a Java iterator is an
exception, which PySpark, once a process has a SparkSession, converts with some 75 calls, twice for
each function of each batch: half of the time of a group of random pipelines.
"""

from __future__ import annotations

import functools
from typing import Any

from py4j.java_collections import JavaIterator
from py4j.java_gateway import JavaClass, JavaPackage, JVMView


def install() -> None:
    """Remember packages and classes, and ask iterators whether they have more."""
    for parent in (JVMView, JavaPackage):
        _remember(parent)
    _ask(JavaIterator)


def _remember(parent: Any) -> None:
    look_up = parent.__getattr__

    @functools.wraps(look_up)
    def remembering(self: Any, name: str) -> Any:
        found = look_up(self, name)
        # what is no class is taken for a package, also when its jar has yet to come
        if isinstance(found, JavaClass) or (isinstance(found, JavaPackage) and name.islower()):
            self.__dict__[name] = found
        return found

    parent.__getattr__ = remembering


def _ask(iterator: Any) -> None:
    following = iterator.next

    @functools.wraps(following)
    def asking(self: Any) -> Any:
        if not self.hasNext():
            raise StopIteration
        return following(self)

    iterator.next = iterator.__next__ = asking
