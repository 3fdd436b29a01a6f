/* SPDX-License-Identifier: Apache-2.0
 *
 * Text into a buffer of the caller's: what does not fit is counted and left out, so that a first
 * pass without a buffer tells how large it has to be. No memory is allocated.
 *
 * JSON as in RFC 8259: UTF-8, whatever bytes a string has; numbers with a point, whatever the
 * locale; null for what is not finite.
 */
#ifndef GB_CORE_TEXT_H
#define GB_CORE_TEXT_H

#include <stddef.h>

typedef struct {
    char *to;        /* [capacity], or NULL when that is 0 */
    size_t capacity; /* bytes, the final zero included */
    size_t length;   /* of the whole text without the zero; to[] holds what fits */
} gb_Text;

__attribute__((format(printf, 2, 3))) void gb_text_add(gb_Text *text, const char *format, ...);
/* A JSON string of at most `most` bytes of s, fewer where it ends; NULL gives null. */
void gb_text_json_string(gb_Text *text, const char *s, size_t most);
void gb_text_json_number(gb_Text *text, double x);

#endif
