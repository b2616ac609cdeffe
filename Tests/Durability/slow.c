// Makes each sync of a file take 4 milliseconds longer, as on a disk without a write cache that power loss spares.
//   gcc -shared -fPIC -o slow.so slow.c -ldl; LD_PRELOAD=./slow.so waymark serve
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static int slowly(const char *name, int file) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    struct timespec pause = {0, 4000000};
    nanosleep(&pause, 0);
    return real(file);
}

int fdatasync(int file) { return slowly("fdatasync", file); }
int fsync(int file) { return slowly("fsync", file); }
