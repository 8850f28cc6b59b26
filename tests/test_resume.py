"""Long runs: whatever stops one, what was finished is kept, and going on gives what an undisturbed run gives.

In this process; `test_kills` disturbs the real command.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import strategies
from runs import checkpoint_games, content, hidden
from simcore import blocks, kept, results, rundir, scenario
from simcore.blocks import Plan, Watch
from simcore.errors import InputError, MachineError, ResultsError
from simcore.tally import Tally
from support import SCENARIOS, sampled
from test_cli import DUEL


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "duel.yaml").write_text(DUEL, encoding="utf-8")
    return tmp_path


def load(folder: Path, *overrides: tuple[str, str], **options: str) -> Any:
    return scenario.load(folder / "duel.yaml", strategies, "duel.yaml", overrides, list(options.items()))


def played(
    folder: Path,
    out: str,
    games: int | None,
    stop_after: float = float("inf"),
    keep: bool = True,
    precision: float = 0.5,
    **how: Any,
) -> dict[str, Any] | None:
    """Play as `balance run --resume` does, with a checkpoint after each task; None: it broke off after `stop_after`."""
    found = load(folder, **({} if games is None else {"games": str(games)}))
    directory = rundir.RunDirectory(folder / out, resume=True)
    saved = rundir.Checkpoint.of(directory)
    block = 2048 * len(found.match.rotations)
    start = saved.start(found, keep, block, folder / out) if saved else None
    recorder = rundir.Recorder(directory, found, block if keep else None, start)

    def finished(tally: Any, looks: Any, seconds: float) -> None:
        recorder.save(tally, looks, seconds)
        if tally.games >= stop_after:
            raise MachineError("pulled the plug")

    watch = Watch(rows=recorder.rows, finished=finished)
    question = blocks.Odds(found.match, precision)
    plan = Plan(**{"games": games, "block_deals": 64, **how})
    run = blocks.answer(question, strategies, plan, watch, start=start)
    if run.fault:
        leave(directory)
        return None
    recorder.close(run)
    results.write_run(directory.work, found, run, results.summary(found, run), 2048)
    directory.finish()
    assert not hidden(folder)
    return content(folder / out)


def leave(directory: rundir.RunDirectory) -> None:
    """Do what the system does for a killed process: its lock is free, and nothing is tidied up."""
    if directory._lock is not None:
        os.close(directory._lock)
    rundir.RunDirectory.unfinished.discard(directory)


def test_a_run_that_is_broken_off_anywhere_and_gone_on_with_is_as_one_never_interrupted(folder: Path) -> None:
    """B32: counts and rows agree, whatever was written in between."""
    whole = played(folder, "whole", 9000)
    assert whole is not None
    for stops in ([1], [2048, 2049], [1500, 4096, 5000, 8999]):
        for stop in stops:
            assert played(folder, "parts", 9000, stop_after=stop, jobs=2) is None
        assert checkpoint_games(folder / ".parts.partial") >= stops[-1]
        assert played(folder, "parts", 9000) == whole
        (folder / "parts").rename(folder / f"parts-{stops[0]}")
    for games in (100, 1001, 4096, 9000, 9000):
        grown = played(folder, "grown", games)
    assert grown == whole
    assert rows_of(folder / "whole") == list(range(9000))


def rows_of(out: Path) -> list[int]:
    return pl.scan_parquet(out / "games" / "*.parquet").select("game").collect()["game"].to_list()


def test_what_is_finished_is_counted_the_same_once_written_and_read(folder: Path) -> None:
    """A tally goes through JSON and back: sums beyond 64 bits, rare values, exposures, uses of components."""
    for name in ("as-you-wish/three-players", "grimoire-shuffle/four-players", "hate-to-kill-you/film-duel"):
        found = scenario.load(SCENARIOS / f"{name}.yaml", strategies)
        tally = blocks.run(found.match, strategies, Plan(games=60 * len(found.match.rotations)), Watch()).tally
        tally._products = tally._products * 10**30
        tally._rare[0, -7] += 3
        saved = json.loads(json.dumps(tally.saved(), allow_nan=False))
        again = Tally.restored(tally.layout, saved)
        assert json.loads(json.dumps(again.saved())) == saved
        again.add(tally)
        assert again.games == 2 * tally.games
        assert again.share_sums(0) == tuple(2 * part for part in tally.share_sums(0))


def test_rows_of_games_that_nobody_has_counted_do_not_stay(folder: Path) -> None:
    """Killed behind a full file and before its checkpoint, gone on with, and stopped again before the next game."""
    played(folder, "longer", 5000)
    assert played(folder, "x", 5000, stop_after=1000) is None
    counted = checkpoint_games(folder / ".x.partial")
    name = "games-000000000000.parquet"
    shutil.copy(folder / "longer" / "games" / name, folder / ".x.partial" / "games" / name)
    assert played(folder, "x", counted) == played(folder, "short", counted)
    assert rows_of(folder / "x") == list(range(counted))


def test_what_differs_is_named_and_nothing_is_touched(folder: Path) -> None:
    whole = played(folder, "x", 3000)
    before = (folder / "x" / "checkpoint.json").read_text()
    cases: list[tuple[Any, dict[str, Any], str]] = [
        (load(folder, ("rules.hits_to_win", "3")), {}, "rules.hits_to_win was 5, is 3"),
        (load(folder, seed="6"), {}, "seed was 5, is 6"),
        (load(folder, ("components.feint.rank", "2")), {}, "components.feint.rank was None, is"),
        (load(folder), {"keep": False}, "it was begun with --keep-games"),
        (load(folder), {"block": 512}, "its files hold 2048 games each, not 512"),
        (load(folder, games="2000"), {}, "holds 3,000 games already, more than --games 2,000"),
    ]
    for found, how, words in cases:
        with pytest.raises(ResultsError) as caught:
            going_on(folder, found, **how)
        assert words in str(caught.value)
        assert "\n" not in str(caught.value)
    for old, new, words in (
        ('"sources": "', '"sources": "0', "other sources"),
        ("checkpoint/1", "checkpoint/9", "another version"),
        ('"winners": [[', '"winners": [[[', "cannot be read"),
        ('"winners": [[', '"winners": [[1, 2, ', "is not as it was written"),
    ):
        (folder / "x" / "checkpoint.json").write_text(before.replace(old, new))
        with pytest.raises(ResultsError, match=words):
            going_on(folder, load(folder))
    (folder / "x" / "checkpoint.json").write_text(before)
    label = going_on(folder, load(folder, ("seats.1.label", "Somebody")))
    assert label.tally.games == 3000  # a name decides no game
    (folder / "x" / "games" / "games-000000000000.parquet").rename(folder / "away.parquet")
    with pytest.raises(ResultsError, match="kept games are missing"):
        played(folder, "x", 4000)
    (folder / "away.parquet").rename(folder / "x" / "games" / "games-000000000000.parquet")
    for directory in list(rundir.RunDirectory.unfinished):
        directory.abandon()
    assert content(folder / "x") == whole
    assert not hidden(folder)


def going_on(folder: Path, found: Any, keep: bool = True, block: int = 2048) -> blocks.Start:
    directory = rundir.RunDirectory(folder / "x", resume=True)
    try:
        saved = rundir.Checkpoint.of(directory)
        assert saved
        return saved.start(found, keep, block, folder / "x")
    finally:
        directory.abandon()


def test_an_unfinished_run_is_not_forgotten(folder: Path) -> None:
    assert played(folder, "x", 3000, stop_after=1000) is None
    with pytest.raises(InputError, match=r"an unfinished run is left in .*; --resume goes on with it, --force starts"):
        rundir.RunDirectory(folder / "x")
    assert hidden(folder) == [".x.partial"]
    rundir.RunDirectory(folder / "x", force=True).abandon()
    assert hidden(folder) == []


def test_answers_never_wait_in_great_number(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B33: a slow disk makes the workers wait; without that all games would lie in memory."""
    made, most = 0, 0
    real = blocks.play

    def counted(*arguments: Any) -> Any:
        nonlocal made
        made += 1
        return real(*arguments)

    taken = 0

    def slow(tally: Any, looks: Any, seconds: float) -> None:
        nonlocal taken, most
        taken += 1
        time.sleep(0.01)
        most = max(most, made - taken)

    monkeypatch.setattr(blocks, "play", counted)
    monkeypatch.setattr(blocks, "TASK_SECONDS", (0.0, 0.0))
    plan = Plan(games=8000, jobs=2, block_deals=50)
    run = blocks.run(load(folder).match, strategies, plan, Watch(finished=slow))
    assert run.tally.games == 8000
    assert made >= 160
    assert most <= blocks.AHEAD * 3


# ---------------------------------------------------------------- at any moment


@pytest.mark.parametrize("rotate", [False, True])
def test_no_history_of_a_run_shows_in_it(folder: Path, rotate: bool) -> None:
    """Any number of stops, more games asked for each time, other jobs and blocks: as if played at once."""
    if rotate:
        (folder / "duel.yaml").write_text(DUEL + "rotate: true\n", encoding="utf-8")
    chance = random.Random(rotate)
    for trial in range(sampled(3, 40)):
        keep = chance.random() < 0.7
        last = {"games": 2 * chance.randint(2000, 5000)} if chance.random() < 0.6 else {"precision": 1.5}
        most = last.get("games", 5000)
        for _ in range(chance.randint(1, 4)):
            how = {"jobs": chance.randint(1, 3), "block_deals": chance.choice((7, 63, 64, 700))}
            grows = "games" in last and chance.random() < 0.5
            asked = {"games": 2 * chance.randint(most // 4, most // 2)} if grows else last
            try:
                played(folder, f"x{trial}", asked.get("games"), chance.uniform(0, most), keep, **precise(asked), **how)
            except ResultsError as error:
                assert "games already, more than --games" in str(error)
                leave(next(iter(rundir.RunDirectory.unfinished)))
        found = played(folder, f"x{trial}", last.get("games"), keep=keep, **precise(last))
        whole = played(folder, f"whole{trial}", last.get("games"), keep=keep, jobs=2, **precise(last))
        assert found == whole
        assert found is not None
        if keep:
            assert rows_of(folder / f"x{trial}") == list(range(found["summary"]["games"]))


def precise(asked: Any) -> dict[str, Any]:
    return {"precision": asked["precision"]} if "precision" in asked else {}


class Crash(BaseException):
    """The process is gone: nothing it would have done afterwards happens."""


@contextmanager
def crashing(after: int) -> Iterator[list[int]]:
    """Let so many changes of the file system happen and no more; yield how many are left."""
    left = [after]

    def counted(do: Any) -> Any:
        def change(*arguments: Any, **more: Any) -> Any:
            if left[0] <= 0:
                raise Crash
            left[0] -= 1
            return do(*arguments, **more)

        return change

    with pytest.MonkeyPatch.context() as patch, suppress(Crash):
        for name in ("replace", "rename", "link", "unlink", "mkdir", "rmdir"):
            patch.setattr(os, name, counted(getattr(os, name)))
        yield left
    for directory in list(rundir.RunDirectory.unfinished):
        leave(directory)


@pytest.mark.parametrize("before", ["nothing", "unfinished", "finished", "finished and unfinished"])
def test_a_crash_between_any_two_changes_of_files_loses_no_game_and_leaves_no_file(folder: Path, before: str) -> None:
    whole = played(folder, "whole", 5000)
    earlier = played(folder, "x", 2500) if before.startswith("finished") else None
    if before.endswith("unfinished"):
        played(folder, "x", 5000, stop_after=3000)
    template = folder.with_name(f"{folder.name}-template")
    shutil.copytree(folder, template)
    chance = random.Random(before)
    step = sampled(12, 1)
    for after in itertools.count(chance.randrange(step), step):
        shutil.rmtree(folder)
        shutil.copytree(template, folder)
        with crashing(after) as left:
            assert played(folder, "x", 5000, block_deals=500) == whole
        if left[0] > 0:
            break
        if (folder / "x").is_dir():
            assert content(folder / "x") in (earlier, whole)
        if chance.random() < 0.5:  # and again, while it is put in order
            with crashing(chance.randrange(12)):
                played(folder, "x", 5000)
        assert played(folder, "x", 5000) == whole
    assert after > 30


def test_what_a_checkpoint_counts_is_on_the_disk_before_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that loses its power keeps what was synced, in whatever order it likes."""
    done: list[tuple[str, str]] = []
    names: dict[int, str] = {}
    real_open, real_sync, real_replace = os.open, os.fsync, os.replace

    def opened(path: Any, *arguments: Any, **more: Any) -> int:
        number = real_open(path, *arguments, **more)
        names[number] = Path(path).name
        return number

    def synced(number: int) -> None:
        done.append(("sync", names[number]))
        real_sync(number)

    def replaced(one: Any, other: Any) -> None:
        done.append(("rename", Path(other).name))
        real_replace(one, other)

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    played(folder, "x", 9000)
    checkpoints = [place for place, step in enumerate(done) if step == ("rename", "checkpoint.json")]
    shards = [place for place, (what, name) in enumerate(done) if what == "rename" and name.startswith("games-")]
    assert len(checkpoints) > 3 and len(shards) >= 5
    for place in checkpoints:
        assert done[place - 1] == ("sync", ".checkpoint.json.tmp")
        for shard in (shard for shard in shards if shard < place):
            assert ("sync", done[shard][1]) in done[shard:place]
            assert ("sync", "games") in done[shard:place]


# ---------------------------------------------------------------- kept games


@pytest.mark.parametrize("name", ["hate-to-kill-you/film-duel", "as-you-wish/three-players", "field-guide/two-players"])
def test_kept_games_counted_again_are_the_answer(name: str, tmp_path: Path) -> None:
    """The lazy scan adds up what the compiled counts did: wins, lengths, metrics, reasons."""
    answer, tables = kept_run(SCENARIOS / f"{name}.yaml", tmp_path / "x[1]", 600)
    assert kept.recount(tmp_path / "x[1]" / "games", answer, tables) == answer["games"] >= 600
    assert results.read_run(tmp_path / "x[1]")[0] == answer


def kept_run(file: Path, out: Path, games: int) -> tuple[dict[str, Any], dict[str, Any]]:
    found = scenario.load(file, strategies)
    games = -(-games // len(found.match.rotations)) * len(found.match.rotations)
    directory = rundir.RunDirectory(out)
    recorder = rundir.Recorder(directory, found, 64 * len(found.match.rotations), None)
    run = blocks.run(found.match, strategies, Plan(games=games), Watch(rows=recorder.rows))
    recorder.close(run)
    answer = results.summary(found, run)
    tables = results.write_run(directory.work, found, run, answer, 64)
    directory.finish()
    return answer, tables


def test_kept_games_that_are_not_those_of_the_answer_are_named(folder: Path) -> None:
    answer, tables = kept_run(folder / "duel.yaml", folder / "x", 300)
    games = folder / "x" / "games"
    file = sorted(games.iterdir())[1]
    table = pl.read_parquet(file)
    for column, words in (
        ("rounds", "of rounds, "),
        ("hits.2", "of hits.2, "),
        ("seconds", "of seconds, "),
        ("game", "holds 64 games without a gap, not the 300 of the answer"),
    ):
        table.with_columns(pl.col(column) + 1).write_parquet(file)
        with pytest.raises(ResultsError, match=words):
            kept.recount(games, answer, tables)
    table.with_columns(pl.lit(0.5).alias("won.1")).write_parquet(file)
    with pytest.raises(ResultsError, match=r"of won.1, .* is .* in them and .* in the answer"):
        kept.recount(games, answer, tables)
    table.with_columns(pl.lit("void").alias("reason")).write_parquet(file)
    with pytest.raises(ResultsError, match="of reason, "):
        kept.recount(games, answer, tables)
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(ResultsError, match="the kept games cannot be read"):
        kept.recount(games, answer, tables)
    file.unlink()
    with pytest.raises(ResultsError, match="holds 64 games without a gap"):
        kept.recount(games, answer, tables)
    for other in games.iterdir():
        other.unlink()
    with pytest.raises(ResultsError, match="holds 0 games without a gap"):
        kept.recount(games, answer, tables)


def test_a_metric_that_does_not_apply_has_no_number_in_kept_games(folder: Path) -> None:
    found = load(folder)
    rows = np.zeros(3, found.game.outcome)
    rows["winners"] = 1
    rows["ties"] = [results.ABSENT, 1, 0]
    assert results.game_table(found, 0, rows)["ties"].to_list() == [None, 1, 0]
