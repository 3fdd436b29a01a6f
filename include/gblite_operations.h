/* SPDX-License-Identifier: Apache-2.0
 *
 * Tier 2, operations. Included by gblite.h, whose common rules hold here; products of many factors
 * are in gblite_chain.h.
 *
 * WRITING. Every operation computes a result T from its inputs and then writes C<M> accum= T:
 *   1. Z = T if accum is NULL, else the union of C and T, with accum(c, t) where both have an
 * entry.
 *   2. C becomes Z at the positions that the mask allows. At the others C keeps what it has, or
 *      loses it with GBL_OUTP = GBL_REPLACE.
 * M has the shape of C. It allows positions where it has an entry that is not zero, or with
 * GBL_STRUCTURE any entry; with GBL_COMP all other positions. M = NULL allows all, and with
 * GBL_COMP none. Without an accumulator C thus loses entries that T does not have, where the mask
 * allows. accum is any operator on values; its input types take C's and T's values, its result goes
 * to C.
 *
 * desc = NULL means all defaults. GBL_INP0 = GBL_TRAN transposes the first input, GBL_INP1 the
 * second one, where they are matrices: below A and B stand for the transposed matrices then.
 *
 * ERRORS of every operation in addition to the common ones: GBL_DIMENSION_MISMATCH, also for a mask
 * of another shape; GBL_DOMAIN_MISMATCH where an input does not cast to its operator's type, T to
 * C's type, or C and T to those of accum; for a mask of a user-defined type, unless it is
 * structural; and for operators by position (GBL_FIRSTI_INT64 ...), which are multiplications of
 * semirings only.
 *
 * COST of writing: O(1) when C becomes T (arrays move); else O(nvals(C) + nvals(T) + nvals(M) +
 * rows). Inputs of another type than the operator's are cast into workspace in every call.
 */
#ifndef GBLITE_OPERATIONS_H
#define GBLITE_OPERATIONS_H

#include "gblite_types.h"

#pragma push_macro("I") /* of <complex.h> */
#undef I

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------------- products -- */

/* gbl_mxm: C<M> accum= A * B over a semiring.
 * T(i,j) is the sum over k of A(i,k) * B(k,j). A is m x k, B is k x n, C is m x n. Values cast to
 * the types of the multiplication, unless it ignores them (PAIR, FIRST, SECOND, positions).
 * The planner takes the method of least predicted seconds (docs/cost_model.md), or GBL_METHOD and
 * GBLITE_METHOD force one; gbl_Matrix_explain reports which and why. GBL_PLACE chooses the device.
 * On the CPU an entry is summed by one thread in the order of k, by every method; a sum of nothing
 * but -0 may come out as 0, and ANY takes a value that depends on the method. On a GPU sums of
 * floats over PLUS may differ in their last bits from run to run. Errors: GBL_INVALID_VALUE if the
 * requested method or device is not possible; GBL_OUT_OF_MEMORY if it does not fit into
 * GBL_MEMORY_LIMIT; GBL_CANCELLED by the progress callback; GBL_PANIC if a requested GPU failed.
 * Cost: O(flops + entries of A + m) with flops the partial products A(i,k) * B(k,j), for DOT the
 * entries of A's rows and B's columns that the mask selects; OUTER also sorts. Workspace:
 * accumulators of the threads, and capacity for C, at most flops entries (estimates keep it near
 * C's size), for OUTER all partial products; it stays below GBL_MEMORY_LIMIT by computing C in
 * slices. An input that exists in no form that the method reads is converted, and the form is kept.
 * With GBL_NONBLOCKING a large product of integers or BOOL under a mask, by a descriptor that
 * leaves the choice to the planner, may be deferred: errors of arguments are immediate; the call
 * that first needs C, or changes an input, computes the product or fails for want of memory; a
 * reduction of C to a value does not store C; select and apply of C in place by built-in operators
 * are fused (docs/architecture.md). Sources: Gustavson 1978; Ocean, ICS '26; TileSpGEMM, PPoPP '22;
 * PB-SpGEMM, IPDPS '20. */
gbl_Info gbl_mxm(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Semiring ring, gbl_Matrix A,
                 gbl_Matrix B, gbl_Descriptor desc);

/* gbl_mxm_select: C<M> accum= what a filter keeps of each row of A * B.
 * gblite addition. T is as in gbl_mxm, at the positions that the mask allows; then, row by row,
 *   1. op, if it is not NULL, drops the entries where op(T(i,j), i, j, y) is not true;
 *   2. if what is left are fewer than `recover` entries that sum to less than `share` of the row,
 *      the largest that were dropped come back until there are `recover` (0: never);
 *   3. if not, and more than `most` are left, only the `most` largest stay (0: any number), and
 *      then step 2 is tried again;
 *   4. what stays is raised to `power` (0: as it is), and if `scale` is set divided by its sum.
 * So GBL_VALUEGE_FP64 with y = 1e-4, most = 1100, recover = 1400 and share = 0.9 are the pruning of
 * Markov clustering, power = 2 and scale its inflation (examples/markov_cluster.h). Of equal
 * entries those in smaller columns count as larger, NaN as smaller than every number; sums are in
 * double precision, in fixed order, and so is step 4 until it rounds; what is scaled is brought
 * into range before it is raised. Powers other than 1 and 2 are the C library's pow, whose last bit
 * may depend on the processor.
 * On the CPU a row is filtered as soon as it is summed, before it is stored: no more of the product
 * than what is kept is ever in memory at once, beside buffers of some rows. The method is ROWWISE
 * or PANEL there, or DOT inside a mask; others cannot, and asking for them is GBL_INVALID_VALUE. On
 * a GPU it is ROWWISE or TILED; the product, or a slice of it, is made whole before it is
 * filtered, and an op of the user's, or of another type than T, is GBL_INVALID_VALUE. The filter is
 * read during the call only.
 * Errors: as gbl_mxm and gbl_Matrix_select; GBL_NULL_POINTER for keep, or y where there is an op;
 * GBL_INVALID_VALUE for a share outside 0..1 or a power below 0; GBL_DOMAIN_MISMATCH for `most` or
 * `share` where T has a user-defined type, which has no order, and for `power` or `scale` where T
 * is not FP32 or FP64. Cost: that of gbl_mxm, and O(entries of the product).
 * Source: van Dongen 2000; HipMCL, NAR 2018. */
typedef struct {
    size_t size; /* by GBL_ROW_FILTER_INIT; see gblite_explain.h */
    gbl_IndexUnaryOp op;
    gbl_Scalar y;
    gbl_Index most, recover;
    double share;
    double power;
    bool scale;
} gbl_RowFilter;
#define GBL_ROW_FILTER_INIT GBL_SIZED(gbl_RowFilter)
gbl_Info gbl_mxm_select(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Semiring ring,
                        const gbl_RowFilter *keep, gbl_Matrix A, gbl_Matrix B, gbl_Descriptor desc);

/* gbl_mxv: w<m> accum= A * u over a semiring.
 * gbl_vxm: w<m> accum= u * A over a semiring.
 * A is the first input of mxv (GBL_INP0) and the second one of vxm (GBL_INP1). They run by push
 * (entries of u, and the columns of the matrix that these select) or pull (the rows whose results
 * may be written; sums that cannot change end early), whichever is predicted to be faster.
 * GBL_METHOD may be GBL_METHOD_PUSH or GBL_METHOD_PULL; methods and tuning of mxm are
 * GBL_INVALID_VALUE. A form of A that is missing is made once the time it would have saved has paid
 * for the conversion. On the CPU either form sums in the order of the inner index.
 * They run on the GPU where GBL_PLACE requests it or the content of an operand is on the GPU only,
 * in non-blocking mode, for semirings that have a kernel; else on the CPU (docs/cuda.md). The fifth
 * pull of a full u of more than one value, without a mask, keeps the rows that it reads as SELL
 * slices until A is written: with at least 1024 rows, and an entry per 64 of them, over (plus,
 * times) of A's type, FP64, FP32, INT64 or UINT64, or (plus, second) of FP64 or FP32. They take 4
 * bytes an entry and 7 a row; the fifth over (plus, times) adds A's values, 4 or 8 bytes an entry,
 * or the fortieth where rows have 32 entries or more in the mean, and all 10 MiB or more with their
 * values. They are not made without memory, and no result depends on them. Cost: O(partial products
 * + elements of w and u), pull less by sums that end early. */
gbl_Info gbl_mxv(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Semiring ring, gbl_Matrix A,
                 gbl_Vector u, gbl_Descriptor desc);
gbl_Info gbl_vxm(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Semiring ring, gbl_Vector u,
                 gbl_Matrix A, gbl_Descriptor desc);

/* -------------------------------------------------------------------------- entry by entry -- */

/* gbl_K_eWiseAdd_O: C<M> accum= A op B on the union of the patterns.
 * gbl_K_eWiseMult_O: C<M> accum= A op B on the intersection of the patterns.
 * In a union an entry of one operand alone keeps its value, cast to op's result type. A monoid
 * stands for its operator, a semiring for its monoid's operator in Add and for its multiplication
 * in Mult. A, B and C have one shape. Cost: O(n + m); a small mask cuts the operands first; a
 * sparse u with a full v costs O(nvals(u)). */
#define GBL_DECLARE(K, O)                                                                          \
    gbl_Info gbl_##K##_eWiseAdd_##O(gbl_##K C, gbl_##K M, gbl_BinaryOp accum, gbl_##O op,          \
                                    gbl_##K A, gbl_##K B, gbl_Descriptor desc);                    \
    gbl_Info gbl_##K##_eWiseMult_##O(gbl_##K C, gbl_##K M, gbl_BinaryOp accum, gbl_##O op,         \
                                     gbl_##K A, gbl_##K B, gbl_Descriptor desc);
GBL_DECLARE(Vector, BinaryOp)
GBL_DECLARE(Vector, Monoid)
GBL_DECLARE(Vector, Semiring)
GBL_DECLARE(Matrix, BinaryOp)
GBL_DECLARE(Matrix, Monoid)
GBL_DECLARE(Matrix, Semiring)
#undef GBL_DECLARE

/* gbl_K_apply: C<M> accum= op(A), a unary operator on every entry.
 * C has A's shape. Cost: O(n + m). */
gbl_Info gbl_Vector_apply(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_UnaryOp op,
                          gbl_Vector u, gbl_Descriptor desc);
gbl_Info gbl_Matrix_apply(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_UnaryOp op,
                          gbl_Matrix A, gbl_Descriptor desc);

/* gbl_K_apply_BinaryOp1st_T: C<M> accum= op(x, A), the first argument bound to a value.
 * gbl_K_apply_BinaryOp2nd_T: C<M> accum= op(A, y), the second argument bound to a value.
 * gbl_K_apply_IndexOp_T: C<M> accum= op(A, i, j, y), an operator on values and positions.
 * gbl_K_select_T: C<M> accum= the entries of A where op(A, i, j, y) is true.
 * x and y cast to op's type; T is a type or Scalar, whose lack of a value is GBL_EMPTY_OBJECT. C
 * has A's shape; positions are those in the transposed matrix, if A is. With the first argument
 * bound A is the second input: GBL_INP1 transposes it. select wants an operator whose result casts
 * to BOOL; entries keep their values. Cost: O(n + m); by position select skips rows that it need
 * not read. */
/* gbl_K_assign_T: C<M>(I, J) accum= x, one value at every position of the region.
 * gbl_K_assign: C<M>(I, J) accum= A, or w<m>(I) accum= u.
 * I lists ni rows and J nj columns, or is GBL_ALL (then ni, nj are ignored); A is ni x nj. The mask
 * has C's shape, and GBL_REPLACE acts on all of C. Without accum, entries of C in the region where
 * A has none are deleted; an empty gbl_Scalar x has none anywhere. Lists may be in any order; of an
 * object that has several rows, columns or elements for one index the last one counts.
 * GBL_INDEX_OUT_OF_BOUNDS for an index not below its dimension. Cost: all of an object O(n + m), as
 * a copy; all by a value: the entries of the mask, or every element of a vector, or every position
 * of a matrix. With lists: O(n + entries of C and A), for a dense vector without a mask O(ni); a
 * value also rows times columns listed, or the entries of the mask; a sort of A's rows where J does
 * not ascend. Workspace: at most 12 bytes for each row and column of C, less where few are listed;
 * where lists do not ascend, 24 for each index listed, and for each thread 16 for each entry of the
 * longest row of A. */
#define GBL_DECLARE_FOR(K, N, T)                                                                   \
    gbl_Info gbl_##K##_apply_BinaryOp1st_##N(gbl_##K C, gbl_##K M, gbl_BinaryOp accum,             \
                                             gbl_BinaryOp op, T x, gbl_##K A,                      \
                                             gbl_Descriptor desc);                                 \
    gbl_Info gbl_##K##_apply_BinaryOp2nd_##N(gbl_##K C, gbl_##K M, gbl_BinaryOp accum,             \
                                             gbl_BinaryOp op, gbl_##K A, T y,                      \
                                             gbl_Descriptor desc);                                 \
    gbl_Info gbl_##K##_apply_IndexOp_##N(gbl_##K C, gbl_##K M, gbl_BinaryOp accum,                 \
                                         gbl_IndexUnaryOp op, gbl_##K A, T y,                      \
                                         gbl_Descriptor desc);                                     \
    gbl_Info gbl_##K##_select_##N(gbl_##K C, gbl_##K M, gbl_BinaryOp accum, gbl_IndexUnaryOp op,   \
                                  gbl_##K A, T y, gbl_Descriptor desc);
#define GBL_DECLARE(N, T)                                                                          \
    GBL_DECLARE_FOR(Vector, N, T)                                                                  \
    GBL_DECLARE_FOR(Matrix, N, T)                                                                  \
    gbl_Info gbl_Vector_assign_##N(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, T x,            \
                                   const gbl_Index *I, gbl_Index ni, gbl_Descriptor desc);         \
    gbl_Info gbl_Matrix_assign_##N(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, T x,            \
                                   const gbl_Index *I, gbl_Index ni, const gbl_Index *J,           \
                                   gbl_Index nj, gbl_Descriptor desc);
GBL_FOREACH_VALUE(GBL_DECLARE)
GBL_DECLARE(Scalar, gbl_Scalar)
#undef GBL_DECLARE
#undef GBL_DECLARE_FOR

extern const gbl_Index *const GBL_ALL; /* all indices, in order; known by its address */
gbl_Info gbl_Vector_assign(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                           const gbl_Index *I, gbl_Index ni, gbl_Descriptor desc);
gbl_Info gbl_Matrix_assign(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Matrix A,
                           const gbl_Index *I, gbl_Index ni, const gbl_Index *J, gbl_Index nj,
                           gbl_Descriptor desc);

/* gbl_Row_assign: C<m'>(i, J) accum= u', one row of a matrix.
 * gbl_Col_assign: C<m>(I, j) accum= u, one column of a matrix.
 * The row or column is written as gbl_Vector_assign writes a vector: the mask is as long as it is,
 * and GBL_REPLACE deletes nothing elsewhere. u has an element for each index listed.
 * GBL_INVALID_INDEX for a row i or column j that C does not have; else as gbl_Vector_assign. Cost:
 * O(rows + entries of C), a copy; in non-blocking mode without m and accum O(length of the line),
 * amortised over many, as updates that wait. */
gbl_Info gbl_Row_assign(gbl_Matrix C, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u, gbl_Index i,
                        const gbl_Index *J, gbl_Index nj, gbl_Descriptor desc);
gbl_Info gbl_Col_assign(gbl_Matrix C, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                        const gbl_Index *I, gbl_Index ni, gbl_Index j, gbl_Descriptor desc);

/* gbl_transpose: C<M> accum= A', the transposed matrix.
 * C is n x m for A m x n; with GBL_INP0 = GBL_TRAN the transpositions cancel. Cost: O(entries + n +
 * m), a copy of arrays that change their meaning; O(1) for C = A without mask and accumulator. Of a
 * dense matrix O(n * m), also for C = A: elements move, and C is dense. */
gbl_Info gbl_transpose(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Matrix A,
                       gbl_Descriptor desc);

/* gbl_Matrix_extract: C<M> accum= A(I, J), rows and columns that are listed.
 * gbl_Col_extract: w<m> accum= A(I, j), one column; with GBL_INP0 = GBL_TRAN a row of A.
 * T(k,l) = A(I[k], J[l]). I lists ni rows of A and J nj columns, in any order, also repeatedly, or
 * is GBL_ALL (then ni, nj are ignored); C is ni x nj, w has ni elements.
 * GBL_INDEX_OUT_OF_BOUNDS for an index in a list that A does not have, GBL_INVALID_INDEX for such a
 * j. Cost: O(entries of the rows that are taken + ni), beyond that a sort of T's rows where J does
 * not ascend; A is read by columns, with I and J exchanged, where it is held by columns alone, or
 * where J takes the smaller share. Workspace: at most 12 bytes for each column of A, less where few
 * are listed, and 24 for each entry of the longest row. */
gbl_Info gbl_Matrix_extract(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Matrix A,
                            const gbl_Index *I, gbl_Index ni, const gbl_Index *J, gbl_Index nj,
                            gbl_Descriptor desc);
gbl_Info gbl_Col_extract(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Matrix A,
                         const gbl_Index *I, gbl_Index ni, gbl_Index j, gbl_Descriptor desc);

/* gbl_Vector_extract: w<m> accum= u(I), the elements of u at listed places.
 * gbl_Vector_extract_Vector: w<m> accum= u(I), the list being the entries of a vector (gblite
 * addition).
 * T(k) = u(I[k]) for k < ni, where u has that entry; w has ni elements, or u's when I is GBL_ALL. I
 * may repeat indices. A vector I has w's length and integer values; where it has no entry T has
 * none. GBL_INDEX_OUT_OF_BOUNDS for an index not below u's length. Cost: O(ni), times log(nvals(u))
 * where u is sparse. */
gbl_Info gbl_Vector_extract(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                            const gbl_Index *I, gbl_Index ni, gbl_Descriptor desc);
gbl_Info gbl_Vector_extract_Vector(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                                   gbl_Vector I, gbl_Descriptor desc);

/* gbl_Vector_scatter: w<m> accum= the values of u, each at the place that I has for it (gblite
 * addition).
 * T(j) = the values u(k) of all k with I(k) = j, folded by dup in the order of k; where u or I has
 * no entry k nothing is written. I has u's length and integer values; w may have another length.
 * dup is an operator T x T -> T that u's values are cast to. GBL_INDEX_OUT_OF_BOUNDS for an index
 * not below w's length. Cost: O(entries of u and I + elements of w), or for few entries a sort. */
gbl_Info gbl_Vector_scatter(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_BinaryOp dup,
                            gbl_Vector u, gbl_Vector I, gbl_Descriptor desc);

/* gbl_Vector_roots: w<m> accum= the end of the chain from each place of u (gblite addition).
 * T(i) = the last index of i -> u(i) -> u(u(i)) ..., for each entry i of u: the first one that is
 * its own next, or has no entry. u has integer values, w has u's length; T's type is UINT32, of
 * lengths above 2^32 - 1 UINT64, and a w of a type that does not hold n - 1 gets casts, which wrap
 * around. So the roots of a forest of parents, in one call. GBL_INDEX_OUT_OF_BOUNDS for a value not
 * below u's length, GBL_INVALID_VALUE for a chain that goes round. Cost: O(elements), of such
 * lengths O(entries). */
gbl_Info gbl_Vector_roots(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                          gbl_Descriptor desc);

/* gbl_Vector_join: trees of a forest become one along the edges of a matrix (gblite addition).
 * w is a forest: each entry leads to its parent, and roots to themselves; places without an entry
 * are trees of their own. For each entry (i, j) of A that is looked at the trees of i and j become
 * one, whose root is the lower of the two roots, and i and j have entries afterwards. Then w = the
 * root of the tree of each of its entries. From w(i) = i this names what A connects by its lowest
 * index: what w min= A * w over (min, second) and its transpose come to after as many steps as
 * paths are long, in one. From an empty w it names the same, but indices that no entry has get
 * nothing.
 * Looked at are the rows that the mask m allows, and of each `count` entries, in the order of their
 * columns, after the `first` first ones; fewer where a row ends. A is n x n, w has n elements and
 * an integer type: GBL_DOMAIN_MISMATCH unless it holds n - 1, as UINT32 does up to n = 2^32.
 * GBL_REPLACE is ignored. GBL_INDEX_OUT_OF_BOUNDS for a value of w not below n, GBL_INVALID_VALUE
 * for a chain in w that goes round; w is as it was after any error. Cost: O(n + entries looked at)
 * in practice; of hypersparse objects O(entries), unless n < 2^32 and more than one of 64 elements
 * of w are entries (docs/hypersparse.md). Workspace: 4 to 6 bytes an element: links, presence where
 * w is not full, a mask that is not a list; and w as an array and A by rows, or by columns for
 * GBL_TRAN, where they are held otherwise. */
gbl_Info gbl_Vector_join(gbl_Vector w, gbl_Vector m, gbl_Matrix A, gbl_Index first, gbl_Index count,
                         gbl_Descriptor desc);

/* gbl_Vector_update: w accum= u, and the entries of w that has changed (gblite addition).
 * w(i) = accum(w(i), u(i)) where both have an entry and that is another value, u(i) where u alone
 * has one; changed(i) = w(i) where either is so. Two zeros are one value, and so are all NaN. accum
 * is not NULL. w and changed have the same type; w is neither changed nor u (GBL_INVALID_VALUE),
 * changed may be u. There is no mask, and nothing of desc is used. w becomes a bitmap or a full
 * array with a value for each element (of lengths above 2^32 - 1: for each index that w or a u has
 * had), once in O(its elements), also where nothing changes. Cost: O(entries of u), where w is one.
 * So what a step of a search has improved goes into the next one. */
gbl_Info gbl_Vector_update(gbl_Vector w, gbl_Vector changed, gbl_BinaryOp accum, gbl_Vector u,
                           gbl_Descriptor desc);

/* gbl_vxm_update: gbl_Vector_update with the product u * A, whose addition is accum, in one call
 * (gblite addition).
 * w(j) = w(j) + T(j), T = u * A over a semiring; changed gets what that changes, and what
 * gbl_Vector_explain tells. MIN and MAX of numbers do not look at products that change nothing any
 * further, where they go by push; ANY, which keeps what is there, is computed only where w has no
 * entry. Types, errors and vectors as in gbl_Vector_update, u may be changed; nothing of desc but
 * the transpose of A (GBL_INP1) and GBL_METHOD is used. Cost: that of gbl_vxm and
 * gbl_Vector_update, or less. So a step of a search is one call. */
gbl_Info gbl_vxm_update(gbl_Vector w, gbl_Vector changed, gbl_Semiring ring, gbl_Vector u,
                        gbl_Matrix A, gbl_Descriptor desc);

/* gbl_vxm_closure: the least fixpoint of w = w + w * A, such as all shortest paths (gblite
 * addition).
 * w(j) = the sum, over all paths from an entry w(i) to j, of w(i) * A(i,k) * ... * A(l,j), from the
 * left: what gbl_vxm_update comes to when what has changed is multiplied until nothing changes, in
 * one call. The addition is MIN or MAX, else GBL_DOMAIN_MISMATCH; types and the transpose of A
 * (GBL_INP1) as in gbl_vxm_update. GBL_INVALID_VALUE where a circle improves what goes round it, as
 * one of negative length does, even if values would come to rest at an end of their range; w is
 * then as it was. (MIN, PLUS) of INT32, INT64, FP32 and FP64, where w has that type and neither w
 * nor A a value below 0, is fastest, and a path that is longer than the type holds is
 * GBL_INVALID_VALUE; other sums of integers wrap around. Values are then final bucket by bucket,
 * each of this width, which changes the time and not the result: some edges long is best. Not above
 * 0, NaN or infinity: one bucket. Results do not depend on threads. Cost: O(n + entries), of
 * hypersparse objects O(entries), times how often values fall; workspace: a few bytes for each time
 * that one does in a bucket. gbl_Vector_explain reports whether it used buckets or rounds of
 * products; only the latter obey GBL_METHOD. */
gbl_Info gbl_vxm_closure(gbl_Vector w, gbl_Semiring ring, gbl_Matrix A, double width,
                         gbl_Descriptor desc);

/* gbl_Matrix_kronecker_O: C<M> accum= the Kronecker product of A and B.
 * T(ia * mB + ib, ja * nB + jb) = op(A(ia,ja), B(ib,jb)) for B mB x nB; C has as many rows as A and
 * B have multiplied, and columns likewise. A monoid stands for its operator, a semiring for its
 * multiplication. Cost: O(rows of C + entries of A times entries of B). */
gbl_Info gbl_Matrix_kronecker_BinaryOp(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum,
                                       gbl_BinaryOp op, gbl_Matrix A, gbl_Matrix B,
                                       gbl_Descriptor desc);
gbl_Info gbl_Matrix_kronecker_Monoid(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Monoid op,
                                     gbl_Matrix A, gbl_Matrix B, gbl_Descriptor desc);
gbl_Info gbl_Matrix_kronecker_Semiring(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum,
                                       gbl_Semiring op, gbl_Matrix A, gbl_Matrix B,
                                       gbl_Descriptor desc);

/* -------------------------------------------------------------------- order (gblite additions) */

/* gbl_Matrix_degrees: w<m> accum= how many entries each row of A has.
 * w has an element per row of A, 0 where it has no entry. The counts are INT64. For more than
 * 2^32 - 1 rows a mask, not complemented, is required: GBL_OUT_OF_MEMORY. Cost: O(rows) where A is
 * held by rows; else O(rows + entries), and only tiles and dense matrices are converted. */
gbl_Info gbl_Matrix_degrees(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Matrix A,
                            gbl_Descriptor desc);

/* gbl_Vector_sort: Sorts the entries of u by value: w = the values, p = where they were in u.
 * Entry k of w and p is the k-th entry of u; both lose what they had, and have u's length. Equal
 * values stay in the order of u. op is a comparison, such as GBL_LT_T (ascending) or GBL_GT_T
 * (descending) of a built-in type T, to which values are cast; NaN comes last either way. w or p,
 * but not both, may be NULL. Cost: O(n) for integers within a range as wide as u has entries, else
 * a radix sort, workspace: 4 and 16 bytes an entry; O(n log n) calls of other comparisons. */
gbl_Info gbl_Vector_sort(gbl_Vector w, gbl_Vector p, gbl_BinaryOp op, gbl_Vector u,
                         gbl_Descriptor desc);

/* gbl_Matrix_permute: C<M> accum= A(p,p), rows and columns of a square matrix in another order.
 * T(i,j) = A(p(i),p(j)). p is full and has n elements: integers that are a permutation of 0.. n -
 * 1, as gbl_Vector_sort writes; of more than 2^32 - 1 rows p has any, and those without an element
 * stay, so that its values must be its indices in another order. op NULL makes all of T; GBL_TRIL,
 * GBL_TRIU or GBL_DIAG, with y as in select, only the entries that it keeps, in the same pass.
 * GBL_INVALID_VALUE where p is no permutation, GBL_INDEX_OUT_OF_BOUNDS where an element is not
 * below n. Cost: a pass over A and a sort of each row of T; workspace: O(n). */
gbl_Info gbl_Matrix_permute(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_IndexUnaryOp op,
                            gbl_Matrix A, gbl_Vector p, int64_t y, gbl_Descriptor desc);

/* ------------------------------------------------------------------------------- reductions -- */

/* gbl_Matrix_reduce_Monoid: w<m> accum= the rows of A, each folded by a monoid.
 * gbl_Matrix_reduce_BinaryOp: w<m> accum= the rows of A, each folded by an associative operator.
 * w has an element per row of A; rows without entries give none.
 *
 * gbl_K_reduce_Monoid_Scalar: s accum= all entries of A, folded by a monoid.
 * gbl_K_reduce_BinaryOp_Scalar: s accum= all entries of A, folded by an associative operator.
 * gbl_K_reduce_T: *x accum= all entries of A, folded by a monoid; its identity without entries.
 * Transposition is ignored. An empty s becomes the result alone; without entries s becomes empty,
 * or with accum stays as it is. x of a user-defined type has the type that accum gives, or else
 * the monoid's.
 *
 * GBL_DOMAIN_MISMATCH for an operator that is not T x T -> T. Floats, and operators of the user,
 * are folded in the order of rows and columns, in blocks of fixed size: the result depends neither
 * on threads nor on the form. Cost: O(n + m); workspace: a value per block. */
gbl_Info gbl_Matrix_reduce_Monoid(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Monoid op,
                                  gbl_Matrix A, gbl_Descriptor desc);
gbl_Info gbl_Matrix_reduce_BinaryOp(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_BinaryOp op,
                                    gbl_Matrix A, gbl_Descriptor desc);
gbl_Info gbl_Vector_reduce_Monoid_Scalar(gbl_Scalar s, gbl_BinaryOp accum, gbl_Monoid op,
                                         gbl_Vector u, gbl_Descriptor desc);
gbl_Info gbl_Matrix_reduce_Monoid_Scalar(gbl_Scalar s, gbl_BinaryOp accum, gbl_Monoid op,
                                         gbl_Matrix A, gbl_Descriptor desc);
gbl_Info gbl_Vector_reduce_BinaryOp_Scalar(gbl_Scalar s, gbl_BinaryOp accum, gbl_BinaryOp op,
                                           gbl_Vector u, gbl_Descriptor desc);
gbl_Info gbl_Matrix_reduce_BinaryOp_Scalar(gbl_Scalar s, gbl_BinaryOp accum, gbl_BinaryOp op,
                                           gbl_Matrix A, gbl_Descriptor desc);
#define GBL_DECLARE(N, T)                                                                          \
    gbl_Info gbl_Vector_reduce_##N(T *x, gbl_BinaryOp accum, gbl_Monoid op, gbl_Vector u,          \
                                   gbl_Descriptor desc);                                           \
    gbl_Info gbl_Matrix_reduce_##N(T *x, gbl_BinaryOp accum, gbl_Monoid op, gbl_Matrix A,          \
                                   gbl_Descriptor desc);
GBL_FOREACH_ARRAY(GBL_DECLARE)
#undef GBL_DECLARE

/* gbl_mxm_reduce_T: *x accum= all entries of the product A * B inside the mask, folded by a monoid.
 * A gblite addition: the value that gbl_mxm into an empty matrix of the semiring's type, and
 * gbl_Matrix_reduce_T of that, give; the identity without entries. M, GBL_COMP, GBL_STRUCTURE,
 * GBL_INP0, GBL_INP1, GBL_METHOD and GBL_PLACE are those of gbl_mxm; GBL_REPLACE is ignored. Method
 * DOT, where the monoid has the semiring's type, does not store the product: it takes a row of it
 * as workspace. It sums floats in blocks of rows that the mask alone determines (about 4096 of its
 * entries), a row as reduce sums a block, rows and blocks in their order: the result does not
 * depend on threads, but may differ from that of the two calls in its last bits. Other methods
 * store it until it is folded, as gbl_Matrix_reduce_T does. A terminal value, and ANY, stop early.
 * The sum of C<A> = A * A over PLUS_PAIR_SEMIRING in INT64 or INT32, where M, A and B are one
 * matrix, by structure, symmetric or on one side of its main diagonal, is a number of triangles:
 * unless the call requests a method or device, triangles are counted, each once. A then records its
 * symmetry and, where it has a row of more than 24 entries, its degree-ordered lower triangle, some
 * 8 bytes an edge, until it is written; GBL_MEMORY_LIMIT may forbid the latter. Errors: those of
 * gbl_mxm and of gbl_Matrix_reduce_T; *x is then as it was. Cost: that of gbl_mxm. */
#define GBL_DECLARE(N, T)                                                                          \
    gbl_Info gbl_mxm_reduce_##N(T *x, gbl_Matrix M, gbl_BinaryOp accum, gbl_Monoid op,             \
                                gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B,                     \
                                gbl_Descriptor desc);
GBL_FOREACH_ARRAY(GBL_DECLARE)
#undef GBL_DECLARE

#ifdef __cplusplus
}
#endif

#pragma pop_macro("I")

#endif
