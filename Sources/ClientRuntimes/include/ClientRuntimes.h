#ifndef CLIENT_RUNTIMES_H
#define CLIENT_RUNTIMES_H

#include <stddef.h>
#include <stdint.h>

// The runtimes that `waymark generate --runtime` writes, put into the binary by `#embed` (C23, N3017), as the description
// of the API is. Those of Swift are the sources of the target WaymarkRuntime, which tests compile.

/// One file of a runtime.
struct client_runtime_file {
    /// The language, as `waymark generate` names it.
    const char *language;

    /// The name, without a folder.
    const char *name;

    /// The content in UTF-8, which lives as long as the process.
    const uint8_t *bytes;

    /// The number of bytes.
    size_t byte_count;
};

/// Points to the first file.
const struct client_runtime_file *client_runtime_files(void);

/// Counts the files.
size_t client_runtime_file_count(void);

#endif
