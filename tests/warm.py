"""Compiles the kernels of a game, named on the command line, so that test processes do not each do it at once."""

from __future__ import annotations

import sys

import strategies


def main(name: str) -> None:
    """Load every kernel and strategy of a game, from the cache or by compiling it."""
    game = strategies.game(name)
    _ = game.tools
    for strategy in strategies.strategy_names(name):
        strategies.strategy(name, strategy).pointer(game)


if __name__ == "__main__":
    main(sys.argv[1])
