#include "OpenAPIDocument.h"

static const uint8_t document[] = {
#embed "openapi.json"
};

const uint8_t *openapi_document_bytes(void) { return document; }

size_t openapi_document_byte_count(void) { return sizeof document; }
