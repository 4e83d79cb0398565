"""Bytes to text and back, as Python reads its sources."""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from dataclasses import dataclass

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.MULTILINE)


class DecodeProblem(Exception):
    """A file whose bytes are not text in its encoding.

    Attributes
    ----------
    kind : str
        "encoding" or "binary".
    line, column : int
        Where the first bad byte is.
    """

    def __init__(self, kind: str, detail: str, line: int = 1, column: int = 1) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text with what is needed to write it back byte for byte."""

    text: str
    encoding: str
    bom: bytes

    def encode(self, text: str) -> bytes:
        """Return another text in the same encoding."""
        return self.bom + text.encode(self.encoding)


def decode_python(data: bytes) -> Decoded:
    """Decode a Python source by its BOM or coding cookie, else as UTF-8.

    Raises
    ------
    DecodeProblem
        If the bytes are not valid in that encoding.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DecodeProblem("encoding", "the file is UTF-16, which Python does not read")
    if b"\0" in data:
        line, column = _position(data, data.index(b"\0"))
        raise DecodeProblem("binary", "the file contains null bytes", line, column)
    bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    body = data[len(bom) :]
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        if _COOKIE.search(b"\n".join(data.splitlines()[:2])) or "encoding problem" in str(error):
            raise DecodeProblem("encoding", f"its coding cookie is wrong: {error}") from None
        encoding = "utf-8"
    if encoding == "utf-8-sig":
        encoding = "utf-8"
    try:
        return Decoded(body.decode(encoding), encoding, bom)
    except UnicodeDecodeError as error:
        offset = error.start
        line, column = _position(body, offset)
        raise DecodeProblem(
            "encoding",
            f"byte 0x{body[offset]:02x} at offset {offset + len(bom)} (line {line}) is not "
            f"{encoding.upper()}",
            line,
            column,
        ) from None


def decode_guessing(data: bytes) -> Decoded:
    """Decode a source that is not valid in its encoding; the result cannot be written back.

    Editors that save neither UTF-8 nor a coding cookie saved UTF-16 or Windows-1252.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Decoded(data.decode("utf-16", "replace"), "utf-16", b"")
    body = data.removeprefix(codecs.BOM_UTF8)
    return Decoded(body.decode("windows-1252", "replace"), "windows-1252", b"")


def _position(data: bytes, offset: int) -> tuple[int, int]:
    before = re.split(rb"\r\n|\r|\n", data[:offset])
    return len(before), len(before[-1]) + 1


def decode_text(data: bytes) -> str:
    """Decode a configuration or shell file: whatever it is, ASCII keys stay readable."""
    if data.startswith(codecs.BOM_UTF16_LE) or data.startswith(codecs.BOM_UTF16_BE):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")


def shown_lines(data: bytes) -> list[str]:
    """Return the lines of a file to be shown; what cannot be decoded is replaced."""
    try:
        text = decode_python(data).text
    except DecodeProblem:
        text = decode_text(data)
    return text.splitlines()
