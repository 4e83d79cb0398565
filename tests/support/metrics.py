"""The metrics that the documentation's dashboard and alerts name, and how Prometheus gets them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

import yaml

from tests.support.fenced import DOCS

FOLDER = DOCS / "production" / "prometheus"
METRIC = re.compile(r"\bspark_streaming_\w+")


def dashboard() -> dict[str, Any]:
    board: dict[str, Any] = json.loads((FOLDER / "grafana.json").read_text("utf-8"))
    return board


def alerts() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((FOLDER / "alerts.yml").read_text("utf-8"))["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


def expressions() -> list[str]:
    """Every expression of both files."""
    targets = [target for panel in dashboard()["panels"] for target in panel["targets"]]
    variables = [variable["query"] for variable in dashboard()["templating"]["list"]]
    return [
        *(target["expr"] for target in targets),
        *variables,
        *(rule["expr"] for rule in alerts()),
    ]


def scraped(names: Iterable[str]) -> set[tuple[str, str]]:
    """The names and applications that Prometheus keeps, by the rules of its settings."""
    settings = yaml.safe_load((FOLDER / "prometheus.yml").read_text("utf-8"))
    (job,) = settings["scrape_configs"]
    kept = set()
    for name in names:
        labels: dict[str, str] | None = {"__name__": name}
        for rule in job["metric_relabel_configs"]:
            assert labels is not None
            value = ";".join(labels[label] for label in rule["source_labels"])
            match = re.fullmatch(rule["regex"], value)
            if rule.get("action") == "keep":
                if match is None:
                    labels = None
                    break
            elif match is not None:
                text = re.sub(r"\$(\d)", r"\\\1", rule["replacement"])
                labels[rule["target_label"]] = match.expand(text)
        if labels is not None:
            kept.add((labels["__name__"], labels["app"]))
    return kept
