"""The duel's kernels play the same games as their hand-written C twin, which knows nothing of Python or numba."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import speed, twin

STEP = 20_000
FILES = ("film-duel", "man-in-black-rugen", "man-in-black-humperdinck")  # with every primitive between them


@pytest.fixture(scope="session")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> twin.Twin:
    if not twin.compiler():
        pytest.skip("no C compiler on this machine")
    return twin.Twin(Path(tmp_path_factory.mktemp("twin")))


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("pair", speed.PAIRS, ids="-".join)
@pytest.mark.parametrize("games", [STEP, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_outcomes_equal_the_twins_game_by_game(in_c: twin.Twin, pair: tuple[str, str], games: int, file: str) -> None:
    player = speed.player_of(*pair, file=speed.FILM.with_name(f"{file}.yaml"))
    for first in range(0, games, STEP):
        assert player.play(first, STEP).tobytes() == in_c.play(player, first, STEP).tobytes()
