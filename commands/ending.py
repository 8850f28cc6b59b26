"""How the program ends: signals, exit codes, errors as the user should see them; nothing half-written stays behind."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any

UNDECIDED = 3
"""Exit code of what ran out of games or time before it was known as well as was asked for."""


class Signals:
    """SIGINT and SIGTERM: the first one ends what goes on, or waits once it is held; a second one ends at once.

    Either way nothing half-written stays behind.
    """

    def __init__(self) -> None:
        self.received: list[int] = []
        self.held = False

    @property
    def code(self) -> int:
        """The exit code that says which signal came, 0 if none did."""
        return 128 + self.received[0] if self.received else 0

    def listen(self) -> None:
        """Take both signals from now on."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._note)
        sys.unraisablehook = self._unraised

    def hold(self) -> list[int]:
        """Only collect from now on, so that what was played is printed and written; return what comes."""
        self.held = True
        return self.received

    def _note(self, number: int, frame: Any) -> None:
        self.received.append(number)
        if len(self.received) > 1:
            clean_up()
            os._exit(128 + number)
        if not self.held:
            raise KeyboardInterrupt

    def _unraised(self, fault: sys.UnraisableHookArgs) -> None:
        """Say nothing of a signal that came in a place that cannot raise, as of an import: it is noted."""
        if not isinstance(fault.exc_value, KeyboardInterrupt):
            sys.__unraisablehook__(fault)


SIGNALS = Signals()


def clean_up() -> None:
    """Leave nothing half-written, wherever the program was stopped."""
    if "simcore.rundir" in sys.modules:
        from simcore.rundir import RunDirectory

        for directory in list(RunDirectory.unfinished):
            directory.abandon()


def exit_code(app: Callable[..., Any]) -> int:
    """Run the command line; errors become one line and an exit code."""
    try:
        code = int(app(standalone_mode=False) or 0)
        if SIGNALS.held:
            return code or SIGNALS.code
        return SIGNALS.code or code  # to the option parser every signal is Ctrl-C
    except BaseException as error:
        if SIGNALS.code and not (SIGNALS.held and isinstance(error, Exception)):  # whatever an import made of it
            return SIGNALS.code
        if "--debug" in sys.argv:
            traceback.print_exc()
        if not isinstance(error, Exception):
            raise
        return _report(error)


def _report(error: Exception) -> int:
    """Print an error as the user should see it, and note it where a log is kept; return the exit code."""
    code, text = _told(error)
    print(text, file=sys.stderr)
    if "simcore.logs" in sys.modules:
        from simcore import logs

        logs.note("error", code=code, message=text)
    return code


def _told(error: Exception) -> tuple[int, str]:
    """Return the exit code of an error, and the words for it."""
    from simcore.errors import BalanceError

    if hasattr(error, "format_message"):  # the option parser's own: a wrong option, a missing argument
        text = error.format_message()
        bare = text.startswith("Usage:")  # the help, which a bare `balance` asks for
        return 2, text if bare else f"balance: {' '.join(text.split())} (balance --help tells more)"
    if isinstance(error, BalanceError):
        return error.exit_code, str(error)
    if "strategies" in sys.modules:
        import strategies

        blamed = strategies.blame(error)
        if blamed:
            return 2, str(blamed)
    what = f"balance: internal error: {type(error).__name__}: {error}".splitlines()[0]
    return 70, f"{what}\nThis is a bug. Run again with --debug and report what it prints."
