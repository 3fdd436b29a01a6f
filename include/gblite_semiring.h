/* SPDX-License-Identifier: Apache-2.0
 *
 * Your own semiring at the speed of predefined ones, without a compiler at run time: this header
 * makes kernels of it, of the same bodies as the library's own. In one source file, C11 or C++17:
 *
 *   typedef struct { double length; int64_t hops; } path;
 *   static inline path better(path x, path y) { return x.length < y.length ? x : y; }
 *   static inline path follow(path a, path b) {
 *       return (path){a.length + b.length, a.hops + b.hops};
 *   }
 *
 *   #define GBL_SEMIRING shortest
 *   #define GBL_SEMIRING_TYPE path
 *   #define GBL_SEMIRING_ADD(x, y) better(x, y)
 *   #define GBL_SEMIRING_MULTIPLY(a, b) follow(a, b)
 *   #define GBL_SEMIRING_IDENTITY ((path){INFINITY, 0})
 *   #include <gblite_semiring.h>
 *
 * which defines `const gbl_CompiledSemiring shortest`. Any file of the program, C or C++, says
 * `extern const gbl_CompiledSemiring shortest;` and gbl_Semiring_compiled(&semiring, type,
 * &shortest). Several semirings may follow each other in one file: the header takes the macros
 * away again.
 *
 *   GBL_SEMIRING            its name; of the table, and in explanations
 *   GBL_SEMIRING_TYPE       type of the values of A, B and C; at most 64 bytes are advised
 *   GBL_SEMIRING_ADD        the addition; associative and commutative
 *   GBL_SEMIRING_MULTIPLY   the multiplication of A(i,k) and B(k,j); need not be commutative
 *   GBL_SEMIRING_IDENTITY   a constant expression or compound literal; of the addition
 *   GBL_SEMIRING_TERMINAL   may be left out: true for values that no addition changes any more
 *   GBL_SEMIRING_LANES      may be left out: 1 where the type is a number of 4 or 8 bytes, and the
 *                           addition and the multiplication are made of + - * & | ^ and of the
 *                           macros below alone, which work on vectors of lanes too: PANEL and SPMM
 *                           take it then
 *   GBL_LANES_IMIN(x, y)    the smaller integer
 *   GBL_LANES_FMIN(x, y), GBL_LANES_FMAX(x, y)  the smaller, larger float that is not NaN
 *
 * Build: cc -c $(pkg-config --cflags gblite_semiring), or gblite_add_semiring(target file.c) in
 * CMake. Kernels are made for the instruction set that the compiler is told (-march=native);
 * gbl_Semiring_compiled refuses them where the processor lacks it. For several sets in one program
 * compile the file once without such flags, and again with -DGBL_KERNEL_SET and -march=x86-64-v3 or
 * -march=x86-64-v4; gbl_Semiring_compiled takes the best one that the processor has.
 *
 * For GPUs compile it once more: nvcc -x cu -std=c++17 -fmad=false. Functions begin with
 * GBL_KERNEL_FUNCTION then, in place of static inline. Row-wise products, DOT and pull run there.
 */
#include "gblite.h"

#ifdef __cplusplus
#if __cplusplus < 201703L
#error "gblite_semiring.h needs C++17, or C11"
#endif
#define restrict __restrict__
#endif
#if !defined(GBL_SEMIRING) || !defined(GBL_SEMIRING_TYPE) || !defined(GBL_SEMIRING_ADD) ||         \
    !defined(GBL_SEMIRING_MULTIPLY) || !defined(GBL_SEMIRING_IDENTITY)
#error "define GBL_SEMIRING and its _TYPE, _ADD, _MULTIPLY, _IDENTITY before gblite_semiring.h"
#endif
#ifndef GBL_SEMIRING_TERMINAL
#define GBL_SEMIRING_TERMINAL(x) 0
#endif

#ifndef GBL_SEMIRING_LANES
#define GBL_SEMIRING_LANES 0
#endif

#if defined(__CUDACC__) || defined(GB_CUDA_ON_CPU) /* kernels of a GPU */
#include "cuda/compiled/kernels.cuh"
GB_DEVICE_SEMIRING(GBL_SEMIRING, GBL_SEMIRING_TYPE)
#else

/* Warnings, of extensions too, concern the user's own code alone. */
#pragma GCC system_header
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* in g++ 12's intrinsics of AVX-512 */
#ifndef GB_ISA                                         /* the first semiring of the file */
#if defined(__AVX512F__)
#define GB_ISA avx512
#elif defined(__AVX2__)
#define GB_ISA avx2
#elif defined(__ARM_FEATURE_SVE)
#define GB_ISA sve
#elif defined(__riscv_v_intrinsic)
#define GB_ISA rvv
#else
#define GB_ISA portable
#endif
#include "cpu/compiled/helpers.h"
#define GBL_LANES_IMIN(x, y) GB_IMIN(x, y)
#define GBL_LANES_FMIN(x, y) GB_FMIN(x, y)
#define GBL_LANES_FMAX(x, y) GB_FMAX(x, y)
#endif

GB_COMPILED_FUNCTIONS(GBL_SEMIRING, GBL_SEMIRING_TYPE)
#define SR_TEMPLATE "cpu/rowwise/rowwise.tmpl.h"
#include "semiring/compiled_entry.h"
#define SR_TEMPLATE "cpu/dot/dot.tmpl.h"
#include "semiring/compiled_entry.h"
#define SR_NAME GB_CAT(outer, GBL_SEMIRING) /* names of its functions are those of ROWWISE's */
#define SR_TEMPLATE "cpu/outer/outer.tmpl.h"
#include "semiring/compiled_entry.h"
#define SR_TEMPLATE "cpu/mxv/push.tmpl.h"
#include "semiring/compiled_entry.h"
#define SR_TEMPLATE "cpu/mxv/pull.tmpl.h"
#include "semiring/compiled_entry.h"
#if GBL_SEMIRING_LANES
#define SR_TEMPLATE "cpu/panel/panel.tmpl.h"
#include "semiring/compiled_entry.h"
#define SR_TEMPLATE "cpu/spmm/spmm.tmpl.h"
#include "semiring/compiled_entry.h"
static const gb_PanelKernel GB_CAT(gb_panel, GBL_SEMIRING) = {GB_CAT(panel_add, GBL_SEMIRING),
                                                              GB_CAT(panel_rest, GBL_SEMIRING)};
static const gb_SpmmKernel GB_CAT(gb_spmm, GBL_SEMIRING) = {GB_CAT(spmm, GBL_SEMIRING)};
#define GB_LANE_KERNEL(kind, name) &GB_CAT(kind, name)
#else
#define GB_LANE_KERNEL(kind, name) NULL
#endif

GB_COMPILED_SEMIRING(GBL_SEMIRING)
#pragma GCC diagnostic pop
#endif /* of a GPU */

#undef GBL_SEMIRING
#undef GBL_SEMIRING_TYPE
#undef GBL_SEMIRING_ADD
#undef GBL_SEMIRING_MULTIPLY
#undef GBL_SEMIRING_IDENTITY
#undef GBL_SEMIRING_TERMINAL
#undef GBL_SEMIRING_LANES
#undef GB_LANE_KERNEL
#ifdef __cplusplus
#undef restrict
#endif
