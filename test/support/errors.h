/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of errors share: a live object of the wrong kind, which must be recognised and not
 * followed, and the usual three errors of a function that tells a fact about an object.
 */
#pragma once

#include "support/gb_test.h"

extern gbl_Scalar t_stranger;
void t_errors_setup(void);
void t_errors_teardown(void);

#define ERROR_TEST(suite, name) Test(suite, name, .init = t_errors_setup, .fini = t_errors_teardown)
#define WRONG(Kind) ((gbl_##Kind)(void *)t_stranger)

#define FACT(call_null, call_wrong, call_out)                                                      \
    FAILS(GBL_NULL_POINTER, call_null);                                                            \
    FAILS(GBL_UNINITIALIZED_OBJECT, call_wrong);                                                   \
    FAILS(GBL_NULL_POINTER, call_out)

/* an operator T x T -> BOOL with T the named type, or another where that is BOOL */
#define GBL_LT_BOOL_OR_INT32 GBL_LT_INT32
#define GBL_LT_INT8_OR_INT32 GBL_LT_INT8
#define GBL_LT_INT16_OR_INT32 GBL_LT_INT16
#define GBL_LT_INT32_OR_INT32 GBL_LT_INT32
#define GBL_LT_INT64_OR_INT32 GBL_LT_INT64
#define GBL_LT_UINT8_OR_INT32 GBL_LT_UINT8
#define GBL_LT_UINT16_OR_INT32 GBL_LT_UINT16
#define GBL_LT_UINT32_OR_INT32 GBL_LT_UINT32
#define GBL_LT_UINT64_OR_INT32 GBL_LT_UINT64
#define GBL_LT_FP32_OR_INT32 GBL_LT_FP32
#define GBL_LT_FP64_OR_INT32 GBL_LT_FP64
