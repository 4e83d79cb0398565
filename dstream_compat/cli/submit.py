"""Run an unchanged script through spark-submit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ..spark.shipping import package_zip
from .defaults import submit_defaults
from .jvm_flags import jvm_environment
from .log_output import show_warnings
from .missing_packages import BEGUN, missing_packages
from .options import FLAGS, setting, spark_home, with_option
from .spark_home import unfit_home

_SETTINGS: Final = {"--py-files": "spark.submit.pyFiles", "--files": "spark.files"}
"""What these options beat."""


def split_options(args: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return (options of spark-submit, script and its arguments).

    Raises
    ------
    ValueError
        if there is no script, or an option lacks its value
    """
    index = 0
    while index < len(args) and args[index].startswith("-"):
        name = args[index]
        index += 1 if name in FLAGS or "=" in name else 2
    if index > len(args):
        raise ValueError(f"{args[-1]} needs a value")
    if index == len(args):
        raise ValueError(
            "no script follows the options: python -m dstream_compat submit [options] SCRIPT [args]"
        )
    return list(args[:index]), list(args[index:])


def submit_command(args: Sequence[str]) -> list[str]:
    """Return the spark-submit command that runs a script with this package.

    Raises
    ------
    ValueError
        if the arguments lack a script
    """
    from pyspark import __version__

    options, script = split_options(args)
    options = submit_defaults(options, script[0], __version__)
    options = _with_file(options, "--py-files", package_zip())
    if _is_in_cluster(options):
        options = _with_file(options, "--files", script[0])
        script[0] = os.path.basename(script[0])
    launcher = str(Path(__file__).with_name("launch.py"))
    binary = str(Path(spark_home(), "bin", "spark-submit"))
    return [binary, *options, launcher, *script]


def submit(args: Sequence[str]) -> int:
    """Run spark-submit; returns its exit code, 2 for wrong usage.

    Parameters
    ----------
    args : sequence of str
        options of spark-submit, the script, its arguments
    """
    unfit = unfit_home()
    if unfit is not None:
        print(f"dstream-compat submit: {unfit}", file=sys.stderr)
        return 2
    show_warnings()
    try:
        command = submit_command(args)
    except ValueError as error:
        print(f"dstream-compat submit: {error}", file=sys.stderr)
        return 2
    environment = jvm_environment(args)
    if "PYSPARK_PYTHON" not in environment:
        environment.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    interrupts: list[int] = []
    # The terminal sends it to the job, too, which prints what there is to say.
    signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    since = time.time()
    begun = Path(package_zip()).with_name("begun")
    begun.unlink(missing_ok=True)
    environment[BEGUN] = str(begun)
    with subprocess.Popen(command, env=environment) as process:
        # Who ends us means the job.
        signal.signal(signal.SIGTERM, lambda number, _: process.send_signal(number))
        code = process.wait() or (130 if interrupts else 0)
    # In cluster mode nobody here can say whether the job began.
    silent = code != 1 or begun.exists() or _is_in_cluster(command[1:])
    reason = None if silent else missing_packages(command[1:], since)
    if reason is not None:
        print(f"dstream-compat submit: {reason}", file=sys.stderr)
    return code


def _is_in_cluster(arguments: Sequence[str]) -> bool:
    return setting(arguments, "spark.submit.deployMode", "--deploy-mode") == "cluster"


def _with_file(options: list[str], name: str, path: str) -> list[str]:
    files = setting(options, _SETTINGS[name], name)
    return with_option(options, name, f"{files},{path}" if files else path)
