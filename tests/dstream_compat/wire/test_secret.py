"""Passwords and keys: they are hidden, and checkpoints have names in place of their values."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from pyspark import cloudpickle

from dstream_compat.source.kafka.source import DirectTable, ReceiverTable
from dstream_compat.source.receivers.mqtt import TEXT, MQTTSource
from dstream_compat.wire.secret import (
    Secret,
    names_for_secrets,
    secrets_without_values,
)
from dstream_compat.wire.secret_names import is_secret_name
from dstream_compat.worker.reading.kinesis_access import Access

PASSWORD = "correct-horse"
LOGIN = f'org.example.Login required username="ann" password="{PASSWORD}";'


def in_checkpoint(secret: object) -> tuple[bytes, list[str]]:
    """Return the pickle of a checkpoint, and what it has the values of."""
    with names_for_secrets() as kept:
        data: bytes = cloudpickle.dumps(secret, 5)  # type: ignore[no-untyped-call]
    return data, kept


@pytest.mark.parametrize(
    "name",
    [
        "MQTT_PASSWORD",
        "DB_PASSWD",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "spark.hadoop.fs.s3a.access.key",
        "spark.hadoop.fs.azure.account.key.jobs",
        "sasl.jaas.config",
        "ssl.keystore.key",
        "ssl.key.password",
        "spark.hadoop.fs.azure.sas.jobs.store.blob.core.windows.net",
        "spark.hadoop.fs.s3a.encryption.key",
        "spark.hadoop.fs.s3a.server-side-encryption.key",
        "basic.auth.user.info",
    ],
)
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "key.deserializer",
        "group.id",
        "spark.hadoop.fs.s3a.aws.credentials.provider",
        "spark.kubernetes.authenticate.submission.oauthTokenFile",
        "AWS_WEB_IDENTITY_TOKEN_FILE",
        "HOME",
    ],
)
def test_other_names(name: str) -> None:
    assert not is_secret_name(name)


def test_it_is_a_text_that_repr_hides() -> None:
    secret = Secret(PASSWORD, "a password")
    assert secret == PASSWORD and hash(secret) == hash(PASSWORD) and f"{secret}" == PASSWORD
    shown: list[Any] = [
        MQTTSource("mqtt", "tcp://h:1", ("t",), TEXT, 1, ("ann", secret)),
        Access("http://h", "eu", Secret(PASSWORD, "key"), secret),
        DirectTable("direct", {"sasl.jaas.config": secret}, {}, False, False, (True, True)),
        ReceiverTable((("sasl.jaas.config", secret),), ("t",), "latest", (True, True)),
    ]
    for source in shown:
        assert PASSWORD not in repr(source) and "(hidden)" in repr(source)
        # tasks get the value
        assert PASSWORD.encode() in pickle.dumps(source, 5)


def test_a_checkpoint_has_the_name_of_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER", PASSWORD)
    monkeypatch.setenv("MQTT_PASSWORD", PASSWORD)
    data, kept = in_checkpoint(("ann", Secret(PASSWORD, "a password")))
    assert PASSWORD.encode() not in data and not kept
    assert pickle.loads(data) == ("ann", PASSWORD)
    monkeypatch.setenv("MQTT_PASSWORD", "changed")
    found = pickle.loads(data)
    assert found == ("ann", "changed")
    # a rescaled run has the same names, wherever it is made
    monkeypatch.delenv("MQTT_PASSWORD")
    assert in_checkpoint(found) == (data, [])


def test_a_part_of_a_text_is_a_name_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAFKA_PASSWORD", PASSWORD)
    data, kept = in_checkpoint(Secret(LOGIN, "a login"))
    assert PASSWORD.encode() not in data and not kept
    monkeypatch.setenv("KAFKA_PASSWORD", "changed")
    assert pickle.loads(data) == LOGIN.replace(PASSWORD, "changed")


def test_what_nothing_gives_again_is_in_the_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER", PASSWORD)  # its name does not say that it is a secret
    monkeypatch.setenv("SHORT_PASSWORD", "horse")  # shorter than what is looked for in a text
    for value in (PASSWORD, LOGIN):
        data, kept = in_checkpoint(Secret(value, "a password"))
        assert value.encode() in data and kept == ["a password"]
        assert pickle.loads(data) == value
    kerberos = "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true;"
    assert in_checkpoint(Secret(kerberos, "sasl.jaas.config of kafka"))[1] == []
    assert in_checkpoint(Secret("correct horse", "a password"))[1] == ["a password"]


@pytest.mark.parametrize("value", ["password1", "password 1", "password1==", "=password"])
def test_a_part_of_a_password_is_no_name(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("PGPASSWORD", "password")
    data, kept = in_checkpoint(Secret(value, "a password"))
    assert b"PGPASSWORD" not in data and kept == ["a password"]


def test_what_is_not_given_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MQTT_PASSWORD", PASSWORD)
    data, _ = in_checkpoint(Secret(PASSWORD, "a password"))
    monkeypatch.delenv("MQTT_PASSWORD")
    with secrets_without_values() as absent:
        found = pickle.loads(data)
    assert found == "" and absent == [found]
    assert found.missing_names == ["environment variable MQTT_PASSWORD"]
