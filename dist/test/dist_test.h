/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests under mpirun, without Criterion, whose tests are processes of their own. All processes run
 * all tests; inputs are made alike in each, and what processes make together is gathered in process
 * 0 and compared there with gblite's result of the whole inputs. A check that fails ends the
 * program, and with it all processes.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "gblite_dist.h"
#include "gblite_io.h"

extern gbl_Grid t_grid;
extern int t_rank, t_processes;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: process %d of %d: %s (last error: %s)\n", __FILE__, __LINE__,  \
                    t_rank, t_processes, #condition, gbl_last_error());                            \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)
#define OK(call) CHECK((call) == GBL_SUCCESS)

/* Made by gblite_io in this process, or without entries if spec is NULL. */
gbl_Matrix t_make(gbl_Type type, const char *spec);
gbl_Matrix t_empty(gbl_Type type, gbl_Index nrows, gbl_Index ncols);
gbl_Vector t_vector(gbl_Type type, gbl_Index size, gbl_Index step, uint64_t seed);
gbl_DistMatrix t_spread(gbl_Matrix A);
gbl_DistVector t_spread_vector(gbl_Vector v);
gbl_Scalar t_scalar_INT64(int64_t x);

/* The same entries, values up to a relative difference. */
void t_compare(gbl_DistMatrix got, gbl_Matrix wanted, double tolerance, const char *what);
void t_compare_vector(gbl_DistVector got, gbl_Vector wanted, double tolerance, const char *what);

/* In the other files. */
void test_objects(void);
void test_products(void);
void test_entrywise(void);
void test_files(void);
void test_failures(void);
