// An allocator for WebAssembly's one memory: free blocks in lists by size, joined with their neighbors when they are
// freed (Masmano et al., TLSF, ECRTS 2004). A request and a free take constant time.
#include "runtime.h"

#define PAGE 65536u

// A block begins with its header. Its size, header included, is a multiple of 16. Blocks lie at 8 modulo 16, so that
// what they hold is aligned to 16 bytes.
typedef struct block {
    uint32_t size_before;  // of the block before this one, or 0
    uint32_t size;         // with IS_FREE in its lowest bit
    struct block *next, *previous;  // in the list of its size, if it is free
} block;

enum { HEADER = 8, STEP = 16, SMALLEST = 32, IS_FREE = 1, CLASSES = 32, PARTS = 16 };

extern uint8_t __heap_base;

static block *lists[CLASSES][PARTS];
static uint32_t parts_used[CLASSES], classes_used;
static block *end;  // a block without content behind the last one

static uint32_t size_of(const block *b) { return b->size & ~(uint32_t)IS_FREE; }
static block *after(block *b) { return (block *)((uint8_t *)b + size_of(b)); }
static block *before(block *b) { return (block *)((uint8_t *)b - b->size_before); }
static void *content(block *b) { return (uint8_t *)b + HEADER; }
static block *block_of(void *place) { return (block *)((uint8_t *)place - HEADER); }

// The list for blocks of a size: its highest bit, and the four bits below.
static void find_list(uint32_t size, uint32_t *class, uint32_t *part) {
    *class = 31 - __builtin_clz(size);
    *part = (size >> (*class - 4)) & (PARTS - 1);
}

static void add(block *b) {
    uint32_t class, part;
    find_list(b->size, &class, &part);
    b->previous = NULL;
    b->next = lists[class][part];
    if (b->next) b->next->previous = b;
    lists[class][part] = b;
    parts_used[class] |= 1u << part;
    classes_used |= 1u << class;
    b->size |= IS_FREE;
}

static void take(block *b) {
    uint32_t class, part;
    b->size &= ~(uint32_t)IS_FREE;
    find_list(b->size, &class, &part);
    if (b->next) b->next->previous = b->previous;
    if (b->previous) {
        b->previous->next = b->next;
    } else {
        lists[class][part] = b->next;
        if (!b->next) {
            parts_used[class] &= ~(1u << part);
            if (!parts_used[class]) classes_used &= ~(1u << class);
        }
    }
}

static void set_size(block *b, uint32_t size) {
    b->size = size;
    after(b)->size_before = size;
}

// Joins a block with free neighbors, and adds it to its list.
static void release(block *b) {
    block *other = after(b);
    if (other->size & IS_FREE) {
        take(other);
        set_size(b, b->size + other->size);
    }
    if (b->size_before && (other = before(b))->size & IS_FREE) {
        take(other);
        set_size(other, other->size + b->size);
        b = other;
    }
    add(b);
}

// A free block of at least a size, taken from its list.
static block *find(uint32_t size) {
    // Every block of the list has the size if it is rounded up to the list's smallest one.
    uint32_t class, part, rounded = size + (1u << (27 - __builtin_clz(size))) - 1;
    find_list(rounded < size ? size : rounded, &class, &part);
    uint32_t parts = parts_used[class] & (~0u << part);
    if (!parts) {
        uint32_t classes = class < 31 ? classes_used & (~0u << (class + 1)) : 0;
        if (!classes) return NULL;
        class = __builtin_ctz(classes);
        parts = parts_used[class];
    }
    block *b = lists[class][__builtin_ctz(parts)];
    take(b);
    return b;
}

// Makes the memory larger by at least a size.
static bool grow(uint32_t size) {
    if (!end) {
        end = (block *)((((uintptr_t)&__heap_base + HEADER + STEP - 1) & ~(uintptr_t)(STEP - 1)) - HEADER + STEP);
        end->size_before = 0;
        end->size = 0;
    }
    uint64_t memory = (uint64_t)__builtin_wasm_memory_size(0) * PAGE;
    uint64_t room = memory - ((uintptr_t)end + HEADER);
    if (room < (uint64_t)size + STEP) {
        // An eighth of what is there, so that growing stays rare.
        uint64_t pages = ((uint64_t)size + STEP + memory / 8 + PAGE - 1) / PAGE;
        if (pages > 65535 || __builtin_wasm_memory_grow(0, pages) == (size_t)-1) {
            pages = ((uint64_t)size + STEP - room + PAGE - 1) / PAGE;
            if (pages > 65535 || __builtin_wasm_memory_grow(0, pages) == (size_t)-1) return false;
        }
        room = (uint64_t)__builtin_wasm_memory_size(0) * PAGE - ((uintptr_t)end + HEADER);
    }
    block *b = end;
    uint32_t added = (uint32_t)(room - STEP) & ~(uint32_t)(STEP - 1);
    end = (block *)((uint8_t *)b + added);
    end->size = 0;
    set_size(b, added);
    release(b);
    return true;
}

// The size of the block for a content, or 0 if there can be none.
static uint32_t block_size(size_t content_size) {
    if (content_size > 0xFFFF0000u - HEADER) return 0;
    uint32_t size = (content_size + HEADER + STEP - 1) & ~(uint32_t)(STEP - 1);
    return size < SMALLEST ? SMALLEST : size;
}

// Frees the end of a block that is larger than needed.
static void trim(block *b, uint32_t size) {
    uint32_t rest = b->size - size;
    if (rest < SMALLEST) return;
    set_size(b, size);
    block *other = after(b);
    set_size(other, rest);
    release(other);
}

void *malloc(size_t content_size) {
    uint32_t size = block_size(content_size);
    if (!size) return NULL;
    block *b = find(size);
    if (!b) {
        if (!grow(size + size / PARTS) || !(b = find(size))) return NULL;
    }
    trim(b, size);
    return content(b);
}

void free(void *place) {
    if (place) release(block_of(place));
}

void *calloc(size_t count, size_t size) {
    size_t whole;
    if (__builtin_mul_overflow(count, size, &whole)) return NULL;
    void *place = malloc(whole);
    if (place) memset(place, 0, whole);
    return place;
}

void *realloc(void *place, size_t size) {
    if (!place) return malloc(size);
    size_t former = block_of(place)->size - HEADER;
    if (size <= former) return place;
    void *larger = malloc(size);
    if (!larger) return NULL;
    memcpy(larger, place, former);
    free(place);
    return larger;
}

// The only request that Swift makes. Swift cannot go on without memory, and would write to address 0, which is memory
// like any other here: a trap tells the host.
int posix_memalign(void **place, size_t alignment, size_t size) {
    if (alignment <= STEP) {
        if (!(*place = malloc(size))) __builtin_trap();
        return 0;
    }
    // The start of a larger block is freed, up to where the content is aligned.
    uint8_t *start = size + alignment + SMALLEST < size ? NULL : malloc(size + alignment + SMALLEST);
    if (!start) __builtin_trap();
    uint8_t *aligned = (uint8_t *)(((uintptr_t)start + alignment - 1) & ~(uintptr_t)(alignment - 1));
    if (aligned != start && aligned - start < SMALLEST) aligned += alignment;
    if (aligned != start) {
        block *first = block_of(start), *second = block_of(aligned);
        uint32_t whole = first->size;
        set_size(first, (uint32_t)(aligned - start));
        second->size_before = first->size;
        set_size(second, whole - first->size);
        release(first);
    }
    *place = aligned;
    return 0;
}
