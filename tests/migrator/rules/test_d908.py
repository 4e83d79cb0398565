"""Old Sparks that programs name by their folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.model.report import Category, Safety
from migrator.run.scan import scan
from tests.support.migrator.fixes import fixed_report, fixed_text
from tests.support.migrator.reports import codes, report
from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]

OLD = "/opt/spark-2.4.4-bin-hadoop2.7"
CHANGED = [
    # findspark
    (f'import findspark\nfindspark.init("{OLD}")\nx = 1\n', "x = 1\n"),
    (f'import findspark\n\nfindspark.init("{OLD}")  # where\nx = 1\n', "\n# where\nx = 1\n"),
    (f"import findspark; findspark.init('{OLD}')\nx = 1\n", "x = 1\n"),
    (f"import findspark; findspark.init('{OLD}'); x = 1\n", "x = 1\n"),
    (f"import os, findspark\nfindspark.init('{OLD}')\n", "import os, findspark\n"),
    (f"import findspark as fs\nfs.init(spark_home='{OLD}')\nx = 1\n", "x = 1\n"),
    (f"from findspark import init\ninit('{OLD}')\nx = 1\n", "x = 1\n"),
    (
        f"import findspark\nHOME = '{OLD}'\nfindspark.init(HOME)\nx = 1\n",
        f"HOME = '{OLD}'\nx = 1\n",
    ),
    (
        f"import findspark\nHOME = '{OLD}'\nfindspark.init(HOME)\nprint(HOME)\n",
        f"HOME = '{OLD}'\nprint(HOME)\n",
    ),
    (
        f"import findspark\nfindspark.init('{OLD}')\nfindspark.add_jars('a.jar')\n",
        "import findspark\nfindspark.add_jars('a.jar')\n",
    ),
    ("import findspark\nfindspark.init('/usr/hdp/2.5.6.0-40/spark')\nx = 1\n", "x = 1\n"),
    ("import findspark\nfindspark.init('D:\\\\spark-3.1.2-bin-hadoop3.2')\nx = 1\n", "x = 1\n"),
    ("import findspark\nfindspark.init('/Cellar/apache-spark/2.4.4/libexec')\nx = 1\n", "x = 1\n"),
    ("import findspark\nfindspark.init('/usr/lib/spark2')\nx = 1\n", "x = 1\n"),
    (
        f"def go():\n    import findspark\n    findspark.init('{OLD}')\n\nx = 1\n",
        "def go():\n    pass\n\nx = 1\n",
    ),
    (
        f"import findspark\nif a:\n    # old\n    findspark.init('{OLD}')  # c\nelse:\n    b()\n",
        "if a:\n    # old\n    pass  # c\nelse:\n    b()\n",
    ),
    (
        f"import findspark\nif a: findspark.init('{OLD}')\nelse: b()\n",
        "if a: pass\nelse: b()\n",
    ),
    (
        f"try:\n    import findspark\n    findspark.init('{OLD}')\nexcept ImportError:\n    pass\n",
        "try:\n    pass\nexcept ImportError:\n    pass\n",
    ),
    # the variable
    (f"import os\nos.environ['SPARK_HOME'] = '{OLD}'\nx = 1\n", "import os\nx = 1\n"),
    (f"from os import environ\nenviron['SPARK_HOME'] = '{OLD}'\n", "from os import environ\n"),
    (
        f"import os\nif 'SPARK_HOME' not in os.environ:\n    os.environ['SPARK_HOME'] = '{OLD}'\n",
        "import os\nif 'SPARK_HOME' not in os.environ:\n    pass\n",
    ),
    (
        "import os, sys\n"
        "if 'SPARK_HOME' not in os.environ:\n"
        f"    os.environ['SPARK_HOME'] = '{OLD}'\n"
        "SPARK_HOME = os.environ['SPARK_HOME']\n"
        "sys.path.insert(0, os.path.join(SPARK_HOME, 'python', 'build'))\n",
        "import os, sys\n"
        "if 'SPARK_HOME' not in os.environ:\n"
        f"    os.environ['SPARK_HOME'] = '{OLD}'\n"
        "SPARK_HOME = os.environ['SPARK_HOME']\n",
    ),
    # the path of Python
    ("import sys\nsys.path.append('/x/python/lib/py4j-0.9-src.zip')\n", "import sys\n"),
    (f"import sys\nsys.path.insert(0, '{OLD}/python')\n", "import sys\n"),
    (
        "import os, sys\n"
        f"os.environ['SPARK_HOME'] = '{OLD}'\n"
        "sys.path.insert(0, os.path.join(os.environ['SPARK_HOME'], 'python'))\n"
        "sys.path.insert(\n"
        "    0, os.path.join(os.environ['SPARK_HOME'], 'python', 'lib', 'py4j-0.9-src.zip')\n)\n"
        "from pyspark import SparkContext\n",
        "import os, sys\nfrom pyspark import SparkContext\n",
    ),
    (
        "import os, sys\n"
        f"os.environ['SPARK_HOME'] = '{OLD}'\n"
        "os.environ['PYLIB'] = os.environ['SPARK_HOME'] + '/python/lib'\n"
        "sys.path.insert(0, os.environ['PYLIB'] + '/py4j-0.10.7-src.zip')\n"
        "sys.path.insert(0, os.environ['PYLIB'] + '/pyspark.zip')\n",
        "import os, sys\n",
    ),
    (
        "import glob, os, sys\n"
        f"home = '{OLD}'\n"
        "os.environ['SPARK_HOME'] = home\n"
        "sys.path.append(f'{home}/python')\n"
        "sys.path.append(glob.glob(os.path.join(home, 'python/lib/py4j-*.zip'))[0])\n",
        f"import glob, os, sys\nhome = '{OLD}'\n",
    ),
    (
        "import os, sys\n"
        "sys.path.append(os.path.join(os.environ['SPARK_HOME'], 'python/lib/py4j-0.9-src.zip'))\n"
        "print(os.environ['SPARK_HOME'])\n",
        "import os, sys\nprint(os.environ['SPARK_HOME'])\n",
    ),
]
# what is reported, and stays
REPORTED = [
    f"import os\nos.environ.setdefault('SPARK_HOME', '{OLD}')\n",
    f"import os\nos.environ.update(SPARK_HOME='{OLD}')\n",
    f"import os\nos.environ.update({{'SPARK_HOME': '{OLD}'}})\n",
    f"import os\nos.putenv('SPARK_HOME', '{OLD}')\n",
    f"import sys\nsys.path += ['{OLD}/python/lib/pyspark.zip']\n",
    f"import sys\nsys.path[:0] = [\n    '{OLD}/python',\n    '{OLD}/python/build',\n]\n",
    f"import sys\nsys.path.extend(('{OLD}/python', '{OLD}/python/lib'))\n",
    "import findspark\nfindspark.init(home)\n",
    "import findspark\n\ndef go(home):\n    findspark.init(home)\n",
    "import findspark\nimport sys\nfindspark.init(sys.argv[1])\n",
    "import findspark\nfindspark.init('/usr/local/spark')\n",
    "import findspark\nfindspark.init('/home/me/spark')\n",
    "import findspark\nfindspark.init('/opt/spark24')\n",
    f"import findspark\nx = findspark.init('{OLD}') or '{OLD}'\nfindspark.init('{OLD}', x)\n",
    f"import findspark\nfindspark.init('{OLD}', edit_rc=True)\n",
    f"import findspark\nfindspark.init(\n    '{OLD}'  # old\n)\n",
    f"import findspark\nfor home in ['{OLD}']:\n    findspark.init(home)\n",
    f"import os\nos.environ['SPARK_HOME'] = '{OLD}'\nprint(os.environ['SPARK_HOME'])\n",
    f"import os\nos.environ['SPARK_HOME'] = '{OLD}'\nprint(os.environ.get('SPARK_HOME'))\n",
    f"import os\nos.environ['SPARK_HOME'] = '{OLD}'\nos.system('$SPARK_HOME/bin/spark-submit')\n",
    f"import os\nos.environ.update(SPARK_HOME='{OLD}', A='b')\n",
    f"import os\nos.environ.update(SPARK_HOME='{OLD}', **more)\n",
    f"import os\nos.environ.update({{'SPARK_HOME': '{OLD}', key: 'b'}})\n",
    "import os\nos.environ['SPARK_HOME'] = home\n",
    f"import os\nKEY = 'SPARK_HOME'\nos.environ[KEY] = '{OLD}'\n",
    f"import os\nKEY = 'SPARK_HOME'\nos.environ[KEY] = '{OLD}'\nx = os.environ[KEY]\n",
    "import os\nos.environ['SPARK_HOME'] = '/usr/local/spark'\n",
    f"import sys\nsys.path += ['{OLD}/python', '/mine']\n",
    f"import findspark\ngo = lambda: findspark.init('{OLD}')\n",
    f"import findspark\nx = findspark.init('{OLD}')\n",
    f"import findspark\nx and findspark.init('{OLD}')\n",
    "conf.set('spark.executorEnv.PYTHONPATH', '/x/python/lib/py4j-0.10.4-src.zip')\n",
    "import sys\nsys.path.append('/usr/local/spark/python')\n",
]
SILENT = [
    "import findspark\n",
    "import findspark\nfindspark.init('/opt/spark-4.0.1-bin-hadoop3')\n",
    "import findspark\nfindspark.init('/opt/spark4')\n",
    "import findspark\nfindspark.add_packages('a:b:1')\n",
    f"def init(home):\n    pass\n\ninit('{OLD}')\n",
    f"findspark = object()\nfindspark.init('{OLD}')\n",
    f"import findspark\nfindspark = mine\nfindspark.init('{OLD}')\n",
    f"class findspark:\n    init = print\n\nfindspark.init('{OLD}')\n",
    f"'''findspark.init('{OLD}')'''\n",
    f"# findspark.init('{OLD}')\nx = 'SPARK_HOME'\n",
    f"home = '{OLD}'\nprint(home)\n",
    "import os\nos.environ['SPARK_HOME'] = '/opt/spark-4.1.0'\n",
    "import os, pyspark\nos.environ['SPARK_HOME'] = os.path.dirname(pyspark.__file__)\n",
    "import os\nprint(os.environ['SPARK_HOME'])\n",
    "import os\nos.environ['KAFKA_HOME'] = '/opt/kafka-2.4.0'\n",
    "import os\nos.environ['HADOOP_HOME'] = '/opt/hadoop-2.7'\n",
    f"conf = {{}}\nconf['SPARK_HOME'] = '{OLD}'\n",
    f"import os\nos.environ['MY_SPARK_HOME'] = '{OLD}'\n",
    "import sys\nsys.path.append('/mine/python')\n",
    "import sys\nsys.path.append('/opt/kafka-2.4.0/python')\n",
    "import sys\nsys.path.append('/opt/spark-4.0.0/python/lib/py4j-0.10.9.9-src.zip')\n",
    "import os, sys\nsys.path.append(os.path.join(os.environ['SPARK_HOME'], 'python'))\n",
    "import os, sys\nsys.path.append(os.environ['SPARK_DIR'] + '/python')\n",
    f"path = []\npath.append('{OLD}/python')\n",
    "import sys\nsys.path.insert(0, 'lib')  # py4j-0.9-src.zip\n",
]

FIRES = [*(before for before, _ in CHANGED), *REPORTED]
NEW = "/opt/spark-4.1.0-bin-hadoop3"


def all_codes(source: str) -> list[str]:
    return [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize(("before", "after"), CHANGED)
def test_changed(before: str, after: str) -> None:
    assert fixed_text("job.py", before) == after


@pytest.mark.parametrize(("before", "after"), CHANGED)
def test_changed_with_other_line_ends(before: str, after: str) -> None:
    assert fixed_text("job.py", before.replace("\n", "\r\n")) == after.replace("\n", "\r\n")


@pytest.mark.parametrize("source", REPORTED)
def test_reported(source: str) -> None:
    assert set(all_codes(source)) == {"D908"}
    found = fixed_report("job.py", source)
    assert found.content is None
    assert all(f.severity == "error" for f in found.findings)


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert all_codes(source) == []
    assert fixed_report("job.py", source).content is None


@pytest.mark.parametrize("source", FIRES)
def test_silent_in_comments(source: str) -> None:
    commented = "".join(f"# {line}" for line in source.splitlines(keepends=True))
    assert all_codes(commented) == []


@pytest.mark.parametrize("source", FIRES)
def test_silent_as_text(source: str) -> None:
    assert all_codes(repr(source)) == []


@pytest.mark.parametrize(
    "source", [s for s in FIRES if OLD in s and "py4j" not in s and "for home" not in s]
)
def test_no_error_with_a_new_spark(source: str) -> None:
    found = fixed_report("job.py", source.replace(OLD, NEW))
    assert [f.message for f in found.findings if f.severity == "error"] == []
    assert found.content is None


@pytest.mark.parametrize(
    "source",
    [
        "import findspark\nfindspark.init()\n",
        "import findspark\nfindspark.init('')\n",
        "import findspark\nfindspark.init(None)\n",
        "import findspark\nfindspark.init(python_path='python3')\n",
        "import findspark, os\nfindspark.init(os.environ['SPARK_HOME'])\n",
        "import findspark, os\nfindspark.init(os.environ.get('SPARK_HOME'))\n",
    ],
)
def test_a_search_is_a_note(source: str) -> None:
    (found,) = report(source).findings
    assert (found.code, found.severity, found.category) == ("D908", "info", Category.NOTE)
    assert found.fix is None


def test_a_folder_without_a_version_is_dropped_only_if_asked() -> None:
    source = "import findspark\nfindspark.init('/usr/local/spark')\nx = 1\n"
    (found,) = report(source).findings
    assert found.safety is Safety.UNSAFE
    assert fixed_text("job.py", source, unsafe=True) == "x = 1\n"


def test_a_cluster_may_need_the_python_that_findspark_names() -> None:
    source = (
        f"import findspark\nfindspark.init('{OLD}')\nfrom pyspark import SparkConf\n"
        "conf = SparkConf().setMaster('yarn')\n"
    )
    (found,) = report(source).findings
    assert found.safety is Safety.UNSAFE
    named = f"import os\nos.environ['PYSPARK_PYTHON'] = 'python3'\n{source}"
    assert report(named).findings[0].safety is Safety.SAFE


def test_what_shares_a_fix_with_an_ignored_statement_stays() -> None:
    source = (
        f"import os, sys\nos.environ['SPARK_HOME'] = '{OLD}'\n"
        f"sys.path.append('{OLD}/python')  # migrate: ignore[D908]\n"
    )
    found = fixed_report("job.py", source)
    assert found.content is None
    assert [f.is_open for f in found.findings] == [True, False]


@pytest.mark.parametrize("link", ["import more\n", "from lib import more\n", ""])
def test_a_variable_that_another_module_reads_stays(
    migrate: Migrate, tmp_path: Path, link: str
) -> None:
    job = f"import os\n{link}os.environ['SPARK_HOME'] = '{OLD}'\n{JOB}"
    (tmp_path / "job.py").write_text(job)
    (tmp_path / "lib").mkdir()
    for name in ("more.py", "lib/more.py"):
        (tmp_path / name).write_text("import os\nprint(os.environ['SPARK_HOME'])\n")
    assert migrate(tmp_path, "--in-place").code == (1 if link else 0)
    assert (OLD in (tmp_path / "job.py").read_text()) == bool(link)


def test_a_variable_that_an_importing_module_reads_stays(migrate: Migrate, tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(f"import os\nos.environ['SPARK_HOME'] = '{OLD}'\n{JOB}")
    (tmp_path / "main.py").write_text("import os, job\nprint(os.environ['SPARK_HOME'])\n")
    assert migrate(tmp_path, "--in-place").code == 1
    assert OLD in (tmp_path / "job.py").read_text()


def notebook(*cells: str) -> str:
    found = [
        {"cell_type": "code", "metadata": {}, "source": cell.splitlines(keepends=True)}
        for cell in cells
    ]
    return json.dumps({"cells": found, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def sources(text: str) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(text)["cells"]]


def test_notebook() -> None:
    before = notebook(
        f"import findspark\nfindspark.init('{OLD}')",
        "%matplotlib inline\nimport os",
        f"%time os.environ['SPARK_HOME'] = '{OLD}'\n1",
        JOB,
    )
    assert sources(fixed_text("job.ipynb", before))[:3] == [
        "",
        "%matplotlib inline\nimport os",
        "%time pass\n1",
    ]


@pytest.mark.parametrize("cell", [f"findspark.init('{OLD}') ...", f"%%bash\nls '{OLD}'"])
def test_cells_that_stay(cell: str) -> None:
    before = notebook(cell, JOB)
    assert sources(fixed_text("job.ipynb", before))[0] == cell


@pytest.mark.parametrize(
    "text",
    [
        "from pyspark.sql import SparkSession\nx = os.environ['SPARK_HOME'] = '/opt/spark-2.4.0'\n",
        "import findspark\nfindspark.init('/opt/spark-2.4.0')\n",
        "import pyspark\nrun(env_vars={'JAVA_HOME': '/opt/jdk1.8.0_131'})\n",
    ],
)
def test_other_programs_of_spark_are_left(tmp_path: Path, text: str) -> None:
    (tmp_path / "other.py").write_text(text)
    (tmp_path / "job.py").write_text(JOB)
    assert [f.path for f in scan(tmp_path, "check").files] == ["job.py"]


@pytest.mark.parametrize("path", ["/opt/spark", "/opt/spark-2.4.8"])
def test_nothing_without_dstream_code(tmp_path: Path, path: str) -> None:
    (tmp_path / "job.py").write_text(
        f"import findspark\nfindspark.init({path!r})\nfrom pyspark.sql import SparkSession\n"
        "# spark.streaming\nSparkSession.builder.getOrCreate().readStream\n"
    )
    assert scan(tmp_path, "check").files == []
    (tmp_path / "other.py").write_text(JOB)
    found = {f.path: [x.code for x in f.findings] for f in scan(tmp_path, "check").files}
    assert "D908" in found["job.py"]


@pytest.mark.parametrize(
    "text",
    [
        "import subprocess\nsubprocess.call(['/opt/spark-2.4.0/bin/spark-submit', 'job.py'])\n",
        "import os\nos.system('/opt/spark-2.4.0/bin/spark-submit --master yarn job.py')\n",
        "RUN = 'C:\\\\spark-2.4.0\\\\bin\\\\spark-submit job.py'\n",
        "run(env_vars={'SPARK_HOME': '/opt/spark-2.4.0'})\n",
        "conf.set('spark.yarn.appMasterEnv.SPARK_HOME', '/opt/spark-2.4.0')\n",
        "run('SPARK_HOME=/opt/spark-2.4.0 spark-submit job.py')\n",
        "run('export SPARK_HOME=/opt/spark-2.4.0\\n$SPARK_HOME/bin/spark-submit job.py')\n",
    ],
)
def test_programs_that_start_jobs(tmp_path: Path, text: str) -> None:
    """They are read, though nothing in them names DStreams, for their Spark, Java and Python."""
    more = "print(unicode(1))\nimport os\nos.environ['JAVA_HOME'] = '/opt/jdk1.8.0_131'\n"
    (tmp_path / "start.py").write_text(text + more)
    assert scan(tmp_path, "check").files == []
    (tmp_path / "job.py").write_text(JOB)
    found = {f.path: f for f in scan(tmp_path, "check").files}["start.py"]
    assert [f.code for f in found.findings] == ["D908", "D909"]
    assert not any(f.fix for f in found.findings)


@pytest.mark.parametrize(
    "text",
    [
        "x = ['/opt/spark-4.1.0/bin/spark-submit', 'job.py']\n",
        "x = ['spark-submit', 'job.py']\n",
        "x = '/usr/bin/spark-submit job.py'\n",
        "x = '/opt/spark-2.4.0/bin/spark-submit --class a.B x.jar'\n",
        "x = '/opt/kafka_2.11-2.4.0/bin/kafka-topics.sh'\n",
        "'''/opt/spark-2.4.0/bin/spark-submit job.py'''\n",
        "# /opt/spark-2.4.0/bin/spark-submit job.py\n",
        "x = {'SPARK_HOME': '/opt/spark-4.1.0', 'HOME': '/opt/spark-2.4.0'}\n",
        "conf.set('spark.yarn.appMasterEnv.SPARK_HOME', '/opt/spark-4.1.0')\n",
        "OLD = '/opt/spark-4.1.0'\nrun(f'{OLD}/bin/spark-submit job.py')\n",
        "OLD = '/opt/spark-2.4.0'\nrun(f'{OLD}/bin/spark-submit --class a.B a.jar')\n",
        "OLD = '/opt/spark-2.4.0'\nrun(OLD + '/README.md', 'spark-submit')\n",
        "run('SPARK_HOME=/opt/spark-4.1.0 spark-submit job.py')\n",
        "run('MY_SPARK_HOME=/opt/spark-2.4.0 spark-submit job.py')\n",
    ],
)
def test_programs_that_start_jobs_on_a_new_spark(text: str) -> None:
    assert "D908" not in [f.code for f in report(text, "start.py").findings]
