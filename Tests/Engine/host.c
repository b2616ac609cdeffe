// Compares the engine in C with a recording. usage: host RECORDING
#include <stdio.h>
#include "waymark_engine.h"

static Z_waymark_engine_instance_t engine;

static void start(void) {
    Z_waymark_engine_init_module();
    Z_waymark_engine_instantiate(&engine);
}

static uint32_t number(FILE *file) {
    uint8_t bytes[4];
    if (fread(bytes, 1, 4, file) != 4) exit(2);
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint8_t *bytes(FILE *file, uint32_t *count) {
    *count = number(file);
    uint8_t *bytes = malloc(*count + 1);
    if (!bytes || fread(bytes, 1, *count, file) != *count) exit(2);
    return bytes;
}

static void put(const uint8_t *bytes, uint32_t count) {
    uint32_t place = Z_waymark_engineZ_waymark_buffer(&engine, count);
    wasm_rt_memory_t *memory = Z_waymark_engineZ_memory(&engine);
    if ((uint64_t)place + count > memory->size) exit(3);
    memcpy(memory->data + place, bytes, count);
}

// A call with a trap that was caught: the engine is made anew.
#define TRY(expression, trapped) do { wasm_rt_trap_t code = wasm_rt_impl_try(); \
    if (code) { Z_waymark_engine_free(&engine); start(); trapped; } else { expression; } } while (0)

int main(int count, char **words) {
    FILE *file = count == 2 ? fopen(words[1], "rb") : NULL;
    if (!file) return 64;
    wasm_rt_init();
    start();
    static uint32_t handle;
    unsigned records = 0;
    for (int kind; (kind = fgetc(file)) != EOF; records++) {
        uint32_t size, want_size;
        uint8_t *request = bytes(file, &size);
        uint32_t status = number(file);
        uint8_t *want = bytes(file, &want_size);
        static uint32_t found;
        found = 0;
        TRY({
            if (kind == 0) {
                Z_waymark_engineZ_waymark_unload(&engine, handle);
                put(request, size);
                handle = Z_waymark_engineZ_waymark_load(&engine, size);
                found = handle != 0;
            } else {
                put(request, size);
                found = kind == 1 ? Z_waymark_engineZ_waymark_resolve(&engine, handle, size)
                                  : Z_waymark_engineZ_waymark_link(&engine, handle, size);
            }
        }, fprintf(stderr, "engine: a trap at record %u\n", records); return 1);
        uint32_t place = Z_waymark_engineZ_waymark_answer(&engine), length = Z_waymark_engineZ_waymark_answer_length(&engine);
        const uint8_t *answer = Z_waymark_engineZ_memory(&engine)->data + place;
        if (found != status || length != want_size || memcmp(answer, want, length)) {
            fprintf(stderr, "engine: record %u: want %u %.*s\nhave %u %.*s\n", records, status, (int)want_size, want, found,
                (int)length, answer);
            return 1;
        }
        free(request);
        free(want);
    }
    fclose(file);
    // A bundle for which there is no memory: the trap ends the engine, and a new one takes bytes.
    static uint32_t size = 300u << 20;
    static bool is_trapped;
    TRY({
        Z_waymark_engineZ_waymark_buffer(&engine, size);
        Z_waymark_engineZ_waymark_load(&engine, size);
    }, is_trapped = true);
    if (!is_trapped || !Z_waymark_engineZ_waymark_buffer(&engine, 1)) return 1;
    puts("engine: a trap ends no host");
    Z_waymark_engine_free(&engine);
    wasm_rt_free();
    printf("engine: %u answers are equal\n", records);
    return 0;
}
