/* SPDX-License-Identifier: Apache-2.0
 *
 * Files and generators, read and made in parts.
 */
#include "dist_test.h"

#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/gblite_dist_XXXXXX";
static char path[64];

static void generated(void) {
    static const char *const specs[] = {"er:7:9",     "rmat:7:8", "rmats:7:6:5", "planted:5:20:8:2",
                                        "grid:11:13", "er:0:3",   "rmat:1:40"};
    for (int k = 0; k < 7; k++) {
        const gbl_Type types[] = {NULL, GBL_BOOL, GBL_INT32};
        for (int t = 0; t < 3; t++) {
            gbl_Matrix A;
            gbl_DistMatrix a;
            OK(gbl_load(&A, types[t], specs[k]));
            OK(gbl_DistMatrix_load(&a, types[t], specs[k], t_grid));
            t_compare(a, A, 0, specs[k]);
            OK(gbl_Matrix_free(&A));
            OK(gbl_DistMatrix_free(&a));
        }
    }
    gbl_DistMatrix a;
    CHECK(gbl_DistMatrix_load(&a, NULL, "rmat:99:1", t_grid) == GBL_INVALID_VALUE && !a);
    CHECK(gbl_DistMatrix_load(&a, NULL, "grid:0", t_grid) == GBL_INVALID_VALUE && !a);
}

static void name_file(const char *name) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
}

static void write_text(const char *name, const char *text) {
    name_file(name);
    if (t_rank == 0) {
        FILE *file = fopen(path, "w");
        CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void same_as_alone(gbl_Type type) {
    gbl_Matrix A;
    gbl_DistMatrix a;
    gbl_Type found[2];
    OK(gbl_load(&A, type, path));
    OK(gbl_DistMatrix_load(&a, type, path, t_grid));
    t_compare(a, A, 0, path);
    OK(gbl_Matrix_type(&found[0], A));
    OK(gbl_DistMatrix_shape(NULL, NULL, &found[1], a));
    CHECK(found[0] == found[1]);
    OK(gbl_Matrix_free(&A));
    OK(gbl_DistMatrix_free(&a));
}

static void read_alike(void) {
    static const char *const names[] = {"a.mtx", "b.mtx.gz", "c.gbl"};
    for (int k = 0; k < 3; k++) {
        gbl_Matrix A = t_make(GBL_FP64, "rect:300:200:7");
        name_file(names[k]);
        if (t_rank == 0) OK(gbl_save(A, path));
        MPI_Barrier(MPI_COMM_WORLD);
        same_as_alone(NULL);
        same_as_alone(GBL_INT32);
        OK(gbl_Matrix_free(&A));
    }
    write_text("small.mtx", "%%MatrixMarket matrix coordinate real symmetric\n% a\n\n 4 4 3 \r\n"
                            "1 1 5\r\n\n% between\n3 1 -2.5\n4 2 1e3");
    same_as_alone(NULL);
    write_text("pattern.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 9 4\n1 9\n2 2\n"
                              "3 1\n1 1\n");
    same_as_alone(NULL);
    same_as_alone(GBL_FP64);
    write_text("typed.mtx", "%%MatrixMarket matrix coordinate integer general\n"
                            "%%GraphBLAS type int8_t\n2 2 1\n1 2 3\n");
    same_as_alone(NULL);
    write_text("array.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n");
    same_as_alone(NULL);
    write_text("empty.mtx", "%%MatrixMarket matrix coordinate real general\n5 6 0\n");
    same_as_alone(NULL);
}

/* All processes have the same code. */
static void bad(const char *name, const char *text, gbl_Info wanted) {
    gbl_DistMatrix a;
    write_text(name, text);
    const gbl_Info info = gbl_DistMatrix_load(&a, NULL, path, t_grid);
    if (info != wanted) fprintf(stderr, "%s: %d\n", name, (int)info);
    CHECK(info == wanted && !a);
    CHECK(info == GBL_NOT_IMPLEMENTED || strstr(gbl_last_error(), name) != NULL);
}

#define HEADER "%%MatrixMarket matrix coordinate real general\n"
static void bad_files(void) {
    gbl_DistMatrix a;
    name_file("missing.mtx");
    CHECK(gbl_DistMatrix_load(&a, NULL, path, t_grid) == GBL_IO_ERROR && !a);
    bad("outside.mtx", HEADER "3 3 3\n1 1 1\n2 2 1\n4 1 1\n", GBL_INDEX_OUT_OF_BOUNDS);
    bad("short.mtx", HEADER "3 3 4\n1 1 1\n2 2 1\n", GBL_INVALID_VALUE);
    bad("long.mtx", HEADER "3 3 1\n1 1 1\n2 2 1\n", GBL_INVALID_VALUE);
    bad("twice.mtx", HEADER "3 3 3\n1 1 1\n2 2 1\n1 1 1\n", GBL_INVALID_VALUE);
    bad("twice_pattern.mtx",
        "%%MatrixMarket matrix coordinate pattern general\n3 3 4\n1 1\n2 2\n3 1\n1 1\n",
        GBL_INVALID_VALUE);
    bad("text.mtx", HEADER "3 3 3\n1 1 1\n2 2 x\n1 2 1\n", GBL_INVALID_VALUE);
    bad("huge.mtx", HEADER "99999999999 9 3\n1 1 1\n2 2 1\n1 2 1\n", GBL_NOT_IMPLEMENTED);
    bad("nothing.mtx", "no header\n", GBL_INVALID_VALUE);
    bad("void.mtx", "", GBL_INVALID_VALUE);
}

void test_files(void) {
    if (t_rank == 0) CHECK(mkdtemp(folder) != NULL);
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
    generated();
    read_alike();
    bad_files();
    MPI_Barrier(MPI_COMM_WORLD);
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (t_rank == 0) CHECK(system(command) == 0);
}
