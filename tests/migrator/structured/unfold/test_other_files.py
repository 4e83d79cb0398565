"""Code of other files is in the file of the job, under names that mean the same there."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.program.modules import SourceModule
from migrator.structured.refusals import NotExpressible
from migrator.structured.unfold.other_files import with_other_files
from tests.support.structured.around import modules_in

JOB = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext
{imports}

ssc = StreamingContext(SparkContext(appName="Job"), 1)
{body}
"""
SHOWN = "def shown(lines):\n    lines.pprint()\n"


def merged(imports: str, body: str, whole: bool = False, **others: str) -> SourceModule:
    """The job with what it takes; names of files have `__` for `/`, those of packages an end."""
    paths = {name: name.replace("__", "/").removesuffix("/") for name in others}
    texts = {
        f"{paths[name]}/__init__.py" if name.endswith("__") else f"{paths[name]}.py": text
        for name, text in others.items()
    }

    def stream_lines(path: str) -> set[int]:
        lines = enumerate(texts[path].splitlines(), 1)
        return {number for number, line in lines if "lines." in line}

    text = JOB.format(imports=imports, body=body)
    around = modules_in(texts, stream_lines)
    return with_other_files(SourceModule(text, ast.parse(text)), around, whole)


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("import a", "a.shown(ssc)"),
        ("import a as b", "b.shown(ssc)"),
        ("from a import shown", "shown(ssc)"),
        ("from a import shown as show", "show(ssc)"),
    ],
)
def test_a_function(imports: str, call: str) -> None:
    module = merged(imports, call, a=SHOWN)
    name = "show" if " as show" in imports else "shown"
    assert f"def {name}(lines):\n    lines.pprint()\n" in module.text
    assert module.text.endswith(f"\n{name}(ssc)\n") and "import a" not in module.text
    assert module.taken == (("a.py", "shown"),)
    line = module.text.splitlines().index("    lines.pprint()") + 1
    assert module.place(line) == ("a.py", 2)
    assert module.origin(line) == 3


def test_another_layout() -> None:
    module = merged("import a", "a.shown(ssc)", a="def shown(lines):\n\tprint(1); lines.pprint()\n")
    assert "def shown(lines):\n    print(1)\n    lines.pprint()\n" in module.text
    line = module.text.splitlines().index("    lines.pprint()") + 1
    assert module.place(line) == ("a.py", 2)


def test_packages() -> None:
    module = merged(
        "from p import build, other",
        "build(ssc)\nother.run()",
        p__="from . import other\nfrom .q import build\n",
        p__q="from .r import shown as s\n\n\ndef build(ssc):\n    s(ssc)\n",
        p__r=SHOWN,
        p__other="def run(): ...\n",
    )
    assert [name for _, name in module.taken] == ["shown", "build"]
    assert "def build(ssc):\n    shown(ssc)\n" in module.text
    assert "from p import other\n" in module.text


def test_names_that_the_job_has_for_something_else() -> None:
    code = f"import json as j\nfrom os import path\n\n\ndef helper(): ...\n\n\n{SHOWN}"
    code += "    print(j, path, helper(), SIZE)\n\n\nSIZE = 3\n"
    module = merged("import a\nimport json", "path = helper = 1\na.shown(ssc)\nprint(json)", a=code)
    assert "    print(json, path_2, helper_2(), SIZE)" in module.text
    assert "from os import path as path_2\n" in module.text
    assert "from a import SIZE, helper as helper_2\n" in module.text


def test_a_name_of_the_function_in_the_job() -> None:
    module = merged("import a", "shown = 1\na.shown(ssc)", a=SHOWN)
    assert "def shown_2(lines):" in module.text and "shown_2(ssc)" in module.text


def test_what_importing_does_stays() -> None:
    for code, stays in [
        ("print(1)\n", True),
        ("import b\n", True),
        ("import logging\nlog = logging.getLogger('a')\n", False),
        ("if __name__ == '__main__':\n    print(1)\n", False),
        ("class A:\n    x = print(1)\n", True),
    ]:
        module = merged("import a", "a.shown(ssc)", a=code + SHOWN, b="import a\nprint(2)\n")
        assert ("import a\n" in module.text) == stays, code


def test_classes_with_their_bases() -> None:
    code = "class Base:\n    pass\n\n\nclass Job(Base):\n    def run(self, lines):\n"
    code += "        lines.pprint()\n"
    module = merged("from a import Job", "Job().run(ssc)", a=code)
    assert module.text.index("class Base:") < module.text.index("class Job(Base):")


def test_functions_that_streams_are_given() -> None:
    code = f"SIGN = '!'\n\n\ndef loud(text):\n    return text + SIGN\n\n\n{SHOWN}"
    code += "    lines.map(loud).pprint()\n"
    assert "def loud" not in merged("import a", "a.shown(ssc)", a=code).text
    module = merged("import a", "a.shown(ssc)", whole=True, a=code)
    assert "def loud(text):" in module.text and "SIGN = '!'" in module.text
    assert {each.name: each.statement for each in module.copies} == {
        "SIGN": "from a import SIGN",
        "loud": "from a import loud",
    }


def test_what_is_not_of_the_job_stays() -> None:
    for code in (
        "def shown(lines):\n    print(lines)\n",
        "shown = print\n",
        "shown = 1\ndel shown\n",
    ):
        module = merged("import a", "a.shown(ssc)", a=code)
        assert "import a\n" in module.text and not module.taken


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (f"{SHOWN}    print(__name__)\n", "`__name__` is another one"),
        (f"n = 1\nn = 2\n\n\n{SHOWN}    print(n)\n", "`n` is bound again"),
        (f"{SHOWN}    print(n)\n\n\ndef f():\n    global n\n    n = 1\n", "`n` is bound again"),
        (f"{SHOWN}    print(missing)\n", "the job binds `missing` itself"),
    ],
)
def test_code_that_would_mean_something_else(code: str, words: str) -> None:
    with pytest.raises(NotExpressible) as caught:
        merged("import a", "missing = 1\na.shown(ssc)", a=code)
    assert words in caught.value.reason.text and caught.value.reason.path == "a.py"
