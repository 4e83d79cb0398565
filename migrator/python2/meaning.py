"""What means something else in Python 3: what is converted, and what stays in doubt."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from migrator.model.events import Python2Doubt
from migrator.python.replacements import (
    BYTES_CODECS,
    DICT_METHODS,
    LIST_METHODS,
    RENAMED_BUILTINS,
    RENAMED_IN_MODULES,
    VIEWS,
)
from migrator.python2.program import Change, Program2, ProgramPart, one_line
from migrator.source.spans import Span

# they take each item before they return
_TAKES_ALL = ("list", "tuple", "set", "frozenset", "sorted", "sum", "max", "min", "dict")
# and these look only at what they are given
_LOOKS = ("len", "any", "all", "enumerate", "iter", "zip", "map", "filter", "reduce", "reversed")
_CHANGES = {"pop", "popitem", "clear", "update", "setdefault", "add", "remove", "append"}
_PURE = ("int", "float", "str", "len", "ord", "chr", "bool", "abs", "repr", "unicode", "long")
_STRING_METHODS = {
    *("split", "strip", "lstrip", "rstrip", "lower", "upper", "replace", "startswith", "endswith")
}


def takes_all(part: ProgramPart, node: ast.AST) -> bool:
    """Return whether each item of a value is taken at once, and nothing else is done with it."""
    parent = part.parents.get(node)
    match parent:
        case ast.Call(func=ast.Name() as func, args=[first, *_]) if first is node:
            return part.is_builtin(func, *_TAKES_ALL)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="join")):
            return True
        case ast.Assign(targets=[ast.Tuple() | ast.List()]) | ast.Starred():
            return True
    return False


def looks(part: ProgramPart, node: ast.AST) -> bool:
    """Return whether a value is only looked at, so that it need not be a list."""
    parent = part.parents.get(node)
    match parent:
        case ast.Call(func=ast.Name() as func) if func is not node:
            return part.is_builtin(func, *_LOOKS, *_TAKES_ALL)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[right]):
            return right is node
    return takes_all(part, node)


def loop_of(part: ProgramPart, node: ast.AST) -> ast.For | ast.comprehension | None:
    """Return the loop over the items of a value, None if there is none."""
    parent = part.parents.get(node)
    if isinstance(parent, ast.For | ast.comprehension) and parent.iter is node:
        return parent
    return None


def may_change(loop: ast.For | ast.comprehension, value: ast.AST) -> bool:
    """Return whether a loop may change a value while it goes over it."""
    if isinstance(loop, ast.comprehension):
        return False
    old_tree = ast.dump(value)
    root = value
    while isinstance(root, ast.Attribute | ast.Subscript):
        root = root.value
    name = root.id if isinstance(root, ast.Name) else ""
    for statement in loop.body:
        for node in ast.walk(statement):
            match node:
                case ast.Subscript(value=owner, ctx=ast.Store() | ast.Del()):
                    if ast.dump(owner) == old_tree:
                        return True
                case ast.Call(func=ast.Attribute(value=owner, attr=attr), args=args):
                    if attr in _CHANGES and ast.dump(owner) == old_tree:
                        return True
                    if name in ("self", "cls") and isinstance(owner, ast.Name) and owner.id == name:
                        return True
                    if any(ast.dump(arg) == old_tree for arg in args):
                        return True
                case ast.Call(args=args) if any(ast.dump(arg) == old_tree for arg in args):
                    return True
    return False


def is_pure(part: ProgramPart, function: ast.AST) -> bool:
    """Return whether it cannot be seen when a function is called."""
    if part.is_builtin(function, *_PURE):
        return True
    if not isinstance(function, ast.Lambda):
        return isinstance(function, ast.Constant)
    for node in ast.walk(function.body):
        if isinstance(node, ast.Call):
            func = node.func
            is_string_method = isinstance(func, ast.Attribute) and func.attr in _STRING_METHODS
            if not is_string_method and not part.is_builtin(func, *_PURE):
                return False
    return True


# `/`, which rounded down between two ints.

_INTS = ("int", "bool")
# they define `/` for themselves, and never as a division of ints
_OTHERS = ("float", "str", "text", "list", "dict", "tuple", "set")


def division_changes(part: ProgramPart, node: ast.AST) -> Iterator[Change]:
    """Yield a division whose operands are both proven ints."""
    divided = _operands(part, node)
    if divided is not None and all(part.kind(operand) in _INTS for operand in divided):
        start = part.find_between(*divided, "/")
        text = "`/` becomes `//`: both values are ints"
        yield Change(node, "division", text, (Span(start, start + 1, "//"),))


def division_doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
    """Yield a division of which neither operand is proven to be a float."""
    divided = _operands(part, node)
    if divided is None or any(part.kind(operand) in _OTHERS for operand in divided):
        return
    ints = [part.source(n) for n in divided if part.kind(n) in _INTS]
    unknown = [part.source(n) for n in divided if part.kind(n) not in _INTS]
    what = " and ".join(f"`{one_line(text)}`" for text in unknown)
    text = f"`{one_line(ints[0])}` is an int, and {what} may be one" if ints else f"{what} may be"
    detail = f"it rounds down in Python 2 if both values are ints, and {text}"
    yield part.doubt(node, "division", part.source(node), detail)


def _operands(part: ProgramPart, node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """Return what is divided by what, None if nothing is or `/` is that of Python 3 already."""
    match node:
        case (
            ast.BinOp(left=left, op=ast.Div(), right=right)
            | ast.AugAssign(target=left, op=ast.Div(), value=right)
        ) if "division" not in part.features:
            return left, right
    return None


# `has_key`, `iteritems` and its like, and the lists that `keys`, `values` and `items` were.

_LOOSE = (ast.Expr, ast.Assign, ast.Return, ast.BoolOp, ast.If, ast.While, ast.comprehension)
_TIGHT = (
    *(ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.BinOp, ast.Tuple),
    *(ast.List, ast.Dict, ast.JoinedStr),
)


def dictionary_changes(part: ProgramPart, node: ast.AST) -> Iterator[Change]:
    """Yield a call as Python 3 has it; a method that the program defines itself stays."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=args, keywords=[]):
            if name in part.program.methods:
                return
            if name == "has_key" and len(args) == 1 and not isinstance(args[0], ast.Starred):
                yield _has_key(part, node, owner, args[0])
            elif (new := DICT_METHODS.get(name)) and not args:
                yield _lazy(part, node, name, new)
            elif name in VIEWS and not args and _is_list(part, node):
                text = f"`{name}()` stays a list"
                yield Change(node, "dictionaries", text, part.wrapping_spans(node, "list("))


def dictionary_doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
    """Yield a view of what may be a dict, which is used as more than that."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[], keywords=[]):
            if name not in VIEWS or name in part.program.methods or looks(part, node):
                return
            # what is done with it is nothing that a list can do
            is_used = not isinstance(part.parents.get(node), ast.Attribute | ast.Expr)
            if loop_of(part, node) is None and is_used:
                what = f"a list in Python 2 if `{one_line(part.source(owner))}` is a dict"
                yield part.doubt(node, "lazy", f"{name}()", f"{what}, and a view in Python 3")


def _is_list(part: ProgramPart, node: ast.Call) -> bool:
    """Return whether the result of `keys()` and its like has to be a list, and is one of a dict."""
    assert isinstance(node.func, ast.Attribute)
    owner = node.func.value
    loop = loop_of(part, node)
    if loop is not None:
        return may_change(loop, owner)
    if looks(part, node):
        return False
    match part.parents.get(node):
        case ast.Subscript(value=value) if value is node:
            return True
        case ast.Attribute(attr=attr):
            return attr in LIST_METHODS
        case ast.Expr():
            return False
        case ast.Assign(targets=[ast.Name(id=name)]) if _is_used_as_list(part, node, name):
            return True
    return part.kind(owner) == "dict"


def _is_used_as_list(part: ProgramPart, node: ast.AST, name: str) -> bool:
    """Return whether a variable is used in its function as only a list can be."""
    while node in part.parents and not isinstance(node, ast.FunctionDef):
        node = part.parents[node]
    for inner in ast.walk(node):
        match inner:
            case ast.Attribute(value=ast.Name(id=used), attr=attr) if used == name:
                if attr in LIST_METHODS:
                    return True
            case ast.Subscript(value=ast.Name(id=used)) if used == name:
                return True
    return False


def _has_key(part: ProgramPart, node: ast.Call, owner: ast.AST, key: ast.AST) -> Change:
    left, right = part.source(key), part.source(owner)
    if not isinstance(key, _TIGHT) or isinstance(key, ast.Tuple):
        left = left if left.startswith("(") and isinstance(key, ast.Tuple) else f"({left})"
    parent = part.parents.get(node)
    text = "`has_key` becomes `in`"
    negated = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
    if parent is not None and negated and isinstance(part.parents.get(parent), _LOOSE):
        return Change(
            node, "dictionaries", text, part.replacing_spans(parent, f"{left} not in {right}")
        )
    test = f"{left} in {right}"
    is_argument = isinstance(parent, ast.Call) and parent.func is not node
    if not isinstance(parent, (*_LOOSE, ast.keyword)) and not negated and not is_argument:
        # around a call alone, its own parentheses are not part of it
        test = f"({test})"
    return Change(node, "dictionaries", text, part.replacing_spans(node, test))


def _lazy(part: ProgramPart, node: ast.Call, name: str, new: str) -> Change:
    assert isinstance(node.func, ast.Attribute)
    start = part.end(node.func) - len(name)
    edits = [Span(start, start + len(name), new)]
    used = loop_of(part, node) is not None or looks(part, node)
    text = f"`{name}()` becomes `{new}()`"
    if name.startswith("iter") and not used:
        edits += part.wrapping_spans(node, "iter(")
        text = f"`{name}()` becomes `iter({new}())`"
    return Change(node, "dictionaries", text, tuple(edits))


# `map`, `filter`, `zip` and `range` gave lists, and called their functions at once.

_LISTS = ("list", "dict", "set", "file", "none")


def sequence_changes(part: ProgramPart, node: ast.AST) -> Iterator[Change]:
    """Yield a call that is a list still, unless nobody can tell the difference."""
    if not isinstance(node, ast.Call) or node.keywords or "list" in part.program.bound:
        return
    func, args = node.func, node.args
    if not isinstance(func, ast.Name) or not part.is_builtin(func, "map", "filter", "zip", "range"):
        return
    name = func.id
    if name == "map" and len(args) == 2 and _is_none(args[0]):
        edits = part.replacing_spans(node, f"list({part.source(args[1])})")
        yield Change(node, "sequences", "`map(None, ...)` becomes `list(...)`", edits)
    elif name == "map" and args and _is_none(args[0]):
        return
    elif name == "filter" and part.kind(args[-1]) in ("str", "text", "tuple"):
        # gave a string or a tuple
        return
    elif args and not _stays(part, node, name):
        text = f"`{name}(...)` stays a list"
        yield Change(node, "sequences", text, part.wrapping_spans(node, "list("))


def sequence_doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
    """Yield a `map` or `filter` that gave something else."""
    match node:
        case ast.Call(func=func, args=[first, second, *rest], keywords=[]):
            if part.is_builtin(func, "map") and rest:
                detail = "it goes on to the end of the longest one in Python 2, with None"
                proven = isinstance(first, ast.Constant)
                yield part.doubt(node, "lazy", "map(...) of several values", detail, proven)
            elif part.is_builtin(func, "map") and _is_none(first):
                yield part.doubt(node, "lazy", "map(None, ...)", "it fails in Python 3", True)
            elif part.is_builtin(func, "filter"):
                yield from _filter(part, node, second)


def _filter(part: ProgramPart, node: ast.Call, function: ast.AST) -> Iterator[Python2Doubt]:
    kind = part.kind(function)
    inner = function.func if isinstance(function, ast.Call) else function
    if kind in _LISTS or part.is_builtin(inner, "filter", "map", "zip", "range", "list"):
        return
    value: ast.AST = node
    outer = part.parents.get(node)
    if isinstance(outer, ast.Call) and part.is_builtin(outer.func, "list"):
        # one that the conversion has written is not what the value was used for
        value = node if part.before(outer).startswith("list") else outer
    if loop_of(part, value) is not None or looks(part, value):
        return
    if kind in ("str", "text", "tuple"):
        what = "tuple" if kind == "tuple" else "string"
        yield part.doubt(node, "lazy", "filter(...)", f"it gave a {what} of what is one", True)
    else:
        source = one_line(part.source(function))
        detail = f"it gave a string or a tuple if `{source}` is one, and a list otherwise"
        yield part.doubt(node, "lazy", "filter(...)", detail)


def _stays(part: ProgramPart, node: ast.Call, name: str) -> bool:
    """Return whether an iterator is as good as a list."""
    loop = loop_of(part, node)
    if name == "range":
        parent = part.parents.get(node)
        indexed = isinstance(parent, ast.Subscript) and not isinstance(parent.slice, ast.Slice)
        return loop is not None or looks(part, node) or indexed
    if takes_all(part, node):
        return True
    if loop is None or any(may_change(loop, arg) for arg in node.args):
        return False
    return name == "zip" or is_pure(part, node.args[0])


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


# `sorted(x, cmp=f)` and `x.sort(f)` get a key, and `cmp(a, b)` is written out.

_KEY = "cmp_to_key"


def sorting_changes(part: ProgramPart, node: ast.AST) -> Iterator[Change]:
    """Yield a call with `functools.cmp_to_key`, which orders in the same way."""
    match node:
        case ast.Call(func=func, args=[left, right], keywords=[]) if part.is_builtin(func, "cmp"):
            if _simple(left) and _simple(right):
                first, other = part.source(left), part.source(right)
                new = f"(({first} > {other}) - ({first} < {other}))"
                text = "`cmp(a, b)` becomes `((a > b) - (a < b))`"
                yield Change(node, "sorting", text, part.replacing_spans(node, new))
        case ast.Call(keywords=keywords) if _KEY not in part.program.bound:
            function = _comparison_function(part, node)
            if function is not None:
                keyword = next((k for k in keywords if k.value is function), None)
                start = part.start(function if keyword is None else keyword)
                edits = (
                    Span(start, part.start(function), f"key={_KEY}("),
                    Span(part.end(function), part.end(function), ")"),
                )
                text = f"the function becomes `key={_KEY}(...)`"
                yield Change(node, "sorting", text, edits, f"from functools import {_KEY}")


def sorting_doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
    """Yield a `sort` that is given a function and could not get a key; D110 and D115 have `cmp` and
    `sorted`.
    """
    match node:
        case ast.Call(func=ast.Attribute(attr="sort"), args=args, keywords=keywords):
            if any(k.arg == "cmp" for k in keywords):
                yield part.doubt(node, "cmp", "cmp=", "sorting takes no `cmp` in Python 3", True)
            elif (
                args
                and isinstance(args[0], ast.Lambda)
                and _comparison_function(part, node) is None
            ):
                detail = "sorting takes nothing by position in Python 3"
                yield part.doubt(node, "cmp", part.source(args[0]), detail, True)


def _comparison_function(part: ProgramPart, node: ast.Call) -> ast.expr | None:
    """Return the function that a sort compares with, None if it has none or also a key."""
    arguments = {k.arg: k.value for k in node.keywords}
    match node.func, node.args:
        case ast.Name() as func, [_, *rest] if part.is_builtin(func, "sorted"):
            pass
        case ast.Attribute(attr="sort"), rest:
            pass
        case _:
            return None
    function = rest[0] if rest else arguments.get("cmp")
    if len(rest) > 1 or "key" in arguments or isinstance(function, ast.Starred):
        return None
    if function is None or (isinstance(function, ast.Constant) and function.value is None):
        return None
    # a DataFrame is sorted by columns
    return function if arguments.get("cmp") or _is_function(part, function) else None


def _is_function(part: ProgramPart, node: ast.expr) -> bool:
    if isinstance(node, ast.Lambda):
        return len(node.args.args) == 2
    return isinstance(node, ast.Name) and (node.id in part.program.functions or node.id == "cmp")


def _simple(node: ast.expr) -> bool:
    """Return whether it can be evaluated twice, and stands between comparisons."""
    match node:
        case ast.Name() | ast.Constant():
            return True
        case ast.Attribute(value=value):
            return _simple(value)
        case ast.Subscript(value=value, slice=index):
            return _simple(value) and _simple(index)
    return False


# Special methods and `x.next()`: those of another name, and those that Python 3 never calls.

_GONE = {
    "__cmp__": "define `__eq__` and `__lt__`",
    "__div__": "define `__truediv__` or `__floordiv__`",
    "__rdiv__": "define `__rtruediv__` or `__rfloordiv__`",
    "__idiv__": "define `__itruediv__` or `__ifloordiv__`",
    "__unicode__": "`__str__` gives text",
    "__getslice__": "`__getitem__` gets slices",
    "__setslice__": "`__setitem__` gets slices",
    "__delslice__": "`__delitem__` gets slices",
    "__coerce__": "each operator does it for itself",
    "__long__": "define `__int__`",
    "__oct__": "define `__index__`",
    "__hex__": "define `__index__`",
}


def class_changes(part: ProgramPart, node: ast.AST) -> Iterator[Change]:
    """Yield `__bool__` for `__nonzero__`, and an iterator with `__next__`."""
    program = part.program
    match node:
        case ast.ClassDef():
            methods = _methods(node)
            for method in methods.values():
                new = ""
                if method.name == "__nonzero__" and "__bool__" not in methods:
                    new = "__bool__"
                elif method.name == "next" and "__iter__" in methods and "__next__" not in methods:
                    new = "__next__"
                if new and len(method.args.args) == 1:
                    start = part.text.text.index(method.name, part.start(method) + len("def"))
                    edit = Span(start, start + len(method.name), new)
                    yield Change(method, "methods", f"`{method.name}` becomes `{new}`", (edit,))
        case ast.Call(func=ast.Attribute(value=owner, attr="next"), args=[], keywords=[]):
            # iterators of Java have it as well, beside hasNext()
            of_java = any("hasNext" in other.text.text for other in program.parts)
            iterators = "next" not in program.methods or program.only_iterators
            if not of_java and iterators and "next" not in program.bound:
                edits = part.replacing_spans(node, f"next({part.source(owner)})")
                yield Change(node, "methods", "`x.next()` becomes `next(x)`", edits)


def class_doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
    """Yield the methods of a class that nothing calls any more, `__metaclass__`, and `__eq__`
    without `__hash__`.
    """
    if not isinstance(node, ast.ClassDef):
        return
    methods = _methods(node)
    assigned = {
        target.id: n
        for n in node.body
        if isinstance(n, ast.Assign)
        for target in n.targets
        if isinstance(target, ast.Name)
    }
    for name in methods.keys() & _GONE.keys():
        detail = f"Python 3 never calls it; {_GONE[name]}"
        yield part.doubt(methods[name], "special-method", name, detail, True)
    if "__metaclass__" in assigned:
        detail = "Python 3 does not look at it; name it in the bases: metaclass=..."
        yield part.doubt(assigned["__metaclass__"], "special-method", "__metaclass__", detail, True)
    if "__eq__" in methods and "__hash__" not in methods.keys() | assigned.keys():
        detail = "without `__hash__` its objects cannot be keys or members of sets in Python 3"
        yield part.doubt(node, "special-method", f"{node.name}.__eq__", detail)


def _methods(node: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    return {n.name: n for n in node.body if isinstance(n, ast.FunctionDef)}


# Builtins: those of another name (`xrange`, `unicode`, `reduce`), and those that do less.

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def builtin_changes(part: ProgramPart, node: ast.AST) -> Iterator[Change]:
    """Yield a name with that of Python 3; none that the program binds itself."""
    bound = part.program.bound
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        new = RENAMED_BUILTINS.get(node.id)
        if part.is_builtin(node, "reduce"):
            text = "`reduce` is imported from functools"
            yield Change(node, "names", text, needs="from functools import reduce")
        elif new and node.id not in bound and new not in bound:
            yield Change(
                node, "names", f"`{node.id}` becomes `{new}`", part.replacing_spans(node, new)
            )
        elif part.is_builtin(node, "input") and "eval" not in bound:
            call = part.parents.get(node)
            if isinstance(call, ast.Call) and call.func is node:
                text = "`input(...)` becomes `eval(input(...))`, which is what it did"
                yield Change(call, "names", text, part.wrapping_spans(call, "eval("))
    elif isinstance(node, ast.Attribute) and (path := part.path(node)) in RENAMED_IN_MODULES:
        new = RENAMED_IN_MODULES[path].rpartition(".")[2]
        edit = Span(part.end(node) - len(node.attr), part.end(node), new)
        text = f"`{path}` becomes `{RENAMED_IN_MODULES[path]}`"
        yield Change(node, "names", text, (edit,))


def builtin_doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
    """Yield a call that rounds, runs code, or prints a space at its end."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return
    name = node.func.id
    if name == "print":
        # of `print x,`
        if any(k.arg == "end" and ast.unparse(k.value) == "' '" for k in node.keywords):
            detail = (
                "it became `end=' '`: Python 3 writes the space at once, Python 2 in front of the "
                "next value"
            )
            yield part.doubt(node, "print-space", "print ...,", detail)
    elif part.is_builtin(node.func, "exec", "compile", "eval"):
        detail = "its code is Python 2 and was not converted"
        inside = any(isinstance(n, _FUNCTIONS) for n in part.around(node))
        if name == "exec" and len(node.args) == 1 and inside:
            detail += "; in a function it sets no variables in Python 3"
        yield part.doubt(node, "code-in-text", name, detail)
    elif part.is_builtin(node.func, "round") and node.args:
        detail = "a half goes to the even number in Python 3, and away from zero in Python 2"
        if len(node.args) == 1:
            detail += "; the result is an int"
        if part.kind(node.args[0]) not in ("int", "bool"):
            yield part.doubt(node, "round", part.source(node), detail)


# Strings of bytes where Python 3 has text, and text where it wants bytes.


# modules whose functions take bytes only
_BYTES = ("hashlib", "base64", "binascii", "zlib", "hmac", "struct")
_TEXT = ("struct.pack", "struct.calcsize", "hashlib.new", "base64.b64decode", "base64.decodestring")
_SENDS = ("send", "sendall", "sendto")
_GIVES = ("recv", "recvfrom")
_PROCESSES = ("subprocess.check_output", "subprocess.Popen")
_MODES = {"wb", "rb", "ab", "r+b", "rb+", "w+b", "wb+"}


def text_doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
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
    elif path in _PROCESSES:
        given = {k.arg for k in node.keywords}
        is_read = path.endswith("check_output") or "stdout" in given
        if is_read and given.isdisjoint(("universal_newlines", "text", "encoding")):
            yield part.doubt(node, "bytes", path, "its output is bytes")
    elif part.is_builtin(func, "open", "file") and len(node.args) > 1:
        mode = node.args[1]
        if isinstance(mode, ast.Constant) and mode.value in _MODES:
            yield part.doubt(node, "bytes", part.source(node), "the file takes and gives bytes")
    elif isinstance(func, ast.Attribute):
        yield from _method(part, node, func)


def _method(part: ProgramPart, node: ast.Call, func: ast.Attribute) -> Iterator[Python2Doubt]:
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


# Values of types that Python 2 took for one another.

_NAMES = {"types.UnicodeType": "unicode", "types.LongType": "long"}
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_GROUPS = {
    **dict.fromkeys(("int", "float", "bool"), "number"),
    **dict.fromkeys(("str", "text"), "string"),
    **{"list": "list", "tuple": "tuple", "dict": "dict", "none": "None"},
}
_WITH_VALUE = re.compile(r"raise\s+[\w.]+\s*,")


def type_doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
    """Yield checks for `unicode` or `long`, orders of different types, and raised values."""
    match node:
        case ast.Name() | ast.Attribute():
            yield from _doubts_of_name(part, node)
        case ast.Compare(left=left, ops=ops, comparators=others):
            for op, first, other in zip(ops, [left, *others], others, strict=False):
                if isinstance(op, _ORDERS):
                    yield from _doubts_of_order(part, node, first, other)
        case ast.Raise(exc=ast.expr() as raised):
            yield from _doubts_of_raise(part, node, raised)


def _doubts_of_name(part: ProgramPart, node: ast.Name | ast.Attribute) -> Iterator[Python2Doubt]:
    """Yield a check for `unicode` or `long`, or a decoding call of `unicode`."""
    old = _NAMES.get(part.path(node))
    if isinstance(node, ast.Name) and node.id in ("str", "int"):
        # what the conversion has made of it
        before = part.before(node)
        old = next((name for name in ("unicode", "long") if before.startswith(name)), None)
    parent = part.parents.get(node)
    if old is None:
        return
    called = isinstance(parent, ast.Call) and part.is_builtin(
        parent.func, "isinstance", "issubclass"
    )
    if called or isinstance(parent, ast.Compare):
        if old == "unicode":
            detail = "the check is true of each string in Python 3, of text only in Python 2"
        else:
            detail = "the check is true of each int in Python 3"
        yield part.doubt(node, "types", old, detail)
    elif (
        old == "unicode"
        and isinstance(parent, ast.Call)
        and len(parent.args) > 1
        and (parent.func is node)
    ):
        detail = "it decodes bytes; with text it fails in Python 3"
        yield part.doubt(parent, "types", "unicode(..., encoding)", detail)


def _doubts_of_order(
    part: ProgramPart, node: ast.Compare, operand: ast.expr, other: ast.expr
) -> Iterator[Python2Doubt]:
    groups = [_GROUPS.get(part.kind(value) or "") for value in (operand, other)]
    if "None" in groups:
        detail = "Python 3 does not order None, which came before all else"
    elif None not in groups and groups[0] != groups[1]:
        detail = f"Python 3 does not order a {groups[0]} and a {groups[1]}"
    else:
        return
    yield part.doubt(node, "comparison", part.source(node), detail, True)


def _doubts_of_raise(
    part: ProgramPart, node: ast.Raise, raised: ast.expr
) -> Iterator[Python2Doubt]:
    """Yield a string that is raised, or a value behind the comma whose kind is not known."""
    if part.kind(raised) in ("str", "text"):
        detail = "a string cannot be raised: TypeError"
        yield part.doubt(node, "raise", part.source(raised), detail, True)
    match raised:
        case ast.Call(args=[value], keywords=[]) if _WITH_VALUE.match(part.before(node)):
            if part.kind(value) not in ("str", "text", "int", "float", "bool", "bytes"):
                detail = (
                    "an exception was raised itself, and the parts of a tuple were the arguments"
                )
                yield part.doubt(node, "raise", part.source(value), detail)


# What is converted, in the order of it, and what stays in doubt then.

Pass = Callable[[ProgramPart, ast.AST], Iterator[Change]]
# each sees the program as those before it have left it; lists before names: `range` is one, and
# what was `xrange` is none
PASSES: tuple[Pass, ...] = (
    division_changes,
    dictionary_changes,
    sequence_changes,
    sorting_changes,
    class_changes,
    builtin_changes,
)
_FINDERS: tuple[Callable[[ProgramPart, ast.AST], Iterator[Python2Doubt]], ...] = (
    division_doubts,
    dictionary_doubts,
    sequence_doubts,
    sorting_doubts,
    class_doubts,
    builtin_doubts,
    text_doubts,
    type_doubts,
)


def doubts(program: Program2) -> Iterator[Python2Doubt]:
    """Yield what is not proven to mean the same in a converted program."""
    for part, node in program.nodes():
        for find in _FINDERS:
            yield from find(part, node)
