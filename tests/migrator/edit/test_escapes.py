"""`import pyspark.streaming` stays where something else may read `.streaming` of the package."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import report

IMPORT = "import pyspark.streaming\n"
USE = "pyspark.streaming.StreamingContext(None, 1)\n"

HELD = {
    "global in a function": "def make():\n    return pyspark.streaming.StreamingContext(None, 1)\n"
    "def main():\n    global pyspark\n    import pyspark\n    import pyspark.streaming\n"
    "    make()\n",
    "global, bound above": IMPORT + USE + "def f():\n    global pyspark\n    import pyspark.sql\n",
    "nonlocal": "def f():\n    pyspark = None\n    def load():\n        nonlocal pyspark\n"
    "        import pyspark.streaming\n    load()\n    return pyspark.streaming.DStream\n",
    "bound in a class": "class A:\n    import pyspark.streaming\n"
    "    def m(self):\n        return self.pyspark.streaming.DStream\n",
    "bound in a class, used elsewhere": "class A:\n    import pyspark.streaming\n",
    "returned": "def load():\n    import pyspark\n    import pyspark.streaming\n"
    "    return pyspark\nload().streaming.DStream\n",
    "yielded": "def load():\n    import pyspark.streaming\n    yield pyspark\n",
    "returned by a lambda": IMPORT + "load = lambda: pyspark\n",
    "an attribute of a class": IMPORT + "class J:\n    api = pyspark\n"
    "    def m(self):\n        return self.api.streaming.DStream\n",
    "an attribute of an object": IMPORT + "job.api = pyspark\n",
    "another name": IMPORT + "api = pyspark\napi.SparkContext()\n",
    "another name, or nothing": IMPORT + "api = x and pyspark\n",
    "a walrus": IMPORT + "if (api := pyspark):\n    pass\n",
    "in a dict": IMPORT + 'd = {"p": pyspark}\nd["p"].streaming.DStream\n',
    "in a list": IMPORT + "d = [pyspark]\n",
    "in a namespace": IMPORT + "n = SimpleNamespace(p=pyspark)\nn.p.streaming.DStream\n",
    "passed": IMPORT + "register(pyspark)\n",
    "passed to a function of the name of a builtin": IMPORT
    + "def print(x):\n    keep(x)\nprint(pyspark)\n",
    "a default": IMPORT + "def f(pyspark=pyspark):\n    return pyspark.streaming.DStream\n",
    "a decorator's argument": IMPORT + "@inject(pyspark)\ndef f(api): pass\n",
    "its table": IMPORT + 'pyspark.__dict__["streaming"].DStream\n',
    "getattr": IMPORT + 'getattr(pyspark, "streaming").DStream\n',
    "getattr of any name": IMPORT + "getattr(pyspark, name)\n",
    "under another name of the package": "import pyspark as ps\n" + IMPORT + "register(ps)\n",
    "globals()": IMPORT + 'globals()["pyspark"].streaming.DStream\n',
    "globals(), in two steps": IMPORT + 'm = globals()["pyspark"].streaming\nm.DStream\n',
    "sys.modules": IMPORT + 'import sys\nsys.modules["pyspark"].streaming.kafka.KafkaUtils\n',
    "getattr of sys.modules": IMPORT
    + 'import sys\ngetattr(sys.modules["pyspark"], "streaming").DStream\n',
    "a table of names": IMPORT + 'vars(job)["streaming"].DStream\n',
    "import_module": IMPORT + 'import importlib\nimportlib.import_module("pyspark").streaming.x\n',
    "a parameter": IMPORT + "def f(pyspark):\n    return pyspark.streaming.DStream\n",
    "an unknown attribute": IMPORT + "def f(job):\n    return job.api.streaming.context.DStream\n"
    "def g(job):\n    return job.api.streaming.StreamingContext\n",
    "text that is run": IMPORT + 'exec("ssc = pyspark.streaming.StreamingContext(None, 1)")\n',
    "text that is evaluated": IMPORT + 'eval(f"pyspark.streaming.{name}")\n',
    "a module of it": "import pyspark.streaming.kafka\nregister(pyspark)\n",
    "one of several imports": "import os, pyspark.streaming\nregister(pyspark)\n",
}

MOVES = {
    "paths": IMPORT + USE,
    "the import alone": IMPORT,
    "a pattern": IMPORT + "match x:\n    case pyspark.streaming.DStream():\n        pass\n",
    "an optional import": "try:\n    import pyspark.streaming\nexcept ImportError:\n"
    "    pyspark = None\nif pyspark is not None:\n    pyspark.streaming.DStream\n",
    "a condition": IMPORT + "if pyspark:\n    " + USE,
    "a condition of two": IMPORT + "if x and not pyspark:\n    pass\n" + USE,
    "an assertion": IMPORT + "assert pyspark\n" + USE,
    "a choice": IMPORT + "x = 1 if pyspark else 2\n" + USE,
    "a bare name": IMPORT + "pyspark  # noqa\n" + USE,
    "shown": IMPORT + "print(pyspark, type(pyspark))\n" + USE,
    "shown in a text": IMPORT + 'print(f"{pyspark} {pyspark.__version__}")\n' + USE,
    "hasattr": IMPORT + 'hasattr(pyspark, "sql")\n' + USE,
    "getattr of something else": IMPORT + 'getattr(pyspark, "__version__", "")\n' + USE,
    "deleted": IMPORT + USE + "del pyspark\n",
    "in a function": "def f():\n    import pyspark.streaming\n    return " + USE,
    "in a function, used inside": "def f():\n    import pyspark.streaming\n"
    "    return lambda: pyspark.streaming.DStream\n",
    "in a method": "class A:\n    def f(self):\n        import pyspark.streaming\n"
    "        self.ssc = " + USE,
    "used in a class": IMPORT + "class A:\n    ssc = " + USE,
    "a base class": IMPORT + "class L(pyspark.streaming.StreamingListener): pass\n",
    "a default of a path": IMPORT + "def f(k=pyspark.streaming.DStream): pass\n",
    "an annotation": IMPORT + "def f(s: pyspark.streaming.DStream): pass\n",
    "under a name of its own, in a class": "class A:\n    import pyspark.streaming as st\n",
    "under a name of its own, handed on": "import pyspark.streaming as st\nregister(st)\n",
    "under a name of its own, global": "def f():\n    global st\n"
    "    import pyspark.streaming as st\n",
    "names in a class": "class A:\n    from pyspark.streaming import StreamingContext\n",
    "another global name": IMPORT + "def f():\n    global ssc\n    ssc = " + USE,
    "a parameter of that name": IMPORT + "def f(pyspark):\n    return pyspark\n" + USE,
    "a local of that name": IMPORT + "def f():\n    pyspark = load()\n    return pyspark\n" + USE,
    "an import of that name elsewhere": "def f():\n    import pyspark\n    return pyspark\n"
    "def g():\n    from pyspark.streaming import DStream\n    return DStream\n",
    "another part is handed on": IMPORT + "register(pyspark.SparkContext)\n" + USE,
    "another package is handed on": "import os\n" + IMPORT + "register(os)\n" + USE,
    "other text that is run": IMPORT + 'exec("pyspark.sql.SparkSession")\n' + USE,
    "text": IMPORT + 'print("of pyspark.streaming, only this")\n' + USE,
    "a setting": IMPORT + "def f(config):\n    return config.streaming.interval\n" + USE,
    "a setting of the name of a module": IMPORT
    + "def f(config):\n    return config.streaming.kafka.topic\n" + USE,
    "a flag": IMPORT + "args = parse()\nif args.streaming:\n    " + USE,
    "a flag by getattr": IMPORT + 'if getattr(parse(), "streaming", False):\n    ' + USE,
    "a key": IMPORT + 'load()["streaming"].interval\n' + USE,
    "a key that is kept": IMPORT + 'x = load()["streaming"]\n' + USE,
    "a flag that is kept": IMPORT + "flag = parse().streaming\n" + USE,
    "a method": IMPORT + "def f(api):\n    return api.streaming()\n" + USE,
    "a known object": IMPORT + "class Api:\n    streaming = None\nApi().streaming.DStream\n" + USE,
    "it is set": IMPORT + "def f(x):\n    x.streaming = 1\n" + USE,
    "Spark's other streaming": IMPORT
    + "import pyspark.sql\npyspark.sql.streaming.DataStreamReader\n" + USE,
}  # fmt: skip


@pytest.mark.parametrize("name", HELD)
def test_held(name: str) -> None:
    found = report(HELD[name])
    after = HELD[name] if found.content is None else found.content.decode()
    imports = [line for line in HELD[name].splitlines() if "import pyspark.streaming" in line]
    assert all(line in after.splitlines() for line in imports)
    assert "D105" in [f.code for f in found.findings if not f.is_fixed]


@pytest.mark.parametrize("name", MOVES)
def test_moves(name: str) -> None:
    found = report(MOVES[name])
    assert found.content is not None
    assert "import pyspark.streaming" not in found.content.decode()
    assert "D105" not in [f.code for f in found.findings]


@pytest.mark.parametrize(
    "text",
    [
        'eval("pyspark.SparkContext()")',
        'exec(f"x = pyspark.{name}")',
        'def f(sc: "pyspark.SparkContext"): pass',
        'def f() -> "list[pyspark.RDD]": pass',
        'x: "pyspark.RDD" = None',
        'x: "pyspark.RDD | None"',
        'typing.cast("pyspark.RDD", x)',
        'globals()["pyspark"].SparkContext()',
        '__all__ = ["pyspark"]',
    ],
)
def test_pyspark_is_kept_for_text(text: str) -> None:
    found = report(f"{IMPORT}{text}\n")
    assert found.content == f"import pyspark\nimport dstream_compat\n{text}\n".encode()


@pytest.mark.parametrize(
    "text",
    [
        'eval("my.pyspark.x")',
        'eval("pyspark_tools.x")',
        'getLogger("pyspark.sql")',
        '"""Uses pyspark.sql."""',
        'def f(x: "int"): return "pyspark.sql"',
        "# pyspark.SparkContext",
        'frame.cast("int", "pyspark.RDD")',
    ],
)
def test_pyspark_goes_where_no_text_is_evaluated(text: str) -> None:
    found = report(f"{IMPORT}{text}\n")
    assert found.content == f"import dstream_compat\n{text}\n".encode()
