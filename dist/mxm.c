/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of matrices: gbl_dist_mxm and gbl_dist_mxm_count.
 */
#include "dist.h"

#include <string.h>

/* Where phases of a product are collected: one phase is the whole. */
typedef struct {
    gbl_Matrix whole;
    gb_Rows rows;
    size_t size;
} Collected;

static gbl_Info collect(gb_Summa *s, gbl_Matrix *T, gb_Range rows) {
    Collected *c = s->context;
    if (s->phases == 1) {
        c->whole = *T;
        *T = NULL;
        return GBL_SUCCESS;
    }
    return gb_agree(s->A->grid, gb_rows_append(&c->rows, *T, rows.size, c->size));
}

/* The type of products. Blocks do not know where they are in A and B, so positions are refused, and
 * semirings of others, whose multiplication may be one. */
gbl_Info gb_ring_type(gbl_Type *type, gbl_Semiring ring) {
    char name[128] = "";
    size_t size = 0;
    int32_t code = 0, by_position = 0;
    gbl_Info info;
    if ((info = gbl_Semiring_get_SIZE(ring, &size, GBL_NAME)) ||
        (info = gbl_Semiring_get_INT32(ring, &by_position, GBL_BY_POSITION)))
        return info;
    if (size > sizeof name) size = 0;
    if (size > 0 && (info = gbl_Semiring_get_String(ring, name, GBL_NAME))) return info;
    if ((strncmp(name, "GrB_", 4) != 0 && strncmp(name, "GBL_", 4) != 0) || by_position)
        return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                        "products over many processes take predefined semirings without positions, "
                        "not '%s'",
                        name);
    if ((info = gbl_Semiring_get_INT32(ring, &code, GBL_OUTP_TYPE_CODE))) return info;
    *type = gb_type((gbl_Type_Code)code);
    return GBL_SUCCESS;
}

gbl_Info gb_check_product(gbl_DistMatrix C, gbl_DistMatrix M, gbl_DistMatrix A, gbl_DistMatrix B) {
    if (A->ncols != B->nrows || C->nrows != A->nrows || C->ncols != B->ncols ||
        (M && (M->nrows != C->nrows || M->ncols != C->ncols)))
        return gbl_fail(GBL_DIMENSION_MISMATCH, NULL,
                        "C is %llu x %llu, A is %llu x %llu, B is %llu x %llu%s",
                        (unsigned long long)C->nrows, (unsigned long long)C->ncols,
                        (unsigned long long)A->nrows, (unsigned long long)A->ncols,
                        (unsigned long long)B->nrows, (unsigned long long)B->ncols,
                        M ? ", and the mask has C's shape" : "");
    return GBL_SUCCESS;
}

/* -- kernels of CombBLAS */

static gbl_Info combblas_multiply(gb_Summa *s, gbl_Matrix *T, gbl_Matrix mask, const gb_Block *a,
                                  const gb_Block *b) {
    (void)T;
    (void)mask;
    const gb_CombBlock first = {a->nrows, a->ncols, &a->arrays};
    const gb_CombBlock second = {b->nrows, b->ncols, &b->arrays};
    const double start = MPI_Wtime();
    const gbl_Info info = gb_combblas_multiply(&s->comb, s->ring, &first, &second);
    s->A->grid->counters.seconds_multiply += MPI_Wtime() - start;
    return info;
}

static gbl_Info check_combblas(const gb_Summa *s) {
    gbl_Type type;
    if (gb_combblas_knows(s->ring, &type) && !s->mask && s->A->type == type && s->B->type == type)
        return GBL_SUCCESS;
    return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                    "CombBLAS's kernels have PLUS_TIMES and MIN_PLUS of FP64, LOR_LAND of BOOL and "
                    "PLUS_PAIR of INT64, on operands of that type, without a mask");
}

static gbl_Info combblas_whole(gb_Summa *s, gbl_Matrix *T) {
    const gb_CombBlock a = {gb_rows(s->A).size, gb_cols(s->A).size, &s->A->arrays};
    const gb_CombBlock b = {gb_rows(s->B).size, gb_cols(s->B).size, &s->B->arrays};
    const gbl_Grid grid = s->A->grid;
    return gb_agree(grid, gb_combblas_summa(T, s->ring, grid->combblas, &a, &b));
}

/* -- the product */

/* T = A * B inside the mask; agreed on. */
static gbl_Info multiply(gb_Summa *s, gbl_Matrix *T) {
    Collected c = {0};
    gb_Kind kind;
    gbl_Info info;
    const gbl_Grid grid = s->A->grid;
    const gb_Range rows = gb_rows(s->A), cols = gb_cols(s->B);
    s->context = &c;
    s->finish = collect;
    s->multiply = gb_summa_multiply;
    s->phases = 1;
    if (grid->kernels != GBL_DIST_GBLITE) {
        s->multiply = combblas_multiply;
        if ((info = check_combblas(s))) return info; /* the same everywhere */
    }
    if (grid->kernels == GBL_DIST_COMBBLAS_SUMMA) return combblas_whole(s, T);
    if (grid->kernels == GBL_DIST_GBLITE && (info = gb_plan_phases(s))) return info;
    info = gb_kind(&kind, s->type);
    c.size = kind.size;
    if (!info && s->phases > 1) info = gb_rows_new(&c.rows, rows.size);
    if ((info = gb_agree(grid, info)) || (info = gb_summa(s))) goto done;
    if (s->phases > 1) info = gb_rows_to_matrix(T, &c.rows, s->type, cols.size);
    if (c.whole) {
        *T = c.whole;
        c.whole = NULL;
    } else if (s->phases == 1) {
        info = gbl_Matrix_new(T, s->type, rows.size, cols.size);
    }
    info = gb_agree(grid, info);
done:
    gbl_Matrix_free(&c.whole);
    gb_rows_free(&c.rows);
    return info;
}

static const gbl_Desc_Field of_product[] = {GBL_MASK, GBL_METHOD};

gbl_Info gbl_dist_mxm(gbl_DistMatrix C, gbl_DistMatrix M, gbl_BinaryOp accum, gbl_Semiring ring,
                      gbl_DistMatrix A, gbl_DistMatrix B, gbl_Descriptor desc) {
    const gbl_DistMatrix objects[] = {C, A, B, M};
    gbl_DistMatrix a = NULL, b = NULL;
    gb_Summa s = {.mask = M, .ring = ring};
    gbl_Matrix T = NULL;
    gbl_Info info;
    if (!C) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_dist_mxm: C is NULL");
    if ((info = gb_on_grid(C->grid, objects, M ? 4 : 3)) || (info = gb_ring_type(&s.type, ring)) ||
        (info = gb_operand(&s.A, &a, A, desc, GBL_INP0)) ||
        (info = gb_operand(&s.B, &b, B, desc, GBL_INP1)) ||
        (info = gb_check_product(C, M, s.A, s.B)) ||
        (info = gb_agree(C->grid, gb_descriptor(&s.desc, desc, of_product, 2))))
        goto done;
    if (!(info = multiply(&s, &T))) info = gb_write(C, M, accum, &T, desc, info);
done:
    gbl_DistMatrix_free(&a);
    gbl_DistMatrix_free(&b);
    gbl_Matrix_free(&T);
    gbl_Descriptor_free(&s.desc);
    return info;
}

/* -- counts */

static gbl_Info count(gb_Summa *s, gbl_Matrix *T, gbl_Matrix mask, const gb_Block *a,
                      const gb_Block *b) {
    (void)T;
    int64_t more = 0, *sum = s->context;
    const double start = MPI_Wtime();
    const gbl_Info info = gbl_mxm_reduce_INT64(&more, mask, NULL, GBL_PLUS_MONOID_INT64, s->ring,
                                               a->matrix, b->matrix, GBL_DESC_S);
    *sum += more;
    s->A->grid->counters.seconds_multiply += MPI_Wtime() - start;
    return info;
}

static gbl_Info keep_nothing(gb_Summa *s, gbl_Matrix *T, gb_Range rows) {
    (void)s;
    (void)T;
    (void)rows;
    return GBL_SUCCESS;
}

gbl_Info gbl_dist_mxm_count(int64_t *sum, gbl_DistMatrix M, gbl_DistMatrix A, gbl_DistMatrix B) {
    const gbl_DistMatrix objects[] = {M, A, B};
    int64_t here = 0;
    gb_Summa s = {.A = A,
                  .B = B,
                  .mask = M,
                  .ring = GBL_PLUS_PAIR_SEMIRING_INT64,
                  .type = GBL_INT64,
                  .multiply = count,
                  .finish = keep_nothing,
                  .context = &here,
                  .phases = 1};
    gbl_Info info;
    if (!sum || !M) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_dist_mxm_count: sum or M is NULL");
    if ((info = gb_on_grid(M->grid, objects, 3)) || (info = gb_check_product(M, NULL, A, B)) ||
        (info = gb_summa(&s)))
        return info;
    MPI_Allreduce(&here, sum, 1, MPI_INT64_T, MPI_SUM, M->grid->all);
    return GBL_SUCCESS;
}
