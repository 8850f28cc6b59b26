"""The command ``balance``: how it begins and ends."""

from __future__ import annotations

try:
    import atexit
    import gc
    import os
    import sys
    import warnings
    from contextlib import suppress

    from commands import ending
    from commands.app import app
    from commands.screen import say
except KeyboardInterrupt:  # there is nothing yet that a traceback could tell
    raise SystemExit(130) from None

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line; errors become one line and an exit code."""
    try:
        code = _run()
    except KeyboardInterrupt:  # before the first command, or behind the last
        code = ending.SIGNALS.code or 130
    os._exit(code)  # the interpreter's own end takes 0.4 s once kernels are loaded


def _run() -> int:
    gc.set_threshold(100_000, 20, 20)  # importing makes many objects and next to no garbage
    ending.SIGNALS.listen()
    if not sys.warnoptions and "--debug" not in sys.argv:
        warnings.simplefilter("ignore")  # of libraries, to their users; what concerns ours is said by us
    from simcore.streams import aside, open_streams

    output = open_streams("json" if "--json" in sys.argv else "replace")
    code = ending.exit_code(app)
    ending.clean_up()
    output.flush()
    if isinstance(output.fault, BrokenPipeError):
        code = code or 1
    elif output.fault:
        say(f"standard output: {output.fault.strerror}")
        code = 4
    with suppress(BaseException), aside():
        atexit._run_exitfuncs()
    with suppress(OSError):
        sys.stderr.flush()
    return code


if __name__ == "__main__":
    main()
