"""Java classes and arrays by full names, without asking the JVM for each part of a name."""

from __future__ import annotations

from typing import Any

from py4j.java_gateway import JavaClass
from pyspark import SparkContext


def java_class(sc: SparkContext, name: str) -> Any:
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
    *items
        what it holds
    """
    gateway: Any = sc._gateway
    array = gateway.new_array(java_class(sc, name), len(items))
    for place, item in enumerate(items):
        array[place] = item
    return array
