/* SPDX-License-Identifier: Apache-2.0
 *
 * Twins: an object of small dimensions and one of huge dimensions that has the same entries at
 * scattered places in the same order. What an operation does to the one it must do to the other, so
 * the ordinary code, which has its own oracle, is the oracle of the hypersparse.
 */
#pragma once

#include "support/gb_test.h"

enum { T_HUGE_MOST = 96 };

/* Small index k is place at[k] of a dimension of n; scattered or, where n is small, the same. */
typedef struct {
    gbl_Index small, n;
    gbl_Index at[T_HUGE_MOST];
} t_Scatter;
t_Scatter t_scatter(t_Random *r, gbl_Index small, gbl_Index n);
t_Scatter t_same_places(gbl_Index small);

gbl_Matrix t_twin(gbl_Matrix A, const t_Scatter *rows, const t_Scatter *cols);
gbl_Vector t_twin_vector(gbl_Vector v, const t_Scatter *places);
/* The twin has the entries of the small one, and nothing else. */
void t_expect_twin(gbl_Matrix small, gbl_Matrix huge, const t_Scatter *rows, const t_Scatter *cols);
void t_expect_twin_vector(gbl_Vector small, gbl_Vector huge, const t_Scatter *places);

/* A small random matrix of INT64 and its twin. */
typedef struct {
    t_Scatter rows, cols;
    gbl_Matrix A, H;
} t_Twins;
t_Twins t_twins(t_Random *r, const t_Scatter *rows, const t_Scatter *cols, double density);
void t_twins_free(t_Twins *p);

/* The same of vectors. */
typedef struct {
    gbl_Vector v, h;
} t_TwinVectors;
t_TwinVectors t_twin_vectors(t_Random *r, const t_Scatter *places, double density);
void t_twin_vectors_free(t_TwinVectors *p);
