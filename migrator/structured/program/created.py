"""Finds where the function that builds a job is called: by `getOrCreate`, or by itself."""

from __future__ import annotations

import ast

from ..refusals import NotExpressible
from .arguments import arguments_of
from .bindings import uses
from .job import Created, JobBlock
from .modules import SourceModule


def find_creation(module: SourceModule, job: JobBlock) -> Created:
    """Return the only use of the function that builds a job.

    Raises
    ------
    NotExpressible
        if it is not known
    """
    returned = job.returned
    assert returned is not None
    function = job.block.functions[-1]
    if len(job.block.functions) > 1 or function.decorator_list:
        raise NotExpressible("CREATE", "the job is built in an inner function", function)
    uses_found = uses(module.tree, function.name)
    if len(uses_found) != 1:
        raise NotExpressible("CREATE", f"`{function.name}` is not used exactly once", function)
    (use,) = uses_found
    node = module.statement(use)
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        raise NotExpressible("CREATE", "the context that is built is used in another way", node)
    if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
        raise NotExpressible("TARGET", "the context is assigned to something else", node)
    call = node.value
    if call.func is use:
        return Created(node, module.source(call), False)
    is_old = isinstance(call.func, ast.Attribute) and call.func.attr in (
        "getOrCreate",
        "getActiveOrCreate",
    )
    if not (is_old and module.is_old(call.func.value, "StreamingContext")):  # type: ignore[attr-defined]
        raise NotExpressible("CREATE", "the function that builds the job is passed on", call)
    arguments = arguments_of(call, "checkpointPath", "setupFunc")
    _take_folder(module, job, arguments["checkpointPath"], arguments["setupFunc"])
    return Created(node, _call(module, arguments["setupFunc"], use), True)


def _take_folder(module: SourceModule, job: JobBlock, folder: ast.expr, setup: ast.expr) -> None:
    """Let the checkpoint folder be that of `getOrCreate`, which sets it behind the function.

    Raises
    ------
    NotExpressible
        if the function that builds the job cannot name it
    """
    scopes = module.program.scopes
    inside, outside = scopes[job.block.functions[-1]], scopes[module.function(folder)]

    def is_known(node: ast.expr) -> bool:
        names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        return all(inside.owner_of(name) is outside.owner_of(name) for name in names)

    own = job.checkpoint
    if own is not None:
        argument = _arguments_of_setup(job.block.functions[-1], setup).get(
            getattr(own, "id", ""), own
        )
        same = ast.dump(module.constant(argument)) == ast.dump(module.constant(folder))
        if same and (argument is not own or is_known(own)):
            return
    if not is_known(folder):
        text = "the function that builds the job does not know the folder; give it as an argument"
        raise NotExpressible("CHECKPOINT", text, folder)
    job.checkpoint, job.checkpoint_statement = folder, None


def _arguments_of_setup(function: ast.FunctionDef, setup: ast.expr) -> dict[str, ast.expr]:
    """Return what the function that builds a job is given, by the names of its parameters."""
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    match setup:
        case ast.Lambda(body=ast.Call(args=args, keywords=keywords)):
            pass
        case ast.Call(args=[_, *args], keywords=keywords):
            pass
        case _:
            return {}
    return dict(zip(names, args, strict=False)) | {e.arg: e.value for e in keywords if e.arg}


def _call(module: SourceModule, setup: ast.expr, function: ast.Name) -> str:
    """Return the call of the function that `getOrCreate` makes."""
    match setup:
        case ast.Name():
            return f"{function.id}()"
        case ast.Lambda(args=parameters, body=ast.Call(func=ast.Name()) as call) if (
            call.func is function and not ast.unparse(parameters)
        ):
            return " ".join(module.source(call).split())
        case ast.Call(func=partial, args=[first, *others]) if first is function:
            if module.path_of(partial) == "functools.partial":
                rest = [module.source(other) for other in others]
                rest += [
                    f"{keyword.arg}={module.source(keyword.value)}"
                    for keyword in setup.keywords
                    if keyword.arg
                ]
                return f"{function.id}({', '.join(rest)})"
    raise NotExpressible("CREATE", "the function that builds the job is not known", setup)
