// The part of a C library that the engine needs. The toolchain has none for WebAssembly without an operating system.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *place, size_t size);
void free(void *place);
int posix_memalign(void **place, size_t alignment, size_t size);

void *memcpy(void *target, const void *source, size_t count);
void *memmove(void *target, const void *source, size_t count);
void *memset(void *target, int byte, size_t count);
int memcmp(const void *left, const void *right, size_t count);
size_t strlen(const char *text);
