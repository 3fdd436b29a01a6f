/* SPDX-License-Identifier: Apache-2.0
 *
 * Machine tables in files: text, a key and a value per line, # begins a comment. The keys `format`,
 * `cpu`, `isa` say what the table was measured for, the others are numbers. A table is
 * used only where all of it is there, makes sense, and was measured on this processor with the
 * kernels in use.
 */
#ifndef GB_MXM_MACHINE_FILE_H
#define GB_MXM_MACHINE_FILE_H

#include "gblite.h"
#include "mxm/machine/rates.h"
#include "mxm/machine/text_table.h"

enum { GB_MACHINE_FORMAT = 2, GB_MACHINE_TEXT = GB_TABLE_WHY, GB_PATH_MOST = 4096 };

/* Where the table is kept: GBLITE_CONFIG (a file; "off": nowhere), else $XDG_CONFIG_HOME/gblite,
 * else
 * ~/.config/gblite. false: nowhere. */
bool gb_machine_path(char path[GB_PATH_MOST]);
/* GBL_NO_VALUE: there is no such file. Else a failure says in `why` what is wrong, and the table is
 * as it was. */
gbl_Info gb_machine_read(gb_MachineTable *machine, const char *path, char why[GB_MACHINE_TEXT]);
/* Makes the folder, if it is missing, and replaces the file as a whole. */
gbl_Info gb_machine_write(const gb_MachineTable *machine, const char *path);

#endif
