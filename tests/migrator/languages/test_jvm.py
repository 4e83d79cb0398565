"""Scala and Java: reported with the codes of the Python constructs, never rewritten."""

from __future__ import annotations

import pytest

import migrator.languages.jvm
from migrator.model.report import FileReport
from tests.support.migrator.reports import codes, report

SCALA = "import org.apache.spark.streaming._\n"
JAVA = "import org.apache.spark.streaming.api.java.*;\n"


def scala(body: str, imports: str = SCALA) -> FileReport:
    return report(f"{imports}object A {{\n{body}\n}}\n".encode(), "A.scala")


def java(body: str, imports: str = JAVA) -> FileReport:
    return report(f"{imports}class A {{ void f() {{\n{body}\n}} }}\n".encode(), "A.java")


def uses(found: FileReport) -> list[str]:
    """What is used, as `line:receiver.name`; `?` where that is only probable."""
    return [
        f"{s.at.line}:{s.receiver}.{s.name}{'?' if s.confidence == 'probable' else ''}"
        for s in found.sites
        if s.use != "import"
    ]


SCALA_USES = [
    (
        "val s = new StreamingContext(c, Seconds(1))\ns.start()",
        ["3:class.StreamingContext", "4:StreamingContext.start"],
    ),
    (
        "def f(s: StreamingContext) = s.socketTextStream(a, 1).map(_ + 1).print()",
        ["3:StreamingContext.socketTextStream", "3:DStream.map", "3:DStream.print"],
    ),
    (
        "def f(d: org.apache.spark.streaming.dstream.DStream[Int]) = d.print()",
        ["3:DStream.print"],
    ),
    ("var s: StreamingContext = null\ns.stop(true, true)", ["4:StreamingContext.stop"]),
    (
        "val s = StreamingContext.getOrCreate(p, f _)\ns.awaitTermination()",
        ["3:StreamingContext.getOrCreate", "4:StreamingContext.awaitTermination"],
    ),
    (
        "val s = f()\ndef f() = { val x = new StreamingContext(c, d); x }\ns.start",
        ["4:class.StreamingContext", "5:StreamingContext.start"],
    ),
    ("x.foreachRDD { rdd => rdd.count() }", ["3:DStream.foreachRDD?"]),
    ("def f(d: dstream.DStream[Int]) = d.print()", []),
]


@pytest.mark.parametrize(("body", "expected"), SCALA_USES)
def test_uses_in_scala(body: str, expected: list[str]) -> None:
    assert uses(scala(body)) == expected


SILENT_SCALA = [
    # names prove nothing
    "val ssc = new Thread()\nssc.start()",
    "val stream = queue.take()\nstream.map(_ + 1).print()",
    "def f(lines: RDD[String]) = lines.map(_ + 1).union(lines)",
    "def f(s: StreamingContext) = List(1).map { s => s.start() }",
    "class StreamingContext\nval s = new StreamingContext()\ns.start()",
    "def f(s: StreamingContext) = { val s = 1; s.start() }",
    "def f(d: DStream[Int]) = d.print()",
    "KafkaUtils.createStream(a, b)",
    "def f() { }",
    "val x = { }\nx.print()",
    'val s = "new StreamingContext(c, d).start()"',
    "// new StreamingContext(c, d).start()",
    "/* new StreamingContext(c, d)\n.start() */",
]


@pytest.mark.parametrize("body", SILENT_SCALA)
def test_silent_scala(body: str) -> None:
    found = scala(body)
    assert uses(found) == []
    assert [f.code for f in found.findings] == ["D101"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("JavaStreamingContext j = new JavaStreamingContext(c, d);\nj.start();", [3, 4]),
        ("var j = new JavaStreamingContext(c, d);\nj.start();", [3, 4]),
        ("JavaDStream<String> d = g();\nd.map(x -> x).print();", [4, 4]),
        ("final JavaPairDStream<String, Integer> a = g(), b = g();\nb.print();", [4]),
        ("Object o;\no = new JavaStreamingContext(c, d);", [4]),
        ("Thread ssc = new Thread();\nssc.start();", []),
        ("List<JavaDStream<String>> d = g();\nd.stream().map(x -> x);", []),
        ('String s = "JavaStreamingContext"; // JavaDStream<X> d; d.print();', []),
    ],
)
def test_uses_in_java(body: str, expected: list[int]) -> None:
    assert [int(u.partition(":")[0]) for u in uses(java(body))] == expected


@pytest.mark.parametrize(
    ("package", "call", "code"),
    [
        ("kafka", "KafkaUtils.createStream(s, z, g, t)", "D201"),
        ("kafka", "KafkaUtils.createDirectStream[K, V, KD, VD](s, p, t)", "D202"),
        ("kafka010", "KafkaUtils.createDirectStream[K, V](s, l, c)", "D202"),
        ("flume", "FlumeUtils.createPollingStream(s, h, p)", "D203"),
        ("mqtt", "MQTTUtils.createStream(s, b, t)", "D204"),
        ("kinesis", "KinesisInputDStream.builder", "D205"),
        ("twitter", "TwitterUtils.createStream(s, None)", "D206"),
        ("twitter", "TwitterUtils.createFilteredStream(s, None)", "D206"),
        ("kafka", "KafkaUtils.createRDD(s, p, o)", "D202"),
    ],
)
def test_sources(package: str, call: str, code: str) -> None:
    for imports in (f"{package}._", call.partition(".")[0].join((f"{package}.", ""))):
        found = scala(f"val k = {call}", f"import org.apache.spark.streaming.{imports}\n")
        assert [f"{f.at.line}:{f.code}" for f in found.findings] == ["1:D101", f"3:{code}"]


def test_names_of_the_same_package() -> None:
    text = "package org.apache.spark.streaming.mqtt\n"
    assert [f.code for f in scala("MQTTUtils.createPairedByteArrayStream(s)", text).findings] == [
        "D204"
    ]
    other = "package org.apache.spark.streaming.other\n"
    assert scala("MQTTUtils.createStream(s)", other).findings == []


def test_names_of_imports() -> None:
    imports = "import org.apache.spark.streaming.{Seconds, StreamingContext => SC}\n"
    assert uses(scala("val s = new SC(c, Seconds(1))", imports)) == ["3:class.StreamingContext"]
    assert uses(scala("val s = new StreamingContext(c, d)", imports)) == []
    hidden = "import org.apache.spark.streaming.{StreamingContext => _, _}\n"
    assert uses(scala("val s = new StreamingContext(c, d)", hidden)) == []
    several = "import a.b, org.apache.spark.streaming.StreamingContext\n"
    assert uses(scala("val s = new StreamingContext(c, d)", several)) == [
        "3:class.StreamingContext"
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('conf.set("spark.streaming.receiver.maxRate", "5")', ["3:D703"]),
        ('Map("spark.streaming.receiver.maxRate" -> "5")', ["3:D703"]),
        ('conf.get("spark.streaming.receiver.maxRate")', []),
        ('conf.set("spark.sql.streaming.x", "5")', []),
        ('log("spark.streaming.receiver.maxRate is a setting")', []),
        ('val p = "org.apache.spark:spark-streaming-flume_2.11:2.4.8"', ["3:D901"]),
        ('// conf.set("spark.streaming.receiver.maxRate", "5")', []),
    ],
)
def test_strings(body: str, expected: list[str]) -> None:
    found = [f"{f.at.line}:{f.code}" for f in scala(body).findings if f.code != "D101"]
    assert found == expected


def test_value_of_a_setting() -> None:
    found = scala('conf.set("spark.streaming.backpressure.enabled", "false")')
    assert found.findings[-1].severity == "info"


def test_nothing_is_kept_or_rewritten() -> None:
    found = scala("val s = new StreamingContext(c, Seconds(1))\ns.start()")
    assert found.content is None
    assert {s.outcome for s in found.sites} == {"reported"}


@pytest.mark.parametrize("name", ["A.scala", "A.java"])
def test_without_the_parser(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(migrator.languages.jvm, "can_parse", lambda language: False)
    text = b'import org.apache.spark.streaming._\nc.set("spark.streaming.receiver.maxRate=5")\n'
    found = report(text, name)
    assert [f"{f.at.line}:{f.code}" for f in found.findings] == ["1:D003", "2:D703"]
    assert "dstream-compat[jvm]" in found.findings[0].advice
    assert found.status == "unreadable"


@pytest.mark.parametrize("parser", [True, False])
def test_classes_of_the_same_names(monkeypatch: pytest.MonkeyPatch, parser: bool) -> None:
    monkeypatch.setattr(migrator.languages.jvm, "can_parse", lambda language: parser)
    text = b"import org.apache.spark.sql.streaming._\nclass StreamingContext\nx.foreachRDD(f)\n"
    assert report(text, "A.scala").findings == []


def test_broken_sources_are_reported() -> None:
    found = report(
        SCALA.encode() + b"object A { def f( = }}} val s = new StreamingContext(\n", "A.scala"
    )
    assert {"D003", "D101"} == {f.code for f in found.findings}
    assert "only in part" in next(f.message for f in found.findings if f.code == "D003")
    assert report(b"object A { def f( = }}}", "A.scala").findings == []


def test_places_count_characters() -> None:
    found = scala('val é = "é"; val s = new StreamingContext(c, d)')
    site = next(s for s in found.sites if s.use == "construct")
    assert (site.at.line, site.at.column) == (3, 22)


@pytest.mark.slow
def test_odd_bytes_and_nesting() -> None:
    assert codes(b"\xff\xfe" + SCALA.encode("utf-16-le"), "A.scala") == ["1:D101"]
    assert codes(SCALA.encode() + b"// \xe9\r\n", "A.scala") == ["1:D101"]
    deep = SCALA + "object A { val x = " + "(" * 3000 + "1" + ")" * 3000 + " }"
    assert "1:D101" in codes(deep.encode(), "A.scala")
    chain = (
        SCALA + "object A { def f(s: StreamingContext) = s.queueStream(q)" + ".map(_ + 1)" * 2000
    )
    assert len(report((chain + "}").encode(), "A.scala").sites) == 2002
