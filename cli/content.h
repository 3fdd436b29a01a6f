/* SPDX-License-Identifier: Apache-2.0
 *
 * What the first bytes of a file say that it is; a 0 stands behind them.
 */
#ifndef GBLITE_CLI_CONTENT_H
#define GBLITE_CLI_CONTENT_H

#include "cli.h"

/* By marks that other forms do not have; else CLI_UNKNOWN. */
cli_Kind content_kind(const char *bytes, size_t size);
/* Whether all lines, apart from comments, begin with two whole numbers and have as many columns as
 * the others. Not where the first gives rows, columns and entries, or all may be lists of METIS. */
bool content_is_list(const char *bytes);
bool content_is_archive(const char *bytes, size_t size); /* by tar or zip, and no .npz */

#endif
