"""The book game: set-ups and rulings as tests, conservation, the bound of 21 turns, a toy chapter, a seventh one."""

from __future__ import annotations

import copy
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from book_table import (
    ASKING,
    DATA,
    EDITION,
    END,
    GETTING,
    LOOKING,
    MOVING,
    PAYING,
    TELLING,
    TURNED,
    BookTable,
    Tables,
    builder,
)

import strategies
from simcore import jit, scenario, trace
from simcore.errors import InputError
from simcore.games.adventure_book.primitives import ICONS
from simcore.games.adventure_book.state import CARD, SPECIAL, TRADE
from support import SCENARIOS, sampled, scaled, sigmas

SPECIALS = [card["id"] for card in DATA["special_cards"]]


@pytest.fixture(scope="session")
def build(load_scenario: Callable[..., Any], player_of: Callable[..., Any]) -> Tables:
    return builder(load_scenario, player_of)


# ---------------------------------------------------------------- set-ups (RB, Chapter Setup)


@pytest.mark.parametrize(
    ("chapter", "places", "star"),
    [
        (1, {"westley": "barn", "buttercup": "farmhouse"}, "meadow"),
        (2, {"fezzik": "start", "inigo": "start", "buttercup": "start", "vizzini": "deck-2"}, "crows-nest"),
        (
            3,
            {
                "westley": "start", "inigo": "ruins", "fezzik": "boulders", "vizzini": "picnic",
                "humperdinck": "h0", "buttercup": None,
            },
            "ledge",
        ),
        (4, {"westley": "start", "buttercup": "start"}, "hollow"),
        (
            5,
            {
                "fezzik": "start", "inigo": None, "westley": None, "squad-1": "ring-5", "squad-2": "barracks",
                "humperdinck": "portrait-humperdinck", "buttercup": "portrait-buttercup",
            },
            "grove",
        ),
        (
            6,
            {
                "fezzik": "start", "inigo": "start", "westley": "start", "buttercup": "chamber", "rugen": "trophy",
                "humperdinck": "chapel",
            },
            None,
        ),
    ],
)  # fmt: skip
def test_each_chapter_is_set_up_as_the_rulebook_says(
    chapter: int, places: dict[str, str | None], star: str | None, build: Tables
) -> None:
    for players in (1, 2, 3, 4):
        table = build(chapter, players)
        assert {name: table.where(name) for name in places} == places
        found = int(table.see("star"))
        assert (table.chapter["spaces"][found]["id"] if found >= 0 else None) == star
        assert [int(n) for n in table.see("held")[:players]] == [4] * players
        assert int(table.see("n_plot")) == 20
        assert int(table.see("n_pile")) == 40 - 4 * players


def test_chapter_1_has_a_chore_on_wood_horse_and_well_and_three_on_the_list(build: Tables) -> None:
    table = build(1)
    littered = {space["id"] for index, space in enumerate(table.chapter["spaces"]) if table.see("pieces")[index]}
    assert littered == {"wood", "horse", "well"}
    assert table.counter("chores") == 3


def test_chapter_2_has_the_ships_on_their_letters(build: Tables) -> None:
    table = build(2)
    assert (table.counter("ship"), table.counter("mystery-ship")) == (4, 0)


def test_chapter_4_has_three_wounds_to_flip_and_eleven_hazards_face_up(build: Tables) -> None:
    seen = set()
    for index in range(4):
        table = build(4, index=index)
        tiles = [int(kind) for kind in table.see("tile")[: len(table.chapter["spaces"])]]
        assert table.counter("wounds") == 0
        assert Counter(kind for kind in tiles if kind >= 0) == {0: 4, 1: 4, 2: 3}
        assert all((int(table.see("up")) >> space & 1) == (kind >= 0) for space, kind in enumerate(tiles))
        seen.add(tuple(tiles))
    assert len(seen) > 1


def test_chapter_6_has_a_locked_door_on_each_lock_space_and_both_confidences_at_nothing(build: Tables) -> None:
    table = build(6)
    doors = {space["id"] for index, space in enumerate(table.chapter["spaces"]) if table.see("tile")[index] >= 0}
    assert doors == {"gate", "lock-r", "lock-b"}
    assert (table.counter("westley-confidence"), table.counter("humperdinck-confidence")) == (0, 0)


# The boards once more, copied by hand from the reconstruction and apart from the edition: what one step joins.
BOARDS = (
    """farmhouse:porch porch:yard yard:barn barn:paddock paddock:horse yard:path path:wood porch:garden garden:well
    well:meadow meadow:horse wood:hill hill:meadow""",
    """deck-1:deck-2 deck-2:deck-3 deck-3:deck-4 deck-4:deck-5 deck-5:deck-1 start:deck-1 start:deck-2 start:deck-3
    start:deck-4 start:deck-5 railing:deck-3 railing:deck-4 railing:water water:deck-5 deck-1:crows-nest""",
    """start:rope-1 rope-1:rope-2 rope-2:rope-3 rope-2:ledge ledge:rope-3 rope-3:rope-4 rope-4:top top:ruins ruins:path
    path:bend bend:boulders boulders:meadow meadow:knoll knoll:picnic""",
    """start:h1 start:h2 h1:s1 h2:s1 s1:h3 s1:h4 h3:s2 h4:s3 s2:h5 s3:h6 s2:h7 s3:h7 h5:hollow hollow:h8 h6:s4 h7:s4
    s4:h8 s4:h9 h8:s5 h9:s5 s5:h10 s5:h11 h10:exit h11:exit""",
    """start:ring-1 start:ring-8 ring-1:ring-2 ring-2:ring-3 ring-3:ring-4 ring-4:ring-5 ring-5:ring-6 ring-6:ring-7
    ring-7:ring-8 ring-8:ring-1 ring-3:hut ring-5:barracks ring-7:max grove:ring-2 grove:ring-6 pit:ring-6
    wall:ring-8""",
    """start:bridge bridge:gate gate:court court:hall court:stairs court:stables hall:gallery hall:chapel stairs:gallery
    gallery:lock-r lock-r:trophy stairs:lock-b lock-b:chamber""",
)


@pytest.mark.parametrize("chapter", range(1, 7))
def test_each_board_joins_what_the_reconstruction_joins(chapter: int, build: Tables) -> None:
    table = build(chapter)
    ways = table.memory["state"]["tab"]["chapters"][0][chapter - 1]["ways"]
    spaces = [space["id"] for space in table.chapter["spaces"]]
    found = {
        frozenset((first, second))
        for index, first in enumerate(spaces)
        for other, second in enumerate(spaces)
        if int(ways[index]) >> other & 1
    }
    assert found == {frozenset(pair.split(":")) for pair in BOARDS[chapter - 1].split()}


# ---------------------------------------------------------------- the challenge that the rulebook gives in full


def test_the_shrieking_eels(build: Tables) -> None:
    table = build(2, 1).story()
    challenge = ("challenge", "shrieking-eels")
    table.hands("courage", "adventure", "love")
    assert challenge not in table.told()
    table.put(buttercup="water")
    assert challenge not in table.told()
    table.put(fezzik="railing")
    assert challenge in table.told()
    table.hands("courage", "love", "love")
    assert challenge not in table.told()
    table.hands("courage", "adventure", "love")
    table.do(*challenge)
    table.pay("courage", "adventure")
    assert table.where("buttercup") == "railing"
    assert int(table.see("held")[0]) == 2
    assert int(table.see("specials_drawn")) == 1
    assert challenge not in table.told()


# ---------------------------------------------------------------- rulings


def last_turn(table: BookTable) -> BookTable:
    """Leave no plot card."""
    table.poke("n_plot", 0)
    return table


def test_ruling_1_the_plot_is_out_when_a_card_cannot_be_drawn(build: Tables) -> None:
    table = build(6, replays=0)
    table.poke("n_plot", 1)
    table.next_plot(4)
    table.end_turn()
    assert not table.over
    assert int(table.see("n_plot")) == 0
    table.end_turn()
    assert table.over
    assert int(table.score()["chapter_6_lost_plot"][0]) == 1


def ready_to_win(table: BookTable) -> BookTable:
    """Leave only the last challenge of chapter 5, with all it needs."""
    table.story()
    table.done("revives-inigo", "man-in-black", "miracle-max")
    table.put(fezzik="wall", inigo="wall")
    table.hands("adventure", "courage", "intrigue", "love")
    return table


def test_ruling_2_the_team_can_still_win_in_the_turn_after_the_last_plot_card(build: Tables) -> None:
    table = last_turn(ready_to_win(build(5)))
    table.do("challenge", "plan")
    table.pay("courage", "adventure", "intrigue")
    assert table.over
    assert int(table.score()["winners"][0]) == 1


def test_ruling_3_a_chapter_that_is_completed_ends_at_once(build: Tables) -> None:
    table = ready_to_win(build([5, 1]))
    left = int(table.see("n_plot"))
    table.do("challenge", "plan")
    table.pay("courage", "adventure", "intrigue")
    assert int(table.see("chapter")) == 0
    assert int(table.see("plot_left")[4]) == left
    assert int(table.see("turns")) == 2


def test_ruling_4_a_defeat_while_paying_for_a_step_comes_first_and_the_last_challenge_wins_over_one(
    build: Tables,
) -> None:
    table = build(4, replays=0).story()
    table.counter("wounds", 2)
    table.hands("love")
    table.do("step", "westley", "h1")
    table.pay("love")
    while not table.over:
        table.do("else")
    assert int(table.score()["chapter_4_lost_own_1"][0]) == 1
    table = ready_to_win(build(5, replays=0))
    table.put(humperdinck="portrait-buttercup")
    table.do("challenge", "plan")
    table.pay("courage", "adventure", "intrigue")
    assert int(table.score()["winners"][0]) == 1


def lose(table: BookTable) -> None:
    """Have the plot run out."""
    last_turn(table).end_turn()


def test_ruling_5_a_defeat_of_the_chapter_is_an_interruption(build: Tables) -> None:
    table = build(5).story()
    table.put(humperdinck="aisle-7")
    table.next_plot(4)
    table.do(*END)
    while table.phase == TURNED:
        table.do(*END)
    assert not table.over
    assert (int(table.see("replays")), int(table.see("attempt"))) == (1, 1)
    assert table.where("humperdinck") == "portrait-humperdinck"


def test_ruling_6_there_is_one_replay_in_a_game(build: Tables) -> None:
    table = ready_to_win(build([5, 6]))
    lose(table)
    assert not table.over
    ready_to_win(table)
    table.do("challenge", "plan")
    table.pay("courage", "adventure", "intrigue")
    assert int(table.see("chapter")) == 5
    lose(table)
    assert table.over
    row = table.score()[0]
    assert (int(row["winners"]), int(row["chapters"]), int(row["replay_in"])) == (0, 1, 5)


def test_ruling_7_hands_are_dealt_anew_in_a_replay(build: Tables) -> None:
    table = build(1, 3)
    table.story()
    table.hands(*["love"] * 6)
    lose(table)
    assert [int(n) for n in table.see("held")[:3]] == [4, 4, 4]


def test_rulings_8_and_10_collected_specials_stay_among_the_story_cards(build: Tables) -> None:
    table = build(1)
    table.story()
    table.poke("miracles", 1)
    table.poke("supply", 3)
    table.do("miracle", "special")
    lose(table)
    assert int(table.see("n_special")) == 29
    assert int(table.see("n_pile")) == 41 - 8


def held_at_star(build: Tables, **rules: Any) -> BookTable:
    table = build(1, **rules)
    table.put(westley="well")
    table.do("step", "westley", "meadow")
    assert int(table.see("miracles")) == 1
    lose(table)
    return table


def test_ruling_9_a_miracle_of_the_failed_try_is_kept_and_a_new_one_is_placed(build: Tables) -> None:
    table = held_at_star(build)
    assert (int(table.see("miracles")), int(table.see("supply"))) == (1, 3)
    assert int(table.see("star")) >= 0
    strict = held_at_star(build, replay_miracles="restore")
    assert (int(strict.see("miracles")), int(strict.see("supply"))) == (0, 4)
    few = held_at_star(build, miracles=1)
    assert (int(few.see("miracles")), int(few.see("star"))) == (1, -1)


def test_ruling_11_a_draw_goes_on_after_the_discards_are_shuffled(build: Tables) -> None:
    table = build(6)
    table.story()
    table.hands("love")
    for place in range(1, int(table.see("n_pile"))):
        table.see("pile")[place] = -1
    table.poke("n_pile", 1)
    table.see("discard")[:] = 0
    table.see("discard")[0] = 3
    table.do(*END)
    assert int(table.see("held")[0]) == 3
    assert int(table.see("n_pile")) == 2
    assert int(table.see("reshuffles")) == 1


def test_ruling_12_with_both_piles_empty_what_is_there_is_drawn(build: Tables) -> None:
    table = build(6)
    table.story()
    table.hands("love")
    table.poke("n_pile", 0)
    table.see("discard")[:] = 0
    table.do(*END)
    assert int(table.see("held")[0]) == 1


def test_ruling_13_an_empty_special_pile_gives_no_card(build: Tables) -> None:
    table = build(1).story()
    table.poke("n_special", 0)
    table.poke("miracles", 1)
    table.do("miracle", "special")
    assert int(table.see("held")[0]) == 4


def test_ruling_14_a_played_special_goes_to_the_story_discards_and_can_be_taken_from_there(build: Tables) -> None:
    table = build(1, 1).story()
    table.hands("long-walk", "second-thoughts", "love")
    kind = table.codes.kinds.index("long-walk")
    table.do("special", "long-walk")
    assert int(table.see("discard")[kind]) == 1
    table.do("end")
    table.do("special", "second-thoughts")
    assert ("card", "second-thoughts") not in table.told()
    table.do("card", "long-walk")
    assert int(table.see("discard")[kind]) == 0 and "long-walk" in table.cards(0)


def test_ruling_14_a_special_that_brings_cards_is_discarded_at_the_end_of_the_turn(build: Tables) -> None:
    table = build(1, 1).story()
    table.hands("fresh-cards", "love")
    table.do("special", "fresh-cards")
    kind = table.codes.kinds.index("fresh-cards")
    assert int(table.see("aside")[kind]) == 1
    assert len(table.cards(0)) == 3
    table.end_turn()
    assert int(table.see("discard")[kind]) == 1
    assert int(table.see("n_special")) == 30


def test_ruling_15_the_special_pile_is_shuffled_once(build: Tables) -> None:
    table = build(1)
    before = table.see("specials").tolist()
    lose(table)
    assert table.see("specials").tolist() == before


def test_ruling_16_others_play_specials_in_storytelling_only(build: Tables) -> None:
    table = build(1, 3)
    for seat in range(3):
        table.hand(seat, "love", *(["long-walk"] if seat == 2 else []))
    assert table.phase == MOVING
    table.do(*END)
    assert (table.phase, table.seat, table.which % 2) == (ASKING, 2, 1)
    table.do("special", "long-walk")
    assert table.seat == 2
    table.do("step", "westley", "yard")
    table.do(*END)
    assert (table.phase, table.seat) == (TELLING, 0)
    table.hand(2, "love", "long-walk", "inconceivable")
    table.do(*END)
    assert (table.phase, table.seat) == (TURNED, 2)
    assert table.told() == [END, ("special", "inconceivable")]


def test_ruling_17_anyone_may_use_a_miracle_and_each_is_asked_once_in_a_window(build: Tables) -> None:
    table = build(1, 3)
    for seat in range(3):
        table.hand(seat, "love")
    table.poke("miracles", 2)
    table.do(*END)
    asked = []
    while table.phase == ASKING:
        asked.append(table.seat)
        assert table.told() == [END, ("miracle", "story"), ("miracle", "special")]
        table.do(*END)
    assert asked == [1, 2]
    table.do(*END)
    asked = []
    while table.phase == TURNED:
        asked.append(table.seat)
        table.do(*END)
    assert asked == [0, 1, 2]


def test_ruling_18_who_uses_a_miracle_draws_its_cards(build: Tables) -> None:
    table = build(1, 2)
    table.poke("miracles", 2)
    table.do(*END)
    assert table.seat == 1
    table.do("miracle", "story")
    assert int(table.see("held")[1]) == 7
    table.do("miracle", "special")
    assert int(table.see("held")[0]) == 5


def test_ruling_19_a_miracle_does_not_avert_the_end_of_the_plot(build: Tables) -> None:
    table = build(6, 1, replays=0)
    table.story()
    table.poke("miracles", 5)
    last_turn(table)
    table.do(*END)
    assert table.over


def test_ruling_20_passing_through_the_star_is_enough(build: Tables) -> None:
    table = build(1)
    table.put(westley="well")
    table.do("step", "westley", "meadow")
    table.do("step", "westley", "horse")
    assert int(table.see("miracles")) == 1
    assert int(table.see("star")) == -1


@pytest.mark.parametrize(("switch", "taken"), [("players", 0), ("anyone", 1)])
def test_ruling_21_a_figure_that_the_plot_moves_leaves_the_miracle(switch: str, taken: int, build: Tables) -> None:
    table = build(1, 1, star_taken_by=switch).story()
    table.poke("star", table.at("spaces", "wood"))
    table.next_plot(1)
    table.end_turn()
    assert table.where("buttercup") == "wood"
    assert int(table.see("miracles_taken")) == taken


def test_ruling_22_one_card_is_traded_for_one_with_another_seat_once_a_turn(build: Tables) -> None:
    table = build(1, 3).story()
    table.hand(0, "love", "wild")
    table.hand(1, "fresh-cards", "courage")
    table.hand(2)
    assert [answer for answer in table.told() if answer[0] == "trade"] == [("trade", 1)]
    table.do("trade", 1)
    table.do("card", "wild")
    assert table.seat == 0
    assert table.told() == [("card", "courage"), ("card", "fresh-cards")]
    table.do("card", "courage")
    assert table.cards(0) == ["courage", "love"]
    assert sorted(table.cards(1)) == ["fresh-cards", "wild"]
    table.story()
    assert not [answer for answer in table.told() if answer[0] == "trade"]


def test_ruling_23_one_player_cannot_trade(build: Tables) -> None:
    assert not [answer for answer in build(1, 1).story().told() if answer[0] == "trade"]


def test_ruling_24_hands_are_open_and_with_the_switch_hidden(build: Tables) -> None:
    for hands in ("open", "hidden"):
        seen = set()
        table = build(1, 3, hands=hands).story()
        saved = table.save()
        for key in range(20):
            table.hide(0, key)
            seen.add((tuple(table.cards(1)), tuple(table.cards(2))))
            assert int(table.see("held")[1]) == 4
            table.load(saved)
        assert (len(seen) > 1) == (hands == "hidden")


def test_with_hidden_hands_the_partner_answers_a_trade_and_both_know_what_changed_hands(build: Tables) -> None:
    table = build(1, 3, hands="hidden").story()
    table.hand(0, "love", "revenge")
    table.hand(1, "courage", "adventure")
    table.hand(2, "intrigue", "intrigue")
    table.do("trade", 1)
    table.do("card", "love")
    assert (table.phase, table.seat, table.which % 2) == (GETTING, 1, 1)
    assert table.told() == [("card", "courage"), ("card", "adventure")]
    table.do("card", "courage")
    saved = table.save()
    for key in range(20):
        table.hide(0, key)
        assert "love" in table.cards(1)
        table.load(saved)
        table.hide(1, key)
        assert "courage" in table.cards(0)
        table.load(saved)
    third = set()
    for key in range(30):
        table.hide(2, key)
        third.add(tuple(table.cards(0)))
        table.load(saved)
    assert len(third) > 1


def test_ruling_25_one_to_four_play(build: Tables, load_scenario: Callable[..., Any]) -> None:
    assert [build(1, n).player.match.n_seats for n in (1, 2, 3, 4)] == [1, 2, 3, 4]
    with pytest.raises(InputError):
        load_scenario({"game": "adventure-book", "seats": [{"strategy": "random"}] * 5, "seed": 1})


def test_rulings_26_and_27_step_1_is_two_single_steps_of_any_figures_and_may_be_dropped(build: Tables) -> None:
    table = build(2, 1)
    table.do("step", "fezzik", "deck-1")
    assert END in table.told()
    assert ("step", "fezzik", "deck-2") in table.told()
    table.do("step", "inigo", "deck-1")
    assert table.phase == TELLING
    assert build(2, 1).story().where("fezzik") == "start"


def test_ruling_28_step_1_ends_before_storytelling(build: Tables) -> None:
    table = build(1, 1)
    table.do("step", "westley", "yard")
    table.do(*END)
    table.hands("love", "love")
    table.do("step", "westley", "porch")
    assert table.phase == PAYING
    table.pay("love")
    assert table.where("westley") == "porch"


@pytest.mark.parametrize(
    ("chapter", "movers"),
    [(1, {"westley"}), (2, {"fezzik", "inigo", "buttercup"}), (3, {"westley"}), (4, {"westley", "buttercup"}),
     (5, {"fezzik"}), (6, {"fezzik", "inigo", "westley"})],
)  # fmt: skip
def test_ruling_29_players_move_whom_the_chapter_names(chapter: int, movers: set[str], build: Tables) -> None:
    assert {answer[1] for answer in build(chapter).told() if answer[0] == "step"} == movers


def test_ruling_30_figures_share_a_space(build: Tables) -> None:
    table = build(4, 1)
    up = int(table.see("up"))
    table.poke("up", 0)
    table.do("step", "westley", "h1")
    table.do("step", "buttercup", "h1")
    assert table.where("westley") == table.where("buttercup") == "h1"
    assert up


def test_ruling_31_only_the_active_player_pays(build: Tables) -> None:
    table = build(1, 2).story()
    table.see("pieces")[:] = 0
    table.put(westley="wood")
    table.hand(0, "adventure")
    table.hand(1, "revenge", "adventure")
    assert ("challenge", "wood-challenge") not in table.told()
    table.hand(0, "adventure", "revenge")
    assert ("challenge", "wood-challenge") in table.told()


def test_ruling_32_a_wild_stands_for_one_icon_and_the_rest_must_stay_payable(build: Tables) -> None:
    table = build(1, 1).story()
    table.see("pieces")[:] = 0
    table.put(westley="wood")
    table.hands("adventure", "wild")
    table.do("challenge", "wood-challenge")
    # revenge is paid first, and only the wild is there for it
    assert table.told() == [("card", "wild")]
    table.pay("wild", "adventure")
    table = build(1, 1).story()
    table.see("pieces")[:] = 0
    table.put(westley="wood")
    table.hands("revenge", "wild")
    table.do("challenge", "wood-challenge")
    assert table.told() == [("card", "revenge")]


def test_ruling_33_a_special_with_an_effect_pays_for_any_card_but_for_no_icon(build: Tables) -> None:
    table = build(1, 1).story()
    table.see("pieces")[:] = 0
    table.put(westley="well")
    table.hands("fresh-cards", "fresh-cards")
    assert ("challenge", "well-challenge") not in table.told()
    table.hands("courage", "fresh-cards")
    table.do("challenge", "well-challenge")
    table.pay("courage", "fresh-cards")
    assert int(table.see("specials_played")) == 0


def test_ruling_34_challenges_come_in_any_order_unless_the_chapter_sets_one(build: Tables) -> None:
    table = build(3, 1).story()
    table.put(westley="ruins", humperdinck="h0")
    table.hands("revenge", "adventure", "courage", "wild", "wild")
    assert ("challenge", "duel") not in table.told()
    table.done("climb")
    assert ("challenge", "duel") in table.told()
    table = build(1, 1).story()
    table.see("pieces")[:] = 0
    table.put(westley="well")
    table.hands("courage", "courage", "adventure", "love")
    table.do("challenge", "well-challenge")
    table.pay("courage", "love")
    table.put(westley="horse")
    assert ("challenge", "horse-challenge") in table.told()


def test_ruling_35_conditions_hold_at_payment_only(build: Tables) -> None:
    table = build(2, 1).story()
    table.put(buttercup="water", fezzik="railing")
    table.hands("courage", "adventure", "love")
    table.do("challenge", "shrieking-eels")
    table.pay("courage", "adventure")
    table.put(fezzik="start")
    assert int(table.see("done")) == 1


def test_ruling_36_a_reward_is_received_without_a_choice(build: Tables) -> None:
    table = build(5, 1).story()
    table.put(fezzik="hut")
    table.hands("courage", "love")
    table.do("challenge", "revives-inigo")
    table.pay("courage", "love")
    assert table.where("inigo") == "hut"
    assert len(table.cards(0)) == 1


def test_ruling_37_only_the_active_player_discards_to_six(build: Tables) -> None:
    table = build(6, 2).story()
    table.hand(0, *["love"] * 8)
    table.hand(1, *["love"] * 9)
    table.next_plot(4)
    table.end_turn()
    assert [int(n) for n in table.see("held")[:2]] == [6, 9]


def test_ruling_38_who_discards_chooses_the_card(build: Tables) -> None:
    table = build(6, 1).story()
    table.hands("love", "wild", "courage", "courage", "courage", "courage")
    table.next_plot(4)
    table.do(*END)
    assert table.phase == PAYING
    assert {("card", "love"), ("card", "wild"), ("card", "courage")} <= set(table.told())


def test_ruling_39_the_first_seat_is_drawn_for_each_try_or_is_seat_1(build: Tables) -> None:
    drawn = {build(1, 4, index=index, first_seat="drawn").active for index in range(40)}
    assert drawn == {0, 1, 2, 3}
    assert {build(1, 4, index=index).active for index in range(10)} == {0}


def test_ruling_40_unspent_specials_are_discarded_with_the_hands(build: Tables) -> None:
    table = ready_to_win(build([5, 1]))
    kind = table.codes.kinds.index("wild")
    table.hand(1, "wild", "wild")
    before = int(table.see("n_pile"))
    table.do("challenge", "plan")
    table.pay("courage", "adventure", "intrigue")
    there = [int(n) for n in table.see("pile")[: int(table.see("n_pile"))]] + [
        table.codes.kinds.index(card) for seat in (0, 1) for card in table.cards(seat)
    ]
    assert there.count(kind) >= 2
    assert before != int(table.see("n_pile"))


def test_ruling_41_a_book_resumed_at_a_later_chapter_is_that_chapter_played_alone(build: Tables) -> None:
    # Nothing is saved between games; what carries over is kept within one game, the side of the replay counter too.
    table = ready_to_win(build([5, 6]))
    table.poke("miracles", 2)
    table.poke("replays", 1)
    table.do("challenge", "plan")
    table.pay("courage", "adventure", "intrigue")
    assert (int(table.see("chapter")), int(table.see("miracles")), int(table.see("replays"))) == (5, 2, 1)
    assert int(table.see("n_special")) == 29


def test_ruling_42_the_last_challenge_still_gives_its_reward(build: Tables) -> None:
    table = ready_to_win(build(5))
    table.do("challenge", "plan")
    table.pay("courage", "adventure", "intrigue")
    assert int(table.see("specials_drawn")) == 1


def test_ruling_43_all_twenty_plot_cards_are_shuffled_at_each_start(build: Tables) -> None:
    table = build(6)
    first = table.see("plot")[:20].tolist()
    table.end_turn()
    lose(table)
    assert int(table.see("n_plot")) == 20
    assert Counter(table.see("plot")[:20].tolist()) == Counter(first)
    assert table.see("plot")[:20].tolist() != first


def test_ruling_44_hazards_that_find_no_space_stay_out_of_play(
    build: Tables, tmp_path: Path, load_scenario: Callable[..., Any]
) -> None:
    data = yaml.safe_load(EDITION.read_text(encoding="utf-8"))
    data["chapters"][3]["mixed"] = data["chapters"][3]["mixed"][:9]
    file = written(tmp_path, data)
    table = build(4, edition=file)
    assert sum(int(kind) >= 0 for kind in table.see("tile")) == 9
    assert int(table.see("spare").sum()) == 2


# ---------------------------------------------------------------- rulings on the primitives


def test_gap_c10_humperdinck_on_the_top_has_passed_westley_on_the_rope(build: Tables) -> None:
    table = build(3, 1, replays=0).story()
    table.put(westley="rope-4", humperdinck="h3")
    table.next_plot(4, 4)
    table.end_turn()
    assert not table.over
    table.put(westley="rope-4")
    table.end_turn()
    assert table.over
    assert int(table.score()["chapter_3_lost_own_1"][0]) == 1


def test_gap_c12_westley_slips_back_along_the_rope_but_not_from_the_ledge(build: Tables) -> None:
    for before, after in (("rope-3", "rope-2"), ("rope-1", "start"), ("ledge", "ledge"), ("top", "top")):
        table = build(3, 1).story()
        table.put(westley=before)
        table.next_plot(1)
        table.end_turn()
        assert table.where("westley") == after


def test_gap_c16_a_squad_catches_both_and_each_costs_a_card(build: Tables) -> None:
    table = build(5, 1).story()
    table.done("revives-inigo", "man-in-black")
    table.put(fezzik="ring-6", inigo="ring-6", westley="ring-6")
    table.hands("love", "love", "love")
    table.next_plot(1)
    table.end_turn()
    assert [table.where(name) for name in ("fezzik", "inigo", "westley")] == ["start"] * 3
    assert int(table.see("held")[0]) == 3  # three, two drawn, two lost


def test_a_squad_closes_its_space_and_steps_from_the_barracks_onto_the_ring(build: Tables) -> None:
    table = build(5, 1)
    table.put(fezzik="ring-4")
    assert ("step", "fezzik", "ring-5") not in table.told()
    assert ("step", "fezzik", "ring-3") in table.told()
    table.next_plot(2, 1)
    table.end_turn()
    assert table.where("squad-2") == "ring-5"
    table.end_turn()
    assert table.where("squad-1") == "ring-6"


def test_a_guard_closes_its_space_wherever_it_is_carried_or_moved(build: Tables, tmp_path: Path) -> None:
    data = copy.deepcopy(yaml.safe_load(EDITION.read_text(encoding="utf-8")))
    figures = {figure["id"]: figure for figure in data["chapters"][4]["figures"]}
    figures["squad-1"]["moved"] = True
    table = build(5, 1, 0, written(tmp_path, data))
    table.do("step", "squad-1", "ring-4")
    told = table.told()
    assert ("step", "squad-1", "ring-5") in told
    table.put(fezzik="hut")
    assert ("step", "fezzik", "ring-3") in table.told()
    table.do("step", "squad-1", "ring-3")
    table.story()
    table.hands("love")
    assert ("step", "fezzik", "ring-3") not in table.told()


def test_a_locked_door_costs_fezzik_one_card_and_anyone_else_two(build: Tables) -> None:
    for figure, cards in (("fezzik", 1), ("inigo", 2)):
        table = build(6, 1)
        table.put(fezzik="bridge", inigo="bridge")
        table.hands(*["love"] * (cards - 1))
        assert ("step", figure, "gate") not in table.told()
        table.hands(*["love"] * cards)
        table.do("step", figure, "gate")
        table.pay(*["love"] * cards)
        assert table.where(figure) == "gate"
        assert int(table.see("tile")[table.at("spaces", "gate")]) == -1


def test_a_chore_may_be_returned_once_a_turn_for_any_card(build: Tables) -> None:
    table = build(1, 1).story()
    table.put(westley="wood")
    table.hands("love", "fresh-cards")
    table.do("rule", "chore", 0)
    table.pay("fresh-cards")
    assert table.counter("chores") == 4
    table.see("pieces")[table.at("spaces", "wood")] = 1
    assert ("rule", "chore", 0) not in table.told()


def test_no_chore_to_place_is_a_defeat(build: Tables) -> None:
    table = build(1, 1, replays=0).story()
    table.counter("chores", 0)
    table.next_plot(5)
    table.end_turn()
    assert not table.over
    table.next_plot(1)
    table.end_turn()
    assert int(table.score()["chapter_1_lost_own_1"][0]) == 1


def test_the_helm_is_paid_with_adventure_or_any_two_and_vizzini_stops_it(build: Tables) -> None:
    table = build(2, 1).story()
    table.put(inigo="deck-1")
    table.hands("love", "adventure")
    assert [answer for answer in table.told() if answer[0] == "rule"] == [("rule", "helm", 0), ("rule", "helm", 1)]
    table.do("rule", "helm", 0)
    table.pay("adventure")
    assert table.counter("ship") == 5
    table.hands("love", "adventure")
    table.put(vizzini="deck-1")
    assert not [answer for answer in table.told() if answer[0] == "rule"]


def test_westley_may_not_enter_the_path_before_the_duel(build: Tables) -> None:
    table = build(3, 1)
    table.put(westley="ruins")
    assert ("step", "westley", "path") not in table.told()
    table.done("climb", "duel")
    assert ("step", "westley", "path") in table.told()


def test_inconceivable_takes_the_effect_of_a_plot_card_which_is_still_spent(build: Tables) -> None:
    table = build(5, 1).story()
    table.hands("inconceivable", "love")
    table.next_plot(4)
    left = int(table.see("n_plot"))
    table.do(*END)
    table.do("special", "inconceivable")
    assert table.where("humperdinck") == "portrait-humperdinck"
    assert int(table.see("n_plot")) == left - 1


def test_a_page_ahead_lays_the_top_plot_cards_back_in_any_order(build: Tables) -> None:
    table = build(5, 1).story()
    table.hands("page-ahead", "love")
    table.next_plot(1, 2, 4)
    table.do("special", "page-ahead")
    assert table.phase == LOOKING
    table.do("number", 4)
    table.do("number", 1)
    table.do("number", 2)
    saved = table.save()
    for key in range(5):
        table.hide(0, key)
        top = [table.codes.numbers[n] for n in table.see("plot")[: int(table.see("n_plot"))][-3:]]
        assert top == [4, 1, 2]
        table.load(saved)


# ---------------------------------------------------------------- conservation, and the bound of 21 turns


def walk(table: BookTable, chance: random.Random) -> Iterator[None]:
    """Play at random, challenges first, so that later chapters are seen."""
    while not table.over:
        yield
        offered = table.offered()
        challenges = [action for action in offered if 8 <= action < 32]
        table.apply(chance.choice(challenges or offered))


@pytest.mark.parametrize("chapter", [1, 2, 3, 4, 5, 6, "1..6"])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_cards_and_counters_are_conserved_and_a_try_has_at_most_21_turns(
    chapter: Any, players: int, build: Tables
) -> None:
    kinds = {card["icon"]: 8 for card in DATA["story_cards"]} | {
        card["id"]: card["count"] for card in DATA["special_cards"]
    }
    for index in range(sampled(1, 2)):
        hands = "hidden" if (players + index) % 2 else "open"
        table = build(chapter, players, index, hands=hands, first_seat="drawn")
        for _ in walk(table, random.Random(f"{chapter} {players} {index}")):
            piles = (
                table.see("pile")[: int(table.see("n_pile"))],
                table.see("specials")[: int(table.see("n_special"))],
            )
            where = sum(np.bincount(pile.astype(int), minlength=16) for pile in piles)
            where = where + table.see("hand").sum(axis=0) + table.see("discard") + table.see("aside")
            assert where[: len(kinds)].tolist() == list(kinds.values())
            assert (table.see("held") == table.see("hand").sum(axis=1)).all()
            turned = int(table.see("plot_gone").sum())
            assert int(table.see("n_plot")) + int(table.see("n_looked")) + turned == 20
            star = int(int(table.see("star")) >= 0)
            assert int(table.see("miracles")) + int(table.see("supply")) + star == 5
            assert int(table.see("turn")) <= 21
            if table.chapter["id"] == "as-you-wish":
                assert table.counter("chores") + int(table.see("pieces").sum()) == 6
            if table.chapter["id"] == "fire-swamp":
                assert (table.see("tile") >= 0).sum() == 11
        assert int(table.see("turns")) <= 7 * 21


# ---------------------------------------------------------------- a toy chapter, computed


def written(folder: Path, data: Any) -> Path:
    file = folder / "edition.yaml"
    file.write_text(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), encoding="utf-8")
    return file


def toy(n_love: int, n_courage: int) -> dict[str, Any]:
    """Return an edition whose only chapter is a path of two spaces and one challenge that costs two Love."""
    data = yaml.safe_load(EDITION.read_text(encoding="utf-8"))
    data["story_cards"] = [
        {"id": "love", "label": "Love", "icon": "love", "count": n_love},
        {"id": "courage", "label": "Courage", "icon": "courage", "count": n_courage},
    ]
    data["special_cards"] = []
    data["chapters"] = [
        {
            "id": "toy", "label": "Toy",
            "spaces": [{"id": "here", "label": "Here", "ways": ["there"]}, {"id": "there", "label": "There"}],
            "figures": [{"id": "westley", "label": "Westley", "start": "here", "moved": True}],
            "challenges": [
                {
                    "id": "kiss", "label": "Kiss", "cost": ["love", "love"], "reward": [],
                    "needs": [{"op": "at", "figure": "westley", "spaces": ["there"]}],
                }
            ],
            "plot": [], "defeats": [],
        }
    ]  # fmt: skip
    data["rules"] |= {"chapters": 1, "plot_cards": 2, "replays": 0, "deal": 1, "draw": 1, "first_seat": "first"}
    data["rules"].pop("from")
    return data


def chance_of_two(n_love: int, n_courage: int, cards: int) -> Fraction:
    """Return the chance of at least two Love among so many cards, counted over all hands (hypergeometric)."""
    n = n_love + n_courage
    hands = math.comb(n, cards)
    good = sum(math.comb(n_love, k) * math.comb(n_courage, cards - k) for k in range(2, cards + 1))
    return Fraction(good, hands)


@pytest.mark.skipif(not jit.ENABLED, reason="many games: only with JIT")
def test_a_toy_chapter_is_won_as_often_as_its_exact_chance(
    tmp_path: Path, load_scenario: Callable[..., Any], player_of: Callable[..., Any]
) -> None:
    # One card is dealt, one drawn in each of two turns: three cards are seen by the third turn, the last one.
    n_love, n_courage, games = 3, 5, 20_000
    file = written(tmp_path, toy(n_love, n_courage))
    data = {"game": "adventure-book", "edition": str(file), "seats": [{"strategy": "nearest"}], "seed": 3}
    rows = player_of(load_scenario(data)).play(0, games)
    exact = float(chance_of_two(n_love, n_courage, 3))
    error = math.sqrt(exact * (1 - exact) / games)
    assert abs(float((rows["winners"] == 1).mean()) - exact) < sigmas() * error


# ---------------------------------------------------------------- a designer's seventh chapter, without code

SEVENTH = """
id: epilogue
label: Epilogue
spaces:
  - {id: bed, label: Bed, ways: [door]}
  - {id: door, label: Door, ways: [stairs]}
  - {id: stairs, label: Stairs}
star: door
figures:
  - {id: grandson, label: Grandson, start: bed, moved: true}
  - {id: sleep, label: Sleep, start: stairs}
counters: [{id: yawns, label: Yawns, start: 0, last: 4}]
paths: [{id: night, spaces: [stairs, door, bed]}]
actions:
  - {id: once-more, label: Once more, needs: [{op: at_least, counter: yawns, number: 1}], pay: [[love], [any, any]],
     effects: [{op: count, counter: yawns, by: -1}]}
challenges:
  - {id: last-page, label: The last page, needs: [{op: at, figure: grandson, spaces: [stairs]}], cost: [love, any],
     reward: [{op: special, cards: 2}]}
  - {id: good-night, label: Good night, needs: [{op: done, challenges: [last-page]}], cost: [any], reward: []}
plot:
  - {numbers: [1, 3], effects: [{op: count, counter: yawns, by: 1}]}
  - {numbers: [5], effects: [{op: advance, figure: sleep, path: night, steps: 1}]}
defeats:
  - {label: he fell asleep, when: [{op: at_least, counter: yawns, number: 4}]}
  - {label: sleep came to bed, when: [{op: at, figure: sleep, spaces: [bed]}]}
"""


def test_a_seventh_chapter_in_yaml_is_played_and_agrees_with_the_plain_reading(build: Tables, tmp_path: Path) -> None:
    from reference.book import Book, read
    from test_book_reference import compare_positions

    data = yaml.safe_load(EDITION.read_text(encoding="utf-8"))
    data["chapters"].append(yaml.safe_load(SEVENTH))
    data["rules"]["chapters"] = 7
    file = written(tmp_path, data)
    won = 0
    for index in range(scaled(40, 4)):
        table = build(7, 2, index, file)
        book = Book(read(file), 2, 7, index, {"first_seat": "first", "chapters": 7})
        story = book.play()
        question = next(story)
        chance = random.Random(index)
        while True:
            assert table.offered() == sorted(table.codes.code(option, book.chapter) for option in question.options)
            compare_positions(book, table, table.codes.kinds)
            challenges = [action for action in table.offered() if 8 <= action < 16]
            action = chance.choice(challenges or table.offered())
            answer = next(o for o in question.options if table.codes.code(o, book.chapter) == action)
            table.apply(action)
            try:
                question = story.send(answer)
            except StopIteration:
                break
        assert table.over
        assert (int(table.score()["winners"][0]) == 1) == (book.winner == "table")
        won += book.winner == "table"
    assert won


def test_a_chapter_may_be_added_by_a_scenario(load_scenario: Callable[..., Any], player_of: Callable[..., Any]) -> None:
    chapter = yaml.safe_load(SEVENTH)
    name = chapter.pop("id")
    data = {
        "game": "adventure-book",
        "seats": [{"strategy": "nearest"}],
        "components": {name: {"kind": "chapters", **chapter}},
        "rules": {"chapters": [7]},
        "seed": 1,
    }
    rows = player_of(load_scenario(data)).play(0, 4)
    assert (rows["chapter_7_turns"] > 0).all()
    assert (rows["chapter_1_turns"] < 0).all()


# ---------------------------------------------------------------- wrong editions


def wrong(*path: Any, value: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for part in path[:-1]:
            data = data[part]
        data[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (wrong("chapters", 0, "star", value="medow"), "space 'medow' is not known; did you mean \"meadow\"?"),
        (wrong("chapters", 0, "spaces", 0, "ways", 0, value="farmhouse"), "a way leads to another space"),
        (wrong("chapters", 0, "spaces", 1, "ways", value=["farmhouse"]), "is given twice"),
        (wrong("chapters", 1, "challenges", 0, "needs", 0, "figure", value="butter"), "figure 'butter' is not known"),
        (wrong("chapters", 2, "paths", 1, "elsewhere", value="rope-1"), "'rope-1' is not on the path"),
        (wrong("chapters", 3, "tiles", 0, "toll", value={"cost": ["love"]}), "needs an 'otherwise'"),
        (wrong("chapters", 4, "guards", "catch", 0, value="squad-2"), "'squad-2' is a guard itself"),
        (wrong("chapters", 1, "plot", 0, "numbers", value=[2]), "plot number 2 has two entries"),
        (wrong("chapters", 1, "plot", 0, "numbers", value=[9]), "no plot card has number 9"),
        (wrong("chapters", 1, "challenges", 0, "cost", 0, value="curage"), "expected one of courage"),
        (wrong("chapters", 1, "defeats", 0, "when", 0, "op", value="reach"), "op 'reach' is not known"),
        (wrong("rules", "chapters", value=[9]), "chapters"),
        (wrong("rules", "plot_cards", value=30), "the deck has 20 plot cards"),
        (wrong("story_cards", 1, "icon", value="courage"), "two kinds of Story cards have courage"),
    ],
)
def test_a_wrong_edition_is_one_line_with_its_place(
    change: Callable[[Any], None], message: str, tmp_path: Path, load_scenario: Callable[..., Any]
) -> None:
    data = copy.deepcopy(yaml.safe_load(EDITION.read_text(encoding="utf-8")))
    change(data)
    file = written(tmp_path, data)
    with pytest.raises(InputError) as caught:
        load_scenario({"game": "adventure-book", "edition": str(file), "seats": [{"strategy": "random"}], "seed": 1})
    problem = caught.value.problems[0]
    assert message in problem.message
    assert str(problem).startswith(str(problem.source))
    assert "edition.yaml:" in str(problem)
    assert problem.line
    assert problem.line > 1
    assert problem.column


@pytest.mark.parametrize("chapters", [[], [1, 1], [0], "6..1", "1..9", "all", 7])
def test_a_book_of_impossible_chapters_is_refused(chapters: Any, load_scenario: Callable[..., Any]) -> None:
    with pytest.raises(InputError):
        load_scenario(
            {"game": "adventure-book", "seats": [{"strategy": "random"}], "rules": {"chapters": chapters}, "seed": 1}
        )


# ---------------------------------------------------------------- the teams


@pytest.mark.skipif(not jit.ENABLED, reason="many games: only with JIT")
@pytest.mark.parametrize("team", ["nearest", "hoarder", "rusher", "saver", "spender"])
def test_every_team_completes_books_and_random_play_does_not(
    team: str, load_scenario: Callable[..., Any], player_of: Callable[..., Any]
) -> None:
    won = {}
    for name in (team, "random"):
        data = {"game": "adventure-book", "seats": [{"strategy": name}] * 2, "seed": 4}
        won[name] = float((player_of(load_scenario(data)).play(0, 200)["winners"] == 1).mean())
    assert won["random"] < 0.05
    assert won[team] > 0.3


def test_a_trace_tells_every_card_that_comes_to_a_hand_or_leaves_it() -> None:
    for game in range(3):
        found = trace.play(
            scenario.load(SCENARIOS / "adventure-book" / "two-players.yaml", strategies), game, strategies
        )
        hands: dict[int, Counter[str]] = {}
        given, checked, partner, begins = "", 0, 0, False
        for event in (event for part in (found["start"], *found["steps"]) for event in part["events"]):
            data, kind = event["data"], event["kind"]
            if kind in ("chapter", "turn"):
                begins = kind == "chapter"
            elif kind == "hand" and not begins:
                assert +hands[data["seat"]] == Counter(data["cards"]), event
                checked += 1
            elif kind == "hand":
                hands[data["seat"]] = Counter(data["cards"])
            elif kind == "draw":
                hands[data["seat"]].update(data["cards"])
            elif kind == "trade":
                partner = data["action"] - TRADE + 1
            elif kind in ("card", "special"):
                first = CARD if kind == "card" else SPECIAL
                card = [*ICONS, *SPECIALS][data["action"] - first]
                verb = event["parts"][1].split()[0]
                if verb == "gives":
                    given = card
                elif verb == "gets":
                    for seat, less, more in ((data["seat"], given, card), (partner, card, given)):
                        hands[seat][less] -= 1
                        hands[seat][more] += 1
                else:
                    hands[data["seat"]][card] += 1 if verb == "takes" else -1
        assert checked > 20
