"""Dice race. Two to four runners, one die, and the question how long to push one's luck.

Source
    Made up as an example of a game of one's own; a relative of the folk game Pig.
Seats and sides
    Two to four seats, each a side of its own. Seats take turns, so that the first has an advantage.
State layout
    `state.py`. Points are safe; the pot is what this turn has brought so far.
Actions
    Roll the die, or stop and keep the pot: codes in `state.py`. The first roll of a turn is forced.
Endings
    ``goal`` (whoever has the points at once wins) or the round cap (unfinished).
Rulings
    A runner who reaches the goal in the middle of a turn has won; it is not necessary to stop.
Simplifications
    None.
Version history
    1: first version.
"""

from simcore.contract import Decision, Game, Rules

from . import components, features, hidden, kernel, rules, state, text

GAME = Game(
    name="dice-race",
    version=1,
    seat_counts=(2, 3, 4),
    roles=("runner",),
    state=state.STATE,
    outcome=state.OUTCOME,
    chance=state.CHANCE,
    reasons=lambda edition: state.REASONS,
    metrics=state.METRICS,
    features=features.FEATURES,
    decisions=(Decision("luck", "runner", "roll again, or stop and keep the pot"),),
    actions=state.ACTIONS,
    components=components,
    rules=Rules(
        setup=rules.setup,
        legal=rules.legal,
        apply=rules.apply,
        score=rules.score,
        lead=rules.lead,
        hide=hidden.hide,
        features=features.features,
        play_block=kernel.play_block,
    ),
    sides=lambda n: tuple((seat,) for seat in range(n)),
    rotations=lambda n: tuple(tuple((seat + shift) % n for seat in range(n)) for shift in range(n)),
    describe=text.describe,
    describe_action=text.describe_action,
    describe_change=text.describe_change,
    sort_of_action=text.sort_of_action,
    capacities={"faces of the die": state.FACES, "runners": state.RUNNERS},
)
