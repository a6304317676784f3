/* SPDX-License-Identifier: BSD-3-Clause */
/* two_level_moving.c - combinations that move blocks: allgather, gather, scatter, reduce-scatter.
 *
 * The parts come one after the other, each with the blocks of whole groups: a leader gathers its
 * group's, leaders exchange theirs, and so on. Blocks of a group are together where ranks are taken
 * by node, socket and core; where ranks alternate nodes or sockets a rank puts them in that order
 * before (what it gives) or after (what it has got), by copies in a round of their own. Groups of a
 * level all have one size, so that the blocks of each part have one, too. What a part leaves on a
 * leader has a place of its own in TEMP, behind the scratch of the parts. */
#include "workloads/schedules/algorithm_rows.h"
#include "workloads/schedules/two_level_parts.h"

/* Members of a team of level i. */
static int members_of(const struct schedule *s, int i)
{
    const struct combination *c = &s->combination;
    return level_count(&s->seats, c->chain[i]) / level_count(&s->seats, c->chain[i + 1]);
}

/* Ranks of a member of a team of level i. */
static uint64_t ranks_below(const struct schedule *s, int i)
{
    return (uint64_t)(s->procs / level_count(&s->seats, s->combination.chain[i]));
}

static uint64_t all_bytes(const struct schedule *s)
{
    return (uint64_t)s->procs * s->bytes;
}

/* Bytes of a part's call. */
static uint64_t part_bytes(const struct schedule *s, int p)
{
    const struct combined_part *part = &s->combination.part[p];
    return part->role == ROLE_ALL ? all_bytes(s) : ranks_below(s, part->team) * s->bytes;
}

static int make(const struct schedule *s, int p, int rank, struct piece *piece)
{
    return two_level_piece(s, p, rank, part_bytes(s, p), piece);
}

static int sizes_are_one(const struct schedule *s, int i)
{
    const struct combination *c = &s->combination;
    const int n = level_count(&s->seats, c->chain[i + 1]), members = members_of(s, i);
    for (int g = 0; g < n; g++) {
        const int rank = level_first(&s->seats, c->chain[i + 1], g);
        if (level_team(&s->seats, c->chain[i], c->chain[i + 1], -1, rank).n != members)
            return 0;
    }
    return members > 1;
}

static const char *moving_unfit(const struct schedule *s)
{
    const struct combination *c = &s->combination;
    const char *unknown = two_level_unknown(s);
    if (unknown)
        return unknown;
    if (s->blocks.sizes != SIZES_EQUAL)
        return "wants blocks of one size";
    for (int i = 0; i < c->levels; i++)
        if (!sizes_are_one(s, i))
            return "wants groups of one size, and more than one member in each";
    for (int p = 0; p < c->n; p++) {
        struct piece piece; /* teams differ in who leads: the root, or the first */
        if (make(s, p, 0, &piece) < 0 || make(s, p, s->root, &piece) < 0 ||
            make(s, p, s->procs - 1, &piece) < 0)
            return "one of its algorithms cannot run among the ranks of its level";
    }
    return NULL;
}

/* Ranks that do not fill one group after the other have blocks apart that belong together. */
static int is_in_order(const struct schedule *s)
{
    return strcmp(s->seats.mapping, "core") == 0;
}

/* Whether a rank gives, or gets, blocks for all. */
static int gives_all(const struct schedule *s, int rank)
{
    const struct collective_buffer *b = &s->collective->send;
    return b->amount == AMOUNT_EACH && (!b->root_only || rank == s->root);
}

static int gets_all(const struct schedule *s, int rank)
{
    const struct collective_buffer *b = &s->collective->recv;
    return b->amount == AMOUNT_EACH && (!b->root_only || rank == s->root);
}

/* What the parts read and write on a rank, and the end of TEMP. */
struct layout {
    struct op_places part[MOST_PARTS];
    uint64_t all, end; /* the vector in order, where it is in TEMP; bytes of TEMP */
};

static uint64_t take_room(struct layout *l, uint64_t bytes)
{
    const uint64_t at = l->end;
    l->end += bytes;
    return at;
}

static void put(struct op_places *w, enum op_buffer which, enum op_buffer buf, uint64_t at)
{
    w->buf[which] = buf;
    w->at[which] = at;
}

/* Where the result of a part goes on a member, and what the next part reads. */
static void place_result(const struct schedule *s, int p, int rank, const struct piece *piece,
                         struct layout *l, struct op_places *now)
{
    const struct combined_part *part = &s->combination.part[p];
    const int is_root = piece->member == piece->team.top;
    const int last = p + 1 == s->combination.n;
    const int vector = gets_all(s, rank), in_order = is_in_order(s);
    const uint64_t got = schedule_buffer_bytes(&piece->s, BUF_RECV, piece->member);
    if (part->role == ROLE_ALL && !s->collective->combines) {
        put(now, BUF_DATA, in_order ? BUF_RECV : BUF_TEMP, in_order ? 0 : l->all);
    } else if (part->role == ROLE_ACROSS && s->collective->recv.amount == AMOUNT_EACH) {
        put(now, BUF_RECV, in_order && vector ? BUF_RECV : BUF_TEMP, in_order ? 0 : l->all);
    } else if (last) {
        put(now, BUF_RECV, BUF_RECV, 0);
    } else if (got && (is_root || !algorithm_collective(part->alg)->recv.root_only)) {
        put(now, BUF_RECV, BUF_TEMP, take_room(l, got));
    }
}

static struct layout layout_of(const struct schedule *s, int rank)
{
    struct layout l = { .end = 0 };
    struct op_places now = { .buf = { BUF_DATA, BUF_SEND, BUF_RECV, BUF_TEMP } };
    struct piece piece;
    uint64_t scratch[MOST_PARTS] = { 0 };
    for (int p = 0; p < s->combination.n; p++) {
        make(s, p, rank, &piece);
        scratch[p] = l.end;
        if (piece.member >= 0)
            take_room(&l, schedule_temp_bytes(&piece.s, piece.member));
    }
    if (!is_in_order(s) && (gives_all(s, rank) || gets_all(s, rank)))
        l.all = take_room(&l, all_bytes(s));
    if (!is_in_order(s) && gives_all(s, rank))
        put(&now, BUF_SEND, BUF_TEMP, l.all);
    for (int p = 0; p < s->combination.n; p++) {
        make(s, p, rank, &piece);
        if (piece.member < 0)
            continue;
        put(&now, BUF_TEMP, BUF_TEMP, scratch[p]);
        place_result(s, p, rank, &piece, &l, &now);
        l.part[p] = now;
        put(&now, BUF_SEND, now.buf[BUF_RECV], now.at[BUF_RECV]);
    }
    return l;
}

static uint64_t moving_temp(const struct schedule *s, int rank)
{
    return layout_of(s, rank).end;
}

static uint64_t part_rounds(const struct schedule *s, int p, int rank)
{
    struct piece piece;
    make(s, p, rank, &piece);
    return piece.member < 0 ? 0 : schedule_rounds(&piece.s, piece.member);
}

/* A round in which a rank puts blocks in order, before the parts or after them. */
static int orders(const struct schedule *s, int has)
{
    return has && !is_in_order(s) && s->bytes > 0;
}

static uint64_t moving_rounds(const struct schedule *s, int rank)
{
    uint64_t n = (uint64_t)(orders(s, gives_all(s, rank)) + orders(s, gets_all(s, rank)));
    for (int p = 0; p < s->combination.n; p++)
        n += part_rounds(s, p, rank);
    return n;
}

/* Between the ranks' order and the groups'. */
static void add_copies(const struct schedule *s, int rank, int before, struct round *out)
{
    const uint64_t all = layout_of(s, rank).all;
    for (int r = 0; r < s->procs; r++) {
        const uint64_t by_rank = (uint64_t)r * s->bytes;
        const uint64_t by_group = (uint64_t)level_group(&s->seats, LEVEL_RANK, r) * s->bytes;
        if (before)
            round_copy(out, BUF_TEMP, all + by_group, BUF_SEND, by_rank, s->bytes);
        else
            round_copy(out, BUF_RECV, by_rank, BUF_TEMP, all + by_group, s->bytes);
    }
}

static void moving_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const uint64_t before = (uint64_t)orders(s, gives_all(s, rank));
    out->phase = 0;
    if (k < before) {
        add_copies(s, rank, 1, out);
        return;
    }
    k -= before;
    for (int p = 0; p < s->combination.n; p++) {
        const uint64_t n = part_rounds(s, p, rank);
        if (k < n) {
            const struct layout l = layout_of(s, rank);
            struct piece piece;
            make(s, p, rank, &piece);
            two_level_add_round(&piece, k, &l.part[p], out);
            out->phase = 0;
            return;
        }
        k -= n;
    }
    add_copies(s, rank, 0, out);
}

static const char *const allgather_pairs[] = { "binomial.ring",     "binomial.recursive_doubling",
                                               "binomial.neighbor", "binomial.bruck",
                                               "basic_linear.ring", NULL };
static const char *const gather_pairs[] = { "binomial.binomial", "basic_linear.basic_linear",
                                            "binomial.basic_linear", NULL };
static const char *const reduce_scatter_pairs[] = { "binomial.ring", "binomial.recursive_halving",
                                                    "binomial.butterfly", "rabenseifner.ring",
                                                    NULL };
static const char *const allgather_triples[] = { "binomial.binomial.ring",
                                                 "binomial.binomial.recursive_doubling", NULL };
static const char *const gather_triples[] = { "binomial.binomial.binomial", NULL };
static const char *const reduce_scatter_triples[] = { "binomial.binomial.ring", NULL };

#define MOVING(row_name, n, tried, flag, what)                                                     \
    {                                                                                              \
        .name = row_name, .help = what, .group = "levels", .levels = n,                            \
        .combine = two_level_combine, .usual = tried, .unfit = moving_unfit,                       \
        .rounds = moving_rounds, .round = moving_round, .temp_bytes = moving_temp                  \
    }

const struct algorithm allgather_levels[] =
    LEVEL_ROWS(MOVING, allgather_pairs, allgather_triples, 0);
const struct algorithm gather_levels[] = LEVEL_ROWS(MOVING, gather_pairs, gather_triples, 0);
const struct algorithm scatter_levels[] = LEVEL_ROWS(MOVING, gather_pairs, gather_triples, 0);
const struct algorithm reduce_scatter_levels[] =
    LEVEL_ROWS(MOVING, reduce_scatter_pairs, reduce_scatter_triples, 0);
