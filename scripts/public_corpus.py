"""Says what becomes of public jobs: which share runs unchanged, and what the others need.

``python scripts/public_corpus.py JOBS.csv FOLDER`` reads the columns `repository`, `commit` and
`path` of a CSV file, one job a line, and the repositories in a folder, each fetched at its commit
into a folder of its own, `owner+name` or `owner/name`. Prints a table for Markdown.

A repository is analysed as a whole, and a job counts once. `--kafka-brokers` gives addresses to
jobs that know ZooKeeper only, as `migrate` does; `--unsafe-fixes` gives the consent.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from migrator.model.fleet import FleetJob, FleetProject
from migrator.run.fleet import ProjectRun, carry_out_project
from migrator.run.options import Mode, Options
from migrator.run.processes import ProcessDiedError, run_in_processes, usable_cpus


@dataclass(frozen=True)
class PublicJob:
    """A job of the list."""

    repository: str
    path: str


def jobs_of(file: Path) -> list[PublicJob]:
    """Return the jobs that a file lists.

    Raises
    ------
    SystemExit
        If it lacks a column or lists nothing.
    """
    with file.open(newline="", encoding="utf-8") as stream:
        reader = csv.DictReader(stream)
        missing = {"repository", "commit", "path"} - {*(reader.fieldnames or ())}
        if missing:
            raise SystemExit(f"{file} has no column {', '.join(sorted(missing))}")
        jobs = [PublicJob(row["repository"], row["path"]) for row in reader]
    if not jobs:
        raise SystemExit(f"{file} lists no job")
    return jobs


def tree_of(folder: Path, repository: str) -> Path:
    """Return where a repository was fetched to.

    Raises
    ------
    SystemExit
        If it was not.
    """
    for path in (folder / repository.replace("/", "+"), folder / repository):
        if path.is_dir():
            return path
    raise SystemExit(f"{repository} is not in {folder}: fetch it into {path} first")


def analyse_repositories(runs: Sequence[ProjectRun]) -> dict[str, list[FleetProject]]:
    """Return the projects of each repository by its name.

    Raises
    ------
    SystemExit
        If one of them cannot be analysed.
    """
    projects: dict[str, list[FleetProject]] = {}
    for number, result in run_in_processes(carry_out_project, runs, usable_cpus()):
        name = runs[number].name
        if isinstance(result, ProcessDiedError):
            raise SystemExit(f"{name}: {result}")
        projects[name], _ = result
        for project in projects[name]:
            if project.error:
                raise SystemExit(f"{name}: {project.error}")
    return projects


def table(jobs: Sequence[FleetJob | None]) -> str:
    """Return what becomes of jobs as a table for Markdown; None is a file that starts no job."""
    known = [job for job in jobs if job is not None]
    left = Counter(job.state for job in known)
    forms = Counter(job.structured for job in known)
    rows = [
        ("run unchanged, by `dstream_compat run`", sum(bool(job.unchanged) for job in known)),
        ("run once `migrate` has rewritten them", sum(bool(job.compat) for job in known)),
        ("need a person", left["needs"]),
        ("cannot run: a source without a counterpart", left["cannot"]),
        ("start nothing, or cannot be read", len(jobs) - len(known)),
        ("have a portable form (DataFrames)", forms["portable"]),
        ("have a classic form (code of batches)", forms["classic"]),
    ]
    lines = ["| jobs that | number | share |", "|---|---|---|"]
    lines += [f"| {name} | {count} | {100 * count / len(jobs):.0f} % |" for name, count in rows]
    return "\n".join(lines)


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line; ends the process if it is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("jobs", metavar="JOBS.csv", type=Path)
    parser.add_argument("folder", metavar="FOLDER", type=Path)
    parser.add_argument("--kafka-brokers", metavar="HOST:9092,...")
    parser.add_argument("--unsafe-fixes", action="store_true")
    parser.add_argument("--list", action="store_true", help="also print each job")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    given = options(arguments)
    wanted = jobs_of(given.jobs)
    repositories = dict.fromkeys(job.repository for job in wanted)
    runs = [
        ProjectRun(
            name,
            Options(
                (tree_of(given.folder, name),),
                Mode.CHECK,
                kafka_brokers=given.kafka_brokers,
                unsafe_fixes=given.unsafe_fixes,
                cache=False,
            ),
        )
        for name in repositories
    ]
    known = {
        (name, path): job
        for name, projects in analyse_repositories(runs).items()
        for path, job in by_path(projects)
    }
    jobs = [known.get((job.repository, job.path)) for job in wanted]
    if given.list:
        for place, job in zip(wanted, jobs, strict=True):
            said = "no job" if job is None else f"{job.state}, {job.structured} {job.no_form}"
            print(f"{place.repository} {place.path}: {said}")
    print(f"{len(wanted)} jobs of {len(repositories)} repositories\n")
    print(table(jobs))


def by_path(projects: Iterable[FleetProject]) -> Iterable[tuple[str, FleetJob]]:
    """Yield the jobs of some projects with their paths."""
    return ((job.path, job) for project in projects for job in project.jobs)


if __name__ == "__main__":
    main()
