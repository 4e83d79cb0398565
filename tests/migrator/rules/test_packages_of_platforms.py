"""Packages in what submits jobs elsewhere: Oozie, Airflow, EMR, Dataproc, commands of programs.

The words in capitals stand for packages, as in `test_package_edits`.
"""

from __future__ import annotations

import pytest

from tests.support.migrator.fixes import fixed_report, fixed_text
from tests.support.migrator.packages import spelt
from tests.support.migrator.runs import JOB

# before it an action of Scala, which keeps what it has, behind it a comment
WORKFLOW = """<?xml version="1.0"?>
<!-- <class>a.B</class> -->
<workflow-app name="x" xmlns="uri:oozie:workflow:0.5">
  <action name="scala">
    <spark>
      <class>a.B</class>
      <spark-opts>--packages OLD --conf a=b</spark-opts>
    </spark>
  </action>
  <action name="python">
    %s
  </action>
  <!-- <spark-opts>--packages OLD</spark-opts> -->
</workflow-app>
"""
SPARK = "<spark><jar>${nn}/job.py</jar>%s</spark>"
SHELL = (
    "<shell>\n      <exec>spark-submit</exec>%s\n      <argument>job.py</argument>\n    </shell>"
)
OPTION = "\n      <argument>--%s</argument>\n      <argument>%s</argument>"
AIRFLOW = "SparkSubmitOperator(application='a.py'%s)\n"
HOOK = "hooks.SparkSubmitHook(application='a.py'%s)\n"
GCLOUD = "gcloud dataproc jobs submit pyspark a.py%s\n"
EMR = "aws emr --steps Args=[x%s,s3://x/a.py]\n"
FLOW = "a: [x%s, a.py]\n"

# where nothing follows, KAFKA becomes NEW
OPTIONS = [
    ("<spark-opts>--packages KAFKA --conf a=b</spark-opts>",),
    ("<spark-opts>--conf spark.jars.packages=KAFKA</spark-opts>",),
    ("<spark-opts>--packages FLUME --conf a=b</spark-opts>", "<spark-opts>--conf a=b</spark-opts>"),
    ("<spark-opts>--conf a=b --packages MQTT</spark-opts>", "<spark-opts>--conf a=b</spark-opts>"),
    ("<a/><spark-opts> --packages FLUME </spark-opts>", "<a/>"),
    ("<a/>\n  <spark-opts>\n    --packages FLUME\n  </spark-opts>\n", "<a/>\n"),
    (
        "<spark-opts>\n  --packages FLUME\n  --conf a=b\n</spark-opts>",
        "<spark-opts>\n  --conf a=b\n</spark-opts>",
    ),
    (
        "<spark-opts>\n  --conf a=b\n  --packages FLUME\n</spark-opts>",
        "<spark-opts>\n  --conf a=b\n</spark-opts>",
    ),
    (
        "<spark-opts>--jars ${lib}/JAR,b.jar</spark-opts>",
        "<spark-opts>--packages NEW --jars b.jar</spark-opts>",
    ),
    (
        "<spark-opts>--jars JAR --packages a:b:1</spark-opts>",
        "<spark-opts>--packages NEW,a:b:1</spark-opts>",
    ),
]
ARGUMENTS = [
    (OPTION % ("packages", "KAFKA"),),
    (OPTION % ("packages", "a:b:1,KAFKA,FLUME"), OPTION % ("packages", "a:b:1,NEW")),
    ("\n      <a/>" + OPTION % ("packages", "FLUME"), "\n      <a/>"),
    (OPTION % ("jars", "/x/JAR"), OPTION % ("packages", "NEW")),
    (OPTION % ("jars", "JAR,b.jar"), OPTION % ("packages", "NEW") + OPTION % ("jars", "b.jar")),
    (OPTION % ("packages", "a:b:1") + OPTION % ("jars", "JAR"), OPTION % ("packages", "NEW,a:b:1")),
]
FORMATTED = [
    ("x = '%s/x --packages KAFKA a.py' % h\n",),
    ("x = '--packages KAFKA %s a.py' % y\n",),
    ("x = '{0} --packages KAFKA,{p} a.py'.format(y, p=p)\n",),
    ("x = f'{a.b}/x --packages {a.b[0]},KAFKA a.py'\n",),
    ("x = ('%s/x '\n     '--packages KAFKA '\n     '%s a.py') % y\n",),
    ("x = '--packages %s,FLUME a.py' % y\n", "x = '--packages %s a.py' % y\n"),
    ("x = '%(h)s --packages FLUME a.py' % y\n", "x = '%(h)s a.py' % y\n"),
    ("x = '{} --packages FLUME a.py'.format(y)\n", "x = '{} a.py'.format(y)\n"),
]
CALLS = [
    (", packages='KAFKA'",),
    (", packages='FLUME'", ""),
    (", packages='FLUME', a=1", ", a=1"),
    (",\n  packages='FLUME',\n", ",\n"),
    (",\n  packages='FLUME',\n  a=1,  # c\n", ",\n  a=1,  # c\n"),
    (", jars='/x/JAR'", ", packages='NEW'"),
    (", jars='b.jar,JAR,kafka-clients-0.8.2.jar'", ", packages='NEW', jars='b.jar'"),
    (",\n  jars='b.jar,JAR'", ",\n  packages='NEW',\n  jars='b.jar'"),
    (",\n  jars='JAR',\n  packages='a:b:1',\n", ",\n  packages='NEW,a:b:1',\n"),
    (", x='\u00e9\u20ac', packages='KAFKA', jars='JAR'", ", x='\u00e9\u20ac', packages='NEW'"),
]
SEQUENCES = [
    (",--packages,KAFKA",),
    (",--packages,FLUME,--conf,a=b", ",--conf,a=b"),
    (",--jars,s3://x/JAR", ",--packages,NEW"),
]
FLOWS = [
    (", --packages, FLUME", ""),
    (", --packages, 'FLUME'", ""),
    (", --jars, JAR", ", --packages, NEW"),
    (", --jars, 'b.jar,JAR'", ", --packages, 'NEW', --jars, 'b.jar'"),
]
PROPERTIES = [
    (" --properties a=b,spark.jars.packages=KAFKA,c=d",),
    (" --properties='spark.jars.packages=KAFKA,c=d'",),
    (" --properties=a=b,spark.jars.packages=FLUME,c=d", " --properties=a=b,c=d"),
    (" --properties=a=b,spark.jars.packages=FLUME", " --properties=a=b"),
    (" --properties='spark.jars.packages=FLUME'", ""),
    (" --jars=gs://b/JAR", " --properties=spark.jars.packages=NEW"),
    (" --jars gs://b/JAR,b.jar", " --properties=spark.jars.packages=NEW --jars b.jar"),
]
JOINED = "a:\n  command: >-\n    spark-submit%s\n    a.py\n  b: 1\n"
ITEMS = "a:\n  - x%s\n  - a.py\nb:\n  - --class\n  - a.B\n"
LINES = [
    ("\n    --packages KAFKA",),
    ("\n    --packages FLUME\n    --x", "\n    --x"),
    ("\n    --packages KAFKA\n    --jars JAR", "\n    --packages NEW"),
    ("\n    --jars b.jar,JAR", "\n    --packages NEW --jars b.jar"),
]
YAML = [
    ("\n  - --packages\n  - KAFKA",),
    ("\n  - --jars\n  - JAR\n  - --packages\n  - KAFKA", "\n  - --packages\n  - NEW"),
    ("\n  - --packages\n  - 'FLUME'\n  - --x", "\n  - --x"),
]
BRACKETS = "[\n  'spark-submit',  # 'a'\n%s  '--name', name(x), '%%s.x' %% y,\n  'a.py',\n]\n"
LISTED = [
    ("  '--packages', 'KAFKA',\n",),
    ("  '--jars', 'JAR',\n  '--packages',\n  'KAFKA',\n", "  '--packages',\n  'KAFKA',\n"),
    ("  '--packages', 'KAFKA',\n  # '--jars', 'x',\n",),
]
CASES = [
    *(("a.yaml", "%s", JOINED, case) for case in LINES),
    *(("a.yaml", "%s", ITEMS, case) for case in YAML),
    *(("a.py", "b = ['--class', 'a.B']\na = %s", BRACKETS, case) for case in LISTED),
    *(("w.xml", WORKFLOW, SPARK, case) for case in OPTIONS),
    *(("w.xml", WORKFLOW, SHELL, case) for case in ARGUMENTS),
    *(("a.py", "%s", "%s", case) for case in FORMATTED),
    *(("a.py", "%s", AIRFLOW, case) for case in CALLS),
    *(("a.py", f"%s{AIRFLOW % ', java_class=b'}", HOOK, case) for case in CALLS),
    *(("a.sh", "%s", EMR, case) for case in SEQUENCES),
    *(("a.yaml", "%s", FLOW, case) for case in FLOWS),
    *(("a.sh", "%s", GCLOUD, case) for case in PROPERTIES),
]
CHANGED = [
    (name, outer % (inner % case[0]), outer % (inner % case[-1].replace("KAFKA", "NEW")))
    for name, outer, inner, case in CASES
]

UNSEEN = "<spark><jar>${j}</jar><spark-opts>--packages KAFKA</spark-opts></spark>"
UNCHANGED = [
    # jobs in Scala, or whose language is not seen beside one in Scala
    ("w.xml", WORKFLOW % UNSEEN),
    ("w.xml", WORKFLOW % UNSEEN.replace("<jar>", "<class>a.B</class><jar>")),
    ("w.xml", WORKFLOW % (SPARK % "<spark-opts>--class a.B --packages KAFKA</spark-opts>")),
    ("w.xml", WORKFLOW % (SHELL % (OPTION * 2 % ("class", "a.B", "packages", "KAFKA")))),
    ("a.sh", EMR % ",--class,a.B,--packages,KAFKA"),
    ("a.py", AIRFLOW % ", java_class='a.B', packages='KAFKA'"),
    # other elements, and other XML
    ("w.xml", WORKFLOW % (SPARK % "<name>KAFKA</name>")),
    ("w.xml", WORKFLOW % (SPARK % "<name>x --packages KAFKA</name>")),
    ("w.xml", WORKFLOW % (SPARK % "<spark-opts>--packages &quot;KAFKA&quot;</spark-opts>")),
    ("w.xml", WORKFLOW % (SPARK % "<spark-opts>--name KAFKA</spark-opts>")),
    ("w.xml", WORKFLOW % (SHELL % (OPTION % ("name", "KAFKA")))),
    ("w.xml", WORKFLOW % (SHELL % "<argument>KAFKA</argument>")),
    ("pom.xml", "<project><argument>--packages</argument><argument>KAFKA</argument>a.py</project>"),
    ("pom.xml", "<project><spark-opts>x --packages KAFKA a.py</spark-opts></project>"),
    # no place for the package, or nothing would stay
    (
        "w.xml",
        WORKFLOW % (SPARK % "<spark-opts>--jars JAR --conf spark.jars.packages=a:b:1</spark-opts>"),
    ),
    ("a.sh", EMR % ",--jars,JAR,--packages,a:b:1"),
    ("a.sh", GCLOUD % " --jars gs://b/JAR --properties a=b"),
    ("a.sh", GCLOUD % " --jars gs://b/JAR --properties spark.jars.packages=a:b:1"),
    ("a.sh", GCLOUD % " --properties ^#^spark.jars.packages=KAFKA,a:b:1#a=b"),
    ("a.py", AIRFLOW % ", jars='JAR', packages=P"),
    ("a.py", AIRFLOW % ", jars='JAR', **more"),
    ("a.py", AIRFLOW % ", jars='JAR', conf={'spark.jars.packages': P}"),
    ("a.py", AIRFLOW % ",\n  a=1,  # c\n  packages='FLUME'  # d\n"),
    ("a.py", "Operator(application='a.py', jars='JAR')\n"),
    ("a.py", "Operator(application='a.py', packages='FLUME')\n"),
    ("a.py", "packages = 'FLUME'\nrun('a.py')\n"),
    ("a.py", "def SparkSubmitOperator(a='a.py', packages='FLUME'): pass\n"),
    ("a.py", "f(SparkSubmitOperator, 'a.py', packages='FLUME')\n"),
    ("a.py", "SparkSubmitOperator(f(packages='FLUME'), 'a.py')\n"),
    ("a.py", AIRFLOW % ", packages='FLUME' % x"),
    ("a.py", AIRFLOW % ", packages=f'FLUME'"),
    # of another command
    ("a.yaml", "- spark-submit --packages NEW a.py\n- x --packages FLUME --class a.B\n"),
    ("a.yaml", (ITEMS % "").replace("- --class", "- --packages\n  - KAFKA\n  - --class")),
    ("a.yaml", "command: >\n  x --class a.B\n  --packages KAFKA\n"),
    ("a.yaml", "command: |\n  x a.py\n  --packages FLUME\n  b.py\n"),
    ("a.py", "a = ['a.py']\nb = ['--class', 'a.B',\n     '--packages', 'KAFKA', 'x.jar']\n"),
    ("a.json", '{"a": ["a.py"], "b": ["--class", "a.B",\n "--packages", "KAFKA"]}\n'),
    # not arguments of a sequence
    ("a.yaml", FLOW % ", --packages, a:b:1, KAFKA"),
    ("a.yaml", FLOW % ", --name, KAFKA"),
    ("a.yaml", "a: --packages, FLUME, a.py\n"),
    ("a.sh", "echo --packages,FLUME,a.py\n"),
    ("README.md", "Give it [--packages, FLUME, a.py].\n"),
]


def written(text: str) -> str:
    return spelt(text.replace("OLD", "KAFKA"))


@pytest.mark.parametrize(("name", "before", "after"), CHANGED)
def test_changed(name: str, before: str, after: str) -> None:
    assert fixed_text(name, written(before)) == written(after)


@pytest.mark.parametrize("case", CALLS)
def test_calls_in_python2(case: tuple[str, ...]) -> None:
    before = f"print 'a, (', `b`, 0777  # ' (\n{AIRFLOW % case[0]}"
    after = AIRFLOW % case[-1].replace("KAFKA", "NEW")
    assert fixed_text("a.py", written(before)).endswith(f"# ' (\n{written(after)}")


@pytest.mark.parametrize(("name", "text"), UNCHANGED)
def test_unchanged(name: str, text: str) -> None:
    found = fixed_report(name, written(text))
    assert found.content is None
    assert not any(f.fixed for f in found.findings)


@pytest.mark.parametrize(("name", "before", "_"), CHANGED)
def test_unchanged_in_comments(name: str, before: str, _: str) -> None:
    text = written(before)
    if name == "w.xml":
        text = f"<!-- {text.replace('<!--', '').replace('-->', '')} --><workflow-app/>"
    else:
        text = "".join(f"# {line}" for line in text.splitlines(keepends=True))
    assert fixed_report(name, text).content is None


@pytest.mark.parametrize(("name", "before", "_"), CHANGED)
def test_packages_that_are_right_stay(name: str, before: str, _: str) -> None:
    for word in ("KAFKA", "FLUME", "MQTT"):
        before = before.replace(word, "a.b:c_2.13:1")
    assert fixed_report(name, written(before.replace("JAR", "c.jar"))).content is None


@pytest.mark.parametrize(
    ("others", "changes"),
    [
        ({"job.py": JOB}, True),
        ({}, False),
        ({"job.py": JOB, "A.scala": "import org.apache.spark.streaming._\n"}, False),
        ({"job.py": JOB, "pom.xml": "<artifactId>spark-streaming-kafka</artifactId>"}, False),
        ({"job.py": JOB, "other.xml": written(WORKFLOW)}, False),
    ],
)
def test_workflow_whose_job_is_not_seen(others: dict[str, str], changes: bool) -> None:
    text = written(f"<workflow-app><action>{UNSEEN}</action></workflow-app>")
    assert (fixed_report("w.xml", text, others=others).content is not None) is changes


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '["spark-submit --packages KAFKA a.py", "spark-submit --jars JAR b.py"]\n'),
        ("a.sh", "spark-submit --packages KAFKA a.py && spark-submit --jars JAR b.py\n"),
        ("a.sh", "spark-submit --packages KAFKA a.py; spark-submit --jars JAR b.py\n"),
        ("a.yaml", "- spark-submit --packages KAFKA a.py\n- spark-submit --jars JAR b.py\n"),
        (
            "a.yaml",
            "a: >\n  spark-submit --packages KAFKA a.py &&\n  spark-submit --jars JAR b.py\n",
        ),
        ("a.py", "a = ['spark-submit --packages KAFKA a.py', 'spark-submit --jars JAR b.py']\n"),
    ],
)
def test_each_command_gets_its_package(name: str, text: str) -> None:
    after = text.replace("--jars JAR", "--packages NEW").replace("KAFKA", "NEW")
    assert fixed_text(name, spelt(text)) == spelt(after)


def test_the_action_of_another_language_is_reported() -> None:
    text = written(WORKFLOW % (SPARK % "<spark-opts>--packages KAFKA</spark-opts>"))
    found = fixed_report("w.xml", text).findings
    assert [(f.code, f.at.line, f.fixed) for f in found] == [("D901", 7, False), ("D901", 11, True)]
    assert found[1].message == spelt("`KAFKA` becomes `NEW`")
