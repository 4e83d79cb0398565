"""Strategies for files: programs of every grammar, mutated ones, bytes, notebooks, YAML, shell."""

from __future__ import annotations

import json
import os
from pathlib import Path

import hypothesmith
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

TESTS = Path(__file__).parents[2] / "migrator"
LEGACY = Path(__file__).parents[3] / "legacy_examples"
# 20,000 inputs in a full run, 500 otherwise
SHORT = not os.environ.get("DSTREAM_COMPAT_FULL")
TOTAL = 500 if SHORT else 20_000
# drawing from a grammar takes the longer the more was drawn in a run of hypothesis
ROUNDS = 1 if SHORT else 25

PYTHON = [p.read_text() for p in sorted((TESTS / "golden").glob("*/before.py"))]
PYTHON += [p.read_text() for p in sorted(LEGACY.glob("*.py"))]
PROJECTS = TESTS / "projects"
PYTHON += [text for p in sorted(PROJECTS.rglob("*.py")) if "pyspark" in (text := p.read_text())]
PYTHON2 = [(TESTS / "input_projects" / "python2_kafka" / "jobs" / "clicks.py").read_text()]
PYTHON2 += ["import pyspark.streaming as s\nprint s.DStream, `x`\nf = lambda (a, b): a <> 0777\n"]
SOURCES = TESTS / "input_projects"
SCALA = [p.read_text() for p in sorted(SOURCES.rglob("*.scala"))]
SCALA += ["import org.apache.spark.streaming._\nclass A(s: StreamingContext) { def f() { } }\n"]
JAVA = [p.read_text() for p in sorted(SOURCES.rglob("*.java"))]
JAVA += ["import org.apache.spark.streaming.api.java.*;\nclass A { JavaDStream<X> d = f(); }\n"]
SHELL = [
    "K=spark.streaming\nspark-submit \\\n  --conf $K.receiver.maxRate=5 \\\n  --packages ${P:-x}\n",
    "FROM a\nENV K spark.streaming\nRUN x --conf '$K.x=1' # y\n",
    "pyspark==2.4.8\nspark.streaming.receiver.maxRate 5\n",
]
SHELL += [p.read_text() for name in ("*.sh", "Dockerfile") for p in sorted(PROJECTS.rglob(name))]
YAML = [
    "kind: SparkApplication\nspec:\n  sparkConf:\n    spark.streaming.receiver.maxRate: '5'\n",
    '[{"Properties": {"spark.streaming.backpressure.enabled": "true"}}]\n',
]
YAML += [p.read_text() for name in ("*.y*ml", "*.json") for p in sorted(PROJECTS.rglob(name))]
MAGIC = ["# Databricks notebook source\n# MAGIC %sh\n# MAGIC x --conf spark.streaming.x=1\n"]
NAMES = {
    "job.py": PYTHON + PYTHON2 + MAGIC,
    "A.scala": SCALA,
    "A.java": JAVA,
    **dict.fromkeys(("run.sh", "Dockerfile", "README.md", "a.conf", "requirements.txt"), SHELL),
    **dict.fromkeys(("a.yaml", "a.json", "pyproject.toml", "pom.xml"), YAML + SHELL),
}
PIECES = [
    *("import pyspark.streaming\n", "pyspark", ".streaming", "from ", " as ", "*", "\\", "\\\n"),
    *("(", ")", "[", "]", "{", "}", ":", "\n", "\r\n", "\r", "\t", "    ", "#", '"""', "'", "f'{"),
    *(";", ",", "=", "lambda x: ", "def f(x):\n", "class A:\n", "await ", "\0", "\x0c", "é", "`"),
    *("\ufeff", "print ", "<>", "0777", "exec ", "$A", "${A", "${A:-", "A=$A$A\n", "%%", "!ls"),
    *("# MAGIC %", "// ", "/*", "<artifactId>", "pyspark==", "pythonVersion: 2", "x" * 3000),
    *("StreamingContext", "KafkaUtils.createStream(", "ssc.", "spark.streaming."),
]
ENTRY = "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"


def programs() -> st.SearchStrategy[str]:
    """Valid programs of the whole grammar, behind an import that makes them matter."""
    made = hypothesmith.from_grammar() | hypothesmith.from_node()
    return made.map(lambda source: ENTRY + source)


@st.composite
def mutated(draw: st.DrawFn, seeds: list[str]) -> str:
    """A text with pieces put in, cut out, and cut off."""
    source = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, len(source)))
        end = min(len(source), start + draw(st.sampled_from([0, 0, 1, 5, 40])))
        source = source[:start] + draw(st.sampled_from(PIECES)) + source[end:]
    return source[: draw(st.none() | st.integers(0, len(source)))]


@st.composite
def garbled(draw: st.DrawFn, seeds: list[str]) -> bytes:
    """Bytes of a text, some of them others."""
    data = bytearray(draw(st.sampled_from(seeds)).encode())
    for _ in range(draw(st.integers(0, 6))):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"#!/bin/sh\n"])) + bytes(data)


@st.composite
def nested(draw: st.DrawFn) -> str:
    """Brackets, blocks and chains as deep as they come."""
    depth = draw(st.sampled_from([10, 90, 250, 1000, 5000]))
    shape = draw(st.sampled_from(["(x)", "[x]", "-x", "x.map(f)", "x + 1", "lambda: x", "if"]))
    if shape == "if":
        depth = min(depth, 250)
        return ENTRY + "".join(" " * n + "if x:\n" for n in range(depth)) + " " * depth + "x\n"
    if shape.startswith("x"):
        return ENTRY + "ssc" + shape[1:] * depth + "\n"
    before, after = shape.split("x")
    return ENTRY + before * depth + "ssc" + after * depth + "\n"


@st.composite
def notebooks(draw: st.DrawFn) -> bytes:
    """Notebooks whose cells are anything, sometimes broken as JSON."""
    cells = [
        {"cell_type": draw(st.sampled_from(["code", "markdown", "raw", 1])), "source": source}
        for source in draw(st.lists(mutated(PYTHON + SHELL), max_size=4))
    ]
    for cell in cells:
        if draw(st.booleans()):
            cell["source"] = str(cell["source"]).splitlines(keepends=True)
    book = {
        "cells": cells,
        "metadata": {"kernelspec": {"language": draw(st.sampled_from(["python", "scala", 3]))}},
    }
    text = json.dumps(
        book, indent=draw(st.sampled_from([None, 1])), ensure_ascii=draw(st.booleans())
    )
    cut = draw(st.none() | st.none() | st.integers(0, len(text)))
    return text[:cut].encode("utf-8", "surrogatepass")


@st.composite
def files(draw: st.DrawFn) -> tuple[str, bytes]:
    """A file of any kind: its name and its bytes."""
    kind = draw(st.sampled_from(["mutated", "garbled", "random", "notebook", "nested"]))
    if kind == "notebook":
        return "a.ipynb", draw(notebooks())
    if kind == "nested":
        return "job.py", draw(nested()).encode()
    name = draw(st.sampled_from(sorted(NAMES)))
    if kind == "mutated":
        return name, draw(mutated(NAMES[name])).encode("utf-8", "surrogatepass")
    if kind == "garbled":
        return name, draw(garbled(NAMES[name]))
    return name, b"pyspark.streaming" + draw(st.binary(max_size=200))


@st.composite
def trees(draw: st.DrawFn) -> dict[str, bytes]:
    """A small tree: modules that import one another in circles, packages, configuration, links."""
    names = ["a", "b", "pkg/c", "pkg/__init__", "pkg/sub/d"]
    found: dict[str, bytes] = {}
    for name in draw(st.lists(st.sampled_from(names), min_size=1, unique=True)):
        others = draw(st.lists(st.sampled_from(names), max_size=3))
        dotted = [other.replace("/", ".").removesuffix(".__init__") for other in others]
        forms = [
            "import {0}",
            "from {0} import *",
            "from {0} import f as g, ssc",
            "from . import {1}",
        ]
        lines = [
            draw(st.sampled_from(forms)).format(module, module.rpartition(".")[2])
            for module in dotted
        ]
        body = draw(mutated(PYTHON) | st.just("def f(s):\n    return s.map(g)\nssc = f(ssc)\n"))
        found[f"{name}.py"] = ("\n".join([*lines, body])).encode("utf-8", "surrogatepass")
    for _ in range(draw(st.integers(0, 3))):
        name, data = draw(files())
        found[draw(st.sampled_from(["", "conf/", "pkg/"])) + name] = data
    ignore = st.text("*!/ab.pyc[]\\\n", max_size=12)
    found[draw(st.sampled_from(["", "pkg/"])) + ".gitignore"] = draw(ignore).encode()
    return found


few = settings(
    max_examples=1,
    deadline=None,
    database=None,
    derandomize=SHORT,
    suppress_health_check=list(HealthCheck),
)


def share(part: float) -> settings:
    """So many of all inputs."""
    return settings(few, max_examples=int(TOTAL * part))
