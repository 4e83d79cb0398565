"""``import mqtt`` in jobs that have it from Apache Bahir."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.streaming.processes import run_python

pytestmark = pytest.mark.slow

OURS = "dstream_compat.mqtt"
PROBE = """import os, sys
sys.path.insert(0, os.environ["PROBED"])
import dstream_compat
dstream_compat.install()
try:
    from mqtt import MQTTUtils
    print(MQTTUtils.__module__)
except ImportError as error:
    print(type(error).__name__)
"""


@pytest.mark.parametrize(
    ("files", "home"),
    [
        # its jar, which is gone, had it
        ({}, OURS),
        ({"mqtt.py": "class MQTTUtils: helper = 'MQTTUtilsPythonHelper'"}, OURS),
        ({"mqtt.py": "class MQTTUtils: pass"}, "mqtt"),
        (
            {"mqtt/__init__.py": "from .a import MQTTUtils", "mqtt/a.py": "MQTTUtils = dict"},
            "builtins",
        ),
        ({"mqtt.py": "class Client: pass"}, "ImportError"),
        ({"mqtt/other.py": ""}, "ImportError"),
    ],
)
def test_a_job_gets(
    files: dict[str, str], home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text + "\n")
    monkeypatch.setenv("PROBED", str(tmp_path))
    done = run_python("-c", PROBE)
    assert done.out.split() == [home], done.err
