"""Types that only a docstring names: probable, where nothing else says what a parameter is."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import report

FILE = "import logging  # DStream\n"


def sites(source: str, name: str = "zip") -> list[str]:
    """Receiver and confidence of every use of a name."""
    return [f"{s.receiver} {s.confidence}" for s in report(source).sites if s.name == name]


def documented(text: str, signature: str = "s", owner: str = "") -> str:
    """A function with a docstring, whose first parameter is used."""
    lines = [f"def f({signature}):", '    """Do it.', "", *text.splitlines(), '    """']
    lines.append("    return s.zip(s)")
    return FILE + owner + "\n".join(("    " if owner else "") + line for line in lines) + "\n"


STREAMS = [
    "    :type s: pyspark.streaming.DStream",
    "    :param s: lines\n    :type s: pyspark.streaming.dstream.DStream\n    :rtype: None",
    "    :type s: DStream",
    "    :type s: :class:`~pyspark.streaming.DStream`",
    "    :type s: `DStream` or None",
    "    :type s: pyspark.streaming.DStream | None",
    "    :type s: Optional[DStream]",
    "    :type s: DStream[str]",
    "    :type s: DStream of str",
    "    :type s: pyspark.streaming.DStream.",
    "    :param pyspark.streaming.DStream s: lines",
    "    :param DStream s: lines",
    "    @type s: DStream",
    "    Parameters\n    ----------\n    s : DStream\n        Lines.",
    "    Parameters\n    ----------\n    n : int\n    s, t : pyspark.streaming.DStream, optional\n",
    "    Parameters\n    ----------\n    s: DStream\n        Lines.\n\n    Notes\n    -----\n    x",
    "    Args:\n        s (DStream): lines",
    "    Args:\n        n (int): a number\n            s (str): none\n        s (DStream): x",
    "    Arguments:\n        s (:obj:`DStream`, optional): lines\n\n    Returns:\n        int: n",
]


@pytest.mark.parametrize("text", STREAMS)
def test_a_type_of_the_docstring_is_probable(text: str) -> None:
    source = documented(text)
    assert sites(source) == ["DStream probable"]
    found = report(source)
    (finding,) = [f for f in found.findings if f.code == "D301"]
    assert finding.evidence == ("documented as DStream (line 2)",)
    assert found.content is None


OTHERS = [
    "    :type s: Stream",
    "    :type s: DStreams",
    "    :type s: list of DStream",
    "    :type s: (pyspark.streaming.DStream,",
    "    :type s: pyspark.streaming.DStream or pyspark.RDD",
    "    :type s: streamz.DStream",
    "    :type s: a DStream",
    "    :type t: DStream",
    "    :param s: a DStream",
    "    :param s: DStream",
    "    s : DStream",
    "    s (DStream): lines",
    "    The DStream s is read.",
    "    Parameters\n    ----------\n    s\n        DStream",
    "    Notes\n    -----\n    s : DStream",
    "    Raises:\n        s (DStream): lines",
    "    Parameters\n    ----------\n    n : int\n        s : DStream",
]


@pytest.mark.parametrize("text", OTHERS)
def test_other_words_say_nothing(text: str) -> None:
    assert sites(documented(text)) == []


TYPE = "    :type s: DStream"
STRONGER = [
    documented(TYPE, "s: list"),
    documented(TYPE) + "f([1])\n",
    documented(TYPE) + "from pyspark import SparkContext\nf(SparkContext().textFile('x'))\n",
    "class DStream:\n    pass\n" + documented(TYPE),
    "from streamz import DStream\n" + documented(TYPE),
    documented("    :type s: streaming.DStream") + "import streaming\n",
]


@pytest.mark.parametrize("source", STRONGER)
def test_other_evidence_counts_more(source: str) -> None:
    assert sites(source) == []


def test_names_mean_what_the_module_imports() -> None:
    alias = "from pyspark.streaming import DStream as Stream\nfrom pyspark import streaming\n"
    assert sites(alias + documented("    :type s: Stream")) == ["DStream probable"]
    assert sites(alias + documented("    :type s: streaming.DStream")) == ["DStream probable"]


def test_a_call_with_a_stream_proves_it() -> None:
    head = "from pyspark.streaming import StreamingContext\nssc = StreamingContext(None, 1)\n"
    source = head + documented(TYPE).replace("zip(s)", "pprint()")
    assert sites(source, "pprint") == ["DStream probable"]
    assert sites(source + "f(ssc.textFileStream('x'))\n", "pprint") == ["DStream proven"]


def test_an_unknown_argument_does_not_say_more() -> None:
    assert sites("from x import y\n" + documented(TYPE) + "f(y())\n") == ["DStream probable"]


def test_a_method_and_the_class_that_documents_it() -> None:
    assert sites(documented(TYPE, "self, s", "class A:\n")) == ["DStream probable"]
    source = (
        FILE + 'class A:\n    """A.\n\n    Args:\n        s (DStream): lines\n    """\n'
        "    def __init__(self, s):\n        self.s = s\n    def go(self):\n        self.s.zip(1)\n"
    )
    assert sites(source) == ["DStream probable"]


RESULTS = [
    "    :rtype: pyspark.streaming.DStream",
    "    Returns\n    -------\n    DStream\n        Lines.",
    "    Returns\n    -------\n    s : DStream\n        Lines.",
    "    Returns:\n        DStream: lines",
]


@pytest.mark.parametrize("text", RESULTS)
def test_a_result(text: str) -> None:
    source = f'{FILE}def f():\n    """F.\n\n{text}\n    """\n    pass\nf().zip(1)\n'
    assert sites(source) == ["DStream probable"]
    assert sites(source.replace("    pass", "    return other()")) == ["DStream probable"]
    assert sites(source.replace("    pass", "    return [1]")) == []


def test_a_result_of_a_base_class_takes_nothing_from_what_derived_ones_give() -> None:
    source = (
        "from pyspark.streaming import StreamingContext\nssc = StreamingContext(None, 1)\n"
        'class A:\n    def make(self):\n        """M.\n\n        :rtype: DStream\n        """\n'
        "    def go(self):\n        self.make().pprint()\n"
        "class B(A):\n    def make(self):\n        return ssc.textFileStream('x')\nB().go()\n"
    )
    assert sites(source.replace('x")', 'x")\n'), "pprint") == ["DStream proven"]


def test_a_context() -> None:
    text = "    :type s: pyspark.streaming.StreamingContext"
    source = documented(text).replace("s.zip(s)", "s.start()")
    assert sites(source, "start") == ["StreamingContext probable"]
