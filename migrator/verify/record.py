"""Records batches from live sources into a file that grows line by line; masks fields, so that
recordings can leave where the data may be seen.

The same value always gets the same mask, so that counts, joins and windows by a masked field stay
what they were; the key of the masks is not kept. A number stays a number of its type and sign, in
JSON as in the text of a line, and `1`, `1.0` and `"1"` have masks that are as equal as they are.
"""

from __future__ import annotations

import hmac
import json
import math
import os
import re
import secrets
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from dstream_compat.testing.recordings import FILE, FORMAT, dump_value
from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.report.wording import quantity
from migrator.verify.live_sources import LiveSource

_BYTES = 8
# what a float holds exactly; of 200,000 numbers two get the same mask in one recording of 450,000
_BITS = 53
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[-+][0-9]+)?")
# longer ones are texts of digits; Python refuses to read thousands
_LONGEST = 100


class Recorder:
    """Records what sources give, an interval at a time.

    Parameters
    ----------
    out : Path
        The folder that gets the recording.
    masks : Masks
        What is masked before anything is written.
    arguments : tuple of str, optional
        The arguments of the job, which the recording keeps.
    """

    def __init__(
        self,
        sources: Sequence[LiveSource],
        interval: float,
        out: Path,
        masks: Masks,
        arguments: tuple[str, ...] | None = None,
    ) -> None:
        self._sources = sources
        self._interval = interval
        self._masks = masks
        self._arguments = arguments
        self.path = out / FILE
        self.batches = 0
        self.records = 0
        self.left_out = 0
        self._problems: dict[str, str] = {}
        self._broken: dict[str, int] = {}
        names = [source.name for source in sources]
        if len(set(names)) < len(names):
            raise MigrateError(f"two sources have the same name: {', '.join(sorted(names))}")

    def record(
        self,
        batches: int | None,
        progress: Callable[[int, int], None],
        wait: Callable[[float], bool],
        warn: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Record until it is to end, or for a number of batches; what has arrived is still written.

        Parameters
        ----------
        batches : int, optional
            How many; None for any number.
        progress : callable
            Told of the batches and records so far.
        wait : callable
            Waits some seconds; True if the recording is to end then.
        warn : callable
            Told when a source begins to give nothing, when it is read again, and what is changed
            or left out.

        Raises
        ------
        MigrateError
            If there is a recording already, a source cannot be opened, or the file not be written.
        """
        self._warn = warn
        if self.path.exists():
            raise MigrateError(
                f"{visible(str(self.path))} exists; a recording is never written over, name "
                "another folder with --out"
            )
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = self.path.open("xb", buffering=0)
        except OSError as error:
            raise MigrateError(
                f"cannot write {visible(str(self.path))}: {error.strerror}; name another folder "
                "with --out"
            ) from error
        with file:
            self._open(file)
            try:
                self._loop(file, batches, progress, wait)
            finally:
                for source in self._sources:
                    source.close()
                # what came while the last interval ran, or when it was asked to stop
                self._rest(file, batches)

    def _open(self, file: BinaryIO) -> None:
        """Open all sources, or none: a file without batches would only be in the way then."""
        opened: list[LiveSource] = []
        header: dict[str, Any] = {"format": FORMAT, "interval": self._interval}
        header["sources"] = {source.name: {} for source in self._sources}
        if self._arguments is not None:
            header["arguments"] = [*self._arguments]
        try:
            self._write(file, header)
            for source in self._sources:
                source.open()
                opened.append(source)
        except BaseException:
            for source in opened:
                source.close()
            self.path.unlink()
            raise

    def _loop(
        self,
        file: BinaryIO,
        batches: int | None,
        progress: Callable[[int, int], None],
        wait: Callable[[float], bool],
    ) -> None:
        begun = time.monotonic()
        while batches is None or self.batches < batches:
            # of the beginning, so that batches do not drift
            due = begun + (self.batches + 1) * self._interval
            if wait(max(due - time.monotonic(), 0.0)):
                break
            self._add(file, self._take_records())
            progress(self.batches, self.records)

    def _rest(self, file: BinaryIO, batches: int | None) -> None:
        left = self._take_records()
        if any(left.values()) and (batches is None or self.batches < batches):
            self._add(file, left)

    def _take_records(self) -> dict[str, Any]:
        """Return what the sources have; whether one cannot be read is said when it changes."""
        taken = {source.name: source.take() for source in self._sources}
        for one in self._sources:
            problem, before = one.problem, self._problems.get(one.name, "")
            if problem and not before:
                self._warn(f"{one.name}: from batch {self.batches + 1} on: {problem}; trying again")
            elif before and not problem:
                self._warn(f"{one.name}: read again in batch {self.batches + 1}")
            self._problems[one.name] = problem
            self._say_losses(one)
        return taken

    def _say_losses(self, source: LiveSource) -> None:
        """Say what is not recorded, and the first line that is not recorded as it is."""
        where = f"{source.name}: batch {self.batches + 1}"
        for text in source.left_out:
            self._warn(f"{where}: {text}; it is left out")
        self.left_out += len(source.left_out)
        source.left_out.clear()
        if source.broken and not self._broken.get(source.name):
            self._warn(
                f"{where}: {quantity(source.broken, 'line')} without valid UTF-8, recorded with "
                "U+FFFD, as a job of text reads such lines; more of them are counted"
            )
        self._broken[source.name] = source.broken

    @property
    def broken_lines(self) -> int:
        """How many lines were not UTF-8."""
        return sum(self._broken.values())

    def _add(self, file: BinaryIO, taken: dict[str, Any]) -> None:
        records = {name: self._mask(value) for name, value in taken.items() if value}
        self._write(file, {"batch": self.batches + 1, "input": dump_value(records)})
        self.batches += 1
        for value in records.values():
            of_files = isinstance(value, dict)
            self.records += sum(map(len, value.values())) if of_files else len(value)

    def _mask(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: [self._masks.of(line) for line in lines] for name, lines in value.items()}
        return [self._masks.of(record) for record in value]

    def _write(self, file: BinaryIO, line: dict[str, Any]) -> None:
        rest = memoryview(json.dumps(line).encode() + b"\n")
        try:
            while rest:
                # a disk that is almost full takes a part
                rest = rest[file.write(rest) :]
            os.fsync(file.fileno())
        except OSError as error:
            has = quantity(self.batches, "whole batch", "whole batches")
            raise MigrateError(
                f"cannot write {visible(str(self.path))}: {error.strerror}; it has {has}"
            ) from error


class Masks:
    """Masks given fields of records.

    Parameters
    ----------
    fields : sequence of str
        Names of JSON, with dots for objects in objects, or positions in a line.
    separator : str, optional
        What is between the positions of a line; blanks if it is missing.
    key : bytes, optional
        With the same key the same values have the same masks in two recordings.
    """

    def __init__(
        self, fields: Sequence[str], separator: str | None = None, key: bytes | None = None
    ) -> None:
        if any(not field.strip() for field in fields):
            raise MigrateError("--mask is empty; give a position such as 0, or a name of JSON")
        self._paths = [field.split(".") for field in fields]
        self._positions = {int(field) for field in fields if field.isdigit()}
        self._separator = separator
        self._key = secrets.token_bytes(32) if key is None else key

    def __bool__(self) -> bool:
        return bool(self._paths)

    def of(self, record: Any) -> Any:
        """Return a record with its fields masked.

        A pair of a key and a value, as Kafka has them, is masked in its value by names, and as a
        whole by positions: 0 is the key. A record that should have names but is no JSON is masked
        as a whole, as nobody can tell what it has.
        """
        if not self._paths:
            return record
        if isinstance(record, str):
            return self._line(record)
        if isinstance(record, list) and len(record) == 2:
            return self._pair(record[0], record[1])
        return self.value(record)

    def _pair(self, key: Any, value: Any) -> list[Any]:
        key = self.value(key) if 0 in self._positions else key
        named, words = len(self._positions) < len(self._paths), self._positions - {0, 1}
        if 1 in self._positions or (not isinstance(value, str) and (named or words)):
            return [key, self.value(value)]
        if words:
            return [key, self._line(value)]
        return [key, self._json(value) if named else value]

    def value(self, value: Any) -> Any:
        """Return the mask of one value: of a text a text, of a number a number, of a list a list.

        A text that is a number as Python and JSON write it, such as `7` but not `007`, has the text
        of the mask of the number.
        """
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, list):
            return [self.value(one) for one in value]
        if isinstance(value, dict):
            return {name: self.value(item) for name, item in value.items()}
        if isinstance(value, int | float):
            return self._number(value)
        if isinstance(value, str) and (number := _number_of(value)) is not None:
            return repr(self._number(number))
        return f"m{self._digest(value).hex()[: 2 * _BYTES]}"

    def _number(self, value: int | float) -> int | float:
        whole = int(value) if isinstance(value, float) and value.is_integer() else value
        mask = int.from_bytes(self._digest(whole)[:8]) >> (64 - _BITS)
        # 0 has no sign
        mask = -max(mask, 1) if value < 0 else max(mask, 1)
        return mask if isinstance(value, int) else float(mask)

    def _digest(self, value: Any) -> bytes:
        return hmac.digest(self._key, repr(value).encode("utf-8", "surrogatepass"), "sha256")

    def _line(self, line: str) -> str:
        if len(self._positions) < len(self._paths):
            return self._json(line)
        if self._separator is not None:
            parts = line.split(self._separator)
            return self._separator.join(
                str(self.value(part)) if at in self._positions else part
                for at, part in enumerate(parts)
            )
        at = -1

        def mask_word(word: re.Match[str]) -> str:
            nonlocal at
            at += 1
            return str(self.value(word.group())) if at in self._positions else word.group()

        return re.sub(r"\S+", mask_word, line)

    def _json(self, line: str) -> str:
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if not isinstance(record, dict | list):
            return str(self.value(line)) if line else line
        for path in self._paths:
            record = self._mask(record, path)
        return json.dumps(record, ensure_ascii=False)

    def _mask(self, value: Any, path: Sequence[str]) -> Any:
        if not path:
            return self.value(value)
        step, rest = path[0], path[1:]
        if isinstance(value, dict):
            return {k: self._mask(v, rest) if k == step else v for k, v in value.items()}
        if isinstance(value, list):
            if step.isdigit():
                return [
                    self._mask(one, rest) if at == int(step) else one
                    for at, one in enumerate(value)
                ]
            # a name stands for the field of each object of a list
            return [self._mask(one, path) for one in value]
        return value


def _number_of(text: str) -> int | float | None:
    """Return the number that a text is, written as Python writes it."""
    if len(text) > _LONGEST or not _NUMBER.fullmatch(text):
        return None
    number = float(text) if set(text) & set(".e") else int(text)
    return number if repr(number) == text and math.isfinite(number) else None
