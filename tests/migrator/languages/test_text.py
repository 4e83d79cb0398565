"""Settings and packages in files that are not Python."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes, report

CASES = [
    ("spark-defaults.conf", "spark.streaming.receiver.maxRate   5\n", ["1:D703"]),
    ("a.conf", "spark.streaming.receiver.maxRate=5\n", ["1:D703"]),
    ("a.conf", "spark.streaming.receiver.maxRate : 5\n", ["1:D703"]),
    ("a.conf", "# spark.streaming.receiver.maxRate 5\n", []),
    ("a.conf", "  ! spark.streaming.receiver.maxRate 5\n", []),
    ("a.ini", "; spark.streaming.receiver.maxRate = 5\n", []),
    ("a.properties", "a=b\r\nspark.streaming.backpressure.enabled=true\r\n", ["2:D702"]),
    ("a.sh", "spark-submit --conf spark.streaming.receiver.maxRate=5 x.py\n", ["1:D703"]),
    ("a.sh", "spark-submit \\\n  --conf 'spark.streaming.receiver.maxRate=5' \\\n x\n", ["2:D703"]),
    ("a.sh", 'X="--conf spark.streaming.receiver.maxRate=$RATE"\n', ["1:D703"]),
    ("a.sh", "# --conf spark.streaming.receiver.maxRate=5\n", []),
    ("a.sh", "run x # spark.streaming.receiver.maxRate=5\n", []),
    ("a.sh", "run 'a # b' --conf spark.streaming.receiver.maxRate=5\n", ["1:D703"]),
    ("a.sh", "x --packages a:b:1,org.apache.spark:spark-streaming-flume_2.11:2.4.8\n", ["1:D901"]),
    ("a.sh", "x --jars /opt/spark-streaming-kafka-0-8-assembly_2.11-2.4.8.jar\n", ["1:D901"]),
    (
        "a.sh",
        "curl -O u/spark-streaming-mqtt_2.11/2.4/spark-streaming-mqtt_2.11-2.4.jar\n",
        ["1:D901"],
    ),
    ("a.sh", "x --class org.apache.spark.streaming.Foo --conf spark.sql.streaming.x=1\n", []),
    ("a.sh", "cd spark-streaming-kafka-demo && ./run\n", []),
    ("Dockerfile", "RUN x --conf spark.streaming.blockInterval=1 # c\n", ["1:D704"]),
    ("Dockerfile.prod", "ENV A=spark.streaming.receiver.maxRate=5\n", ["1:D703"]),
    ("a.yaml", "conf:\n  spark.streaming.receiver.maxRate: '5'\n", ["2:D703"]),
    ("a.yml", "conf:\n  # spark.streaming.receiver.maxRate: 5\n", []),
    ("a.json", '{"spark.streaming.receiver.maxRate": "5"}\n', ["1:D703"]),
    ("a.xml", "<name>spark.streaming.receiver.maxRate</name><value>5</value>\n", ["1:D703"]),
    ("a.toml", '"spark.streaming.receiver.maxRate" = 5\n', ["1:D703"]),
    ("a.conf", "spark.streaming.kafka.maxRatePerPartion 5\n", ["1:D705"]),
    ("a.conf", "my.spark.streaming.receiver.maxRate 5\n", []),
    ("a.sh", "--conf spark.streaming.${KEY}=5\n", ["1:D705"]),
    # continuations and variables
    ("a.sh", "K=spark.streaming\nx --conf $K.receiver.maxRate=5\n", ["2:D703"]),
    ("a.sh", "K=spark.streaming\nx \\\n --conf ${K}.receiver.maxRate=5\n", ["3:D703"]),
    ("a.sh", "K=receiver.maxRate\nx --conf spark.streaming.$K=5\n", ["2:D703"]),
    ("a.sh", "x --conf spark.streaming.${K:-receiver.maxRate}=5\n", ["1:D703"]),
    ("a.sh", "x --conf spark.streaming.receiver.\\\nmaxRate=5\n", ["1:D703"]),
    ("a.sh", "K=a\nK=b\nx --conf spark.streaming.$K=5\n", ["3:D705"]),
    ("a.sh", "K=$(cat key)\nx --conf spark.streaming.$K=5\n", ["2:D705"]),
    ("a.sh", "K=`cat key`\nx --conf spark.streaming.$K=5\n", ["2:D705"]),
    ("a.sh", "K=receiver.maxRate\nx --conf 'spark.streaming.$K=5'\n", ["2:D705"]),
    ("a.sh", "K=$K$K\nL=$K\nx --conf spark.streaming.$L=5\n", ["3:D705"]),
    ("a.sh", "C='--conf spark.streaming.receiver.maxRate=5'\nx $C y\n", ["1:D703"]),
    ("a.sh", "P=a:spark-streaming-flume_2.11:2.4.8\nx --packages $P\n", ["1:D901"]),
    ("a.sh", "S=2.11\nx --packages a:spark-streaming-flume_$S:2.4.8\n", ["2:D901"]),
    ("a.sh", "x --packages a:spark-streaming-flume_${S}:${V}\n", ["1:D901"]),
    ("a.sh", "P=spark-streaming\nx --packages a:$P-flume_2.11:2.4.8\n", ["2:D901"]),
    ("a.sh", "# K=spark.streaming\nx --conf $K.receiver.maxRate=5 # spark.streaming\n", []),
    ("a.sh", "K=spark.sql\nx --conf $K.streaming.x=5 # spark.streaming\n", []),
    ("Dockerfile", "ENV K spark.streaming\nRUN x --conf $K.receiver.maxRate=5\n", ["2:D703"]),
    ("Dockerfile", "ARG S=2.11\nRUN x a:spark-streaming-mqtt_$S:2.4.8\n", ["2:D901"]),
    ("Makefile", "S := 2.11\nrun:\n\tx --packages a:spark-streaming-mqtt_$(S):2\n", ["3:D901"]),
    # system properties
    ("a.sh", "x --driver-java-options '-Dspark.streaming.backpressure.enabled=true'\n", ["1:D702"]),
    ("a.sh", "x --driver-java-options '-Dspark.streaming.backpresure.enabled=true'\n", ["1:D705"]),
    ("a.sh", 'export SPARK_JAVA_OPTS="-Xmx1g -Dspark.streaming.concurentJobs=3"\n', ["1:D705"]),
    ("a.sh", 'export SPARK_JAVA_OPTS="-Dspark.steaming.blockInterval=3"\n', ["1:D705"]),
    (
        "a.conf",
        "spark.executor.extraJavaOptions -Da=b -Dspark.streaming.receiver.maxRate=5\n",
        ["1:D703"],
    ),
    ("a.conf", "spark.driver.extraJavaOptions=-Dspark.streaming.blockInterval=5\n", ["1:D704"]),
    ("a.yaml", 'driver:\n  javaOptions: "-Dspark.streaming.blockInterval=5"\n', ["2:D704"]),
    ("a.sh", "x -Dlog.file=spark.streaming.log -Da.spark.streaming.blockInterval=1\n", []),
    ("a.sh", "# -Dspark.streaming.blockInterval=1\n", []),
    ("a.sh", "x -Dspark.sql.streaming.blockInterval=1\n", []),
    # build files
    ("build.sbt", 'x += "o" %% "spark-streaming-kafka-0-8" % "2.4.8"\n', ["1:D901"]),
    ("build.sbt", '// "spark-streaming-kafka-0-8"\n', []),
    ("build.gradle", "compile 'o:spark-streaming-flume_${scala}:2.4.8' // x\n", ["1:D901"]),
    ("pom.xml", "<artifactId>spark-streaming-flume_${scala.version}</artifactId>\n", ["1:D901"]),
    # orchestration
    (
        "emr.json",
        '[{"Classification": "spark-defaults", "Properties": '
        '{"spark.streaming.receiver.maxRate": "5"}}]\n',
        ["1:D703"],
    ),
    ("steps.json", '{"Args": ["--conf", "spark.streaming.receiver.maxRate=5"]}\n', ["1:D703"]),
    (
        "app.yaml",
        "kind: SparkApplication\nspec:\n  sparkConf:\n"
        '    "spark.streaming.receiver.maxRate": "5"\n  deps:\n    packages:\n'
        "      - org.apache.spark:spark-streaming-flume_2.11:2.4.8\n",
        ["4:D703", "7:D901"],
    ),
    ("dag.yaml", "cmd: >-\n  spark-submit\n  --conf spark.streaming.blockInterval=1\n", ["3:D704"]),
    # READMEs: commands and blocks only
    ("README.md", "Set spark.streaming.receiver.maxRate to 5.\n", []),
    ("README.md", "It needs spark-streaming-kafka-0-8.\n", []),
    (
        "README.md",
        "Run `spark-submit --conf spark.streaming.receiver.maxRate=5 x.py`\n",
        ["1:D703"],
    ),
    ("README.md", "```\nspark.streaming.receiver.maxRate 5\n```\nspark.streaming.x\n", ["2:D703"]),
    # a fence that opens and closes on one line is inline code
    ("README.md", "```cmd```\nspark.streaming.receiver.maxRate 5\n", []),
    ("README.md", "```cmd```\n```\nspark.streaming.receiver.maxRate 5\n```\n", ["3:D703"]),
    ("README.md", "```cmd```\n```\nx\n```\nspark.streaming.receiver.maxRate 5\n", []),
    (
        "README.md",
        "```spark-submit --conf spark.streaming.receiver.maxRate=5 x.py```\nmaxRate is low\n",
        ["1:D703"],
    ),
    # a block ends with the marks that began it, and nothing behind them
    ("README.md", "~~~\n```\nspark.streaming.receiver.maxRate 5\n~~~\n", ["3:D703"]),
    ("README.md", "````\n```\nspark.streaming.receiver.maxRate 5\n````\n", ["3:D703"]),
    ("README.md", "```\n```sh\nspark.streaming.receiver.maxRate 5\n```\n", ["3:D703"]),
    ("README.md", "```\nx\n`````  \nspark.streaming.receiver.maxRate 5\n", []),
    ("README.md", "~~~ a `b`\nx\n~~~\nspark.streaming.receiver.maxRate 5\n", []),
    ("README.md", "``cmd``\nspark.streaming.receiver.maxRate 5\n", []),
    (
        "README.rst",
        "::\n\n    $ bin/spark-submit \\\n      --packages a:spark-streaming-mqtt_2.11:2.4 x.py\n",
        ["4:D901"],
    ),
    ("README", "export PYSPARK_SUBMIT_ARGS='--jars spark-streaming-flume_2.11.jar'\n", ["1:D901"]),
    ("readme.txt", "We use pyspark and spark-streaming-flume_2.11.\n", []),
    ("requirements-dev.txt", "pyspark  # spark.streaming.receiver.maxRate=5\n", []),
    (".env", "SPARK_OPTS=--conf spark.streaming.receiver.maxRate=5\n", ["1:D703"]),
]

PROGRAMS = [
    (
        'os.environ["PYSPARK_SUBMIT_ARGS"] = "--packages o:spark-streaming-kafka-0-8_2.11:2.4.8"\n',
        ["1:D901"],
    ),
    (
        "os.environ['PYSPARK_SUBMIT_ARGS'] = (\n    '--conf spark.streaming.receiver.maxRate=5 '\n"
        "    '--jars /x/spark-streaming-flume_2.11-2.4.8.jar pyspark-shell')\n",
        ["2:D703", "3:D901"],
    ),
    ("a = '--packages o:spark-streaming-kafka-0-8_%s:%s' % (scala, spark)\n", ["1:D901"]),
    ("a = '--packages o:spark-streaming-kafka-0-8_{}:{}'.format(scala, spark)\n", ["1:D901"]),
    ("a = f'--packages o:spark-streaming-kafka-0-8_{scala}:{spark} x'\n", ["1:D901"]),
    ("a = '--packages o:spark-streaming-kafka-0-8_' + scala\n", ["1:D901"]),
    ("SparkSubmitOperator(conf={'spark.streaming.receiver.maxRate': '5'})\n", ["1:D703"]),
    (
        "Bash(bash_command='''spark-submit \\\n --conf spark.streaming.receiver.maxRate=5''')\n",
        ["2:D703"],
    ),
    ("a = 'spark-streaming-kafka-demo'\n", []),
    (
        "a = '''--conf spark.streaming.receiver.maxRate=1\n"
        "--conf spark.streaming.receiver.maxRate=2\n'''\n",
        ["1:D703", "2:D703"],
    ),
    ("a = 'spark-streaming-kafka_old'\n", []),
    (
        "c.set('spark.driver.extraJavaOptions', '-Dspark.streaming.concurentJobs=3')\n",
        ["1:D705"],
    ),
    ("c.set('spark.driver.extraJavaOptions', '-Dx=spark.streaming.events')\n", []),
    ("a = '-Dspark.streaming.blockInterval is a property'\n", []),
]


@pytest.mark.parametrize(("name", "text", "expected"), CASES)
def test_case(name: str, text: str, expected: list[str]) -> None:
    assert codes(text.encode(), name) == expected


@pytest.mark.parametrize(("text", "expected"), PROGRAMS)
def test_strings_of_programs(text: str, expected: list[str]) -> None:
    assert codes(text.encode(), "dag.py") == expected


def test_place_behind_a_variable() -> None:
    text = b"K=spark.streaming\nX=5\nx \\\n --conf ${K}.receiver.maxRate=$X z\n"
    finding = report(text, "a.sh").findings[0]
    assert (finding.at.line, finding.at.column) == (4, 9)
    assert finding.message.startswith("spark.streaming.receiver.maxRate=5: ")


def test_variables_that_grow_are_left_alone() -> None:
    lines = ["A0=" + "x" * 100, *(f"A{n + 1}=$A{n}$A{n}$A{n}$A{n}" for n in range(50))]
    lines.append("x --conf spark.streaming.$A50=5")
    assert codes("\n".join(lines).encode(), "a.sh") == ["52:D705"]


def test_a_line_continued_for_ever() -> None:
    text = "x \\\n" * 20_000 + "--conf spark.streaming.receiver.maxRate=5\n"
    assert codes(text.encode(), "a.sh") == ["20001:D703"]


def test_place_and_value() -> None:
    finding = report(b"\n  spark.streaming.receiver.maxRate  500\n", "a.conf").findings[0]
    assert (finding.at.line, finding.at.column) == (2, 3)
    assert finding.message.startswith("spark.streaming.receiver.maxRate=500: ")


@pytest.mark.parametrize("value", ["false", "False", "no"])
def test_switched_off(value: str) -> None:
    text = f"spark.streaming.backpressure.enabled {value}\n"
    assert report(text.encode(), "a.conf").findings[0].severity == "info"


def test_odd_bytes() -> None:
    assert codes(b"\xe9\nspark.streaming.receiver.maxRate 5\n", "a.conf") == ["2:D703"]
    text = "spark.streaming.receiver.maxRate 5\r\n".encode("utf-16")
    assert codes(text, "a.conf") == ["1:D703"]
