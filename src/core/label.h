/* SPDX-License-Identifier: Apache-2.0
 *
 * What a user attaches to an object: a name, and for collections a hint on their orientation.
 *
 * A name is a copy of a string, or NULL for "" (no name). Algebra objects never change but for
 * their name, which is set once, by any thread; readers see NULL or the whole text.
 */
#ifndef GB_CORE_LABEL_H
#define GB_CORE_LABEL_H

#include "gblite.h"

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

#endif
