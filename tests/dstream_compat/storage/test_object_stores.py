"""Files on file systems whose streams can be aborted are written in place, whole or not at all."""

from __future__ import annotations

from unittest.mock import MagicMock, call

import pytest

from dstream_compat.storage.files import HadoopStorage


@pytest.fixture
def storage() -> HadoopStorage:
    """A storage on Hadoop's S3, as far as it asks for it."""
    made = HadoopStorage.__new__(HadoopStorage)
    made._fs, made._jvm = MagicMock(), MagicMock()
    made._fs.hasPathCapability.side_effect = lambda path, name: name.endswith("stream.abortable")
    return made


def test_a_file_is_written_under_its_own_name(storage: HadoopStorage) -> None:
    storage.write("s3a://jobs/a", b"content")

    storage._fs.create.assert_called_once_with(storage._fs.makeQualified.return_value, True)
    stream = storage._fs.create.return_value
    assert stream.mock_calls == [call.write(b"content"), call.close()]
    storage._fs.rename.assert_not_called()


def test_a_write_that_fails_leaves_no_part(storage: HadoopStorage) -> None:
    stream = storage._fs.create.return_value
    stream.write.side_effect = OSError("no connection")

    with pytest.raises(OSError, match="no connection"):
        storage.write("s3a://jobs/a", b"content")

    assert stream.mock_calls == [call.write(b"content"), call.abort(), call.close()]
