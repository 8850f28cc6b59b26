"""The hand-written C twin of the duel: compiled here, called through ctypes, compared row by row."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from simcore.player import Player

SOURCE = Path(__file__).with_name("duel_twin.c")
STRATEGIES = ("random", "greedy", "patient")
"""Strategies that the twin knows, by its numbers."""

FLAGS = ("-std=c11", "-march=native", "-ffp-contract=off", "-shared", "-fPIC")


def compiler() -> str | None:
    """Return the C compiler of this machine, None if it has none."""
    return shutil.which("gcc") or shutil.which("cc")


class Twin:
    """The C twin, ready to play the games of a player.

    Parameters
    ----------
    folder : Path
        Where the library is built.
    optimise : str
        Optimisation flag of the compiler.
    """

    def __init__(self, folder: Path, optimise: str = "-O3") -> None:
        library = folder / f"duel_twin{optimise}.so"
        subprocess.run([str(compiler()), optimise, *FLAGS, "-o", str(library), str(SOURCE)], check=True)
        self._library = ctypes.CDLL(str(library))
        pointer, whole = ctypes.c_void_p, ctypes.c_int64
        self._library.play_games.argtypes = [
            *(pointer, pointer, pointer, whole),
            *(ctypes.c_uint64, whole, whole, whole, pointer),
        ]

    def play(self, player: Player, first: int, games: int) -> Any:
        """Return the outcome rows (G,) of the same games as ``player.play(first, games)``; `first` starts a deal."""
        match = player.match
        rotations = len(match.rotations)
        if self._library.tab_size() != match.tabs.itemsize or first % rotations:
            raise ValueError("the twin's constants are laid out differently, or `first` is inside a deal")
        rows = np.zeros(games, player.game.outcome)
        for rotation in range(rotations):
            tab = match.tabs[rotation : rotation + 1].tobytes()
            known = np.array([STRATEGIES.index(ref) for ref in match.strategies[rotation]], np.int32)
            params = np.ascontiguousarray(match.params[rotation])
            count = (games - rotation + rotations - 1) // rotations
            place = rows.ctypes.data + rotation * rows.itemsize
            fault = self._library.play_games(
                *(tab, known.ctypes.data, params.ctypes.data, params.shape[1]),
                *(int(player.run_key), first + rotation, rotations, count, place),
            )
            if fault:
                raise RuntimeError(f"the twin stopped with {fault}")
        setup, turn, round_ = match.pace
        rows["seconds"] = setup + turn * rows["turns"] + round_ * rows["rounds"]
        return rows
