"""Commands whose mounts only they see."""

from __future__ import annotations

import os
import subprocess

PRIVATE = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c"]
"""How a command begins that mounts something; the text of a script follows."""


def may_mount() -> bool:
    """Return whether this user may mount something that only its own processes see."""
    try:
        done = subprocess.run([*PRIVATE, "mount -t tmpfs none /mnt"], capture_output=True)
    except FileNotFoundError:
        return False
    return done.returncode == 0
