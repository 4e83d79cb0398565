"""Errors say what to do where that is known."""

from __future__ import annotations

import pytest

from dstream_compat.exceptions import QueryFailedError


@pytest.mark.parametrize(
    "text",
    [
        "[STREAM_FAILED] terminated with exception: Token  has expired, current time: 2026-11-28 "
        "12:39:13,731+0000 expected renewal time: 2026-11-28 12:39:11,811+0000",
        "token (HDFS_DELEGATION_TOKEN token 7 for alice) is expired",
        "token (HDFS_DELEGATION_TOKEN token 7 for alice) can't be found in cache",
    ],
)
def test_tokens_that_have_ended(text: str) -> None:
    error = str(QueryFailedError.of(RuntimeError(text), "hdfs:///ck"))
    assert text in error
    assert "submit the job with --principal and --keytab" in error


@pytest.mark.parametrize("text", ["the API's token has expired", "the disk is full"])
def test_other_errors(text: str) -> None:
    error = str(QueryFailedError.of(RuntimeError(text), "/ck"))
    assert error == f"the streaming query failed: {text} (its checkpoint: /ck)"
