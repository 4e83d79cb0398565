"""Runs a job of DStreams and its rewrite to Structured Streaming, and compares their outputs.

:mod:`.pairs` has the folders of goldens and starts the processes; :mod:`.run` is what runs in one:
:mod:`.original` the job on DStreams, :mod:`.result` the rewrite, under the clock of :mod:`.clock`;
:mod:`.capture` records what both give out, and :mod:`.compare` compares it, batch by batch.
"""
