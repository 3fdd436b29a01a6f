/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of matrices that commands read and write: those of gblite_io, and binsparse files in HDF5
 * (cli/binsparse), where this program was built with HDF5. Names tell which.
 */
#include <string.h>

#include "cli.h"
#ifdef GBLITE_HDF5
#include "binsparse/binsparse.h"
#endif

bool cli_is_binsparse(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0);
}

#ifdef GBLITE_HDF5
#define READ(A, type, path) bsp_read(A, type, path)
#define WRITE(A, path, format) bsp_write(A, path, format)
#else
static gbl_Info no_hdf5(const char *path) {
    return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                    "%s: this gblite was built without HDF5, which binsparse files need "
                    "(Debian: libhdf5-dev; configure with -DGBLITE_HDF5=ON)",
                    path);
}
#define READ(A, type, path) no_hdf5(path)
#define WRITE(A, path, format) no_hdf5(path)
#endif

gbl_Info cli_load(gbl_Matrix *A, gbl_Type type, const char *operand) {
    return cli_is_binsparse(operand) ? READ(A, type, operand) : gbl_load(A, type, operand);
}

gbl_Info cli_save(gbl_Matrix A, const char *path, const char *format) {
    if (cli_is_binsparse(path)) return WRITE(A, path, format);
    if (format == NULL) return gbl_save(A, path);
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "--format is for binsparse files, whose names end in .h5 or .hdf5; %s is none",
                    path);
}
