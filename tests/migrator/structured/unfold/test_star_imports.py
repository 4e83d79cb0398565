"""Names that come with a star from a module of the project are imported by name."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.program.modules import SourceModule
from migrator.structured.refusals import NotExpressible
from migrator.structured.unfold.other_files import with_explicit_imports
from tests.support.structured.around import modules_in


def explicit(text: str, **others: str) -> str:
    texts = {f"{name}.py": source for name, source in others.items()}
    around = modules_in(texts, lambda path: set())
    return with_explicit_imports(SourceModule(text, ast.parse(text)), around).text


COMMON = """import json
import os.path
from operator import add as plus
from pyspark import SparkContext

NAME = "a"
_HIDDEN = "b"


def show(rdd):
    print(rdd)


def sum(numbers):
    return 1
"""


@pytest.mark.parametrize(
    ("uses", "imports"),
    [
        ("show(NAME)", "from common import NAME, show\n"),
        ("sc = SparkContext(NAME)", "from common import NAME\nfrom pyspark import SparkContext\n"),
        ("json.loads(plus)", "import json\nfrom operator import add as plus\n"),
        ("os.path.join('a')", "import os.path\n"),
        # nothing of it is used
        ("print(1)", ""),
        # a builtin that it hides
        ("sum([1])", "from common import sum\n"),
    ],
)
def test_names(uses: str, imports: str) -> None:
    text = explicit(f"from common import *\n{uses}\n", common=COMMON)
    assert text == f"from common import *\n{imports}{uses}\n"


def test_stars_behind_each_other() -> None:
    text = explicit(
        "from first import *\nshow(NAME)\n",
        first="from common import *\nNAME = 2\n",
        common=COMMON,
    )
    assert text == (
        "from first import *\nfrom common import show\nfrom first import NAME\nshow(NAME)\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "NAME = 1\nfrom common import *\nshow(NAME)\n",
        "from common import *\nNAME = NAME + 'b'\nshow(NAME)\n",
        "from common import *\nprint(NAME)\nNAME = 1\nshow(NAME)\n",
    ],
)
def test_a_star_that_gives_a_name_of_the_job_another_value(text: str) -> None:
    with pytest.raises(NotExpressible, match="`NAME` is bound by the job and by the star"):
        explicit(text, common=COMMON)


def test_a_name_that_the_job_binds_itself_behind_a_star() -> None:
    text = explicit("from common import *\nNAME = 1\nshow(NAME)\n", common=COMMON)
    assert text == "from common import *\nfrom common import show\nNAME = 1\nshow(NAME)\n"


@pytest.mark.parametrize(
    ("text", "others"),
    [
        # no module of the project
        ("from elsewhere import *\nshow(NAME)\n", {}),
        # a name that only runs tell
        ("from common import *\nglobals()['show'](1)\n", {"common": COMMON}),
        ("import common\ncommon.show(1)\n", {"common": COMMON}),
        ("from common import show\nshow(1)\n", {"common": COMMON}),
    ],
)
def test_other_imports_stay(text: str, others: dict[str, str]) -> None:
    assert explicit(text, **others) == text


def test_stars_of_others() -> None:
    common = f"from pyspark.sql import *\n{COMMON}"
    text = explicit("from common import *\nshow(Row)\n", common=common)
    assert text == (
        "from common import *\nfrom pyspark.sql import Row\nfrom common import show\nshow(Row)\n"
    )
