"""The pipelines of a project as graphs: which calls feed which."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from migrator.model.report import FileReport, Migration, Report, Site, StreamOrigin

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
class PipelineCall:
    """A call that makes, changes or ends a stream."""

    origin: StreamOrigin
    name: str
    role: Role
    migration: Migration


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Calls that belong together; an edge leads from the call that made a stream to its user."""

    nodes: tuple[PipelineCall, ...]
    edges: tuple[tuple[StreamOrigin, StreamOrigin], ...]

    @property
    def paths(self) -> frozenset[str]:
        """The files in which it is written down."""
        return frozenset(node.origin.path for node in self.nodes)


def pipelines(report: Report) -> list[Pipeline]:
    """Return the pipelines of a project by their first lines, without single calls."""
    calls = _calls(report.files)
    nodes = {origin: _node(origin, site) for origin, site in calls}
    edges = [
        (source, origin)
        for origin, site in calls
        for source in site.inputs
        if source in nodes and source != origin
    ]
    leaving: dict[StreamOrigin, dict[tuple[StreamOrigin, StreamOrigin], int]] = {}
    for number, edge in enumerate(edges):
        leaving.setdefault(edge[0], {}).setdefault(edge, number)
    result = []
    for group in _groups(list(nodes), edges):
        numbered = {e: n for origin in group for e, n in leaving.get(origin, {}).items()}
        if numbered:
            inside = tuple(sorted(numbered, key=numbered.__getitem__))
            result.append(Pipeline(tuple(nodes[origin] for origin in group), inside))
    return result


def _calls(files: list[FileReport]) -> list[tuple[StreamOrigin, Site]]:
    sites = [(StreamOrigin(f.path, site.at), site) for f in files for site in f.sites]
    fed = {origin for _, site in sites for origin in site.inputs}
    calls = [(o, s) for o, s in sites if s.use == "call" and s.name not in _NOT_IN_PICTURE]
    return [(o, s) for o, s in calls if s.inputs or o in fed or s.receiver == "DStream"]


def _node(origin: StreamOrigin, site: Site) -> PipelineCall:
    if site.receiver == "DStream":
        role = Role.OUTPUT if site.name in _OUTPUTS else Role.OPERATOR
    elif site.receiver == "StreamingContext" and site.name in _COMBINING:
        role = Role.OPERATOR
    else:
        role = Role.SOURCE
    return PipelineCall(origin, site.name, role, site.migration)


def _groups(
    origins: list[StreamOrigin], edges: list[tuple[StreamOrigin, StreamOrigin]]
) -> list[list[StreamOrigin]]:
    """Return the groups of connected calls, in reading order."""
    group = {origin: [origin] for origin in origins}
    for source, target in edges:
        first, second = group[source], group[target]
        if first is not second:
            first += second
            for origin in second:
                group[origin] = first
    distinct = {id(members): members for members in group.values()}
    ordered = [sorted(members, key=_order) for members in distinct.values()]
    return sorted(ordered, key=lambda members: _order(members[0]))


def _order(origin: StreamOrigin) -> tuple[str, tuple[int, int, int]]:
    return origin.path, origin.at.order
