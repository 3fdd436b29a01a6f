/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/vector: its parts.
 */
#include "vector/vector.h"

#include "peers/suitesparse.h"

int main(int argc, char **argv) {
    static const bench_part PARTS[] = {{"race", "race", vector_race, NULL},
                                       {"counts", "counts", vector_counts_of, NULL},
                                       {"sweeps", "sweeps", vector_sweeps, NULL}};
    static const bench_program PROGRAM = {
        .about = "Measures the ten variants of the method VECTOR, counts their vector "
                 "instructions, and prints JSON. Without a part named, all are measured; inputs "
                 "of counts are names or files of matrices of the paper's table 1, those of sweeps "
                 "entries of a row, or `hybrid`.",
        .suite = BENCH_FOLDER "/vector/suite.txt",
        .parts = PARTS,
        .count = sizeof PARTS / sizeof *PARTS,
        .start_peer = peer_start,
        .stop_peer = peer_stop};
    return bench_measure_parts(argc, argv, &PROGRAM);
}
