/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors. gb_fail writes the text of the calling thread's last error: which argument, what was
 * wrong and what would be right. Kernels and helpers need not know whose call they work for: the
 * exit of a public function (gb_end, api/check.h) copies the text to the object that is the call's
 * output, where gbl_X_error finds it. None of this allocates.
 */
#ifndef GB_CORE_STATUS_H
#define GB_CORE_STATUS_H

#include <stdarg.h>

#include "gblite.h"

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
gbl_Info
gb_fail(gbl_Info code, const char *format, ...);

gbl_Info gb_fail_v(gbl_Info code, const char *format, va_list args);

/* GBL_OUT_OF_MEMORY with the number of bytes that could not be had. */
gbl_Info gb_fail_memory(size_t bytes);

/* GBL_OUT_OF_MEMORY: GBL_MEMORY_LIMIT does not allow as much as is wanted. */
gbl_Info gb_fail_limit(double wanted, double allowed);

/* Every public function starts here: what failed before is not this call's error. */
void gb_error_begin(void);

/* What the calling thread failed with so far, around code of the user's that may call the library.
 */
typedef struct {
    char text[512];
    gbl_Info code;
} gb_LastError;
void gb_error_keep(gb_LastError *last);
void gb_error_put_back(const gb_LastError *last);

/* The text of the calling thread's last error, whatever the call; never NULL. */
const char *gb_error_last(void);

/* What an object keeps of the last call that had it as output: "" after a success. A longer text is
 * cut; with this size a matrix still is a block that malloc keeps at hand (below 1032 bytes). */
typedef struct {
    char text[223];
    bool filed; /* atomic; text is not "" */
} gb_Error;
static inline bool gb_error_is_filed(const gb_Error *error) {
    return __atomic_load_n(&error->filed, __ATOMIC_RELAXED);
}
/* code: what the call returns. */
void gb_error_file(gb_Error *error, gbl_Info code);

/* The same for objects that cannot keep a text, since all threads share them and calls do not
 * change them: predefined ones (serial 0) and operators. Each thread remembers one. The serial
 * number tells an object from a later one at the same address. */
uint64_t gb_serial_next(void);
void gb_error_file_shared(const void *object, uint64_t serial, gbl_Info code);
const char *gb_error_of_shared(const void *object, uint64_t serial);

#endif
