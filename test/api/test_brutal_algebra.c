/* SPDX-License-Identifier: Apache-2.0
 *
 * The n-th allocation fails, for every n, where algebra objects are made, and in gbl_init. See
 * test_brutal.c.
 */
#include "support/gb_test.h"

static void add_bytes(void *z, const void *x, const void *y) {
    for (int k = 0; k < 24; k++)
        ((char *)z)[k] = (char)(((const char *)x)[k] ^ ((const char *)y)[k]);
}

/* everything that algebra objects allocate, one after the other; the first failure ends it */
static gbl_Info make_algebra(void) {
    gbl_Type type = NULL;
    gbl_BinaryOp op = NULL;
    gbl_Monoid monoid = NULL;
    gbl_Semiring ring = NULL;
    gbl_Descriptor desc = NULL;
    gbl_Scalar s = NULL, t = NULL;
    gbl_Matrix A = NULL;
    const char zero[24] = {0}, one[24] = {1};
    gbl_Info info = gbl_Type_new(&type, 24);
    if (info == GBL_SUCCESS) info = gbl_BinaryOp_new(&op, add_bytes, type, type, type);
    if (info == GBL_SUCCESS) info = gbl_Monoid_new_UDT(&monoid, op, zero);
    if (info == GBL_SUCCESS) info = gbl_Semiring_new(&ring, monoid, op);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_new(&desc);
    if (info == GBL_SUCCESS) info = gbl_Type_set_String(type, "bytes", GBL_NAME);
    if (info == GBL_SUCCESS) info = gbl_Semiring_set_String(ring, "ring", GBL_NAME);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set_String(desc, "desc", GBL_NAME);
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set_String(desc, "again", GBL_NAME);
    if (info == GBL_SUCCESS) info = gbl_Scalar_new(&s, type);
    if (info == GBL_SUCCESS) info = gbl_Scalar_set_String(s, "scalar", GBL_NAME);
    if (info == GBL_SUCCESS) info = gbl_Scalar_setElement_UDT(s, one);
    if (info == GBL_SUCCESS) info = gbl_Scalar_dup(&t, s);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&A, type, 20, 20);
    if (info == GBL_SUCCESS) info = gbl_Matrix_set_String(A, "matrix", GBL_NAME);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_assign_Scalar(A, NULL, NULL, t, GBL_ALL, 20, GBL_ALL, 20, desc);
    if (info == GBL_SUCCESS) info = gbl_mxm(A, NULL, op, ring, A, A, desc);
    OK(gbl_Semiring_free(&ring));
    OK(gbl_Monoid_free(&monoid));
    OK(gbl_BinaryOp_free(&op));
    if (desc != NULL) OK(gbl_Descriptor_free(&desc));
    OK(gbl_Scalar_free(&s));
    OK(gbl_Scalar_free(&t));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Type_free(&type));
    return info;
}

BRUTAL(algebra) {
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        t_case("allocation %lld fails", (long long)n);
        t_fail_at(n);
        const gbl_Info info = make_algebra();
        failed = t_failed();
        t_fail_at(0);
        CHECK(info == GBL_SUCCESS || (failed && info == GBL_OUT_OF_MEMORY));
        CHECK_EQ(t_live(), 0);
        CHECK_EQ(t_blocks(), 0);
    }
}

Test(brutal, init) {
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        t_case("allocation %lld fails", (long long)n);
        t_fail_at(n);
        const gbl_Info info = gbl_init_with_allocator(GBL_NONBLOCKING, t_malloc, t_realloc, t_free);
        failed = t_failed();
        t_fail_at(0);
        CHECK(info == GBL_SUCCESS || (failed && info == GBL_OUT_OF_MEMORY));
        if (info == GBL_SUCCESS) OK(gbl_finalize());
        CHECK_EQ(t_live(), 0);
    }
}
