#ifndef OPENAPI_DOCUMENT_H
#define OPENAPI_DOCUMENT_H

#include <stddef.h>
#include <stdint.h>

// The file openapi.json, embedded in the binary by `#embed` (C23, N3017), not by SwiftPM's `.embedInCode` (decision
// record 31).

/// Points to the first byte of the document, which lives as long as the process.
const uint8_t *openapi_document_bytes(void);

/// Counts the document's bytes.
size_t openapi_document_byte_count(void);

#endif
