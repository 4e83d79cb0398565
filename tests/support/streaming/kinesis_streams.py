"""Kinesis streams in contexts."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dstream_compat.kinesis import InitialPositionInStream, KinesisUtils
from tests.support.streaming.kinesis_fixtures import *  # noqa: F403
from tests.support.streaming.kinesis_server import REGION, Kinesis


@pytest.fixture
def stream(kinesis: Kinesis, request: pytest.FixtureRequest) -> str:
    name = re.sub(r"[^\w.-]", "-", request.node.name)[:100]
    kinesis.create(name, 2)
    return str(name)


def create(ssc: Any, kinesis: Kinesis, stream: str, **more: Any) -> Any:
    return KinesisUtils.createStream(
        ssc,
        "app",
        stream,
        kinesis.url,
        REGION,
        InitialPositionInStream.TRIM_HORIZON,
        2,
        awsAccessKeyId="test",
        awsSecretKey="secret",
        **more,
    )
