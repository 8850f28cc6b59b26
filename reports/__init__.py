"""What people and other programs see of a run: terminal, JSON, CSV, Markdown, figures and one HTML page.

`model`, with `text` and `lengths`, decides every word and every rounding; the others lay out what it returns.
Nothing here plays a game or computes a statistic.

    text       names, shares, counts and commands as text
    lengths    how long games last
    model      summary and tables -> `Report`: names, shares, intervals, sentences
    difference a comparison -> `Difference`: the same for what a change changes
    terminal   80 columns of text, with or without colour, with or without Unicode
    machine    JSON, CSV, Markdown
    story      a traced game, move by move, for a terminal
    charts     one function per figure, the house style, PNG and SVG (matplotlib, imported late)
    html       one self-contained page (jinja2, imported late) and the figures of a run directory
    page       what is told of several runs: words, tables and figures
    analysis   a page in every one of these formats
    compared, swept, sensitive, matrixed   the pages of `compare`, `sweep`, `sensitivity`, `matrix`
    weighed, explained, laddered, tuned    the pages of `components`, `explain`, `ladder`, `tune`
    checked    `check` in words: a line each, and a page
    builds     `check` for builds: Markdown, JUnit XML, annotations
    pytest_plugin   each check as a test of pytest
"""
