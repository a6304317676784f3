/* SPDX-License-Identifier: BSD-3-Clause */
/* two_level.c - the rounds of a combination are those of its parts. Segment j of the call is with
 * part p in block j + p: a block's rounds are, of each lane, the first rounds of all its parts
 * together, their second rounds together, and so on. No two parts of a lane have a pair of ranks in
 * common, as teams of different levels share at most one rank; so messages match, and a rank that
 * waits for one level holds up another no more than it would in a program that goes through both.
 */
#include "workloads/schedules/algorithm_rows.h"
#include "workloads/schedules/two_level.h"

#include "harness/base/suggest.h"
#include "workloads/schedules/two_level_parts.h"

/* The next word up to a dot; 0: there is none, or it is too long. */
static int next_word(const char **text, char word[MOST_NAME])
{
    const size_t n = strcspn(*text, ".");
    if (n == 0 || n >= MOST_NAME)
        return 0;
    memcpy(word, *text, n);
    word[n] = '\0';
    *text += n + ((*text)[n] == '.');
    return 1;
}

enum { MOST_FANOUT = 1 << 20 };

static int find_level(const char *word)
{
    for (int l = LEVEL_CACHE; l < LEVEL_ALL; l++)
        if (strcmp(level_name((enum level)l), word) == 0)
            return l;
    return -1;
}

/* Words with dots between; an empty one counts. */
static int count_words(const char *text)
{
    int n = *text != '\0';
    for (; *text; text++)
        n += *text == '.';
    return n;
}

/* Levels named first, from small to large; else those of the row. */
static int parse_chain(const char **text, int levels, struct combination *c, struct err *err)
{
    static const enum level usual[][2] = { { LEVEL_NODE }, { LEVEL_SOCKET, LEVEL_NODE } };
    char word[MOST_NAME] = "";
    int n = 0;
    c->levels = levels;
    c->chain[levels] = LEVEL_ALL;
    for (int i = 0; i + 1 < levels; i++)
        c->chain[i + 1] = usual[levels - 2][i];
    for (const char *rest = *text; next_word(&rest, word) && find_level(word) >= 0; *text = rest) {
        if (++n >= levels)
            return err_usage(err, "'%s' is a level too many (want %d, or none)", word, levels - 1);
        c->chain[n] = (enum level)find_level(word);
    }
    for (int i = 1; i < levels && n; i++)
        if (n == levels - 1 && c->chain[i] <= c->chain[i - 1])
            return err_usage(err, "levels go from small to large: cache, socket, node, switch");
    if (count_words(*text) == levels + (levels - 1 - n) && n < levels - 1)
        return err_usage(err,
                         "'%s' is not a level (want cache, socket, node or switch, then %d "
                         "algorithms)",
                         word, levels);
    return n == 0 || n == levels - 1
               ? 0
               : err_usage(err, "%d level is named (want %d, or none)", n, levels - 1);
}

/* Takes "-k4" and "-s8K" from the end of an algorithm's name, each once and more than 0. */
static int parse_parameters(char *word, struct combined_part *part, struct err *err)
{
    for (char *dash; (dash = strrchr(word, '-')) && (dash[1] == 'k' || dash[1] == 's') &&
                     dash[2] >= '0' && dash[2] <= '9';
         *dash = '\0') {
        uint64_t value;
        const int is_fanout = dash[1] == 'k';
        const int is_none = parse_bytes(dash + 2, &value, NULL) < 0 || value == 0;
        if (is_fanout && (is_none || value > MOST_FANOUT))
            return err_usage(err, "'%s': '%s' is no fan-out (want -k1 to -k%d)", word, dash,
                             MOST_FANOUT);
        if (is_none)
            return err_usage(err, "'%s': '%s' is no segment size (want -s1 or more)", word, dash);
        if (is_fanout ? part->fanout > 0 : part->segment_bytes > 0)
            return err_usage(err, "'%s': -%c is there twice", word, dash[1]);
        if (is_fanout)
            part->fanout = (int)value;
        else
            part->segment_bytes = value;
    }
    return 0;
}

/* By name; a linear reduction is "linear", a linear broadcast "basic_linear". No combination. */
static const struct algorithm *find_part(const char *collective, const char *name)
{
    const struct algorithm *a = algorithm_find(collective, name);
    if (!a && strcmp(name, "basic_linear") == 0)
        a = algorithm_find(collective, "linear");
    if (!a && strcmp(name, "linear") == 0)
        a = algorithm_find(collective, "basic_linear");
    return a && !a->levels ? a : NULL;
}

/* The word's algorithm of a collective becomes the next part. */
static int add_part(struct combination *c, const struct combined_part *like,
                    const struct algorithm *alg, int lane, int rises)
{
    struct combined_part *p = &c->part[c->n];
    if (!alg)
        return -1;
    *p = *like;
    p->alg = alg;
    p->lane = lane;
    p->rises = rises;
    p->fanout = alg->default_fanout ? p->fanout : 0;
    p->segment_bytes = alg->segmented ? p->segment_bytes : 0;
    c->n++;
    return 0;
}

struct named {
    char word[MOST_COMBINED][MOST_NAME];
    struct combined_part like[MOST_COMBINED];
};

/* Up, across, down of an allreduce. */
static int add_allreduce(struct combination *c, const struct named *named,
                         const struct collective *of)
{
    const int top = c->levels - 1;
    int bad = 0;
    for (int i = 0; i < top; i++) {
        const struct algorithm *a = find_part(of->up, named->word[i]);
        bad |= add_part(c, &named->like[i], a ? a : find_part(of->name, named->word[i]), 0, 1);
    }
    bad |= add_part(c, &named->like[top], find_part(of->name, named->word[top]), 0, 1);
    for (int i = top - 1; i >= 0; i--) {
        const struct algorithm *a = find_part(of->down, named->word[i]);
        const int both = a && find_part(of->up, named->word[i]);
        bad |= add_part(c, &named->like[i], both ? a : find_part(of->down, "binomial"), 1, 0);
    }
    return bad;
}

/* The same algorithms up, across and down. */
static int add_barrier(struct combination *c, const struct named *named,
                       const struct collective *of)
{
    int bad = 0;
    for (int i = 0; i < c->levels; i++)
        bad |= add_part(c, &named->like[i], find_part(of->name, named->word[i]), 0, 1);
    for (int i = c->levels - 2; i >= 0; i--)
        bad |= add_part(c, &named->like[i], find_part(of->name, named->word[i]), 1, 0);
    return bad;
}

static int add_one_way(struct combination *c, const struct named *named,
                       const struct collective *of)
{
    const int rises = of->recv.root_only;
    int bad = 0;
    for (int k = 0; k < c->levels; k++) {
        const int i = rises ? k : c->levels - 1 - k;
        bad |= add_part(c, &named->like[i], find_part(of->name, named->word[i]), 0, rises);
    }
    return bad;
}

/* An algorithm of one of two collectives, or of both: the other one's place takes a binomial tree.
 * NULL: of neither. */
static const struct algorithm *either(const char *collective, const char *other, const char *name)
{
    const struct algorithm *a = find_part(collective, name);
    return a ? a : find_part(other, name) ? find_part(collective, "binomial") : NULL;
}

static void set_role(struct combination *c, enum combined_role role)
{
    c->part[c->n - 1].role = role;
}

/* Up by the inner names' gathers (reductions), across, and down by their broadcasts (scatters). */
static int add_moving(struct combination *c, const struct named *named, const struct collective *of)
{
    const int top = c->levels - 1, sums = of->combines;
    int bad = 0;
    for (int i = 0; i < top && !bad; i++) {
        bad |= add_part(c, &named->like[i], either(of->up, of->down, named->word[i]), 0, 1);
        set_role(c, sums ? ROLE_ALL : ROLE_GATHER);
    }
    bad = bad || add_part(c, &named->like[top], find_part(of->name, named->word[top]), 0, 1);
    set_role(c, ROLE_ACROSS);
    for (int i = top - 1; i >= 0 && !bad; i--) {
        bad |= add_part(c, &named->like[i], either(of->down, of->up, named->word[i]), 0, 0);
        set_role(c, sums ? ROLE_SCATTER : ROLE_ALL);
    }
    return bad ? -1 : 0;
}

/* Up to the root, or down from it; at the top between leaders alone. */
static int add_rooted_moving(struct combination *c, const struct named *named,
                             const struct collective *of)
{
    const int status = add_one_way(c, named, of);
    for (int p = 0; p < c->n; p++) {
        struct combined_part *part = &c->part[p];
        part->role = part->team == c->levels - 1 ? ROLE_ACROSS
                     : part->rises               ? ROLE_GATHER
                                                 : ROLE_SCATTER;
    }
    return status;
}

static int has_blocks(const struct collective *c)
{
    return c->send.amount == AMOUNT_EACH || c->recv.amount == AMOUNT_EACH;
}

static int add_parts(struct combination *c, const struct named *named, const struct collective *of)
{
    if (of->up)
        return has_blocks(of) ? add_moving(c, named, of) : add_allreduce(c, named, of);
    if (has_blocks(of))
        return add_rooted_moving(c, named, of);
    return of->source == FROM_NOBODY ? add_barrier(c, named, of) : add_one_way(c, named, of);
}

/* Of which collectives a level's name may be: one, or NULL behind it, or either. */
static void collectives_at(const struct algorithm *row, int is_top, const char *of[2])
{
    const struct collective *c = algorithm_collective(row);
    const int is_inner = !is_top && c->up;
    of[0] = is_inner ? c->up : c->name;
    of[1] = !is_inner ? NULL : has_blocks(c) ? c->down : c->name;
}

/* Says which of the names is no algorithm of its level, and what may be meant. */
static int refuse_name(const struct algorithm *row, const struct named *named, struct err *err)
{
    for (int i = 0; i < row->levels; i++) {
        const char *of[2];
        struct suggest m;
        collectives_at(row, i == row->levels - 1, of);
        if (find_part(of[0], named->word[i]) || (of[1] && find_part(of[1], named->word[i])))
            continue;
        err_usage(err, "'%s' is not an algorithm of %s%s%s", named->word[i], of[0],
                  of[1] ? " or " : "", of[1] ? of[1] : "");
        suggest_init(&m, named->word[i]);
        for (int k = 0; k < 2 && of[k]; k++)
            for (const struct algorithm *a = NULL;
                 (a = collective_algorithm(collective_find(of[k]), a));)
                if (!a->levels)
                    suggest_try(&m, a->name);
        return suggest_add(&m, err);
    }
    return err_usage(err, "%s takes no such algorithms", row->name);
}

/* Each fan-out and segment that is named is one that some algorithm of the level takes: 0; else -1.
 */
static int check_taken(const struct combination *c, const struct named *named, struct err *err)
{
    for (int i = 0; i < c->levels; i++) {
        int fanout = !named->like[i].fanout, segment = !named->like[i].segment_bytes;
        for (int p = 0; p < c->n; p++)
            if (c->part[p].team == i) {
                fanout |= c->part[p].fanout > 0;
                segment |= c->part[p].segment_bytes > 0;
            }
        if (!fanout || !segment)
            return err_usage(err, "'%s' takes no %s", named->word[i],
                             fanout ? "segments (-s)" : "fan-out (-k)");
    }
    return 0;
}

int two_level_combine(const struct algorithm *row, const char *text, struct combination *c,
                      struct err *err)
{
    struct named named = { .word = { "" } };
    *c = (struct combination){ .text = text };
    if (strlen(row->name) + 1 + strlen(text) > MOST_NAME)
        return err_usage(err, "a name of more than %d letters", MOST_NAME);
    if (parse_chain(&text, row->levels, c, err) < 0)
        return -1;
    const int words = count_words(text);
    for (int i = 0; i < c->levels; i++) {
        named.like[i].team = i;
        if (words != c->levels || !next_word(&text, named.word[i]))
            return err_usage(err, "want %d algorithms of %s with dots between, as in %s.%s",
                             c->levels, algorithm_collective(row)->name, row->name,
                             c->levels == 2 ? "NAME.NAME" : "NAME.NAME.NAME");
        if (parse_parameters(named.word[i], &named.like[i], err) < 0)
            return -1;
    }
    return add_parts(c, &named, algorithm_collective(row)) < 0 ? refuse_name(row, &named, err)
                                                               : check_taken(c, &named, err);
}

static struct part segment_at(const struct schedule *s, uint64_t segment)
{
    const struct part all = whole(s);
    return segment_of(&all, segment);
}

static int root_of(const struct schedule *s)
{
    return s->collective->rooted ? s->root : -1;
}

static struct level_team team_at(const struct schedule *s, const struct combined_part *p, int rank)
{
    const struct combination *c = &s->combination;
    return level_team(&s->seats, c->chain[p->team], c->chain[p->team + 1], root_of(s), rank);
}

int two_level_piece(const struct schedule *s, int p, int rank, uint64_t bytes, struct piece *piece)
{
    const struct combined_part *part = &s->combination.part[p];
    piece->team = team_at(s, part, rank);
    piece->member = level_member(&piece->team, rank);
    const struct schedule_arguments a = { .procs = piece->team.n,
                                          .root = algorithm_collective(part->alg)->rooted
                                                      ? piece->team.top
                                                      : 0,
                                          .bytes = bytes,
                                          .segment_bytes = part->segment_bytes,
                                          .fanout = part->fanout,
                                          .element_bytes = s->element_bytes };
    return schedule_make(&piece->s, part->alg, &a, NULL);
}

/* Whether a rank passes through: nothing is combined by its team alone, but at the top. */
static int is_skipped(const struct schedule *s, int p, const struct piece *piece)
{
    const struct combined_part *part = &s->combination.part[p];
    return piece->member < 0 || (piece->team.n == 1 && part->team < s->combination.levels - 1);
}

static uint64_t piece_rounds(const struct schedule *s, int p, int rank, uint64_t bytes)
{
    struct piece piece;
    two_level_piece(s, p, rank, bytes, &piece);
    return is_skipped(s, p, &piece) ? 0 : schedule_rounds(&piece.s, piece.member);
}

/* Whether an algorithm runs in every team: of each size that there is, with the root in it or not.
 */
static int parts_fit(const struct schedule *s, int p)
{
    const struct combination *c = &s->combination;
    const enum level above = c->chain[c->part[p].team + 1];
    const int n = level_count(&s->seats, above);
    const int root_group = level_group(&s->seats, above, s->root);
    int before = -1;
    for (int i = 0; i < n; i++) {
        const int rank = level_first(&s->seats, above, i);
        const int size = team_at(s, &c->part[p], rank).n;
        struct piece piece;
        if ((size != before || i == root_group) &&
            (two_level_piece(s, p, rank, segment_at(s, 0).bytes, &piece) < 0 ||
             two_level_piece(s, p, rank, segment_at(s, s->segments - 1).bytes, &piece) < 0))
            return 0;
        before = size;
    }
    return 1;
}

const char *two_level_unknown(const struct schedule *s)
{
    const struct combination *c = &s->combination;
    if (s->seats.procs == 0)
        return "wants to know on which node each rank is";
    for (int i = 1; i < c->levels; i++)
        if (!level_known(&s->seats, c->chain[i]))
            return "wants to know on which socket each rank is";
    return NULL;
}

const char *two_level_unfit(const struct schedule *s)
{
    const struct combination *c = &s->combination;
    const char *unknown = two_level_unknown(s);
    if (unknown)
        return unknown;
    for (int p = 0; p < c->n; p++)
        if (!parts_fit(s, p))
            return "one of its algorithms cannot run among the ranks of its level";
    return NULL;
}

int two_level_idle(const struct schedule *s, struct err *why)
{
    const struct combination *c = &s->combination;
    for (int i = 0; c->text && s->alg->levels && i < c->levels; i++) {
        const enum level below = c->chain[i], above = c->chain[i + 1];
        if (level_count(&s->seats, below) != level_count(&s->seats, above))
            continue;
        return above == LEVEL_ALL
                   ? err_set(why, "all ranks are on one %s: its outer algorithm has nothing to do",
                             level_name(below))
                   : err_set(why,
                             "no %s has more than one %s%s: the algorithm of that level "
                             "has nothing to do",
                             level_name(above), below == LEVEL_RANK ? "rank" : level_name(below),
                             below == LEVEL_RANK ? "" : " with ranks");
    }
    return 0;
}

/* Rounds of each part, of a full segment and of the last one. */
struct lengths {
    uint64_t full[MOST_PARTS], last[MOST_PARTS];
};

static struct lengths lengths_of(const struct schedule *s, int rank)
{
    struct lengths l = { { 0 }, { 0 } };
    const uint64_t first = segment_at(s, 0).bytes, last = segment_at(s, s->segments - 1).bytes;
    for (int p = 0; p < s->combination.n; p++) {
        l.full[p] = piece_rounds(s, p, rank, first);
        l.last[p] = last == first ? l.full[p] : piece_rounds(s, p, rank, last);
    }
    return l;
}

/* Whether part p works in a block, and the segment it works on. */
static int works(const struct schedule *s, int p, uint64_t block, uint64_t *segment)
{
    *segment = block - (uint64_t)p;
    return block >= (uint64_t)p && *segment < s->segments;
}

static uint64_t lane_rounds(const struct schedule *s, const struct lengths *l, int lane,
                            uint64_t block)
{
    uint64_t most = 0, segment;
    for (int p = 0; p < s->combination.n; p++)
        if (s->combination.part[p].lane == lane && works(s, p, block, &segment)) {
            const uint64_t n = segment + 1 == s->segments ? l->last[p] : l->full[p];
            most = n > most ? n : most;
        }
    return most;
}

static uint64_t block_rounds(const struct schedule *s, const struct lengths *l, uint64_t block)
{
    return lane_rounds(s, l, 0, block) + lane_rounds(s, l, 1, block);
}

/* Blocks from one on that are alike: all parts work, none on the last segment. */
static uint64_t alike(const struct schedule *s, uint64_t block)
{
    const uint64_t first = (uint64_t)s->combination.n - 1, end = s->segments - 1;
    return block >= first && block < end ? end - block : 1;
}

uint64_t two_level_rounds(const struct schedule *s, int rank)
{
    const struct lengths l = lengths_of(s, rank);
    uint64_t sum = 0;
    for (uint64_t b = 0; b < s->segments + (uint64_t)s->combination.n - 1; b += alike(s, b))
        sum += alike(s, b) * block_rounds(s, &l, b);
    return sum;
}

/* ---- where things are: sums of each level behind the scratch of the parts ---- */

static uint64_t scratch_of(const struct schedule *s, int p, int rank)
{
    uint64_t most = 0;
    for (int i = 0; i < 2; i++) {
        struct piece piece;
        two_level_piece(s, p, rank, segment_at(s, i ? s->segments - 1 : 0).bytes, &piece);
        if (!is_skipped(s, p, &piece) && schedule_temp_bytes(&piece.s, piece.member) > most)
            most = schedule_temp_bytes(&piece.s, piece.member);
    }
    return most;
}

static uint64_t scratch_before(const struct schedule *s, int p, int rank)
{
    uint64_t sum = 0;
    for (int i = 0; i < p; i++)
        sum += scratch_of(s, i, rank);
    return sum;
}

/* Whether part p leaves a sum of its own on a rank: it combines, and others go on from there. */
static int leaves_sum(const struct schedule *s, int p, int rank)
{
    const struct combined_part *part = &s->combination.part[p];
    const struct level_team team = team_at(s, part, rank);
    const int member = level_member(&team, rank);
    const int has = member == team.top || !algorithm_collective(part->alg)->recv.root_only;
    return s->collective->combines && part->rises &&
           !(p + 1 == s->combination.n || !s->combination.part[p + 1].rises) && team.n > 1 &&
           member >= 0 && has;
}

uint64_t two_level_temp(const struct schedule *s, int rank)
{
    uint64_t sum = scratch_before(s, s->combination.n, rank);
    for (int p = 0; p < s->combination.n; p++)
        sum += leaves_sum(s, p, rank) ? s->bytes : 0;
    return sum;
}

/* Where the sum of part p stands, p one that leaves a sum. */
static uint64_t sum_at(const struct schedule *s, int p, int rank)
{
    uint64_t at = scratch_before(s, s->combination.n, rank);
    for (int i = 0; i < p; i++)
        at += leaves_sum(s, i, rank) ? s->bytes : 0;
    return at;
}

static struct op_places places_of(const struct schedule *s, int p, int rank, uint64_t offset)
{
    struct op_places w = { .buf = { BUF_DATA, BUF_SEND, BUF_RECV, BUF_TEMP },
                           .at = { offset, offset, offset, scratch_before(s, p, rank) } };
    if (!s->collective->combines)
        return w;
    w.buf[BUF_DATA] = BUF_RECV; /* down again */
    for (int i = 0; i < p; i++)
        if (leaves_sum(s, i, rank)) {
            w.buf[BUF_SEND] = BUF_TEMP;
            w.at[BUF_SEND] = sum_at(s, i, rank) + offset;
        }
    if (leaves_sum(s, p, rank)) {
        w.buf[BUF_RECV] = BUF_TEMP;
        w.at[BUF_RECV] = sum_at(s, p, rank) + offset;
    }
    return w;
}

void two_level_add_round(const struct piece *piece, uint64_t k, const struct op_places *w,
                         struct round *out)
{
    const size_t first = out->n;
    schedule_add_round(&piece->s, piece->member, k, out);
    round_move(out, first, w);
    for (size_t i = first; i < out->n; i++)
        if (out->ops[i].kind == OP_SEND || out->ops[i].kind == OP_RECV)
            out->ops[i].peer = level_rank(&piece->team, out->ops[i].peer);
}

/* Adds round k of a part with a segment, if it has so many. */
static void add_round(const struct schedule *s, int p, int rank, uint64_t segment, uint64_t k,
                      struct round *out)
{
    const struct part part = segment_at(s, segment);
    struct piece piece;
    two_level_piece(s, p, rank, part.bytes, &piece);
    if (is_skipped(s, p, &piece) || k >= schedule_rounds(&piece.s, piece.member))
        return;
    const struct op_places w = places_of(s, p, rank, part.offset);
    two_level_add_round(&piece, k, &w, out);
}

void two_level_round(const struct schedule *s, int rank, uint64_t k, struct round *out)
{
    const struct lengths l = lengths_of(s, rank);
    uint64_t block = 0, segment;
    for (uint64_t n; k >= (n = block_rounds(s, &l, block)) * alike(s, block);) {
        k -= n * alike(s, block);
        block += alike(s, block);
    }
    const uint64_t n = block_rounds(s, &l, block);
    block += k / n;
    k %= n;
    const uint64_t up = lane_rounds(s, &l, 0, block);
    const int lane = k >= up;
    for (int p = 0; p < s->combination.n; p++)
        if (s->combination.part[p].lane == lane && works(s, p, block, &segment))
            add_round(s, p, rank, segment, lane ? k - up : k, out);
    out->phase = 0; /* stages of different levels go on beside each other */
}

/* What is tried of "two_level.*": a few of each kind. No measurement chose them. */
static const char *const bcast_pairs[] = { "binomial.binomial",
                                           "binomial.binary_tree",
                                           "binomial.pipeline",
                                           "binomial.scatter_allgather",
                                           "scatter_allgather.scatter_allgather",
                                           NULL };
static const char *const reduce_pairs[] = { "binomial.binomial",     "binomial.binary",
                                            "binomial.pipeline",     "binomial.rabenseifner",
                                            "rabenseifner.binomial", NULL };
static const char *const allreduce_pairs[] = {
    "binomial.recursive_doubling", "binomial.ring",
    "binomial.rabenseifner",       "recursive_doubling.recursive_doubling",
    "rabenseifner.rabenseifner",   NULL
};
static const char *const barrier_pairs[] = { "linear.bruck", "tree.bruck",
                                             "recursive_doubling.recursive_doubling", NULL };

/* Of "three_level.*". */
static const char *const bcast_triples[] = { "binomial.binomial.binomial",
                                             "binomial.binomial.scatter_allgather",
                                             "binomial.binomial.pipeline", NULL };
static const char *const reduce_triples[] = { "binomial.binomial.binomial",
                                              "binomial.binomial.rabenseifner", NULL };
static const char *const allreduce_triples[] = { "binomial.binomial.recursive_doubling",
                                                 "binomial.binomial.ring", NULL };
static const char *const barrier_triples[] = { "linear.linear.bruck", "tree.tree.bruck", NULL };

#define COMBINATION(row_name, n, tried, has_segments, what)                                        \
    {                                                                                              \
        .name = row_name, .help = what, .group = "levels", .segmented = has_segments, .levels = n, \
        .combine = two_level_combine, .usual = tried, .unfit = two_level_unfit,                    \
        .rounds = two_level_rounds, .round = two_level_round, .temp_bytes = two_level_temp         \
    }

const struct algorithm bcast_levels[] = LEVEL_ROWS(COMBINATION, bcast_pairs, bcast_triples, 1);
const struct algorithm reduce_levels[] = LEVEL_ROWS(COMBINATION, reduce_pairs, reduce_triples, 1);
const struct algorithm allreduce_levels[] =
    LEVEL_ROWS(COMBINATION, allreduce_pairs, allreduce_triples, 1);
const struct algorithm barrier_levels[] =
    LEVEL_ROWS(COMBINATION, barrier_pairs, barrier_triples, 0);
