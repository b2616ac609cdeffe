// Measures the engine in C: prints the nanoseconds of processor time of a load and of a resolve, a line each, after a tab.
// usage: speed BUNDLE BODY
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <time.h>
#include "waymark_engine.h"

enum { SAMPLES = 51 };

static Z_waymark_engine_instance_t engine;
static uint32_t handle;

typedef struct {
    uint8_t bytes[1 << 20];
    uint32_t count;
} text;

static text bundle, body;

static void read_file(const char *path, text *into) {
    FILE *file = fopen(path, "rb");
    if (!file) exit(66);
    into->count = fread(into->bytes, 1, sizeof into->bytes, file);
    fclose(file);
}

static uint32_t put(const text *from) {
    uint32_t place = Z_waymark_engineZ_waymark_buffer(&engine, from->count);
    memcpy(Z_waymark_engineZ_memory(&engine)->data + place, from->bytes, from->count);
    return from->count;
}

static void load(void) {
    Z_waymark_engineZ_waymark_unload(&engine, Z_waymark_engineZ_waymark_load(&engine, put(&bundle)));
}

static void resolve(void) { Z_waymark_engineZ_waymark_resolve(&engine, handle, put(&body)); }

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

static double sample(void (*call)(void), int count) {
    double begin = nanoseconds();
    for (int i = 0; i < count; i++) call();
    return nanoseconds() - begin;
}

static int compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void measure(const char *name, void (*call)(void)) {
    int count = 1;
    while (sample(call, count) < 2e6) count *= 2;
    double times[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) times[i] = sample(call, count) / count;
    qsort(times, SAMPLES, sizeof times[0], compare);
    printf("%s\t%.1f\n", name, times[SAMPLES / 2]);
}

int main(int count, char **words) {
    if (count != 3) return 64;
    read_file(words[1], &bundle);
    read_file(words[2], &body);
    wasm_rt_init();
    Z_waymark_engine_init_module();
    Z_waymark_engine_instantiate(&engine);
    measure("load", load);
    handle = Z_waymark_engineZ_waymark_load(&engine, put(&bundle));
    if (Z_waymark_engineZ_waymark_resolve(&engine, handle, put(&body)) != 200) return 1;
    measure("resolve", resolve);
    Z_waymark_engine_free(&engine);
    wasm_rt_free();
    return 0;
}
