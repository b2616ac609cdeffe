// The functions that the module exports: the buffer, the handles and the last answer around the functions in Swift.
#include "runtime.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

// In Swift, EngineCatalog.swift.
void *waymark_catalog_load(const uint8_t *bundle, size_t count, uint8_t **answer, size_t *answer_count);
void waymark_catalog_unload(void *catalog);
int32_t waymark_catalog_answer(
    void *catalog, bool links_to, const uint8_t *body, size_t count, uint8_t **answer, size_t *answer_count);

static uint8_t *buffer;
static size_t buffer_size;

static uint8_t *answer;
static size_t answer_count;

// Catalogs by their handles, which begin at 1 and are used again.
static void **catalogs;
static size_t catalog_limit;

static void forget_answer(void) {
    free(answer);
    answer = NULL;
    answer_count = 0;
}

// The bytes that the host wrote, taken from the buffer.
static size_t written(uint32_t count) {
    return count < buffer_size ? count : buffer_size;
}

static void **catalog(uint32_t handle) {
    return handle > 0 && handle <= catalog_limit && catalogs[handle - 1] ? &catalogs[handle - 1] : NULL;
}

static uint32_t new_handle(void) {
    for (size_t place = 0; place < catalog_limit; place++)
        if (!catalogs[place]) return place + 1;
    size_t limit = catalog_limit ? 2 * catalog_limit : 8;
    void **grown = calloc(limit, sizeof *grown);
    if (!grown) return 0;
    memcpy(grown, catalogs, catalog_limit * sizeof *grown);
    free(catalogs);
    catalogs = grown;
    uint32_t handle = catalog_limit + 1;
    catalog_limit = limit;
    return handle;
}

uint8_t *EXPORT(waymark_buffer)(uint32_t count) {
    forget_answer();
    if (count > buffer_size || count < buffer_size / 4) {
        free(buffer);
        buffer_size = count < 4096 ? 4096 : count;
        buffer = malloc(buffer_size);
        if (!buffer) buffer_size = 0;
    }
    return buffer;
}

uint32_t EXPORT(waymark_load)(uint32_t count) {
    forget_answer();
    uint32_t handle = new_handle();
    if (handle) catalogs[handle - 1] = waymark_catalog_load(buffer, written(count), &answer, &answer_count);
    return handle && catalogs[handle - 1] ? handle : 0;
}

static int32_t answer_to(uint32_t handle, bool links_to, uint32_t count) {
    forget_answer();
    void **found = catalog(handle);
    return found ? waymark_catalog_answer(*found, links_to, buffer, written(count), &answer, &answer_count) : 0;
}

int32_t EXPORT(waymark_resolve)(uint32_t handle, uint32_t count) { return answer_to(handle, false, count); }

int32_t EXPORT(waymark_link)(uint32_t handle, uint32_t count) { return answer_to(handle, true, count); }

const uint8_t *EXPORT(waymark_answer)(void) { return answer; }

uint32_t EXPORT(waymark_answer_length)(void) { return answer_count; }

void EXPORT(waymark_unload)(uint32_t handle) {
    forget_answer();
    void **found = catalog(handle);
    if (!found) return;
    waymark_catalog_unload(*found);
    *found = NULL;
}
