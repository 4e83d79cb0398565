"""The pipelines of a file as graphs: which calls feed which."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from migrator.model import FileReport, Migration, Site, Spot

_OUTPUTS = frozenset({"foreachRDD", "foreach", "pprint", "saveAsTextFiles", "saveAsObjectFiles"})
_OUTPUTS |= {"saveAsHadoopFiles", "saveAsNewAPIHadoopFiles", "print", "foreachPartition"}
# of a context, these take streams; what else makes one is a source
_COMBINING = frozenset({"union", "transform"})
_NOT_IN_PICTURE = frozenset({"context", "slice"})


class Role(StrEnum):
    """What a call does in its pipeline."""

    SOURCE = "source"
    OPERATOR = "operator"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class Node:
    """A call that makes, changes or ends a stream."""

    at: Spot
    name: str
    role: Role
    migration: Migration


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Calls that belong together; an edge leads from the call that made a stream to its user."""

    nodes: tuple[Node, ...]
    edges: tuple[tuple[Spot, Spot], ...]


def pipelines(file: FileReport) -> list[Pipeline]:
    """The pipelines of a file, in the order of their first lines; single calls are left out."""
    nodes = {site.at: _node(site) for site in _calls(file)}
    edges = [
        (source, site.at)
        for site in _calls(file)
        for source in site.inputs
        if source in nodes and source != site.at
    ]
    groups = _groups(list(nodes), edges)
    found = []
    for group in groups:
        members = set(group)
        inside = tuple(dict.fromkeys(edge for edge in edges if edge[0] in members))
        if inside:
            found.append(Pipeline(tuple(nodes[at] for at in group), inside))
    return found


def _calls(file: FileReport) -> list[Site]:
    fed = {spot for site in file.sites for spot in site.inputs}
    calls = [s for s in file.sites if s.use == "call" and s.name not in _NOT_IN_PICTURE]
    return [s for s in calls if s.inputs or s.at in fed or s.receiver == "DStream"]


def _node(site: Site) -> Node:
    if site.receiver == "DStream":
        role = Role.OUTPUT if site.name in _OUTPUTS else Role.OPERATOR
    elif site.receiver == "StreamingContext" and site.name in _COMBINING:
        role = Role.OPERATOR
    else:
        role = Role.SOURCE
    return Node(site.at, site.name, role, site.migration)


def _groups(spots: list[Spot], edges: list[tuple[Spot, Spot]]) -> list[list[Spot]]:
    """What is connected, in reading order."""
    group = {spot: [spot] for spot in spots}
    for source, target in edges:
        first, second = group[source], group[target]
        if first is not second:
            first += second
            for spot in second:
                group[spot] = first
    distinct = {id(members): members for members in group.values()}
    ordered = [sorted(members, key=lambda s: s.order) for members in distinct.values()]
    return sorted(ordered, key=lambda members: members[0].order)
