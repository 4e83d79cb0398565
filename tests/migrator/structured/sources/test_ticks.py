"""Ticks are a row at each trigger, which records are united with."""

from __future__ import annotations

import ast

from migrator.structured.builder.builder import Builder
from migrator.structured.dataframes.frames import Chain
from migrator.structured.program.job import JobBlock
from migrator.structured.program.modules import Block, SourceModule
from migrator.structured.sources.ticks import marks, tick_source, with_ticks


def test_ticks_have_one_partition_and_no_column_of_records() -> None:
    module = SourceModule("", ast.parse(""))
    builder = Builder(module, JobBlock(module, Block([], ())), "session", "F", ())
    source = tick_source(builder)
    assert builder.printer.expression(source) == (
        'session.readStream.format("rate-micro-batch").option("rowsPerBatch", 1)'
        '.option("numPartitions", 1).load()'
    )
    marked = builder.printer.expression(marks(source, builder.printer))
    assert marked.endswith('.load().select(F.lit(True).alias("tick"))')
    assert builder.printer.expression(with_ticks(Chain("lines"), "ticks")) == (
        "lines.unionByName(ticks, allowMissingColumns=True)"
    )
