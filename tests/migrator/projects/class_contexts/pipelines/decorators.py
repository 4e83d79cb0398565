import functools

from .registry import Registry

REGISTERED = {}


def job(group):
    """Calls a function with the stream of log lines, and prints what it returns."""

    def decorate(function):
        @functools.wraps(function)
        def run():
            result = function(Registry.get(group).logs)
            if result is not None:
                result.pprint()

        REGISTERED.setdefault(group, []).append(run)
        return run

    return decorate
