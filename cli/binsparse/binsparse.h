/* SPDX-License-Identifier: Apache-2.0
 *
 * Binsparse files in HDF5 (specification 0.1 of the GraphBLAS group): arrays of indices and values
 * as data sets of the root group, and a descriptor, JSON, in its attribute "binsparse".
 *
 * In memory a matrix on its way is a list of entries by rows, or by columns where the format says
 * so: `major` and `minor` indices, and values. In a file the major indices may be pointers, listed
 * with them, or left out where every place has an entry. A vector is a matrix of one column.
 *
 *   format        pointers_to_1   indices_0      indices_1   entries stand
 *   CSR, CSC      of all majors                  minors      by rows, by columns
 *   DCSR, DCSC    of those used   majors used    minors      by rows, by columns
 *   COOR, COOC                    majors         minors      by rows, by columns (COO is COOR)
 *   DMATR, DMATC                                             every place (DMAT is DMATR)
 *   CVEC                          indices
 *   DVEC                                                     every place
 */
#pragma once

#include <hdf5.h>

#include "cli.h"

typedef struct {
    const char *name;
    bool columns;  /* majors are columns */
    bool pointers; /* there is pointers_to_1 */
    bool majors;   /* there is indices_0 */
    bool minors;   /* there is indices_1 */
    bool vector;
} bsp_Format;
/* NULL: there is no such format. */
const bsp_Format *bsp_format(const char *name);
static inline bool bsp_is_dense(const bsp_Format *format) {
    return !format->pointers && !format->majors;
}

/* A type of values: as descriptors name it, as HDF5 holds it in memory, and ours. */
typedef struct {
    const char *name;
    gbl_Type type;
    hid_t memory;
    size_t size;
} bsp_Type;
/* The type of that name, or of that gblite type; false: there is none. */
bool bsp_type_of_name(bsp_Type *type, const char *name);
bool bsp_type_of(bsp_Type *type, gbl_Type of);

typedef enum { BSP_GENERAL, BSP_SYMMETRIC, BSP_SKEW } bsp_Structure;

typedef struct {
    const bsp_Format *format;
    uint64_t nrows, ncols, nvals; /* a vector has one column */
    bsp_Type type;
    bool iso, filled; /* one value for all entries; there is a value of all other places */
    bsp_Structure structure;
    bool lower; /* of a structure, the lower triangle is stored */
} bsp_Descriptor;
/* Reads the JSON text. Everything in it may be wrong. */
gbl_Info bsp_parse(bsp_Descriptor *d, const char *json, const char *path);
enum { BSP_TEXT = 512 };
/* Writes it. */
void bsp_print(char text[BSP_TEXT], const bsp_Descriptor *d, bool wide);

/* -- files */
gbl_Info bsp_read(gbl_Matrix *A, gbl_Type type, const char *path);
/* name: of the format; NULL: DCSR where most rows are empty, DMATR where every place has an entry,
 * else CSR. */
gbl_Info bsp_write(gbl_Matrix A, const char *path, const char *name);
