"""Lets Python workers use what stands for clients, before they read any function of the job.

Python imports ``sitecustomize`` from ``PYTHONPATH`` when it starts, and this one imports the next.
"""

from dstream_compat.python_start.sitecustomize import import_next

if __name__ == "sitecustomize":
    from dstream_compat.testing.client_calls import begin_in_worker

    import_next(__file__, __name__)
    begin_in_worker()
