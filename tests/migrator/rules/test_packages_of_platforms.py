"""Packages in what submits jobs elsewhere: Airflow, and commands of programs.

The words in capitals stand for packages, as in `test_package_edits`.
"""

from __future__ import annotations

import pytest

from tests.support.migrator.fixes import fixed_report, fixed_text
from tests.support.migrator.packages import spelt

AIRFLOW = "SparkSubmitOperator(application='a.py'%s)\n"
HOOK = "hooks.SparkSubmitHook(application='a.py'%s)\n"
EMR = "aws emr --steps Args=[x%s,s3://x/a.py]\n"
FLOW = "a: [x%s, a.py]\n"

# where nothing follows, KAFKA becomes NEW
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
    (",\n  jars='JAR',\n  packages='a:b:1',\n", ",\n  packages='NEW,a:b:1',\n"),
    (", x='\u00e9\u20ac', packages='KAFKA', jars='JAR'", ", x='\u00e9\u20ac', packages='NEW'"),
]
FLOWS = [
    (", --packages, 'FLUME'", ""),
    (", --jars, 'JAR'", ", --packages, 'NEW'"),
]
BRACKETS = "[\n  'spark-submit',  # 'a'\n%s  '--name', name(x), '%%s.x' %% y,\n  'a.py',\n]\n"
LISTED = [
    ("  '--packages', 'KAFKA',\n",),
    ("  '--jars', 'JAR',\n  '--packages',\n  'KAFKA',\n", "  '--packages',\n  'KAFKA',\n"),
    ("  '--packages', 'KAFKA',\n  # '--jars', 'x',\n",),
]
CASES = [
    *(("a.py", "b = ['--class', 'a.B']\na = %s", BRACKETS, case) for case in LISTED),
    *(("a.py", "%s", "%s", case) for case in FORMATTED),
    *(("a.py", "%s", AIRFLOW, case) for case in CALLS),
    *(("a.py", f"%s{AIRFLOW % ', java_class=b'}", HOOK, case) for case in CALLS),
    *(("a.yaml", "%s", FLOW, case) for case in FLOWS),
]
CHANGED = [
    (name, outer % (inner % case[0]), outer % (inner % case[-1].replace("KAFKA", "NEW")))
    for name, outer, inner, case in CASES
]

UNCHANGED = [
    # what is read in no list
    ("a.sh", EMR % ",--packages,KAFKA"),
    ("a.sh", EMR % ",--jars,JAR,--packages,a:b:1"),
    ("a.sh", "gcloud dataproc jobs submit pyspark a.py --jars gs://b/JAR\n"),
    (
        "a.sh",
        "gcloud dataproc jobs submit pyspark a.py --properties spark.jars.packages=FLUME,a=b\n",
    ),
    ("w.xml", "<workflow-app><spark-opts>--packages KAFKA</spark-opts>a.py</workflow-app>"),
    ("a.yaml", FLOW % ", --packages, FLUME"),
    # jobs in Scala
    ("a.py", AIRFLOW % ", java_class='a.B', packages='KAFKA'"),
    # no place for the package, or nothing would stay
    ("a.py", AIRFLOW % ", jars='b.jar,JAR'"),
    ("a.yaml", FLOW % ", --jars, 'b.jar,JAR'"),
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


@pytest.mark.parametrize(("name", "before", "after"), CHANGED)
def test_changed(name: str, before: str, after: str) -> None:
    assert fixed_text(name, spelt(before)) == spelt(after)


@pytest.mark.parametrize("case", CALLS)
def test_calls_in_python2(case: tuple[str, ...]) -> None:
    before = f"print 'a, (', `b`, 0777  # ' (\n{AIRFLOW % case[0]}"
    after = AIRFLOW % case[-1].replace("KAFKA", "NEW")
    assert fixed_text("a.py", spelt(before)).endswith(f"# ' (\n{spelt(after)}")


@pytest.mark.parametrize(("name", "text"), UNCHANGED)
def test_unchanged(name: str, text: str) -> None:
    found = fixed_report(name, spelt(text))
    assert found.content is None
    assert not any(f.is_fixed for f in found.findings)


@pytest.mark.parametrize(("name", "before", "_"), CHANGED)
def test_unchanged_in_comments(name: str, before: str, _: str) -> None:
    text = spelt(before)
    commented = "".join(f"# {line}" for line in text.splitlines(keepends=True))
    assert fixed_report(name, commented).content is None


@pytest.mark.parametrize(("name", "before", "_"), CHANGED)
def test_packages_that_are_right_stay(name: str, before: str, _: str) -> None:
    for word in ("KAFKA", "FLUME", "MQTT"):
        before = before.replace(word, "a.b:c_2.13:1")
    assert fixed_report(name, spelt(before.replace("JAR", "c.jar"))).content is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '["spark-submit --packages KAFKA a.py", "spark-submit --jars JAR b.py"]\n'),
        ("a.sh", "spark-submit --packages KAFKA a.py && spark-submit --jars JAR b.py\n"),
        ("a.sh", "spark-submit --packages KAFKA a.py; spark-submit --jars JAR b.py\n"),
        ("a.yaml", "- spark-submit --packages KAFKA a.py\n- spark-submit --jars JAR b.py\n"),
        ("a.py", "a = ['spark-submit --packages KAFKA a.py', 'spark-submit --jars JAR b.py']\n"),
    ],
)
def test_each_command_gets_its_package(name: str, text: str) -> None:
    after = text.replace("--jars JAR", "--packages NEW").replace("KAFKA", "NEW")
    assert fixed_text(name, spelt(text)) == spelt(after)
