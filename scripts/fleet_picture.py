"""Takes the picture of the report about several projects for the docs, in a browser.

python scripts/fleet_picture.py docs/images/fleet.png
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from migrator.cli.main import main as migrate
from tests.support.migrator.browser import find_browser

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = [*sorted((ROOT / "tests" / "migrator" / "projects").iterdir()), ROOT / "legacy_examples"]
VIEW = {"width": 1250, "height": 1150}


def main(path: str) -> None:
    """Report the golden projects and the examples, and write the picture of the page."""
    with tempfile.TemporaryDirectory() as name:
        clones = Path(name, "clones")
        for project in EXAMPLES:
            if project.is_dir() and project.name != "__pycache__":
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(project, clones / project.name, ignore=ignored)
        page = Path(name, "fleet.html")
        code = migrate(["--fleet", "--check", "--quiet", "--report", str(page), f"{clones}/*"])
        if code == 2:
            raise SystemExit("the report could not be made")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_browser(playwright), args=["--no-sandbox"]
            )
            view = browser.new_page(viewport=VIEW)
            view.goto(page.as_uri())
            view.screenshot(path=path)
            browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
