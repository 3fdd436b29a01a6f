/* SPDX-License-Identifier: Apache-2.0
 *
 * CombBLAS as seen from C: its grid of processes, and its products for comparisons. The one file
 * that includes CombBLAS's headers is combblas.cpp.
 */
#pragma once

#include <mpi.h>
#include <stdint.h>

#include "gblite.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gb_CombGrid gb_CombGrid;

/* A square grid of all processes of comm; *across are those of a CombBLAS row, *down of a column,
 * which belong to the grid. Collective; NULL without memory. */
gb_CombGrid *gb_combblas_grid(MPI_Comm comm, int side, MPI_Comm *across, MPI_Comm *down);
void gb_combblas_grid_free(gb_CombGrid *grid);

/* A block by rows, held as by gbl_Arrays, for products of CombBLAS: nothing of i and x is copied
 * unless all entries share one value. */
typedef struct {
    uint64_t nrows, ncols;
    const gbl_Arrays *arrays;
} gb_CombBlock;
/* Whether it knows the semiring, and what type of values it wants. */
bool gb_combblas_knows(gbl_Semiring ring, gbl_Type *type);

/* Products of one phase, stage after stage, then merged. All fail with GBL_OUT_OF_MEMORY. */
typedef struct gb_CombPhase gb_CombPhase;
gbl_Info gb_combblas_multiply(gb_CombPhase **phase, gbl_Semiring ring, const gb_CombBlock *a,
                              const gb_CombBlock *b);
gbl_Info gb_combblas_merge(gbl_Matrix *T, gb_CombPhase **phase);
void gb_combblas_drop(gb_CombPhase **phase);

/* All of Mult_AnXBn_Synch. Collective; a process that runs out of memory ends the program. */
gbl_Info gb_combblas_summa(gbl_Matrix *T, gbl_Semiring ring, gb_CombGrid *grid,
                           const gb_CombBlock *a, const gb_CombBlock *b);

#ifdef __cplusplus
}
#endif
