"""Rock, paper, scissors: one round, so that everything about it is known.

Source
    The folk game.
Seats and sides
    Two seats, each a side of its own; both choose at once.
State layout
    `state.py`.
Actions
    Rock, paper or scissors: codes in `state.py`.
Endings
    ``shown``: paper beats rock, scissors beat paper, rock beats scissors; equal hands share the win.
Rulings
    None.
Simplifications
    None.
Version history
    1: first version.
"""

from simcore.contract import Decision, Game, Rules

from . import components, kernel, rules, state, text

GAME = Game(
    name="rock-paper-scissors",
    version=1,
    seat_counts=(2,),
    roles=("player",),
    state=state.STATE,
    outcome=state.OUTCOME,
    chance=("nothing",),
    reasons=lambda edition: ("unfinished", "shown"),
    metrics=(),
    features=state.FEATURES,
    decisions=(Decision("hand", "player", "what to show"),),
    actions=3,
    components=components,
    rules=Rules(
        setup=rules.setup,
        legal=rules.legal,
        apply=rules.apply,
        score=rules.score,
        lead=rules.lead,
        hide=rules.hide,
        features=rules.features,
        play_block=kernel.play_block,
    ),
    sides=lambda n: ((0,), (1,)),
    rotations=lambda n: ((0, 1), (1, 0)),
    describe=text.describe,
    describe_action=text.describe_action,
    describe_change=text.describe_change,
    sort_of_action=text.sort_of_action,
)
