// Decimal text to the nearest `double`, which Swift's library asks of a C library.
#include "runtime.h"

// More digits than these cannot change which number is nearest, if it is known whether any of them is not 0.
#define DIGITS 800

// Enough for 10 to the power of 1146, the largest divisor, and for the digits above.
#define LIMBS 136

typedef struct {
    uint32_t limbs[LIMBS];  // the lowest first
    int count;
} whole;

static void multiply_add(whole *number, uint32_t factor, uint32_t summand) {
    uint64_t carry = summand;
    for (int place = 0; place < number->count; place++) {
        carry += (uint64_t)number->limbs[place] * factor;
        number->limbs[place] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) number->limbs[number->count++] = (uint32_t)carry;
}

static void multiply_by_power_of_ten(whole *number, int power) {
    for (; power >= 9; power -= 9) multiply_add(number, 1000000000, 0);
    for (; power > 0; power--) multiply_add(number, 10, 0);
}

static int bit_count(const whole *number) {
    return number->count ? number->count * 32 - __builtin_clz(number->limbs[number->count - 1]) : 0;
}

static void shift_left(whole *number, int distance) {
    for (; distance > 0; distance -= 16) multiply_add(number, distance < 16 ? 1u << distance : 1u << 16, 0);
}

static int compare(const whole *left, const whole *right) {
    if (left->count != right->count) return left->count < right->count ? -1 : 1;
    for (int place = left->count - 1; place >= 0; place--)
        if (left->limbs[place] != right->limbs[place]) return left->limbs[place] < right->limbs[place] ? -1 : 1;
    return 0;
}

static void subtract(whole *left, const whole *right) {
    int64_t carry = 0;
    for (int place = 0; place < left->count; place++) {
        carry += (int64_t)left->limbs[place] - (place < right->count ? right->limbs[place] : 0);
        left->limbs[place] = (uint32_t)carry;
        carry >>= 32;
    }
    while (left->count && !left->limbs[left->count - 1]) left->count--;
}

// The bits of the double nearest to a fraction, the even one of two; `is_more` tells that a little was cut off.
static uint64_t nearest(whole *numerator, whole *denominator, bool is_more) {
    // Both are shifted until the fraction is from 1 to below 2.
    int power = bit_count(numerator) - bit_count(denominator);
    shift_left(denominator, power);
    shift_left(numerator, -power);
    if (compare(numerator, denominator) < 0) {
        shift_left(numerator, 1);
        power--;
    }
    if (power > 1023) return 0x7FFull << 52;
    int bits = power < -1022 ? 53 + power + 1022 : 53;
    if (bits < 0) return 0;
    uint64_t mantissa = 0;
    for (int bit = 0; bit < bits; bit++) {
        mantissa <<= 1;
        if (compare(numerator, denominator) >= 0) {
            subtract(numerator, denominator);
            mantissa |= 1;
        }
        shift_left(numerator, 1);
    }
    int half = compare(numerator, denominator);
    if (half > 0 || (half == 0 && (is_more || mantissa & 1))) mantissa++;
    // A mantissa that was rounded up to the next power of two carries into the exponent.
    return power < -1022 ? mantissa : ((uint64_t)(power + 1022) << 52) + mantissa;
}

// Reads a decimal number, and returns where it ends, or NULL if there is none.
const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
    const char *place = text;
    bool is_negative = *place == '-', has_digits = false, is_more = false, is_fraction = false;
    if (*place == '-' || *place == '+') place++;
    whole numerator = {.count = 0}, denominator = {.limbs = {1}, .count = 1};
    int64_t exponent = 0;
    int digits = 0;
    for (;; place++) {
        if (*place == '.' && !is_fraction) {
            is_fraction = true;
            continue;
        }
        if (*place < '0' || *place > '9') break;
        has_digits = true;
        if (is_fraction) exponent--;
        if (!digits && *place == '0') continue;
        if (digits < DIGITS) {
            multiply_add(&numerator, 10, *place - '0');
            digits++;
        } else {
            exponent++;
            is_more |= *place != '0';
        }
    }
    if (!has_digits) return NULL;
    if (*place == 'e' || *place == 'E') {
        const char *next = place + 1;
        bool is_below = *next == '-';
        if (*next == '-' || *next == '+') next++;
        if (*next >= '0' && *next <= '9') {
            int64_t power = 0;
            for (; *next >= '0' && *next <= '9'; next++)
                if (power < 1000000000) power = power * 10 + (*next - '0');
            exponent += is_below ? -power : power;
            place = next;
        }
    }
    uint64_t bits;
    if (!digits || digits + exponent < -330) {
        bits = 0;
    } else if (digits + exponent > 310) {
        bits = 0x7FFull << 52;
    } else {
        if (exponent >= 0) multiply_by_power_of_ten(&numerator, exponent);
        else multiply_by_power_of_ten(&denominator, -exponent);
        bits = nearest(&numerator, &denominator, is_more);
    }
    bits |= (uint64_t)is_negative << 63;
    memcpy(result, &bits, sizeof bits);
    return place;
}
