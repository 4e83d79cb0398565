"""The lattice of values: what an expression may evaluate to, and the evidence for that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from migrator.spark import api
from migrator.spark.kinds import STREAMING, Kind

if TYPE_CHECKING:
    from migrator.infer.program import ClassInfo, FunctionInfo, Program


MAX_ATOMS = 1024


class Step(NamedTuple):
    """A link in a chain of evidence: what happens in a line of a module."""

    line: int
    text: str
    program: Program


@dataclass(frozen=True, slots=True)
class Obj:
    """An object of a kind; `probable` when only its use or its name speaks for it.

    Parameters
    ----------
    tag : str
        "recovered" for a context that may come from a checkpoint, "batch" for the RDD of a batch,
        "kafka batch" for one that still knows its Kafka offsets.
    """

    kind: Kind
    probable: bool = False
    why: tuple[Step, ...] = field(default=(), compare=False)
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Ref:
    """A module, class or function of another module, by its dotted path."""

    path: str
    probable: bool = False
    why: tuple[Step, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Module:
    """A module or package of the project, by its path in the tree without the suffix.

    Parameters
    ----------
    probable : bool
        Whether Python's search path may lead elsewhere.
    """

    path: str
    probable: bool = False


@dataclass(frozen=True, slots=True)
class Method:
    """A method of an object, not yet called."""

    owner: Obj
    name: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function or lambda of the program; `owner` is what its first parameter is bound to."""

    info: FunctionInfo
    owner: LocalClass | LocalObj | None = None


@dataclass(frozen=True, slots=True)
class Partial:
    """A function with leading arguments already given (`functools.partial`)."""

    function: Function | Method | Ref
    args: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class LocalClass:
    """A class of the program."""

    info: ClassInfo


@dataclass(frozen=True, slots=True)
class LocalObj:
    """An instance of a class of the program; `base_view` is what `super()` gives."""

    info: ClassInfo
    base_view: bool = False


@dataclass(frozen=True, slots=True)
class Seq:
    """A list, set, iterator or tuple of unknown length."""

    item: Value


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple of known length."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Map:
    """A dict: values by constant key where known, and the rest together."""

    known: tuple[tuple[object, Value], ...]
    rest: Value

    def get(self, key: object) -> Value | None:
        """Return the value under a constant key, or None if the key is not known."""
        return next((value for k, value in self.known if k == key), None)

    def all(self) -> Value:
        """Return every value of the dict, joined."""
        return join(self.rest, *(value for _, value in self.known))


@dataclass(frozen=True, slots=True)
class Jvm:
    """A path into the JVM through py4j."""

    path: str


Atom: TypeAlias = (
    Obj
    | Ref
    | Module
    | Method
    | Function
    | Partial
    | LocalClass
    | LocalObj
    | Seq
    | Tuple
    | Map
    | Jvm
)


@dataclass(frozen=True, slots=True)
class Value:
    """Everything an expression may be; `unknown` adds "or anything else".

    Parameters
    ----------
    wide : bool
        Whether there were too many things to keep apart, so that only Spark's are listed.
    own : bool
        Whether all that is unknown comes from the program and its streams, by names that a stream
        lacks or that are made at run time, and not from other libraries.
    """

    atoms: frozenset[Atom]
    unknown: bool = False
    wide: bool = False
    own: bool = False

    def sorted_atoms(self) -> list[Atom]:
        """Return the atoms in an order that does not change from run to run."""
        if len(self.atoms) < 2:
            return list(self.atoms)
        return sorted(self.atoms, key=_sort_key)

    def with_atoms(self, atoms: frozenset[Atom]) -> Value:
        """Return the same with other atoms."""
        return Value(atoms, self.unknown, self.wide, self.own)

    def rest(self) -> Value:
        """Return what is unknown of it, or nothing."""
        if not self.unknown:
            return BOTTOM
        return OWN if self.own else UNKNOWN

    @property
    def paths(self) -> set[str]:
        """The dotted paths of the parts of other modules that it may be."""
        return {atom.path for atom in self.atoms if isinstance(atom, Ref)}

    def without_none(self) -> frozenset[Atom]:
        """Return the atoms that have attributes of interest: all but None."""
        return frozenset(a for a in self.atoms if not (isinstance(a, Obj) and a.kind is Kind.NONE))


BOTTOM = Value(frozenset())
UNKNOWN = Value(frozenset(), True)
OWN = Value(frozenset(), True, own=True)


def obj(kind: Kind, *why: Step, probable: bool = False, tag: str = "") -> Value:
    """Return a value that is exactly one object of a kind."""
    return Value(frozenset({Obj(kind, probable, why, tag)}))


OTHER = obj(Kind.OTHER)
NONE = obj(Kind.NONE)


def one(atom: Atom) -> Value:
    """Return a value of exactly one atom."""
    return Value(frozenset({atom}))


def path_of(value: Value | None) -> str:
    """Return the dotted path of the one module, class or function of another module that a value
    is, "" if it may be something else.
    """
    refs = [a for a in value.atoms if isinstance(a, Ref) and not a.probable] if value else []
    paths = {api.canonical(ref.path) for ref in refs}
    if value is None or value.unknown or len(refs) < len(value.atoms) or len(paths) != 1:
        return ""
    return paths.pop()


def join(*values: Value) -> Value:
    """Return the least value that covers all of these."""
    # nine of ten calls
    if len(values) == 2:
        return _join(*values)
    result = BOTTOM
    for value in values:
        result = _join(result, value)
    return result


def _join(a: Value, b: Value) -> Value:
    if a is b or b is BOTTOM:
        return a
    if a is BOTTOM:
        return b
    own = a.own if not b.unknown else b.own and (a.own or not a.unknown)
    unknown = a.unknown or b.unknown
    if b.atoms <= a.atoms and a.unknown is unknown and a.own is own and (a.wide or not b.wide):
        return a
    atoms = _merge_containers(a.atoms | b.atoms)
    if a.wide or b.wide or len(atoms) > MAX_ATOMS:
        return Value(frozenset(atom for atom in atoms if isinstance(atom, Obj)), True, True)
    return Value(atoms, unknown, own=own)


def _merge_containers(atoms: frozenset[Atom]) -> frozenset[Atom]:
    containers = [a for a in atoms if isinstance(a, Seq | Tuple | Map)]
    sequences = [a for a in containers if isinstance(a, Seq)]
    tuples = [a for a in containers if isinstance(a, Tuple)]
    maps = [a for a in containers if isinstance(a, Map)]
    if len(sequences) + len(tuples) < 2 and len(maps) < 2:
        return atoms
    merged: set[Atom] = set(atoms.difference(containers))
    if sequences or tuples:
        merged.add(_merge_sequences(sequences, tuples))
    if maps:
        merged.add(_merge_maps(maps))
    return frozenset(merged)


def _merge_sequences(sequences: list[Seq], tuples: list[Tuple]) -> Seq | Tuple:
    """Return one tuple of tuples of one length, otherwise one sequence of all items."""
    if sequences or len({len(t.items) for t in tuples}) > 1:
        return Seq(join(*(s.item for s in sequences), *(i for t in tuples for i in t.items)))
    columns = zip(*(t.items for t in tuples), strict=True)
    return Tuple(tuple(join(*column) for column in columns))


def _merge_maps(maps: list[Map]) -> Map:
    known_items: dict[object, Value] = {}
    for m in maps:
        for key, value in m.known:
            known_items[key] = join(known_items.get(key, BOTTOM), value)
    ordered = tuple(sorted(known_items.items(), key=lambda pair: repr(pair[0])))
    return Map(ordered, join(*(m.rest for m in maps)))


def _sort_key(atom: Atom) -> tuple[str, str]:
    return type(atom).__name__, _sort_text(atom)


def _sort_text(atom: Atom) -> str:
    match atom:
        case Obj(kind, probable, _, tag):
            return f"{kind}{probable}{tag}"
        case Ref(path, probable) | Module(path, probable):
            return f"{path}{probable}"
        case Function(info, owner):
            return f"{info.index:06d}{'' if owner is None else _sort_key(owner)}"
        case LocalClass(info):
            return f"{info.index:06d}"
        case LocalObj(info, base_view):
            return f"{info.index:06d}{base_view}"
        case Method(owner, name):
            return f"{_sort_text(owner)}{name}"
        case Partial(function, args, keywords):
            named = [(name, _sort_texts(value)) for name, value in keywords]
            return f"{_sort_key(function)}{[*map(_sort_texts, args)]}{named}"
        case Jvm(path):
            return path
        case Seq(item):
            return f"{_sort_texts(item)}"
        case Tuple(items):
            return f"{[*map(_sort_texts, items)]}"
        case Map(known, rest):
            return f"{[(key, _sort_texts(item)) for key, item in known]}{_sort_texts(rest)}"


def _sort_texts(value: Value) -> list[tuple[str, str]]:
    return [_sort_key(atom) for atom in value.sorted_atoms()]


# Lists, tuples and dicts as values: making them, cutting them, iterating over them.

MAX_DEPTH = 4


def seq(item: Value) -> Value:
    """Return a sequence of items."""
    return one(Seq(clip(item)))


def clip(value: Value, depth: int = MAX_DEPTH) -> Value:
    """Cut containers nested deeper than a limit, so that the lattice stays finite."""
    if not any(isinstance(a, Seq | Tuple | Map) for a in value.atoms):
        return value
    if depth == 0:
        return UNKNOWN
    return value.with_atoms(frozenset(_clip_atom(a, depth - 1) for a in value.atoms))


def _clip_atom(atom: Atom, depth: int) -> Atom:
    if isinstance(atom, Seq):
        return Seq(clip(atom.item, depth))
    if isinstance(atom, Tuple):
        return Tuple(tuple(clip(item, depth) for item in atom.items))
    if isinstance(atom, Map):
        known_items = tuple((key, clip(value, depth)) for key, value in atom.known)
        return Map(known_items, clip(atom.rest, depth))
    return atom


def items_of(value: Value) -> Value:
    """Return what iterating over a value gives."""
    values = [value.rest()]
    for atom in value.sorted_atoms():
        if isinstance(atom, Seq):
            values.append(atom.item)
        elif isinstance(atom, Tuple):
            values.extend(atom.items)
        elif isinstance(atom, Map) or (isinstance(atom, Obj) and atom.kind is Kind.OTHER):
            values.append(OTHER)
        elif isinstance(atom, Obj) and atom.kind is Kind.NONE:
            # raises, so it adds nothing
            continue
        else:
            values.append(UNKNOWN)
    return join(*values)


def atoms_within(values: Iterable[Value]) -> Iterator[Atom]:
    """Yield the atoms of values and of the containers in them."""
    pending = list(values)
    while pending:
        for atom in pending.pop().atoms:
            yield atom
            if isinstance(atom, Seq):
                pending.append(atom.item)
            elif isinstance(atom, Tuple):
                pending += atom.items
            elif isinstance(atom, Map):
                pending.append(atom.all())


def holds_streams(value: Value | None) -> bool:
    """Return whether a value is or holds a stream or context, or a method of one."""
    for atom in () if value is None else atoms_within([value]):
        owner = atom.owner if isinstance(atom, Method) else atom
        if isinstance(owner, Obj) and owner.kind in STREAMING:
            return True
    return False


# The chain of steps that shows why a value is what it is.

MAX_EVIDENCE = 8


def step(value: Value, link: Step) -> Value:
    """Return the same value with one more link in the evidence of its objects."""
    if not any(isinstance(a, Obj) and (a.kind in STREAMING or a.tag) for a in value.atoms):
        return value
    return value.with_atoms(frozenset(_with_step(a, link) for a in value.atoms))


def _with_step(atom: Atom, link: Step) -> Atom:
    if not isinstance(atom, Obj) or link in atom.why:
        return atom
    if atom.kind not in STREAMING and not atom.tag:
        return atom
    return replace(atom, why=extend(atom.why, link))


def extend(why: tuple[Step, ...], link: Step) -> tuple[Step, ...]:
    """Return evidence with one more link; the first link and the last ones are kept."""
    if len(why) >= MAX_EVIDENCE:
        why = why[:1] + why[2:]
    return (*why, link)


def as_probable(value: Value) -> Value:
    """Return the same value, with the objects in it no longer proven."""
    return value.with_atoms(frozenset(map(_as_probable, value.atoms)))


def _as_probable(atom: Atom) -> Atom:
    match atom:
        case Ref() | Module():
            return replace(atom, probable=True)
        case Obj(kind) if kind not in (Kind.NONE, Kind.OTHER):
            return replace(atom, probable=True)
        case Method(owner):
            return replace(atom, owner=replace(owner, probable=True))
        case Seq(item):
            return Seq(as_probable(item))
        case Tuple(items):
            return Tuple(tuple(map(as_probable, items)))
        case Map(known, rest):
            return Map(tuple((k, as_probable(v)) for k, v in known), as_probable(rest))
    return atom
