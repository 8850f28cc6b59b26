"""Figures as files and as parts of a page."""

from __future__ import annotations

import html
import io
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from matplotlib.figure import Figure

from reports.charts.style import CSS_NAMES, PAPER, house_style


def add_title(figure: Figure, title: str) -> None:
    """Put a heading on a figure that will be seen without the page around it."""
    with house_style():
        heading = figure.suptitle(title, x=0.01, ha="left", fontsize=10, fontweight="bold", wrap=True)
        width, height = figure.get_size_inches()
        figure.set_size_inches(width, height + heading.get_window_extent().height / figure.dpi)


def save_png(figure: Figure, path: Path) -> None:
    """Write `figure` at twice screen resolution: to a temporary name first, then renamed."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with house_style(), _without_glyph_warnings():
            figure.savefig(temporary, format="png", dpi=200, facecolor=PAPER, metadata={"Software": None})
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def to_svg(figure: Figure, name: str, labelled_by: str = "") -> str:
    """Return `figure` as an `<svg>` element to put into a page.

    Parameters
    ----------
    figure : Figure
        Made by a function of this package.
    name : str
        Prefix of every id in it, so that several figures can share a page.
    labelled_by : str
        Id of the element that says in words what the figure shows; without it the figure is decoration.

    Notes
    -----
    House colours become CSS variables (`--ink`, `--c1`, ...) with themselves as fallback: the page decides on
    light and dark, and a figure taken out of the page still has its colours.
    """
    buffer = io.StringIO()
    with house_style(name), _without_glyph_warnings():
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    drawing = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", buffer.getvalue(), flags=re.DOTALL)
    # Only tags are rewritten: matplotlib escapes angle brackets in text, so no name can look like one.
    body = re.sub(r"<[^<>]+>", lambda tag: _page_tag(tag[0], name), drawing[drawing.index("<svg") :])
    return _open_tag(body, labelled_by) + body[body.index(">") + 1 :]


def _page_tag(tag: str, prefix: str) -> str:
    """Make one tag fit for a page: unique ids, house colours as variables, the page's font."""
    tag = re.sub(r'\bid="', f'id="{prefix}-', tag)
    tag = re.sub(r'(url\(|href=")#', rf"\g<1>#{prefix}-", tag)
    tag = re.sub(r"font-family: [^;\"]*;? ?", "", tag)
    tag = re.sub(r"(font: (?:\w+ )*[\d.]+px) [^;\"]*", r"\1 system-ui, sans-serif", tag)  # matplotlib before 3.10
    return re.sub(r"#[0-9a-f]{6}\b", lambda hex_: _variable(hex_[0]), tag) if "style=" in tag else tag


def _variable(hex_colour: str) -> str:
    name = CSS_NAMES.get(hex_colour)
    return f"var(--{name}, {hex_colour})" if name else hex_colour


def _open_tag(svg: str, labelled_by: str) -> str:
    box = re.search(r'viewBox="([^"]+)"', svg)
    role = f'role="img" aria-labelledby="{html.escape(labelled_by)}"' if labelled_by else 'aria-hidden="true"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {role} '
        f'viewBox="{box[1] if box else ""}" font-family="system-ui, \'DejaVu Sans\', sans-serif" '
        'stroke-linejoin="round" stroke-linecap="butt">'
    )


@contextmanager
def _without_glyph_warnings() -> Iterator[None]:
    """Stay silent: a character no font has is a box in a PNG and stays itself in an SVG."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support")
        yield
