"""The commands of `balance`: parse, call, print. No statistics and no rules; everything heavy is imported late.

===========  ======================================================================
app          all commands together, as `cli` runs them
arguments    options that several commands have, and how groups of them are added
ending       signals, exit codes, how errors are printed, cleaning up
finding      scenarios by name or file, with what options change in them
playing      who plays, how long, and how it went so far
printing     answers in their formats, and in the directory of an analysis
screen       what the terminal can show, and words beside the answer
facts        list, show, validate, init, schema, new-game
plays        odds, run, report, trace, explain
changes      compare, sweep, sensitivity, components: what changes when something changes
players      matrix, ladder, tune: what changes with who plays
checks       check, baseline record, baseline update, baseline diff
===========  ======================================================================
"""
