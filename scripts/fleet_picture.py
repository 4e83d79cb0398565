"""Takes the picture of the report about several projects for the docs, in a browser.

python scripts/fleet_picture.py docs/images/fleet.png

The golden projects and the examples are migrated, some of their jobs are verified, and one is
changed between and one afterwards: the three commands of docs/fleet.md.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from migrator.cli.main import main as migrate
from tests.support.migrator import recorded_fleet
from tests.support.migrator.browser import find_browser

VIEW = {"width": 1250, "height": 1150}
REPORTS = ("--report", "fleet.json", "--report", "fleet.html")


def main(path: str) -> None:
    """Migrate, verify and report the projects, and write the picture of the page."""
    picture = Path(path).absolute()
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        clones, moved, page = Path("clones"), Path("moved"), Path("verified.html")
        golden = sorted(path for path in recorded_fleet.PROJECTS.iterdir() if path.is_dir())
        names = [path.name for path in golden if path.name != "__pycache__"]
        recorded_fleet.write_clones(clones, names)
        recorded_fleet.record(clones)
        _run("--fleet", "clones/*", "--output", moved, *REPORTS, "--quiet")
        recorded_fleet.make_a_mistake(moved)
        _run("verify", "--all", clones, "--migrated", moved, "--no-shrink")
        recorded_fleet.change(clones)
        verified = ("--verified", f"verify-all-{clones}")
        _run("report", "fleet.json", *verified, "--report", page, "--quiet")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_browser(playwright), args=["--no-sandbox"]
            )
            view = browser.new_page(viewport=VIEW)
            view.goto(page.absolute().as_uri())
            view.screenshot(path=picture)
            browser.close()


def _run(*arguments: str | Path) -> None:
    if migrate([*map(str, arguments)]) == 2:
        raise SystemExit(f"migrate {arguments[0]} has failed")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("picture", help="the file to write")
    main(parser.parse_args().picture)
