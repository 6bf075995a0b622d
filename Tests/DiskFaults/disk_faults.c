#define _GNU_SOURCE
#include "disk_faults.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

// Reads the present fault for a file; an empty text if there is none.
static void read_fault(int descriptor, char *fault, size_t size) {
    fault[0] = 0;
    const char *control = getenv("BLUEFLEET_DISK_FAULTS");
    if (control == NULL) return;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return;
    path[length] = 0;
    if (strstr(path, "/spool/") == NULL && strstr(path, "/history.db") == NULL) return;
    int file = open(control, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    length = read(file, fault, size - 1);
    close(file);
    fault[length < 0 ? 0 : length] = 0;
}

// Returns the error of a fault; 0: the operation does not fail.
static int error_of(const char *fault) {
    if (strcmp(fault, "ENOSPC") == 0) return ENOSPC;
    if (strcmp(fault, "EIO") == 0) return EIO;
    if (strcmp(fault, "EROFS") == 0) return EROFS;
    return 0;
}

// Returns how many bytes of a write arrive; -1: it fails.
static ssize_t allowed(int descriptor, size_t count) {
    char fault[16];
    int saved = errno;
    read_fault(descriptor, fault, sizeof fault);
    errno = saved;
    if (error_of(fault) != 0) {
        errno = error_of(fault);
        return -1;
    }
    return strcmp(fault, "short") == 0 && count > 1 ? (ssize_t)(count / 2) : (ssize_t)count;
}

// Waits while the disk hangs; returns whether the synchronization succeeds.
static int synchronizes(int descriptor) {
    char fault[16], marker[4096];
    snprintf(marker, sizeof marker, "%s.hanging", getenv("BLUEFLEET_DISK_FAULTS") ?: "");
    for (read_fault(descriptor, fault, sizeof fault); strcmp(fault, "hang") == 0; read_fault(descriptor, fault, sizeof fault)) {
        close(open(marker, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
        usleep(5000);
    }
    unlink(marker);
    if (error_of(fault) == 0) return 1;
    errno = error_of(fault);
    return 0;
}

static void *next_function(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) abort();
    return function;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    ssize_t (*next)(int, const void *, size_t) = next_function("write");
    ssize_t length = allowed(descriptor, count);
    return length < 0 ? -1 : next(descriptor, bytes, length);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    ssize_t (*next)(int, const void *, size_t, off64_t) = next_function("pwrite64");
    ssize_t length = allowed(descriptor, count);
    return length < 0 ? -1 : next(descriptor, bytes, length, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}

int fsync(int descriptor) {
    int (*next)(int) = next_function("fsync");
    return synchronizes(descriptor) ? next(descriptor) : -1;
}

int fdatasync(int descriptor) {
    int (*next)(int) = next_function("fdatasync");
    return synchronizes(descriptor) ? next(descriptor) : -1;
}
