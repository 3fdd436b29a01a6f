/* SPDX-License-Identifier: Apache-2.0
 *
 * replay CHANGES FILE...: runs a fuzz target without libFuzzer, so that every build, sanitized ones
 * too, has a short run of it: each file as it is, then changed in so many ways. What is changed
 * depends on the file's name and the number of the change alone: the same inputs everywhere. Files
 * above SIZE_MOST bytes are cut.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { SIZE_MOST = 2048, GROWTH = 64, EDITS_MOST = 4 };

typedef struct {
    uint8_t bytes[SIZE_MOST + EDITS_MOST * GROWTH];
    size_t size;
} Input;

static uint32_t next(uint64_t *state, size_t below) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % below);
}

/* Puts n bytes at `at` in place of `cut` of those there. */
static void put(Input *input, size_t at, size_t cut, const void *bytes, size_t n) {
    memmove(input->bytes + at + n, input->bytes + at + cut, input->size - at - cut);
    if (n > 0) memcpy(input->bytes + at, bytes, n);
    input->size = input->size - cut + n;
}

static void edit(Input *input, uint64_t *state) {
    static const char *const words[] = {"0",     "-1",  "4294967296", "18446744073709551616",
                                        "1e999", "nan", " ",          "\n",
                                        "\t",    "%",   "#",          "\"",
                                        ")",     "$",   ":",          "\r"};
    uint8_t copy[GROWTH];
    const size_t at = next(state, input->size + 1), left = input->size - at;
    const size_t some = left > 0 ? 1 + next(state, left < GROWTH ? left : GROWTH) : 0;
    const char *const word = words[next(state, sizeof words / sizeof *words)];
    switch (next(state, 6)) {
    case 0:
        put(input, at, 0, word, strlen(word));
        break;
    case 1:
        put(input, at, some < strlen(word) ? some : strlen(word), word, strlen(word));
        break;
    case 2:
        put(input, at, some, NULL, 0);
        break;
    case 3:
        memcpy(copy, input->bytes + at, some);
        put(input, next(state, input->size + 1), 0, copy, some);
        break;
    case 4:
        if (left > 0) input->bytes[at] ^= (uint8_t)(1u << next(state, 8));
        break;
    default:
        if (next(state, 4) == 0) input->size = at;
    }
}

/* An input of just its size, so that sanitizers see its end. */
static void run(const Input *input) {
    uint8_t *const bytes = malloc(input->size);
    if (bytes == NULL && input->size > 0) abort();
    if (input->size > 0) memcpy(bytes, input->bytes, input->size);
    LLVMFuzzerTestOneInput(bytes, input->size);
    free(bytes);
}

static void run_file(const char *path, int changes) {
    static Input seed, input;
    const char *const slash = strrchr(path, '/');
    uint64_t state = 1;
    FILE *const file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    seed.size = fread(seed.bytes, 1, SIZE_MOST, file);
    fclose(file);
    for (const char *p = slash ? slash + 1 : path; *p; p++) state = state * 31 + (unsigned char)*p;
    run(&seed);
    for (int k = 0; k < changes; k++) {
        input = seed;
        for (uint32_t left = 1 + next(&state, EDITS_MOST); left > 0; left--) edit(&input, &state);
        fprintf(stderr, "%s, change %d\r", path, k); /* the last one is what failed */
        run(&input);
    }
}

int main(int argc, char **argv) {
    const int changes = argc > 1 ? atoi(argv[1]) : 0;
    for (int k = 2; k < argc; k++) run_file(argv[k], changes);
    if (argc > 2 && changes > 0) return 0;
    fputs("usage: replay CHANGES FILE...\n", stderr);
    return 2;
}
