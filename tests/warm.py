"""Compiles the kernels of the games named on the command line, so that test processes do not each do it at once."""

from __future__ import annotations

import sys

import strategies


def main(games: list[str]) -> None:
    """Load every kernel and strategy of `games`, from the cache or by compiling it."""
    for name in games:
        game = strategies.game(name)
        _ = game.tools
        for strategy in strategies.strategy_names(name):
            strategies.strategy(name, strategy).pointer(game)


if __name__ == "__main__":
    main(sys.argv[1:])
