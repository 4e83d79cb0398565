"""Java classes and arrays by full names, without asking the JVM for each part of a name.

Decision 0048: Java classes are looked up by full name.
"""

from __future__ import annotations

from typing import Any, Final

from py4j.java_gateway import JavaClass
from py4j.protocol import Py4JError
from pyspark import SparkContext

AnyContext = SparkContext | type[SparkContext]
"""A context, or the class, which knows the JVM before there is a context."""

JVM_ERRORS: Final = (Py4JError, OSError)
"""What a call into the JVM raises; py4j lets the socket's own error through when it has ended."""


def spark_is_there(sc: SparkContext) -> bool:
    """Return whether a SparkContext can still be asked anything."""
    jsc: Any = sc._jsc
    try:
        return jsc is not None and not jsc.sc().isStopped()
    except JVM_ERRORS:
        return False


def jvm_is_there(sc: SparkContext) -> bool:
    """Return whether the JVM of a SparkContext answers, though the context may be stopped."""
    try:
        java_class(sc, "java.lang.System").nanoTime()
    except JVM_ERRORS:
        return False
    return True


def java_class(sc: AnyContext, name: str) -> Any:
    """Return a Java class; its methods are looked up when they are called.

    ``sc._jvm.org.apache...`` asks for each part, and the JVM searches its whole class path for a
    class of that name: some 2 ms a time, which counts in what each micro-batch does.

    Parameters
    ----------
    sc : SparkContext
        the context whose JVM it is
    name : str
        its full name, such as ``java.lang.String``
    """
    gateway: Any = sc._gateway
    return JavaClass(name, gateway._gateway_client)


def java_array(sc: SparkContext, name: str, *items: Any) -> Any:
    """Return a Java array.

    Parameters
    ----------
    sc : SparkContext
        the context whose JVM it is in
    name : str
        full name of the class of its items
    *items : object
        what it holds
    """
    gateway: Any = sc._gateway
    array = gateway.new_array(java_class(sc, name), len(items))
    for place, item in enumerate(items):
        array[place] = item
    return array
