/* SPDX-License-Identifier: Apache-2.0
 *
 * libFuzzer target: any bytes as the small files that commands read beside matrices: clusterings,
 * in each of their forms, tab files of mcl and lists of transformations.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "markov.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(bool right) {
    if (!right) abort();
}

static void check_info(gbl_Info info) {
    check(info <= 0);
    if (info != GBL_SUCCESS) check(strlen(gbl_last_error()) > 0);
}

static void read_clusters(const char *path, bool pairs) {
    cli_Clustering c = {0};
    const gbl_Info info = cli_clustering_read(&c, path, pairs);
    check_info(info);
    for (gbl_Index k = 0; k < c.n && info == GBL_SUCCESS; k++) {
        check(c.member[k].cluster < c.clusters);
        check(k == 0 || strcmp(c.member[k - 1].name, c.member[k].name) < 0);
    }
    cli_clustering_free(&c);
}

/* Names for the vertices 0, 2, 4 ... */
static void read_tab(const char *path) {
    enum { VERTICES = 20 };
    char room[24];
    gbl_Labels labels = {.n = VERTICES, .id = gbl_Memory_malloc(VERTICES * sizeof *labels.id)};
    check(labels.id != NULL);
    for (gbl_Index v = 0; v < VERTICES; v++) labels.id[v] = 2 * v;
    const gbl_Info info = cli_tab_read(&labels, path);
    check_info(info);
    for (gbl_Index v = 0; v < VERTICES && info == GBL_SUCCESS; v++)
        check(gbl_label(&labels, v, room) != NULL);
    gbl_labels_free(&labels);
}

static void transform(const uint8_t *bytes, size_t size) {
    char text[257];
    const size_t n = size < sizeof text ? size : sizeof text - 1;
    gbl_Matrix A = NULL;
    if (n > 0) memcpy(text, bytes, n);
    text[n] = '\0';
    check(gbl_Matrix_new(&A, GBL_FP64, 3, 3) == GBL_SUCCESS);
    for (gbl_Index v = 0; v < 3; v++)
        check(gbl_Matrix_setElement_FP64(A, (double)v, v, 2 - v) == GBL_SUCCESS);
    check_info(cli_transform(A, text));
    check(gbl_Matrix_free(&A) == GBL_SUCCESS);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static bool ready;
    char path[64];
    if (!ready) {
        check(gbl_init(GBL_NONBLOCKING) == GBL_SUCCESS);
        ready = true;
    }
    const int file = memfd_create("fuzz_clusters", MFD_CLOEXEC);
    check(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    read_clusters(path, false);
    read_clusters(path, true);
    read_tab(path);
    close(file);
    transform(bytes, size);
    return 0;
}
