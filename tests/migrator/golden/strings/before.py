import importlib
from unittest import mock

streaming = importlib.import_module("pyspark.streaming")
with mock.patch("pyspark.streaming.StreamingContext"):
    pass
log = "pyspark.streaming is great"
