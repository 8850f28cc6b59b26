"""Engine of the balance analyser: plays games, counts them, judges the counts.

Layers, imports point down only::

    cli        composition root: all commands, how the program begins and ends
    commands   options, what each command does
    reports    results -> tables, charts, pages
    strategies what seats decide; the lookup of names
    simcore    rules, driver, random streams, statistics, results

Inside ``simcore``, again downwards::

    sweep, sensitivity, matrix              many runs: a grid of values; one step of every number; every pairing
    components, exposure                    what each component is worth
    explain, ladder, course                 games worth a look; levels of skill; how games go
    tune, race                              a search over weights; who cannot win any more stops
    verdicts, cases, checks                 `balance check`: its answer; a scenario and its baseline; one number judged
    targets, baseline, measures             which scenarios; recorded numbers as files; what can be recorded and checked
    comparison                              the difference of two matches on the same deals
    ingredients                             what games are made of, by path, and what has changed
    rundir, kept                            run directories and what they go on from; one row a game
    results, catalogue, rehearsal, trace    what a run writes; what there is; custom code tried out; one game told
    blocks, tally, pairs                    fan-out over threads or processes; exact streaming counts
    player                                  the only place where kernels, strategies and memory meet
    scenario, edition, provenance, allowed  from files to a checked `match`, and what may stand in them
    expect                                  what a scenario expects
    source, yaml*                           strict YAML with places, and changes from the command line
    contract                                what a game and a strategy are
    driver, rng, masks, jit                 compiled code: the game loop, random streams, bit sets, options of numba
    errors, streams, frames, stats/*        messages and exit codes; standard output; the library of tables; intervals

``games/<game>`` stands beside them and is only ever reached by name.

Shape letters used in docstrings: ``G`` games of a block, ``S`` seats, ``R`` roles, ``A`` action slots,
``P`` parameters of a strategy, ``F`` features, ``C`` columns of an outcome row.
"""
