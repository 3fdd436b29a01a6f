/* SPDX-License-Identifier: Apache-2.0
 *
 * Text into a buffer; see text.h.
 */
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/call.h"

void gb_text_add(gb_Text *text, const char *format, ...) {
    const size_t left = text->length < text->capacity ? text->capacity - text->length : 0;
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(left > 0 ? text->to + text->length : NULL, left, format, arguments);
    va_end(arguments);
    if (n > 0) text->length += (size_t)n;
}

/* Bytes of the character that s starts with; 0 when it is not UTF-8. */
static size_t character(const unsigned char *s, size_t most) {
    const size_t n = s[0] < 0x80                    ? 1
                     : s[0] >= 0xC2 && s[0] <= 0xDF ? 2
                     : (s[0] & 0xF0) == 0xE0        ? 3
                     : s[0] >= 0xF0 && s[0] <= 0xF4 ? 4
                                                    : 0;
    if (n > most) return 0;
    for (size_t k = 1; k < n; k++)
        if ((s[k] & 0xC0) != 0x80) return 0;
    const unsigned two = n > 2 ? (unsigned)s[0] << 8 | s[1] : 0;
    const bool overlong = (n == 3 && two < 0xE0A0) || (n == 4 && two < 0xF090);
    const bool surrogate = two >= 0xEDA0 && two <= 0xEDBF, beyond = two >= 0xF490;
    return overlong || surrogate || (n == 4 && beyond) ? 0 : n;
}

void gb_text_json_string(gb_Text *text, const char *s, size_t most) {
    if (s == NULL) {
        gb_text_add(text, "null");
        return;
    }
    const size_t length = strnlen(s, most);
    const unsigned char *at = (const unsigned char *)s;
    gb_text_add(text, "\"");
    for (size_t k = 0; k < length;) {
        const size_t n = character(at + k, length - k);
        if (n == 0)
            gb_text_add(text, "\\ufffd");
        else if (at[k] == '"' || at[k] == '\\')
            gb_text_add(text, "\\%c", at[k]);
        else if (at[k] < 0x20)
            gb_text_add(text, "\\u%04x", at[k]);
        else
            gb_text_add(text, "%.*s", (int)n, s + k);
        k += n > 0 ? n : 1;
    }
    gb_text_add(text, "\"");
}

/* As few digits as give the same number back; what the locale has for a point becomes one. */
void gb_text_json_number(gb_Text *text, double x) {
    char digits[48], plain[48];
    if (!isfinite(x)) {
        gb_text_add(text, "null");
        return;
    }
    for (int n = 15; n <= 17; n++) {
        snprintf(digits, sizeof digits, "%.*g", n, x);
        if (strtod(digits, NULL) == x) break;
    }
    size_t length = 0;
    for (const char *c = digits; *c != '\0'; c++) {
        const bool known = strchr("+-0123456789e", *c) != NULL;
        if (known)
            plain[length++] = *c;
        else if (length == 0 || plain[length - 1] != '.')
            plain[length++] = '.';
    }
    gb_text_add(text, "%.*s", (int)length, plain);
}

/* -- labels of objects ------------------------------------------------------------------------- */

void gb_name_free(char *name) {
    if (name != NULL) gb_free(name, strlen(name) + 1);
}

static gbl_Info copy(char **made, const char *text) {
    const size_t bytes = strlen(text) + 1;
    *made = gb_malloc(bytes);
    if (*made == NULL) return gb_fail_memory(bytes);
    memcpy(*made, text, bytes);
    return GBL_SUCCESS;
}

gbl_Info gb_name_set(char **name, const char *text) {
    char *made;
    const gbl_Info info = copy(&made, text);
    if (info != GBL_SUCCESS) return info;
    gb_name_free(*name);
    *name = made;
    return GBL_SUCCESS;
}

gbl_Info gb_name_set_once(char **name, const char *text) {
    char *made, *none = NULL;
    const gbl_Info info = copy(&made, text);
    if (info != GBL_SUCCESS) return info;
    if (__atomic_compare_exchange_n(name, &none, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return GBL_SUCCESS;
    gb_name_free(made);
    return gb_fail(GBL_ALREADY_SET, "the name is '%.60s' already; it can be set once", none);
}
