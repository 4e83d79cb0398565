"""Star imports that other modules of a tree pass on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.migrator.reports import project

STAR = "from pyspark.streaming import *\n"
MODELS = "class State:\n    pass\n"
JOB = "from models import State\nfrom deps import *\nssc = StreamingContext(None, 1)\n"
JOB += "ssc.queueStream([]).map(lambda x: State(x))\n"


def notebook(*cells: str) -> str:
    parts = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": c}
        for c in cells
    ]
    return json.dumps({"cells": parts, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


CLASH: dict[str, tuple[str, dict[str, str]]] = {
    "imported before the star": ("job.py", {"models.py": MODELS, "job.py": JOB}),
    "passed on once more": (
        "job.py",
        {
            "models.py": MODELS,
            "a.py": "from deps import *\n",
            "job.py": JOB.replace("from deps", "from a"),
        },
    ),
    "through a package": (
        "pkg/job.py",
        {
            "models.py": MODELS,
            "pkg/__init__.py": "from deps import *\n",
            "pkg/job.py": "from models import State\nfrom . import *\nState()\n",
        },
    ),
    "in a circle": (
        "a.py",
        {
            "a.py": "from deps import *\nfrom job import *\n",
            "job.py": "from a import *\nclass StateSpec: pass\n",
        },
    ),
    "a function": ("job.py", {"job.py": "from deps import *\ndef install(): pass\n"}),
    "a name of a star from outside": (
        "job.py",
        {"job.py": "from theirs import *\nfrom deps import *\nState()\n"},
    ),
    "both by star": (
        "job.py",
        {"models.py": MODELS, "job.py": "from models import *\nfrom deps import *\n"},
    ),
    "both by star, further on": (
        "job.py",
        {
            "models.py": MODELS,
            "more.py": "from models import *\n",
            "job.py": "from more import *\nfrom deps import *\n",
        },
    ),
    "only passed on": (
        "job.py",
        {"models.py": MODELS, "job.py": "from models import State\nfrom deps import *\n"},
    ),
    "asked for by name": (
        "user.py",
        {
            "job.py": "from theirs import *\nfrom deps import *\n",
            "user.py": "from job import State\n",
        },
    ),
    "asked for as an attribute": (
        "user.py",
        {
            "job.py": "from theirs import *\nfrom deps import *\n",
            "user.py": "import job as j\nj.State()\n",
        },
    ),
    "a notebook that runs it": (
        "job.ipynb",
        {"job.ipynb": notebook("class State: pass", "%run deps.py", "State()")},
    ),
    "a notebook that runs both": (
        "job.ipynb",
        {"models.py": MODELS, "job.ipynb": notebook("%run models.py", "%run deps.py")},
    ),
}
SAME: dict[str, dict[str, str]] = {
    "only the names of Spark": {"job.py": "from deps import *\nStreamingContext(None, 1)\n"},
    "by name": {"job.py": "from models import State\nfrom deps import DStream\nState()\n"},
    "the module": {"job.py": "from models import State\nimport deps\nState()\n"},
    "a star of another module": {
        "other.py": "x = 1\n",
        "job.py": "from models import State\nfrom other import *\nState()\n",
    },
    "an attribute of another module": {
        "job.py": "import models\nfrom deps import *\nmodels.State()\n"
    },
    "an attribute of a module beside it": {
        "job.py": "import models\nimport deps\nmodels.State()\n",
    },
    "under another name": {"job.py": "from models import State as S\nfrom deps import *\nS()\n"},
    "ours": {"job.py": "from dstream_compat import State\nfrom deps import *\nState()\n"},
    "ours by a star": {"job.py": "from dstream_compat import *\nfrom deps import *\nState()\n"},
    "a list of names stops it": {
        "a.py": "from deps import *\n__all__ = ['StreamingContext']\n",
        "job.py": "from models import State\nfrom a import *\nState()\n",
    },
    "a list of names keeps it from another star": {
        "more.py": "from models import *\n__all__ = ['other']\n",
        "job.py": "from more import *\nfrom deps import *\n",
    },
    "text": {"job.py": "from deps import *\nprint('State')  # State()\n"},
    "a keyword": {"job.py": "from deps import *\nf(State=1)\n"},
    "the other direction": {"deps.py": STAR + "from job import f\n", "job.py": MODELS},
    "a module of which only one name is taken": {
        "deps.py": STAR + "from models import run\n",
        "job.py": "from deps import *\nrun()\n",
    },
}


@pytest.mark.parametrize("name", CLASH)
def test_a_star_that_would_take_a_name_stays(tmp_path: Path, name: str) -> None:
    place, files = CLASH[name]
    report = project(tmp_path, {"deps.py": STAR, **files})
    assert report.internal_errors == 0
    (deps,) = [f for f in report.files if f.path == "deps.py"]
    assert deps.content is None
    (finding,) = deps.findings
    assert finding.code == "D104"
    assert f"used in {place}, which this star gets to" in finding.message


@pytest.mark.parametrize("name", SAME)
def test_a_star_that_takes_no_name_moves(tmp_path: Path, name: str) -> None:
    files = {"deps.py": STAR, "models.py": MODELS, **SAME[name]}
    report = project(tmp_path, files)
    assert report.internal_errors == 0
    (deps,) = [f for f in report.files if f.path == "deps.py"]
    assert deps.content is not None
    assert deps.content.decode() == files["deps.py"].replace("pyspark.streaming", "dstream_compat")


@pytest.mark.parametrize(
    "own",
    [
        "from models import State\n" + STAR,
        "from models import *\n" + STAR,
        "from models import StateSpec as State\n" + STAR,
        "import State\n" + STAR,
    ],
)
def test_names_of_the_file_itself(tmp_path: Path, own: str) -> None:
    report = project(tmp_path, {"deps.py": own, "models.py": MODELS})
    (deps,) = report.files
    assert deps.content is None
    assert "State, used here" in deps.findings[0].message


def test_a_module_of_fewer_added_names(tmp_path: Path) -> None:
    """What the stars of other modules add is not asked for."""
    files = {
        "a.py": "from pyspark.streaming.context import *\n",
        "b.py": "from pyspark.streaming.mqtt import *\n",
        "models.py": MODELS,
        "job.py": "from models import State\nfrom a import *\nfrom b import *\nState()\n",
    }
    report = project(tmp_path, files)
    assert [f.path for f in report.files if f.content is not None] == ["a.py", "b.py"]
