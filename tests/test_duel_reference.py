"""The plain readings of the duel agree with the rulebook (RB), the numbered rulings and each other."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
import pytest

from reference import duel, rng
from reference.duel import DONE, RoundScript, View
from reference.duel_cards import (
    DECKS,
    DICE,
    RULES,
    Card,
    bluff,
    cancel,
    card,
    drop_card,
    lose_blank,
    reroll,
    restore,
    turn_blank,
)
from reference.duel_dice_chain import Solution, solve, spread

FACES = {kind["id"]: kind["faces"] for kind in DICE}
NO_CARDS: list[list[Card]] = [[], []]
NO_REROLL: list[int] = []
Answer = tuple[str, int]  # kind of choice, action


def dice(**start: int) -> list[dict[str, Any]]:
    """Return kinds of dice with these numbers at the start, in the order given."""
    return [{"id": colour, "start": number, "faces": FACES[colour]} for colour, number in start.items()]


class Player:
    """Gives the written answers in order, and keeps what was offered and seen."""

    def __init__(self, first: Sequence[Answer] = (), second: Sequence[Answer] = ()) -> None:
        self.left = [list(first), list(second)]
        self.offers: list[tuple[int, str, list[int]]] = []
        self.views: list[View] = []

    def __call__(self, seat: int, kind: str, actions: Sequence[int], view: View) -> int:
        """Give the seat's next answer, which must be to this kind of question."""
        self.offers.append((seat, kind, list(actions)))
        self.views.append(view)
        assert self.left[seat], f"seat {seat} was asked for {kind} out of {actions}"
        expected, answer = self.left[seat].pop(0)
        assert kind == expected
        return answer


def fight(
    decks: Sequence[Sequence[Card]],
    kinds: Sequence[dict[str, Any]],
    script: Sequence[RoundScript],
    player: Player | None = None,
    **rules: int,
) -> duel.Result:
    """Play a script to its last round; every answer and every scripted face must be used."""
    player = player or Player()
    result = duel.play_script(decks, kinds, {**RULES, "round_cap": len(script), **rules}, script, player)
    assert player.left == [[], []]
    return result


# ---------------------------------------------------------------- random numbers


def test_the_generator_gives_the_published_splitmix64_outputs() -> None:
    rng.self_check()
    assert rng.splitmix64(rng.VECTOR_SEED, 5) == rng.VECTORS


def test_keys_are_outputs_of_outputs() -> None:
    run = rng.splitmix64(11, 1)[0]
    deal = rng.splitmix64(run, 8)[7]
    stream = rng.Stream(11, 7, 3)
    assert stream.key == rng.splitmix64(deal, 4)[3]
    stream.rekey(2)
    assert stream.key == rng.splitmix64(rng.splitmix64(deal, 4)[3], 3)[2]


def test_bounded_draws_accept_the_same_number_of_words_for_each_result() -> None:
    # The same rule on 8-bit words, where all of them can be counted.
    for bound in range(1, 257):
        results = [rng.lemire(word, bound, bits=8) for word in range(256)]
        counts = [results.count(value) for value in range(bound)]
        assert counts == [256 // bound] * bound
        assert results.count(None) == 256 % bound


def test_a_redraw_leaves_the_next_position_where_it_was() -> None:
    bound = 3 << 30  # a quarter of all words is redrawn
    stream = rng.Stream(5, 0, 4)
    words = [[rng.derive(stream.key, k + (j << 32)) >> 32 for j in range(40)] for k in range(64)]
    redrawn = 0
    for index, candidates in enumerate(words):
        accepted = [rng.lemire(word, bound) for word in candidates]
        redrawn += accepted[0] is None
        assert stream.position == index
        assert stream.below(bound) == next(value for value in accepted if value is not None)
    assert redrawn > 0


def test_a_roll_takes_the_draw_of_its_slot_and_a_reroll_the_draws_from_twelve_on() -> None:
    source = duel.StreamDice(3, 9)
    stream = rng.Stream(3, 9, 3)
    stream.rekey(4)
    draws = [stream.below(1000) for _ in range(14)]
    mine = [duel.Die(slot, "grey", tuple(range(1000))) for slot in range(6)]
    source.begin(4)
    source.roll(1, [mine[1], mine[5]])
    assert [mine[1].swords, mine[5].swords] == [draws[1], draws[5]]
    source.again(1, mine[0])
    source.again(1, mine[5])
    assert [mine[0].swords, mine[5].swords] == [draws[12], draws[13]]


# ---------------------------------------------------------------- RB "Example of Play"

# Origin: RB "Example of Play" for cards, totals, chosen dice and results; single faces are fitted to its
# totals. Slots: red 0 and 1, orange 2 and 3, yellow 4 and 5. Seat 0 is Inigo, seat 1 the Man in Black.
EXAMPLE = [
    RoundScript(roll=([1, 0, 2, 1, 0, 0], [1, 0, 1, 0, 1, 0]), again=([1, 1], [])),
    RoundScript(roll=([1, 0, 1, 0, 0], [2, 0, 1, 1, 1, 1])),
    RoundScript(roll=([2, 0, 1, 0, 0], [1, 2, 1, 1]), again=([2, 1, 0, 1], [])),
]
THIBAULT, LEAP, BONETTI = 3, 1, 2
CAPO_FERRO, BLUFF, AGRIPPA = 4, 9, 7
EXAMPLE_INIGO: list[Answer] = [
    ("card", THIBAULT),
    ("reroll", 4),
    ("hit-discard", 4),
    ("card", LEAP),
    ("card", BONETTI),
    ("reroll", 1),
    ("reroll", 2),
    ("reroll", 3),
    ("reroll", 5),
    ("reroll", DONE),
    ("hit-discard", 2),
]
EXAMPLE_MAN_IN_BLACK: list[Answer] = [
    ("card", CAPO_FERRO),
    ("reroll", 2),
    ("card", BLUFF),
    ("hit-discard", 4),
    ("card", AGRIPPA),
    ("restore", 1),
]


@pytest.fixture(scope="module")
def example() -> duel.Result:
    player = Player(EXAMPLE_INIGO, EXAMPLE_MAN_IN_BLACK)
    return fight([DECKS["inigo"], DECKS["man-in-black"]], DICE, EXAMPLE, player)


def test_the_example_plays_its_cards_and_reaches_its_totals(example: duel.Result) -> None:
    assert [tuple(map(sum, record.rolled)) for record in example.history] == [(4, 3), (2, 6), (3, 5)]
    assert [record.cards for record in example.history] == [
        ("thibault-defense", "capo-ferro-attack"),
        ("leap", "bluff"),
        ("bonetti-defense", "agrippa"),
    ]
    assert [record.swords for record in example.history] == [(4, 3), (2, 6), (6, 5)]


def test_the_example_scores_its_hits(example: duel.Result) -> None:
    assert [record.scorer for record in example.history] == [0, 1, 0]
    assert [record.health for record in example.history] == [(5, 4), (4, 4), (4, 3)]
    assert (example.hits, example.winner, example.reason) == ((2, 1), None, "round-cap")


def test_the_example_moves_its_dice(example: duel.Result) -> None:
    assert [record.lost for record in example.history] == [[(0, 4)], [(1, 1), (1, 4)], [(0, 2)]]
    assert [record.restored for record in example.history] == [[], [], [(1, 1)]]
    colours = [die.colour for die in duel.own_dice(DICE)]
    active = [[colours[slot] for slot in slots] for slots in example.history[-1].active]
    assert active[0] == ["red", "red", "orange", "yellow"]
    assert active[1] == ["red", "red", "orange", "orange", "yellow"]
    assert [[colours[slot] for slot in slots] for slots in example.history[-1].discarded] == [
        ["orange", "yellow"],
        ["yellow"],
    ]


def test_the_example_keeps_its_hands(example: duel.Result) -> None:
    assert [len(hand) for hand in example.history[-1].hands] == [7, 8]
    assert BLUFF in example.history[-1].hands[1]


def test_the_example_counts_only_real_choices(example: duel.Result) -> None:
    # Leap met one blank red die, so its owner had no choice to make (RB: it is the only one with a blank).
    assert example.decisions == len(EXAMPLE_INIGO) + len(EXAMPLE_MAN_IN_BLACK)
    assert all(len(entry.actions) > 1 for entry in example.log)
    assert not any(entry.kind == "discard" for entry in example.log)


# ---------------------------------------------------------------- end positions

ONE_YELLOW = dice(yellow=1)
HIT = (RoundScript(roll=([1], [0])), RoundScript(roll=([0], [1])))


@pytest.mark.parametrize("scorer", [0, 1])
def test_a_hit_on_the_last_health_wins_for_the_hitter(scorer: int) -> None:
    # Both have one health left when the last round begins.
    script = [HIT[0], HIT[1], HIT[scorer]]
    result = fight(NO_CARDS, ONE_YELLOW, script, hits_to_win=2)
    assert [record.health for record in result.history[:2]] == [(2, 1), (1, 1)]
    assert result.winner == scorer
    assert result.hits == ((2, 1) if scorer == 0 else (1, 2))
    assert result.history[-1].health == ((1, 0) if scorer == 0 else (0, 1))
    assert (result.reason, result.rounds) == ("hits", 3)


@pytest.mark.parametrize("scorer", [0, 1])
def test_the_game_ends_with_the_fifth_hit_and_not_before(scorer: int) -> None:
    # RB "Game End"; one hit of the other player in between does not count.
    script = [HIT[scorer]] * 3 + [HIT[1 - scorer]] + [HIT[scorer]] * 2
    result = fight(NO_CARDS, ONE_YELLOW, script)
    assert (result.winner, result.rounds) == (scorer, 6)
    assert fight(NO_CARDS, ONE_YELLOW, script[:-1]).winner is None


def test_a_tie_on_the_last_health_wins_for_nobody() -> None:
    script = [HIT[0], HIT[1], RoundScript(roll=([1], [1]))]
    result = fight(NO_CARDS, ONE_YELLOW, script, hits_to_win=2)
    assert (result.winner, result.reason, result.hits) == (None, "round-cap", (1, 1))


def test_the_winning_hit_costs_no_die() -> None:
    result = fight(NO_CARDS, dice(yellow=2), [RoundScript(roll=([1, 1], [0, 0]))], hits_to_win=1)
    assert result.dice_left == (2, 2)


# ---------------------------------------------------------------- cards: rulings 3 to 5, 14


def test_ruling_3_a_bluff_does_nothing_and_comes_back() -> None:
    script = [RoundScript(roll=([1], [0]))] * 2
    result = fight([[bluff()], [card("Parry", 1, cancel())]], ONE_YELLOW, script)
    assert [record.cards for record in result.history] == [("bluff", "parry"), ("bluff", None)]
    assert [record.swords for record in result.history] == [(1, 0), (1, 0)]
    assert result.history[-1].hands == ((0,), ())


def test_ruling_4_a_bluff_may_be_played_with_other_cards_in_hand_again_and_again() -> None:
    deck = [card("Vow", 8, restore()), bluff()]
    player = Player([("card", 1), ("card", 1)], [])
    fight([deck, []], ONE_YELLOW, [RoundScript(roll=([1], [1]))] * 2, player)
    assert player.offers == [(0, "card", [0, 1])] * 2


def test_ruling_5_with_only_the_bluff_left_there_is_nothing_to_decide() -> None:
    result = fight([[bluff()], [bluff()]], ONE_YELLOW, [RoundScript(roll=([1], [0]))] * 2)
    assert result.decisions == 0


def test_a_deck_without_a_bluff_runs_out_and_play_goes_on() -> None:
    decks = [[card("Vow", 8, restore())], [card("Agrippa", 8, restore())]]
    result = fight(decks, ONE_YELLOW, [RoundScript(roll=([0], [0]))] * 3)
    assert [record.cards for record in result.history] == [("vow", "agrippa"), (None, None), (None, None)]


@pytest.mark.parametrize(
    "effect",
    [lose_blank(), reroll("opponent", 1, faces=["two"]), reroll("own", 1, colours=["red"]), restore()],
    ids=["discard", "reroll-face", "reroll-colour", "restore"],
)
def test_ruling_14_a_card_without_a_target_is_spent_for_nothing(effect: dict[str, Any]) -> None:
    script = [RoundScript(roll=([1, 1], [1, 1]))]
    result = fight([[card("Leap", 2, effect)], []], dice(yellow=2), script, tie_discard=0)
    assert result.history[0].hands == ((), ())
    assert result.history[0].swords == (2, 2)
    assert result.dice_left == (2, 2)


# ---------------------------------------------------------------- order of cards: rulings 6 to 8


@pytest.mark.parametrize(("turn_rank", "again", "swords"), [(1, [], 1), (2, [2], 2)])
def test_the_lower_rank_resolves_first(turn_rank: int, again: list[int], swords: int) -> None:
    # RB "Playing Move Cards". Turned first, the die is no blank to reroll; rerolled first, no blank to turn.
    turn = card("Turn", turn_rank, turn_blank())
    other = card("Again", 3 - turn_rank, reroll("opponent", 1, faces=["blank"]))
    player = Player([], [("reroll", 0)] * len(again))
    script = [RoundScript(roll=([0], [0]), again=(again, []))]
    assert fight([[turn], [other]], dice(orange=1), script, player).history[0].swords == (swords, 0)


@pytest.mark.parametrize("turner", [0, 1])
def test_ruling_6_equal_ranks_pick_from_the_dice_as_they_were(turner: int) -> None:
    # Both see the blank: the reroll shows two swords, then the turn makes it one.
    turn = card("Turn", 3, turn_blank())
    other = card("Again", 3, reroll("opponent", 1, faces=["blank"]))
    asked: list[Answer] = [("reroll", 0)]
    if turner == 0:
        decks, again, player = [[turn], [other]], ([2], NO_REROLL), Player([], asked)
    else:
        decks, again, player = [[other], [turn]], (NO_REROLL, [2]), Player(asked, [])
    script = [RoundScript(roll=([0], [0]), again=again)]
    result = fight(decks, dice(orange=1), script, player)
    assert result.history[0].swords[turner] == 1
    assert result.hits[turner] == 1


def test_ruling_6_equal_ranks_both_lose_their_blank() -> None:
    # One after the other would give the same here; picking first must not let either escape.
    leap = card("Leap", 2, lose_blank())
    script = [RoundScript(roll=([1, 1, 0], [1, 0, 0]))]
    player = Player([("hit-discard", 0)], [("discard", 2)])
    result = fight([[leap], [leap]], dice(yellow=3), script, player)
    assert result.history[0].lost == [(1, 2), (0, 2), (0, 0)]


@pytest.mark.parametrize("leaper", [0, 1])
def test_ruling_6_a_die_lost_at_the_same_rank_cannot_be_returned_yet(leaper: int) -> None:
    decks = [[card("Leap", 2, lose_blank())], [card("Guard", 2, restore(roll_now=True))]]
    script = [RoundScript(roll=([1, 0], [1, 0]))]
    result = fight(decks if leaper == 0 else decks[::-1], dice(yellow=2), script)
    assert result.history[0].lost[0] == (1 - leaper, 1)
    assert result.history[0].restored == []


def test_ruling_7_a_die_rerolled_by_both_keeps_the_second_roll() -> None:
    decks = [[card("Own", 3, reroll("own", 1))], [card("Other", 3, reroll("opponent", 1))]]
    player = Player([("reroll", 0)], [("reroll", 0)])
    result = fight(decks, dice(red=1), [RoundScript(roll=([0], [0]), again=([2, 1], []))], player)
    assert result.history[0].swords == (1, 0)


def test_ruling_8_a_die_both_discarded_and_rerolled_is_discarded() -> None:
    decks = [[card("Own", 3, reroll("own", 1, faces=["blank"]))], [card("Leap", 3, lose_blank())]]
    script = [RoundScript(roll=([1, 0], [1, 0]))]  # no reroll in the script: none may be asked for
    result = fight(decks, dice(yellow=2), script, Player([("reroll", 1)]))
    assert result.history[0].lost[0] == (0, 1)


def test_the_effects_of_one_card_follow_each_other() -> None:
    both = card("Both", 3, turn_blank(), reroll("own", 1, faces=["blank"]))
    script = [RoundScript(roll=([0], [0]))]  # the second effect finds no blank any more
    assert fight([[both], []], ONE_YELLOW, script).history[0].swords == (1, 0)


# ---------------------------------------------------------------- after the round: rulings 9 to 12, 24, 25


def test_rulings_9_and_12_rank_8_acts_after_the_discard_and_may_return_that_die() -> None:
    script = [RoundScript(roll=([1, 1], [0, 0]))]
    result = fight([[card("Vow", 8, restore())], []], dice(yellow=2), script, Player([("hit-discard", 1)]))
    assert result.history[0].lost == [(0, 1)]
    assert result.history[0].restored == [(0, 1)]
    assert result.dice_left == (2, 2)


def test_ruling_10_rank_8_is_skipped_once_the_game_is_over() -> None:
    decks = [[card("Leap", 2, lose_blank())], [card("Vow", 8, restore())]]
    result = fight(decks, dice(yellow=2), [RoundScript(roll=([1, 1], [0, 1]))], hits_to_win=1)
    assert result.winner == 0
    assert result.dice_left == (2, 1)


def test_ruling_11_two_cards_of_rank_8_return_each_their_own_die() -> None:
    decks = [[card("Vow", 8, restore())], [card("Agrippa", 8, restore())]]
    player = Player([("tie-discard", 0)], [("tie-discard", 1)])
    result = fight(decks, dice(yellow=2), [RoundScript(roll=([0, 0], [0, 0]))], player)
    assert result.history[0].restored == [(0, 0), (1, 1)]


def test_ruling_24_swords_are_counted_before_rank_8() -> None:
    again = card("Late", 8, reroll("own", 1))
    script = [RoundScript(roll=([0], [1]), again=([1], []))]
    result = fight([[again], []], ONE_YELLOW, script, Player([("reroll", 0)]))
    assert (result.history[0].swords, result.hits) == ((0, 1), (0, 1))


def test_ruling_25_a_returned_die_is_blank_until_the_next_roll() -> None:
    deck = [card("Guard", 7, restore()), bluff()]
    player = Player([("card", 1), ("hit-discard", 0), ("card", 0)])
    script = [
        RoundScript(roll=([1, 1], [0, 0])),
        RoundScript(roll=([1], [1, 0])),
        RoundScript(roll=([1], [0])),
    ]
    result = fight([deck, []], dice(yellow=2), script, player)
    # Round 2: die 0 comes back showing its old sword no more, so it neither counts nor may be discarded.
    assert result.history[1].restored == [(0, 0)]
    assert result.history[1].swords == (1, 1)
    assert result.history[1].lost == [(0, 1), (1, 0)]
    # Round 3: it is rolled like any other.
    assert (result.history[2].active[0], result.history[2].swords) == ((0,), (1, 0))


def test_ruling_25_a_die_returned_and_rolled_at_once_counts() -> None:
    deck = [card("Guard", 7, restore(["yellow"], roll_now=True)), bluff()]
    player = Player([("card", 1), ("hit-discard", 0), ("card", 0), ("hit-discard", 0)])
    script = [
        RoundScript(roll=([1, 1], [0, 0])),
        RoundScript(roll=([1], [1, 0]), again=([1], [])),
    ]
    result = fight([deck, []], dice(yellow=2), script, player)
    assert result.history[1].swords == (2, 1)


# ---------------------------------------------------------------- who picks: rulings 13, 15, 16


def test_ruling_13_the_owner_picks_which_blank_to_discard() -> None:
    player = Player([], [("discard", 2)])
    script = [RoundScript(roll=([1, 1, 1], [1, 0, 0]))]
    decks = [[card("Leap", 2, lose_blank())], []]
    result = fight(decks, dice(yellow=3), script, player, hit_discard=0)
    assert player.offers == [(1, "discard", [1, 2])]
    assert player.views[0].owner == 1
    assert result.history[0].lost == [(1, 2)]


def test_ruling_15_the_card_player_picks_the_opponents_reroll_and_the_owner_rolls() -> None:
    player = Player([("reroll", 1)])
    script = [RoundScript(roll=([0, 0], [1, 1]), again=([], [0]))]
    result = fight([[card("Riposte", 5, reroll("opponent", 1))], []], dice(yellow=2), script, player)
    assert player.offers == [(0, "reroll", [0, 1, DONE])]
    assert player.views[0].owner == 1
    assert result.history[0].swords == (0, 1)


def test_ruling_16_rerolls_may_stop_early_and_are_rolled_in_slot_order() -> None:
    player = Player([("reroll", 2), ("reroll", 0), ("reroll", DONE)])
    script = [RoundScript(roll=([0, 0, 0], [1, 1, 1]), again=([2, 1], []))]
    kinds = dice(red=1, orange=1, yellow=1)
    result = fight([[card("Chase", 4, reroll("own", 3))], []], kinds, script, player, tie_discard=0)
    assert player.offers == [
        (0, "reroll", [0, 1, 2, DONE]),
        (0, "reroll", [0, 1, DONE]),
        (0, "reroll", [1, DONE]),
    ]
    # Slot 0 got the first value: two swords exist on the red die, not on the yellow one.
    assert result.history[0].swords == (3, 3)


def test_ruling_16_a_reroll_may_be_declined() -> None:
    script = [RoundScript(roll=([1], [0]))]
    deck = [card("Six Fingers", 4, reroll("own", "all"))]
    assert fight([deck, []], ONE_YELLOW, script, Player([("reroll", DONE)])).history[0].swords == (1, 0)


def test_a_die_without_the_face_is_not_turned() -> None:
    to_two = {**turn_blank(), "to": "two"}
    script = [RoundScript(roll=([0, 0], [1, 0]))]
    result = fight([[card("Turn", 7, to_two)], []], dice(red=1, yellow=1), script)
    assert result.history[0].swords == (2, 1)
    script = [RoundScript(roll=([0, 0], [1, 0]))]
    nothing = fight([[card("Turn", 7, to_two)], []], dice(yellow=2), script)
    assert nothing.history[0].swords == (0, 1)


def test_a_turn_is_forced_and_offers_every_blank() -> None:
    player = Player([("turn", 1)])
    script = [RoundScript(roll=([0, 0], [0, 0]))]
    result = fight([[card("Other Hand", 7, turn_blank())], []], dice(yellow=2), script, player)
    assert player.offers == [(0, "turn", [0, 1])]
    assert result.history[0].lost == [(0, 1)]


# ---------------------------------------------------------------- dice: rulings 17 to 23, 26, 28


def test_ruling_17_a_card_never_takes_the_last_die() -> None:
    script = [RoundScript(roll=([1], [0]))]
    result = fight([[card("Leap", 2, lose_blank())], []], ONE_YELLOW, script)
    assert result.dice_left == (1, 1)


def test_ruling_17_a_card_that_takes_two_dice_leaves_one() -> None:
    player = Player([], [("discard", 1)])
    script = [RoundScript(roll=([1, 1], [0, 0]))]
    decks = [[card("Leap", 2, {**lose_blank(), "count": 2})], []]
    result = fight(decks, dice(yellow=2), script, player, hit_discard=0)
    assert result.history[0].lost == [(1, 1)]


def test_ruling_17_two_cards_together_never_take_the_last_die() -> None:
    own = card("Drop", 2, {**lose_blank(), "side": "own"})
    player = Player([("discard", 0)], [("discard", 1)])
    # Seat 0 drops its own die 0 while seat 1, whose card lets its player pick, names die 1.
    leap = card("Leap", 2, {**lose_blank(), "picker": "self"})
    result = fight([[own], [leap]], dice(yellow=2), [RoundScript(roll=([0, 0], [0, 1]))], player)
    assert result.history[0].active[0] == (1,)


def test_ruling_18_a_scorer_with_one_die_keeps_it() -> None:
    result = fight(NO_CARDS, ONE_YELLOW, [RoundScript(roll=([1], [0]))])
    assert (result.hits, result.dice_left) == ((1, 0), (1, 1))


def test_ruling_19_the_scorer_discards_a_die_showing_one_or_two_swords() -> None:
    player = Player([("hit-discard", 0)])
    script = [RoundScript(roll=([2, 0, 1], [0, 0, 0]))]
    result = fight(NO_CARDS, dice(red=2, yellow=1), script, player)
    assert player.offers == [(0, "hit-discard", [0, 2])]
    assert result.history[0].lost == [(0, 0)]


def test_the_rule_switches_keep_the_dice() -> None:
    hit, tie = RoundScript(roll=([1, 1], [0, 0])), RoundScript(roll=([1, 0], [1, 0]))
    assert fight(NO_CARDS, dice(yellow=2), [hit], hit_discard=0).dice_left == (2, 2)
    assert fight(NO_CARDS, dice(yellow=2), [tie], tie_discard=0).dice_left == (2, 2)
    assert fight(NO_CARDS, dice(yellow=2), [tie], hit_discard=0).dice_left == (1, 1)


def test_ruling_20_on_a_tie_with_swords_each_discards_a_die_showing_swords() -> None:
    player = Player([("tie-discard", 2)], [])
    script = [RoundScript(roll=([0, 1, 1], [2, 0, 0]))]
    result = fight(NO_CARDS, dice(red=1, orange=1, yellow=1), script, player)
    assert player.offers == [(0, "tie-discard", [1, 2])]
    assert result.history[0].lost == [(0, 2), (1, 0)]
    assert result.hits == (0, 0)


def test_ruling_21_on_a_tie_at_zero_each_discards_any_die() -> None:
    player = Player([("tie-discard", 1)], [("tie-discard", 0)])
    result = fight(NO_CARDS, dice(yellow=2), [RoundScript(roll=([0, 0], [0, 0]))], player)
    assert player.offers == [(0, "tie-discard", [0, 1]), (1, "tie-discard", [0, 1])]
    assert result.history[0].lost == [(0, 1), (1, 0)]


@pytest.mark.parametrize("swords", [0, 1])
def test_ruling_22_the_last_die_is_kept_on_a_tie(swords: int) -> None:
    result = fight(NO_CARDS, ONE_YELLOW, [RoundScript(roll=([swords], [swords]))])
    assert result.dice_left == (1, 1)


def test_ruling_23_the_second_discard_of_a_tie_does_not_see_the_first() -> None:
    player = Player([("tie-discard", 1)], [("tie-discard", 0)])
    fight(NO_CARDS, dice(yellow=2), [RoundScript(roll=([0, 0], [0, 0]))], player)
    assert player.views[0].dice == player.views[1].dice


# ---------------------------------------------------------------- cancel, secrets, loss: rulings 29 to 31


def test_ruling_29_a_cancelled_card_does_nothing_and_is_spent() -> None:
    decks = [[card("Parry", 1, cancel())], [card("Turn", 2, turn_blank())]]
    result = fight(decks, ONE_YELLOW, [RoundScript(roll=([0], [0]))])
    assert result.history[0].swords == (0, 0)
    assert result.history[0].hands == ((), ())


def test_ruling_29_a_cancel_lasts_for_its_round_only() -> None:
    turn = card("Turn", 2, turn_blank())
    decks = [[card("Parry", 1, cancel())], [turn, turn]]
    script = [RoundScript(roll=([0], [0]))] * 2
    result = fight(decks, ONE_YELLOW, script, Player([], [("card", 0)]))
    assert [record.swords for record in result.history] == [(0, 0), (0, 1)]


@pytest.mark.parametrize("canceller", [0, 1])
def test_ruling_29_cancel_stops_a_card_of_rank_8(canceller: int) -> None:
    decks = [[card("Parry", 1, cancel())], [card("Vow", 8, restore())]]
    player = Player([("tie-discard", 0)], [("tie-discard", 0)])
    result = fight(
        decks if canceller == 0 else decks[::-1],
        dice(yellow=2),
        [RoundScript(roll=([0, 0], [0, 0]))],
        player,
    )
    assert result.history[0].restored == []


@pytest.mark.parametrize("rank", [1, 2])
def test_ruling_29_cancel_is_no_use_against_a_lower_or_equal_rank(rank: int) -> None:
    decks = [[card("Threat", 2, cancel())], [card("Turn", rank, turn_blank())]]
    result = fight(decks, ONE_YELLOW, [RoundScript(roll=([0], [0]))])
    assert result.history[0].swords == (0, 1)


def test_ruling_29_a_cancelled_cancel_stops_nothing() -> None:
    turn_and_cancel = card("Late", 3, cancel())
    decks = [[card("Parry", 1, cancel(), turn_blank())], [turn_and_cancel]]
    result = fight(decks, ONE_YELLOW, [RoundScript(roll=([0], [0]))])
    assert result.history[0].swords == (1, 0)


def test_ruling_30_the_second_player_does_not_see_the_first_players_choice() -> None:
    deck = [card("Vow", 8, restore()), bluff()]
    player = Player([("card", 0)], [("card", 1)])
    fight([deck, deck], ONE_YELLOW, [RoundScript(roll=([1], [0]))], player)
    first, second = player.views
    assert second.hands == first.hands == ((0, 1), (0, 1))
    assert second.revealed == (None, None)


def test_ruling_31_a_random_card_leaves_the_game_and_it_is_never_the_bluff() -> None:
    study = [card("Cold Study", 3, drop_card())]
    deck = [bluff(), card("Vow", 8, restore()), card("Leap", 2, lose_blank()), card("Turn", 7, turn_blank())]
    player = Player([], [("card", 3)])
    # Two cards can be lost, Vow and Leap: number 1 is Leap.
    script = [RoundScript(roll=([1], [1]), draws=[1])]
    assert fight([study, deck], ONE_YELLOW, script, player).history[0].hands == ((), (0, 1))


def test_ruling_31_a_hand_of_bluffs_loses_nothing() -> None:
    decks = [[card("Cold Study", 3, drop_card())], [bluff()]]
    result = fight(decks, ONE_YELLOW, [RoundScript(roll=([1], [0]))])
    assert result.history[0].hands == ((), (0,))


def test_ruling_31_the_lost_card_is_uniform_on_the_streams() -> None:
    deck = [card("Leap", 2, lose_blank()), bluff(), card("Vow", 8, restore()), card("Turn", 7, turn_blank())]
    decks = [[card("Cold Study", 3, drop_card())], deck]
    games = 300
    lost = []
    for game in range(games):
        stream = rng.Stream(2, game, 4)
        stream.rekey(1)
        result = duel.play(decks, ONE_YELLOW, {**RULES, "round_cap": 1}, 2, game, lambda *_: 1)
        lost.append((set(range(4)) - {1} - set(result.history[0].hands[1])).pop())
        assert lost[-1] == [0, 2, 3][stream.below(3)]
    assert set(lost) == {0, 2, 3}


# ---------------------------------------------------------------- whole games

PAIRS = list(product(DECKS, DECKS))


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_dice_cards_and_hits_are_conserved(pair: tuple[str, str]) -> None:
    decks = [DECKS[name] for name in pair]
    for game in range(4):
        result = duel.play(decks, DICE, RULES, 7, game, duel.random_player(7, game))
        check_rounds(result)
        check_end(result)


def check_rounds(result: duel.Result) -> None:
    """Check rulings 22, 26 and 28 and the hands in every round of a game."""
    hands = [set(range(10)), set(range(10))]
    for number, record in enumerate(result.history, start=1):
        assert record.number == number
        for seat in (0, 1):
            assert sorted(record.active[seat] + record.discarded[seat]) == list(range(6))
            assert len(record.active[seat]) >= 1
            gone = hands[seat] - set(record.hands[seat])
            assert set(record.hands[seat]) <= hands[seat]
            assert len(gone) <= 2
            assert 9 in record.hands[seat]
            hands[seat] = set(record.hands[seat])
        hits = [earlier.scorer for earlier in result.history[:number]]
        assert record.health == (5 - hits.count(1), 5 - hits.count(0))


def check_end(result: duel.Result) -> None:
    """Check that a game ends once, for the right player, and that every choice was a real one."""
    assert result.winner is not None
    assert result.hits[result.winner] == 5 > result.hits[1 - result.winner]
    assert result.rounds == len(result.history) <= RULES["round_cap"]
    assert result.decisions == len(result.log)
    for entry in result.log:
        dice_or_cards = [action for action in entry.actions if action != DONE]
        assert dice_or_cards == sorted(set(dice_or_cards))
        assert len(entry.actions) > 1
        assert DONE not in entry.actions[:-1]
        assert entry.action in entry.actions


def test_ruling_32_a_game_at_the_cap_is_unfinished() -> None:
    result = duel.play(NO_CARDS, DICE, {**RULES, "round_cap": 4}, 1, 0, duel.random_player(1, 0))
    assert (result.winner, result.reason, result.rounds) == (None, "round-cap", 4)


def test_the_same_seed_and_game_give_the_same_game_and_others_do_not() -> None:
    decks = [DECKS["inigo"], DECKS["rugen"]]
    results = [
        duel.play(decks, DICE, RULES, seed, game, duel.random_player(seed, game))
        for seed, game in [(1, 0), (1, 0), (1, 1), (2, 0)]
    ]
    assert results[0] == results[1]
    assert results[0].log != results[2].log
    assert results[0].log != results[3].log


def test_an_answer_that_was_not_offered_is_refused() -> None:
    with pytest.raises(ValueError, match="answered 99"):
        duel.play([DECKS["inigo"], DECKS["rugen"]], DICE, RULES, 1, 0, lambda *_: 99)


@pytest.mark.parametrize(
    "script",
    [
        [RoundScript(roll=([1, 1], [0]))],
        [RoundScript(roll=([2], [0]))],
        [RoundScript(roll=([1], [0]), again=([1], []))],
        [RoundScript(roll=([1], [0]), draws=[0])],
    ],
    ids=["too-many", "no-such-face", "reroll-left", "draw-left"],
)
def test_a_script_that_does_not_fit_is_refused(script: list[RoundScript]) -> None:
    with pytest.raises(duel.ScriptError):
        fight(NO_CARDS, ONE_YELLOW, script)


# ---------------------------------------------------------------- the exact chain

exactly = partial(solve, cap=60, exact=True)
ONE_RED = dice(red=1)


def test_the_chain_solves_one_yellow_die_each() -> None:
    # By hand: half of the rounds tie, the other half is even; the rounds are geometric.
    found = exactly(ONE_YELLOW, {**RULES, "hits_to_win": 1})
    assert (found.win, found.mean_rounds) == ((Fraction(1, 2), Fraction(1, 2)), 2)
    assert np.array_equal(found.rounds[1:], 0.5 ** np.arange(1, 61))


def test_the_chain_solves_red_against_yellow() -> None:
    # By hand: red wins 1/3 + 1/6 * 1/2 = 5/12, yellow 1/2 * 1/2 = 1/4, a tie 1/3 starts again.
    found = exactly(ONE_RED, {**RULES, "hits_to_win": 1}, other_dice=dice(yellow=1))
    assert (found.win, found.mean_rounds) == ((Fraction(5, 8), Fraction(3, 8)), Fraction(3, 2))


@pytest.mark.parametrize(
    ("tie_discard", "win", "mean"),
    [(1, Fraction(11, 16), Fraction(7, 4)), (0, Fraction(4, 5), Fraction(8, 5))],
)
def test_the_chain_solves_two_yellow_dice_against_one(tie_discard: int, win: Fraction, mean: Fraction) -> None:
    # By hand: 1/2 win, 1/8 loss, 3/8 tie, which leaves one die each, or the same again without the discard.
    rules = {**RULES, "hits_to_win": 1, "tie_discard": tie_discard}
    found = exactly(dice(yellow=2), rules, other_dice=ONE_YELLOW)
    assert (found.win, found.mean_rounds) == ((win, 1 - win), mean)


def test_the_chain_takes_each_eligible_die_with_equal_chance() -> None:
    # By hand for one red and one yellow die: faces (2 in 1/3, 1 in 1/6) and (1 in 1/2).
    table = spread((1, 1), [FACES["red"], FACES["yellow"]], discards=True)
    no_red, no_yellow = (0, 1), (1, 0)
    assert table == {
        0: {no_red: Fraction(1, 8), no_yellow: Fraction(1, 8)},
        1: {no_red: Fraction(1, 12), no_yellow: Fraction(1, 4)},
        2: {no_red: Fraction(5, 24), no_yellow: Fraction(1, 24)},
        3: {no_red: Fraction(1, 12), no_yellow: Fraction(1, 12)},
    }


def test_dice_that_only_tie_have_no_answer() -> None:
    with pytest.raises(ValueError, match="ties for ever"):
        solve([{"id": "grey", "start": 1, "faces": [0, 0]}], RULES)


SETTINGS: dict[str, dict[str, Any]] = {
    "standard": {},
    "three-hits-no-tie-discard": {"hits_to_win": 3, "tie_discard": 0},
    "hitter-keeps-his-die": {"hit_discard": 0},
}


@cache
def solved(setting: str) -> Solution:
    """Return the float solution of a setting with the usual dice."""
    return solve(DICE, {**RULES, **SETTINGS[setting]})


@cache
def solved_exactly(setting: str) -> Solution:
    """Return the solution of a setting in fractions."""
    return solve(DICE, {**RULES, **SETTINGS[setting]}, cap=1, exact=True)


@pytest.mark.parametrize("setting", SETTINGS)
def test_equal_dice_win_exactly_half_each(setting: str) -> None:
    assert solved_exactly(setting).win == (Fraction(1, 2), Fraction(1, 2))


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_rounds_sum_to_one_and_agree_with_the_solved_mean(setting: str) -> None:
    found, exact = solved(setting), solved_exactly(setting)
    # Each round rounds every position a few times, by half an epsilon of what is there.
    slack = len(found.rounds) * np.finfo(float).eps
    assert abs(found.rounds.sum() + found.tail - 1) < slack
    assert np.abs(found.ended[:, 0] - found.ended[:, 1]).max() < slack
    mean = (found.rounds * np.arange(len(found.rounds))).sum()
    assert abs(mean - float(exact.mean_rounds)) < slack * mean
    assert abs(float(found.mean_rounds) - float(exact.mean_rounds)) < slack * mean


GAMES = 600


def random_games(rules: dict[str, Any], other: list[dict[str, Any]] | None) -> list[duel.Result]:
    """Return games of dice alone between uniform players."""
    return [
        duel.play(NO_CARDS, DICE, {**rules, "cards": "none"}, 4, game, duel.random_player(4, game), other)
        for game in range(GAMES)
    ]


@pytest.mark.parametrize("setting", SETTINGS)
def test_random_games_agree_with_the_chain(setting: str) -> None:
    assert_agree(random_games({**RULES, **SETTINGS[setting]}, None), solved(setting))


def test_random_games_with_unequal_dice_agree_with_the_chain() -> None:
    other = dice(red=1, orange=2, yellow=2)
    found = solve(DICE, RULES, other_dice=other)
    # Far enough apart that exchanged winners could not pass.
    assert float(found.win[0]) - float(found.win[1]) > 10 * (0.25 / GAMES) ** 0.5
    assert np.abs(found.ended.sum(axis=0) - found.win).max() < len(found.rounds) * np.finfo(float).eps
    assert_agree(random_games(RULES, other), found)


def assert_agree(results: list[duel.Result], found: Solution) -> None:
    """Check wins, mean and distribution of rounds against the exact answer."""
    rounds = [result.rounds for result in results]
    assert_share(sum(result.winner == 0 for result in results), len(results), float(found.win[0]))
    assert_share(sum(result.winner == 1 for result in results), len(results), float(found.win[1]))
    assert_mean(rounds, found)
    for last, chance in enumerate(np.cumsum(found.rounds)):
        # Where fewer than ten games are expected on one side, a normal error says little.
        if min(chance, 1 - chance) * len(results) >= 10:
            assert_share(sum(value <= last for value in rounds), len(results), chance)


def assert_share(count: int, games: int, chance: float) -> None:
    """Check a share within five standard errors."""
    error = (chance * (1 - chance) / games) ** 0.5
    assert abs(count / games - chance) <= 5 * error


def assert_mean(rounds: Sequence[int], found: Solution) -> None:
    """Check the mean number of rounds within five standard errors, taken from the exact spread."""
    values = np.arange(len(found.rounds))
    mean = float(found.mean_rounds)
    error = ((found.rounds * (values - mean) ** 2).sum() / len(rounds)) ** 0.5
    assert abs(statistics.mean(rounds) - mean) <= 5 * error
