import functools

from .contexts import open_context


def streaming_job(name, seconds=5):
    """Gives a function a context, starts what it has built, and waits."""

    def decorator(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            ssc = open_context(name, seconds)
            try:
                function(ssc, *args, **kwargs)
                ssc.start()
                ssc.awaitTermination()
            finally:
                ssc.stop(False)

        return wrapper

    return decorator
