"""Grimoire Shuffle. Two teams race through a library of rooms that turn; leaders hand out the moves.

Source
    The rulebook; component data in ``editions/``, where each value says where it comes from.
Seats and sides
    Four or six seats; even ones are the red team, odd ones the blue team. Each team is a side.
State layout
    `state.py`. Sets of spaces are two words; `board.py` turns the visible cards into ways that are open.
Actions
    Distribute a stack of books, go somewhere, flip, turn or cover a room, put back a pawn, choose a pawn, keep a book:
    codes in `state.py`.
Endings
    ``trophies`` (one team is complete at the end of a round), ``sudden elimination`` (the first trophy after both were)
    or the round cap (unfinished).
Rulings
    A1 to L4, in docs/games.md with the values that are switches.
Simplifications
    Who knew a book that somebody drew for a trophy forgets it, kept or not.
Version history
    1: first version.
"""

from simcore.contract import Decision, Game, Rules
from simcore.games.grimoire_shuffle import answers, components, features, hidden, kernel, outcome, rules, state, text

GAME = Game(
    name="grimoire-shuffle",
    version=1,
    seat_counts=(4, 6),
    roles=state.ROLES,
    state=state.STATE,
    outcome=state.OUTCOME,
    chance=state.CHANCE,
    reasons=lambda edition: state.REASONS,
    metrics=state.METRICS,
    features=features.FEATURES,
    decisions=(
        Decision(
            "distribute", "leader", "which book goes to the other leader, to each teammate, and stays on the badge"
        ),
        Decision("move", "walker", "where a movement step ends: a move, a straight line, a wall passed"),
        Decision("flip", "walker", "which room to flip, and which way round to lay it down"),
        Decision("arrange", "walker", "where in a flipped room to put back a pawn, one at a time"),
        Decision("rotate", "walker", "which room to turn"),
        Decision("place", "walker", "which room to lay a special room on"),
        Decision("clear", "walker", "which special room to take off the board, by a leader effect"),
        Decision("pawn", "walker", "whom to change places with or to teleport"),
        Decision("teleport", "walker", "where to be teleported, or to teleport another"),
        Decision("trophy", "walker", "which of two books drawn for a trophy to keep"),
    ),
    actions=state.ACTIONS,
    components=components,
    rules=Rules(
        setup=rules.setup,
        legal=answers.legal,
        apply=rules.apply,
        score=outcome.score,
        lead=outcome.lead,
        hide=hidden.hide,
        features=features.features,
        play_block=kernel.play_block,
    ),
    sides=lambda n: tuple(tuple(range(team, n, state.TEAMS)) for team in range(state.TEAMS)),
    rotations=lambda n: tuple(tuple((seat + step) % n for seat in range(n)) for step in range(n)),
    describe=text.describe,
    describe_action=text.describe_action,
    describe_change=text.describe_change,
    sort_of_action=text.sort_of_action,
    capacities={
        "rooms": state.ROOMS,
        "spaces a room": state.CELLS,
        "spaces of the board": state.SPACES,
        "special rooms": state.SPECIALS,
        "grimoires": state.BOOKS,
        "steps a grimoire": state.STEPS,
        "steps that a leader effect adds": state.EXTRAS,
    },
    exposed=components.exposed,
    in_seat_order=False,
)
