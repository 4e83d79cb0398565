"""`migrate explain` and `migrate rules`: their command lines."""

from __future__ import annotations

import argparse
from collections.abc import Callable

_EXPLAIN = """\
Prints the documentation of a rule: what it finds, why it matters, code before and after, and what
a person has to do."""
_RULES = """\
Lists all rules: code, severity, minutes that a finding usually takes, and what is found. The code
of a fix that is applied is marked with *."""


def subcommand(arguments: list[str]) -> Callable[[], int]:
    """The work that a subcommand asks for.

    Parameters
    ----------
    arguments
        The name of the subcommand first. Ends the process on wrong ones.
    """
    name, *rest = arguments
    parser = argparse.ArgumentParser(
        prog=f"migrate {name}",
        description=_EXPLAIN if name == "explain" else _RULES,
        epilog=f"A file or folder called {name} is migrated with: migrate ./{name}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--no-color", action="store_true", help="no colours (also: NO_COLOR=1)")
    if name == "explain":
        parser.add_argument(
            "code", metavar="CODE", help="the code or name of a rule, or several", nargs="+"
        )
        found = parser.parse_args(rest)
        codes, color = found.code, not found.no_color

        def explain_them() -> int:
            from migrator.cli.explain import explain

            return explain(codes, color=color)

        return explain_them
    parser.add_argument("--format", choices=("text", "json"), default="text")
    found = parser.parse_args(rest)
    form, color = found.format, not found.no_color

    def list_them() -> int:
        from migrator.cli.list_rules import list_rules

        return list_rules(form, color=color)

    return list_them
