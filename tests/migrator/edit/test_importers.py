"""What other modules of a tree see of a module that is rewritten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.migrator.reports import project

DEPS = "import pyspark.streaming\n"
USED = "sc = pyspark.SparkContext()\n"


def notebook(*cells: str) -> str:
    parts = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": c}
        for c in cells
    ]
    return json.dumps({"cells": parts, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


KEPT: dict[str, dict[str, str]] = {
    "imported by name": {"job.py": "from deps import pyspark\n" + USED},
    "imported by another name": {"job.py": "from deps import pyspark as ps\nps.SparkContext()\n"},
    "imported in a function": {"job.py": "def f():\n    from deps import pyspark\n    " + USED},
    "star": {"job.py": "from deps import *\n" + USED},
    "an attribute": {"job.py": "import deps\ndeps.pyspark.SparkContext()\n"},
    "an attribute of a renamed module": {"job.py": "import deps as d\nd.pyspark.SparkContext()\n"},
    "getattr": {"job.py": "import deps\ngetattr(deps, 'pyspark').SparkContext()\n"},
    "a patch of a test": {"test_deps.py": "import deps\nmock.patch('deps.pyspark.SparkContext')\n"},
    "passed on": {"a.py": "from deps import pyspark\n", "job.py": "from a import pyspark\n" + USED},
    "passed on by stars": {"a.py": "from deps import *\n", "job.py": "from a import *\n" + USED},
    "a notebook that runs it": {"job.ipynb": notebook("%run deps.py", USED)},
    "a notebook": {"job.ipynb": notebook("from deps import *", USED)},
    "no job at all": {"job.py": "from deps import *\n"},
}
DROPPED: dict[str, dict[str, str]] = {
    "nobody": {"job.py": "import os\n"},
    "an import of its own": {"job.py": "import deps\nimport pyspark\n" + USED},
    "an import of its own, and another name": {
        "job.py": "from deps import x\nimport pyspark\n" + USED
    },
    "the module alone": {"job.py": "import deps\ndeps.run()\n"},
    "another module of that name": {
        "lib/deps.py": "import pyspark\n",
        "lib/__init__.py": "",
        "job.py": "from lib.deps import pyspark\n" + USED,
    },
    "the same name of another module": {
        "other.py": "import pyspark\n",
        "job.py": "from other import pyspark\n" + USED,
        "main.py": "import deps\n",
    },
    "a star of another module": {
        "other.py": "import pyspark\n",
        "job.py": "from other import *\nfrom deps import run\n" + USED,
    },
    "a comment": {"job.py": "import deps\n# deps.pyspark\n"},
    "a logger": {"job.py": "import deps\ngetLogger('pyspark.sql')\n"},
    "not Python": {"job.py": "from deps import pyspark\n  ?\n"},
}


def after(root: Path, files: dict[str, str], name: str = "deps.py") -> str:
    report = project(root, files)
    assert report.internal_errors == 0
    content = next(f.content for f in report.files if f.path == name)
    return files[name] if content is None else content.decode()


@pytest.mark.parametrize("name", KEPT)
def test_pyspark_is_kept_for_others(tmp_path: Path, name: str) -> None:
    files = {"deps.py": DEPS, **KEPT[name]}
    assert after(tmp_path, files) == "import pyspark\nimport dstream_compat\n"


@pytest.mark.parametrize("name", DROPPED)
def test_pyspark_goes_where_nobody_sees_it(tmp_path: Path, name: str) -> None:
    files = {"deps.py": DEPS, **DROPPED[name]}
    assert after(tmp_path, files) == "import dstream_compat\n"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        # what others see is there already, or is not the name of the module
        ("import pyspark\nimport pyspark.streaming\n", "import pyspark\nimport dstream_compat\n"),
        ("import pyspark.streaming\nimport pyspark\n", "import dstream_compat\nimport pyspark\n"),
        ("import pyspark.streaming as st\n", "import dstream_compat as st\n"),
        (
            "import pyspark.streaming.kafka\nimport pyspark.streaming\n",
            "import pyspark\nimport dstream_compat.kafka\nimport dstream_compat\n",
        ),
        (
            "def f():\n    import pyspark.streaming\n    pyspark.streaming.DStream\n",
            "def f():\n    import dstream_compat\n    dstream_compat.DStream\n",
        ),
        (
            "import pyspark.streaming\n__all__ = ['ssc']\nssc = pyspark.streaming.DStream\n",
            "import dstream_compat\n__all__ = ['ssc']\nssc = dstream_compat.DStream\n",
        ),
        (
            "import pyspark.streaming\n__all__ = ['pyspark']\n",
            "import pyspark\nimport dstream_compat\n__all__ = ['pyspark']\n",
        ),
        (
            "import pyspark.streaming\n__all__ = [n for n in dir()]\n",
            "import pyspark\nimport dstream_compat\n__all__ = [n for n in dir()]\n",
        ),
        (
            "import pyspark.streaming\n__all__ = []\n__all__ += other.__all__\n",
            "import pyspark\nimport dstream_compat\n__all__ = []\n__all__ += other.__all__\n",
        ),
    ],
)
def test_a_star_sees_what_is_exported(tmp_path: Path, before: str, expected: str) -> None:
    files = {"deps.py": before, "job.py": "from deps import *\nrun()\n"}
    assert after(tmp_path, files) == expected


def test_packages(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "import pyspark.streaming\n",
        "pkg/a.py": "from . import pyspark\n" + USED,
        "pkg/b/__init__.py": "import pyspark.streaming\n",
        "pkg/b/c.py": "from pkg.b import other\n",
    }
    assert after(tmp_path / "1", files, "pkg/__init__.py") == (
        "import pyspark\nimport dstream_compat\n"
    )
    assert after(tmp_path / "2", files, "pkg/b/__init__.py") == "import dstream_compat\n"


@pytest.mark.parametrize(
    "job",
    [
        "from deps import pyspark\npyspark.streaming.StreamingContext(None, 1)\n",
        "from deps import pyspark as ps\nps.streaming.StreamingContext(None, 1)\n",
        "from deps import *\npyspark.streaming.StreamingContext(None, 1)\n",
        "import deps\ndeps.pyspark.streaming.StreamingContext(None, 1)\n",
        "from deps import pyspark\nregister(pyspark)\n",
        "from deps import *\nclass A: api = pyspark\n",
    ],
)
def test_the_import_stays_for_paths_of_others(tmp_path: Path, job: str) -> None:
    files = {"deps.py": DEPS, "job.py": job}
    report = project(tmp_path, files)
    assert [f.content for f in report.files if f.path == "deps.py"] == [None]
    (finding,) = report.files[0].findings
    assert finding.code == "D105"
    assert "`pyspark` of this module is used in job.py, line 2" in finding.message


@pytest.mark.parametrize(
    "job",
    [
        "import deps\nimport pyspark.streaming\npyspark.streaming.StreamingContext(None, 1)\n",
        "from deps import *\nimport pyspark.streaming\npyspark.streaming.DStream\n",
        "import deps\ndeps.config.streaming.interval\n",
        "from deps import config\nconfig.streaming.interval\n",
        "from deps import pyspark\nif pyspark:\n    print(pyspark)\n",
        "from deps import *\ndef f(pyspark):\n    return pyspark.sql\n",
        "from deps import *\ndef f(pyspark):\n    return pyspark\nDStream = 1\n",
    ],
)
def test_the_import_moves_where_others_have_their_own(tmp_path: Path, job: str) -> None:
    content = after(tmp_path, {"deps.py": DEPS, "job.py": job})
    assert content.splitlines()[-1] == "import dstream_compat"


def test_the_import_stays_for_paths_further_on(tmp_path: Path) -> None:
    files = {
        "deps.py": DEPS,
        "a.py": "from deps import *\nfrom b import *\n",
        "b.py": "from a import pyspark\n",
        "job.py": "from b import pyspark\npyspark.streaming.DStream\n",
    }
    report = project(tmp_path, files)
    assert [f.path for f in report.files if f.content is not None] == []
    assert "used in job.py, line 2" in report.files[0].findings[0].message


def test_a_module_that_has_the_package_from_outside(tmp_path: Path) -> None:
    """The import that fills the package is elsewhere; what reads it is still reported."""
    files = {
        "deps.py": DEPS,
        "job.py": "import deps\nimport pyspark\nglobals()['pyspark'].streaming.DStream\n",
    }
    report = project(tmp_path, files)
    codes = {f.path: [x.code for x in f.findings if not x.is_fixed] for f in report.files}
    assert codes["job.py"] == ["D105"]
