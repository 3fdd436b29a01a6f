/* SPDX-License-Identifier: Apache-2.0
 *
 * Text into a buffer of the caller's: what does not fit is counted and left out, so that a first
 * pass without a buffer tells how large it has to be. No memory is allocated.
 *
 * JSON as in RFC 8259: UTF-8, whatever bytes a string has; numbers with a point, whatever the
 * locale; null for what is not finite.
 */
#pragma once

#include <stddef.h>

#include "gblite.h"

typedef struct {
    char *to;        /* [capacity], or NULL when that is 0 */
    size_t capacity; /* bytes, the final zero included */
    size_t length;   /* of the whole text without the zero; to[] holds what fits */
} gb_Text;

__attribute__((format(printf, 2, 3))) void gb_text_add(gb_Text *text, const char *format, ...);
/* A JSON string of at most `most` bytes of s, fewer where it ends; NULL gives null. */
void gb_text_json_string(gb_Text *text, const char *s, size_t most);
void gb_text_json_number(gb_Text *text, double x);

/* -- labels of objects ------------------------------------------------------------------------- */

/* What a user attaches to an object: a name, and for collections a hint on their orientation.
 *
 * A name is a copy of a string, or NULL for "" (no name). Algebra objects never change but for
 * their name, which is set once, by any thread; readers see NULL or the whole text. */

typedef struct {
    char *name;
    bool hinted; /* or else the orientation is that of the library */
    gbl_Orientation orientation;
} gb_Label;

/* A new name in the place of the old one; the object belongs to the calling thread. */
gbl_Info gb_name_set(char **name, const char *text);
/* GBL_ALREADY_SET unless there is none yet. */
gbl_Info gb_name_set_once(char **name, const char *text);
void gb_name_free(char *name);

static inline const char *gb_name_text(char *const *name) {
    const char *text = __atomic_load_n(name, __ATOMIC_ACQUIRE);
    return text != NULL ? text : "";
}
