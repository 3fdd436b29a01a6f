/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading floating point numbers.
 *
 * A number of up to 19 digits is w * 10^q with a 64-bit w. Small ones are one exact multiplication
 * or division of doubles. The others multiply w by a 128-bit lower bound of 10^q; the true product
 * is then known to within 2 units of its 128th bit. When rounding to 53 bits gives the same result
 * over that whole interval, that is the answer; else (halfway cases, over 19 digits, numbers next
 * to the ends of the range) strtod decides.
 */
#define _GNU_SOURCE
#include "text.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <strings.h>

typedef unsigned __int128 gb_Wide;

enum { LIMBS = 14 }; /* 896 bits: 5^341 takes 792, and 2^896 / 5^326 still has 139 */

/* 10^q lies in [t, t + 1) * 2^exponent with t = hi * 2^64 + lo, the top bit of hi set. */
typedef struct {
    uint64_t hi, lo;
    int exponent;
} gb_Power;

enum { GB_POWER_MIN = -326, GB_POWER_MAX = 341 };

static gb_Power powers[GB_POWER_MAX - GB_POWER_MIN + 1];
static locale_t c_locale;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The top 128 bits of an integer of LIMBS limbs, least significant first; `exponent` is added. */
static gb_Power top_bits(const uint64_t *limb, int exponent) {
    int n = LIMBS - 1;
    while (limb[n] == 0) n--;
    const int zeros = __builtin_clzll(limb[n]);
    const uint64_t a = limb[n], b = n > 0 ? limb[n - 1] : 0, c = n > 1 ? limb[n - 2] : 0;
    gb_Power power = {.hi = a, .lo = b, .exponent = exponent + 64 * (n + 1) - zeros - 128};
    if (zeros > 0) {
        power.hi = a << zeros | b >> (64 - zeros);
        power.lo = b << zeros | c >> (64 - zeros);
    }
    return power;
}

static void multiply_by_5(uint64_t *limb) {
    uint64_t carry = 0;
    for (int k = 0; k < LIMBS; k++) {
        const gb_Wide x = (gb_Wide)limb[k] * 5 + carry;
        limb[k] = (uint64_t)x;
        carry = (uint64_t)(x >> 64);
    }
}

/* Rounds down; doing so again and again is rounding down once. */
static void divide_by_5(uint64_t *limb) {
    uint64_t rest = 0;
    for (int k = LIMBS - 1; k >= 0; k--) {
        const gb_Wide x = (gb_Wide)rest << 64 | limb[k];
        limb[k] = (uint64_t)(x / 5);
        rest = (uint64_t)(x % 5);
    }
}

static void fill_tables(void) {
    uint64_t limb[LIMBS] = {1};
    for (int q = 0; q <= GB_POWER_MAX; q++) {
        powers[q - GB_POWER_MIN] = top_bits(limb, q);
        multiply_by_5(limb);
    }
    /* 2^896 - 1 instead of 2^896 gives the same quotients, as no power of 5 divides 2^896 */
    memset(limb, 0xFF, sizeof limb);
    for (int q = -1; q >= GB_POWER_MIN; q--) {
        divide_by_5(limb);
        powers[q - GB_POWER_MIN] = top_bits(limb, q - 64 * LIMBS);
    }
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

gbl_Info gb_number_init(void) {
    if (pthread_once(&once, fill_tables) != 0 || c_locale == (locale_t)0)
        return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "cannot set up the reading of numbers");
    return GBL_SUCCESS;
}

/* The upper 128 bits of w * t(q): the product lies in [top, top + 2) * 2^64. */
static gb_Wide times(uint64_t w, const gb_Power *power) {
    return (gb_Wide)w * power->hi + (uint64_t)((gb_Wide)w * power->lo >> 64);
}

/* Powers of ten that a double holds exactly. */
static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* w * 10^q correctly rounded; false when the fast way cannot tell and strtod has to. */
static bool from_decimal(uint64_t w, int64_t q, double *value) {
    if (w == 0) {
        *value = 0;
        return true;
    }
    if (w <= UINT64_C(1) << 53 && q >= -22 && q <= 22) {
        const double x = (double)w;
        *value = q < 0 ? x / exact_powers[-q] : x * exact_powers[q];
        return true;
    }
    if (q < GB_POWER_MIN || q > 308) return false;
    const gb_Power *power = &powers[q - GB_POWER_MIN];
    const int zeros = __builtin_clzll(w);
    const gb_Wide top = times(w << zeros, power);
    const int cut = (top >> 127) ? 75 : 74; /* bits of top below the 53 that a double keeps */
    const gb_Wide half = (gb_Wide)1 << (cut - 1), rest = top & ((half << 1) - 1);
    if (rest == half || rest == half - 1) return false;
    const uint64_t mantissa = (uint64_t)(top >> cut) + (rest > half);
    const int biased = cut + 64 + power->exponent - zeros + 1075;
    if (biased < 1 || biased > 2046) return false; /* subnormal or infinite */
    /* a mantissa rounded up to 2^53 carries into the exponent, as it should */
    const uint64_t bits = ((uint64_t)biased << 52) + (mantissa - (UINT64_C(1) << 52));
    memcpy(value, &bits, sizeof bits);
    return true;
}

/* Digits of w, behind leading zeros and without the point; more than 19 may have overflowed w. */
static ptrdiff_t significant_digits(const char *begin, const char *end) {
    while (begin < end && (*begin == '0' || *begin == '.')) begin++;
    return end - begin - (memchr(begin, '.', (size_t)(end - begin)) != NULL);
}

/* The exponent behind a mantissa, if there is one; q far outside the range of doubles stays there
 * without overflow. */
static const char *read_exponent(const char *p, int64_t *q) {
    if (*p != 'e' && *p != 'E') return p;
    const char *digit = p + 1;
    const bool negative = *digit == '-';
    if (*digit == '-' || *digit == '+') digit++;
    if (*digit < '0' || *digit > '9') return p;
    int64_t e = 0;
    for (; *digit >= '0' && *digit <= '9'; digit++)
        if (e < INT64_C(1) << 50) e = e * 10 + (*digit - '0');
    *q += negative ? -e : e;
    return digit;
}

static bool read_word(const char **p, double *value) {
    static const char *const words[] = {"infinity", "inf", "nan"};
    for (int k = 0; k < 3; k++) {
        const size_t n = strlen(words[k]);
        /* a mismatch stops the comparison, at the latest at the byte that ends the text */
        if (strncasecmp(*p, words[k], n) != 0) continue;
        *p += n;
        *value = k < 2 ? __builtin_inf() : __builtin_nan("");
        return true;
    }
    return false;
}

bool gb_number_read(const char **p, double *value) {
    const char *s = *p;
    const bool negative = *s == '-';
    if (*s == '-' || *s == '+') s++;
    const char *const first = s;
    uint64_t w = 0;
    int64_t q = 0;
    unsigned digit;
    for (; (digit = (unsigned)*s - '0') < 10; s++) w = w * 10 + digit;
    ptrdiff_t digits = s - first;
    if (*s == '.') {
        const char *const point = s++;
        for (; (digit = (unsigned)*s - '0') < 10; s++) w = w * 10 + digit;
        q = point + 1 - s;
        digits += s - point - 1;
    }
    if (digits == 0) {
        s = first;
        if (!read_word(&s, value)) return false;
    } else {
        const bool fits = digits <= 19 || significant_digits(first, s) <= 19;
        s = read_exponent(s, &q);
        if (!fits || !from_decimal(w, q, value)) *value = strtod_l(first, NULL, c_locale);
    }
    if (negative) *value = -*value;
    *p = s;
    return true;
}

bool gb_number_read_fortran(const char *begin, const char *letter, const char *end, double *value) {
    char text[GB_NUMBER_MAX + 16];
    const char *s = text;
    const size_t n = (size_t)(letter - begin), length = (size_t)(end - begin);
    const bool sign = *letter == '+' || *letter == '-';
    if (length + 2 > sizeof text || (!sign && !strchr("dDqQ", *letter))) return false;
    memcpy(text, begin, n);
    text[n] = 'e';
    memcpy(text + n + 1, letter + !sign, length - n - !sign);
    text[length + sign] = '\n';
    return gb_number_read(&s, value) && *s == '\n';
}

/* -- printing ------------------------------------------------------------------------------- */

/* A double is scaled by a power of ten to an integer N of 17 digits (cut, and the next bit). N
 * rounded to 15, then 16 digits is tried: the first that reads back exactly is printed. 17 digits
 * always do: with v = m * 2^e, 2^52 <= m < 2^53 and N >= 10^16, half the distance to the next
 * double is at least 10^16 / 2^54 = 0.55 units of N, while rounding to an integer is off by 0.5 at
 * most (the error of the scaling, 2^-60, does not matter). Subnormal numbers are farther apart
 * still. The same holds for FP32 with 9 digits, where half the distance is at least 10^8 / 2^25
 * = 2.9 units. */

static const char pairs[] = "00010203040506070809"
                            "10111213141516171819"
                            "20212223242526272829"
                            "30313233343536373839"
                            "40414243444546474849"
                            "50515253545556575859"
                            "60616263646566676869"
                            "70717273747576777879"
                            "80818283848586878889"
                            "90919293949596979899";

size_t gb_number_print_uint(char *out, uint64_t value) {
    char text[20];
    size_t at = sizeof text;
    while (value >= 100) {
        at -= 2;
        memcpy(text + at, pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10) {
        at -= 2;
        memcpy(text + at, pairs + 2 * value, 2);
    } else {
        text[--at] = (char)('0' + value);
    }
    memcpy(out, text + at, sizeof text - at);
    return sizeof text - at;
}

size_t gb_number_print_int(char *out, int64_t value) {
    if (value >= 0) return gb_number_print_uint(out, (uint64_t)value);
    *out = '-';
    return 1 + gb_number_print_uint(out + 1, 0 - (uint64_t)value);
}

/* Prints w * 10^q, w > 0: as 123.45 while the point is among the digits or next to them, else as
 * 1.2345e-7. */
static size_t print_decimal(char *out, uint64_t w, int q) {
    while (w % 10 == 0) {
        w /= 10;
        q++;
    }
    char digits[20];
    const int n = (int)gb_number_print_uint(digits, w);
    const int point = n + q; /* digits before the point */
    char *p = out;
    if (point > 0 && point < n) {
        memcpy(p, digits, (size_t)point);
        p[point] = '.';
        memcpy(p + point + 1, digits + point, (size_t)(n - point));
        p += n + 1;
    } else if (point <= 0 && point > -4) {
        memcpy(p, "0.000", 5);
        p += 2 - point;
        memcpy(p, digits, (size_t)n);
        p += n;
    } else {
        *p++ = digits[0];
        if (n > 1) {
            *p++ = '.';
            memcpy(p, digits + 1, (size_t)n - 1);
            p += n - 1;
        }
        if (point != 1) *p++ = 'e';
        if (point != 1) p += gb_number_print_int(p, point - 1);
    }
    return (size_t)(p - out);
}

/* floor(v * 10^k) for v > 0, and in *up its rounding to the nearest integer. */
static uint64_t scale(double v, int k, uint64_t *up) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    const int biased = (int)(bits >> 52);
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    const uint64_t m = biased ? fraction | UINT64_C(1) << 52 : fraction;
    const int e = (biased ? biased : 1) - 1075;
    const int zeros = __builtin_clzll(m);
    const gb_Power *power = &powers[k - GB_POWER_MIN];
    const gb_Wide top = times(m << zeros, power);
    const int cut = -(64 + power->exponent + e - zeros);
    *up = (uint64_t)(top >> cut) + ((uint64_t)(top >> (cut - 1)) & 1);
    return (uint64_t)(top >> cut);
}

/* Prints finite v > 0. The candidates are N / 10^j for j = first, first - 1, ... last. */
static size_t print_shortest(char *out, double v, int first, int last) {
    int binary;
    (void)frexp(v, &binary); /* v in [2^(binary - 1), 2^binary) */
    /* floor(log10(2^(binary - 1))): the factor is log10(2) * 2^32, rounded down */
    int k = 16 - (int)(((int64_t)(binary - 1) * 1292913986) >> 32);
    uint64_t up, n = scale(v, k, &up);
    if (n >= UINT64_C(100000000000000000)) n = scale(v, --k, &up);
    uint64_t unit = 1;
    for (int j = 0; j < first; j++) unit *= 10;
    for (int j = first; j > last; j--, unit /= 10) {
        const uint64_t w = (n + unit / 2) / unit;
        double back;
        if (!from_decimal(w, j - k, &back)) continue;
        if (last == 0 ? back == v : (float)back == (float)v) return print_decimal(out, w, j - k);
    }
    return print_decimal(out, last == 0 ? up : (n + unit / 2) / unit, last - k);
}

static size_t print_value(char *out, double v, int first, int last) {
    if (v != v) return memcpy(out, "nan", 3), 3;
    char *p = out;
    if (signbit(v)) {
        *p++ = '-';
        v = -v;
    }
    if (isinf(v)) {
        memcpy(p, "inf", 3);
        p += 3;
    } else if (v < 9007199254740992.0 && v == (double)(uint64_t)v) {
        p += gb_number_print_uint(p, (uint64_t)v);
    } else {
        p += print_shortest(p, v, first, last);
    }
    return (size_t)(p - out);
}

size_t gb_number_print_fp64(char *out, double value) {
    return print_value(out, value, 2, 0);
}

size_t gb_number_print_fp32(char *out, float value) {
    return print_value(out, (double)value, 11, 8);
}
