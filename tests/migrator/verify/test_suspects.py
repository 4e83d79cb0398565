"""Calls whose results differ from run to run are named, and no others."""

from __future__ import annotations

import pytest

from migrator.verify.obstacles import suspects, uses

SUSPECT = [
    "time.time()",
    "datetime.now()",
    "datetime.datetime.utcnow()",
    "random.random()",
    "random.choice(words)",
    "np.random.rand()",
    "uuid.uuid4()",
    "os.urandom(4)",
    "rdd.takeSample(False, 3)",
    "stream.transform(lambda rdd: rdd.sample(False, 0.1))",
    "threading.Thread(target=f).start()",
    "F.current_timestamp()",
    "hash('x')",
    "secrets.token_hex()",
]
HARMLESS = [
    "time.sleep(1)",
    "timer.time_left()",
    "datetime.datetime.strptime(x, '%Y')",
    "datetime.fromtimestamp(7)",
    "self.random",
    "hashlib.md5(x)",
    "rdd.hash(x)",
    "randomly(x)",
    "'time.time()'",
    "# time.time()",
    "uuid.UUID(x)",
    "threading.Lock()",
    "id_of(x)",
]


@pytest.mark.parametrize("code", SUSPECT)
def test_suspects(code: str) -> None:
    found = suspects(f"x = 1\ny = {code}\n")
    assert [one.line for one in found] == [2]
    assert found[0].call in code


@pytest.mark.parametrize("code", HARMLESS)
def test_no_suspects(code: str) -> None:
    assert suspects(f"x = 1\n{code}\n") == []


@pytest.mark.parametrize("text", ["print 'x'", "\0", ""])
def test_what_does_not_parse_has_none(text: str) -> None:
    assert suspects(text) == []
    assert not uses(text, "start")


def test_uses() -> None:
    assert uses("ssc.start()", "start")
    assert not uses("ssc.start\nstarted()", "start")
