"""Every error a user can meet, with the exit code it ends the program with.

The message says where, what was found and what would be right; all problems of one input travel together.
"""

import difflib
import errno
import re
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

FEW_NAMES = 8
LONGEST_NAME = 60

_STEERING = re.compile("[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_LONG_WORD = re.compile(r"\S{300,}")


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with an input.

    `source` is a file name, or the option the text came from (`--set rules.hits_to_win`).
    `line` and `column` count from 1; None where they mean nothing.
    """

    source: str
    line: int | None
    column: int | None
    message: str

    def __str__(self) -> str:
        """Return `file:line:column: message`, on one line."""
        place = [str(number) for number in (self.line, self.column) if number is not None]
        return harmless(f"{':'.join([self.source, *place])}: {self.message}")


class BalanceError(Exception):
    """Base of all errors of this program; one without a better class is our own bug."""

    exit_code = 70

    def __str__(self) -> str:
        """Return the message, on one line."""
        return harmless(super().__str__())


class InputError(BalanceError):
    """The user's input is wrong; carries every problem found, and prints one a line."""

    exit_code = 2

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(list(problems))
        self.problems: list[Problem] = list(problems)

    def __str__(self) -> str:
        """Return one line for each problem."""
        return "\n".join(str(problem) for problem in self.problems)

    @classmethod
    def of(cls, source: str, message: str) -> "InputError":
        """Return the error for a single problem without a position."""
        return cls([Problem(source, None, None, message)])


class GameError(BalanceError):
    """A game could not go on; scenario, seed and game index are what it takes to replay it.

    `scenario` is how a command line names it, with its ``--set`` changes, quoted for a shell; `game` the game
    index, `turn` the turn it stopped in. All arguments are positional, so that the error survives the way back
    from a worker process.
    """

    exit_code = 70

    def __init__(self, message: str, scenario: str, seed: int, game: int, turn: int) -> None:
        super().__init__(message, scenario, seed, game, turn)
        self.message = message
        self.scenario = scenario
        self.seed = seed
        self.game = game
        self.turn = turn

    @property
    def replay(self) -> str:
        """The command that plays this game again, alone."""
        return f"balance trace {self.scenario} --seed {self.seed} --game {self.game}"

    def __str__(self) -> str:
        """Return what happened, where, and the replay line."""
        place = f"{self.scenario}, seed {self.seed}, game {self.game}, turn {self.turn}"
        return f"{self.message} ({place})\nreplay: {self.replay}"


class IllegalActionError(GameError):
    """A strategy answered with an action that was not offered."""


class StuckGameError(GameError):
    """Nothing is legal and the game is not over, or it goes on for ever."""


class ResultsError(BalanceError):
    """A run folder is missing, incomplete, or belongs to another run."""

    exit_code = 2


class MachineError(BalanceError):
    """The machine failed us: disk full, workers lost. Finished blocks are kept."""

    exit_code = 4


def harmless(text: str) -> str:
    """Return a text without what would steer a terminal, and with its longest words cut: it may echo anything."""
    text = _STEERING.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    return _LONG_WORD.sub(lambda found: f"{found[0][:LONGEST_NAME]}…", text)


def kind_of(path: Path) -> str:
    """Return "file", "folder", "other" (a pipe, a device), or "" if there is nothing, or can be nothing, of that name.

    Raises
    ------
    InputError
        If one may not look.
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return ""
    except OSError as error:
        if error.errno in (errno.ENAMETOOLONG, errno.ELOOP):
            return ""
        raise InputError.of(shown(path), f"cannot be read: {error.strerror}") from None
    return "file" if stat.S_ISREG(mode) else "folder" if stat.S_ISDIR(mode) else "other"


def shown(file: Path | str) -> str:
    """Return a path as people see it: from the working directory if it lies below, else as it stands."""
    path = Path(file)
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def suggest(word: str, known: Iterable[str]) -> str:
    """Return an ending for a message about an unknown `word`.

    For example `; did you mean "rusher"? (known: cautious, rusher)`: the guess where one of the `known`
    names is close, the list where it is short, and "" where neither helps.
    """
    names = list(dict.fromkeys(known))
    guess = closest(word, names)
    listed = f"known: {', '.join(names)}" if 0 < len(names) <= FEW_NAMES else ""
    if guess:
        return f'; did you mean "{guess}"?' + (f" ({listed})" if listed else "")
    return f"; {listed}" if listed else ""


def closest(word: str, known: Iterable[str]) -> str:
    """Return the one of the `known` names that `word` is probably meant to be, "" if none is close."""
    folded = {name.casefold(): name for name in known}
    # difflib takes quadratic time, so a pasted page of text gets no guess
    close = difflib.get_close_matches(word.casefold(), folded, n=1) if len(word) <= LONGEST_NAME else []
    return folded[close[0]] if close else ""
