/* SPDX-License-Identifier: Apache-2.0
 *
 * SpGEMM of cuSPARSE, each of its three algorithms.
 */
#ifndef PEERS_CUSPARSE_H
#define PEERS_CUSPARSE_H

#include "harness/gpu_contender.h"

extern const gpu_contender CUSPARSE[3];
int cusparse_version(void); /* as cusparseGetVersion says; 0: it is not here */

#endif
