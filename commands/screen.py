"""What the terminal can show, and words beside the answer."""

from __future__ import annotations

import os
import sys
from typing import Any


def say(text: str) -> None:
    """Say something that is no part of the answer."""
    print(f"balance: {text}", file=sys.stderr, flush=True)


def width() -> int:
    """Return the columns to print in."""
    import shutil

    return min(shutil.get_terminal_size((80, 24)).columns, 100) if sys.stdout.isatty() else 80


def screen() -> dict[str, Any]:
    """Return what the terminal can show, as renderers take it."""
    encoding = (sys.stdout.encoding or "ascii").lower()
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return {"width": width(), "colour": colour, "ascii": not encoding.startswith("utf")}
