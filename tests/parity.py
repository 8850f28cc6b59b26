"""Digests of a few games of every strategy of every game, with JIT or without.

A module for the parity test, and a program that prints the same as JSON: it runs in a process whose JIT is off.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

import numpy as np

import strategies
from simcore import jit, scenario
from simcore.contract import Game
from simcore.player import Player
from support import params_of, sampled, scenarios_of, seated

EACH = sampled(1, 14)
"""Games of a pairing: every strategy plays in two, as the first player and as the second."""

CAPS = {"field-guide": 40}
"""Rounds of a game where four, as elsewhere, come to no choice that tells players apart."""

WHOLE = {"grimoire-shuffle": "12"}
"""Rounds of random games where the whole game takes minutes without JIT."""


def pairings(game: str) -> list[tuple[str, str]]:
    """Return each strategy with the next one."""
    names = strategies.strategy_names(game)
    return list(zip(names, [*names[1:], names[0]], strict=True))


def quick(game: Game, name: str) -> dict[str, Any]:
    """Return parameters for a process that is a thousand times slower."""
    return {"rollouts": 2, "horizon": 1} if name == "lookahead" else params_of(game, name)


def overrides_of(game: Game, pair: tuple[str, str], n_seats: int) -> list[tuple[str, str]]:
    """Return the overrides that seat a pairing in turn."""
    names = [pair[seat % 2] for seat in range(n_seats)]
    return [("rotate", "true"), ("seed", "9"), *seated(names, [quick(game, name) for name in names])]


def cap(game: str, pair: tuple[str, str]) -> list[tuple[str, str]]:
    """Return the override that keeps games short; whoever looks ahead plays a single round."""
    return [("rules.round_cap", "1" if "lookahead" in pair else str(CAPS.get(game, 4)))]


def digest(player: Player, games: int) -> str:
    """Return a digest of the outcome rows of some games, and of every action of the first."""
    log = np.full(1 << 12, -1, np.int32)
    total = hashlib.sha256(player.play(0, games).tobytes())
    total.update(player.play_logged(0, log).tobytes())
    total.update(log.tobytes())
    return total.hexdigest()


def digests() -> dict[str, str]:
    """Return a digest for each pairing, every one in another scenario, and for whole games of random players."""
    found = {}
    for name in strategies.game_names():
        game, files = strategies.game(name), scenarios_of(name)
        whole = ("random", "random")
        for number, pair in enumerate([whole, *pairings(name)]):
            file = files[number % len(files)]
            n_seats = scenario.load(file, strategies).match.n_seats
            overrides = overrides_of(game, pair, n_seats)
            overrides += (
                cap(name, pair) if pair != whole else [("rules.round_cap", WHOLE[name])] if name in WHOLE else []
            )
            loaded = scenario.load(file, strategies, overrides=overrides)
            found[f"{name}: {' - '.join(pair)}"] = digest(Player(loaded.match, strategies), EACH)
    return found


if __name__ == "__main__":
    json.dump({"jit": jit.ENABLED, "digests": digests()}, sys.stdout)
