"""The innermost error of a job is found under what Spark and Py4J wrap it in."""

from __future__ import annotations

import pytest

from dstream_compat.testing.run_errors import error_kind, error_line, same_error

OF_A_WORKER = """\
Traceback (most recent call last):
  File "job.py", line 26, in <module>
    ssc.awaitTermination()
py4j.protocol.Py4JJavaError: An error occurred while calling o29.awaitTermination.
: org.apache.spark.SparkException: An exception was raised by Python:
Traceback (most recent call last):
  File "util.py", line 71, in call
    r = self.func(t, *rdds)
py4j.protocol.Py4JJavaError: An error occurred while calling z:org.apache.spark.x.collect.
: org.apache.spark.api.python.PythonException: [PYTHON_EXCEPTION] It was thrown: Traceback \
(most recent call last):
  File "job.py", line 13, in conv
    raise KeyError("bad " + x)
{error}
 SQLSTATE: 38000
\tat org.apache.spark.api.python.BasePythonRunner.handle(PythonRunner.scala:1097)
"""
OF_COMPAT = """\
{error}

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "new.py", line 26, in <module>
    ssc.awaitTermination()
dstream_compat.exceptions.BatchFailedError: An exception was raised by Python in foreachRDD:
Traceback (most recent call last):
  File "new.py", line 13, in conv
    raise KeyError("bad " + x)
{error}

"""
OF_A_QUERY = """\
a query failed in batch 2: An exception was raised by the Python Proxy. Return Message: \
Traceback (most recent call last):
  File "new.py", line 10, in out
    raise KeyError("bad " + x)
{error}

=== Streaming Query ===
Identifier: [id = 2063d11c, runId = 0bd73228]
"""
OF_JAVA = """\
Traceback (most recent call last):
  File "job.py", line 26, in <module>
py4j.protocol.Py4JJavaError: An error occurred while calling o{number}.awaitTermination.
: org.apache.spark.SparkException: Job aborted: Task 0 in stage {number}.0 failed (TID {number})
\tat org.apache.spark.X.y(X.scala:1)
Caused by: java.io.IOException: {why}
\tat org.apache.spark.X.y(X.scala:1)
\t... 3 more
"""
FORMS = (OF_A_WORKER, OF_COMPAT, OF_A_QUERY, "{error}")


@pytest.mark.parametrize("form", FORMS)
def test_the_innermost_error(form: str) -> None:
    text = form.format(error="my.errors.BadKey: 'bad x'")
    assert error_line(text) == "my.errors.BadKey: 'bad x'"
    assert error_kind(text) == "BadKey"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("other", FORMS)
def test_wrappers_do_not_count(form: str, other: str) -> None:
    text = form.format(error="KeyError: 'bad x'")
    assert same_error(text, other.format(error="KeyError: 'bad x'"))
    assert not same_error(text, other.format(error="KeyError: 'bad y'"))
    assert not same_error(text, other.format(error="ValueError: 'bad x'"))


@pytest.mark.parametrize("form", FORMS)
def test_all_lines_of_a_message_count(form: str) -> None:
    texts = [form.format(error=f"ValueError: first\n  second {n}") for n in (1, 2)]
    assert same_error(texts[0], texts[0])
    assert not same_error(*texts)


def test_errors_of_java() -> None:
    text = OF_JAVA.format(number=7, why="no space")
    assert error_line(text) == "java.io.IOException: no space"
    assert same_error(text, OF_JAVA.format(number=31, why="no space"))
    assert not same_error(text, OF_JAVA.format(number=7, why="no permission"))


def test_addresses_do_not_count() -> None:
    assert same_error("TypeError: <A at 0x7f01>", "TypeError: <A at 0x7e55>")
    assert not same_error("TypeError: <A at 0x7f01>", "TypeError: <B at 0x7f01>")


def test_no_error() -> None:
    assert error_line("") == error_kind("") == ""
    assert same_error("", "")
    assert not same_error("", "ValueError: x")
