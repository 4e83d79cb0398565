"""Who may ask a file system that wants to know who asks; recovery/test_kerberos.py has jobs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from dstream_compat.storage.files import _check_credentials


def user(ticket: bool = False, tokens: bool = False, real: Any = None) -> Any:
    return SimpleNamespace(
        hasKerberosCredentials=lambda: ticket,
        getTokens=lambda: SimpleNamespace(isEmpty=lambda: not tokens),
        getRealUser=lambda: real,
    )


def check(current: Any, secure: bool = True) -> None:
    users = SimpleNamespace(getCurrentUser=lambda: current, isSecurityEnabled=lambda: secure)
    security = SimpleNamespace(UserGroupInformation=users)
    hadoop = SimpleNamespace(security=security)
    _check_credentials(SimpleNamespace(org=SimpleNamespace(apache=SimpleNamespace(hadoop=hadoop))))


@pytest.mark.parametrize(
    "current",
    [
        user(ticket=True),
        user(tokens=True),
        user(ticket=True, tokens=True),
        user(real=user(ticket=True)),
        user(tokens=True, real=user()),
    ],
    ids=["ticket", "tokens", "both", "acts for another", "acts for another by tokens"],
)
def test_who_can_say_who_asks(current: Any) -> None:
    check(current)


@pytest.mark.parametrize("current", [user(), user(real=user())], ids=["nobody", "for another"])
def test_who_cannot(current: Any) -> None:
    check(current, secure=False)
    with pytest.raises(PermissionError, match="no ticket and no token: run kinit before, or"):
        check(current)
