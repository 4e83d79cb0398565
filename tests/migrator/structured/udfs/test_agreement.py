"""The inference of types and the translator of functions do not contradict each other.

Where the translator has an expression without consent, the inference refuses the function, or its
type has all values of the expression's, and it says that an error may be raised if that may be.
"""

from __future__ import annotations

import ast

import pytest

from dstream_compat.native import Refusal, Translator, column
from dstream_compat.native.expressions import Literal
from dstream_compat.native.names import Local, module_environment
from dstream_compat.native.types import (
    Array,
    Boolean,
    Double,
    Long,
    NoneType,
    Nullable,
    String,
    Tuple,
    Type,
    present,
    tuple_of,
)
from migrator.structured.program.graph import Node, Stage
from migrator.structured.program.modules import Block, SourceModule
from migrator.structured.udfs.expressions import TypeInference
from migrator.structured.udfs.names import JobNames
from migrator.structured.udfs.types import Certain, Mixed, Unbounded, UnknownTypeError

KINDS: list[Type] = [
    *(String(), Long(), Long(-9, 9, 32), Double(), Boolean(), Nullable(String()), Nullable(Long())),
    *(Array(String()), Array(Long(0, 9, 32)), Array(Double()), tuple_of(String(), Long(1, 9))),
]
EXPRESSIONS = """
x + x|x - 1|x * 2|-x|abs(x)|x / 2|x // 2|x % 7|7 // x|7 % x|1 / x|x == 1|x > 1|x < 'a'
x in (1, 2)|x[0]|x[-1]|x[1:]|x[0] + 1|x[1] + 1|x[0] or 1|len(x)|len(x) - 5|sum(x)|max(x)|min(x)
sorted(x)|any(x)|max(x[1], 0)|min(x[0], 'a')|str(x)|'%s' % x|f'{x}'|'{} {}'.format(x, 1)|int(x)
float(x)|bool(x)|round(x)|not x|x or 1|x and 1|x or None|x or 'a'|x if x else 0|x is None
0 if x is None else x|1 if x else None|[y for y in x]|[y + 1 for y in x]
[(y, 1) for y in x if y]|list(map(str, x))|list(filter(None, x))|(x, x)|(x, 1)[1]
(lambda y, z=1: (y, z))(x)|x.split()|x.split(',')[1]|x.strip()|x.find('a')|x.upper()
x.replace('a', 'b')|x.startswith(('a', 'b'))|','.join(x)|re.findall('a', x)|re.split('a', x)
re.sub('a', 'b', x)|operator.itemgetter(0)(x)|operator.itemgetter(0, 1)(x)
True if x is None else x
"""


def inferred(text: str, kind: Type) -> tuple[Type, bool] | None:
    """The type of a function, and whether it may raise; None if it is refused."""
    tree = ast.parse(f"import operator\nimport re\nf = {text}\nlines.map(f)")
    *_, assigned, last = tree.body
    assert isinstance(assigned, ast.Assign) and isinstance(assigned.value, ast.Lambda)
    assert isinstance(last, ast.Expr) and isinstance(last.value, ast.Call)
    node = Node("map", last.value, (), Stage.ROWS, Block(tree.body))
    environment = module_environment(tree)
    here = TypeInference(JobNames(SourceModule(text, tree), node).lookup, environment)
    try:
        found = here.call(Local(assigned.value, environment, {}), [kind])
    except UnknownTypeError:
        return None
    return found, bool(here.raised | here.uncaught)


def has_all(whole: Type, kind: Type) -> bool:
    """Whether one type has all values of another one, however many bits Spark has for them."""
    match whole, kind:
        case Long(), Long():
            return whole.lo <= kind.lo and kind.hi <= whole.hi
        case Double(), Double():
            return whole.nan >= kind.nan and whole.inf >= kind.inf
        case Tuple(), Tuple():
            return all(map(has_all, whole.fields, kind.fields))
        case Array(), Array():
            return has_all(whole.element, kind.element)
        case Nullable(), _:
            return isinstance(kind, NoneType) or has_all(whole.inner, present(kind))
        case Mixed(), _:
            return any(has_all(each, kind) for each in whole.kinds)
    return isinstance(kind, type(whole)) or isinstance(whole, Unbounded)


@pytest.mark.parametrize("text", EXPRESSIONS.replace("\n", "|").strip("|").split("|"))
def test_they_agree(text: str) -> None:
    text = f"lambda x: {text}"
    environment = module_environment(ast.parse("import operator\nimport re"))
    function = ast.parse(text, mode="eval").body
    for kind in KINDS:
        made = Translator(environment).map(function, column("x", kind))
        found = inferred(text, kind)
        if isinstance(made, Refusal) or found is None:
            continue
        assert found[1] or not made.may_raise, kind
        if isinstance(made.expression, Literal) and isinstance(found[0], Certain):
            assert made.expression.value is found[0].value
        else:
            assert has_all(found[0], made.type), (kind, made.type, found[0])
