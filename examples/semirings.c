/* SPDX-License-Identifier: Apache-2.0
 *
 * Five semirings of one's own, whose kernels this program compiles (semirings/, a header each), on
 * the paths from a vertex: d += q * A and q = what has changed, until nothing has; dual numbers,
 * whose sums never settle, go three steps.
 *
 *   widest         how wide the widest path to each vertex is
 *   k_shortest     its four least different distances
 *   common_prefix  what all paths to it begin with, an edge of weight w being a letter, a for 1
 *   small_sets     of 8 things those that reach it, edge (i, j) letting all but thing (i + j) % 8
 *                  through
 *   dual           the sum of the weights of its walks of three edges, and the derivative of that
 *                  sum by a factor of all edges that leave the source
 *
 * semirings NAME [GRAPH [SOURCE]]; GRAPH is a Matrix Market file (A(i,j): the weight of the edge
 * from i to j) or a generator, SOURCE a vertex from 1.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gblite_io.h"
#include "semirings/common_prefix.h"
#include "semirings/dual.h"
#include "semirings/k_shortest.h"
#include "semirings/small_sets.h"
#include "semirings/widest.h"

/* -- from a weight to a value, what the empty path has, and how a value is printed ---------------
 */

static gbl_Index source = 0;

static void widest_edge(void *z, const void *w, gbl_Index i, gbl_Index j, const void *unused) {
    (void)i, (void)j, (void)unused;
    *(double *)z = *(const double *)w;
}

static void k_shortest_edge(void *z, const void *w, gbl_Index i, gbl_Index j, const void *unused) {
    (void)i, (void)j, (void)unused;
    *(lengths *)z = (lengths){{*(const double *)w, INFINITY, INFINITY, INFINITY}};
}

static void prefix_edge(void *z, const void *w, gbl_Index i, gbl_Index j, const void *unused) {
    const char letter = (char)('a' + ((int)*(const double *)w + 25) % 26);
    (void)i, (void)j, (void)unused;
    *(label *)z = (label){(uint64_t)letter, (uint64_t)1 << 56};
}

static void set_edge(void *z, const void *w, gbl_Index i, gbl_Index j, const void *unused) {
    (void)w, (void)unused;
    *(small_set *)z = (small_set){{0xFF & ~(UINT64_C(1) << (i + j) % 8)}};
}

static void dual_edge(void *z, const void *w, gbl_Index i, gbl_Index j, const void *unused) {
    const double weight = *(const double *)w;
    (void)j, (void)unused;
    *(dual_number *)z = (dual_number){weight, i == source ? weight : 0};
}

static const double widest_start = INFINITY;
static const lengths k_shortest_start = {{0, INFINITY, INFINITY, INFINITY}};
static const label prefix_start = {0, 0};
static const small_set set_start = {{0xFF}};
static const dual_number dual_start = {1, 0};

static void print_width(const void *x) {
    printf("%g", *(const double *)x);
}

static void print_lengths(const void *x) {
    const lengths *d = x;
    for (int k = 0; k < LENGTHS && d->length[k] < INFINITY; k++)
        printf("%s%g", k > 0 ? " " : "", d->length[k]);
}

static void print_label(const void *x) {
    const label *l = x;
    printf("\"");
    for (unsigned k = 0; k < label_length(*l); k++) printf("%c", label_character(*l, k));
    printf("\"");
}

static void print_set(const void *x) {
    for (int k = 0; k < 8; k++)
        printf("%c", ((const small_set *)x)->word[0] >> k & 1 ? '0' + k : '-');
}

static void print_dual(const void *x) {
    const dual_number *d = x;
    printf("%g, derivative %g", d->value, d->slope);
}

typedef struct {
    const char *name;
    const gbl_CompiledSemiring *kernels;
    size_t size;
    gbl_index_unary_function edge;
    const void *start;
    void (*print)(const void *x);
    int steps; /* 0: until nothing changes */
} Problem;

static const Problem problems[] = {
    {"widest", &widest, sizeof(double), widest_edge, &widest_start, print_width, 0},
    {"k_shortest", &k_shortest, sizeof(lengths), k_shortest_edge, &k_shortest_start, print_lengths,
     0},
    {"common_prefix", &common_prefix, sizeof(label), prefix_edge, &prefix_start, print_label, 0},
    {"small_sets", &small_sets, sizeof(small_set), set_edge, &set_start, print_set, 0},
    {"dual", &dual, sizeof(dual_number), dual_edge, &dual_start, print_dual, 3}};
enum { PROBLEMS = sizeof problems / sizeof *problems, LARGEST = 64 };

/* -- paths ---------------------------------------------------------------------------------------
 */

/* d(j) = the sum over the paths from where d has one, for every j that can be reached. */
static gbl_Info sum_paths(gbl_Vector d, gbl_Matrix A, gbl_Semiring ring, int steps) {
    gbl_Vector q = NULL;
    gbl_Index changed = 1;
    gbl_Info info = GBL_SUCCESS;
    for (int step = 0; !info && step < steps; step++)
        info = gbl_vxm(d, NULL, NULL, ring, d, A, NULL);
    if (steps > 0 || info) return info;
    info = gbl_Vector_dup(&q, d);
    while (!info && changed > 0) {
        info = gbl_vxm_update(d, q, ring, q, A, NULL);
        if (!info) info = gbl_Vector_nvals(&changed, q);
    }
    gbl_Vector_free(&q);
    return info;
}

static gbl_Info print_all(gbl_Vector d, const Problem *p) {
    gbl_Index n;
    _Alignas(16) char x[LARGEST];
    gbl_Info info = gbl_Vector_size(&n, d);
    for (gbl_Index v = 0; v < n && info >= 0; v++) {
        if ((info = gbl_Vector_extractElement_UDT(x, d, v)) != GBL_SUCCESS) continue;
        printf("%8" PRIu64 "  ", v + 1);
        p->print(x);
        printf("\n");
    }
    return info < 0 ? info : GBL_SUCCESS;
}

static gbl_Info solve(const Problem *p, const char *graph) {
    gbl_Type type = NULL;
    gbl_IndexUnaryOp to_edge = NULL;
    gbl_Semiring ring = NULL;
    gbl_Matrix weights = NULL, A = NULL;
    gbl_Vector d = NULL;
    gbl_Index n;
    gbl_Info info;
    if ((info = gbl_load(&weights, GBL_FP64, graph)) || (info = gbl_Matrix_nrows(&n, weights)) ||
        (info = gbl_Type_new(&type, p->size)) ||
        (info = gbl_Semiring_compiled(&ring, type, p->kernels)) ||
        (info = gbl_IndexUnaryOp_new(&to_edge, p->edge, type, GBL_FP64, GBL_INT64)) ||
        (info = gbl_Matrix_new(&A, type, n, n)) ||
        (info = gbl_Matrix_apply_IndexOp_INT64(A, NULL, NULL, to_edge, weights, 0, NULL)) ||
        (info = gbl_Vector_new(&d, type, n)) ||
        (info = gbl_Vector_setElement_UDT(d, p->start, source)) ||
        (info = sum_paths(d, A, ring, p->steps)) || (info = print_all(d, p)))
        fprintf(stderr, "semirings: %s\n", gbl_last_error());
    gbl_Vector_free(&d);
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&weights);
    gbl_Semiring_free(&ring);
    gbl_IndexUnaryOp_free(&to_edge);
    gbl_Type_free(&type);
    return info;
}

int main(int argc, char **argv) {
    const Problem *p = problems;
    while (p < problems + PROBLEMS && (argc < 2 || strcmp(argv[1], p->name) != 0)) p++;
    if (p == problems + PROBLEMS) {
        fprintf(stderr, "semirings NAME [GRAPH [SOURCE]]; NAME is one of");
        for (p = problems; p < problems + PROBLEMS; p++) fprintf(stderr, " %s", p->name);
        fprintf(stderr, "\n");
        return EXIT_FAILURE;
    }
    source = argc > 3 ? strtoull(argv[3], NULL, 10) - 1 : 0;
    gbl_Info info = gbl_init(GBL_NONBLOCKING);
    if (!info) info = solve(p, argc > 2 ? argv[2] : "road:3:3");
    gbl_finalize();
    return info ? EXIT_FAILURE : EXIT_SUCCESS;
}
