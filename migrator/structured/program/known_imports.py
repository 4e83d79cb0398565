"""Which imports of a module are there when its job is built."""

from __future__ import annotations

from .job import JobBlock


def known_imports(job: JobBlock) -> dict[str, str]:
    """Return the paths of names that mean an import in all of the module, and before its job."""
    module, late = job.module, set()
    if not job.block.functions:
        built = (each.lineno for each in (job.session, *job.streams) if each is not None)
        first = min(built, default=0)
        late = {*module.imported_by(node for node in module.tree.body if node.lineno > first)}
    return {name: path for name, path in module.global_paths.items() if name not in late}
