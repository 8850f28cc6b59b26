"""One self-contained page for a run: no network, no script, light and dark, screen, telephone and paper."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from reports import charts, model
from reports.model import Report, grids
from reports.page import Page
from reports.tables import Tables

TEMPLATES = Path(__file__).parent / "templates"


def render(summary: Mapping[str, Any], tables: Tables) -> str:
    """Return the page of a run. The same summary and tables give the same page, byte for byte."""
    from simcore import yamlfile

    report = model.build(summary, tables)
    return (
        _environment()
        .get_template("run.html.j2")
        .render(
            report=report,
            tables=_tables(report),
            figures={name: _drawings(partial(draw, report), name) for name, draw in charts.figures(report).items()},
            resolved=yamlfile.dump(summary["resolved"]),
        )
    )


def _tables(report: Report) -> dict[str, Any]:
    """Return the tables of the page by name: one each, or one for each kind."""
    return {
        "wins": grids.wins(report.sides, report.confidence),
        "durations": grids.durations(report.durations),
        "ends": grids.parts("All games, by who wins", "Result", report.ends),
        "reasons": grids.parts("All games, by why they end", "Reason", report.reasons),
        "stages": grids.stages(report.stages) if report.stages else None,
        "causes": report.stages
        and grids.parts("What stopped a stage, retries included", "Cause", report.stages.causes, "Times"),
        "chairs": grids.chairs(report.seats, report.confidence),
        "worth": [grids.worth(kind, report.confidence) for kind in report.worth],
        "amounts": [grids.amounts(kind, report.confidence) for kind in report.amounts],
        "by_player": report.by_player and grids.by_player(report.by_player),
        "metrics": grids.metrics(report.metrics),
    }


def write(directory: Path, summary: Mapping[str, Any], tables: Tables) -> None:
    """Write `report.html` and `plots/*.png` into a run directory: temporary names, then renamed."""
    page = render(summary, tables)
    plots = directory / "plots"
    plots.mkdir(parents=True, exist_ok=True)
    report = model.build(summary, tables)
    for name, draw in charts.figures(report).items():
        figure = draw(report)
        charts.add_title(figure, report.titles[name])
        charts.save_png(figure, plots / f"{name}.png")
    replace(directory / "report.html", page)


def render_page(page: Page) -> str:
    """Return the page of an analysis. The same analysis gives the same page, byte for byte."""
    from simcore import yamlfile

    return (
        _environment()
        .get_template("analysis.html.j2")
        .render(
            page=page,
            drawings={each.name: _drawings(each.draw, each.name) for each in page.pictures},
            resolved={name: yamlfile.dump(data) for name, data in page.resolved.items()},
        )
    )


def _drawings(draw: Callable[..., Any], name: str) -> dict[str, Markup]:
    """Return the figure for a wide and for a narrow screen; the page shows one of them."""
    return {
        size: Markup(charts.to_svg(draw(wide=size == "wide"), f"{name}-{size}", f"caption-{name}"))
        for size in ("wide", "narrow")
    }


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES, encoding="utf-8"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["tied"] = _tied
    return environment


def _tied(text: str) -> Markup:
    """Escape `text` and keep every number on one line with its unit."""
    return Markup(re.sub(r"(?<=\d) (?=%)", "\N{NO-BREAK SPACE}", str(escape(text))))


def replace(path: Path, text: str) -> None:
    """Write a text file: to a temporary name first, then renamed."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
