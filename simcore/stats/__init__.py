"""Statistics of the answers: pure functions of exact sums, one method a file, `math` only.

``sequence``  share of games won, anytime-valid; ``bounded``  the same for any bounded value, narrower where
the values vary little; ``mean``  durations and other unbounded counts, asymptotic; ``shift``  how far a mean
moved between two samples; ``clusters``  the deal in all its rotations as the unit; ``wilson``  fixed number of
games; ``looks``  where a run may stop; ``simultaneous``  naming a leader; ``discoveries``  which effects to
name; ``percentiles``  exact summaries of histograms. ``roots`` and ``likelihood`` hold the solver and the
likelihood ratios they share.

Everywhere: shares in [0, 1], confidence in (0, 1), `alpha` = 1 - confidence. Arguments are trusted, nothing
raises.
"""
