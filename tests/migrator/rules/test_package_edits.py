"""Packages in commands, settings and programs: what they become, and where they stay.

In the cases KAFKA, FLUME, MQTT and JAR stand for old packages, NEW for what takes their place.
"""

from __future__ import annotations

import pytest

from tests.support.migrator.fixes import fixed_report, fixed_text
from tests.support.migrator.packages import SHORT, spelt
from tests.support.migrator.runs import JOB

CHANGED = [
    # commands
    ("a.sh", "spark-submit --packages KAFKA job.py\n", "spark-submit --packages NEW job.py\n"),
    ("a.sh", "spark-submit --packages=KAFKA job.py\n", "spark-submit --packages=NEW job.py\n"),
    ("a.sh", "spark-submit --packages 'KAFKA' job.py\n", "spark-submit --packages 'NEW' job.py\n"),
    ("a.sh", "pyspark --packages KAFKA\n", "pyspark --packages NEW\n"),
    (
        "a.sh",
        "x\nspark-submit \\\n  --packages KAFKA \\\n  --conf a=$B \\\n  job.py # c\n",
        "x\nspark-submit \\\n  --packages NEW \\\n  --conf a=$B \\\n  job.py # c\n",
    ),
    (
        "a.sh",
        "spark-submit \\\r\n  --packages KAFKA \\\r\n  job.py\r\n",
        "spark-submit \\\r\n  --packages NEW \\\r\n  job.py\r\n",
    ),
    ("a.sh", "x --packages KAFKA,a:b:1 job.py\n", "x --packages NEW,a:b:1 job.py\n"),
    ("a.sh", "x --packages a:b:1,KAFKA $J/job.py\n", "x --packages a:b:1,NEW $J/job.py\n"),
    (
        "a.sh",
        "x --packages a:b:1,\\\n    KAFKA job.py\n",
        "x --packages a:b:1,\\\n    NEW job.py\n",
    ),
    (
        "a.sh",
        "x --packages org.apache.spark:spark-streaming-kafka_2.10:1.6.3 job.py\n",
        "x --packages NEW job.py\n",
    ),
    (
        "a.sh",
        "x --packages org.apache.spark:spark-streaming-kafka-0-10_2.12:3.5.0 job.py\n",
        "x --packages NEW job.py\n",
    ),
    # variables
    (
        "a.sh",
        'S=2.11\nx --packages "org.apache.spark:spark-streaming-kafka-0-8_${S}:$V" job.py\n',
        'S=2.11\nx --packages "NEW" job.py\n',
    ),
    ("a.sh", "P=KAFKA\nx --packages $P job.py\n", "P=NEW\nx --packages $P job.py\n"),
    ("a.sh", 'export P="a:b:1,KAFKA"\n', 'export P="a:b:1,NEW"\n'),
    (
        "Makefile",
        "P := KAFKA\nrun:\n\tx --packages $(P) a.py\n",
        "P := NEW\nrun:\n\tx --packages $(P) a.py\n",
    ),
    ("Makefile", "run:\n\tx --packages KAFKA a.py\n", "run:\n\tx --packages NEW a.py\n"),
    ("Dockerfile", "ENV P=KAFKA\n", "ENV P=NEW\n"),
    # connectors without a counterpart
    ("a.sh", "x --packages FLUME job.py\n", "x job.py\n"),
    ("a.sh", "x job.py --packages FLUME\n", "x job.py\n"),
    ("a.sh", "x --packages FLUME,a:b:1 job.py\n", "x --packages a:b:1 job.py\n"),
    ("a.sh", "x --packages a:b:1,MQTT job.py\n", "x --packages a:b:1 job.py\n"),
    ("a.sh", "x --packages a:b:1,MQTT,c:d:1 job.py\n", "x --packages a:b:1,c:d:1 job.py\n"),
    ("a.sh", "x --packages FLUME,KAFKA,MQTT job.py\n", "x --packages NEW job.py\n"),
    ("a.sh", "x --packages FLUME,MQTT job.py\n", "x job.py\n"),
    ("a.sh", "x --jars /x/spark-streaming-flume_2.11-2.4.8.jar job.py\n", "x job.py\n"),
    ("a.sh", "x \\\n  --packages FLUME \\\n  job.py\n", "x \\\n  job.py\n"),
    ("a.sh", "x job.py \\\n  --packages FLUME\nb\n", "x job.py\nb\n"),
    ("a.sh", "x --packages FLUME \\\n  job.py\n", "x \\\n  job.py\n"),
    ("a.sh", "x --conf spark.jars.packages=FLUME job.py\n", "x job.py\n"),
    ("a.sh", "x --conf 'spark.jars.packages=FLUME' job.py\n", "x job.py\n"),
    ("a.sh", "E='--packages FLUME pyspark-shell'\n", "E='pyspark-shell'\n"),
    # jars
    ("a.sh", "x --jars /opt/JAR job.py\n", "x --packages NEW job.py\n"),
    ("a.sh", "x --jars=JAR job.py\n", "x --packages=NEW job.py\n"),
    ("a.json", '["x", "--jars", "JAR", "a.py"]\n', '["x", "--packages", "NEW", "a.py"]\n'),
    ("a.sh", 'x --jars "$HOME/JAR" job.py\n', 'x --packages "NEW" job.py\n'),
    ("a.sh", "x --jars a.jar,JAR job.py\n", "x --packages NEW --jars a.jar job.py\n"),
    (
        "a.sh",
        "x --jars a.jar,JAR,kafka_2.11-0.8.2.jar,libs/kafka-clients-0.8.2.jar job.py\n",
        "x --packages NEW --jars a.jar job.py\n",
    ),
    ("a.sh", "x --jars JAR --packages a:b:1 a.py\n", "x --packages NEW,a:b:1 a.py\n"),
    ("a.sh", "x --jars JAR --packages KAFKA a.py\n", "x --packages NEW a.py\n"),
    ("a.sh", "x --jars JAR --packages $P a.py\n", "x --packages NEW,$P a.py\n"),
    ("a.sh", "x --jars JAR --packages NEW a.py\n", "x --packages NEW a.py\n"),
    ("a.sh", "x --packages KAFKA,NEW a.py\n", "x --packages NEW a.py\n"),
    # settings
    ("a.conf", "a 1\nspark.jars.packages  KAFKA\n", "a 1\nspark.jars.packages  NEW\n"),
    ("a.conf", "spark.jars.packages=KAFKA,MQTT\n", "spark.jars.packages=NEW\n"),
    ("a.conf", "# c\nspark.jars.packages FLUME\nb 2\n", "# c\nb 2\n"),
    ("a.conf", "spark.jars = /opt/JAR\n", "spark.jars.packages = NEW\n"),
    ("a.sh", "x --conf spark.jars=/opt/JAR a.py\n", "x --conf spark.jars.packages=NEW a.py\n"),
    ("a.py", "c.set('spark.jars', '/x/JAR')\n", "c.set('spark.jars.packages', 'NEW')\n"),
    ("a.json", '{"spark.jars": "JAR"}\n', '{"spark.jars.packages": "NEW"}\n'),
    # YAML and JSON
    ("a.yaml", "a: [--packages, 'KAFKA', a.py]\n", "a: [--packages, 'NEW', a.py]\n"),
    ("a.yaml", "packages:\n  - KAFKA\n", "packages:\n  - NEW\n"),
    ("a.yaml", "spark.jars.packages: KAFKA\n", "spark.jars.packages: NEW\n"),
    (
        "a.json",
        '{"Args": ["--packages", "KAFKA", "s3://x/a.py"]}\n',
        '{"Args": ["--packages", "NEW", "s3://x/a.py"]}\n',
    ),
    (
        "a.json",
        '{"Args": ["--packages",\n  "FLUME",\n  "s3://x/a.py"]}\n',
        '{"Args": ["s3://x/a.py"]}\n',
    ),
    ("a.json", '{"spark.jars.packages": "KAFKA"}\n', '{"spark.jars.packages": "NEW"}\n'),
    # prose
    (
        "README.md",
        "Run `spark-submit --packages KAFKA a.py`.\n",
        "Run `spark-submit --packages NEW a.py`.\n",
    ),
    (
        "README.md",
        "KAFKA is old.\n\n```\nspark-submit \\\n --packages KAFKA a.py\n```\n",
        "KAFKA is old.\n\n```\nspark-submit \\\n --packages NEW a.py\n```\n",
    ),
    # programs
    (
        "a.py",
        "e['PYSPARK_SUBMIT_ARGS'] = '--packages KAFKA pyspark-shell'  # c\n",
        "e['PYSPARK_SUBMIT_ARGS'] = '--packages NEW pyspark-shell'  # c\n",
    ),
    (
        "a.py",
        "e['x'] = ('--packages '\n    'KAFKA '\n    'pyspark-shell')\n",
        "e['x'] = ('--packages '\n    'NEW '\n    'pyspark-shell')\n",
    ),
    (
        "a.py",
        "e['x'] = '--packages FLUME pyspark-shell'\n",
        "e['x'] = 'pyspark-shell'\n",
    ),
    ("a.py", "e['x'] = '--jars JAR pyspark-shell'\n", "e['x'] = '--packages NEW pyspark-shell'\n"),
    ("a.py", "c.set('spark.jars.packages', 'KAFKA')\n", "c.set('spark.jars.packages', 'NEW')\n"),
    ("a.py", "c.config('x', 'a:b:1,MQTT')\n", "c.config('x', 'a:b:1')\n"),
    (
        "a.py",
        "from pyspark.streaming import DStream; x = 'KAFKA'\n",
        "from dstream_compat import DStream; x = 'NEW'\n",
    ),
    (
        "a.py",
        "print 'a'\nx = '--packages KAFKA pyspark-shell'\n",
        "print('a')\nx = '--packages NEW pyspark-shell'\n",
    ),
    (
        "a.py",
        "from pyspark.streaming import DStream\nprint 'a', `b`; x = 'KAFKA'\n",
        "from dstream_compat import DStream\nprint('a', repr(b)); x = 'NEW'\n",
    ),
    ("a.py", "run(['--packages', 'KAFKA', 'a.py'])\n", "run(['--packages', 'NEW', 'a.py'])\n"),
]

UNCHANGED = [
    # jobs in Scala or Java
    ("a.sh", "spark-submit --class a.B --packages KAFKA a.jar\n"),
    ("a.sh", "spark-submit \\\n --packages KAFKA \\\n --class a.B a.jar\n"),
    ("a.sh", "spark-shell --packages KAFKA\n"),
    ("a.yaml", "mainClass: a.B\nspark.jars.packages: KAFKA\n"),
    ("a.yaml", "type: Scala\ndeps:\n  packages:\n    - KAFKA\n"),
    ("a.json", '{"type": "Java", "packages": ["KAFKA"]}\n'),
    ("a.json", '{"Args": ["--class", "a.B", "--packages", "KAFKA", "a.jar"]}\n'),
    ("a.py", "submit(java_class='a.B', packages='KAFKA')\n"),
    ("build.sbt", 'x += "org.apache.spark" %% "spark-streaming-kafka-0-8" % "2.4.8"\n'),
    ("build.gradle", "compile 'KAFKA'\n"),
    ("pom.xml", "<x>KAFKA</x>\n"),
    # not a list
    ("a.sh", "echo Needs KAFKA now\n"),
    ("a.sh", "# spark-submit --packages KAFKA job.py\n"),
    ("a.sh", "curl -O http://x/JAR\n"),
    ("a.sh", "cp /opt/JAR .\n"),
    ("a.sh", "curl 'http://x/?q=KAFKA&x'\n"),
    ("Dockerfile", "COPY JAR /opt/\n"),
    ("Dockerfile", "RUN wget http://x/JAR -O /x.jar\n"),
    ("README.md", "It needs KAFKA.\n"),
    ("README.md", "```\nINFO resolved KAFKA\n```\n"),
    ("a.json", '{"text": "It needs KAFKA to run"}\n'),
    ("a.py", "print('It needs KAFKA to run')\n"),
    ("a.py", '"""KAFKA"""\n'),
    ("a.py", "# KAFKA\n"),
    # put together when it runs
    ("a.py", "x = '--packages o:spark-streaming-kafka-0-8_%s:%s a.py' % (s, v)\n"),
    ("a.py", "x = '--packages o:spark-streaming-kafka-0-8_{}:{}'.format(s, v)\n"),
    ("a.py", "x = f'--packages org.apache.spark:spark-streaming-kafka-0-8_{s}:{v} x'\n"),
    ("a.py", "x = '--packages o:spark-streaming-kafka-0-8_' + s\n"),
    ("a.py", "x = 'org.apache.spark:spark-streaming-kafka-0-8_2.11:' + v\n"),
    ("a.py", "x = '--packages KAFKA' + more\n"),
    ("a.py", "x = ('--packages KAFKA'\n     '.1 pyspark-shell')\n"),
    ("a.py", "x = ('org.apache.spark:'\n     'spark-streaming-kafka-0-8_2.11:2.4.8')\n"),
    ("a.py", "x = '--packages KAFKA%s a.py' % y\n"),
    ("a.py", "x = '--packages {}KAFKA a.py'.format(y)\n"),
    ("a.py", "x = '--packages KAFKA{} a.py'.format(y)\n"),
    ("a.py", "x = f'--packages {y}KAFKA a.py'\n"),
    ("a.py", "x = '--packages org.apache.spark:spark-streaming-flume_2.11:%s a.py' % v\n"),
    ("a.py", "x = '--packages %s needs KAFKA' % y\n"),
    # items of YAML
    ("a.yaml", "a:\n  - --packages\n  - FLUME\n  - a.py\n"),
    # nothing would stay
    ("a.sh", "P=FLUME\nx --packages $P job.py\n"),
    ("a.sh", "P='FLUME'\n"),
    ("a.yaml", "packages:\n  - FLUME\n"),
    ("a.yaml", "- --packages\n- FLUME  # why\n- a.py\n"),
    ("a.json", '{"spark.jars.packages": "FLUME"}\n'),
    ("a.py", "c.set('spark.jars.packages', 'FLUME')\n"),
    ("a.py", "x = '--packages FLUME'\n"),
    ("a.py", "x = ('--packages FLUME'\n ' pyspark-shell')\n"),
    # no place for the package
    ("a.conf", "spark.jars /opt/JAR\nspark.jars.packages a:b:1\n"),
    ("a.py", "c.set('spark.jars', 'JAR').set('spark.jars.packages', p)\n"),
    ("a.py", "c.set('spark.jars', 'b.jar,JAR')\n"),
    ("a.conf", "spark.jars  JAR,b.jar\n"),
    ("a.sh", "x --conf 'spark.jars=b.jar,JAR' a.py\n"),
    ("a.json", '["x", "--jars", "b.jar,JAR", "a.py"]\n'),
    ("a.py", "c.set('spark.driver.jars', 'JAR')\n"),
    ("a.conf", "spark.yarn.jars /opt/JAR\n"),
    ("a.conf", "spark.driver.extraClassPath /opt/JAR\n"),
    ("a.sh", "x --conf spark.driver.extraClassPath=/opt/JAR job.py\n"),
    ("a.sh", "x --jars JAR --conf spark.jars.packages=a:b:1 a.py\n"),
    ("a.yaml", "- --jars\n- b.jar,JAR\n- a.py\n"),
    # other connectors, and packages without one
    ("a.sh", "x --packages org.apache.bahir:spark-streaming-twitter_2.11:2.4.0 a.py\n"),
    ("a.sh", "x --packages NEW a.py\n"),
    ("a.sh", "x --packages NEW,org.apache.kafka:kafka-clients:3.9.0 a.py\n"),
    ("a.sh", "x --jars kafka-clients-3.9.0.jar a.py\n"),
    ("a.sh", "x --packages a:b:1 a.py\n"),
]

# a comment is not possible there, or is text
NO_COMMENTS = ("a.json", "README.md")


@pytest.mark.parametrize(("name", "before", "after"), CHANGED)
def test_changed(name: str, before: str, after: str) -> None:
    assert fixed_text(name, spelt(before)) == spelt(after)
    left = [f for f in fixed_report(name, spelt(before)).findings if f.code == "D901"]
    assert left and all(f.is_fixed and not f.advice and f.effort == 0 for f in left)


@pytest.mark.parametrize(("name", "text"), UNCHANGED)
def test_unchanged(name: str, text: str) -> None:
    found = fixed_report(name, spelt(text))
    assert found.content is None
    assert not any(f.is_fixed for f in found.findings)


@pytest.mark.parametrize(("name", "before", "_"), [c for c in CHANGED if c[0] not in NO_COMMENTS])
def test_unchanged_in_comments(name: str, before: str, _: str) -> None:
    commented = "".join(f"# {line}" for line in spelt(before).splitlines(keepends=True))
    assert fixed_report(name, commented).content is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.conf", "spark.jars.packages KAFKA\n"),
        ("a.sh", "spark-submit --packages KAFKA $JOB\n"),
        ("a.yaml", "packages:\n  - KAFKA\n"),
    ],
)
@pytest.mark.parametrize(
    ("others", "changes"),
    [
        ({"job.py": JOB}, True),
        ({}, False),
        ({"run.py": "print(1)\n"}, False),
        ({"job.py": JOB, "A.scala": "import org.apache.spark.streaming._\n"}, False),
        ({"job.py": JOB, "A.java": "import org.apache.spark.streaming.Seconds;\n"}, False),
        ({"job.py": JOB, "build.sbt": 'x += "a" %% "spark-streaming-kafka-0-8" % "2.4"\n'}, False),
    ],
)
def test_job_that_is_not_seen(name: str, text: str, others: dict[str, str], changes: bool) -> None:
    """Settings are for all jobs of a project: they change if those are Python."""
    found = fixed_report(name, spelt(text), others=others)
    assert (found.content is not None) is changes


def test_python_command_in_a_scala_project() -> None:
    text = "spark-submit --packages KAFKA job.py\nspark-submit --class a.B --packages KAFKA x\n"
    text = spelt(text)
    found = fixed_report("a.sh", text, others={"A.scala": "import org.apache.spark.streaming._\n"})
    assert found.content == text.replace(SHORT["KAFKA"], SHORT["NEW"], 1).encode()
    assert [f.is_fixed for f in found.findings] == [True, False]


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("KAFKA", "`KAFKA` becomes `NEW`"),
        (
            "a:b:1,KINESIS",
            "`KINESIS` is dropped: use the Python package dstream-compat[kinesis]: Kinesis is read "
            "in Python now",
        ),
        (
            "FLUME",
            "`FLUME` is dropped: there is no Flume source; let the agent write to Kafka or files",
        ),
    ],
)
def test_message(item: str, message: str) -> None:
    (finding,) = fixed_report("a.sh", spelt(f"x --packages {item} job.py\n")).findings
    assert finding.message == spelt(message)


def test_message_of_a_jar() -> None:
    (finding,) = fixed_report("a.sh", spelt("x --jars JAR job.py\n")).findings
    assert finding.message == spelt("`JAR` gives way to the package `NEW`")


def test_bytes_that_are_no_text_survive() -> None:
    before = b"# \xff\xfe caf\xe9\nx --packages %s job.py # \xe9\n"
    found = fixed_report("a.sh", before % SHORT["KAFKA"].encode())
    assert found.content == before % SHORT["NEW"].encode()


@pytest.mark.slow
def test_long_data_is_left() -> None:
    text = spelt("x --packages KAFKA job.py\n") + "# x\n" * 70_000
    assert fixed_report("a.sh", text).content is None
