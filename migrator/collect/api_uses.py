"""Which nodes use the DStream API, according to inference."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from migrator.collect.arguments import find_wrong_type, rdd_function
from migrator.collect.kafka_params import KafkaValues, brokers_edit
from migrator.collect.other_receivers import Guards, is_of_mock, may_be_foreign, may_have
from migrator.infer.attributes import api_instance
from migrator.infer.program import Program
from migrator.infer.values import Atom, LocalClass, LocalObj, Obj, Ref, Step, Value
from migrator.model.events import Event, Use
from migrator.model.places import shown_place
from migrator.model.report import Confidence, Spot
from migrator.source.python import Unit
from migrator.spark import api, names
from migrator.spark.kinds import STREAMING, STREAMS, Kind
from migrator.spark.signatures import SIGNATURES, problem
from migrator.spark.unsupported import METHODS

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
        if not having and (isinstance(node.ctx, ast.Store) or _is_harmless(node, optional)):
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


def _is_harmless(node: ast.Attribute, optional: bool) -> bool:
    """Return whether an attribute that the API lacks has a default, and is no private handle."""
    return optional and not node.attr.startswith("_j")


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
