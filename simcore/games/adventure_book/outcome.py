"""The end: outcome rows and who held what."""

from __future__ import annotations

from typing import Any

from simcore.contract import ABSENT
from simcore.games.adventure_book.state import CHALLENGE_BIT, CHAPTERS, COMPLETED, DEALT, HELD, NONE, PLAYED
from simcore.jit import kernel, routine
from simcore.masks import lowest

ABSENT_METRIC = ABSENT


@routine
def score(state: Any, row: Any) -> None:
    """Write the outcome row: the table has won, or nobody."""
    tab = state.tab
    play = state.play
    row.winners = 1 if play.reason == COMPLETED else 0
    row.turns = play.turns
    row.rounds = play.rounds
    row.reason = play.reason
    row.chapters = play.at
    row.replay_in = ABSENT_METRIC if play.replay_in == NONE else play.replay_in + 1
    row.challenges = play.challenges
    row.specials_drawn = play.specials_drawn
    row.specials_played = play.specials_played
    row.miracles_taken = play.miracles_taken
    row.miracles_used = play.miracles_used
    row.trades = play.trades
    row.walked = play.walked
    row.cancelled = play.cancelled
    row.reshuffles = play.reshuffles
    write_chapters(state, row)
    for seat in range(tab.n_seats):
        expose(state, row, seat)


@routine
def measure(state: Any, chapter: int, out: Any) -> None:
    """Write the metrics of a chapter (7,) in the order of `state.PER_CHAPTER`.

    Absent are all of a chapter that was not reached, and a defeat that it does not have.
    """
    play = state.play
    if play.attempts[chapter] == 0:
        out[:] = ABSENT_METRIC
        return
    out[0] = play.won[chapter] and play.attempts[chapter] == 1
    out[1] = play.won[chapter] and play.attempts[chapter] > 1
    out[2] = play.turns_of[chapter]
    out[3] = play.plot_left[chapter]
    out[4:] = ABSENT_METRIC
    for cause in range(1 + state.tab.chapters[chapter].n_defeats):
        out[4 + cause] = play.lost[chapter, cause]


@routine
def write_chapters(state: Any, row: Any) -> None:
    """Write the metrics of each chapter; a record has no way to count its fields, so each stands here."""
    of = state.tmp.chapters
    for chapter in range(CHAPTERS):
        measure(state, chapter, of[chapter])
    row.chapter_1_won_first = of[0, 0]
    row.chapter_1_won_again = of[0, 1]
    row.chapter_1_turns = of[0, 2]
    row.chapter_1_plot_left = of[0, 3]
    row.chapter_1_lost_plot = of[0, 4]
    row.chapter_1_lost_own_1 = of[0, 5]
    row.chapter_1_lost_own_2 = of[0, 6]
    row.chapter_2_won_first = of[1, 0]
    row.chapter_2_won_again = of[1, 1]
    row.chapter_2_turns = of[1, 2]
    row.chapter_2_plot_left = of[1, 3]
    row.chapter_2_lost_plot = of[1, 4]
    row.chapter_2_lost_own_1 = of[1, 5]
    row.chapter_2_lost_own_2 = of[1, 6]
    row.chapter_3_won_first = of[2, 0]
    row.chapter_3_won_again = of[2, 1]
    row.chapter_3_turns = of[2, 2]
    row.chapter_3_plot_left = of[2, 3]
    row.chapter_3_lost_plot = of[2, 4]
    row.chapter_3_lost_own_1 = of[2, 5]
    row.chapter_3_lost_own_2 = of[2, 6]
    row.chapter_4_won_first = of[3, 0]
    row.chapter_4_won_again = of[3, 1]
    row.chapter_4_turns = of[3, 2]
    row.chapter_4_plot_left = of[3, 3]
    row.chapter_4_lost_plot = of[3, 4]
    row.chapter_4_lost_own_1 = of[3, 5]
    row.chapter_4_lost_own_2 = of[3, 6]
    row.chapter_5_won_first = of[4, 0]
    row.chapter_5_won_again = of[4, 1]
    row.chapter_5_turns = of[4, 2]
    row.chapter_5_plot_left = of[4, 3]
    row.chapter_5_lost_plot = of[4, 4]
    row.chapter_5_lost_own_1 = of[4, 5]
    row.chapter_5_lost_own_2 = of[4, 6]
    row.chapter_6_won_first = of[5, 0]
    row.chapter_6_won_again = of[5, 1]
    row.chapter_6_turns = of[5, 2]
    row.chapter_6_plot_left = of[5, 3]
    row.chapter_6_lost_plot = of[5, 4]
    row.chapter_6_lost_own_1 = of[5, 5]
    row.chapter_6_lost_own_2 = of[5, 6]
    row.chapter_7_won_first = of[6, 0]
    row.chapter_7_won_again = of[6, 1]
    row.chapter_7_turns = of[6, 2]
    row.chapter_7_plot_left = of[6, 3]
    row.chapter_7_lost_plot = of[6, 4]
    row.chapter_7_lost_own_1 = of[6, 5]
    row.chapter_7_lost_own_2 = of[6, 6]
    row.chapter_8_won_first = of[7, 0]
    row.chapter_8_won_again = of[7, 1]
    row.chapter_8_turns = of[7, 2]
    row.chapter_8_plot_left = of[7, 3]
    row.chapter_8_lost_plot = of[7, 4]
    row.chapter_8_lost_own_1 = of[7, 5]
    row.chapter_8_lost_own_2 = of[7, 6]


@routine
def expose(state: Any, row: Any, seat: int) -> None:
    """Write which kinds of cards a seat was dealt, held at the end and spent, and the challenges it completed."""
    play = state.play
    for kind in range(state.tab.n_kinds):
        if state.log.dealt[seat] >> kind & 1:
            mark(row, seat, DEALT, kind)
        if play.hand[seat, kind]:
            mark(row, seat, HELD, kind)
        if state.log.spent[seat] >> kind & 1:
            mark(row, seat, PLAYED, kind)
    left = play.completed[seat]
    while left:
        mark(row, seat, PLAYED, CHALLENGE_BIT + lowest(left))
        left &= left - 1


@kernel
def mark(row: Any, seat: int, exposure: int, bit: int) -> None:
    """Set a bit of an exposure mask."""
    row.exposed[seat, exposure, bit >> 5] |= 1 << (bit & 31)
