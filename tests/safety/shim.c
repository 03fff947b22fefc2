/* Notes every change that a process makes to files, in order, so that a test can make up what a power cut would have left. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int out = -2;

static ssize_t plain(int fd, const void *data, size_t size) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = dlsym(RTLD_NEXT, "write");
    return real(fd, data, size);
}

static int path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, 4095);
    if (n < 0) return 0;
    path[n] = 0;
    const char *folder = getenv("SHIM_FOLDER");
    return folder && strncmp(path, folder, strlen(folder)) == 0;
}

/* kind, path, offset, size, data: all numbers 8 bytes, little end first */
static void note(char kind, const char *path, uint64_t at, const void *data, uint64_t size) {
    if (out == -2) {
        const char *name = getenv("SHIM_LOG");
        out = name ? open(name, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    }
    if (out < 0) return;
    size_t named = strlen(path), whole = 1 + 24 + named + (data ? size : 0);
    char *line = malloc(whole);
    uint64_t numbers[3] = {named, at, size};
    line[0] = kind;
    memcpy(line + 1, numbers, 24);
    memcpy(line + 25, path, named);
    if (data) memcpy(line + 25 + named, data, size);
    plain(out, line, whole);
    free(line);
}

static void written(int fd, const void *data, ssize_t size, off_t at) {
    char path[4096];
    if (size > 0 && path_of(fd, path)) note('w', path, at, data, size);
}

ssize_t write(int fd, const void *data, size_t size) {
    ssize_t done = plain(fd, data, size);
    if (done > 0 && fd > 2) written(fd, data, done, lseek(fd, 0, SEEK_CUR) - done);
    return done;
}

#define PWRITE(name) \
    ssize_t name(int fd, const void *data, size_t size, off_t at) { \
        static ssize_t (*real)(int, const void *, size_t, off_t); \
        if (!real) real = dlsym(RTLD_NEXT, #name); \
        ssize_t done = real(fd, data, size, at); \
        written(fd, data, done, at); \
        return done; \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

#define SYNC(name) \
    int name(int fd) { \
        static int (*real)(int); \
        if (!real) real = dlsym(RTLD_NEXT, #name); \
        int done = real(fd); \
        char path[4096]; \
        if (done == 0 && path_of(fd, path)) note('s', path, 0, 0, 0); \
        return done; \
    }
SYNC(fsync)
SYNC(fdatasync)

#define TRUNCATE(name) \
    int name(int fd, off_t size) { \
        static int (*real)(int, off_t); \
        if (!real) real = dlsym(RTLD_NEXT, #name); \
        int done = real(fd, size); \
        char path[4096]; \
        if (done == 0 && path_of(fd, path)) note('t', path, size, 0, 0); \
        return done; \
    }
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

int unlink(const char *path) {
    static int (*real)(const char *);
    if (!real) real = dlsym(RTLD_NEXT, "unlink");
    int done = real(path);
    if (done == 0 && path[0] == '/') note('u', path, 0, 0, 0);
    return done;
}
