"""One game, move by move: played by the driver with an action log, then replayed and put into words by its game.

The replay opens the same streams and must end in the same outcome row; it asks no strategy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from simcore import errors
from simcore.contract import ABSENT, ACTION_LOG, UNFINISHED, Event, Names
from simcore.errors import BalanceError, GameError
from simcore.player import Player
from simcore.results import side_labels
from simcore.rng import derive, open_streams
from simcore.scenario import Scenario
from simcore.tally import Layout

SCHEMA = "balance.trace/1"
NO_ACTION = -1  # what the log holds behind the last action; a game's own codes are not negative


def play(scenario: Scenario, index: int, loader: Any, say: Callable[[str], None] = lambda text: None) -> dict[str, Any]:
    """Play game `index` of a scenario alone and return all that happened, as plain data (strict JSON).

    A game that could not go on is told up to the `fault`; `outcome` is None then, and `fault_of` gives the error.

    Parameters
    ----------
    loader : Loader
        Finds the game and its strategies by name.
    say : function of str
        Told when kernels are compiled for the first time.

    Raises
    ------
    BalanceError
        If the replay differs from the game: our bug.
    """
    player = Player(scenario.match, loader, say)
    actions, row, error = _record(player, index)
    replay = _Replay(scenario, index)
    with np.errstate(over="ignore"):
        start = replay.start()
        steps = [replay.step(int(action)) for action in actions]
        outcome = replay.outcome(row) if error is None else None
        fault = replay.fault(error) if error is not None else None
    return {
        "schema": SCHEMA,
        "scenario": scenario.name,
        "labels": {"scenario": scenario.label, "game": scenario.edition.label, "edition": scenario.edition.name},
        "seed": scenario.match.seed,
        "game": index,
        "deal": replay.deal,
        "rotation": replay.rotation,
        "players": replay.players(),
        "start": start,
        "steps": steps,
        "outcome": outcome,
        "fault": fault,
        "replay": _error(scenario, index, GameError, "", 0).replay,
        "command": scenario.command,
    }


def fault_of(told: dict[str, Any]) -> GameError | None:
    """Return the error that ended a told game early, with its replay line; None for a whole game."""
    fault = told["fault"]
    if fault is None:
        return None
    kind: type[GameError] = getattr(errors, fault["error"])
    return kind(fault["message"], told["command"], told["seed"], told["game"], fault["turn"])


def _error(scenario: Scenario, index: int, kind: type[GameError], message: str, turn: int) -> GameError:
    return kind(message, scenario.command, scenario.match.seed, index, turn)


def _record(player: Player, index: int) -> tuple[Any, Any, GameError | None]:
    """Return (actions, outcome row, error) of a game; a longer log is taken if the game needs it."""
    room = ACTION_LOG
    while True:
        log = np.full(room, NO_ACTION, np.int32)
        error = None
        row = None
        try:
            row = player.play_logged(index, log)
        except GameError as caught:
            error = caught
        if log[-1] == NO_ACTION:
            return log[: int(np.argmax(log == NO_ACTION))], row, error
        room *= 4


class _Replay:
    """The position of one game as its actions are carried out again, and the words for it."""

    def __init__(self, scenario: Scenario, index: int) -> None:
        self.scenario, self.index = scenario, index
        self.game, self.tools, match = scenario.game, scenario.game.tools, scenario.match
        self.deal, self.rotation = divmod(index, len(match.rotations))
        self.seated = match.rotations[self.rotation]
        entries = [scenario.entries[entry] for entry in self.seated]
        self.names = Names(
            tuple(entry.label for entry in entries), tuple(entry.options for entry in entries), scenario.edition.model
        )
        self.states = np.zeros(1, self.game.state).view(np.recarray)
        self.states["tab"][0] = match.tabs[self.rotation]
        self.state = self.states[0]
        self.actions = np.zeros(self.game.actions, np.int64)
        self.decisions = 0

    def players(self) -> list[dict[str, Any]]:
        """Return who sits where; `player` and `side` count as in the scenario, whatever the rotation."""
        side_of = {s: side for side, seats in enumerate(self.game.sides(len(self.seated))) for s in seats}
        listed = self.scenario.resolved["seats"]
        seated = [
            {"seat": seat + 1, "player": entry + 1, "side": side_of[entry] + 1}
            for seat, entry in enumerate(self.seated)
        ]
        return [place | {k: v for k, v in listed[place["player"] - 1].items() if k not in place} for place in seated]

    def start(self) -> dict[str, Any]:
        """Set the game up as the driver does; return the first events and position."""
        run_key = np.uint64(derive(np.uint64(self.scenario.match.seed), np.uint64(0)))
        open_streams(self.state.rng, np.uint64(derive(run_key, np.uint64(self.deal))))
        self.tools.setup(self.state)
        return self._told(None, NO_ACTION)

    def step(self, action: int) -> dict[str, Any]:
        """Carry out the next action; return what was asked, answered, and what came of it."""
        play = self.state.play
        offered = self.offered()
        if play.over or action not in offered:
            raise self._differs(f"action {action} is not among {offered}")
        self.decisions += len(offered) > 1
        step = {
            "round": int(play.rounds),
            "turn": int(play.turns),
            "seat": int(play.seat) + 1,
            "role": self.game.roles[play.role],
            "forced": len(offered) == 1,
            "offered": len(offered),
            "action": action,
            "text": self.game.describe_action(self.state, action, self.names),
        }
        before = self.states.copy()[0]
        self.tools.apply(self.state, action)
        return step | self._told(before, action)

    def offered(self) -> list[int]:
        """Return the actions that are legal now."""
        n = 0 if self.state.play.over else self.tools.legal(self.state, self.actions)
        return [int(action) for action in self.actions[:n]]

    def _told(self, before: Any, action: int) -> dict[str, Any]:
        events = self.game.describe_change(before, action, self.state, self.names)
        return {
            "events": [_plain(event) for event in events],
            "position": self.game.describe(self.state, self.names),
        }

    def outcome(self, row: Any) -> dict[str, Any]:
        """Return how the game ended; sides and seats of metrics are those of the listed players."""
        self._check(row)
        layout = Layout.of(self.game, self.scenario.match)
        values = dict(zip(layout.names, row.view(np.int32)[layout.columns[self.rotation]].tolist(), strict=True))
        shares = layout.share[self.rotation, values["winners"], : layout.n_sides]
        winners = [side for side in range(layout.n_sides) if shares[side]]
        reason = self.game.reasons(self.scenario.edition.model)[values["reason"]]
        metrics = {metric.name for metric in self.game.metrics}
        labels = side_labels(self.scenario)
        return {
            "winners": [side + 1 for side in winners],
            "labels": [labels[side] for side in winners],
            "nobody": self.game.nobody,
            "turns": values["turns"],
            "rounds": values["rounds"],
            "decisions": values["decisions"],
            "minutes": values["seconds"] / 60,
            "reason": reason,
            "unfinished": reason == UNFINISHED,
            "metrics": {
                name: None if value == ABSENT else value
                for name, value in values.items()
                if name.split(".")[0] in metrics
            },
        }

    def _check(self, row: Any) -> None:
        """Compare with the row of the driver, all but the seconds, which are no part of a game."""
        if not self.state.play.over:
            raise self._differs("it is not over")
        own = np.zeros(1, self.game.outcome).view(np.recarray)
        self.tools.score(self.state, own[0])
        own["decisions"] = self.decisions
        own["seconds"] = row["seconds"]
        for name in self.game.outcome.names or ():
            if not np.array_equal(own[name], row[name]):
                raise self._differs(f"{name}: {own[name].tolist()}, not {row[name].tolist()}")

    def _differs(self, how: str) -> BalanceError:
        return _error(self.scenario, self.index, GameError, f"the replay differs from the game: {how}", self._turn())

    def _turn(self) -> int:
        return int(self.state.play.turns)

    def fault(self, error: GameError) -> dict[str, Any]:
        """Return why the game could not go on, and what was offered to whom."""
        play = self.state.play
        return {
            "error": type(error).__name__,
            "message": error.message,
            "turn": error.turn,
            "round": int(play.rounds),
            "seat": int(play.seat) + 1,
            "role": self.game.roles[play.role],
            "offered": [
                {"action": action, "text": self.game.describe_action(self.state, action, self.names)}
                for action in self.offered()
            ],
        }


def _plain(event: Event) -> dict[str, Any]:
    return {
        "kind": event.kind,
        "tag": event.tag,
        "parts": list(event.parts),
        "round": event.rounds,
        "data": dict(event.data),
    }
