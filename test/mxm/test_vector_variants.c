/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters of the method VECTOR: what variants become by those that a descriptor gives, rows of a
 * block where memory is short, the hash of columns; the order of sums of a factor that is not
 * sorted.
 */
#include "support/gb_test.h"

#include <gblite_io.h>
#include <string.h>

#include "cpu/vector/work.h"
#include "mxm/model/call.h"
#include "support/tuples.h"

/* Declared in mxm/model/method.h, whose words clash with those of the kernels. */
gb_VectorWay gb_vector_way(const gb_VectorChoices *c);

static gb_VectorWay way_of(gbl_Desc_Value variant, int32_t least, int32_t most) {
    return gb_vector_way(&(gb_VectorChoices){variant, least, most, 0});
}

GB_TEST(vector_variants, rows_of_a_block) {
    gb_VectorWay way = way_of(GBL_VECTOR_HASH_32_256, 0, 8);
    CHECK_EQ(way.block_least, 8);
    CHECK_EQ(way.block_most, 8);
    way = way_of(GBL_VECTOR_HASH_32_256, 0, 64);
    CHECK_EQ(way.block_least, 32);
    CHECK_EQ(way.block_most, 64);
    way = way_of(GBL_VECTOR_HASH_32_256, 300, 0);
    CHECK_EQ(way.block_least, 300);
    CHECK_EQ(way.block_most, 300);
    way = way_of(GBL_VECTOR_HASH_32_256, 3, 7);
    CHECK_EQ(way.block_least, 3);
    CHECK_EQ(way.block_most, 7);
}

/* Multiples of a power of two come to many slots, each to one of the table's. */
GB_TEST(vector_variants, hash_of_strides) {
    enum { SLOTS = 512, SHIFT = 32 - 9, BASE = 7 };
    for (unsigned stride = 0; stride < 24; stride++) {
        uint32_t base[GB_VL_MOST], j[GB_VL_MOST], slot[GB_VL_MOST];
        bool met[SLOTS] = {false};
        unsigned found = 0;
        for (uint32_t l = 0; l < GB_VL_MOST; l++) {
            base[l] = BASE;
            j[l] = l << stride;
        }
        gb_v_hash(slot, base, j, SHIFT, GB_VL_MOST);
        for (unsigned l = 0; l < GB_VL_MOST; l++) {
            CHECK(slot[l] >= BASE && slot[l] < BASE + SLOTS);
            found += !met[slot[l] - BASE];
            met[slot[l] - BASE] = true;
        }
        t_case("stride 2^%u", stride);
        CHECK(found > GB_VL_MOST / 4);
    }
}

static gbl_Info multiply(gbl_Matrix *C, gbl_Matrix A, gbl_Matrix B, gbl_Descriptor desc) {
    const gbl_Index m = t_nrows(A), n = t_ncols(B);
    OK(gbl_Matrix_new(C, GBL_FP64, m, n));
    return gbl_mxm(*C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, desc);
}

static gbl_Descriptor vector_descriptor(void) {
    gbl_Descriptor desc = NULL;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_VECTOR));
    return desc;
}

GB_TEST(vector_variants, least_above_most) {
    gbl_Matrix A = NULL, C = NULL;
    gbl_Descriptor desc = vector_descriptor();
    OK(gbl_generate(&A, GBL_FP64, "er:5:2"));
    OK(gbl_Descriptor_set_INT32(desc, 9, GBL_BLOCK_LEAST));
    OK(gbl_Descriptor_set_INT32(desc, 8, GBL_BLOCK_MOST));
    FAILS(GBL_INVALID_VALUE, multiply(&C, A, A, desc));
    OK(gbl_Matrix_free(&C));
    OK(gbl_Descriptor_set_INT32(desc, 9, GBL_BLOCK_MOST));
    OK(multiply(&C, A, A, desc));
    FREE(C, desc, A);
}

/* SPA with blocks: all rows are in hash tables, with the sums of the row-wise product. */
GB_TEST(vector_variants, blocks_of_spa) {
    gbl_Matrix A = NULL, C = NULL;
    gbl_Descriptor desc = vector_descriptor();
    OK(gbl_generate(&A, GBL_FP64, "er:12:3"));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_ROWWISE));
    OK(multiply(&C, A, A, desc));
    t_Tuples expected = t_tuples_of(C);
    OK(gbl_Matrix_free(&C));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_VECTOR));
    OK(gbl_Descriptor_set(desc, GBL_VECTOR_VARIANT, GBL_VECTOR_SPA));
    OK(gbl_Descriptor_set_INT32(desc, 40, GBL_BLOCK_BELOW));
    OK(multiply(&C, A, A, desc));
    const gbl_Explanation why = t_explain(C);
    cr_assert_str_eq(why.workflow, "spa");
    t_expect_tuples(&expected, C);
    t_tuples_free(&expected);
    FREE(C, desc, A);
}

/* Rows of a left factor that are stored in any order are summed by the inner index. */
GB_TEST(vector_variants, unsorted_factor) {
    gbl_Matrix A = NULL, sorted = NULL, any = NULL, C = NULL;
    gbl_Descriptor desc = vector_descriptor();
    OK(gbl_generate(&A, GBL_FP64, "rmat:9:9"));
    OK(multiply(&sorted, A, A, desc));
    OK(multiply(&C, sorted, A, desc));
    t_Tuples expected = t_tuples_of(C);
    OK(gbl_Matrix_free(&C));
    OK(gbl_Descriptor_set(desc, GBL_ROW_ORDER, GBL_ANY_ORDER));
    OK(multiply(&any, A, A, desc));
    OK(gbl_Descriptor_set(desc, GBL_ROW_ORDER, GBL_DEFAULT));
    OK(multiply(&C, any, A, desc));
    t_expect_tuples(&expected, C);
    t_tuples_free(&expected);
    FREE(C, any, sorted, A, desc);
}
