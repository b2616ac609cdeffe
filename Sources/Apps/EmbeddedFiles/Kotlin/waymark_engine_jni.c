// Waymark's runtime: the engine in C for WaymarkEngine.kt, by JNI. With waymark_engine.c of a release it is the library
// `waymark_engine`. The monitor of `WaymarkLibrary` lets in one thread at a time: wabt keeps the place to which a trap
// returns, and the depth of calls, for the whole process.
#include <jni.h>
#include "waymark_engine.h"

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_waymark_WaymarkLibrary_##name

// A module with the handle of its one catalog.
typedef struct {
    Z_waymark_engine_instance_t module;
    uint32_t catalog;
} engine;

static void fail(JNIEnv *env, const char *message) {
    jclass type = (*env)->FindClass(env, "java/lang/IllegalStateException");
    if (type) (*env)->ThrowNew(env, type, message);
}

// Returns where the module has some bytes, or NULL where it has none.
static uint8_t *place(engine *engine, uint32_t address, uint32_t count) {
    wasm_rt_memory_t *memory = Z_waymark_engineZ_memory(&engine->module);
    return address && (uint64_t)address + count <= memory->size ? memory->data + address : NULL;
}

// Copies bytes of the app to the module's buffer, and returns their number. Traps without memory for them.
static uint32_t put(JNIEnv *env, engine *engine, jbyteArray bytes) {
    uint32_t count = (uint32_t)(*env)->GetArrayLength(env, bytes);
    uint8_t *buffer = place(engine, Z_waymark_engineZ_waymark_buffer(&engine->module, count), count);
    if (!buffer) wasm_rt_trap(WASM_RT_TRAP_OOB);
    (*env)->GetByteArrayRegion(env, bytes, 0, (jsize)count, (jbyte *)buffer);
    return count;
}

// Copies the module's answer to the first element of an array of the app.
static void get(JNIEnv *env, engine *engine, jobjectArray answer) {
    uint32_t count = Z_waymark_engineZ_waymark_answer_length(&engine->module);
    uint8_t *bytes = place(engine, Z_waymark_engineZ_waymark_answer(&engine->module), count);
    if (count && !bytes) wasm_rt_trap(WASM_RT_TRAP_OOB);
    jbyteArray copy = (*env)->NewByteArray(env, (jsize)count);
    if (!copy) return;
    if (count) (*env)->SetByteArrayRegion(env, copy, 0, (jsize)count, (const jbyte *)bytes);
    (*env)->SetObjectArrayElement(env, answer, 0, copy);
}

static void end(engine *engine) {
    Z_waymark_engine_free(&engine->module);
    free(engine);
}

// Makes a module with the catalog of a bundle. Returns 0 for other bytes, with the issue as the answer.
NATIVE(jlong, load)(JNIEnv *env, jobject library, jbyteArray bundle, jobjectArray answer) {
    static bool is_ready;
    (void)library;
    if (!is_ready) {
        wasm_rt_init();
        Z_waymark_engine_init_module();
        is_ready = true;
    }
    engine *made = calloc(1, sizeof *made);
    if (!made) {
        fail(env, "no memory");
        return 0;
    }
    wasm_rt_trap_t trap = wasm_rt_impl_try();
    if (trap) {
        end(made);
        fail(env, wasm_rt_strerror(trap));
        return 0;
    }
    Z_waymark_engine_instantiate(&made->module);
    made->catalog = Z_waymark_engineZ_waymark_load(&made->module, put(env, made, bundle));
    if (made->catalog) return (jlong)(intptr_t)made;
    get(env, made, answer);
    end(made);
    return 0;
}

// Answers a body, and returns the status. After an exception the module may only be freed.
NATIVE(jint, answer)(JNIEnv *env, jobject library, jlong address, jboolean links_to, jbyteArray body, jobjectArray answer) {
    engine *engine = (void *)(intptr_t)address;
    (void)library;
    wasm_rt_trap_t trap = wasm_rt_impl_try();
    if (trap) {
        fail(env, wasm_rt_strerror(trap));
        return 0;
    }
    uint32_t count = put(env, engine, body);
    uint32_t status = links_to ? Z_waymark_engineZ_waymark_link(&engine->module, engine->catalog, count)
                               : Z_waymark_engineZ_waymark_resolve(&engine->module, engine->catalog, count);
    get(env, engine, answer);
    return (jint)status;
}

// Frees a module.
NATIVE(void, free)(JNIEnv *env, jobject library, jlong address) {
    (void)env;
    (void)library;
    end((void *)(intptr_t)address);
}
