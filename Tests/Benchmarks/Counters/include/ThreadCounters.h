#pragma once

#include <stdint.h>

/// Counts the blocks of memory that the calling thread has asked for since it began.
uint64_t thread_allocations(void);

/// Counts the nanoseconds for which the calling thread has had a processor since it began: what else runs on the machine
/// is not in it.
uint64_t thread_nanoseconds(void);
