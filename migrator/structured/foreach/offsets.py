"""The offsets of the records of a batch, as `offsetRanges()` gives them."""

from __future__ import annotations

import ast

from ..builder.builder import Builder
from ..dataframes.chains import Chain
from ..reading.offset_ranges import CODE

DIFFERENCE = (
    "the offsets of a batch are those of its records: a partition without new records is missing, "
    "and a range ends at the first and at the last record where a topic is compacted or "
    "transactional"
)


def ranges(builder: Builder, records: Chain, node: ast.AST) -> Chain:
    """Return the offsets of the records of a batch, as rows with the fields of offset ranges."""
    builder.differs(CODE, DIFFERENCE, node)
    functions = builder.printer.functions
    builder.printer.uses_functions = True
    return (
        records.call("groupBy", '"topic"', '"partition"')
        .call(
            "agg",
            f'{functions}.min("offset").alias("fromOffset")',
            f'({functions}.max("offset") + 1).alias("untilOffset")',
        )
        .call("orderBy", '"topic"', '"partition"')
        .call("collect")
    )
