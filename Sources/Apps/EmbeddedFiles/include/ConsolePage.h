#ifndef CONSOLE_PAGE_H
#define CONSOLE_PAGE_H

#include <stddef.h>
#include <stdint.h>

// The files of the console, embedded in the binary by `#embed` (C23, N3017).

/// A file of the console.
typedef struct {
    /// The name behind `/console/`; that of the page itself is empty.
    const char *_Nonnull name;

    /// The media type, with its charset.
    const char *_Nonnull type;

    /// The bytes, which live as long as the process.
    const uint8_t *_Nonnull bytes;

    /// The number of bytes.
    size_t count;
} console_page_file;

/// Counts the files.
size_t console_page_file_count(void);

/// Returns one of the files; the page itself comes first.
console_page_file console_page_file_at(size_t index);

#endif
