/* SPDX-License-Identifier: Apache-2.0
 *
 * The public header from C++: typed names, predefined objects, user-defined operators.
 */
#include "gblite.h"

#include <cstdio>
#include <vector>

static int failures = 0;

static void check(bool holds, const char *what) {
    if (holds) return;
    std::fprintf(stderr, "%s does not hold; last error: %s\n", what, gbl_last_error());
    failures++;
}
#define CHECK(condition) check(condition, #condition)
#define OK(call) check((call) == GBL_SUCCESS, #call)

struct longest {
    int32_t length;
    double weight;
};

static void heavier(void *z, const void *x, const void *y) {
    const longest *a = static_cast<const longest *>(x), *b = static_cast<const longest *>(y);
    *static_cast<longest *>(z) = a->weight >= b->weight ? *a : *b;
}

/* A = [. 2; 3 .] squared is [6 .; . 6] */
static void multiply() {
    gbl_Matrix A = nullptr, C = nullptr;
    const std::vector<gbl_Index> I{0, 1}, J{1, 0};
    const std::vector<double> X{2, 3};
    double x = 0;
    gbl_Index nvals = 0;
    OK(gbl_Matrix_new(&A, GBL_FP64, 2, 2));
    OK(gbl_Matrix_new(&C, GBL_FP64, 2, 2));
    OK(gbl_Matrix_build_FP64(A, I.data(), J.data(), X.data(), 2, GBL_PLUS_FP64));
    OK(gbl_mxm(C, nullptr, nullptr, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, GBL_DESC_R));
    OK(gbl_Matrix_nvals(&nvals, C));
    OK(gbl_Matrix_extractElement_FP64(&x, C, 1, 1));
    CHECK(nvals == 2 && x == 6);
    CHECK(gbl_Matrix_extractElement_FP64(&x, C, 0, 1) == GBL_NO_VALUE);
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    CHECK(how.size == sizeof how && how.method == nullptr);
    OK(gbl_Matrix_explain(&how, C));
    CHECK(how.size == sizeof how && how.method != nullptr && how.nvals == 2);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
    CHECK(A == nullptr && C == nullptr);
}

static void user_objects() {
    gbl_Type type = nullptr;
    gbl_BinaryOp op = nullptr;
    gbl_Monoid monoid = nullptr;
    gbl_Vector v = nullptr;
    const longest none = {0, -1}, first = {7, 2.5}, second = {9, 1.5};
    longest best = none;
    OK(gbl_Type_new(&type, sizeof(longest)));
    OK(gbl_BinaryOp_new(&op, heavier, type, type, type));
    OK(gbl_Monoid_new_UDT(&monoid, op, &none));
    OK(gbl_Vector_new(&v, type, 10));
    OK(gbl_Vector_setElement_UDT(v, &first, 3));
    OK(gbl_Vector_setElement_UDT(v, &second, 4));
    OK(gbl_Vector_reduce_UDT(&best, nullptr, monoid, v, nullptr));
    CHECK(best.length == 7 && best.weight == 2.5);
    OK(gbl_Vector_free(&v));
    OK(gbl_Monoid_free(&monoid));
    OK(gbl_BinaryOp_free(&op));
    OK(gbl_Type_free(&type));
}

int main() {
    OK(gbl_init(GBL_NONBLOCKING));
    multiply();
    user_objects();
    int64_t blocks = -1;
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &blocks, GBL_BLOCKS_IN_USE));
    CHECK(blocks == 0);
    OK(gbl_finalize());
    return failures == 0 ? 0 : 1;
}
