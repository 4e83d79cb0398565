"""Which nodes use the DStream API, according to inference, and with which arguments."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeGuard, cast

from dstream_compat.source.kafka.texts import text_for
from migrator.collect.path_values import PathValues
from migrator.infer.attributes import api_instance, parameters_of
from migrator.infer.program import Facts, Program
from migrator.infer.values import (
    Atom,
    Function,
    LocalClass,
    LocalObj,
    Map,
    Method,
    Obj,
    Partial,
    Ref,
    Seq,
    Step,
    Tuple,
    Value,
)
from migrator.model.events import Event, KafkaValue, RddFunction, Use, WrongType
from migrator.model.findings import shown_place
from migrator.model.report import Confidence, Spot, TextEdit
from migrator.source.child_nodes import enclosing_functions
from migrator.source.python import Chunk, Unit
from migrator.spark import api, names
from migrator.spark.connectors import BROKERS
from migrator.spark.kinds import STREAMING, STREAMS, Kind
from migrator.spark.names import METHODS
from migrator.spark.rdd_operations import DATAFRAME_WAY
from migrator.spark.signatures import KAFKA, SIGNATURES, argument, problem

# Decides whether a name that streams lack may belong to another class.
#
# A value may be a stream in one call and an RDD in another, and programs ask before they use a
# name: `hasattr(data, "collect")`, or `except AttributeError`.


# base classes that have no public names
_BARE = ("builtins.object", "abc.", "typing.")
# nothing there has the private names of contexts and streams but these themselves
_LIBRARIES = sys.stdlib_module_names | {"builtins", "pyspark"}
# a stream or context with one of these is a mock of unittest, which says so only in its use
_MOCK_NAMES = frozenset(
    {
        *("assert_any_await", "assert_any_call", "assert_awaited", "assert_awaited_once"),
        *("assert_awaited_once_with", "assert_awaited_with", "assert_called"),
        *("assert_called_once", "assert_called_once_with", "assert_called_with"),
        *("assert_has_awaits", "assert_has_calls", "assert_not_awaited", "assert_not_called"),
        *("attach_mock", "await_args", "await_args_list", "await_count", "call_args"),
        *("call_args_list", "call_count", "called", "configure_mock", "method_calls"),
        *("mock_add_spec", "mock_calls", "reset_mock", "return_value", "side_effect"),
    }
)
_CONTAINERS = (list, tuple, set, dict)
_PLAIN = (str, bytes, int, float, *_CONTAINERS)


def may_have(atom: Atom, name: str) -> bool:
    """Return whether something has an attribute, or nothing is known that speaks against it."""
    match atom:
        case Obj(kind) if kind in STREAMING:
            return name in api.METHODS[kind]
        case Obj(Kind.NONE) | Method() | Function() | Partial():
            return False
        case Obj(Kind.OTHER):
            # numbers and texts as a rule, which are no RDDs
            spark = name in api.RDD or name in DATAFRAME_WAY
            return not spark or any(hasattr(kind, name) for kind in _PLAIN)
        case Seq() | Tuple() | Map():
            return any(hasattr(kind, name) for kind in _CONTAINERS)
        case LocalObj(info) | LocalClass(info):
            related = [*info.ancestors(), *info.descendants()]
            bases = info.outer_bases()
            if bases is None or not all(path.startswith(_BARE) for path in bases):
                return True
            dynamic = (name, "__getattr__", "__getattribute__")
            return any(n in c.attrs for c in related for n in dynamic)
        case _:
            return True


def is_of_mock(name: str) -> bool:
    """Return whether a name is one that a mock adds to the class it stands for."""
    return name in _MOCK_NAMES


def may_be_foreign(value: Value) -> bool:
    """Return whether a value may be of an unknown class, which is not the program's own."""
    return value.unknown or not value.atoms or not all(_is_own(a) for a in value.atoms)


def _is_own(atom: Atom) -> bool:
    if not isinstance(atom, LocalObj | LocalClass):
        return False
    bases = atom.info.outer_bases()
    return bases is not None and all(path.partition(".")[0] in _LIBRARIES for path in bases)


class Guards:
    """Where a unit asks what a value is before it uses it."""

    def __init__(self, unit: Unit) -> None:
        self.where = enclosing_functions(unit.tree)
        self.asked: set[tuple[ast.AST, str]] = set()
        self.tried: set[ast.AST] = set()
        for node in unit.nodes():
            if isinstance(node, ast.Call):
                base = _asks_about(node)
                if base is not None and node in self.where:
                    self.asked.add((self.where[node], ast.unparse(base)))
            elif _goes_on(node):
                self.tried.update(n for part in node.body for n in ast.walk(part))

    def covers(self, node: ast.Attribute) -> bool:
        """Return whether an attribute is used only after its value has been asked about."""
        if node.value in self.tried:
            return True
        if not self.asked:
            return False
        text = ast.unparse(node.value)
        return any((owner, text) in self.asked for owner in self._around(node.value))

    def _around(self, node: ast.AST) -> Iterator[ast.AST]:
        while node in self.where:
            node = self.where[node]
            yield node


def _asks_about(call: ast.Call) -> ast.expr | None:
    """Return what a test is about: `hasattr(x, "name")`, or `getattr` with a default."""
    match call:
        case ast.Call(func=ast.Name(id="hasattr"), args=[base, _]):
            return base
        case ast.Call(func=ast.Name(id="getattr"), args=[base, _, _]):
            return base
        # tests of a name's class are part of inference
        case ast.Call(func=ast.Name(id="isinstance"), args=[base, classes]):
            return None if isinstance(base, ast.Name) or _is_stream_class(classes) else base
        case ast.Call(func=ast.Name(id="dir"), args=[base]):
            return base
    return None


def _is_stream_class(classes: ast.expr) -> bool:
    return not isinstance(classes, ast.Tuple) and ast.unparse(classes).endswith("DStream")


def _goes_on(node: ast.AST) -> TypeGuard[ast.Try | ast.With]:
    """Return whether a block may raise AttributeError and the program goes on behind it."""
    match node:
        case ast.Try(handlers=handlers):
            return any(_names_it(h.type) for h in handlers)
        case ast.With(items=items):
            calls = (item.context_expr for item in items)
            return any(
                isinstance(c, ast.Call)
                and ast.unparse(c.func).endswith("suppress")
                and any(_names_it(a) for a in c.args)
                for c in calls
            )
        case _:
            return False


def _names_it(node: ast.expr | None) -> bool:
    names = node.elts if isinstance(node, ast.Tuple) else [node]
    return any(isinstance(n, ast.Name) and n.id == "AttributeError" for n in names)


# Arguments of calls of the API: types that no version of Spark accepts, and functions of RDDs.


# the types that Spark asks for
_WANTED: dict[str, dict[str, str]] = {
    "KafkaUtils.createDirectStream": {"topics": "list", "kafkaParams": "dict"},
    "KafkaUtils.createStream": {"topics": "dict"},
    "KafkaUtils.createRDD": {"kafkaParams": "dict", "offsetRanges": "list"},
}
_STREAMS = frozenset({"StreamingContext.union", "DStream.union"})
_DISPLAYS: dict[type[ast.expr], str] = {
    ast.JoinedStr: "str",
    ast.List: "list",
    ast.ListComp: "list",
    ast.Tuple: "tuple",
    ast.Set: "set",
    ast.SetComp: "set",
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.GeneratorExp: "generator",
}
_RDD_METHODS = ("foreachRDD", "transform")


def find_wrong_type(key: str, call: ast.Call, facts: Facts) -> WrongType | None:
    """Return the first argument of a call that cannot be of the right type, or None."""
    if key in _STREAMS:
        for stream in call.args:
            given_type = type_of(stream, facts)
            if given_type is not None:
                return WrongType("", "streams", given_type)
    for name, wanted_type in _WANTED.get(key, {}).items():
        value = argument(key, call, name)
        given_type = None if value is None else type_of(value, facts)
        if given_type not in (None, wanted_type):
            return WrongType(name, wanted_type, str(given_type))
    return None


def type_of(node: ast.expr, facts: Facts) -> str | None:
    """Return the type of a value, or None if it may be anything."""
    if isinstance(node, ast.Starred):
        return None
    if isinstance(node, ast.Constant):
        return None if node.value is None else type(node.value).__name__
    if type(node) in _DISPLAYS:
        return _DISPLAYS[type(node)]
    value = facts.values.get(node)
    return type_of_value(value) if value is not None and facts.converged else None


def type_of_value(value: Value) -> str | None:
    """Return the type of a value of inference, or None if it may be anything."""
    if value.unknown or not value.atoms:
        return None
    if all(isinstance(a, Map) for a in value.atoms):
        return "dict"
    # a list, or something else that is made from one
    return "list" if all(isinstance(a, Seq | Tuple) for a in value.atoms) else None


def rdd_function(call: ast.Call, facts: Facts) -> RddFunction | None:
    """Return what a call of `foreachRDD` or `transform` of a stream is given, if certain."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _RDD_METHODS:
        return None
    function_argument = [k.value for k in call.keywords if k.arg == "func"] or call.args[:1]
    return (
        parameters_of(facts.values.get(function_argument[0]))
        if function_argument and facts.converged
        else None
    )


# Parameters of Kafka in calls of `KafkaUtils`: where the addresses of brokers go, and values that
# are no texts.


# the receiver's parameters before kafkaParams
_BEFORE = 4
# between the last argument and the closing parenthesis
_REST = re.compile(r"(?:\s|#[^\r\n]*)*,?(?:\s|#[^\r\n]*)*\Z")
_KAFKA_METHODS = frozenset(key.rpartition(".")[2] for key in KAFKA)
# what may get parameters and changes none
_READERS = frozenset({"dict", "len", "print", "repr", "sorted", "str"})
_READING_METHODS = frozenset({"copy", "get", "items", "keys", "values"})


def brokers_edit(unit: Unit, call: ast.Call, confidence: Confidence) -> TextEdit | None:
    """Return the edit that names the brokers, a null character
    standing for them; None if none is proven.

    Parameters
    ----------
    call : Call
        The call, which names no brokers yet.
    confidence : Confidence
        Whether its receiver is proven.
    """
    chunk = unit.chunk_at(call.lineno)
    if confidence is not Confidence.PROVEN or not chunk.is_edited:
        return None
    params = [k.value for k in call.keywords if k.arg == "kafkaParams"]
    params += call.args[_BEFORE : _BEFORE + 1]
    spread = any(isinstance(a, ast.Starred) for a in call.args)
    spread = spread or any(k.arg is None for k in call.keywords)
    if spread or len(params) > 1 or len(call.args) + len(call.keywords) < _BEFORE:
        return None
    if params and isinstance(params[0], ast.Name):
        return _brokers_in_variable(unit, chunk, params[0])
    if params:
        return _into_dict(chunk, params[0])
    last = max(
        (*call.args, *(k.value for k in call.keywords)),
        key=lambda a: (a.end_lineno or 0, a.end_col_offset or 0),
    )
    start = chunk.span(last)[1]
    end = chunk.span(call)[1]
    if chunk.text[end - 1 : end] != ")" or _REST.match(chunk.text[start : end - 1]) is None:
        return None
    return chunk.edit(start, start, ', kafkaParams={"bootstrap.servers": "\0"}')


def _into_dict(chunk: Chunk, params: ast.expr) -> TextEdit | None:
    """Return the edit of parameters that are a literal without `**`."""
    if not isinstance(params, ast.Dict) or any(key is None for key in params.keys):
        return None
    start = chunk.span(params)[0]
    if chunk.text[start : start + 1] != "{":
        return None
    if not params.keys:
        return chunk.edit(start + 1, start + 1, '"bootstrap.servers": "\0"')
    first = params.keys[0]
    assert first is not None
    at = chunk.span(first)[0]
    # a key in parentheses starts behind them
    if chunk.text[at - 1 : at] == "(":
        return None
    return chunk.edit(at, at, '"bootstrap.servers": "\0", ')


def _brokers_in_variable(unit: Unit, chunk: Chunk, params: ast.Name) -> TextEdit | None:
    """Return the edit of parameters in a variable that only holds a literal without brokers."""
    if unit.unread or not _holds_literal(unit, params.id):
        return None
    start = chunk.span(params)[0]
    end = start + len(params.id)
    # parentheses would not be those of the argument
    if chunk.text[start:end] != params.id or chunk.text[start - 1 : start] == "(":
        return None
    text = f'{{**{params.id}, "bootstrap.servers": "\0"}}'
    return chunk.edit(start, end, text)


def _holds_literal(unit: Unit, name: str) -> bool:
    """Return whether a name is bound once, to a dict without brokers for receivers only."""
    literal = only_literal(unit, name, ("createStream",))
    return literal is not None and all(
        isinstance(key, ast.Constant) and key.value not in BROKERS for key in literal.keys
    )


def only_literal(unit: Unit, name: str, methods: Collection[str] | None) -> ast.Dict | None:
    """Return the dict that a name is bound to, if that is the only thing it is ever bound to.

    Parameters
    ----------
    methods : collection of str, optional
        Nothing but calls of methods of these names may get it; without them it may be used in
        any way.
    """
    values = PathValues(unit).names.get(name) or ()
    if len(values) != 1 or not isinstance(values[0], ast.Dict):
        return None
    literals: set[ast.AST] = set()
    uses: set[ast.AST] = set()
    for node in unit.nodes():
        match node:
            case ast.Call(func=ast.Attribute(attr=method)) if methods and method in methods:
                literals.update(node.args, (keyword.value for keyword in node.keywords))
            case ast.Name(id=used, ctx=ast.Load()) if used == name:
                uses.add(node)
    return values[0] if methods is None or uses <= literals else None


class KafkaValues:
    """Finds the values in the parameters of calls of `KafkaUtils` that cannot be texts."""

    def __init__(self, unit: Unit, facts: Facts) -> None:
        self.unit = unit
        self.facts = facts
        # what several calls get is reported once
        self._reported: set[tuple[object, ...]] = set()

    def of(self, use: Use) -> Iterator[KafkaValue]:
        """Yield the values of one call."""
        if use.key not in KAFKA or use.confidence is not Confidence.PROVEN:
            return
        params = use.argument("kafkaParams")
        if params is None:
            return
        values, hidden = _entries(_literal(self.unit, params))
        for name, value in values.items():
            value_text, text = _meaning(value, self.facts)
            if value_text not in ("str", None) and self._is_new(value):
                edit = None if text is None else _edit(self.unit, value, text)
                at = self.unit.spot_of(value)
                yield KafkaValue(at, name, str(value_text), text, edit)
        for name, value_text in self._in_variables(params):
            if name not in values and name not in hidden and self._is_new(params, name):
                yield KafkaValue(use.at, name, value_text, None, None)

    def _is_new(self, node: ast.expr, *key: str) -> bool:
        place: tuple[object, ...] = (node, *key)
        if isinstance(node, ast.Name | ast.Attribute):
            place = (enclosing_functions(self.unit.tree).get(node), ast.unparse(node), *key)
        if place in self._reported:
            return False
        self._reported.add(place)
        return True

    def _in_variables(self, params: ast.expr) -> Iterator[tuple[str, str]]:
        """Yield the names under which inference knows a list or a dict when the call is made."""
        value = self.facts.values.get(params)
        if value is None or value.unknown or not self.facts.converged or len(value.atoms) != 1:
            return
        (atom,) = value.atoms
        kinds_by_key = {
            key: kind
            for key, item in (atom.known if isinstance(atom, Map) else ())
            if isinstance(key, str) and (kind := type_of_value(item)) is not None
        }
        if kinds_by_key and all(
            _only_set_by_name(self.unit, source) for source in _sources(params)
        ):
            yield from kinds_by_key.items()


def _literal(unit: Unit, params: ast.expr) -> ast.Dict | None:
    """Return the dict that parameters are, if nothing but Kafka's streams gets it."""
    match params:
        case ast.Dict() | ast.Call(func=ast.Name(id="dict"), args=[ast.Dict()]):
            return params if isinstance(params, ast.Dict) else cast(ast.Dict, params.args[0])
        case ast.Name(id=name):
            return only_literal(unit, name, _KAFKA_METHODS)
    return None


def _entries(literal: ast.Dict | None) -> tuple[dict[str, ast.expr], set[str]]:
    """Return the values by their names, of which the last one counts,
    and the names that something unknown may give another value.
    """
    entries: dict[str, ast.expr] = {}
    hidden: set[str] = set()
    for key, value in zip(literal.keys, literal.values, strict=True) if literal else ():
        if key is None:
            inner, unknown = _entries(value if isinstance(value, ast.Dict) else None)
            if unknown or not isinstance(value, ast.Dict):
                hidden |= {*entries, *unknown}
                entries.clear()
            entries |= inner
        elif isinstance(key, ast.Constant) and isinstance(key.value, str):
            entries[key.value] = value
    return entries, hidden


def _sources(params: ast.expr) -> list[ast.expr]:
    """Return the variables that parameters are made of."""
    match params:
        case ast.Dict(keys=keys, values=values):
            parts = [value for key, value in zip(keys, values, strict=True) if key is None]
        case ast.Call(func=ast.Name(id="dict"), args=args, keywords=keywords):
            parts = [*args, *(k.value for k in keywords if k.arg is None)]
        case _:
            return [params]
    return [source for part in parts for source in _sources(part)]


def _only_set_by_name(unit: Unit, variable: ast.expr) -> bool:
    """Return whether nothing that inference does not follow may change the dict in a variable."""
    if not isinstance(variable, ast.Name | ast.Attribute):
        return True
    text = ast.unparse(variable)
    uses: set[ast.AST] = set()
    plain: set[ast.AST] = set()
    for node in unit.nodes():
        match node:
            case ast.Name() | ast.Attribute() if ast.unparse(node) == text:
                if isinstance(node.ctx, ast.Load):
                    uses.add(node)
            case ast.arg(arg=name) if name == text:
                return False
            case ast.Call(func=ast.Attribute(attr=method)) if method in _KAFKA_METHODS:
                plain.update(node.args, (keyword.value for keyword in node.keywords))
            case ast.Call(func=ast.Name(id=function)) if function in _READERS:
                plain.update(node.args, (keyword.value for keyword in node.keywords))
            case ast.Dict():
                spread = zip(node.keys, node.values, strict=True)
                plain.update(value for key, value in spread if key is None)
            case ast.Subscript(slice=ast.Constant(), ctx=ast.Load() | ast.Store()):
                plain.add(node.value)
        if isinstance(node, ast.Attribute) and node.attr in _READING_METHODS:
            plain.add(node.value)
    return uses <= plain


def _meaning(value: ast.expr, facts: Facts) -> tuple[str | None, str | None]:
    """Return the type of a value, if it is known, and the text that it means to Kafka."""
    try:
        constant = ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return type_of(value, facts), None
    return type(constant).__name__, text_for(constant)


def _edit(unit: Unit, value: ast.expr, text: str) -> TextEdit | None:
    chunk = unit.chunk_at(value.lineno)
    if not chunk.is_edited:
        return None
    start = chunk.span(value)[0]
    end = chunk.span(value)[1]
    return chunk.edit(start, end, json.dumps(text, ensure_ascii=False))


_PRIVATE_HANDLES = {"_jssc": Kind.STREAMING_CONTEXT, "_jdstream": Kind.DSTREAM}


@dataclass(frozen=True, slots=True)
class Receiver:
    """What an attribute is taken from: the name to show, and the names the API has there."""

    name: str
    names: frozenset[str] | None
    probable: bool
    why: tuple[Step, ...]


class ApiUses:
    """Turns nodes into uses of the DStream API."""

    def __init__(self, unit: Unit, program: Program) -> None:
        self.unit = unit
        self.program = program
        self.facts = program.facts
        self.calls: dict[ast.expr, ast.Call] = {}
        self.part_of: set[ast.expr] = set()
        self.kafka_values = KafkaValues(unit, program.facts)
        # few units need them
        self.guards: Guards | None = None

    def call(self, node: ast.Call) -> Iterator[Event]:
        """Yield a constructor of the API; other calls are reported at their attribute."""
        self.calls[node.func] = node
        lookup = self.program.lookups.get(node)
        if lookup is not None and node not in self.part_of:
            if node in self.calls:
                self.calls[lookup] = self.calls[node]
            yield from self.attribute(lookup, optional=len(node.args) > 2)
        callee = self.facts.callees.get(node)
        if callee is None:
            return
        for atom in callee.sorted_atoms():
            if isinstance(atom, Ref):
                name = _class_name(atom.path)
                if name is not None:
                    self.part_of.add(node.func)
                    confidence = self._confidence(callee, [atom])
                    evidence = self.evidence(atom.why)
                    at = self.unit.name_spot(node.func)
                    yield Use(at, name, "construct", "class", confidence, evidence, True, node)
                    return

    def attribute(self, node: ast.Attribute, optional: bool = False) -> Iterator[Event]:
        """Yield an attribute of an object or class of the API; optional: a default stands in."""
        value = self.facts.receivers.get(node)
        if value is None:
            return
        atoms = [
            (a, r) for a in value.sorted_atoms() if (r := self._receiver(a, node.attr)) is not None
        ]
        if not atoms:
            if node.attr in _PRIVATE_HANDLES and may_be_foreign(value):
                yield self._private_handle(node)
            yield from self._class_reference(node, value)
            return
        self.part_of.add(node.value)
        having = [(a, r) for a, r in atoms if self._has(a, r, node.attr)]
        has_default = optional and not node.attr.startswith("_j")
        if not having and (has_default or isinstance(node.ctx, ast.Store)):
            return
        use = self._attribute_use(node, value, having or atoms, is_known=bool(having))
        if not self._fits(use) and self._others_have(node, value):
            return
        lacking = not use.known or f"{use.receiver}.{use.name}" in METHODS
        if not (lacking and self._may_be_of_another_class(node, value)):
            yield use
            yield from self.kafka_values.of(use)

    def _attribute_use(
        self, node: ast.Attribute, value: Value, atoms: list[tuple[Atom, Receiver]], is_known: bool
    ) -> Use:
        """Return the use that an attribute is.

        Parameters
        ----------
        value : Value
            What it is taken from.
        atoms : list of (Atom, Receiver)
            The part of that value that is of the API.
        is_known : bool
            Whether the API has the name.
        """
        receiver = atoms[0][1]
        call = self.calls.get(node)
        confidence = self._confidence(value, [a for a, _ in atoms])
        function = wrong_type = brokers = None
        if call is not None:
            function = rdd_function(call, self.facts) if is_known else None
            wrong_type = find_wrong_type(f"{receiver.name}.{node.attr}", call, self.facts)
            if (receiver.name, node.attr) == ("KafkaUtils", "createStream"):
                brokers = brokers_edit(self.unit, call, confidence)
        return Use(
            self.unit.name_spot(node),
            node.attr,
            "attribute" if call is None else "call",
            receiver.name,
            confidence,
            self.evidence(receiver.why),
            is_known,
            call,
            frozenset(a.kind for a, _ in atoms if isinstance(a, Obj)),
            function,
            wrong_type=wrong_type,
            brokers=brokers,
        )

    def _has(self, atom: Atom, receiver: Receiver, name: str) -> bool:
        """Return whether the API has a name there, or the program puts it there."""
        return receiver.names is None or name in receiver.names or self._is_patched(atom, name)

    def _may_be_of_another_class(self, node: ast.Attribute, value: Value) -> bool:
        """Return whether a name that streams lack may belong to another class."""
        if node.attr in _PRIVATE_HANDLES:
            return False
        if is_of_mock(node.attr):
            return True
        return self._others_have(node, value) or self.is_guarded(node)

    def _others_have(self, node: ast.Attribute, value: Value) -> bool:
        """Return whether something in a value that is not of the API may have a name."""
        ours = {a for a in value.atoms if self._receiver(a, node.attr) is not None}
        foreign = value.unknown and not value.own
        return foreign or any(may_have(a, node.attr) for a in value.atoms - ours)

    def _fits(self, use: Use) -> bool:
        """Return whether a call can be one of the API, by its arguments."""
        signature = f"{use.receiver}.{use.name}"
        if use.call is None or not use.kinds or signature not in SIGNATURES:
            return True
        return problem(signature, use.call) is None

    def is_guarded(self, node: ast.Attribute) -> bool:
        """Return whether the program asks what a value is before it takes a name from it."""
        if self.guards is None:
            self.guards = Guards(self.unit)
        return self.guards.covers(node)

    def _private_handle(self, node: ast.Attribute) -> Use:
        """Return a handle on Java objects, of something that is not known to be ours."""
        kind = _PRIVATE_HANDLES[node.attr].value
        spot = self.unit.name_spot(node)
        why = (f"only a {kind} has {node.attr} (line {spot.line})",)
        return Use(spot, node.attr, "attribute", kind, Confidence.PROBABLE, why, known=False)

    def name(self, node: ast.Name) -> Iterator[Event]:
        """Yield a class of the API that is named but not called."""
        value = self.facts.names.get(node)
        if value is None or node in self.part_of or not isinstance(node.ctx, ast.Load):
            return
        yield from self._reference(value, self.unit.spot_of(node))

    def _class_reference(self, node: ast.Attribute, value: Value) -> Iterator[Event]:
        if node in self.part_of:
            return
        atoms = {
            Ref(api.canonical(f"{a.path}.{node.attr}")) for a in value.atoms if isinstance(a, Ref)
        }
        whole = Value(frozenset(atoms), value.unknown)
        yield from self._reference(whole, self.unit.name_spot(node))

    def _reference(self, value: Value, at: Spot) -> Iterator[Event]:
        for atom in value.sorted_atoms():
            name = _class_name(atom.path) if isinstance(atom, Ref) else None
            if name is not None:
                confidence = self._confidence(value, [atom])
                yield Use(at, name, "reference", "class", confidence)
                return

    def _receiver(self, atom: Atom, attr: str) -> Receiver | None:
        match atom:
            case Obj(kind, probable, why) if kind in STREAMING:
                names = frozenset(api.METHODS[kind])
                return Receiver(kind_name(kind), names, probable, why)
            case LocalObj(info) | LocalClass(info):
                related = [*info.ancestors(), *info.descendants()]
                inherited = api_instance(info)
                if inherited is None or any(attr in c.attrs for c in related):
                    return None
                return self._receiver(inherited, attr)
            case Ref(path, probable, why):
                name = _class_name(path)
                if name is None:
                    return None
                instance = api.INSTANCES.get(api.canonical(path))
                methods = None
                if instance is not None and instance in STREAMING:
                    methods = frozenset(api.METHODS[instance])
                return Receiver(name, methods, probable, why)
        return None

    def _is_patched(self, atom: Atom, name: str) -> bool:
        """Return whether the program itself puts that name on the class or object."""
        patched = self.facts.patched
        kinds: set[Kind] = set()
        if isinstance(atom, Obj):
            kinds = set(STREAMS) if atom.kind in STREAMS else {atom.kind}
        paths = [p for p, k in api.INSTANCES.items() if k in kinds]
        if isinstance(atom, Ref):
            paths.append(api.canonical(atom.path))
        return any((owner, name) in patched for owner in (*paths, *(k.value for k in kinds)))

    def _confidence(self, value: Value, atoms: list[Atom]) -> Confidence:
        """Return "proven" if the value can be nothing else."""
        sure = (
            not value.unknown
            and len(value.without_none()) == len(atoms)
            and not any(isinstance(a, Obj | Ref) and a.probable for a in atoms)
            and self.facts.converged
        )
        return Confidence.PROVEN if sure else Confidence.PROBABLE

    def evidence(self, why: tuple[Step, ...]) -> tuple[str, ...]:
        """Return the steps of a chain of evidence, with their places."""
        texts = []
        for line, text, program in why:
            unit = self.unit if program.unit is None else program.unit
            place = shown_place(unit.spot(line, 0))
            if program is not self.program:
                place = f"{program.path}, {place}"
            texts.append(f"{text} ({place})")
        return tuple(texts)

    def is_pyspark(self, node: ast.Name) -> bool:
        """Return whether a name is the module `pyspark`."""
        value = self.facts.names.get(node)
        return value is not None and "pyspark" in value.paths


def kind_name(kind: Kind) -> str:
    """Return the name of a kind in reports."""
    return Kind.DSTREAM.value if kind in STREAMS else kind.value


def _class_name(path: str) -> str | None:
    """Return the class that a path into `pyspark.streaming` is, or None."""
    path = api.canonical(path)
    if not api.in_streaming(path):
        return None
    module, _, name = path.rpartition(".")
    sub = api.submodule(module) if module else None
    if sub is not None and name in names.exported_names(sub) and name[:1].isupper():
        return name
    return None
