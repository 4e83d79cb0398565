"""Random small programs over streams, contexts and numbers, which run on stand-ins for Spark.

They begin behind the `HEAD` of `inference`.

Containers that are changed have names of their own (`l0`, `d0`) and no aliases: inference knows
containers by the names that hold them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

NAMES = ("v0", "v1", "v2", "v3")
START = (
    "import functools\nfrom contextlib import suppress\n"
    "v0, v1, v2, v3 = s, 1, ssc, None\nl0, d0 = [s], {'a': s}\n"
)


@dataclass
class _Writer:
    """Writes a program; `pick` chooses one of several things."""

    pick: Callable[[tuple[object, ...]], object]
    lines: list[str] = field(default_factory=list)
    functions: list[tuple[str, int]] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)

    def name(self) -> str:
        return str(self.pick(NAMES))

    def number(self, end: int) -> int:
        return int(str(self.pick(tuple(range(end)))))

    def expression(self, depth: int = 2) -> str:
        """An expression; most are names, so that programs do something with what they have."""
        if depth == 0 or self.number(3) == 0:
            return str(self.pick((*NAMES, *NAMES, "s", "ssc", "1", "None")))
        forms = (
            *("({e}, {e})", "[{e}, {e}]", "{'a': {e}, 'b': {e}}", "{e} if {t} else {e}"),
            *("({e} or {e})", "({t} and {e})", "({n} := {e})", "[{n} for {n} in ({e}, {e})]"),
            *("(lambda {n}: {e})({e})", "({e}, {e})[{i}]", "[{e}, {e}][0]", "[{e}] + [{e}]"),
            *("{n}.map(len) if isinstance({n}, DStream) else {e}", "(lambda {n}=1: {n})()"),
            *("l0[0]", "l0[-1]", "d0['a']", "d0.get('b', {e})", "list(l0)", "[*l0, {e}]"),
            *("[{n} for {n} in l0 if isinstance({n}, DStream)]", "next(iter([{e}]))"),
            *("[{n} for {n}, {n} in d0.items()]", "list(zip(l0, [{e}]))[0]", "dict([('a', {e})])"),
            *("[(lambda: {n}) for {n} in ({e}, {e})][0]()", "dict(d0, b={e})", "sum([[{e}]], [])"),
            *("[{n} for {n}, *{n} in [({e}, {e}, {e})]]", "list(map(lambda {n}: {e}, l0))"),
            *("functools.reduce(lambda {n}, {n}x: {e}, [{e}, {e}, {e}])", "s.map(len)"),
            *("functools.partial(lambda {n}, {n}x: {n}, {e})({e})", "ssc.textFileStream('x')"),
            *("{call}", "{call}", "{call}", "{object}", "{object}"),
        )
        return self.fill(str(self.pick(forms)), depth - 1)

    def fill(self, form: str, depth: int) -> str:
        """A form with its blanks filled in: {e} an expression, {n} a name, {t} a test."""
        blanks = {"e": lambda: self.expression(depth), "n": self.name, "t": self.test,
                  "i": lambda: str(self.number(2)), "call": lambda: self.call(depth),
                  "object": lambda: self.of_object(depth)}  # fmt: skip
        return re.sub(r"\{(\w+)\}", lambda match: blanks[match[1]](), form)

    def test(self) -> str:
        return self.fill(str(self.pick(_TESTS)), 0)

    def call(self, depth: int) -> str:
        if not self.functions:
            return self.name()
        name, count = self.functions[self.number(len(self.functions))]
        given = [self.expression(depth) for _ in range(self.number(count + 1))]
        form = str(self.pick(("{}({})", "{}(*({}))", "functools.partial({}, {})()")))
        return form.format(name, "".join(f"{each}, " for each in given))

    def of_object(self, depth: int) -> str:
        if not self.classes:
            return self.name()
        cls = str(self.pick(tuple(self.classes)))
        forms = ("{c}.x", "{c}().x", "{c}({e}).x", "{c}({e}).m({e})", "{c}().y", "{c}().p")
        forms += ("getattr({c}({e}), 'x', {e})", "{c}().m(y={e})", "{c}")
        return self.fill(str(self.pick(forms)).replace("{c}", cls), depth)

    def block(
        self, indent: str, depth: int, is_loop: bool = False, is_function: bool = False
    ) -> None:
        for _ in range(1 + self.number(3)):
            self.statement(indent, depth, is_loop, is_function)
        if is_loop and self.number(3) == 0:
            self.lines.append(f"{indent}if {self.test()}: {self.pick(('break', 'continue'))}")
            self.statement(indent, 0, False, is_function)

    def statement(self, indent: str, depth: int, is_loop: bool, is_function: bool) -> None:
        inner = indent + "    "

        def line(form: str) -> None:
            self.lines.append(indent + self.fill(form, 2))

        def body(form: str, in_loop: bool = is_loop) -> None:
            line(form)
            self.block(inner, depth - 1, in_loop, is_function)

        if depth == 0 or self.number(2) == 0:
            if is_function and self.number(4) == 0:
                line("return {e}")
            else:
                line(str(self.pick(_SIMPLE)))
            return
        match self.pick(("if", "if", "while", "for", "try", "with", "match", "def", "class")):
            case "if":
                body("if {t}:")
                if self.number(2):
                    body("else:")
            case "while":
                body("while c():", True)
            case "for":
                body(str(self.pick(("for {n} in ({e}, {e}):", "for {n} in l0:"))), True)
                if self.number(3) == 0:
                    body("else:")
            case "try":
                body("try:")
                line("    boom()")
                body(str(self.pick(("except Exception:", "except Exception as {n}:", "finally:"))))
            case "with":
                body("with suppress(Exception):")
                line("    boom()")
            case "match":
                line("match {n}:")
                for form in ("case DStream():", "case ({n}q, {n}w):", "case [{n}q, *{n}w] if c():"):
                    self.lines.append(inner + self.fill(form, 0))
                    self.block(inner + "    ", depth - 1, is_loop, is_function)
            case "def":
                self.function(indent, depth)
            case "class":
                self.make_class(indent, depth)

    def function(self, indent: str, depth: int) -> None:
        name, names = f"f{len(self.functions)}", NAMES[: self.number(3)]
        signature = ", ".join(f"{each}={self.expression(0)}" for each in names)
        self.lines.append(f"{indent}def {name}({signature}):")
        if self.number(3) == 0 and "v3" not in names:
            self.lines.append(f"{indent}    global v3")
        self.block(indent + "    ", depth - 1, False, True)
        self.lines.append(f"{indent}    return {self.expression(1)}")
        self.functions.append((name, len(names)))

    def make_class(self, indent: str, depth: int) -> None:
        name = f"C{len(self.classes)}"
        count = self.number(3) if self.classes else 0
        bases = {str(self.pick(tuple(self.classes))) for _ in range(count)}
        self.lines.append(f"{indent}class {name}({', '.join(sorted(bases))}):")
        forms = (
            "x = {n}", "y = {n}", "x = lambda self: {n}", "def m(self, y=1): return y",
            "def m(self, y=1): return self.x", "def __init__(self, x=1): self.x = x",
            "def __init__(self, y=1): self.y = y", "def m(self, y=1): return super().m(y)",
            "@property\n    def p(self): return self.y",
            "@classmethod\n    def m(cls, y=1): return y",
        )  # fmt: skip
        for _ in range(1 + self.number(3)):
            text = self.fill(str(self.pick(forms)), 1)
            self.lines += [indent + each for each in f"    {text}".split("\n")]
        self.classes.append(name)


_TESTS = (
    *("c()", "c()", "isinstance({n}, DStream)", "not isinstance({n}, DStream)"),
    *("isinstance({n}, (DStream, StreamingContext))", "hasattr({n}, 'pprint')", "{n} is None"),
    *(
        "isinstance({n}, DStream) and c()",
        "isinstance({n}, DStream) or c()",
        "type({n}) is DStream",
    ),
)
_SIMPLE = (
    *("{n} = {e}", "{n} = {e}", "{n} = {e}", "{n}, {n} = {e}, {e}", "{n}, *{n} = ({e}, {e}, {e})"),
    *("l0.append({e})", "l0 += [{e}]", "l0.extend(({e}, {e}))", "l0[0] = {e}", "l0[0:1] = [{e}]"),
    *("d0['b'] = {e}", "d0.update(a={e})", "d0.update([('a', {e})])", "d0.setdefault('c', {e})"),
    *("boom()", "assert isinstance({n}, DStream)", "{e}", "{n} = l0.pop() if l0 else {e}"),
    *("for {n} in (): pass", "{n}, {n} = {'a': {e}, 'b': 1}"),
)


def write_program(pick: Callable[[tuple[object, ...]], object]) -> str:
    """The text of a program whose parts a function chooses."""
    writer = _Writer(pick)
    for depth in (3, 3, 2):
        writer.block("", depth)
    return START + "\n".join(writer.lines) + "\n"
