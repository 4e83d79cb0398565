"""Every public name of Spark's streaming modules is here, with the same signature or a reason."""

from __future__ import annotations

import importlib
import inspect
import json
import subprocess
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspark.streaming
import pyspark.streaming.dstream
import pytest
from pyspark import StorageLevel

import dstream_compat.dstream
from dstream_compat.dstream import DStream
from dstream_compat.exceptions import UnsupportedOperationError
from dstream_compat.kafka import KafkaDStream
from scripts.support_table import refuses, signature_of
from tests.support.streaming.processes import run_python
from tests.support.streaming.public_names import ATTRIBUTE, attributes_of, read_folder

ROOT = Path(__file__).parents[3]
SPARK_4 = read_folder(Path(pyspark.streaming.__file__).parent)
SPARK_2 = json.loads(
    (ROOT / "tests/support/streaming/public_names_2_4.json").read_text(encoding="utf-8")
)

# Classes that exist here but cannot be made in Spark's way.
REFUSED: dict[str, Callable[[], Any]] = {
    "dstream.DStream": lambda: DStream(object(), None, None),  # type: ignore[arg-type]
}

# What differs, and why no program can tell.
DIFFERENT = {
    "listener.StreamingListener.Java": "tells Py4J what to call; ours is called by Python",
    "util.TransformFunction.Java": "as above",
    "util.TransformFunctionSerializer.Java": "as above",
}

# Signatures that Spark itself has changed since: those of the installed version count.
CHANGED = ("kinesis.KinesisUtils.createStream", "listener.StreamingListener.onBatchStarted")

# Defaults that have another name: of the source, and of what has them today.
RENAMED = {
    "metricsLevel=MetricsLevel.DETAILED": "metricsLevel=0",
    # what Spark 1 called so is the same level
    "StorageLevel.MEMORY_AND_DISK_SER_2": "StorageLevel.MEMORY_AND_DISK_2",
}

# What copies of Bahir's module take besides; the place of each is known by its type.
MORE = {"mqtt.MQTTUtils.createStream": "*places, storageLevel=None, username=None, password=None)"}

NAMES = [
    pytest.param(f"{module}.{name}", signature, id=f"{version}-{module}.{name}")
    for version, tables in (("4", SPARK_4), ("2", SPARK_2))
    for module, found in tables.items()
    for name, signature in found.items()
    if f"{module}.{name}" not in DIFFERENT and (version == "4" or f"{module}.{name}" not in CHANGED)
]


def ours(name: str) -> Any:
    """Return what we have under a name."""
    module, *path = name.split(".")
    thing: Any = importlib.import_module(f"dstream_compat.{module}")
    for part in path:
        thing = getattr(thing, part)
    return thing


def refusal(name: str) -> str | None:
    """Return the error of a name that is there only to raise it, or whose class is."""
    module, first, *_ = name.split(".")
    for one in dict.fromkeys([f"{module}.{first}", name]):
        thing = ours(one)
        if one in REFUSED:
            calls = [REFUSED[one]] if one == name else []
        elif inspect.isclass(thing) or refuses(thing):
            calls = [lambda thing=thing: thing(*required(thing))]
        else:
            calls = []
        for call in calls:
            try:
                call()
            except UnsupportedOperationError as error:
                return str(error)
            except (TypeError, AttributeError, ValueError):
                assert inspect.isclass(thing), f"{one} says that it refuses, and does not"
    return None


def required(thing: Callable[..., Any]) -> list[None]:
    """Return a None for each argument that a call needs."""
    parameters = inspect.signature(thing).parameters.values()
    return [None for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]


@pytest.mark.parametrize(("name", "signature"), NAMES)
def test_name(name: str, signature: str) -> None:
    if signature == ATTRIBUTE:
        owner, _, attribute = name.rpartition(".")
        assert refusal(owner) or attribute in attributes_of(ours(owner))
        return
    reason = refusal(name)
    if reason is not None:
        what, _, why = reason.partition(" is not supported: ")
        assert what and len(why) > 20, reason
    elif signature.startswith("= "):
        assert f"= {ours(name)!r}" == signature
    else:
        for then, now in RENAMED.items():
            signature = signature.replace(then, now)
        if name in MORE:
            signature = signature.removesuffix("storageLevel=StorageLevel.MEMORY_AND_DISK_2)")
            signature += MORE[name]
        assert signature_of(ours(name)) == signature


def test_lists_are_whole() -> None:
    for names in (SPARK_4, SPARK_2):
        assert len(names["dstream"]) == 47
        assert len(names["context"]) == 18
    assert set(SPARK_2) == {*SPARK_4, "kafka", "flume", "mqtt"}


def test_exceptions_are_needed() -> None:
    changed = {
        f"{module}.{name}"
        for module, found in SPARK_4.items()
        for name, signature in found.items()
        if SPARK_2[module].get(name, signature) != signature
    }
    assert changed == set(CHANGED)
    for name in DIFFERENT:
        with pytest.raises(AttributeError):
            ours(name)


def test_streams_can_be_annotated() -> None:
    """Those of Spark 4 are generic: ``def counts(lines: DStream[str]) -> DStream[int]``."""
    for module in (pyspark.streaming.dstream, dstream_compat.dstream):
        for of in (module.DStream, module.TransformedDStream):
            assert typing.get_origin(of[int]) is of and typing.get_args(of[int]) == (int,)
    assert typing.get_origin(KafkaDStream[int]) is KafkaDStream


def test_storage_levels_of_old_jobs_are_those_of_today() -> None:
    """PySpark 2 had them as other names: records are always serialized in Python."""
    for level in ("MEMORY_ONLY", "MEMORY_AND_DISK"):
        for copies in ("", "_2"):
            old: Any = getattr(StorageLevel, f"{level}_SER{copies}")
            assert old == getattr(StorageLevel, level + copies)


@pytest.mark.slow
def test_public_names_mean_the_same_each_time() -> None:
    """A cell of a notebook runs again; a submodule must not take the place of a name."""
    script = """
import dstream_compat, pkgutil
for _ in range(2):
    dstream_compat.install()
    import pyspark.streaming
    first = [getattr(dstream_compat, name) for name in dstream_compat.__all__]
    for module in pkgutil.iter_modules(dstream_compat.__path__):
        if module.name not in ("__main__", "archive_job", "daemon", "launch"):
            __import__("dstream_compat." + module.name)
    assert first == [getattr(dstream_compat, name) for name in dstream_compat.__all__]
    assert all(map(callable, first)), first
print(pyspark.streaming.StreamingContext is dstream_compat.StreamingContext)
"""
    done = run_python("-c", script)
    assert (done.code, done.out) == (0, "True\n"), done.err


def test_install_brings_old_storage_levels() -> None:
    """A job may name them before it imports anything of ``pyspark.streaming``."""
    script = """
import dstream_compat
dstream_compat.install()
from pyspark import StorageLevel
print(StorageLevel.MEMORY_AND_DISK_SER)
"""
    done = run_python("-c", script)
    assert (done.code, done.out) == (0, f"{StorageLevel.MEMORY_AND_DISK}\n"), done.err


@pytest.mark.slow
def test_installed_modules_have_the_same_names() -> None:
    """Run install() in a process of its own, and import every name from where Spark has it."""
    wanted = {module: sorted({n.split(".")[0] for n in found}) for module, found in SPARK_2.items()}
    script = """
import importlib, json, sys
import dstream_compat
dstream_compat.install()
missing = []
for module, names in json.loads(sys.argv[1]).items():
    found = importlib.import_module("pyspark.streaming." + module)
    missing += [module + "." + name for name in names if not hasattr(found, name)]
print(*missing)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, json.dumps(wanted)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
