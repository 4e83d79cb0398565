"""Masks fields of records, so that recordings can leave where the data may be seen.

The same value always gets the same mask, so that counts, joins and windows by a masked field stay
what they were; the key of the masks is not kept. A number stays a number of its type and sign, in
JSON as in the text of a line, and `1`, `1.0` and `"1"` have masks that are as equal as they are.
"""

from __future__ import annotations

import hmac
import json
import math
import re
import secrets
from collections.abc import Sequence
from typing import Any

from migrator.errors import MigrateError

_BYTES = 8
# what a float holds exactly; of 200,000 numbers two get the same mask in one recording of 450,000
_BITS = 53
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[-+][0-9]+)?")
# longer ones are texts of digits; Python refuses to read thousands
_LONGEST = 100


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
