import sys
import unittest
from unittest import mock
from unittest.mock import patch

import job


class TestJob(unittest.TestCase):
    @patch("pyspark.streaming.StreamingContext.socketTextStream")  # expect: D102
    @patch("pyspark.streaming.context.StreamingContext.start")  # expect: D102
    def test_make(self, start, source):
        with mock.patch.object(job.StreamingContext, "__init__", return_value=None):
            job.make(None, 1).start()
        source.assert_called_once_with("localhost", 1)
        start.assert_called_once_with()

    def test_count(self):
        with mock.patch("pyspark.streaming.DStream", autospec=True) as stream:  # expect: D102
            found = job.count(stream.return_value)
        self.assertIs(found, stream.return_value.flatMap.return_value.countByValue.return_value)


if __name__ == "__main__":
    done = unittest.main(exit=False, argv=["test_job.py"]).result
    print("tests", done.testsRun, len(done.errors), len(done.failures))
    sys.exit(bool(done.errors or done.failures))
