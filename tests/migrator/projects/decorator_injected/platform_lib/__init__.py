from .inject import streaming_job

__all__ = ["streaming_job"]
