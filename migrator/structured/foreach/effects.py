"""What a function of batches changes or uses outside: under Connect it runs on the server."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator

from migrator.infer.scopes import locals_of

from ..program.graph import Function
from ..program.modules import Block, SourceModule
from ..program.settings import lazy_session
from ..refusals import NotExpressible

CHANGES = {"add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem"}
CHANGES |= {"popleft", "put", "put_nowait", "remove", "reverse", "setdefault", "sort", "update"}
CHANGES |= {"acquire", "notify", "notify_all", "release", "set", "wait"}
PLAIN = {"bool", "dict", "float", "frozenset", "int", "len", "list", "range", "set", "sorted"}
PLAIN |= {"str", "tuple"}
OF_PROCESS = frozenset(("sys.argv", "os.environ", "os.getenv", "os.getpid", "sys.exit", "os._exit"))
ON_SERVER = "with Spark Connect"
PLAIN_MODULES = ("os.", "re.", "logging.", "sys.", "json.", "argparse.", "datetime.", "math.")


def refuse_effects(
    module: SourceModule, block: Block, function: Function, names: Collection[str] = ()
) -> None:
    """Refuse a function that changes variables of the driver, or of the functions it calls.

    Parameters
    ----------
    block : Block
        where names are looked up
    names : collection of str
        global names that it gets as parameters

    Raises
    ------
    NotExpressible
        if it does, or if it uses what cannot be sent to a server
    """
    for one in functions_behind(module, block, function):
        own = locals_of(one) | ({*names} if one is function else set())
        for changed, node in changed_names(module, one, own):
            _refuse(changed, node)
        _refuse_process(one, module)
        for name in outer_names(one, own):
            if lazy_session(module, name) is None:
                function_found, _ = module.function_given(block, name)
                if function_found is None:
                    _refuse_captured(module, block, name)


def functions_behind(module: SourceModule, block: Block, function: Function) -> Iterator[Function]:
    """Yield a function, and those of the file that it uses, directly or not."""
    waiting, seen = [function], set[Function]()
    while waiting:
        waiting_name = waiting.pop()
        if waiting_name in seen:
            continue
        seen.add(waiting_name)
        yield waiting_name
        for name in outer_names(waiting_name, locals_of(waiting_name)):
            if lazy_session(module, name) is None:
                function_found, _ = module.function_given(block, name)
                waiting += [] if function_found is None else [function_found]


def changed_names(
    module: SourceModule, function: Function, own: Collection[str]
) -> Iterator[tuple[str, ast.AST]]:
    """Yield the names outside of a function that it binds, or whose objects it changes, each with
    the place; of those that are its own, none.
    """
    for node in ast.walk(function):
        match node:
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from ((name, node) for name in names)
            case ast.Call(func=ast.Attribute(value=owner, attr=method)) if method in CHANGES:
                root = _root(owner)
                if root and root not in own and root not in module.paths:
                    yield root, node
            case (
                ast.Subscript(ctx=ast.Store() | ast.Del(), value=owner)
                | ast.Attribute(ctx=ast.Store() | ast.Del(), value=owner)
            ):
                root = _root(owner)
                if root not in own:
                    yield root or "globals()", node


def _refuse_process(function: Function, module: SourceModule) -> None:
    """Refuse what belongs to the driver's process."""
    for node in ast.walk(function):
        path = module.path_of(node) if isinstance(node, ast.Attribute | ast.Name) else None
        if path in OF_PROCESS:
            text = f"`{path}` is that of the driver; {ON_SERVER} the function runs on the server"
            raise NotExpressible("DRIVER_PROCESS", text, node)


def _refuse(name: str, node: ast.AST) -> None:
    text = f"the function changes `{name}` of the driver; {ON_SERVER} it runs on the server"
    raise NotExpressible("DRIVER_STATE", text, node)


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def outer_names(function: Function, own: Collection[str]) -> list[ast.Name]:
    """Return where a function reads names that are neither its own nor built in."""
    return [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and node.id not in own
        and not hasattr(builtins, node.id)
    ]


def _refuse_captured(module: SourceModule, block: Block, name: ast.Name) -> None:
    """Refuse a variable that another function changes, or that may not be sent to a server."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Global | ast.Nonlocal) and name.id in node.names:
            text = f"`{name.id}` changes while the job runs; {ON_SERVER} the function has a copy"
            raise NotExpressible("DRIVER_STATE", text, name)
    for body in (block.body, module.tree.body):
        for statement in body:
            if not isinstance(statement, ast.Assign):
                continue
            if any(isinstance(t, ast.Name) and t.id == name.id for t in statement.targets):
                value = statement.value
                if isinstance(value, ast.Call) and not _is_plain(module, value):
                    text = (
                        f"`{name.id}` is an object of the driver that may not be sent to a server"
                    )
                    raise NotExpressible("CAPTURED", text, name)


def _is_plain(module: SourceModule, call: ast.Call) -> bool:
    """Return whether a call gives numbers, texts and their like."""
    match call.func:
        case ast.Name(id=name):
            path = module.path_of(call.func)
            return name in PLAIN or (path or "").startswith(PLAIN_MODULES)
        case ast.Attribute(value=ast.Constant() | ast.JoinedStr()):
            return True
        case ast.Attribute(attr=attr):
            path = module.path_of(call.func)
            if path is None:
                plain = ("split", "strip", "get", "format", "join", "parse_args", "rstrip", "lower")
                return attr in plain
            return path.startswith(PLAIN_MODULES)
    return False
