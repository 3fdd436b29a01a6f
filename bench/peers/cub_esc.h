/* SPDX-License-Identifier: Apache-2.0
 *
 * A product by expansion, sorting and compression, of CUB's device-wide algorithms.
 */
#ifndef PEERS_CUB_ESC_H
#define PEERS_CUB_ESC_H

#ifdef __cplusplus
extern "C" {
#endif
#include "harness/gpu_contender.h"

extern const gpu_contender CUB_ESC;
#ifdef __cplusplus
}
#endif

#endif
