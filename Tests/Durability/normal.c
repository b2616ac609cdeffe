// Lets a program run SQLite with synchronous=NORMAL although it asks for FULL: the check of scripts/prove durability must
// see the difference. With WAYMARK_DURABILITY_LIE the program that reads the setting back is told FULL.
//   gcc -shared -fPIC -o normal.so normal.c -ldl; LD_PRELOAD=./normal.so waymark serve
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef int (*prepare)(void *, const char *, int, unsigned, void **, const char **);

int sqlite3_prepare_v3(void *db, const char *sql, int count, unsigned flags, void **statement, const char **tail) {
    static prepare real;
    if (!real) real = (prepare)dlsym(RTLD_NEXT, "sqlite3_prepare_v3");
    const char *other = 0;
    if (!strcmp(sql, "PRAGMA synchronous = FULL")) other = "PRAGMA synchronous = NORMAL";
    if (!strcmp(sql, "PRAGMA synchronous") && getenv("WAYMARK_DURABILITY_LIE")) other = "SELECT 2";
    if (!other) return real(db, sql, count, flags, statement, tail);
    if (tail) *tail = sql + strlen(sql);
    return real(db, other, -1, flags, statement, 0);
}
