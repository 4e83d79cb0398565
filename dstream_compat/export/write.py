"""Writes an export into a folder.

Decision 0118: Rewritten jobs begin with an export.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa
from py4j.protocol import Py4JJavaError
from pyspark.sql.pandas.types import from_arrow_type

from ..exceptions import CheckpointError
from ..old_checkpoint.folder import explain_read_errors, storage_of
from ..storage.files import join, reason_of
from .columns import parquet_of, table_of
from .content import Export, manifest, positions
from .of_old import export_of_old

MANIFEST: Final = "export.json"
POSITIONS: Final = "positions.json"


def export(folder: str, target: str) -> str:
    """Write the states and positions of a checkpoint; returns what was written, as a table.

    Parameters
    ----------
    folder : str
        the checkpoint folder of a job on Spark's DStreams, or on this package
    target : str
        a folder that is not there yet, or is empty

    Raises
    ------
    CheckpointError
        if that cannot be done; nothing is written then
    """
    out = storage_of(None, target)
    try:
        with explain_read_errors(target):
            is_free = not out.exists(target) or not out.list(target)
    except NotADirectoryError:
        is_free = False
    if not is_free:
        raise CheckpointError(
            f"{target} is there and not empty: give --out a new folder, as nothing is overwritten"
        )
    content = _read(folder)
    if not content.states and not content.positions:
        raise CheckpointError(
            f"{folder} has nothing to export: no operator of the job keeps a state by key "
            "(updateStateByKey, mapWithState), and no source has a position (Kafka, files)"
        )
    tables = {state.number: _table(folder, state.folder, state.pairs) for state in content.states}
    columns = {number: _columns(table) for number, table in tables.items()}
    files: list[tuple[str, bytes]] = [
        (join(target, state.folder, "part-00000.parquet"), parquet_of(tables[state.number]))
        for state in content.states
    ]
    files.append((join(target, POSITIONS), _json(positions(content), None)))
    files.append(
        (join(target, MANIFEST), _json(manifest(content, columns), 2))
    )  # last: all is there
    try:
        for path, data in files:
            out.write(path, data)
    except (OSError, Py4JJavaError) as error:
        raise CheckpointError(f"{target} cannot be written: {reason_of(error)}") from error
    return "\n".join(_summary_lines(content, target, tables))


def _read(folder: str) -> Export:
    with explain_read_errors(folder):
        own = storage_of(None, folder).exists(join(folder, "dstream-compat", "current"))
    if not own:
        return export_of_old(folder)
    from .of_own import export_of_own

    return export_of_own(folder)


def _table(folder: str, name: str, pairs: Any) -> pa.Table:
    try:
        return table_of(pairs)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise CheckpointError(
            f"the state {name} of {folder} has objects that cannot be pickled: {error}. A class of "
            "the job's main script has to be in a module"
        ) from error


def _columns(table: pa.Table) -> dict[str, Any]:
    """Return the types of columns, as Spark writes them in JSON."""
    return {field.name: from_arrow_type(field.type).jsonValue() for field in table.schema}


def _json(value: Any, indent: int | None) -> bytes:
    # without an indentation it is one line, which Spark reads, too
    return (json.dumps(value, indent=indent, ensure_ascii=False) + "\n").encode()


def _summary_lines(content: Export, target: str, tables: dict[int, pa.Table]) -> Iterator[str]:
    yield f"{target}: as of the batch of {content.batch} ms of {content.engine}"
    for state in content.states:
        table = tables[state.number]
        kinds = ", ".join(
            f"{field.name} {from_arrow_type(field.type).simpleString()}" for field in table.schema
        )
        yield f"  state   {state.folder:<22} {table.num_rows:>9} keys  {kinds}"
    for position in content.positions:
        yield f"  source  #{position.number} {position.stream}: {position.said}"
    for each in content.left:
        yield f"  not carried over: {each}"
