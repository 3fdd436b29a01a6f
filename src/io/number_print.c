/* SPDX-License-Identifier: Apache-2.0
 *
 * Printing numbers.
 *
 * A double is scaled by a power of ten to an integer N of 17 digits (cut, and the next bit). N
 * rounded to 15, then 16 digits is tried: the first that reads back exactly is printed. 17 digits
 * always do: with v = m * 2^e, 2^52 <= m < 2^53 and N >= 10^16, half the distance to the next
 * double is at least 10^16 / 2^54 = 0.55 units of N, while rounding to an integer is off by 0.5 at
 * most (the error of the scaling, 2^-60, does not matter). Subnormal numbers are farther apart
 * still. The same holds for FP32 with 9 digits, where half the distance is at least 10^8 / 2^25
 * = 2.9 units.
 */
#include "number.h"

#include <math.h>
#include <string.h>

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

static size_t print_exponent(char *out, int e) {
    out[0] = 'e';
    return 1 + gb_number_print_int(out + 1, e);
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
        if (point != 1) p += print_exponent(p, point - 1);
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
    const gb_Power *power = gb_number_power(k);
    const unsigned __int128 top = gb_number_times(m << zeros, power);
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
        if (!gb_number_from_decimal(w, j - k, &back)) continue;
        if (last == 0 ? back == v : (float)back == (float)v) return print_decimal(out, w, j - k);
    }
    return print_decimal(out, last == 0 ? up : (n + unit / 2) / unit, last - k);
}

static size_t print_value(char *out, double v, int first, int last) {
    if (v != v) {
        memcpy(out, "nan", 3);
        return 3;
    }
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
