"""Scala and Java sources: what of Spark Streaming they use. They are reported, never rewritten.

Decision 0024: Scala and Java are read one source at a time, by tree-sitter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from migrator.collect.required_versions import connector_packages_in
from migrator.collect.settings import is_reported, settings_in, stands_as_option
from migrator.languages.text import text_events
from migrator.model.events import ConnectorPackage, Event, FileProblem, JvmUse, PackageUse, Setting
from migrator.model.report import Confidence, FileReport, Spot, shown_place
from migrator.spark import api
from migrator.spark.kinds import Kind
from migrator.spark.settings import group_of, misspelt_prefixes

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


ROOT = "org.apache.spark.streaming"

_STREAM_CLASSES = (
    *("DStream", "InputDStream", "ReceiverInputDStream", "ConstantInputDStream"),
    *("MapWithStateDStream", "PairDStreamFunctions"),
)
_JAVA_CLASSES = (
    *("JavaDStream", "JavaPairDStream", "JavaInputDStream", "JavaPairInputDStream"),
    *("JavaReceiverInputDStream", "JavaPairReceiverInputDStream", "JavaMapWithStateDStream"),
)
_CONNECTORS = {
    "kafka": ("KafkaUtils", "OffsetRange", "HasOffsetRanges", "Broker"),
    "kafka010": (
        *("KafkaUtils", "OffsetRange", "HasOffsetRanges", "CanCommitOffsets"),
        *("LocationStrategies", "ConsumerStrategies"),
    ),
    "flume": ("FlumeUtils",),
    "kinesis": ("KinesisUtils", "KinesisInputDStream"),
    "mqtt": ("MQTTUtils",),
    "twitter": ("TwitterUtils",),
    "zeromq": ("ZeroMQUtils",),
    "akka": ("AkkaUtils",),
    "pubsub": ("PubsubUtils",),
    "pubnub": ("PubNubUtils",),
}
PACKAGES: dict[str, tuple[str, ...]] = {
    ROOT: (
        *("StreamingContext", "StateSpec", "State", "Time", "Duration", "Durations"),
        *("Seconds", "Milliseconds", "Minutes"),
    ),
    f"{ROOT}.dstream": _STREAM_CLASSES,
    f"{ROOT}.api.java": ("JavaStreamingContext", *_JAVA_CLASSES),
    f"{ROOT}.receiver": ("Receiver",),
    **{f"{ROOT}.{name}": classes for name, classes in _CONNECTORS.items()},
}

KINDS: dict[str, Kind] = {
    **dict.fromkeys(("StreamingContext", "JavaStreamingContext"), Kind.STREAMING_CONTEXT),
    **dict.fromkeys((*_STREAM_CLASSES, *_JAVA_CLASSES), Kind.DSTREAM),
}

# methods of a context that give a stream, and its other ones
CONTEXT_STREAMS = frozenset(
    (
        *("socketTextStream", "socketStream", "rawSocketStream", "textFileStream", "fileStream"),
        *("binaryRecordsStream", "queueStream", "receiverStream", "actorStream", "union"),
        *("transform", "transformToPair"),
    )
)
CONTEXT_OTHER = frozenset(
    (
        *("start", "stop", "awaitTermination", "awaitTerminationOrTimeout", "remember"),
        *("checkpoint", "addStreamingListener", "sparkContext", "getState", "close", "ssc"),
    )
)
# methods of a stream that give none; every other method gives a stream
STREAM_OTHER = frozenset(
    (
        *("print", "foreachRDD", "foreach", "saveAsTextFiles", "saveAsObjectFiles", "slice"),
        *("saveAsHadoopFiles", "saveAsNewAPIHadoopFiles", "context", "slideDuration", "id"),
        *("dstream", "generatedRDDs", "hashCode", "toString", "equals", "asInstanceOf"),
    )
)

# what makes streams of other systems
FACTORIES = frozenset(
    name for classes in _CONNECTORS.values() for name in classes if name.endswith("Utils")
)
_OTHER_CALLS = frozenset({"OffsetRange.create", "OffsetRange.apply", "KinesisInputDStream.builder"})


def is_source(owner: str, name: str) -> bool:
    """Return whether a call of a class or object is about the records of another system."""
    creates = owner in FACTORIES and name.startswith("create")
    return creates or f"{owner}.{name}" in _OTHER_CALLS


# Scala and Java as syntax trees, by tree-sitter.

_SCOPES = frozenset(
    (
        # Scala
        *("template_body", "block", "function_definition", "lambda_expression", "case_clause"),
        *("class_definition", "object_definition", "trait_definition", "for_expression"),
        # Java
        *("class_declaration", "class_body", "method_declaration", "constructor_declaration"),
        *("interface_declaration", "for_statement", "enhanced_for_statement", "catch_clause"),
    )
)


def can_parse(language: str) -> bool:
    """Return whether the optional part that parses a language ("scala" or "java") is installed."""
    return all(find_spec(name) is not None for name in ("tree_sitter", f"tree_sitter_{language}"))


@dataclass(eq=False, slots=True)
class JvmScope:
    """A namespace of a source: what its names are, None if that is not known."""

    parent: JvmScope | None
    kinds: dict[str, object] = field(default_factory=dict)

    def find(self, name: str) -> object:
        """Return what a name is, in this scope or around it."""
        owner = self.owner(name)
        return None if owner is None else owner.kinds[name]

    def owner(self, name: str) -> JvmScope | None:
        """Return the scope that declares a name."""
        scope: JvmScope | None = self
        while scope is not None and name not in scope.kinds:
            scope = scope.parent
        return scope


class JvmSource:
    """A parsed source.

    Attributes
    ----------
    nodes : list of (Node, JvmScope)
        All named nodes, parents before children, each with its scope.
    """

    def __init__(self, text: str, language: str) -> None:
        self.data = text.encode("utf-8", "replace")
        self.lines = self.data.split(b"\n")
        # the nodes are views of the tree
        self.tree = _parser(language).parse(self.data)
        self.nodes = list(_nodes(self.tree.root_node))

    def text(self, node: Node) -> str:
        """Return the text of a node."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def spot(self, node: Node) -> Spot:
        """Return where a node starts."""
        row, column = node.start_point
        before = self.lines[row][:column] if row < len(self.lines) else b""
        return Spot(row + 1, len(before.decode("utf-8", "replace")) + 1)

    def first_error(self) -> Spot | None:
        """Return where the parser did not understand the source, if anywhere."""
        if not self.tree.root_node.has_error:
            return None
        broken = (node for node, _ in self.nodes if node.is_error or node.is_missing)
        return next((self.spot(node) for node in broken), Spot(1, 1))


def _nodes(root: Node) -> Iterator[tuple[Node, JvmScope]]:
    # not recursive: sources may be nested deeper than Python calls
    waiting = [(root, JvmScope(None))]
    while waiting:
        node, scope = waiting.pop()
        yield node, scope
        inner = JvmScope(scope) if node.type in _SCOPES else scope
        if node.type == "lambda_expression":
            inner.kinds.update((name, None) for name in _parameters(node))
        waiting += [(child, inner) for child in reversed(node.named_children)]


def _parameters(function: Node) -> Iterator[str]:
    """Yield the names that a lambda gives to its arguments: they hide those around it."""
    parameters = function.child_by_field_name("parameters")
    if parameters is not None:
        for node in (parameters, *parameters.named_children):
            if node.type == "identifier" and node.text is not None:
                yield node.text.decode("utf-8", "replace")


@cache
def _parser(language: str) -> Parser:
    # optional dependencies
    from tree_sitter import Language, Parser

    return Parser(Language(import_module(f"tree_sitter_{language}").language()))


# What the names and expressions of a Scala or Java source are: contexts, streams, API classes.
#
# One source at a time, by declared types, constructors and calls; repeated until nothing is new.

_PASSES = 8
_NAMES = ("identifier", "type_identifier", "operator_identifier")
_WRAPPERS = ("parenthesized_expression", "generic_function", "postfix_expression")
_GETTERS = ("getOrCreate", "getActive", "getActiveOrCreate")


@dataclass(frozen=True, slots=True)
class ApiClass:
    """A class or object of Spark Streaming, by its simple name."""

    name: str


class JvmKinds:
    """The kinds of all expressions of a source."""

    def __init__(self, source: JvmSource, imports: dict[str, str]) -> None:
        self.source = source
        self.imports = imports
        self.by_node: dict[int, object] = {}
        self.changed = True
        for _ in range(_PASSES):
            if not self.changed:
                break
            self.changed = False
            # children before their parents
            for node, scope in reversed(source.nodes):
                self._learn(node, scope)

    def of(self, node: Node | None) -> object:
        """Return a `Kind`, an `ApiClass`, or None if it is neither."""
        return None if node is None else self.by_node.get(node.id)

    def member(self, node: Node) -> tuple[Node, Node] | None:
        """Return the receiver and the name of a call or selection `receiver.name`."""
        if node.type in ("field_expression", "field_access"):
            value, name = "value", "field"
            if node.type == "field_access":
                value = "object"
        elif node.type == "method_invocation":
            value, name = "object", "name"
        elif node.type == "infix_expression":
            value, name = "left", "operator"
        else:
            return None
        receiver, field = node.child_by_field_name(value), node.child_by_field_name(name)
        return None if receiver is None or field is None else (receiver, field)

    def type_named(self, node: Node | None) -> str | None:
        """Return the class of Spark Streaming that a type or constructor names."""
        while node is not None and node.type in ("generic_type", "annotated_type"):
            node = node.child_by_field_name("type") or node.named_child(0)
        if node is None:
            return None
        path = self.source.text(node).replace(" ", "")
        if path.startswith(ROOT + "."):
            return path.rpartition(".")[2]
        return self.imports.get(path)

    def _learn(self, node: Node, scope: JvmScope) -> None:
        kind = self._kind(node, scope)
        if kind is not None and self.by_node.get(node.id) != kind:
            self.by_node[node.id] = kind
            self.changed = True
        self._declare(node, scope)

    def _kind(self, node: Node, scope: JvmScope) -> object:
        if node.type in _NAMES:
            name = self.source.text(node)
            kind = scope.find(name)
            if kind is not None or scope.owner(name) is not None:
                return kind
            return ApiClass(self.imports[name]) if name in self.imports else None
        if node.type in ("instance_expression", "object_creation_expression"):
            named = self.type_named(node.child_by_field_name("type") or node.named_child(0))
            return KINDS.get(named) if named is not None else None
        if node.type == "call_expression":
            function = node.child_by_field_name("function")
            if function is not None and function.type in _NAMES:
                return scope.find(self.source.text(function) + "()")
            return self.of(function)
        if node.type in _WRAPPERS or node.type == "block":
            # a block is worth its last expression
            children = node.named_children
            return self.of(children[-1 if node.type == "block" else 0]) if children else None
        if node.type == "method_invocation" and node.child_by_field_name("object") is None:
            name_node = node.child_by_field_name("name")
            return None if name_node is None else scope.find(self.source.text(name_node) + "()")
        member = self.member(node)
        return None if member is None else self._member_kind(*member, scope)

    def _member_kind(self, receiver: Node, field: Node, scope: JvmScope) -> object:
        name = self.source.text(field)
        if receiver.type == "this" or self.source.text(receiver) == "this":
            return scope.find(name)
        match self.of(receiver):
            case Kind.STREAMING_CONTEXT:
                return Kind.DSTREAM if name in CONTEXT_STREAMS else None
            case Kind.DSTREAM:
                return None if name in STREAM_OTHER else Kind.DSTREAM
            case ApiClass(cls):
                if KINDS.get(cls) is Kind.STREAMING_CONTEXT and name in _GETTERS:
                    return Kind.STREAMING_CONTEXT
                return Kind.DSTREAM if cls in FACTORIES and name != "createRDD" else None
        path = f"{self.source.text(receiver)}.{name}" if len(receiver.type) < 20 else ""
        package, _, simple = path.rpartition(".")
        return ApiClass(simple) if simple in PACKAGES.get(package, ()) else None

    def _declare(self, node: Node, scope: JvmScope) -> None:
        names: list[tuple[Node | None, object]] = []
        annotated = node.child_by_field_name("type")
        value = node.child_by_field_name("value")
        match node.type:
            case "val_definition" | "var_definition" | "val_declaration" | "var_declaration":
                pattern = node.child_by_field_name("pattern") or node.child_by_field_name("name")
                names.append((pattern, self._declared_kind(annotated, value)))
            case "parameter" | "class_parameter" | "formal_parameter" | "binding":
                names.append(
                    (node.child_by_field_name("name"), self._declared_kind(annotated, None))
                )
            case "local_variable_declaration" | "field_declaration":
                is_var = annotated is not None and self.source.text(annotated) == "var"
                for part in node.children_by_field_name("declarator"):
                    value_node = part.child_by_field_name("value")
                    kind = self._declared_kind(None if is_var else annotated, value_node)
                    names.append((part.child_by_field_name("name"), kind))
            case "assignment_expression":
                self._assign(node, scope)
            case "function_definition" | "method_declaration":
                name = node.child_by_field_name("name")
                returned = node.child_by_field_name("return_type") or annotated
                body = node.child_by_field_name("body")
                if name is not None:
                    kind = self._declared_kind(returned, None if returned is not None else body)
                    self._bind(scope, self.source.text(name) + "()", kind)
                    if node.type == "function_definition":
                        # Scala calls it without parentheses too
                        self._bind(scope, self.source.text(name), kind)
        for target, kind in names:
            if target is not None and target.type in _NAMES:
                self._bind(scope, self.source.text(target), kind)

    def _declared_kind(self, annotated: Node | None, value: Node | None) -> object:
        if annotated is not None:
            named = self.type_named(annotated)
            return KINDS.get(named) if named is not None else None
        return self.of(value)

    def _assign(self, node: Node, scope: JvmScope) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        kind = self.of(right)
        if left is None or kind is None:
            return
        member = self.member(left)
        name = self.source.text(left if member is None else member[1])
        owner = scope.owner(name)
        if owner is not None and owner.kinds[name] is None:
            self._bind(owner, name, kind)

    def _bind(self, scope: JvmScope, name: str, kind: object) -> None:
        if name not in scope.kinds or (kind is not None and scope.kinds[name] != kind):
            scope.kinds[name] = kind
            self.changed = True


# Reads one Scala or Java source and hands what it uses to the rules.


# a generated source: its nodes would fill the memory
_LONGEST = 1_000_000
_SPACE = re.compile(r"\s+")
_SELECTOR = re.compile(r"(\w+)(?:\s*(?:=>|\bas\b)\s*(\w+))?")
_DEFINED = (
    *("class_definition", "object_definition", "trait_definition"),
    *("class_declaration", "interface_declaration", "enum_declaration"),
)
_STRINGS = ("string", "interpolated_string", "string_literal")
# reading a setting changes nothing
_READERS = frozenset({"get", "contains", "getOption", "getBoolean", "getInt", "getLong"})
_SETTERS = frozenset(("set", "config", "setIfMissing", "setProperty", "setLocalProperty"))
_CALLS = ("field_expression", "method_invocation", "infix_expression")
_SHOWN = {"scala": "Scala", "java": "Java"}


def report_source(
    report: FileReport, text: str, language: str, place: Callable[[Spot], Spot] = lambda at: at
) -> None:
    """Add what a source uses to its report.

    Parameters
    ----------
    language : str
        "scala" or "java".
    place : callable
        The place in the file of one in the source.
    """

    def add(*events: Event) -> None:
        report.events += [replace(event, at=place(event.at)) for event in events]

    if "spark.streaming" not in text:
        # a program that uses the API names its package; classes of the same names prove nothing
        return
    problem = None
    if not can_parse(language):
        shown = _SHOWN[language]
        problem = (
            *("parser", f"{shown} is parsed by tree-sitter, which is not installed"),
            f"install dstream-compat[jvm] to have {shown} sources analysed",
        )
    elif len(text) > _LONGEST:
        detail = f"{len(text) / 1e6:.1f} million characters are more than is analysed"
        problem = "large", detail, "look through it by hand"
    if problem is not None:
        report.mark_unreadable(FileProblem(place(Spot(1, 1)), *problem))
        add(*text_events(text, "slashes"))
        return
    source = JvmSource(text, language)
    module_imports = _imports(source)
    kinds = JvmKinds(source, module_imports.names)
    events: list[Event] = [
        PackageUse(at, "import", path, path, None, "jvm", _SHOWN[language])
        for at, path in module_imports.paths
    ]
    events += _string_events(source)
    error = source.first_error()
    events += _uses(source, kinds, language, place)
    add(*events)
    if events and error is not None:
        detail = f"{shown_place(place(error))} is not understood"
        add(FileProblem(error, "partial", detail, "look through that part by hand"))


@dataclass(slots=True)
class _Imports:
    """names: the API's classes by the names they have in the source; paths: each import of it."""

    names: dict[str, str] = field(default_factory=dict)
    paths: list[tuple[Spot, str]] = field(default_factory=list)


def _imports(source: JvmSource) -> _Imports:
    """Return the imports of a source that concern Spark Streaming, anywhere in it."""
    module_imports = _Imports()
    for node, _ in source.nodes:
        if node.type == "import_declaration":
            _read_import(module_imports, source, node)
    for node, _ in source.nodes:
        if node.type in ("package_clause", "package_declaration"):
            # what is in the same package needs no import
            words = _SPACE.sub(" ", source.text(node)).strip(" ;").split(" ")
            module_imports.names.update((name, name) for name in PACKAGES.get(words[-1], ()))
    # a class of the source's own is meant where it has the same name
    for node, _ in source.nodes:
        name = node.child_by_field_name("name") if node.type in _DEFINED else None
        if name is not None:
            module_imports.names.pop(source.text(name), None)
    return module_imports


def _read_import(module_imports: _Imports, source: JvmSource, node: Node) -> None:
    text = _SPACE.sub(" ", source.text(node)).strip(" ;").removeprefix("import ")
    for part in _split_import(text.removeprefix("static ").strip()):
        path, _, last = part.rpartition(".")
        if not (part == ROOT or part.startswith(ROOT + ".")):
            continue
        module_imports.paths.append((source.spot(node), part))
        for package, classes in PACKAGES.items():
            if package != path:
                continue
            if last in ("*", "_", "given"):
                module_imports.names.update((name, name) for name in classes)
            for name, alias in _SELECTOR.findall(last):
                if name in classes and alias != "_":
                    module_imports.names[alias or name] = name
        if path in PACKAGES and "{" in last and re.search(r"[{,]\s*[_*]\s*\}", last):
            renamed = {name for name, alias in _SELECTOR.findall(last) if alias}
            module_imports.names.update((n, n) for n in PACKAGES[path] if n not in renamed)


def _split_import(text: str) -> list[str]:
    """Return the imports of `a.b, c.{d, e}`."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()]


def _string_events(source: JvmSource) -> Iterator[Event]:
    """Yield the events of all strings."""
    for node, _ in source.nodes:
        if node.type not in _STRINGS:
            continue
        text = source.text(node)
        if "streaming" not in text and not any(misspelt_prefixes(text)):
            continue
        at = source.spot(node)
        bare = text.strip('"')
        for offset, key, value in settings_in(text):
            whole = bare == key
            called = _method_given(source, node) if whole else None
            if called in _READERS:
                continue
            stands = called in _SETTERS or stands_as_option(text, offset, offset + len(key))
            if whole:
                value = _value_given(source, node)
            elif value is None or text[offset + len(key) :].lstrip("\"' ")[:1] not in ("=", ":"):
                # a key in a sentence
                continue
            if is_reported(key, group_of(key), stands):
                yield Setting(_spot_inside(at, text, offset), key, value, group_of(key))
        for offset, coordinates, connector in connector_packages_in(text):
            yield ConnectorPackage(_spot_inside(at, text, offset), coordinates, connector)


def _spot_inside(at: Spot, text: str, offset: int) -> Spot:
    before = text[:offset]
    line = at.line + before.count("\n")
    column = offset - before.rindex("\n") if "\n" in before else at.column + offset
    return Spot(line, column)


def _value_given(source: JvmSource, node: Node) -> str | None:
    """Return the literal behind a key: `set("key", "value")` or `"key" -> "value"`."""
    following = node.next_named_sibling
    if following is not None and following.type == "operator_identifier":
        following = following.next_named_sibling
    if following is None or following.child_count > 3 or len(following.type) > 30:
        return None
    text = source.text(following)
    return (
        text.strip('"')
        if text[:1] == '"' or text[:1].isdigit() or text in ("true", "false")
        else None
    )


def _method_given(source: JvmSource, node: Node) -> str | None:
    """Return the method whose first argument a string is."""
    call = node.parent.parent if node.parent is not None else None
    if call is None or node.parent is None or node.prev_named_sibling is not None:
        return None
    name = call.child_by_field_name("name")
    if name is None:
        function = call.child_by_field_name("function")
        name = function.child_by_field_name("field") if function is not None else None
    return None if name is None else source.text(name)


def _uses(
    source: JvmSource, kinds: JvmKinds, language: str, place: Callable[[Spot], Spot]
) -> Iterator[JvmUse]:
    for node, _ in source.nodes:
        use = _use_of_constructor(source, kinds, node) or _use_of_call(source, kinds, node)
        if use is None:
            continue
        if use.confidence is Confidence.PROBABLE:
            why = f"only a {use.receiver} has {use.name} ({shown_place(place(use.at))})"
            use = replace(use, evidence=(why,))
        yield replace(use, language=_SHOWN[language])


def _use_of_constructor(source: JvmSource, kinds: JvmKinds, node: Node) -> JvmUse | None:
    if node.type not in ("instance_expression", "object_creation_expression"):
        return None
    name = kinds.type_named(node.child_by_field_name("type") or node.named_child(0))
    if name is None:
        return None
    return JvmUse(source.spot(node), name, "construct", "class", Confidence.PROVEN)


def _use_of_call(source: JvmSource, kinds: JvmKinds, node: Node) -> JvmUse | None:
    member = kinds.member(node) if node.type in _CALLS else None
    if member is None:
        return None
    receiver, method = member
    name, at = source.text(method), source.spot(method)
    kind = kinds.of(receiver)
    if kind is Kind.STREAMING_CONTEXT and name not in CONTEXT_STREAMS | CONTEXT_OTHER:
        return None
    if isinstance(kind, Kind):
        return JvmUse(at, name, "call", kind.value, Confidence.PROVEN)
    if isinstance(kind, ApiClass):
        is_known = is_source(kind.name, name) or kind.name.endswith("StreamingContext")
        return JvmUse(at, name, "call", kind.name, Confidence.PROVEN) if is_known else None
    likely = api.TELLTALE.get(name)
    if likely is None or kind is not None:
        return None
    return JvmUse(at, name, "call", likely.value, Confidence.PROBABLE)
