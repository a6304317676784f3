/* SPDX-License-Identifier: BSD-3-Clause */
/* schedules-t.c - shapes, order, substitutions and arguments of the schedules. Expected trees are
 * those drawn in the comments of Open MPI 4.1.4's coll_base_topo.c, or counted by hand from its
 * code. That schedules are right is prove-t's claim; that their traffic is the library's is tested
 * with MPI. */
#include "tests/tap.h"
#include "workloads/schedules/schedule.h"
#include "workloads/schedules/trees.h"

/* ---- trees ---- */

/* "0:1,2 1:3,5 …" for all ranks that have children. */
static void list_children(const struct tree *tree, int procs, int k, char *text, size_t size)
{
    size_t len = 0;
    text[0] = '\0';
    for (int v = 0; v < procs; v++)
        for (int i = 0, c; (c = tree->child(procs, k, v, i)) >= 0 && len < size; i++)
            if (i == 0)
                len += (size_t)snprintf(text + len, size - len, "%s%d:%d", len ? " " : "", v, c);
            else
                len += (size_t)snprintf(text + len, size - len, ",%d", c);
}

static const struct {
    const struct tree *tree;
    int procs, k;
    const char *children;
} shapes[] = {
    { &tree_binary, 7, 0, "0:1,2 1:3,5 2:4,6" },
    { &tree_binary, 12, 0, "0:1,2 1:3,5 2:4,6 3:7,11 4:8 5:9 6:10" },
    { &tree_binomial, 2, 0, "0:1" },
    { &tree_binomial, 8, 0, "0:1,2,4 1:3,5 2:6 3:7" },
    { &tree_binomial, 6, 0, "0:1,2,4 1:3,5" },
    { &tree_binomial_low, 8, 0, "0:4,2,1 2:3 4:6,5 6:7" },
    { &tree_binomial_low, 6, 0, "0:4,2,1 2:3 4:5" },
    { &tree_knomial, 10, 2, "0:8,4,2,1 2:3 4:6,5 6:7 8:9" },
    { &tree_knomial, 10, 3, "0:9,3,6,1,2 3:4,5 6:7,8" },
    { &tree_knomial, 10, 4, "0:4,8,1,2,3 4:5,6,7 8:9" },
    { &tree_chain, 5, 1, "0:1 1:2 2:3 3:4" },
    { &tree_chain, 9, 4, "0:1,3,5,7 1:2 3:4 5:6 7:8" },
    { &tree_chain, 11, 4, "0:1,4,7,9 1:2 2:3 4:5 5:6 7:8 9:10" },
    { &tree_chain, 4, 9, "0:1,2,3" },
    { &tree_chain, 2, 4, "0:1" },
    { &tree_pipeline, 4, 9, "0:1 1:2 2:3" },
    { &tree_binomial_ascending, 8, 0, "0:1,2,4 2:3 4:5,6 6:7" },
    { &tree_binomial_ascending, 6, 0, "0:1,2,4 2:3 4:5" },
    /* From the last rank down: of nine, 8: 7,3; 7: 6,5; 3: 2,1; 5: 4; 1: 0. */
    { &tree_in_order_binary, 2, 0, "0:1" },
    { &tree_in_order_binary, 3, 0, "0:1,2" },
    { &tree_in_order_binary, 4, 0, "0:1,2 2:3" },
    { &tree_in_order_binary, 9, 0, "0:1,5 1:2,3 3:4 5:6,7 7:8" },
};

static void check_shapes(void)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char seen[256];
        list_children(shapes[i].tree, shapes[i].procs, shapes[i].k, seen, sizeof seen);
        is_str(shapes[i].children, seen, "%s tree of %d, k = %d", shapes[i].tree->name,
               shapes[i].procs, shapes[i].k);
    }
}

/* Ranks that are the child of their parent, exactly once. */
static int count_consistent(const struct tree *tree, int procs, int k)
{
    int links = 0;
    for (int v = 0; v < procs; v++)
        for (int i = 0, c; (c = tree->child(procs, k, v, i)) >= 0; i++) {
            if (c <= v || c >= procs || tree->parent(procs, k, c) != v)
                return -1;
            links++;
        }
    return links;
}

static void check_consistency(void)
{
    static const struct tree *const trees[] = { &tree_chain,           &tree_binary,
                                                &tree_binomial,        &tree_knomial,
                                                &tree_binomial_low,    &tree_binomial_ascending,
                                                &tree_in_order_binary, &tree_pipeline };
    for (size_t t = 0; t < sizeof trees / sizeof *trees; t++) {
        int wrong = 0;
        for (int procs = 1; procs <= 400; procs++)
            for (int k = 2; k <= 35; k += k < 8 ? 1 : 9)
                wrong += count_consistent(trees[t], procs, k) != procs - 1;
        ok(wrong == 0, "%s: each rank but the root is its parent's child once, P = 1 … 400",
           trees[t]->name);
    }
    int last = 2147483647 - 1;
    int root = trees[2]->parent(last + 1, 0, last);
    is_int(last ^ (1 << 30), root, "the binomial tree of 2^31 - 1 ranks does not overflow");
    is_int(-1, tree_binary.child(last + 1, 0, last, 1), "… nor the binary one");
    is_int(-1, tree_binary.child(last + 1, 0, last / 2 + 7, 0), "… in its last level");
}

/* ---- what a rank does ---- */

static void describe(const struct schedule *s, int rank, char *text, size_t size)
{
    struct round round = { 0 };
    size_t len = 0;
    text[0] = '\0';
    for (uint64_t k = 0; k < schedule_rounds(s, rank); k++) {
        schedule_round(s, rank, k, &round);
        len += (size_t)snprintf(text + len, size - len, "%s", k ? " | " : "");
        for (size_t i = 0; i < round.n && len < size; i++) {
            const struct op *op = &round.ops[i];
            len +=
                (size_t)snprintf(text + len, size - len, "%s%c%d[%d+%d]", i ? " " : "",
                                 "SRCX"[op->kind], op -> peer, (int)op -> offset, (int)op -> bytes);
        }
    }
    round_free(&round);
}

static const struct {
    const char *collective, *name;
    int procs, root;
    uint64_t bytes, segment;
    int fanout, rank;
    const char *rounds;
} cases[] = {
    { "bcast", "basic_linear", 4, 2, 9, 0, 0, 2, "S0[0+9] S1[0+9] S3[0+9]" },
    { "bcast", "basic_linear", 4, 2, 9, 4, 0, 0, "R2[0+9]" },
    { "bcast", "pipeline", 4, 3, 9, 4, 0, 3, "S0[0+4] | S0[4+4] | S0[8+1]" },
    { "bcast", "pipeline", 4, 3, 9, 4, 0, 0,
      "R3[0+4] | R3[4+4] S1[0+4] | R3[8+1] S1[4+4] | S1[8+1]" },
    { "bcast", "pipeline", 4, 3, 9, 4, 0, 2, "R1[0+4] | R1[4+4] | R1[8+1]" },
    { "bcast", "pipeline", 4, 3, 8, 8, 0, 2, "R1[0+8]" },
    { "bcast", "binomial", 8, 1, 6, 0, 0, 2, "R1[0+6] | S4[0+6] S6[0+6]" },
    /* 9 bytes: halves of 5 and 4; the root sends segment by segment, left and right. */
    { "bcast", "split_binary_tree", 5, 0, 9, 3, 0, 0, "S1[0+3] S2[5+3] | S1[3+2] S2[8+1]" },
    { "bcast", "split_binary_tree", 5, 0, 9, 3, 0, 1,
      "R0[0+3] | R0[3+2] S3[0+3] | S3[3+2] | R2[5+4] S2[0+5]" },
    { "bcast", "split_binary_tree", 5, 0, 9, 3, 0, 4, "R2[5+3] | R2[8+1] | R3[0+5] S3[5+4]" },
    { "bcast", "split_binary_tree", 4, 0, 8, 4, 0, 0, "S1[0+4] S2[4+4] | S3[4+4]" },
    { "bcast", "split_binary_tree", 4, 0, 8, 4, 0, 3, "R1[0+4] | R0[4+4]" },
    { "bcast", "split_binary_tree", 2, 1, 8, 2, 0, 0, "R1[0+2] | R1[2+2] | R1[4+4]" },
    { "bcast", "scatter_allgather_ring", 4, 0, 10, 0, 0, 0,
      "S2[6+4] | S1[3+3] | R3[9+1] S1[0+3] | R3[6+3] S1[9+1] | R3[3+3] S1[6+3]" },
    { "bcast", "scatter_allgather", 4, 0, 10, 0, 0, 2,
      "R0[6+4] | S3[9+1] | R3[9+1] S3[6+3] | R0[0+6] S0[6+4]" },
    /* Seven ranks: at distance four, rank 3 has no partner and gets the rest from rank 1 or 2. */
    { "bcast", "scatter_allgather", 7, 0, 14, 0, 0, 3,
      "R2[6+2] | R2[4+2] S2[6+2] | R1[0+4] S1[4+4] | R1[8+6]" },
    { "bcast", "mpich_binomial", 8, 1, 6, 0, 0, 5, "R1[0+6] | S7[0+6] | S6[0+6]" },
    { "bcast", "mpich_scatter_ring_allgather", 3, 0, 2, 0, 0, 2,
      "R1[1+1] S0[2+0] | R1[0+1] S0[1+1]" },
    { "gather", "basic_linear", 3, 1, 5, 0, 0, 1, "R0[0+5] | C-1[5+5] | R2[10+5]" },
    { "gather", "basic_linear", 3, 1, 5, 0, 0, 2, "S1[0+5]" },
    { "gather", "linear_sync", 3, 1, 5, 2, 0, 1,
      "R0[0+2] S0[0+0] | R0[2+3] R2[10+2] S2[0+0] | R2[12+3] C-1[5+5]" },
    { "gather", "linear_sync", 3, 1, 5, 0, 0, 0, "R1[0+0] | S1[0+5] | S1[5+0]" },
    { "allgather", "ring", 4, 0, 5, 0, 0, 1,
      "R0[0+5] S2[0+5] C-1[5+5] | R0[15+5] S2[0+5] | R0[10+5] S2[15+5]" },
    { "allgather", "ring", 1, 0, 5, 0, 0, 0, "C-1[0+5]" },
    /* Six ranks, as drawn in the library's source: rank 2 gets block 3, then 0 and 1, then 4 and 5.
     */
    { "allgather", "neighbor", 6, 0, 1, 0, 0, 2,
      "R3[3+1] S3[0+1] C-1[2+1] | R1[0+2] S1[2+2] | R3[4+2] S3[0+2]" },
    { "allgather", "neighbor", 6, 0, 1, 0, 0, 5,
      "R4[4+1] S4[0+1] C-1[5+1] | R0[0+2] S0[4+2] | R4[2+2] S4[0+2]" },
    { "allgather", "recursive_doubling", 8, 0, 3, 0, 0, 6,
      "R7[21+3] S7[0+3] C-1[18+3] | R4[12+6] S4[18+6] | R2[0+12] S2[12+12]" },
    /* Five ranks: 1, 2 and the last block, then three copies; rank 0's blocks are in place. */
    { "allgather", "bruck", 5, 0, 4, 0, 0, 2,
      "R3[4+4] S1[0+4] C-1[0+4] | R4[8+8] S0[0+8] | R1[16+4] S3[0+4] | "
      "C-1[0+12] C-1[0+8] C-1[8+12]" },
    { "allgather", "bruck", 5, 0, 4, 0, 0, 0,
      "R1[4+4] S4[0+4] C-1[0+4] | R2[8+8] S3[0+8] | R4[16+4] S1[0+4]" },
    { "allgather", "mpich_brucks", 5, 0, 4, 0, 0, 2,
      "R3[4+4] S1[0+4] C-1[0+4] | R4[8+8] S0[0+8] | R1[16+4] S3[0+4] | C-1[8+12] C-1[0+8]" },
    /* The root keeps its own, then takes ranks 2, 3 and 4 in subtrees 1, 2 … and turns them. */
    { "gather", "binomial", 5, 1, 3, 0, 0, 1,
      "R2[3+3] C-1[0+3] | R3[6+6] | R0[12+3] C-1[3+12] C-1[0+3]" },
    { "gather", "binomial", 5, 1, 3, 0, 0, 3, "R4[3+3] C-1[0+3] | S1[0+6]" },
    { "gather", "binomial", 5, 1, 3, 0, 0, 0, "S1[0+3]" },
    { "scatter", "basic_linear", 3, 1, 5, 0, 0, 1, "S0[0+5] | C-1[0+5] | S2[10+5]" },
    { "scatter", "linear_nb", 6, 0, 5, 0, 2, 0,
      "C-1[0+5] | S1[5+5] S2[10+5] | S3[15+5] S4[20+5] | S5[25+5]" },
    { "scatter", "linear_nb", 3, 1, 5, 0, 0, 1, "S0[0+5] C-1[0+5] S2[10+5]" },
    { "scatter", "binomial", 5, 1, 3, 0, 0, 1,
      "C-1[0+3] C-1[0+12] C-1[12+3] | S0[12+3] | S3[6+6] | S2[3+3]" },
    { "scatter", "binomial", 5, 1, 3, 0, 0, 3, "R1[0+6] C-1[0+3] | S4[3+3]" },
    { "scatter", "binomial", 5, 0, 3, 0, 0, 0, "S4[12+3] C-1[0+3] | S2[6+6] | S1[3+3]" },
    { "alltoall", "linear", 4, 0, 2, 0, 0, 1,
      "R2[4+2] R3[6+2] R0[0+2] S0[0+2] S3[6+2] S2[4+2] C-1[2+2]" },
    { "alltoall", "pairwise", 3, 0, 2, 0, 0, 1, "R0[0+2] S2[4+2] C-1[2+2] | R2[4+2] S0[0+2]" },
    { "alltoall", "mpich_pairwise", 4, 0, 2, 0, 0, 1,
      "R0[0+2] S0[0+2] C-1[2+2] | R3[6+2] S3[6+2] | R2[4+2] S2[4+2]" },
    { "alltoall", "linear_sync", 4, 0, 2, 0, 2, 1,
      "R2[4+2] R3[6+2] S0[0+2] S3[6+2] C-1[2+2] | R0[0+2] S2[4+2]" },
    { "alltoall", "mpich_scattered", 4, 0, 2, 0, 2, 1,
      "R2[4+2] S0[0+2] C-1[2+2] | R3[6+2] R0[0+2] S3[6+2] S2[4+2]" },
    /* Three ranks: turned; block 1 goes one place on, then block 2 two places; turned back. */
    { "alltoall", "modified_bruck", 3, 0, 2, 0, 0, 1,
      "C-1[0+4] C-1[4+2] C-1[6+2] | R0[0+2] S2[6+2] C-1[2+2] C-1[8+2] | "
      "R2[0+2] S0[8+2] C-1[4+2] C-1[2+2] C-1[0+2] C-1[4+2]" },
    { "alltoallv", "basic_linear", 3, 0, 2, 0, 0, 1, "R0[0+2] R2[4+2] S0[0+2] S2[4+2] C-1[2+2]" },
    { "allgatherv", "bruck", 3, 0, 2, 0, 0, 1,
      "R2[2+2] S0[0+2] C-1[0+2] | R0[4+2] S2[0+2] | C-1[2+4] C-1[0+2]" },
    { "allgatherv", "mpich_ring", 2, 0, 32770, 0, 0, 1,
      "R0[0+32768] S0[0+32768] C-1[32770+32770] | R0[32768+2] S0[32768+2]" },
    { "barrier", "linear", 3, 0, 0, 0, 0, 0, "R1[0+0] R2[0+0] | S1[0+0] | S2[0+0]" },
    { "barrier", "double_ring", 3, 0, 0, 0, 0, 0, "S1[0+0] | R2[0+0] | S1[0+0] | R2[0+0]" },
    { "barrier", "recursive_doubling", 3, 0, 0, 0, 0, 0, "R2[0+0] | R1[0+0] S1[0+0] | S2[0+0]" },
    { "barrier", "recursive_doubling", 3, 0, 0, 0, 0, 2, "R0[0+0] S0[0+0]" },
    { "barrier", "bruck", 3, 0, 0, 0, 0, 2, "R1[0+0] S0[0+0] | R0[0+0] S1[0+0]" },
    { "barrier", "tree", 5, 0, 0, 0, 0, 2, "R3[0+0] | S0[0+0] | R0[0+0] | S3[0+0]" },
    /* X: a reduction into; the sum is in RECV at the root, in TEMP elsewhere, inboxes behind it. */
    { "reduce", "linear", 3, 1, 5, 0, 0, 1, "R2[0+5] | X-1[0+5] | R0[0+5] X-1[0+5]" },
    { "reduce", "linear", 3, 2, 5, 0, 0, 2, "C-1[0+5] | R1[0+5] X-1[0+5] | R0[0+5] X-1[0+5]" },
    { "reduce", "linear", 3, 1, 5, 0, 0, 2, "S1[0+5]" },
    { "reduce", "pipeline", 3, 2, 9, 4, 0, 1, "S0[0+4] | S0[4+4] | S0[8+1]" },
    { "reduce", "pipeline", 3, 2, 9, 4, 0, 0,
      "R1[0+4] X-1[0+4] | S2[0+4] R1[4+4] X-1[4+4] | S2[4+4] R1[8+1] X-1[8+1] | S2[8+1]" },
    { "reduce", "pipeline", 3, 2, 9, 4, 0, 2,
      "R0[0+4] X-1[0+4] | R0[4+4] X-1[4+4] | R0[8+1] X-1[8+1]" },
    /* Two chains, each a leaf of one rank here: two sends at a time, then the last; or all in turn.
     */
    { "reduce", "chain.2", 3, 0, 9, 4, 2, 1, "S0[0+4] S0[4+4] | S0[8+1]" },
    { "reduce", "chain.3", 3, 0, 9, 4, 2, 1, "S0[0+4] | S0[4+4] | S0[8+1]" },
    { "reduce", "chain.2", 3, 2, 9, 4, 1, 1, "S0[0+4] S0[4+4] | S0[8+1]" },
    { "reduce", "binomial", 8, 1, 6, 0, 0, 5, "R6[0+6] X-1[0+6] | R7[6+6] X-1[0+6] | S1[0+6]" },
    { "reduce", "binary", 7, 0, 4, 2, 0, 1,
      "R3[0+2] X-1[0+2] | R5[4+2] X-1[0+2] | S0[0+2] R3[2+2] X-1[2+2] | R5[4+2] X-1[2+2] | "
      "S0[2+2]" },
    { "reduce", "in-order_binary", 3, 0, 4, 0, 0, 2,
      "R1[4+4] C-1[0+4] X-1[0+4] | R0[8+4] X-1[0+4] | S0[0+4]" },
    { "reduce", "in-order_binary", 3, 0, 4, 0, 0, 0, "S2[0+4] | R2[0+4]" },
    /* Six ranks: 1 folds into 0, 3 into 2; 0, 2, 4, 5 are v = 0 … 3. */
    { "reduce", "rabenseifner", 6, 0, 10, 0, 0, 1, "R0[5+5] S0[0+5] X-1[5+5] | S0[5+5]" },
    { "reduce", "rabenseifner", 6, 0, 10, 0, 0, 0,
      "R1[0+5] S1[5+5] X-1[0+5] | R1[5+5] | R2[0+5] S2[5+5] X-1[0+5] | R4[0+2] S4[2+3] X-1[0+2] "
      "| R4[2+3] | R2[5+5]" },
    { "reduce", "rabenseifner", 6, 0, 10, 0, 0, 5,
      "R4[5+5] S4[0+5] X-1[5+5] | R2[10+3] S2[5+2] X-1[7+3] | S2[7+3]" },
    { "reduce", "mpich_reduce_scatter_gather", 6, 3, 10, 0, 0, 3,
      "S2[0+10] | R0[0+3] | R4[3+3] | R2[6+4]" },
    /* Six ranks: 0 folds into 1, 2 into 3; 1, 3, 4, 5 are v = 0 … 3. */
    { "allreduce", "recursive_doubling", 6, 0, 10, 0, 0, 2, "S3[0+10] | R3[0+10]" },
    { "allreduce", "recursive_doubling", 6, 0, 10, 0, 0, 3,
      "R2[0+10] C-1[0+10] X-1[0+10] | R1[0+10] S1[0+10] X-1[0+10] | R5[0+10] S5[0+10] X-1[0+10] "
      "| S2[0+10]" },
    { "allreduce", "recursive_doubling", 6, 0, 10, 0, 0, 4,
      "R5[0+10] S5[0+10] X-1[0+10] | R1[0+10] S1[0+10] X-1[0+10]" },
    /* Blocks of 3, 2 and 2: the sum of block 2 is made at rank 1, of block 0 at rank 2. */
    { "allreduce", "ring", 3, 0, 7, 0, 0, 1,
      "R0[0+3] S2[3+2] X-1[0+3] | R0[5+2] S2[0+3] X-1[5+2] | R0[3+2] S2[5+2] | R0[0+3] S2[3+2]" },
    /* Blocks of 4 and 3, each in slices of 2 and the rest. */
    { "allreduce", "segmented_ring", 2, 0, 7, 2, 0, 0,
      "R1[4+2] S1[0+2] X-1[4+2] | R1[6+1] S1[2+2] X-1[6+1] | R1[0+4] S1[4+3]" },
    { "allreduce", "rabenseifner", 3, 0, 7, 0, 0, 0,
      "R1[0+3] S1[3+4] X-1[0+3] | R1[3+4] | R2[0+3] S2[3+4] X-1[0+3] | R2[3+4] S2[0+3] | S1[0+7]" },
    { "allreduce", "mpich_reduce_scatter_allgather", 3, 0, 7, 0, 0, 2,
      "R1[4+3] S1[0+4] X-1[4+3] | R1[0+4] S1[4+3]" },
    { "reduce_scatter", "ring", 3, 0, 4, 0, 0, 0,
      "R2[4+4] S1[8+4] X-1[4+4] | R2[0+4] S1[4+4] X-1[0+4]" },
    { "reduce_scatter", "mpich_pairwise", 3, 0, 4, 0, 0, 0,
      "C-1[0+4] | R2[0+4] S1[4+4] X-1[0+4] | R1[4+4] S2[8+4] X-1[0+4]" },
    { "reduce_scatter", "recursive_halving", 3, 0, 4, 0, 0, 1,
      "R0[12+12] X-1[12+12] | R2[0+8] S2[20+4] X-1[0+8] | S0[0+4] C-1[0+4]" },
    /* Four ranks: block 1 is made at rank 2 and block 2 at rank 1. */
    { "reduce_scatter", "butterfly", 4, 0, 4, 0, 0, 1,
      "R0[24+8] S0[0+8] C-1[8+8] X-1[8+8] | R3[24+4] S3[12+4] X-1[24+4] | R2[0+4] S2[24+4]" },
    { "reduce_scatter_block", "butterfly", 4, 0, 4, 0, 0, 1,
      "C-1[0+4] C-1[8+4] C-1[4+4] C-1[12+4] | R0[24+8] S0[0+8] X-1[8+8] | R3[24+4] S3[12+4] "
      "X-1[24+4] | C-1[0+4]" },
    /* Rank 0 passes what it got from rank 2 on to rank 1. It combines block 0 alone: block 1 is the
     * other's since they exchanged. */
    { "reduce_scatter_block", "recursive_doubling", 3, 0, 4, 0, 0, 0,
      "C-1[0+12] | R1[12+8] S1[4+8] X-1[12+4] X-1[16+4] | R2[0+8] S2[12+4] | S1[0+8] X-1[0+4] "
      "| C-1[0+4]" },
    { "scan", "recursive_doubling", 3, 0, 5, 0, 0, 0,
      "R1[5+5] S1[0+5] X-1[5+5] | R2[0+5] S2[5+5] | C-1[0+5]" },
    { "scan", "recursive_doubling", 3, 0, 5, 0, 0, 1, "R0[5+5] S0[0+5] C-1[0+5] X-1[0+5]" },
    { "exscan", "recursive_doubling", 3, 0, 5, 0, 0, 2, "R0[5+5] S0[0+5] C-1[0+5]" },
    { "exscan", "openmpi_recursive_doubling", 3, 0, 5, 0, 0, 2,
      "R0[5+5] S0[0+5] C-1[0+5] C-1[0+5] X-1[0+5]" },
};

static void check_cases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct schedule s;
        struct err err = { 0 };
        char seen[512];
        const struct schedule_arguments a = { .procs = cases[i].procs,
                                              .root = cases[i].root,
                                              .bytes = cases[i].bytes,
                                              .segment_bytes = cases[i].segment,
                                              .fanout = cases[i].fanout,
                                              .levels = algorithm_levels(cases[i].name) };
        schedule_make(&s, algorithm_find(cases[i].collective, cases[i].name), &a, &err);
        describe(&s, cases[i].rank, seen, sizeof seen);
        is_str(cases[i].rounds, seen, "%s %s, P = %d, root %d, %d bytes: rank %d",
               cases[i].collective, cases[i].name, cases[i].procs, cases[i].root,
               (int)cases[i].bytes, cases[i].rank);
    }
}

/* ---- arguments ---- */

static const struct {
    const char *collective, *name;
    int procs;
    uint64_t bytes, segment;
    const char *runs;
} substitutions[] = {
    { "bcast", "split_binary_tree", 8, 100, 50, "split_binary_tree" },
    { "bcast", "split_binary_tree", 8, 100, 51, "pipeline" },
    { "bcast", "split_binary_tree", 8, 101, 50, "split_binary_tree" },
    { "bcast", "split_binary_tree", 8, 101, 51, "pipeline" },
    { "bcast", "split_binary_tree", 8, 2, 0, "split_binary_tree" },
    { "bcast", "split_binary_tree", 8, 1, 0, "pipeline" },
    { "bcast", "split_binary_tree", 8, 0, 0, "pipeline" },
    { "bcast", "scatter_allgather", 8, 8, 0, "scatter_allgather" },
    { "bcast", "scatter_allgather", 8, 7, 0, "basic_linear" },
    { "bcast", "scatter_allgather_ring", 8, 8, 0, "scatter_allgather_ring" },
    { "bcast", "scatter_allgather_ring", 8, 7, 0, "basic_linear" },
    { "bcast", "mpich_scatter_ring_allgather", 8, 7, 0, "mpich_scatter_ring_allgather" },
    { "allgather", "neighbor", 8, 7, 0, "neighbor" },
    { "allgather", "neighbor", 9, 7, 0, "ring" },
    { "allgather", "recursive_doubling", 8, 7, 0, "recursive_doubling" },
    { "allgather", "recursive_doubling", 12, 7, 0, "bruck" },
    { "allgather", "mpich_recursive_doubling", 12, 7, 0, "mpich_brucks" },
    { "allgather", "recursive_doubling", 16, 7, 0, "recursive_doubling" },
    { "allgather", "recursive_doubling", 15, 7, 0, "bruck" },
    { "allgather", "recursive_doubling", 17, 7, 0, "bruck" },
    { "allgather", "neighbor", 1, 7, 0, "ring" },
    { "allgather", "neighbor", 2, 7, 0, "neighbor" },
    { "allgatherv", "neighbor", 8, 7, 0, "neighbor" },
    { "allgatherv", "neighbor", 7, 7, 0, "ring" },
    { "allgatherv", "neighbor", 9, 7, 0, "ring" },
    { "allgatherv", "mpich_recursive_doubling", 8, 7, 0, "mpich_recursive_doubling" },
    { "allgatherv", "mpich_recursive_doubling", 7, 7, 0, "mpich_brucks" },
    { "allgatherv", "mpich_recursive_doubling", 9, 7, 0, "mpich_brucks" },
    { "alltoall", "modified_bruck", 9, 1, 0, "modified_bruck" },
    { "gather", "binomial", 9, 1, 0, "binomial" },
    { "barrier", "recursive_doubling", 9, 0, 0, "recursive_doubling" },

    /* As many elements as ranks, and one fewer; of an odd number of ranks, too. */
    { "allreduce", "ring", 8, 8, 0, "ring" },
    { "allreduce", "ring", 8, 7, 0, "recursive_doubling" },
    { "allreduce", "ring", 9, 9, 0, "ring" },
    { "allreduce", "ring", 9, 8, 0, "recursive_doubling" },
    /* As many segments as ranks; without segments, and with one that takes all. */
    { "allreduce", "segmented_ring", 7, 28, 4, "segmented_ring" },
    { "allreduce", "segmented_ring", 7, 27, 4, "ring" },
    { "allreduce", "segmented_ring", 7, 6, 4, "recursive_doubling" },
    { "allreduce", "segmented_ring", 7, 28, 0, "ring" },
    { "allreduce", "segmented_ring", 7, 28, 28, "ring" },
    /* As many elements as the largest power of two among 2^k - 1, 2^k and 2^k + 1 ranks. */
    { "allreduce", "rabenseifner", 7, 4, 0, "rabenseifner" },
    { "allreduce", "rabenseifner", 7, 3, 0, "basic_linear" },
    { "allreduce", "rabenseifner", 8, 8, 0, "rabenseifner" },
    { "allreduce", "rabenseifner", 8, 7, 0, "basic_linear" },
    { "allreduce", "rabenseifner", 9, 8, 0, "rabenseifner" },
    { "allreduce", "rabenseifner", 9, 7, 0, "basic_linear" },
    { "allreduce", "mpich_reduce_scatter_allgather", 9, 8, 0, "mpich_reduce_scatter_allgather" },
    { "allreduce", "mpich_reduce_scatter_allgather", 9, 7, 0, "mpich_recursive_doubling" },
    { "reduce", "rabenseifner", 9, 8, 0, "rabenseifner" },
    { "reduce", "rabenseifner", 9, 7, 0, "linear" },
    { "reduce", "mpich_reduce_scatter_gather", 7, 4, 0, "mpich_reduce_scatter_gather" },
    { "reduce", "mpich_reduce_scatter_gather", 7, 3, 0, "mpich_binomial" },
};

/* The same of elements of eight bytes, and of an operation of the user's, which may not commute:
 * what runs, or why nothing does. */
static const struct {
    const char *collective, *name;
    struct schedule_arguments arguments;
    const char *runs, *why;
} calls[] = {
    { "allreduce", "ring", { .procs = 8, .bytes = 64, .element_bytes = 8 }, "ring", NULL },
    { "allreduce",
      "ring",
      { .procs = 8, .bytes = 56, .element_bytes = 8 },
      "recursive_doubling",
      NULL },
    { "allreduce",
      "segmented_ring",
      { .procs = 4, .bytes = 64, .element_bytes = 8, .segment_bytes = 20 },
      "segmented_ring",
      NULL },
    /* 21 bytes are three elements, since the rest is more than half a one. */
    { "allreduce",
      "segmented_ring",
      { .procs = 4, .bytes = 64, .element_bytes = 8, .segment_bytes = 21 },
      "ring",
      NULL },
    { "allreduce",
      "rabenseifner",
      { .procs = 8, .bytes = 80, .ordered = 1 },
      "basic_linear",
      NULL },
    { "allreduce", "rabenseifner", { .procs = 8, .bytes = 80, .users = 1 }, "rabenseifner", NULL },
    { "allreduce",
      "mpich_reduce_scatter_allgather",
      { .procs = 8, .bytes = 80, .users = 1 },
      "mpich_recursive_doubling",
      NULL },
    { "reduce",
      "mpich_reduce_scatter_gather",
      { .procs = 8, .bytes = 80, .users = 1 },
      "mpich_binomial",
      NULL },
    { "allreduce", "ring", { .procs = 8, .bytes = 7, .ordered = 1 }, "recursive_doubling", NULL },
    { "allreduce", "ring", { .procs = 8, .bytes = 8, .ordered = 1 }, NULL, "does not commute" },
    { "allreduce",
      "nonoverlapping",
      { .procs = 8, .bytes = 8, .ordered = 1 },
      "nonoverlapping",
      NULL },
    { "reduce_scatter",
      "recursive_halving",
      { .procs = 8, .bytes = 8, .ordered = 1 },
      NULL,
      "does not commute" },
    { "reduce_scatter", "butterfly", { .procs = 7, .bytes = 8, .ordered = 1 }, "butterfly", NULL },
    { "reduce_scatter_block",
      "recursive_halving",
      { .procs = 8, .bytes = 8 },
      "recursive_halving",
      NULL },
    { "reduce_scatter",
      "mpich_noncommutative",
      { .procs = 8, .bytes = 8 },
      "mpich_noncommutative",
      NULL },
    { "reduce_scatter",
      "mpich_noncommutative",
      { .procs = 7, .bytes = 8 },
      "mpich_recursive_doubling",
      NULL },
    { "reduce_scatter",
      "mpich_noncommutative",
      { .procs = 8, .bytes = 8, .sizes = SIZES_RANDOM },
      "mpich_recursive_doubling",
      NULL },
};

static void check_calls(void)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const struct algorithm *alg = algorithm_find(calls[i].collective, calls[i].name);
        const struct schedule_arguments *a = &calls[i].arguments;
        struct schedule s;
        struct err err = { 0 };
        const int status = schedule_make(&s, alg, a, &err);
        if (calls[i].runs)
            is_str(calls[i].runs, status == 0 ? s.alg->name : err.text,
                   "%s %s of %d bytes among %d%s", calls[i].collective, calls[i].name,
                   (int)a->bytes, a->procs,
                   a->ordered ? ", in order"
                   : a->users ? ", of the user's"
                              : "");
        else
            has_str(calls[i].why, status < 0 ? err.text : s.alg->name, "%s %s among %d is refused",
                    calls[i].collective, calls[i].name, a->procs);
    }
}

static void check_substitutions(void)
{
    for (size_t i = 0; i < sizeof substitutions / sizeof *substitutions; i++) {
        struct schedule s;
        struct err err = { 0 };
        schedule_init(&s, algorithm_find(substitutions[i].collective, substitutions[i].name),
                      substitutions[i].procs, 0, substitutions[i].bytes, substitutions[i].segment,
                      0, &err);
        is_str(substitutions[i].runs, s.alg->name, "%s of %d bytes in segments of %d among %d",
               substitutions[i].name, (int)substitutions[i].bytes, (int)substitutions[i].segment,
               substitutions[i].procs);
    }
}

/* What the library refuses: two ranks, no more and no fewer; a barrier of one asks nobody. */
static void check_unfit(void)
{
    static const char *const collectives_of[] = { "alltoall", "allgather", "allgatherv",
                                                  "barrier" };
    for (size_t i = 0; i < sizeof collectives_of / sizeof *collectives_of; i++) {
        const struct algorithm *alg = algorithm_find(collectives_of[i], "two_proc");
        const int alone = strcmp(collectives_of[i], "barrier") == 0 ? 0 : -1;
        struct schedule s;
        struct err err = { 0 };
        is_int(alone, schedule_init(&s, alg, 1, 0, 8, 0, 0, &err), "%s two_proc: one rank",
               collectives_of[i]);
        is_int(0, schedule_init(&s, alg, 2, 0, 8, 0, 0, &err), "… two");
        is_int(-1, schedule_init(&s, alg, 3, 0, 8, 0, 0, &err), "… three");
        is_str("two_proc: wants two processes", err.text, "… and says why not");
    }
}

/* A fan-out that is a limit: none unless told; where it is as large as the group, none either. */
static void check_limits(void)
{
    static const struct {
        const char *collective, *name;
        int procs, fanout, rounds;
    } rows[] = {
        { "alltoall", "linear_sync", 9, 0, 1 },      { "alltoall", "linear_sync", 9, 8, 1 },
        { "alltoall", "linear_sync", 9, 7, 2 },      { "alltoall", "linear_sync", 9, 1, 8 },
        { "alltoall", "linear_sync", 9, 100, 1 },    { "alltoall", "mpich_scattered", 32, 0, 1 },
        { "alltoall", "mpich_scattered", 33, 0, 2 }, { "alltoall", "mpich_scattered", 9, 9, 1 },
        { "alltoall", "mpich_scattered", 9, 8, 2 },  { "scatter", "linear_nb", 9, 0, 1 },
        { "scatter", "linear_nb", 9, 1, 1 },         { "scatter", "linear_nb", 9, 8, 2 },
        { "scatter", "linear_nb", 9, 3, 4 },         { "scatter", "linear_nb", 9, 9, 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct schedule s;
        struct err err = { 0 };
        schedule_init(&s, algorithm_find(rows[i].collective, rows[i].name), rows[i].procs, 0, 8, 0,
                      rows[i].fanout, &err);
        is_int(rows[i].rounds, (long long)schedule_rounds(&s, 0), "%s %s among %d, %d at a time",
               rows[i].collective, rows[i].name, rows[i].procs, rows[i].fanout);
    }
}

/* A limit of requests that stands in the name. */
static void check_named_limits(void)
{
    static const char *const none[] = { "chain.0",  "chain.1025", "chain.",   "chain.08", "chain.x",
                                        "chain.-1", "chain.2.2",  "linear.2", "binary.2" };
    const struct algorithm *chain = algorithm_find("reduce", "chain");
    struct schedule_arguments a = { .procs = 9, .bytes = 90, .segment_bytes = 10, .levels = "8" };
    struct schedule s, plain;
    char name[MOST_NAME + 1];
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ok(!algorithm_find("reduce", none[i]), "%s is no name of a reduction", none[i]);
    ok(!algorithm_find("bcast", "chain.2"), "nor chain.2 of a broadcast");
    ok(algorithm_find("reduce", "chain.1024") == chain, "chain.1024 is the chain");
    is_int(0, schedule_make(&s, chain, &a, NULL), "eight requests at a time, four chains");
    is_str("chain.8", schedule_name(&s, name, sizeof name), "is named so");
    schedule_init(&plain, chain, 9, 0, 90, 10, 0, NULL);
    ok(!schedule_same(&s, &plain), "and another schedule than without");
    a.fanout = 1;
    is_int(0, schedule_make(&s, chain, &a, NULL), "eight requests at a time, one chain");
    is_str("pipeline", schedule_name(&s, name, sizeof name), "is the pipeline");
    is_int(8, s.fanout, "of eight");
    a.levels = "many";
    struct err err = { 0 };
    is_int(-1, schedule_make(&s, chain, &a, &err), "a limit that is no number is refused");
    is_str("chain: 'many' requests at a time (want 1 to 1024)", err.text, "with what is wanted");
}

static void check_arguments(void)
{
    const struct algorithm *chain = algorithm_find("bcast", "chain");
    const struct algorithm *knomial = algorithm_find("bcast", "knomial");
    struct schedule s;
    struct err err = { 0 };

    is_int(0, schedule_init(&s, chain, 8, 7, 10, 3, 0, &err), "chain without a fan-out");
    is_int(4, s.fanout, "… has the library's");
    is_int(4, (long long)s.segments, "… ten bytes in segments of three are four");
    is_int(0, schedule_init(&s, algorithm_find("bcast", "basic_linear"), 8, 7, 10, 3, 5, &err),
           "linear ignores segments and fan-out");
    is_int(0, s.fanout + (int)s.segment_bytes, "… and says 0");
    is_int(1, (long long)s.segments, "… one segment");
    is_int(0, schedule_init(&s, chain, 8, 7, UINT64_MAX, 1, 1, &err), "2^64 - 1 bytes");
    ok(s.segments == UINT64_MAX, "… in segments of one do not overflow");

    is_int(-1, schedule_init(&s, chain, 0, 0, 1, 0, 0, &err), "no process is refused");
    is_str("chain: 0 processes (want 1 to 1073741824)", err.text, "… and says so");
    is_int(-1, schedule_init(&s, chain, (1 << 30) + 1, 0, 1, 0, 0, &err), "2^30 + 1 are refused");
    s.alg = NULL;
    is_int(
        0,
        schedule_init(&s, algorithm_find("scan", "recursive_doubling"), 1 << 30, 0, 1, 0, 0, &err),
        "2^30 processes are not");
    is_int(30, (long long)schedule_rounds(&s, 5), "… whose distances double thirty times");
    is_int(-1, schedule_init(&s, chain, 4, 4, 1, 0, 0, &err), "a root that is no rank is refused");
    is_str("chain: root 4 is not a rank of 4 processes", err.text, "… and says so");
    is_int(-1, schedule_init(&s, chain, 4, -1, 1, 0, 0, &err), "a negative root is refused");
    is_int(-1, schedule_init(&s, chain, 4, 0, 1, 0, -1, &err), "a negative fan-out is refused");
    is_int(-1, schedule_init(&s, knomial, 4, 0, 1, 0, 1, &err), "radix 1 is refused");
    is_str("knomial: fan-out 1 (want at least 2)", err.text, "… and says so");
    is_int(EXIT_USAGE, err.status, "… as wrong usage");
    ok(algorithm_find("bcast", "Binomial") == NULL, "names are exact");
    ok(algorithm_find("gather", "pipeline") == NULL, "… and belong to a collective");
    check_named_limits();
}

/* ---- the library's own listing ---- */

/* It stands for the library's own choice here; the algorithm is gatherv_bcast. */
static int is_left_out(const char *collective, const char *name)
{
    return strcmp(collective, "allgatherv") == 0 && strcmp(name, "default") == 0;
}

/* The fixture's lines are "<collective> <name>". */
static void check_listing(void)
{
    static const char path[] = "tests/workloads/openmpi-4.1.4-algorithms.txt";
    FILE *file = fopen(path, "r");
    char line[256], collective[32], name[64];
    int wrong = 0, n = 0;

    while (file && fgets(line, sizeof line, file)) {
        if (line[0] == '#' || sscanf(line, "%31s %63s", collective, name) != 2)
            continue;
        n++;
        if (!algorithm_find(collective, name) && !is_left_out(collective, name))
            wrong++, diag("%s %s is not in the table", collective, name);
    }
    if (file)
        fclose(file);
    ok(file && n == 46 && wrong == 0, "the table has the algorithms that Open MPI 4.1.4 lists");
    wrong = 0;
    for (const struct algorithm *a = algorithm_next(NULL); a; a = algorithm_next(a))
        wrong += algorithm_find(algorithm_collective(a)->name, a->name) != a || !a->help;
    is_int(0, wrong, "every row is found by its name and has a line of help");
}

/* A row says the same in all its columns. */
static void check_row(const struct collective *c)
{
    int wrong = 0;
    for (const struct algorithm *a = NULL; (a = collective_algorithm(c, a));)
        wrong += strcmp(algorithm_collective(a)->name, c->name) != 0;
    is_int(0, wrong, "%s: its schedules are its own", c->name);
    ok(collective_find(c->name) == c && c->word && *c->word && strncmp(c->call, "MPI_", 4) == 0,
       "… it is found by its name, and has its words");
    ok((c->fan == FAN_NONE) == !c->linear && (!c->linear || algorithm_find(c->name, c->linear)),
       "… its linear algorithm is one of its own");
    ok(!c->rows[0] || (c->ends && *c->ends), "… a proof has words for it");
    ok(!collective_of(c->name)->recv.root_only || c->rooted, "… what ends at the root has one");
}

static void check_collectives(void)
{
    for (const struct collective *c = collectives; c->name; c++)
        check_row(c);
    for (const struct collective *c = collectives; c->name; c++)
        ok(!c->rows[0] || collective_closing(c->name), "%s can be closed", c->name);
    is_str("called_linear", collective_closing("reduce")->name,
           "the root calls for the gather behind a reduction");
    is_str("basic_linear", collective_closing("bcast")->name,
           "… which follows a broadcast by itself");
    is_str("basic_linear", collective_closing("alltoall")->name, "… and an all-to-all");
    is_int(0, collective_closing_root("alltoall", 8, 0), "… at rank 0");
    is_str("called_linear", collective_closing("scan")->name, "a scan's last rank calls for it");
    is_int(7, collective_closing_root("scan", 8, 0), "… and has the clock");
    is_int(-1, collective_of("dance")->rooted + collective_of("dance")->combines - 1,
           "what is not known has no properties");
}

int main(void)
{
    check_shapes();
    check_consistency();
    check_cases();
    check_substitutions();
    check_unfit();
    check_limits();

    check_calls();
    check_arguments();
    check_listing();
    check_collectives();
    return tap_done();
}
