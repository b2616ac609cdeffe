#ifndef CLIENT_RUNTIMES_H
#define CLIENT_RUNTIMES_H

#include <stddef.h>
#include <stdint.h>

// The runtimes that `waymark generate --runtime` writes, embedded in the binary by `#embed` (C23, N3017). Those of
// Swift are the sources of the target WaymarkRuntime, whose folder is in this one, so that tests compile them.

/// One file of a runtime.
struct client_runtime_file {
    /// The language, by its name in `waymark generate`, or the router that the file is an adapter of.
    const char *language;

    /// The name, in a folder if the file belongs to the folder of another program.
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
