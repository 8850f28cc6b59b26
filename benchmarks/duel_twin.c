/* The duel once more, by hand in C: the yardstick for the speed of the compiled Python kernels.
 *
 * Same step form (setup, legal, apply, score; a strategy behind a function pointer), same random streams, same
 * outcome columns as simcore/games/hate_to_kill_you, so that games must be equal one by one. Written as plain C:
 * one struct, no allocation, bit masks for hands and dice. `benchmarks/twin.py` compiles it and checks that
 * `Tab` and `Row` are laid out like the records it passes.
 *
 * Compile with -ffp-contract=off: fused multiply-adds would round the scripted players' gains differently. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SEATS = 2, CARDS = 24, EFFECTS = 3, DICE = 12, COLOURS = 6, FACES = 12, ACTIONS = 32 };
enum { DIE = 32, SLOTS = 16, DONE = 64, NO_CARD = 65, NONE = -1 };
enum { OP_NONE, CANCEL, DROP_CARD, DISCARD, REROLL, TURN, RESTORE };
enum { OWN, OPPONENT };
enum { SELF, OWNER, RANDOM };
enum { CHOOSE, PICK, LOSE, RESOLVE };
enum { MAIN, AFTER };
enum { CAPPED, WON };
enum { DICE_STREAM = SEATS, CARD_STREAM = 2 * SEATS, STREAMS = 2 * SEATS + 1 };

typedef struct {
    int16_t op, side, count, up_to, colours, faces, picker, to, roll_now, choice;
} Effect;

typedef struct {
    int32_t n_seats, side_of[SEATS], entry_of[SEATS];
    int32_t hits_to_win, round_cap, after_round, hit_discard, tie_discard, n_dice, dice_mask;
    uint8_t dice_colour[DICE];
    int8_t n_faces[COLOURS], faces[COLOURS][FACES];
    double mean_swords[COLOURS];
    int32_t n_cards[SEATS], deck[SEATS], kept[SEATS];
    int8_t rank[SEATS][CARDS], n_effects[SEATS][CARDS];
    Effect effects[SEATS][CARDS][EFFECTS];
} Tab;

typedef struct {
    int32_t winners, turns, rounds, decisions, seconds, reason, ties, lead_changes, margin, cancelled;
    int32_t hits[SEATS], bluffs[SEATS], dice_left[SEATS], cards_left[SEATS], first_hit[SEATS];
    uint32_t exposed[SEATS][3][4];
} Row;

typedef struct {
    uint64_t root, key, count;
} Stream;

typedef struct {
    int32_t hits, hand, chosen, todo, picked, lost, active, bluffs, played;
    bool cancelled, resolving, loses;
    int8_t swords[DICE];
} Seat;

typedef struct {
    Tab tab;
    int32_t seat, rounds, rank_done, step, asked;
    int32_t ties, lead_changes, leader, first_hit, n_cancelled;
    uint8_t over, phase, stage, reason;
    Seat seats[SEATS];
    Stream rng[STREAMS];
} State;

typedef int32_t Choose(State *state, int seat, const int32_t *actions, int n, const double *params);

#define EACH_BIT(index, mask) for (unsigned left_ = (mask), index; left_ && (index = __builtin_ctz(left_), 1); left_ &= left_ - 1)

/* ---- random streams ---- */

static inline uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint64_t derive(uint64_t key, uint64_t number)
{
    return mix(key + (number + 1) * 0x9E3779B97F4A7C15u);
}

static inline void rekey(Stream *stream, uint64_t number)
{
    stream->key = derive(stream->root, number);
    stream->count = 0;
}

static inline int below(Stream *stream, uint64_t bound)
{
    uint64_t number = stream->count++;
    uint64_t product = (derive(stream->key, number) >> 32) * bound;
    if ((uint32_t)product < bound) {
        uint32_t threshold = ((UINT64_C(1) << 32) - bound) % bound;
        while ((uint32_t)product < threshold) {
            number += UINT64_C(1) << 32;
            product = (derive(stream->key, number) >> 32) * bound;
        }
    }
    return (int)(product >> 32);
}

/* ---- effects ---- */

static inline const Effect *effect_of(const State *s, int seat)
{
    return &s->tab.effects[seat][s->seats[seat].chosen][s->step];
}

static inline bool has_effect(const State *s, int seat)
{
    const Seat *me = &s->seats[seat];
    return me->resolving && s->step < s->tab.n_effects[seat][me->chosen];
}

static inline int target_of(const Effect *e, int seat)
{
    return e->side == OWN ? seat : 1 - seat;
}

static inline int rank_of(const State *s, int seat)
{
    int card = s->seats[seat].chosen;
    return card == NO_CARD ? 0 : s->tab.rank[seat][card];
}

static int matching(const State *s, const Effect *e, int target, int pool)
{
    int found = 0;
    EACH_BIT(slot, pool)
        found |= (e->colours >> s->tab.dice_colour[slot] & e->faces >> s->seats[target].swords[slot] & 1) << slot;
    return found;
}

static int targets(const State *s, const Effect *e, int target)
{
    int active = s->seats[target].active;
    return matching(s, e, target, e->op == RESTORE ? s->tab.dice_mask & ~active : active);
}

static int candidates(const State *s, int seat)
{
    const Effect *e = effect_of(s, seat);
    int target = target_of(e, seat);
    int found = e->op == DROP_CARD ? s->seats[target].hand & ~s->tab.kept[target] : targets(s, e, target);
    return found & ~s->seats[seat].picked;
}

/* ---- the round ---- */

static inline void roll(State *s, int seat, int slot)
{
    int colour = s->tab.dice_colour[slot];
    s->seats[seat].swords[slot] = s->tab.faces[colour][below(&s->rng[DICE_STREAM + seat], s->tab.n_faces[colour])];
}

static void begin_round(State *s)
{
    s->rounds++;
    rekey(&s->rng[CARD_STREAM], s->rounds);
    for (int seat = 0; seat < SEATS; seat++) {
        Seat *me = &s->seats[seat];
        Stream *dice = &s->rng[DICE_STREAM + seat];
        rekey(dice, s->rounds);
        EACH_BIT(slot, me->active) {
            dice->count = slot;
            roll(s, seat, slot);
        }
        dice->count = DICE;
        me->chosen = NONE;
        me->cancelled = me->resolving = me->loses = false;
        me->todo = me->picked = 0;
        me->lost = NONE;
    }
    s->phase = CHOOSE;
}

static void reveal(State *s)
{
    for (int seat = 0; seat < SEATS; seat++) {
        Seat *me = &s->seats[seat];
        if (me->chosen == NO_CARD)
            continue;
        int bit = 1 << me->chosen;
        me->played |= bit;
        if (s->tab.kept[seat] & bit)
            me->bluffs++;
        else
            me->hand &= ~bit;
    }
    s->stage = MAIN;
    s->rank_done = 0;
    s->phase = RESOLVE;
}

static int total_swords(const State *s, int seat)
{
    int total = 0;
    EACH_BIT(slot, s->seats[seat].active) total += s->seats[seat].swords[slot];
    return total;
}

static void compare(State *s)
{
    int difference = total_swords(s, 0) - total_swords(s, 1);
    s->phase = LOSE;
    if (difference == 0) {
        s->ties++;
        s->seats[0].loses = s->seats[1].loses = s->tab.tie_discard;
        return;
    }
    int hitter = difference < 0;
    Seat *me = &s->seats[hitter];
    me->hits++;
    if (s->first_hit == NONE)
        s->first_hit = hitter;
    if (me->hits > s->seats[1 - hitter].hits) {
        s->lead_changes += s->leader == 1 - hitter;
        s->leader = hitter;
    }
    if (me->hits >= s->tab.hits_to_win) {
        s->reason = WON;
        s->over = 1;
    } else {
        me->loses = s->tab.hit_discard;
    }
}

static void end_round(State *s)
{
    if (s->rounds >= s->tab.round_cap)
        s->over = 1;
    else
        begin_round(s);
}

static int picks(const State *s, int seat, const Effect *e)
{
    if (e->op == CANCEL || (e->op == DROP_CARD && e->choice == RANDOM))
        return 0;
    int count = e->count;
    if (e->op == DISCARD) {
        int most = __builtin_popcount(s->seats[target_of(e, seat)].active) - 1;
        count = count < most ? count : most;
    }
    return count;
}

static void open_step(State *s, int step)
{
    bool busy = false;
    s->phase = PICK;
    s->step = step;
    for (int seat = 0; seat < SEATS; seat++) {
        Seat *me = &s->seats[seat];
        me->picked = me->todo = 0;
        if (has_effect(s, seat)) {
            busy = true;
            me->todo = picks(s, seat, effect_of(s, seat));
        }
    }
    if (!busy)
        s->phase = RESOLVE;
}

static void open_rank(State *s)
{
    int lowest = 0;
    for (int seat = 0; seat < SEATS; seat++) {
        int rank = rank_of(s, seat);
        bool in_stage = s->stage == AFTER ? rank >= s->tab.after_round : rank < s->tab.after_round;
        if (in_stage && rank > s->rank_done && !s->seats[seat].cancelled && (!lowest || rank < lowest))
            lowest = rank;
    }
    if (lowest == 0) {
        if (s->stage == MAIN)
            compare(s);
        else
            end_round(s);
        return;
    }
    s->rank_done = lowest;
    for (int seat = 0; seat < SEATS; seat++)
        s->seats[seat].resolving = rank_of(s, seat) == lowest && !s->seats[seat].cancelled;
    open_step(s, 0);
}

static void drop_cards(State *s, int seat, const Effect *e, int target)
{
    Seat *other = &s->seats[target];
    if (e->choice != RANDOM) {
        other->hand &= ~s->seats[seat].picked;
        return;
    }
    for (int i = 0; i < e->count; i++) {
        int mask = other->hand & ~s->tab.kept[target];
        if (!mask)
            return;
        for (int skip = below(&s->rng[CARD_STREAM], __builtin_popcount(mask)); skip > 0; skip--)
            mask &= mask - 1;
        other->hand &= ~(mask & -mask);
    }
}

static void change_die(State *s, const Effect *e, int target, int slot)
{
    Seat *owner = &s->seats[target];
    int bit = 1 << slot;
    if (e->op == RESTORE) {
        owner->active |= bit;
        owner->swords[slot] = 0;
        if (e->roll_now)
            roll(s, target, slot);
    } else if (owner->active & bit) {
        if (e->op == REROLL)
            roll(s, target, slot);
        else if (e->op == TURN)
            owner->swords[slot] = e->to;
        else if (owner->active != bit)
            owner->active &= ~bit;
    }
}

static void carry_out(State *s, int seat)
{
    const Effect *e = effect_of(s, seat);
    int target = target_of(e, seat);
    if (e->op == CANCEL) {
        Seat *other = &s->seats[1 - seat];
        if (!other->cancelled && rank_of(s, 1 - seat) > s->rank_done) {
            other->cancelled = true;
            s->n_cancelled++;
        }
    } else if (e->op == DROP_CARD) {
        drop_cards(s, seat, e, target);
    } else {
        EACH_BIT(slot, s->seats[seat].picked) change_die(s, e, target, slot);
    }
}

static void apply_step(State *s)
{
    bool first = has_effect(s, 0), second = has_effect(s, 1);
    if (first && second) {
        int swap = effect_of(s, 1)->op < effect_of(s, 0)->op;
        carry_out(s, swap);
        carry_out(s, 1 - swap);
    } else {
        carry_out(s, first ? 0 : 1);
    }
}

static bool ask_card(State *s)
{
    for (int seat = 0; seat < SEATS; seat++)
        if (s->seats[seat].chosen == NONE) {
            s->seat = seat;
            return true;
        }
    return false;
}

static bool ask_pick(State *s)
{
    for (int seat = 0; seat < SEATS; seat++) {
        Seat *me = &s->seats[seat];
        if (me->todo > 0) {
            if (candidates(s, seat)) {
                const Effect *e = effect_of(s, seat);
                int picker = e->op == DROP_CARD ? e->choice : e->picker;
                s->asked = seat;
                s->seat = picker == OWNER ? target_of(e, seat) : seat;
                return true;
            }
            me->todo = 0;
        }
    }
    return false;
}

static bool ask_loss(State *s)
{
    for (int seat = 0; seat < SEATS; seat++) {
        const Seat *me = &s->seats[seat];
        if (me->loses && me->lost == NONE && me->active & (me->active - 1)) {
            s->seat = seat;
            return true;
        }
    }
    return false;
}

static void discard_losses(State *s)
{
    for (int seat = 0; seat < SEATS; seat++)
        if (s->seats[seat].lost != NONE)
            s->seats[seat].active &= ~(1 << s->seats[seat].lost);
    s->stage = AFTER;
    s->phase = RESOLVE;
}

static void advance(State *s)
{
    while (!s->over)
        switch (s->phase) {
        case CHOOSE:
            if (ask_card(s))
                return;
            reveal(s);
            break;
        case RESOLVE:
            open_rank(s);
            break;
        case PICK:
            if (ask_pick(s))
                return;
            apply_step(s);
            open_step(s, s->step + 1);
            break;
        default:
            if (ask_loss(s))
                return;
            discard_losses(s);
        }
}

/* ---- the step machine ---- */

static void setup(State *s)
{
    memset((char *)s + offsetof(State, seat), 0, offsetof(State, rng) - offsetof(State, seat));
    s->reason = CAPPED;
    s->leader = s->first_hit = NONE;
    for (int seat = 0; seat < SEATS; seat++) {
        s->seats[seat].hand = s->tab.deck[seat];
        s->seats[seat].active = s->tab.dice_mask;
    }
    begin_round(s);
    advance(s);
}

static int losable(const State *s, int seat)
{
    const Seat *me = &s->seats[seat];
    int shows = 0;
    if (!(me->active & (me->active - 1)))
        return 0;
    EACH_BIT(slot, me->active) shows |= (me->swords[slot] > 0) << slot;
    return shows ? shows : me->active;
}

static int write_bits(int32_t *actions, int mask, int first)
{
    int n = 0;
    EACH_BIT(bit, mask) actions[n++] = first + bit;
    return n;
}

static int legal(const State *s, int32_t *actions)
{
    if (s->phase == CHOOSE) {
        actions[0] = NO_CARD;
        int n = write_bits(actions, s->seats[s->seat].hand, 0);
        return n ? n : 1;
    }
    if (s->phase == LOSE)
        return write_bits(actions, losable(s, s->seat), DIE + s->seat * SLOTS);
    const Effect *e = effect_of(s, s->asked);
    int first = e->op == DROP_CARD ? 0 : DIE + target_of(e, s->asked) * SLOTS;
    int n = write_bits(actions, candidates(s, s->asked), first);
    if (e->up_to)
        actions[n++] = DONE;
    return n;
}

static void apply(State *s, int action)
{
    if (s->phase == CHOOSE) {
        s->seats[s->seat].chosen = action;
    } else if (s->phase == PICK) {
        Seat *asked = &s->seats[s->asked];
        if (action == DONE) {
            asked->todo = 0;
        } else {
            asked->picked |= 1 << (action >= DIE ? action % SLOTS : action);
            asked->todo--;
        }
    } else {
        s->seats[s->seat].lost = action % SLOTS;
    }
    advance(s);
}

static void score(const State *s, Row *row)
{
    row->winners = 0;
    for (int seat = 0; seat < SEATS; seat++) {
        const Seat *me = &s->seats[seat];
        if (me->hits >= s->tab.hits_to_win)
            row->winners = 1 << seat;
        row->hits[seat] = me->hits;
        row->bluffs[seat] = me->bluffs;
        row->dice_left[seat] = __builtin_popcount(me->active);
        row->cards_left[seat] = __builtin_popcount(me->hand);
        row->first_hit[seat] = s->first_hit == seat;
        row->exposed[seat][0][0] = s->tab.deck[seat];
        row->exposed[seat][1][0] = me->hand;
        row->exposed[seat][2][0] = me->played;
    }
    row->turns = 2 * s->rounds;
    row->rounds = s->rounds;
    row->reason = s->reason;
    row->ties = s->ties;
    row->lead_changes = s->lead_changes;
    row->margin = abs(s->seats[0].hits - s->seats[1].hits);
    row->cancelled = s->n_cancelled;
}

/* ---- strategies ---- */

static int32_t play_random(State *s, int seat, const int32_t *actions, int n, const double *params)
{
    (void)params;
    return actions[below(&s->rng[seat], n)];
}

static inline double die_mean(const State *s, int slot)
{
    return s->tab.mean_swords[s->tab.dice_colour[slot]];
}

static double die_worth(const State *s, int seat, const Effect *e, int target, int slot, double now, double later)
{
    double swords = s->seats[target].swords[slot], mean = die_mean(s, slot), change = 0.0;
    if (e->op == REROLL)
        change = now * (mean - swords);
    else if (e->op == TURN)
        change = now * (e->to - swords);
    else if (e->op == DISCARD)
        change = -now * swords - later * mean;
    else if (e->op == RESTORE)
        change = (e->roll_now ? now + later : later) * mean;
    return target == seat ? change : -change;
}

static double effect_worth(const State *s, int seat, const Effect *e, double now, double later)
{
    bool lasts = e->op == DISCARD || e->op == RESTORE;
    if (e->op == CANCEL || e->op == DROP_CARD || (now == 0.0 && !lasts))
        return 0.0;
    int target = target_of(e, seat);
    int mask = targets(s, e, target);
    double sign = target != seat && e->picker == OWNER ? -1.0 : 1.0;
    double total = 0.0;
    for (int count = picks(s, seat, e); count > 0 && mask; count--) {
        double best = -99.0;
        int taken = 0;
        EACH_BIT(slot, mask) {
            double gain = sign * die_worth(s, seat, e, target, slot, now, later);
            if (gain > best) {
                best = gain;
                taken = slot;
            }
        }
        if (best <= 0.0 && e->up_to)
            break;
        mask &= ~(1 << taken);
        total += sign * best;
    }
    return total;
}

static double card_worth(const State *s, int seat, int card, double now, double later)
{
    double total = 0.0, this_round = s->tab.rank[seat][card] < s->tab.after_round ? now : 0.0;
    for (int step = 0; step < s->tab.n_effects[seat][card]; step++)
        total += effect_worth(s, seat, &s->tab.effects[seat][card][step], this_round, later);
    return total;
}

static double cards_worth(const State *s, int seat, int cards, int above)
{
    double total = 0.0;
    EACH_BIT(card, cards) {
        if (s->tab.rank[seat][card] > above) {
            double worth = card_worth(s, seat, card, 1.0, 1.0);
            total += worth > 0.0 ? worth : 0.0;
        }
    }
    return total;
}

static double denied(const State *s, int seat, int card, double stop, double later)
{
    double total = 0.0;
    for (int step = 0; step < s->tab.n_effects[seat][card]; step++) {
        const Effect *e = &s->tab.effects[seat][card][step];
        int whose = 1 - seat, cards = 0, above = 0;
        double weight = 0.0;
        if (e->op == CANCEL) {
            cards = s->seats[whose].hand;
            above = s->tab.rank[seat][card];
            weight = stop;
        } else if (e->op == DROP_CARD) {
            whose = target_of(e, seat);
            cards = s->seats[whose].hand & ~s->tab.kept[whose];
            int lost = __builtin_popcount(cards);
            weight = later * (e->count < lost ? e->count : lost);
        }
        if (cards && weight > 0.0) {
            double worth = weight * cards_worth(s, whose, cards, above) / __builtin_popcount(cards);
            total += whose != seat ? worth : -worth;
        }
    }
    return total;
}

static int32_t pick_die(const State *s, int seat, const int32_t *actions, int n)
{
    const Effect *e = effect_of(s, s->asked);
    int target = target_of(e, s->asked);
    double best_gain = -1e9;
    int32_t best = actions[0];
    for (int i = 0; i < n; i++) {
        double gain = 0.0;
        if (actions[i] < DIE) {
            gain = card_worth(s, target, actions[i], 1.0, 1.0) * (target == seat ? -1.0 : 1.0);
        } else if (actions[i] != DONE) {
            int slot = actions[i] % SLOTS;
            gain = die_worth(s, seat, e, target, slot, 1.0, 1.0);
            gain += 0.01 * (e->op == RESTORE || target != seat ? 1.0 : -1.0) * die_mean(s, slot);
        }
        if (gain > best_gain) {
            best_gain = gain;
            best = actions[i];
        }
    }
    return best;
}

static int32_t lose_die(const State *s, const int32_t *actions, int n)
{
    int32_t best = actions[0];
    for (int i = 1; i < n; i++)
        if (die_mean(s, actions[i] % SLOTS) < die_mean(s, best % SLOTS))
            best = actions[i];
    return best;
}

static int32_t best_card(const State *s, int seat, const int32_t *actions, int n, double now, double later, double stop)
{
    double most = -1e9;
    int32_t best = actions[0];
    for (int i = 0; i < n; i++) {
        double worth = 0.0;
        if (actions[i] != NO_CARD) {
            worth = card_worth(s, seat, actions[i], now, later) + denied(s, seat, actions[i], stop, later);
            if (s->tab.kept[seat] >> actions[i] & 1)
                worth += 0.001;
        }
        if (worth > most) {
            most = worth;
            best = actions[i];
        }
    }
    return best;
}

static int32_t play_greedy(State *s, int seat, const int32_t *actions, int n, const double *params)
{
    (void)params;
    if (s->phase == LOSE)
        return lose_die(s, actions, n);
    if (s->phase != CHOOSE)
        return pick_die(s, seat, actions, n);
    return best_card(s, seat, actions, n, 1.0, 1.0, 1.0);
}

static int32_t play_patient(State *s, int seat, const int32_t *actions, int n, const double *params)
{
    if (s->phase == LOSE)
        return lose_die(s, actions, n);
    if (s->phase != CHOOSE)
        return pick_die(s, seat, actions, n);
    int now = total_swords(s, seat) - total_swords(s, 1 - seat);
    if (now > 0)
        return best_card(s, seat, actions, n, 0.0, 1.0, 1.0);
    int32_t card = best_card(s, seat, actions, n, 1.0, 0.0, 0.0);
    double gain = card == NO_CARD ? 0.0 : card_worth(s, seat, card, 1.0, 0.0);
    if (gain > 0.0 && (double)now + gain + params[0] > 0.0)
        return card;
    return best_card(s, seat, actions, n, 0.0, 1.0, 0.0);
}

static Choose *const STRATEGIES[] = {play_random, play_greedy, play_patient};

/* ---- the driver; the only names that are visible from outside ---- */

size_t tab_size(void) { return sizeof(Tab); }
size_t row_size(void) { return sizeof(Row); }

/* Play `games` games first, first + step, ... into every `step`-th row; 0, or 1 after an answer not offered. */
int play_games(const Tab *tab, const int32_t *strategies, const double *params, int64_t width, uint64_t run_key,
               int64_t first, int64_t step, int64_t games, Row *rows)
{
    State state;
    int32_t actions[ACTIONS];
    state.tab = *tab;
    for (int64_t g = 0; g < games; g++) {
        int64_t index = first + g * step;
        uint64_t deal = derive(run_key, (uint64_t)(index / step));
        for (int stream = 0; stream < STREAMS; stream++) {
            uint64_t key = derive(deal, (uint64_t)stream);
            state.rng[stream] = (Stream){key, key, 0};
        }
        setup(&state);
        int32_t decisions = 0;
        while (!state.over) {
            int n = legal(&state, actions);
            int32_t action = actions[0];
            if (n > 1) {
                int seat = state.seat;
                action = STRATEGIES[strategies[seat]](&state, seat, actions, n, params + seat * width);
                decisions++;
                bool offered = false;
                for (int i = 0; i < n; i++)
                    offered |= actions[i] == action;
                if (!offered)
                    return 1;
            }
            apply(&state, action);
        }
        Row *row = &rows[g * step];
        memset(row, 0, sizeof *row);
        score(&state, row);
        row->decisions = decisions;
    }
    return 0;
}
