"""Trees to report on."""

from __future__ import annotations

from pathlib import Path

from migrator.model.report import Report
from migrator.run.scan import scan
from migrator.select.apply import apply_filter, make_filter

FORK = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.flume import FlumeUtils
from pyspark.streaming.kafka import KafkaUtils

ssc = StreamingContext(SparkContext(), 5)
events = FlumeUtils.createStream(ssc, "localhost", 4141)
direct = KafkaUtils.createStream(ssc, "zk:2181", "g", {"t": 1})
lines = ssc.socketTextStream("localhost", 9999)
both = ssc.union(events, direct, lines).map(lambda pair: pair[1])
words = both.flatMap(str.split)
pairs = words.map(lambda w: (w, 1))
counts = pairs.reduceByKey(lambda a, b: a + b)
joined = counts.join(pairs)
joined.pprint()
counts.foreachRDD(lambda rdd: rdd.collect())
words.toDF()
ssc.start()
ssc.awaitTermination()
"""
PROBABLE = "def wire(stream):\n    stream.foreachRDD(print)\n"
CONF = "spark.streaming.raw.maxBlockSizeBytes 5\nspark.streaming.blockInterval 100ms\n"
IGNORED = (
    "from dstream_compat import StreamingContext\n"
    "x = StreamingContext(sc, 1)._jssc  # migrate: ignore[D601] <checked> by [us](http://x)\n"
)

# text that does harm wherever it is not taken as text
ATTACKS = (
    "</script><script>window.pwned = 1</script>",
    "<img src=x onerror=window.pwned=1>",
    '"><svg/onload=window.pwned=1>',
    "' onmouseover='window.pwned=1",
    "</style><style>*{display:none}</style>",
    "javascript:window.pwned=1",
    "[red]rich[/red] [link=https://evil.example]x[/link] :smile:",
    "\x1b[31m\x1b]0;title\x07\x9b31m",
    "\u202etxt.exe\u2066",
    "::error file=a::b%0A::warning::c",
    "##[error]old form",
    "[click](https://evil.example) ![i](https://evil.example/i.png)",
    "<https://evil.example> https://evil.example www.evil.example me@evil.example @someone #1",
    "``` `code` ```` | a | b |",
    "--> <!-- ]]> {{0}} {0}",
    "&lt;script&gt; &#60;b&#62;",
)


def mixed(root: Path) -> Path:
    """A tree with every kind of finding and every way to migrate."""
    (root / "jobs").mkdir(parents=True)
    (root / "jobs" / "fork.py").write_text(FORK)
    (root / "probable.py").write_text(PROBABLE)
    (root / "spark.conf").write_text(CONF)
    (root / "ignored.py").write_text(IGNORED)
    (root / "old.py").write_text("import pyspark.streaming\nprint 'x'\n")
    return root


def hostile(root: Path) -> Path:
    """A tree whose names and contents attack every kind of report."""
    root.mkdir(parents=True, exist_ok=True)
    for number, attack in enumerate(ATTACKS):
        name = attack.replace("/", "\u2215").replace("\0", "")[:60]
        literal = repr(attack)
        text = (
            "from pyspark.streaming import StreamingContext\n"
            "from pyspark.streaming.kafka import KafkaUtils\n"
            f"# {attack}\n"
            "ssc = StreamingContext(sc, 1)\n"
            f"s = KafkaUtils.createStream(ssc, {literal}, g, {{}})\n"
            f"s.map(lambda x: {literal}).pprint()\n"
            f"ssc._jssc  # migrate: ignore[D601] {attack}\n"
            f"import pyspark.streaming.{'x' * 3}\n"
        )
        (root / f"{number} {name}.py").write_text(text, "utf-8")
        (root / f"{number}.conf").write_text(f"spark.streaming.unknown{number} {attack}\n", "utf-8")
    (root / "newline\nname.py").write_text("import pyspark.streaming\n")
    return root


def reported(root: Path, mode: str = "check") -> Report:
    """The report of a tree, as a run makes it."""
    report = scan(root, mode)
    apply_filter(report, root, make_filter((), (), None, None, notes=True))
    return report
