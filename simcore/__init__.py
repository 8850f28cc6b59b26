"""Engine of the balance analyser: plays games, counts them, judges the counts.

Layers, imports point down only::

    cli        composition root
    reports    results -> tables, charts, pages
    strategies what seats decide; the lookup of names
    simcore    rules, driver, random streams, statistics, results

Inside ``simcore``: ``blocks``, ``trace`` -> ``plan`` -> ``scenario``, ``edition`` -> ``contract`` -> ``driver``,
``rng`` -> ``jit``; ``games/<game>`` stands beside them and is only ever reached by name.

Shape letters used in docstrings: ``G`` games of a block, ``S`` seats, ``R`` roles, ``A`` action slots,
``P`` parameters of a strategy, ``F`` features, ``C`` columns of an outcome row.
"""
