"""Run an unchanged script with this package under the ``pyspark.streaming`` names."""

from __future__ import annotations

import builtins
import io
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from types import CodeType, ModuleType

from ..names.finder import install
from .defaults import RUNNING, launch_with_defaults
from .log_output import show_warnings
from .spark_home import unfit_home


def run_script(path: str, args: Sequence[str]) -> int:
    """Run a script as ``python path args...`` would; returns its exit code.

    Parameters
    ----------
    path : str
        the script
    args : sequence of str
        what it finds in ``sys.argv[1:]``
    """
    absolute = os.path.join(os.getcwd(), path)  # Python shows it so, with ".." and links in it
    try:
        with io.open_code(absolute) as stream:
            source = stream.read()
    except OSError as error:
        print(f"dstream-compat: can't open {path!r}: {error.strerror or error}", file=sys.stderr)
        return 2
    # Where spark-submit has started this process, Spark runs already, whatever the variable says.
    unfit = None if RUNNING in os.environ else unfit_home()
    if unfit is not None:
        print(f"dstream-compat: {unfit}", file=sys.stderr)
        return 2
    show_warnings()
    install()
    launch_with_defaults(absolute)
    try:
        code = compile(source, absolute, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        print("".join(traceback.format_exception_only(error)), end="", file=sys.stderr)
        print(
            "dstream-compat: if the job is Python 2, `migrate explain D001` says what to do",
            file=sys.stderr,
        )
        return 1
    return _run(code, _main_module(absolute), [path, *args])


def _main_module(path: str) -> ModuleType:
    # A real __main__: pickling by value, globals() and callbacks in other threads depend on it.
    module = ModuleType("__main__")
    module.__file__ = path
    module.__dict__["__builtins__"] = builtins
    return module


def _run(code: CodeType, module: ModuleType, argv: list[str]) -> int:
    sys.modules["__main__"] = module
    sys.argv = argv
    sys.path[0] = os.path.dirname(os.path.realpath(argv[0]))
    try:
        exec(code, module.__dict__)
    except SystemExit as stop:
        return _exit_code(stop)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a further one ends the process
        print("dstream-compat: interrupted", file=sys.stderr)
        return 130
    except BaseException as error:
        sys.stdout.flush()
        _print_as_python_does(error)
        return 1
    return 0


def _exit_code(stop: SystemExit) -> int:
    if stop.code is None or isinstance(stop.code, int):
        return stop.code or 0
    print(stop.code, file=sys.stderr)
    return 1


def _print_as_python_does(error: BaseException) -> None:
    shown = error.__traceback__
    while shown is not None and shown.tb_frame.f_code.co_filename == __file__:
        shown = shown.tb_next
    sys.excepthook(type(error), error.with_traceback(shown), shown)
