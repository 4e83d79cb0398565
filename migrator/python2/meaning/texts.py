"""Strings of bytes where Python 3 has text, and text where it wants bytes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.model.python2_events import Python2Doubt
from migrator.python.replacements import BYTES_CODECS
from migrator.python2.program import ProgramPart, one_line

# modules whose functions take bytes only
_BYTES = ("hashlib", "base64", "binascii", "zlib", "hmac", "struct")
_TEXT = ("struct.pack", "struct.calcsize", "hashlib.new", "base64.b64decode", "base64.decodestring")
_SENDS = ("send", "sendall", "sendto")
_GIVES = ("recv", "recvfrom")
_PROCESSES = ("subprocess.check_output", "subprocess.Popen")
_MODES = {"wb", "rb", "ab", "r+b", "rb+", "w+b", "wb+"}


def doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
    """Yield a call whose values are bytes on one side only, or a literal that was bytes."""
    if isinstance(node, ast.Call):
        yield from _call(part, node)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from _literal(part, node, node.value)


def _call(part: ProgramPart, node: ast.Call) -> Iterator[Python2Doubt]:
    func = node.func
    path = part.path(func)
    module = path.partition(".")[0] or part.program.imported_names.get(getattr(func, "id", ""), "")
    first = node.args[0] if node.args else None
    if module in _BYTES and first is not None and path not in _TEXT:
        kind = part.kind(first)
        if kind != "bytes":
            name = path or ast.unparse(func)
            proven = kind in ("str", "text")
            yield part.doubt(node, "bytes", name, _problem_with_text(part, first, proven), proven)
    elif path in _PROCESSES and not any(_is_text(k) for k in node.keywords):
        if path.endswith("check_output") or any(k.arg == "stdout" for k in node.keywords):
            yield part.doubt(node, "bytes", path, "its output is bytes")
    elif part.is_builtin(func, "open", "file") and len(node.args) > 1:
        mode = node.args[1]
        if isinstance(mode, ast.Constant) and mode.value in _MODES:
            yield part.doubt(node, "bytes", part.source(node), "the file takes and gives bytes")
    elif isinstance(func, ast.Attribute):
        yield from _method(part, node, func)


def _method(
    part: ProgramPart,
    node: ast.Call,
    func: ast.Attribute,
) -> Iterator[Python2Doubt]:
    first = node.args[0] if node.args else None
    codec = first.value if isinstance(first, ast.Constant) else None
    at = f".{func.attr}"
    has_sockets = bool({"socket", "SocketServer", "socketserver"} & part.program.imported)
    if func.attr in ("encode", "decode") and codec in BYTES_CODECS:
        # D115 has them
        return
    if func.attr == "decode" and part.kind(func.value) != "bytes" and len(node.args) < 3:
        proven = part.kind(func.value) in ("str", "text")
        detail = "only bytes have it, and text has not"
        yield part.doubt(node, "bytes", f"{at}()", detail, proven)
    elif (
        func.attr == "encode"
        and part.kind(func.value) != "none"
        and not _is_needed_as_bytes(part, node)
    ):
        yield part.doubt(node, "bytes", f"{at}()", "its result is bytes, which are no text")
    elif has_sockets and func.attr in _SENDS and first is not None:
        if part.kind(first) != "bytes":
            proven = part.kind(first) in ("str", "text")
            yield part.doubt(node, "bytes", at, _problem_with_text(part, first, proven), proven)
    elif has_sockets and func.attr in _GIVES:
        yield part.doubt(node, "bytes", at, "its result is bytes")


def _problem_with_text(part: ProgramPart, node: ast.AST, proven: bool) -> str:
    return (
        f"it takes bytes, and `{one_line(part.source(node))}` {'is' if proven else 'may be'} text"
    )


def _is_text(keyword: ast.keyword) -> bool:
    return keyword.arg in ("universal_newlines", "text", "encoding")


def _is_needed_as_bytes(part: ProgramPart, node: ast.Call) -> bool:
    """Return whether bytes are what a value is needed as, for what has told it."""
    parent = part.parents.get(node)
    if isinstance(parent, ast.Attribute):
        return parent.attr in ("decode", "encode")
    if isinstance(parent, ast.Call) and parent.func is not node:
        func = parent.func
        owner = func.value if isinstance(func, ast.Attribute) else None
        if isinstance(owner, ast.Name) and owner.id in _BYTES:
            return True
        return isinstance(func, ast.Attribute) and func.attr in (*_SENDS, "update")
    return False


def _literal(part: ProgramPart, node: ast.Constant, value: str) -> Iterator[Python2Doubt]:
    """Yield a byte string that is not ASCII had one item for each byte."""
    if value.isascii() or getattr(node, "kind", None) == "u":
        return
    if "unicode_literals" in part.features or isinstance(part.parents.get(node), ast.Expr):
        return
    if "\\x" in part.source(node) or (
        "\\" in ascii(value) and _has_octal_escapes(part.source(node))
    ):
        yield part.doubt(
            node, "bytes", part.source(node), "these were bytes, and are characters now"
        )


def _has_octal_escapes(source: str) -> bool:
    """Return whether a literal names bytes by their octal numbers."""
    return any(f"\\{digit}" in source for digit in "123")
