/* SPDX-License-Identifier: Apache-2.0
 *
 * libFuzzer target: any bytes as the forms of files that the program reads from memory: matrices of
 * mcl, Rutherford-Boeing, METIS, scipy, and what zstd and bzip2 compress. What a form takes, it
 * writes and takes again. The first bytes tell the form, so that files can be seeds.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "content.h"
#include "formats/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(bool right) {
    if (!right) abort();
}

static gbl_Info decompress(const char *text, size_t size) {
    char *out = NULL;
    size_t n = 0;
    const gbl_Info info = format_decompress(&out, &n, "text", text, size);
    if (out) check(out[n] == '\0');
    gbl_Memory_free(out);
    return info;
}

static gbl_Info read_mcl(gbl_Matrix *A, const char *text) {
    gbl_Labels labels = {0};
    const gbl_Info info = cli_mcl_read(A, &labels, NULL, "text", text);
    gbl_labels_free(&labels);
    return info;
}

static void write_again(gbl_Matrix A, bool graph) {
    static char path[64];
    gbl_Index n;
    check(gbl_Matrix_nvals(&n, A) == GBL_SUCCESS);
    if (graph) {
        gbl_Matrix B = NULL;
        snprintf(path, sizeof path, "/tmp/fuzz_forms.%ld", (long)getpid());
        if (format_write_metis(A, path) == GBL_SUCCESS) { /* loops and repeated edges are refused */
            check(gbl_metis_read(&B, NULL, path, NULL, 0) == GBL_SUCCESS);
        }
        remove(path);
        gbl_Matrix_free(&B);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static bool ready;
    if (!ready) {
        check(gbl_init(GBL_NONBLOCKING) == GBL_SUCCESS);
        check(gbl_Global_set_INT64(GBL_GLOBAL, 32 << 20, GBL_MEMORY_LIMIT) == GBL_SUCCESS);
        ready = true;
    }
    gbl_Matrix A = NULL;
    gbl_Info info = GBL_SUCCESS;
    char *text = malloc(size + 1);
    if (!text) return 0;
    if (size > 0) memcpy(text, bytes, size);
    text[size] = '\0';
    check(content_kind(text, size) == CLI_NPZ ? !content_is_archive(text, size) : true);
    check(!content_is_list(text) || strpbrk(text, "0123456789"));
    const bool graph = size > 0 && (text[0] == '%' || (text[0] >= '0' && text[0] <= '9'));
    if (size > 3 && (!memcmp(text, "\x28\xb5\x2f", 3) || !memcmp(text, "BZh", 3)))
        info = decompress(text, size);
    else if (size > 2 && !memcmp(text, "PK", 2))
        info = format_read_npz(&A, NULL, text, size, "text");
    else if (text[0] == '(' || text[0] == '#')
        info = read_mcl(&A, text);
    else if (graph)
        info = gbl_metis_read(&A, NULL, "text", text, size);
    else
        info = format_read_rutherford(&A, NULL, text, "text");
    check(info <= 0 && (info == GBL_SUCCESS || !A));
    if (info != GBL_SUCCESS) check(strlen(gbl_last_error()) > 0);
    if (A) write_again(A, graph);
    check(gbl_Matrix_free(&A) == GBL_SUCCESS);
    free(text);
    return 0;
}
