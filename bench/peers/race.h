/* SPDX-License-Identifier: Apache-2.0
 *
 * Races of gblite's products with SuiteSparse's, whose results are checked against each other.
 */
#ifndef PEERS_RACE_H
#define PEERS_RACE_H

#include "harness/product.h"
#include "peers/suitesparse.h"

/* As bench_race, of A*A (A*A' where A is not square), all of whose results are wanted by rows, with
 * SuiteSparse among the contenders, under its name. Takes the content of the results. */
int peer_race(cJSON *object, const peer_input *in, bench_product *products, int count,
              const bench_setup *setup);

#endif
