"""How fast the kernels are: games a second, against the duel's C twin, two threads, JIT off, and a cold start.

    python -m benchmarks.speed [--games N] [--quick]

Ratios are taken within one run, the two sides in turn, and are medians; absolute figures depend on the machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import strategies
from benchmarks import twin
from simcore import scenario
from simcore.player import Player

ROOT = Path(__file__).resolve().parent.parent
PAIRS = (("random", "random"), ("patient", "greedy"), ("patient", "patient"))
FILM = ROOT / "scenarios" / "hate-to-kill-you" / "film-duel.yaml"
OTHERS = (
    ("as-you-wish/four-at-random", 5000, 3),
    ("as-you-wish/four-players", 5000, 3),
    ("field-guide/four-players", 2000, 4),
    ("grimoire-shuffle/four-players", 400, 15),
    ("grimoire-shuffle/four-tempers", 400, 15),
    ("adventure-book/two-players", 500, 6),
)
"""Scenarios of other games: games a measurement, and how many times the twin's time a decision may take."""
OFF = """
import sys, time
sys.path.insert(0, sys.argv[1])
from benchmarks.speed import player_of
player = player_of(*sys.argv[2:4])
games = int(sys.argv[4])
started = time.process_time()
rows = player.play(0, games)
print(time.process_time() - started, rows.tobytes().hex())
"""
COLD = """
import sys, time
sys.path.insert(0, sys.argv[1])
from benchmarks.speed import player_of
started = time.perf_counter()
player_of("patient", "greedy").play(0, 2)
print(time.perf_counter() - started)
"""


def player_of(*names: str, file: Path = FILM) -> Player:
    """Return a scenario, the film's duel if no other, with these strategies."""
    overrides = [(f"seats.{seat}.strategy", name) for seat, name in enumerate(names, start=1)]
    return Player(scenario.load(file, strategies, overrides=overrides).match, strategies)


def seconds(call: Callable[[], Any]) -> float:
    """Return the processor time of a call: what others do on the machine hardly counts."""
    started = time.process_time()
    call()
    return time.process_time() - started


def ratio(ours: Callable[[], Any], theirs: Callable[[], Any], times: int) -> tuple[float, float, float]:
    """Return (median of theirs / ours, best seconds of ours, best seconds of theirs), in turn."""
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(times)]
    best = [min(column) for column in zip(*pairs, strict=True)]
    return statistics.median(b / a for a, b in pairs), best[0], best[1]


def two_threads(player: Player, games: int, times: int) -> float:
    """Return how much faster two threads are than one, by the clock; the median."""

    def clock(threads: int) -> float:
        work = [threading.Thread(target=player.play, args=(k * games, games)) for k in range(threads)]
        started = time.perf_counter()
        for thread in work:
            thread.start()
        for thread in work:
            thread.join()
        return time.perf_counter() - started

    return statistics.median(2 * clock(1) / clock(2) for _ in range(times))


def in_new_process(code: str, *arguments: str, **environment: str) -> str:
    """Return what a program prints that runs in a new process."""
    command = [sys.executable, "-c", code, str(ROOT), *arguments]
    env = {**os.environ, **environment}
    return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000, help="games compared with the twin, row by row")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    options = parser.parse_args()
    times = 11 if options.quick else 61
    with tempfile.TemporaryDirectory() as folder:
        twins = {flag: twin.Twin(Path(folder), flag) for flag in ("-O3", "-O2")} if twin.compiler() else {}
        for pair in PAIRS:
            report(pair, twins, options.games, times)
        for name, games, most in OTHERS:
            beside(name, games, most, twins, times)
        player = player_of("patient", "greedy")
        print(
            f"two threads against one: {two_threads(player, 200_000, 5 if options.quick else 15):.2f} times the speed"
        )
        cold = in_new_process(COLD, NUMBA_CACHE_DIR=folder, XDG_CACHE_HOME=folder)
        print(f"cold start, game and two strategies: {float(cold):.1f} s")


def beside(name: str, games: int, most: int, twins: dict[str, twin.Twin], times: int) -> None:
    """Print how long a decision takes in another game, beside a decision of the duel's twin in the same run."""
    player = Player(scenario.load(ROOT / "scenarios" / f"{name}.yaml", strategies).match, strategies)
    decisions = int(player.play(0, games)["decisions"].sum())
    duel, n = player_of("patient", "greedy"), 5_000
    duel_decisions = int(duel.play(0, n)["decisions"].sum())
    ours = partial(player.play, 0, games)
    best = min(seconds(ours) for _ in range(3))
    each = f"{games / best:,.0f} games/s, {best / decisions * 1e9:.0f} ns a decision"
    for flag, other in list(twins.items())[:1]:
        value, _, _ = ratio(ours, partial(other.play, duel, 0, n), times)
        slower = duel_decisions / decisions / value
        each += f"; {slower:.1f} times a decision of the C twin {flag} (at most {most})"
    print(f"{name}: {each}")


def report(pair: tuple[str, str], twins: dict[str, twin.Twin], games: int, times: int) -> None:
    """Print the lines of one pairing."""
    player = player_of(*pair)
    n = 20_000
    rows = player.play(0, n)
    decisions = int(rows["decisions"].sum())
    best = min(seconds(lambda: player.play(0, n)) for _ in range(times))
    print(
        f"hate-to-kill-you {pair[0]} - {pair[1]}: {n / best:,.0f} games/s, {best / decisions * 1e9:.0f} ns a decision"
    )
    for flag, other in twins.items():
        value, _, theirs = ratio(partial(player.play, 0, n), partial(other.play, player, 0, n), times)
        print(f"  {value:.2f} of the C twin {flag} ({n / theirs:,.0f} games/s)")
    for other in list(twins.values())[:1]:
        step = 100_000
        equal = all(
            player.play(k, min(step, games - k)).tobytes() == other.play(player, k, min(step, games - k)).tobytes()
            for k in range(0, games, step)
        )
        print(f"  outcomes equal to the twin's in {games:,} games: {'yes' if equal else 'NO'}")
    few = 100 if times < 20 else 2000
    used, text = in_new_process(OFF, *pair, str(few), NUMBA_DISABLE_JIT="1").split()
    same = bytes.fromhex(text) == player.play(0, few).tobytes()
    print(
        f"  JIT off: {float(used) / few / (best / n):,.0f} times slower, {few} games {'equal' if same else 'NOT EQUAL'}"
    )


if __name__ == "__main__":
    main()
