"""What the process has done that `console` forks: imported what commands import, and loaded the kernels of a game.

Loading the first kernels from disk makes numba import as much again; this game is the one of most tests.
"""

from __future__ import annotations

import importlib
from contextlib import suppress
from pathlib import Path

import strategies

ROOT = Path(__file__).resolve().parent.parent
LATE = ("jinja2", "joblib", "polars", "rich.console", "matplotlib.figure", "matplotlib.backends.backend_agg")
GAME = "hate-to-kill-you"


def main() -> None:
    for name in ("cli", *LATE):
        importlib.import_module(name)
    for top in ("simcore", "strategies", "reports", "starters", "commands"):
        for file in sorted((ROOT / top).rglob("*.py")):
            name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            if name != "reports.pytest_plugin":
                importlib.import_module(name)
    with suppress(Exception):  # what does not compile is for the tests to say
        _ = strategies.game(GAME).tools


main()
