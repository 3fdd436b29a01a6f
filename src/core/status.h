/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors. gb_fail writes the text of the calling thread's last error and remembers which object it
 * is about; gbl_error(&text, object) returns it when the object matches. The text says which
 * argument, what was wrong and what would be right.
 */
#ifndef GB_CORE_STATUS_H
#define GB_CORE_STATUS_H

#include "gblite.h"

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
gbl_Info
gb_fail(gbl_Info code, const void *object, const char *format, ...);

/* GBL_OUT_OF_MEMORY with the number of bytes that could not be had. */
gbl_Info gb_fail_memory(const void *object, size_t bytes);

/* GBL_OUT_OF_MEMORY: GBL_MEMORY_LIMIT does not allow as much as is wanted. */
gbl_Info gb_fail_limit(const void *object, double wanted, double allowed);

/* Text of the last error if it is about the object, else "". */
const char *gb_error_text(const void *object);

#endif
