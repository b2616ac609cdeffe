// The functions that the compiler and Swift's library for embedded systems call.
#include "runtime.h"

void *memcpy(void *target, const void *source, size_t count) { return __builtin_memmove(target, source, count); }

void *memmove(void *target, const void *source, size_t count) { return __builtin_memmove(target, source, count); }

void *memset(void *target, int byte, size_t count) { return __builtin_memset(target, byte, count); }

int memcmp(const void *left, const void *right, size_t count) {
    const uint8_t *a = left, *b = right;
    for (size_t place = 0; place < count; place++)
        if (a[place] != b[place]) return a[place] - b[place];
    return 0;
}

size_t strlen(const char *text) {
    size_t count = 0;
    while (text[count]) count++;
    return count;
}

// The seed of hashes. A module without imports has no chance, and what it hashes are the texts of one user.
void arc4random_buf(void *place, size_t count) { memset(place, 0x5A, count); }

// Arithmetic of 128 bits, of the compiler's own library (LLVM, compiler-rt/lib/builtins).

typedef unsigned __int128 wide;

static wide joined(uint64_t high, uint64_t low) {
    union {
        struct {
            uint64_t low, high;
        } halves;
        wide all;
    } value = {.halves = {low, high}};
    return value.all;
}

static uint64_t low_half(wide value) { return (uint64_t)value; }

static uint64_t high_half(wide value) {
    union {
        wide all;
        uint64_t halves[2];
    } parts = {value};
    return parts.halves[1];
}

wide __multi3(wide left, wide right) {
    uint64_t a = low_half(left), b = low_half(right), mask = 0xFFFFFFFF;
    uint64_t low = (a & mask) * (b & mask), middle = (a >> 32) * (b & mask), other = (a & mask) * (b >> 32);
    uint64_t sum = (low >> 32) + (middle & mask) + (other & mask);
    uint64_t high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32) + (sum >> 32);
    return joined(high + high_half(left) * b + a * high_half(right), sum << 32 | (low & mask));
}

wide __ashlti3(wide value, int distance) {
    uint64_t low = low_half(value), high = high_half(value);
    if (distance & 64) return joined(low << (distance & 63), 0);
    return distance ? joined(high << distance | low >> (64 - distance), low << distance) : value;
}

wide __lshrti3(wide value, int distance) {
    uint64_t low = low_half(value), high = high_half(value);
    if (distance & 64) return joined(0, high >> (distance & 63));
    return distance ? joined(high >> distance, high << (64 - distance) | low >> distance) : value;
}
